"""Attention over a tree of prompts, and over rows that go on behind it: only pairs of tokens that see each other are computed.

The architecture's own code makes queries, keys and values as always; while a pass of this engine runs, transformers hands them to
``attend`` instead of its own kernel. What stands where it takes the mask says which keys belong to which queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import AttentionInterface

from sago.models.local.blocks import Block

NAME = "sago_tree"


@dataclass(frozen=True)
class Part:
    """A block, as tensors.

    Attributes:
        start: First query.
        stop: One past the last query.
        keys: Places of its keys.
        hidden: 0 where a query sees a key, the lowest number of the type elsewhere; (queries, keys).
    """

    start: int
    stop: int
    keys: torch.Tensor
    hidden: torch.Tensor


@dataclass(frozen=True)
class Beginning:
    """What some rows side by side begin with, kept once.

    Attributes:
        rows: First row, and one past the last.
        places: Places of the common tokens among the kept keys of the tree.
        hidden: As in ``Part``, (rows, new tokens, places), where a window hides some of them; null = every row sees all.
    """

    rows: tuple[int, int]
    places: torch.Tensor
    hidden: torch.Tensor | None = None


class Plan(torch.Tensor):
    """Stands where transformers takes a mask: a tensor that is handed through to each layer as it is, with what ``attend`` needs.

    Attributes:
        parts: For a tree that is read: its blocks.
        beginnings: For rows that go on: what groups of them begin with; together they hold every row.
        kept: For rows that go on: layer -> keys and values of the tree; (key heads, places, dimensions) each.
        hidden: For rows that go on: as in ``Part``, for each row's own keys; (rows, new tokens, own places).
    """

    parts: Sequence[Part]
    beginnings: Sequence[Beginning]
    kept: Sequence[tuple[torch.Tensor, torch.Tensor]]
    hidden: torch.Tensor


def plan_of_tree(blocks: Sequence[Block], dtype: torch.dtype, device: torch.device) -> Plan:
    """Returns the plan by which a tree is read."""
    plan = _empty(device)
    plan.parts = [
        Part(block.start, block.stop, torch.from_numpy(block.keys).to(device), hidden_where(~block.seen, dtype, device)) for block in blocks
    ]
    plan.beginnings = ()
    return plan


def plan_of_rows(
    beginnings: Sequence[Beginning], kept: Sequence[tuple[torch.Tensor, torch.Tensor]], hidden: torch.Tensor, device: torch.device
) -> Plan:
    """Returns the plan by which rows go on; arguments as in ``Plan``."""
    plan = _empty(device)
    plan.parts, plan.beginnings, plan.kept, plan.hidden = (), beginnings, kept, hidden
    return plan


def _empty(device: torch.device) -> Plan:
    return torch.zeros(1, 1, 1, 1, device=device).as_subclass(Plan)


def hidden_where(unseen: np.ndarray | torch.Tensor, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Returns what is added to scores: 0, and the lowest number of the type where something is not seen."""
    where = torch.from_numpy(unseen) if isinstance(unseen, np.ndarray) else unseen
    return torch.zeros(where.shape, dtype=dtype, device=device).masked_fill_(where.to(device), torch.finfo(dtype).min)


