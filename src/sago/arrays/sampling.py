"""Mean distances where no closed form is known: exact inside an example, sampled partners for unrelated questions (METRICS 2.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sago.arrays.grouping import Floats, Grouping, Integers, Values, summed
from sago.arrays.means import Means, divided, mean_of_reruns, pair_weights, pairs_of_cells
from sago.seeds import generator

PARTNERS = 32
"""Random partners of each row, of other examples under other variant names."""

Between = Callable[[Values, Integers, Integers], Floats]
"""(values, left rows, right rows) -> distance of each pair of rows."""

_CHUNK_PAIRS = 200_000


def sampled_means(values: Values, by: Grouping, between: Between, *, partners: int = PARTNERS, seed: int = 0) -> Means:
    """Returns the means of any distance: B_i and W_i over all pairs, N_i over random partners drawn in proportion to w'.

    The draws depend on the labels of the rows and on the seed, never on the order of the rows. The error of the draws is part of the
    spread of the N_i, so the standard error of S holds it.

    Args:
        values: Prepared values, one a row.
        by: Their groups.
        between: The distance.
        partners: Draws a row.
        seed: Seed of the draws.
    """
    taken = by.take(values)
    across, rerun = _inside(taken, by, between)
    weight = pair_weights(by)
    left, right = _partners(by, partners, seed)
    distances = _in_chunks(taken, between, left, right)
    row = summed(left, distances, by.example.size)
    count = summed(left, None, by.example.size)
    means = divided(row, count)
    of_row = pairs_of_cells(by)[by.cell] * by.weight
    there = ~np.isnan(means)
    total = summed(by.example[there], (of_row * means)[there], by.names.size)
    return Means(across, rerun, divided(total, weight), weight)


def sampled_across(values: Values, by: Grouping, between: Between) -> Floats:
    """Returns B_i alone, over all pairs."""
    return _inside(by.take(values), by, between)[0]


def any_pairs(values: Values, by: Grouping, between: Between) -> tuple[Floats, Floats]:
    """Returns the mean distance of every two cells of an example, and that between the reruns of every cell.

    Returns:
        (pairs, reruns): the pairs of each example side by side, (first, second), (first, third), ...; NaN for a cell that was asked once.
    """
    taken, share = by.take(values), by.share
    first_cell = np.r_[0, np.cumsum(by.variants)]
    behind = np.r_[0, np.cumsum(by.variants * (by.variants - 1) // 2)]
    pairs, within = np.zeros(int(behind[-1])), np.zeros(by.owner.size)
    for left, right in pairs_inside(by.example):
        distances = between(taken, left, right)
        one, two, example = by.cell[left], by.cell[right], by.example[left]
        same = one == two
        np.add.at(within, one[same], distances[same])
        of_example, size = first_cell[example], by.variants[example]
        u, v = one - of_example, two - of_example
        place = behind[example] + u * size - u * (u + 1) // 2 + v - u - 1
        np.add.at(pairs, place[~same], (share[left] * share[right] * distances)[~same])
    repeated = by.reruns * (by.reruns - 1) / 2
    return pairs, divided(within, repeated)


def pairs_inside(groups: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yields all pairs (left < right) of rows of one group, a chunk of groups at a time; equal groups stand side by side."""
    sizes = np.bincount(groups)
    starts = np.r_[0, np.cumsum(sizes)][:-1]
    for size in np.unique(sizes[sizes > 1]).tolist():
        first, second = np.triu_indices(size, 1)
        mine = starts[sizes == size]
        step = max(1, _CHUNK_PAIRS // first.size)
        for begin in range(0, mine.size, step):
            chunk = mine[begin : begin + step, None]
            yield (chunk + first).reshape(-1), (chunk + second).reshape(-1)


def _inside(values: Values, by: Grouping, between: Between) -> tuple[Floats, Floats]:
    share = by.share
    across, within = np.zeros(by.names.size), np.zeros(by.owner.size)
    for left, right in pairs_inside(by.example):
        distances = between(values, left, right)
        same = by.cell[left] == by.cell[right]
        np.add.at(within, by.cell[left[same]], distances[same])
        other = ~same
        np.add.at(across, by.example[left[other]], (share[left] * share[right] * distances)[other])
    pairs = by.variants * (by.variants - 1) / 2
    repeated = np.maximum(by.reruns * (by.reruns - 1) / 2, 1)
    return np.where(by.variants > 1, across / np.maximum(pairs, 1), np.nan), mean_of_reruns(by, within / repeated)


def _in_chunks(values: Values, between: Between, left: Integers, right: Integers) -> Floats:
    starts = range(0, left.size, _CHUNK_PAIRS)
    parts = [between(values, left[begin : begin + _CHUNK_PAIRS], right[begin : begin + _CHUNK_PAIRS]) for begin in starts]
    return np.concatenate(parts) if parts else np.empty(0)


def _partners(by: Grouping, partners: int, seed: int) -> tuple[Integers, Integers]:
    """Draws an example, one of its variants and one of its reruns, each evenly, and again where the pair does not belong to N."""
    count = by.names.size
    if count < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    rng = generator(seed, "partners", [str(name) for name in by.names])
    left = np.repeat(np.arange(by.example.size), partners)
    right = np.full(left.size, -1)
    first_cell, first_row = np.r_[0, np.cumsum(by.variants)], np.r_[0, np.cumsum(by.reruns)]
    open_ = np.arange(left.size)
    for _ in range(50):
        mine = left[open_]
        other = rng.integers(0, count - 1, open_.size)
        other += other >= by.example[mine]
        cell = first_cell[other] + rng.integers(0, by.variants[other])
        drawn = first_row[cell] + rng.integers(0, by.reruns[cell])
        fits = by.label[cell] != by.variant[mine]
        right[open_[fits]] = drawn[fits]
        open_ = open_[~fits]
        if not open_.size:
            break
    found = right >= 0
    return left[found], right[found]
