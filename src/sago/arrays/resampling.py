"""The exact rerun-floor test: do wordings differ more than reruns of one wording? See METRICS 8, 1a.

Under the null hypothesis the response distribution of an example does not depend on the variant, so its responses are exchangeable:
they are dealt to its variants anew (relabelled), and T = mean of B_i - W_i is recomputed.

Each example is relabelled in every way there is, or else in a pool of random ways of which the observed one is a random member: the
responses are first put back by a member drawn for the example alone, from where the pool leads to the observed labelling and to the others
alike. Its own p is the rank of the observed member; for the cell, members are drawn for all examples at once and added up. Both are exact,
and as many examples share a pool, a relabelling of all of them is a few sums of whole rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from sago.arrays.distances import DISTANCES, Distance
from sago.arrays.grouping import Floats, Grouping, Integers, Values
from sago.arrays.index import Rows

DRAWS = 999
"""Random relabelings of a whole cell."""
POOL = 2000
"""Relabelings of one example: all of them where there are no more than this, else so many random ones."""
MOST_RESPONSES = 4000
"""Examples with more responses than this take no part: their distances are too many to hold."""

_EXACT_UP_TO = 20_000
"""Largest number of joint relabelings that are all enumerated."""

_CHUNK_VALUES = 2_000_000
"""Numbers that are looked at together."""


class RerunFloorTest(NamedTuple):
    """What the test says.

    Attributes:
        p: Of "in no example do wordings differ more than reruns", in (0, 1]; NaN where no example has two variants and reruns.
        examples: Labels of the examples with two variants or more, sorted.
        each: p of each of them alone, in (0, 1]; NaN for one without reruns. At least 1 / (number of its relabelings), and 1 / ``POOL``.
    """

    p: float
    examples: Values
    each: Floats


def permutation_p(rows: Rows, distance: str, rng: np.random.Generator, *, draws: int = DRAWS, prepared: bool = False) -> float:
    """Returns the p value of the cell alone; see :func:`rerun_floor_test`."""
    return rerun_floor_test(rows, distance, rng, draws=draws, prepared=prepared).p


def rerun_floor_test(rows: Rows, distance: str, rng: np.random.Generator, *, draws: int = DRAWS, prepared: bool = False) -> RerunFloorTest:
    """Returns the p value of "wordings differ no more than reruns", for the cell and for each example.

    Small problems are enumerated completely, so that p is the share of all relabelings with T* >= T; otherwise it is
    (1 + number of draws with T* >= T) / (1 + draws).

    Args:
        rows: Responses; equal variant names of one example are reruns. Examples without reruns, or with one variant, take no part.
        distance: Name in ``DISTANCES``.
        rng: Generator seeded from content.
        draws: Number of random relabelings.
        prepared: Whether the values went through the distance's ``prepare`` already.
    """
    kind = DISTANCES[distance]
    by = rows.grouped()
    each = np.full(by.names.size, np.nan)
    if by.names.size == 0 or by.asked_once:
        return RerunFloorTest(float("nan"), by.names, each)
    values = rows.values if prepared else kind.prepare(rows.values)
    sums = _Sums(draws)
    for shape in _shapes(by):
        for chunk in _chunks(kind, values, shape, rng):
            each[chunk.examples] = chunk.p()
            sums.add(chunk, rng)
        each[shape.examples[np.isnan(each[shape.examples])]] = 1.0  # all at one distance: B = W however they are dealt
    return RerunFloorTest(sums.p() if not np.isnan(each).all() else float("nan"), by.names, each)


def relabelings(reruns: tuple[int, ...]) -> int:
    """Returns the number of ways to deal responses to variants with so many reruns each; variants with equally many are alike.

    >>> relabelings((2, 2)), relabelings((2, 2, 2)), relabelings((3, 1))
    (3, 15, 4)
    """
    alike = prod(factorial(reruns.count(count)) for count in set(reruns))
    return factorial(sum(reruns)) // prod(factorial(count) for count in reruns) // alike


@dataclass(frozen=True)
class _Shape:
    """Examples with the same numbers of reruns.

    B_i - W_i of any labelling is a constant + ``weight`` x the sum of ``weights`` x distances of the responses at the places ``first`` and
    ``second``; null weights are all 1.
    """

    reruns: tuple[int, ...]
    examples: Integers
    rows: Integers
    first: Integers
    second: Integers
    weights: Floats | None
    weight: float


@dataclass(frozen=True)
class _Chunk:
    """Examples under the relabelings of one pool: sums of weighted distances (pool, examples), and which member was observed."""

    examples: Integers
    sums: Values
    observed: Integers
    weight: float
    rounding: Floats
    complete: bool

    @property
    def found(self) -> Floats:
        """The sums that were observed."""
        result: Floats = np.take_along_axis(self.sums, self.observed[None, :], axis=0)[0].astype(np.float64)
        return result

    def p(self) -> Floats:
        """Share of the relabelings under which the gap is no smaller than the observed one."""
        sign = np.sign(self.weight)
        limit = self.found - sign * self.rounding
        as_large = self.sums >= limit if sign > 0 else self.sums <= limit
        result: Floats = as_large.mean(axis=0)
        return result


@dataclass
class _Sums:
    """T of the whole cell, and under joint relabelings."""

    draws: int
    observed: float = 0.0
    rounding: float = 0.0
    drawn: Floats = field(default_factory=lambda: np.empty(0))
    every: Floats | None = field(default_factory=lambda: np.zeros(1))
    """T of every joint relabelling; null where there are too many."""

    def add(self, chunk: _Chunk, rng: np.random.Generator) -> None:
        """Adds the examples of a chunk."""
        pool, size = chunk.sums.shape
        self.observed += chunk.weight * float(chunk.found.sum())
        self.rounding += abs(chunk.weight) * float(chunk.rounding.sum()) * 1e-3
        if self.every is not None and chunk.complete and self.every.size * float(pool) ** min(size, 64) <= _EXACT_UP_TO:
            for column in chunk.sums.T:
                self.every = np.add.outer(self.every, chunk.weight * column.astype(np.float64)).reshape(-1)
        else:
            self.every = None
        if not self.drawn.size:
            self.drawn = np.zeros(self.draws)
        flat, place = chunk.sums.reshape(-1), np.arange(size)
        step = max(1, _CHUNK_VALUES // size)
        kind = np.float64 if chunk.sums.dtype.kind == "f" else np.int64
        for begin in range(0, self.draws, step):
            mine = self.drawn[begin : begin + step]
            members = rng.integers(0, pool, size=(mine.size, size), dtype=np.int32)
            mine += chunk.weight * flat[members * np.intp(size) + place].sum(axis=1, dtype=kind)

    def p(self) -> float:
        """The p value; 1 where nothing could differ."""
        limit = self.observed - self.rounding - 1e-12 * abs(self.observed)
        if self.every is not None:
            return float(np.mean(self.every >= limit))
        return float((1 + np.sum(self.drawn >= limit)) / (1 + self.draws))


def _shapes(by: Grouping) -> Iterator[_Shape]:
    """Yields the examples by their numbers of reruns; variants with equally many are alike, so that their order does not matter."""
    reruns = by.reruns[by.cell]
    order = np.arange(by.example.size)
    if by.reruns.min() != by.reruns.max():
        order = np.argsort(by.example * (int(by.reruns.max()) + 1) + reruns, kind="stable")
    cells = np.lexsort((by.reruns, by.owner))
    places, sizes = order if by.rows is None else by.rows[order], np.diff(by.starts)
    first_cell = np.cumsum(by.variants) - by.variants
    for count in np.unique(by.variants).tolist():
        mine = np.flatnonzero((by.variants == count) & (sizes <= MOST_RESPONSES))
        numbers = by.reruns[cells[first_cell[mine][:, None] + np.arange(count)]]
        shapes, of_shape = np.unique(numbers, axis=0, return_inverse=True)
        for place, shape in enumerate(shapes):
            if shape.max(initial=0) < 2:
                continue
            examples = mine[of_shape.reshape(-1) == place]
            rows = places[by.starts[:-1][examples][:, None] + np.arange(int(shape.sum()))]
            yield _Shape(tuple(shape.tolist()), examples, rows, *_pairs(tuple(shape.tolist())))


def _pairs(reruns: tuple[int, ...]) -> tuple[Integers, Integers, Floats | None, float]:
    """Returns which places the statistic needs, and with what weights.

    With equally many reruns everywhere the pairs inside variants are enough, for those across are the rest of a sum that no labelling
    changes.
    """
    label = np.repeat(np.arange(len(reruns)), reruns)
    first, second = np.triu_indices(label.size, 1)
    counts, variants = np.array(reruns), len(reruns)
    same = label[first] == label[second]
    one, two = counts[label[first]], counts[label[second]]
    across = 2.0 / (variants * (variants - 1) * one * two)
    repeated = int((counts >= 2).sum())
    within = np.divide(2.0, repeated * one * (one - 1.0), out=np.zeros(one.size), where=same & (one > 1))
    if counts.min() == counts.max():
        return first[same], second[same], None, -float(within[same][0] + across[0])
    return first, second, np.where(same, -within, across), 1.0


def _chunks(kind: Distance, values: Values, shape: _Shape, rng: np.random.Generator) -> Iterator[_Chunk]:
    size, width = sum(shape.reruns), values.shape[1] if values.ndim > 1 else 1
    counts = kind.name == "nominal" and shape.weights is None
    step = max(1, min(4096, _CHUNK_VALUES // (size if counts else size * (size - 1) // 2 * width)))
    complete = relabelings(shape.reruns) <= POOL
    for begin in range(0, shape.examples.size, step):
        rows, examples = shape.rows[begin : begin + step], shape.examples[begin : begin + step]
        if complete:
            pool, observed = _every(shape.reruns), np.zeros(examples.size, dtype=np.int64)
        else:
            pool, observed = rng.permuted(np.tile(np.arange(size), (POOL, 1)), axis=1), rng.integers(0, POOL, examples.size)
            rows = np.take_along_axis(rows, np.argsort(pool, axis=1)[observed], axis=1)
        found = _answers_inside(values, rows) if counts else _distances_inside(kind, values, rows)
        differ = np.flatnonzero(np.ptp(found, axis=0) > 0)
        if not differ.size:
            continue
        found = found[:, differ] if differ.size < examples.size else found
        rounding = np.zeros(differ.size) if counts else 1e-9 * np.abs(found).max(axis=0)
        sums = _changes_under(pool, found, shape.reruns) if counts else _sums_under(pool, found, shape)
        yield _Chunk(examples[differ], sums, observed[differ], shape.weight, rounding, complete)


def _distances_inside(kind: Distance, values: Values, rows: Integers) -> Floats:
    """Returns the distances of all pairs of responses (pairs, examples)."""
    first, second = np.triu_indices(rows.shape[1], 1)
    columns = rows.T
    return kind.between(values, columns[first].reshape(-1), columns[second].reshape(-1)).reshape(first.size, -1)


def _answers_inside(values: Values, rows: Integers) -> Values:
    """Returns the answers (responses, examples) as places among those of the example, so that they are small numbers; unknowns differ."""
    codes = values[rows]
    order = np.argsort(codes, axis=1, kind="stable")
    ordered = np.take_along_axis(codes, order, axis=1)
    is_new = np.zeros(codes.shape, dtype=np.bool_)
    is_new[:, 1:] = (ordered[:, 1:] != ordered[:, :-1]) | (ordered[:, 1:] < 0)
    kind = np.uint8 if codes.shape[1] <= 256 else np.uint16
    found = np.empty(codes.shape, dtype=kind)
    np.put_along_axis(found, order, np.cumsum(is_new, axis=1, dtype=kind), axis=1)
    return np.ascontiguousarray(found.T)


def _changes_under(pool: Integers, answers: Values, reruns: tuple[int, ...]) -> Values:
    """Returns the number of pairs inside variants with different answers, of each example (columns) under each relabelling (rows)."""
    variants, each, examples = len(reruns), reruns[0], answers.shape[1]
    few = variants * each * (each - 1) // 2 <= 255
    result = np.zeros((pool.shape[0], examples), dtype=np.uint8 if few else np.uint32)
    one_byte = np.uint8 if variants <= 255 else np.uint32
    step = max(1, _CHUNK_VALUES // (8 * variants * each * examples))
    for begin in range(0, pool.shape[0], step):
        dealt = answers[pool[begin : begin + step]].reshape(-1, variants, each, examples)
        for first, second in combinations(range(each), 2):
            apart = (dealt[:, :, first] != dealt[:, :, second]).view(np.uint8)
            result[begin : begin + step] += np.add.reduce(apart, axis=1, dtype=one_byte)
    return result


def _sums_under(pool: Integers, distances: Floats, shape: _Shape) -> Floats:
    """Returns the weighted sum of distances of each example (columns) under each relabelling (rows)."""
    size, examples = pool.shape[1], distances.shape[1]
    pair = np.zeros((size, size), dtype=np.int32)
    first, second = np.triu_indices(size, 1)
    pair[first, second] = pair[second, first] = np.arange(first.size)
    result = np.empty((pool.shape[0], examples))
    step = max(1, _CHUNK_VALUES // (8 * shape.first.size * examples))
    for begin in range(0, pool.shape[0], step):
        some = pool[begin : begin + step]
        taken = np.take(distances, pair[some[:, shape.first], some[:, shape.second]], axis=0)
        result[begin : begin + step] = taken.sum(axis=1) if shape.weights is None else np.matmul(shape.weights, taken)
    return result


@lru_cache(maxsize=32)
def _every(reruns: tuple[int, ...]) -> Integers:
    """Returns every way to deal the responses to the variants (ways, responses), the observed one first; see :func:`relabelings`."""

    def deal(left: tuple[int, ...], counts: tuple[int, ...], last: tuple[int, int]) -> Iterator[list[int]]:
        if not counts:
            yield []
            return
        for chosen in combinations(left, counts[0]):
            if last[0] == counts[0] and chosen[0] < last[1]:
                continue  # variants with equally many reruns are alike: only the one order of them that is sorted
            rest = tuple(item for item in left if item not in chosen)
            for more in deal(rest, counts[1:], (counts[0], chosen[0])):
                yield [*chosen, *more]

    return np.array(list(deal(tuple(range(sum(reruns))), reruns, (0, 0))), dtype=np.int64)
