"""Distances with a closed form: for each row, the weighted sum of its distances to a whole group, never pair by pair.

Every mean of pairwise distances in METRICS 2 is a sum of such group sums, so one function a distance is all that the index needs:

    nominal            0 if equal, 1 if not                       bincount, O(rows)
    absolute           |a - b| of scalars                         sorted prefix sums, O(rows log rows)
    cosine             1 - cos of vectors                         segment sums of unit vectors, O(rows x dimensions)
    squared_euclidean  squared distance of vectors                segment sums, O(rows x dimensions)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
DistanceName = Literal["nominal", "absolute", "cosine", "squared_euclidean"]


class Distance(NamedTuple):
    """One distance.

    Attributes:
        name: Its name.
        scale: Its natural upper end, for the rule on a degenerate null (METRICS 2.3).
        prepare: Turns what a user has into the array that the sums need.
        sum_to_group: (values, weights, groups) -> for each row, the weighted sum of its distances to all rows of its own group.
        pairs: (values a, values b) -> distance of each pair, for permutation tests and as the plain definition.
    """

    name: DistanceName
    scale: float
    prepare: Callable[[NDArray[np.generic]], NDArray[np.generic]]
    sum_to_group: Callable[[NDArray[np.generic], Floats, Integers], Floats]
    pairs: Callable[[NDArray[np.generic], NDArray[np.generic]], Floats]


def codes(labels: NDArray[np.generic]) -> Integers:
    """Returns labels as integers 0..k-1, equal labels equal."""
    result: Integers = np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return result


def unit_rows(vectors: NDArray[np.generic]) -> Floats:
    """Returns rows of length 1; a row of zeros stays zero, at distance 1 from everything."""
    rows = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    result: Floats = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return result


def _segment_sums(rows: Floats, groups: Integers) -> Floats:
    """Sums rows by group without a Python loop: sort once, then reduceat."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sums = np.zeros((int(groups.max()) + 1, rows.shape[1]))
    sums[ordered[starts]] = np.add.reduceat(rows[order], starts, axis=0)
    return sums


def _nominal_sum(values: NDArray[np.generic], weights: Floats, groups: Integers) -> Floats:
    answers = np.asarray(values, dtype=np.int64)
    cell = codes(groups * (int(answers.max()) + 1) + answers)
    result: Floats = np.bincount(groups, weights).astype(np.float64)[groups] - np.bincount(cell, weights)[cell]
    return result


def _cosine_sum(values: NDArray[np.generic], weights: Floats, groups: Integers) -> Floats:
    rows = np.asarray(values, dtype=np.float64)
    sums = _segment_sums(rows * weights[:, None], groups)
    # A row of zeros has cosine 0 even with itself; its distance to itself is 0 all the same.
    own = weights * (1 - np.einsum("ij,ij->i", rows, rows))
    result: Floats = np.bincount(groups, weights)[groups] - np.einsum("ij,ij->i", rows, sums[groups]) - own
    return result


def _squared_sum(values: NDArray[np.generic], weights: Floats, groups: Integers) -> Floats:
    rows = np.asarray(values, dtype=np.float64)
    squares = np.einsum("ij,ij->i", rows, rows)
    sums = _segment_sums(rows * weights[:, None], groups)
    totals = np.bincount(groups, weights)[groups]
    result: Floats = squares * totals + np.bincount(groups, weights * squares)[groups] - 2 * np.einsum("ij,ij->i", rows, sums[groups])
    return result


def _absolute_sum(values: NDArray[np.generic], weights: Floats, groups: Integers) -> Floats:
    scalars = np.asarray(values, dtype=np.float64)
    order = np.lexsort((scalars, groups))
    sorted_values, sorted_weights, sorted_groups = scalars[order], weights[order], groups[order]
    first = np.flatnonzero(np.r_[True, sorted_groups[1:] != sorted_groups[:-1]])
    segment = np.cumsum(np.r_[True, sorted_groups[1:] != sorted_groups[:-1]]) - 1
    weight_before = _prefix(sorted_weights, first, segment)
    moment_before = _prefix(sorted_weights * sorted_values, first, segment)
    weight_all = np.add.reduceat(sorted_weights, first)[segment]
    moment_all = np.add.reduceat(sorted_weights * sorted_values, first)[segment]
    sums = sorted_values * (2 * weight_before - weight_all) + moment_all - 2 * moment_before
    result: Floats = np.empty(sums.size)
    result[order] = sums
    return result


def _prefix(values: Floats, first: Integers, segment: Integers) -> Floats:
    """Inclusive running sum within each segment."""
    running = np.cumsum(values)
    return running - (running[first] - values[first])[segment]


def _scalars(values: NDArray[np.generic]) -> Floats:
    return np.asarray(values, dtype=np.float64)


DISTANCES: dict[str, Distance] = {
    "nominal": Distance("nominal", 1.0, codes, _nominal_sum, lambda a, b: (a != b).astype(np.float64)),
    "absolute": Distance("absolute", 1.0, _scalars, _absolute_sum, lambda a, b: np.abs(_scalars(a) - _scalars(b))),
    "cosine": Distance("cosine", 1.0, unit_rows, _cosine_sum, lambda a, b: 1 - np.einsum("...j,...j->...", _scalars(a), _scalars(b))),
    "squared_euclidean": Distance(
        "squared_euclidean", 1.0, _scalars, _squared_sum, lambda a, b: np.square(_scalars(a) - _scalars(b)).sum(axis=-1)
    ),
}
"""The distances by name."""
