"""Log-likelihoods of continuations: float32 log-softmax, gathered, never over the whole vocabulary at once for all tokens.

Index convention: logits at place t predict the token at place t + 1. So the first token of a continuation is read off the prompt's last
place, token k off the place of token k - 1, and the last token is never fed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from sago.models.local.continuations import Continuation
from sago.models.local.forward import LOGIT_BYTES, Network
from sago.models.local.rows import GrowingRows, Prefix


def log_likelihoods(network: Network, prefix: Prefix, rows: Sequence[int], items: Sequence[Continuation]) -> list[float]:
    """Returns the summed log-probability (nats) of each continuation behind a row of the prefix, which stays as it is.

    Args:
        network: The network.
        prefix: Prompts that have been read; ``items[k].context`` is exactly the prompt of row ``rows[k]``.
        rows: Row of each item.
        items: What to score.
    """
    known = [prefix.scored.get((row, item.tokens)) for row, item in zip(rows, items, strict=True)]
    first = prefix.logits.log_softmax(-1)
    sums = [float(first[row, item.tokens[0]]) if value is None else value for row, item, value in zip(rows, items, known, strict=True)]
    longer = [index for index, (item, value) in enumerate(zip(items, known, strict=True)) if value is None and len(item.tokens) > 1]
    for part in _passes(longer, items, network.vocabulary):
        selected = prefix.select([rows[index] for index in part])
        for index, rest in zip(part, _rest(network, selected, [items[index] for index in part]), strict=True):
            sums[index] += rest
    return sums


def plain_log_likelihood(network: Network, item: Continuation) -> float:
    """Returns the summed log-probability (nats) of a continuation by a pass of its own over the whole text."""
    logits = network.plain([*item.context, *item.tokens[:-1]])[len(item.context) - 1 :]
    return float(_gathered(logits, torch.tensor(item.tokens, device=logits.device)).sum())


def _rest(network: Network, rows: GrowingRows, items: Sequence[Continuation]) -> list[float]:
    width = max(len(item.tokens) for item in items) - 1
    fed = [[*item.tokens[:-1], *[0] * (width + 1 - len(item.tokens))] for item in items]
    wanted = [[*item.tokens[1:], *[0] * (width + 1 - len(item.tokens))] for item in items]
    lengths = torch.tensor([len(item.tokens) - 1 for item in items], device=network.device)
    mask = (torch.arange(width, device=network.device) < lengths[:, None]).long()
    logits = network.extend(rows, torch.tensor(fed, device=network.device), mask)
    found = _gathered(logits.float(), torch.tensor(wanted, device=network.device))
    return [float(value) for value in (found * mask).sum(-1)]


def _gathered(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    return logits.gather(-1, tokens[..., None]).squeeze(-1) - logits.logsumexp(-1)


def _passes(indices: Sequence[int], items: Sequence[Continuation], vocabulary: int) -> Iterator[list[int]]:
    places = max(1, LOGIT_BYTES // (4 * vocabulary))
    part: list[int] = []
    for index in sorted(indices, key=lambda index: len(items[index].tokens)):
        if part and (len(part) + 1) * (len(items[index].tokens) - 1) > places:
            yield part
            part = []
        part.append(index)
    if part:
        yield part
