"""Responses, token by token, all rows of a batch at once; what one row says never depends on its neighbours.

Greedy rows take the largest float32 logit. Sampled rows draw from the softmax at their temperature, in float64, each from a generator of
its own; nothing is cut off the distribution (no top-k, no top-p).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from sago.models.local.forward import Network
from sago.models.local.replies import ReplyReader, cut_at_stop
from sago.models.local.rows import GrowingRows, Prefix
from sago.records import Request


@dataclass(slots=True)
class Row:
    """One response while it grows.

    Attributes:
        request: What was asked.
        is_plain: Plain-text prompts end at a line break as well.
        tokens: Token ids so far, without the end token.
        logprobs: Log-probability of each token (nats, temperature 1).
        text: The response, once it is finished; stop texts cut off.
        finish_reason: ``stop`` or ``length``, once it is finished.
    """

    request: Request
    is_plain: bool
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    text: str = ""
    finish_reason: str | None = None
    _random: np.random.Generator | None = None

    @property
    def random(self) -> np.random.Generator:
        """The row's own stream, from the request's seed."""
        if self._random is None:
            self._random = np.random.default_rng(self.request.seed)
        return self._random


class Generator:
    """Makes responses.

    Args:
        reader: Token ids to text.
        ends: Token ids that end a response.
        stops: Texts that end a response.
    """

    def __init__(self, reader: ReplyReader, *, ends: frozenset[int], stops: tuple[str, ...] = ()) -> None:
        self._reader = reader
        self._ends = ends
        self._stops = stops

    def generate(self, network: Network, prefix: Prefix, rows: Sequence[int], responses: Sequence[Row]) -> None:
        """Fills in the responses.

        Args:
            network: The network.
            prefix: Prompts that have been read; stays as it is.
            rows: Row of the prefix that each response continues.
            responses: Fresh rows.
        """
        growing = list(responses)
        logits = prefix.logits[list(rows)]
        current: GrowingRows | None = None
        while growing:
            chosen = self._take(growing, logits)
            going_on = [index for index, row in enumerate(growing) if row.finish_reason is None]
            if not going_on:
                return
            if current is None:
                # Responses of one token need no row of their own.
                current = prefix.select([rows[index] for index in going_on])
            elif len(going_on) < len(growing):
                current = current.select(going_on)
            growing = [growing[index] for index in going_on]
            tokens = torch.tensor([[chosen[index]] for index in going_on], device=network.device)
            logits = network.extend(current, tokens, torch.ones_like(tokens))[:, -1].float()

    def replay(self, row: Row, tokens: Sequence[int], logprobs: Sequence[float]) -> None:
        """Fills in a response whose tokens somebody else made, as if they had been made here one by one.

        Args:
            row: A fresh row.
            tokens: Token ids, with the one that ended the response where there was one.
            logprobs: Log-probability of each.
        """
        for token, logprob in zip(tokens, logprobs, strict=True):
            self._append(row, token, logprob)
            if row.finish_reason is not None:
                return
        row.text, row.finish_reason = self._reader.decode(row.tokens), "stop"

    def _take(self, growing: Sequence[Row], logits: torch.Tensor) -> list[int]:
        greedy = logits.argmax(-1).tolist()
        chosen = [
            greedy[index] if row.request.temperature <= 0 else _draw(logits[index], row.request.temperature, row.random)
            for index, row in enumerate(growing)
        ]
        picked = torch.tensor(chosen, device=logits.device)
        logprobs = (logits.gather(-1, picked[:, None]).squeeze(-1) - logits.logsumexp(-1)).tolist()
        for row, token, logprob in zip(growing, chosen, logprobs, strict=True):
            self._append(row, token, logprob)
        return chosen

    def _append(self, row: Row, token: int, logprob: float) -> None:
        if token in self._ends:
            row.finish_reason = "stop"
            row.text = self._reader.decode(row.tokens)
            return
        row.tokens.append(token)
        row.logprobs.append(logprob)
        at_limit = len(row.tokens) >= row.request.max_new_tokens
        if not (at_limit or row.is_plain or self._stops):
            return
        text = self._reader.decode(row.tokens)
        cut = cut_at_stop(text, self._stops, at_line_break=row.is_plain)
        if cut is not None:
            row.text, row.finish_reason = cut, "stop"
            self._drop_behind(row)
        elif at_limit:
            row.text, row.finish_reason = text, "length"

    def _drop_behind(self, row: Row) -> None:
        """Drops tokens that stand wholly behind the cut."""
        while row.tokens and self._reader.decode(row.tokens[:-1]).startswith(row.text):
            row.tokens.pop()
            row.logprobs.pop()


def _draw(logits: torch.Tensor, temperature: float, random: np.random.Generator) -> int:
    """Draws by the inverse of the distribution function: one uniform number a token, so a stream stays in step whatever the batch."""
    shares = (logits.double() / temperature).softmax(-1).cumsum(-1).cpu().numpy()
    drawn = int(np.searchsorted(shares, random.random() * shares[-1], side="right"))
    return min(drawn, len(shares) - 1)
