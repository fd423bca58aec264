"""Prompts that have been read, and rows that go on behind them: choices, anchors and responses grow from what is kept.

Two kinds, one behaviour. Padded rows keep keys and values row by row. Rows of a tree keep what several of them begin with once, in the
tree itself, and only what is a row's own row by row.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from sago.models.local.attention import Beginning, Plan, attending, hidden_where, plan_of_rows

Behind = tuple[int, tuple[int, ...]]
"""A row, and token ids that may stand behind its prompt."""

GROUP_PRICE = 40
"""A further group of rows with a beginning of its own costs about as much as this many tokens read once more."""
_ROOM = 32
"""Places by which kept keys grow at a time."""


class GrowingRows(Protocol):
    """Rows that tokens are fed behind.

    Attributes:
        lengths: Tokens of each row so far.
    """

    lengths: torch.Tensor

    def select(self, rows: Sequence[int]) -> GrowingRows:
        """Returns some of the rows, in this order; these stay as they are."""
        ...

    def fed(self, ids: torch.Tensor, mask: torch.Tensor) -> Feed:
        """Takes in that tokens are being fed, padded on the right, and returns how."""
        ...


@dataclass
class Feed:
    """One pass over new tokens.

    Attributes:
        ids: Token ids; (rows, places).
        positions: Their positions.
        mask: What the network takes as its mask.
        cache: Kept keys and values; the pass puts the new ones in.
        attending: Active while the pass runs.
        back: Where each row of ``ids`` belongs in the answer; null = as it is.
    """

    ids: torch.Tensor
    positions: torch.Tensor
    mask: Any
    cache: Any
    attending: AbstractContextManager[None] = field(default_factory=nullcontext)
    back: torch.Tensor | None = None


@dataclass
class Prefix:
    """Prompts that have been read.

    Attributes:
        rows: What goes on behind them, for some of the prompts; each may be named more than once.
        logits: Float32 logits behind each prompt's last token; (prompts, vocabulary).
        pooled: Layer -> float32 states of each prompt's last token.
        scored: Row and tokens behind it -> their summed log-probability (nats), for what was scored in the pass that read the prompts.
    """

    rows: GrowingRows | TreeKeys
    logits: torch.Tensor
    pooled: dict[int, torch.Tensor] = field(default_factory=dict)
    scored: dict[Behind, float] = field(default_factory=dict)

    def select(self, rows: Sequence[int]) -> GrowingRows:
        """Returns rows that go on behind some prompts, each as often as it is named; the prefix stays as it is."""
        return self.rows.select(rows)


@dataclass
class PaddedRows:
    """Rows padded on the left, each with all of its keys.

    Attributes:
        cache: Keys and values.
        mask: 0 at padding, 1 at tokens; (rows, places).
        lengths: Tokens of each row.
    """

    cache: Any
    mask: torch.Tensor
    lengths: torch.Tensor

    def select(self, rows: Sequence[int]) -> PaddedRows:
        """Returns these rows, repeated as often as named."""
        index = torch.tensor(rows, device=self.mask.device)
        cache = copy.copy(self.cache)
        cache.layers = [copy.copy(layer) for layer in self.cache.layers]
        for layer in cache.layers:
            # A layer's update makes new tensors, so rows that are the same need no copy of their own.
            if layer.keys is not None:
                layer.keys, layer.values = layer.keys[index], layer.values[index]
        return PaddedRows(cache, self.mask[index], self.lengths[index])

    def fed(self, ids: torch.Tensor, mask: torch.Tensor) -> Feed:
        """Returns the pass that feeds tokens."""
        positions = self.lengths[:, None] + torch.arange(ids.shape[1], device=ids.device)
        self.mask = torch.cat([self.mask, mask], dim=-1)
        self.lengths = self.lengths + mask.sum(-1)
        return Feed(ids, positions, self.mask, self.cache)


@dataclass(frozen=True)
class Windows:
    """What an architecture's layers see of a row.

    Attributes:
        config: Configuration of the network.
        by_kind: Kind of layer -> how many tokens it sees, itself among them; null = all.
    """

    config: Any
    by_kind: dict[str, int | None]

    def each(self, make: Any) -> Any:
        """Returns what ``make`` makes of a window, for a network with one kind of layer; else a dictionary of it by kind."""
        made = {kind: make(window) for kind, window in self.by_kind.items()}
        return made if len(made) > 1 else next(iter(made.values()))


@dataclass
class TreeKeys:
    """The keys and values of a tree that has been read.

    Attributes:
        kept: Layer -> keys and values; (key heads, nodes, dimensions) each.
        paths: Nodes of each prompt.
        windows: What the layers see.
        dtype: Number type of the network.
    """

    kept: list[tuple[torch.Tensor, torch.Tensor]]
    paths: Sequence[np.ndarray]
    windows: Windows
    dtype: torch.dtype

    def select(self, rows: Sequence[int]) -> TreeRows:
        """Returns rows behind some prompts, those with a beginning in common side by side."""
        order = sorted(range(len(rows)), key=lambda place: int(self.paths[rows[place]][-1]))
        paths = [self.paths[rows[place]] for place in order]
        groups = grouped(paths)
        device = self.kept[0][0].device
        beginnings = [Beginning((first, last), torch.from_numpy(paths[first][:common]).to(device)) for first, last, common in groups]
        own = [path[common:] for first, last, common in groups for path in paths[first:last]]
        width = max(map(len, own))
        places = np.zeros((len(own), width), dtype=np.int64)
        mask = np.zeros((len(own), width), dtype=bool)
        positions = np.zeros((len(own), width), dtype=np.int64)
        for row, (mine, path) in enumerate(zip(own, paths, strict=True)):
            places[row, width - len(mine) :] = mine
            mask[row, width - len(mine) :] = True
            positions[row, width - len(mine) :] = np.arange(len(path) - len(mine), len(path))
        index = torch.from_numpy(places).to(device)
        layers = [_OwnKeys(*(part[:, index].transpose(0, 1) for part in pair)) for pair in self.kept]
        return TreeRows(
            tree=self,
            order=torch.tensor(order, device=device),
            beginnings=beginnings,
            layers=layers,
            mask=torch.from_numpy(mask).to(device),
            positions=torch.from_numpy(positions).to(device),
            lengths=torch.tensor([len(self.paths[row]) for row in rows], device=device),
        )


@dataclass
class TreeRows:
    """Rows behind the prompts of a tree, sorted so that rows with a beginning in common stand side by side.

    Attributes:
        tree: The tree.
        order: Which row, as the caller counts them, stands at each place.
        beginnings: Groups of rows, and what each begins with.
        layers: Keys and values of what is each row's own.
        mask: Which of a row's own places hold a token; (rows, places).
        positions: Their positions.
        lengths: Tokens of each row, as the caller counts them.
    """

    tree: TreeKeys
    order: torch.Tensor
    beginnings: list[Beginning]
    layers: list[_OwnKeys]
    mask: torch.Tensor
    positions: torch.Tensor
    lengths: torch.Tensor

    def select(self, rows: Sequence[int]) -> TreeRows:
        """Returns some of the rows, in this order."""
        chosen = torch.tensor(rows, device=self.order.device)
        places, order = self.order.argsort()[chosen].sort()
        ends = torch.searchsorted(places, torch.tensor([one.rows[1] for one in self.beginnings], device=places.device)).tolist()
        beginnings = [
            Beginning((first, last), one.places)
            for one, first, last in zip(self.beginnings, [0, *ends], ends, strict=False)
            if last > first
        ]
        layers = [layer.select(places) for layer in self.layers]
        return TreeRows(self.tree, order, beginnings, layers, self.mask[places], self.positions[places], self.lengths[chosen])

    def fed(self, ids: torch.Tensor, mask: torch.Tensor) -> Feed:
        """Returns the pass that feeds tokens."""
        positions = (self.lengths[:, None] + torch.arange(ids.shape[1], device=ids.device))[self.order]
        self.mask = torch.cat([self.mask, mask[self.order].bool()], dim=-1)
        self.positions = torch.cat([self.positions, positions], dim=-1)
        self.lengths = self.lengths + mask.sum(-1)
        plans = self.tree.windows.each(lambda window: self._plan(positions, window))
        cache = DynamicCache()
        cache.layers = list(self.layers)
        return Feed(ids[self.order], positions, plans, cache, attending(self.tree.windows.config), self.order.argsort())

    def _plan(self, positions: torch.Tensor, window: int | None) -> Plan:
        device = positions.device
        unseen = ~self.mask[:, None, :] | (self.positions[:, None, :] > positions[:, :, None])
        if window is None:
            return plan_of_rows(self.beginnings, self.tree.kept, hidden_where(unseen, self.tree.dtype, device), device)
        unseen |= positions[:, :, None] - self.positions[:, None, :] >= window
        beginnings = []
        for one in self.beginnings:
            far = positions[slice(*one.rows), :, None] - torch.arange(len(one.places), device=device) >= window
            beginnings.append(Beginning(one.rows, one.places, hidden_where(far, self.tree.dtype, device)))
        return plan_of_rows(beginnings, self.tree.kept, hidden_where(unseen, self.tree.dtype, device), device)


class _OwnKeys(DynamicLayer):  # type: ignore[misc]  # transformers is not typed
    """Keys and values of one layer with room behind them, so that a new token is written and nothing is copied."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        super().__init__()
        self.keys, self.values, self._used = keys, values, keys.shape[-2]
        self.dtype, self.device, self.is_initialized = keys.dtype, keys.device, True

    def select(self, rows: torch.Tensor) -> _OwnKeys:
        """Returns some rows."""
        return _OwnKeys(self.keys[rows, :, : self._used], self.values[rows, :, : self._used])

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Puts new keys and values in; returns all of them."""
        end = self._used + key_states.shape[-2]
        if end > self.keys.shape[-2]:
            more = max(_ROOM, end - self.keys.shape[-2])
            self.keys, self.values = (torch.nn.functional.pad(part, (0, 0, 0, more)) for part in (self.keys, self.values))
        self.keys[:, :, self._used : end], self.values[:, :, self._used : end] = key_states, value_states
        self._used = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    def get_seq_length(self) -> int:
        """Returns how many places are used."""
        return self._used


def grouped(paths: Sequence[np.ndarray]) -> list[tuple[int, int, int]]:
    """Groups sorted paths so that the most tokens are kept once; each group has its price (``GROUP_PRICE``).

    Args:
        paths: Nodes of each row, in the order of a tree.

    Returns:
        First row, one past the last, and how many tokens all of its rows begin with; the groups hold every row once, in order.

    >>> grouped([np.arange(90), np.arange(80), np.r_[0, 100:190], np.r_[0, 100:170]])
    [(0, 2, 80), (2, 4, 71)]
    """
    together = [_common(one, other) for one, other in itertools.pairwise(paths)]
    best: list[tuple[float, int, int]] = [(0.0, 0, 0)]
    for last in range(1, len(paths) + 1):
        choices = []
        common = len(paths[last - 1])
        for first in range(last - 1, -1, -1):
            if first < last - 1:
                common = min(common, together[first])
            choices.append((best[first][0] + common * (last - first - 1) - GROUP_PRICE, first, common))
        best.append(max(choices))
    groups = []
    last = len(paths)
    while last:
        _, first, common = best[last]
        groups.append((first, last, common))
        last = first
    return groups[::-1]


def _common(one: np.ndarray, other: np.ndarray) -> int:
    size = min(len(one), len(other))
    differing = np.flatnonzero(one[:size] != other[:size])
    return int(differing[0]) if len(differing) else size
