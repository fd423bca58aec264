"""Distances with a closed form: for each row, the weighted sum of its distances to a whole group, never pair by pair.

Every mean of pairwise distances in METRICS 2 is a sum of such group sums, so one function a distance is all that the index needs:

    nominal            0 if equal, 1 if not                       bincount, O(rows)
    absolute           |a - b| of scalars                         sorted prefix sums, O(rows log rows)
    cosine             1 - cos of vectors                         group sums of unit vectors, O(rows x dimensions)
    squared_euclidean  squared distance of vectors                group sums, O(rows x dimensions)
    inner              1 + a + b - <x, y>, prepared by hand       as cosine; for replies without a vector (``beside_texts``)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Values = NDArray[Any]
DistanceName = Literal["nominal", "absolute", "cosine", "squared_euclidean", "inner"]

UNKNOWN = -1
"""Nominal code of an answer that could not be read: at distance 1 from everything, another unknown included (METRICS 1)."""

_CHUNK_VALUES = 4_000_000
"""Numbers that a step over vectors holds at a time, so that memory stays near that of the vectors themselves."""


class Distance(NamedTuple):
    """One distance.

    Attributes:
        name: Its name.
        scale: Its natural size for the rule on a degenerate null (METRICS 2.3); null = unbounded, the null itself is the scale.
        prepare: Turns what a user has into the array that the sums need.
        sum_to_group: (prepared values, weights, groups) -> for each row, the weighted sum of its distances to the other rows of its
            group. Groups are integers from 0.
        within: (prepared values, row numbers (blocks, size)) -> distances inside each block (blocks, size, size); diagonals hold no
            meaning.
    """

    name: DistanceName
    scale: float | None
    prepare: Callable[[Values], Values]
    sum_to_group: Callable[[Values, Floats, Integers], Floats]
    within: Callable[[Values, Integers], Floats]


def codes(labels: Values) -> Integers:
    """Returns labels as integers 0..k-1, equal labels equal, in sorted order."""
    result: Integers = np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return result


def nominal_codes(labels: Values) -> Integers:
    """Returns categories as codes from 0; null and negative integers become ``UNKNOWN``.

    >>> nominal_codes(np.array(["Venus", None, "Mars"], dtype=object)).tolist()
    [1, -1, 0]
    """
    given = np.asarray(labels)
    if given.dtype.kind in "iu":
        known = given >= 0
    elif given.dtype.kind == "f":
        known = ~np.isnan(given)
    elif given.dtype.kind == "O":
        known = np.array([label is not None and label == label for label in given], dtype=np.bool_)  # noqa: PLR0124
    else:
        known = np.ones(given.shape, dtype=np.bool_)
    result = np.full(given.shape[0], UNKNOWN, dtype=np.int64)
    result[known] = codes(given[known].astype(str) if given.dtype.kind == "O" else given[known])
    return result


def unit_rows(vectors: Values) -> Floats:
    """Returns rows of length 1; a row of zeros has no direction and stays zero, at distance 1 from everything."""
    rows = np.array(vectors, dtype=np.float64, ndmin=2)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    np.divide(rows, norms, out=rows, where=norms > 0)
    return rows


def beside_texts(vectors: Values, kinds: Integers, far: float) -> Floats:
    """Prepares vectors for ``inner`` where some replies have none (METRICS 2.3, empty replies).

    Args:
        vectors: One row each; rows of replies without a vector are ignored.
        kinds: Null kind of each row: -1 = has a vector, -2 = could not be read, 0, 1, ... = a kind such as empty or refused.
        far: Distance of a reply without a vector from everything else, at least 1.

    Returns:
        Rows for ``inner``: two of a kind at distance 0, everything else that involves a reply without a vector at ``far``.
    """
    count = int(max(kinds.max(initial=-1) + 1, 0))
    silent = kinds != -1
    rows = np.zeros((kinds.size, vectors.shape[1] + count + 2))
    rows[~silent, : vectors.shape[1]] = unit_rows(vectors[~silent])
    # 1 + 2 (far - 1) - <x, y> has to be far across kinds and 0 within one.
    rows[silent, -2] = np.sqrt(far - 1)
    rows[silent, -1] = far - 1
    of_kind = np.flatnonzero(kinds >= 0)
    rows[of_kind, vectors.shape[1] + kinds[of_kind]] = np.sqrt(far)
    return rows


def _chunks(rows: Values) -> Iterator[slice]:
    step = max(1, _CHUNK_VALUES // max(rows.shape[1], 1))
    for begin in range(0, rows.shape[0], step):
        yield slice(begin, begin + step)


def _group_sums(rows: Values, weights: Floats, groups: Integers, count: int) -> Floats:
    """Sums weighted rows by group: a sparse matrix (groups x rows) times the rows, in one pass and without a copy of them."""
    if count == 1:
        return np.asarray(weights @ rows, dtype=np.float64)[None, :]
    member = sparse.csr_array((weights, (groups, np.arange(groups.size))), shape=(count, groups.size))
    return np.asarray(member @ rows, dtype=np.float64)


def _dots_to_group(rows: Values, weights: Floats, groups: Integers) -> tuple[Floats, Floats]:
    """Returns <row, weighted sum of its group without itself>, and the squared norm of each row."""
    sums = _group_sums(rows, weights, groups, int(groups.max(initial=0)) + 1)
    dots, squares = np.empty(rows.shape[0]), np.empty(rows.shape[0])
    for part in _chunks(rows):
        mine = rows[part].astype(np.float64, copy=False)
        dots[part] = mine @ sums[0] if sums.shape[0] == 1 else np.einsum("ij,ij->i", mine, sums[groups[part]])
        squares[part] = np.einsum("ij,ij->i", mine, mine)
    return dots - weights * squares, squares


def _others(weights: Floats, groups: Integers) -> Floats:
    result: Floats = np.bincount(groups, weights)[groups] - weights
    return result


def _alone(groups: Integers) -> bool:
    """Whether every row is a group of its own, so that every sum is 0: asking once is common, and vectors are dear."""
    return bool(np.bincount(groups).max(initial=0) <= 1)


def _nominal_sum(values: Values, weights: Floats, groups: Integers) -> Floats:
    known = values >= 0
    width = int(values.max(initial=0)) + 1
    cell = groups * width + values
    cells = (int(groups.max(initial=0)) + 1) * width
    if cells > 4 * values.size + 1024:
        cell = codes(np.where(known, cell, -1))
        cells = int(cell.max(initial=0)) + 1
    same = np.zeros(values.size)
    same[known] = np.bincount(cell[known], weights[known], minlength=cells)[cell[known]] - weights[known]
    result: Floats = _others(weights, groups) - same
    return result


def _nominal_within(values: Values, blocks: Integers) -> Floats:
    mine = values[blocks]
    same = (mine[:, :, None] == mine[:, None, :]) & (mine[:, :, None] >= 0)
    result: Floats = (~same).astype(np.float64)
    return result


def _cosine_sum(values: Values, weights: Floats, groups: Integers) -> Floats:
    if _alone(groups):
        return np.zeros(values.shape[0])
    return _others(weights, groups) - _dots_to_group(values, weights, groups)[0]


def _cosine_within(values: Values, blocks: Integers) -> Floats:
    mine = values[blocks]
    result: Floats = 1 - mine @ mine.transpose(0, 2, 1)
    return result


def _inner_sum(values: Values, weights: Floats, groups: Integers) -> Floats:
    if _alone(groups):
        return np.zeros(values.shape[0])
    offset = values[:, -1]
    dots, _ = _dots_to_group(values[:, :-1], weights, groups)
    result: Floats = (1 + offset) * _others(weights, groups) + _others(weights * offset, groups) - dots
    return result


def _inner_within(values: Values, blocks: Integers) -> Floats:
    offset: Floats = values[:, -1][blocks]
    result: Floats = _cosine_within(values[:, :-1], blocks) + offset[:, :, None] + offset[:, None, :]
    return result


def _centred(vectors: Values) -> Floats:
    rows = np.array(vectors, dtype=np.float64, ndmin=2)
    rows -= rows.mean(axis=0)  # distances stay the same, and large offsets cost no digits
    return rows


def _squared_sum(values: Values, weights: Floats, groups: Integers) -> Floats:
    if _alone(groups):
        return np.zeros(values.shape[0])
    dots, squares = _dots_to_group(values, weights, groups)
    result: Floats = squares * _others(weights, groups) + _others(weights * squares, groups) - 2 * dots
    return result


def _squared_within(values: Values, blocks: Integers) -> Floats:
    mine = values[blocks]
    squares = np.einsum("ijk,ijk->ij", mine, mine)
    result: Floats = squares[:, :, None] + squares[:, None, :] - 2 * (mine @ mine.transpose(0, 2, 1))
    return result


def _absolute_sum(values: Values, weights: Floats, groups: Integers) -> Floats:
    order = np.lexsort((values, groups))
    sorted_values, sorted_weights, sorted_groups = values[order], weights[order], groups[order]
    is_first = np.r_[True, sorted_groups[1:] != sorted_groups[:-1]]
    first, segment = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    sorted_values = sorted_values - sorted_values[first][segment]  # distances stay the same, and equal values are exactly 0 apart
    moments = sorted_weights * sorted_values
    weight_up_to, moment_up_to = _running(sorted_weights, first, segment), _running(moments, first, segment)
    weight_all, moment_all = np.add.reduceat(sorted_weights, first)[segment], np.add.reduceat(moments, first)[segment]
    sums: Floats = np.empty(values.size)
    sums[order] = sorted_values * (2 * weight_up_to - weight_all) + moment_all - 2 * moment_up_to
    return sums


def _running(values: Floats, first: Integers, segment: Integers) -> Floats:
    """Inclusive running sum within each segment."""
    running = np.cumsum(values)
    result: Floats = running - (running[first] - values[first])[segment]
    return result


def _absolute_within(values: Values, blocks: Integers) -> Floats:
    mine = values[blocks]
    result: Floats = np.abs(mine[:, :, None] - mine[:, None, :])
    return result


def _scalars(values: Values) -> Floats:
    return np.asarray(values, dtype=np.float64).reshape(-1)


def _as_given(values: Values) -> Values:
    return np.asarray(values, dtype=np.float64)


DISTANCES: dict[str, Distance] = {
    "nominal": Distance("nominal", 1.0, nominal_codes, _nominal_sum, _nominal_within),
    "absolute": Distance("absolute", 1.0, _scalars, _absolute_sum, _absolute_within),
    "cosine": Distance("cosine", 1.0, unit_rows, _cosine_sum, _cosine_within),
    "squared_euclidean": Distance("squared_euclidean", None, _centred, _squared_sum, _squared_within),
    "inner": Distance("inner", 1.0, _as_given, _inner_sum, _inner_within),
}
"""The distances by name."""