@contextmanager
def attending(config: Any) -> Iterator[None]:
    """Hands attention to ``attend`` during the passes inside."""
    before = config._attn_implementation
    config._attn_implementation = NAME
    try:
        yield
    finally:
        config._attn_implementation = before


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    softcap: float | None = None,
    **more: Any,
) -> tuple[torch.Tensor, None]:
    """Computes the attention of one layer, as transformers asks for it.

    Args:
        module: The layer's attention; its ``layer_idx`` says which layer it is.
        query: (rows, heads, new tokens, dimensions); a tree is one row.
        key: (rows, key heads, places, dimensions).
        value: As ``key``.
        attention_mask: A ``Plan``.
        scaling: Factor of the scores; null = one over the root of the dimensions.
        softcap: Bound of the scores, of the architectures that have one.
        **more: What else architectures hand over.

    Returns:
        (rows, new tokens, heads, dimensions), and nothing.

    Raises:
        NotImplementedError: If the architecture does something to its scores that is not known here.
    """
    if not isinstance(attention_mask, Plan) or more.get("s_aux") is not None or more.get("position_bias") is not None:
        raise NotImplementedError("this attention takes no plan")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    if attention_mask.parts:
        return _read(attention_mask.parts, query, key, value, scale, softcap), None
    layer: Any = module.layer_idx
    kept = attention_mask.kept[layer]
    found = [_go_on(beginning, attention_mask.hidden, kept, query, key, value, scale, softcap) for beginning in attention_mask.beginnings]
    return (found[0] if len(found) == 1 else torch.cat(found)), None


def _read(
    parts: Sequence[Part], query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scale: float, softcap: float | None
) -> torch.Tensor:
    """Computes a tree block by block. Query heads that share a key head stand one below the other, so that no key is copied for them."""
    heads, tokens, size = query.shape[1:]
    shared = heads // key.shape[1]
    out = torch.empty(1, tokens, heads, size, dtype=query.dtype, device=query.device)
    for part in parts:
        mine = query[0, :, part.start : part.stop].reshape(1, key.shape[1], -1, size)
        keys, values = key[:, :, part.keys], value[:, :, part.keys]
        hidden = part.hidden.repeat(shared, 1)
        if softcap is None:
            found = torch.nn.functional.scaled_dot_product_attention(mine, keys, values, attn_mask=hidden[None, None], scale=scale)
        else:
            scores = _capped(mine.float() @ keys.mT.float() * scale, softcap) + hidden
            found = (scores.softmax(-1) @ values.float()).to(query.dtype)
        out[0, part.start : part.stop] = found.view(heads, -1, size).transpose(0, 1)
    return out


def _go_on(
    beginning: Beginning,
    hidden: torch.Tensor,
    kept: tuple[torch.Tensor, torch.Tensor],
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scale: float,
    softcap: float | None,
) -> torch.Tensor:
    """Computes some rows: scores of the beginning that they share in one product, of their own keys row by row, one softmax over both."""
    first, last = beginning.rows
    rows, (heads, tokens, size), key_heads, places = last - first, query.shape[1:], key.shape[1], len(beginning.places)
    folded = heads // key_heads * tokens
    # In float32 whatever the type of the network: scores of half precision would be rounded before the softmax.
    mine = query[first:last].reshape(rows, key_heads, folded, size).float() * scale
    own = _capped(mine @ key[first:last].mT.float(), softcap).view(rows, heads, tokens, -1) + hidden[first:last, None]
    shared_keys, shared_values = (part[:, beginning.places].float() for part in kept)
    together = mine.transpose(0, 1).reshape(key_heads, rows * folded, size) @ shared_keys.mT
    common = _capped(together, softcap).view(key_heads, rows, folded, places).transpose(0, 1).reshape(rows, heads, tokens, places)
    if beginning.hidden is not None:
        common = common + beginning.hidden[:, None]
    weights = torch.cat([common, own], dim=-1).softmax(-1)
    of_common = weights[..., :places].reshape(rows, key_heads, folded, places).transpose(0, 1).reshape(key_heads, rows * folded, places)
    of_own = weights[..., places:].reshape(rows, key_heads, folded, own.shape[-1])
    found = of_own @ value[first:last].float() + (of_common @ shared_values).view(key_heads, rows, folded, size).transpose(0, 1)
    return found.reshape(rows, heads, tokens, size).transpose(1, 2).to(query.dtype)


def _capped(scores: torch.Tensor, softcap: float | None) -> torch.Tensor:
    return scores if softcap is None else softcap * torch.tanh(scores / softcap)


AttentionInterface.register(NAME, attend)
