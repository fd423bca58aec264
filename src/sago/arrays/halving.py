"""Scores of each example over halves of its wordings, for many ways to halve them (METRICS 8, 2b and 2d).

Two axes measured on the same responses share their noise, and one axis measured once says nothing about its own: scores of one axis on
one half of the wordings and of another axis on the other half do neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sago.arrays.distances import DISTANCES
from sago.arrays.grouping import Floats, Integers, Values
from sago.arrays.index import Rows

SPLITS = 50
"""Most ways to halve the wordings of an example."""

FEWEST = 4
"""Fewest wordings that can be halved: a half needs two of them to compare."""

_CHUNK_VALUES = 4_000_000

Mask = NDArray[np.bool_]
Splits = Callable[[int], Mask]
"""Number of wordings -> the ways to halve them, from ``ways_to_halve``."""


def ways_to_halve(wordings: int, rng: np.random.Generator, most: int = SPLITS) -> Mask:
    """Returns which wordings are in the first half (splits, wordings); an odd one too many is in the second.

    All different ways in random order where there are at most ``most``, else so many random ones: the first few are as good as any.

    Args:
        wordings: Number of wordings, at least 2.
        rng: Generator seeded from content.
        most: Largest number of splits.

    >>> sorted(ways_to_halve(4, np.random.default_rng(0)).astype(int).tolist())
    [[1, 0, 0, 1], [1, 0, 1, 0], [1, 1, 0, 0]]
    """
    size = wordings // 2
    if comb(wordings, size) <= (2 * most if wordings % 2 == 0 else most):
        chosen = list(combinations(range(wordings), size))
        # Of an even number, a half and the rest are one split: the one that holds the first wording stands for it.
        chosen = chosen[: len(chosen) // 2] if wordings % 2 == 0 else chosen
        chosen = [chosen[place] for place in rng.permutation(len(chosen))]
    else:
        order = rng.permuted(np.broadcast_to(np.arange(wordings), (most, wordings)), axis=1)
        chosen = [tuple(row) for row in order[:, :size].tolist()]
    result = np.zeros((len(chosen), wordings), dtype=np.bool_)
    result[np.arange(len(chosen))[:, None], np.array(chosen)] = True
    return result


class Halved(NamedTuple):
    """Half-scores of examples with one number of wordings.

    Attributes:
        examples: Labels of the examples.
        first: Score over the first half of each split (examples, splits); NaN where it has too little data.
        second: The same over the other wordings.
    """

    examples: Values
    first: Floats
    second: Floats


@dataclass(frozen=True)
class Inside:
    """Distances inside examples; wordings without data are left out, the places of the others known.

    Attributes:
        examples: Labels of the examples, sorted. wordings: Number of wordings that each was to be asked in.
        present: Number of wordings with data of each. place: Place of each of these among the example's wordings, example by example.
        pairs: Mean distance of every two of them, example by example. reruns: Mean distance between reruns of each; NaN = asked once.
    """

    examples: Values
    wordings: Integers
    present: Integers
    place: Integers
    pairs: Floats
    reruns: Floats

    def grids(self) -> Iterator[tuple[Values, Floats, Floats]]:
        """Yields, for each number of wordings, the examples, their distances (examples, pairs of places) and reruns (examples, places)."""
        owner = np.repeat(np.arange(self.examples.size), self.present)
        start = np.r_[0, np.cumsum(self.present)]
        behind = np.r_[0, np.cumsum(self.present * (self.present - 1) // 2)]
        for wordings in np.unique(self.wordings[self.wordings >= FEWEST]).tolist():
            mine = np.flatnonzero(self.wordings == wordings)
            row = np.full(self.examples.size, -1)
            row[mine] = np.arange(mine.size)
            reruns = np.full((mine.size, wordings), np.nan)
            cells = row[owner] >= 0
            reruns[row[owner[cells]], self.place[cells]] = self.reruns[cells]
            pairs = np.full((mine.size, wordings * (wordings - 1) // 2), np.nan)
            for size in np.unique(self.present[mine]).tolist():
                some = mine[self.present[mine] == size]
                places = self.place[start[some][:, None] + np.arange(size)]
                one, two = np.triu_indices(size, 1)
                u, v = places[:, one], places[:, two]
                at = u * wordings - u * (u + 1) // 2 + v - u - 1
                pairs[row[some][:, None], at] = self.pairs[behind[some][:, None] + np.arange(one.size)]
            yield self.examples[mine], pairs, reruns


def inside_of(rows: Rows, distance: str, wordings: Integers, *, prepared: bool = False) -> Inside:
    """Returns the distances inside examples.

    Args:
        rows: Responses; ``variant`` is the place of the wording among those of its example.
        distance: Name in ``DISTANCES``.
        wordings: Number of wordings of the example of each row.
        prepared: Whether the values went through the distance's ``prepare`` already.
    """
    kind = DISTANCES[distance]
    values = rows.values if prepared else kind.prepare(rows.values)
    by = rows.grouped()
    pairs, reruns = kind.of_cells(values, by)
    known, first = np.unique(np.asarray(rows.example), return_index=True)
    asked = wordings[first][np.searchsorted(known, by.names)] if by.names.size else np.empty(0, np.int64)
    return Inside(by.names, asked, by.variants, by.variant_names[by.label].astype(np.int64), pairs, reruns)


def halves_of(inside: Inside, splits: Splits) -> list[Halved]:
    """Returns B_i - W_i over each half of the wordings of every example with at least four of them (METRICS 8, 2b).

    B is the mean over the half's pairs with data, W the mean over its wordings that were asked twice; where none was, the mean W of the
    cell stands in, and 0 where nothing was asked twice. Unit and direction are those of the distance. NaN where a half has no pair.
    """
    noise = float(np.nanmean(inside.reruns)) if np.any(~np.isnan(inside.reruns)) else 0.0
    found = []
    for examples, pairs, reruns in inside.grids():
        one, two = np.triu_indices(reruns.shape[1], 1)
        ways = splits(reruns.shape[1])
        of_half = []
        for half in (ways, ~ways):
            across, within = means_over(pairs, half[:, one] & half[:, two]), means_over(reruns, half)
            of_half.append(across - np.where(np.isnan(within), noise, within))
        found.append(Halved(examples, *of_half))
    return found


def means_over(values: Floats, chosen: Mask, weights: Floats | None = None) -> Floats:
    """Returns the (weighted) means of each row over chosen columns (rows, choices), NaN left out; NaN where nothing is left.

    Args:
        values: Numbers (rows, columns).
        chosen: Columns of each choice (choices, columns).
        weights: Weight of each number; 0 or more, null = 1.
    """
    result = np.empty((values.shape[0], chosen.shape[0]))
    columns = chosen.T.astype(np.float64)
    step = max(1, _CHUNK_VALUES // max(values.shape[1] + chosen.shape[0], 1))
    for begin in range(0, values.shape[0], step):
        rows = slice(begin, begin + step)
        there = ~np.isnan(values[rows])
        weight = there.astype(np.float64) if weights is None else np.where(there, weights[rows], 0.0)
        total, count = (weight * np.where(there, values[rows], 0.0)) @ columns, weight @ columns
        result[rows] = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return result
