"""Distances by name: how values are prepared, how far two rows are apart, and the means that the index needs.

    nominal            0 if equal, 1 if not                       counters, O(rows)
    absolute           |a - b| of scalars                         sorted sums, O(rows log rows)
    cosine             1 - cos of vectors                         sums of unit vectors, O(rows x dimensions)
    squared_euclidean  squared distance of vectors                sums of vectors, O(rows x dimensions)
    inner              1 + a + b - <x, y>, prepared by hand       as cosine; for replies without a vector (``beside_texts``)

    rouge_l, chrf      1 - overlap of texts                       sampled, see below

Any other distance is exact inside an example and sampled for unrelated questions: :func:`any_distance` makes one from a function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Grouping, Integers, Values
from sago.arrays.means import Means
from sago.arrays.nominal import nominal_means
from sago.arrays.overlap import chrf_distance, rouge_l_distance
from sago.arrays.sampling import Between, any_pairs, sampled_across, sampled_means
from sago.arrays.scalars import absolute_across, absolute_means
from sago.arrays.vectors import Rule, cosine, shifted, squared, unit_rows, vector_across, vector_means, vector_pairs, vector_without

UNKNOWN = -1
"""Nominal code of an answer that could not be read: at distance 1 from everything, another unknown included (METRICS 1)."""


class Distance(NamedTuple):
    """One distance.

    Attributes:
        name: Its name.
        scale: Its natural size for the rule on a degenerate null (METRICS 2.3); null = unbounded, the null itself is the scale.
        prepare: Turns what a user has into the array that the other functions need.
        between: (prepared values, left rows, right rows) -> distance of each pair.
        means: (prepared values, groups) -> B_i, W_i, N_i of each example.
        across: (prepared values, groups) -> B_i alone.
        without: (prepared values, groups) -> B and N without each variant name, where every example has every variant once; null = no
            closed form.
        pairs: (prepared values, groups) -> mean distance of every two cells of an example, and between the reruns of every cell; null =
            by ``between``.
    """

    name: str
    scale: float | None
    prepare: Callable[[Values], Values]
    between: Between
    means: Callable[[Values, Grouping], Means]
    across: Callable[[Values, Grouping], Floats]
    without: Callable[[Values, Grouping], tuple[Floats, Floats]] | None = None
    pairs: Callable[[Values, Grouping], tuple[Floats, Floats]] | None = None

    def of_cells(self, values: Values, by: Grouping) -> tuple[Floats, Floats]:
        """Returns what ``pairs`` says."""
        return any_pairs(values, by, self.between) if self.pairs is None else self.pairs(values, by)


def any_distance(name: str, between: Between, *, scale: float | None = 1.0, prepare: Callable[[Values], Values] = np.asarray) -> Distance:
    """Makes a distance without a closed form: B and W over all pairs of an example, N over 32 random partners a row.

    Args:
        name: Its name.
        between: (prepared values, left rows, right rows) -> distance of each pair; not below 0, and 0 for equal values.
        scale: Its largest value; null = unbounded.
        prepare: Called once on all values.
    """

    def means(values: Values, by: Grouping) -> Means:
        return sampled_means(values, by, between)

    def across(values: Values, by: Grouping) -> Floats:
        return sampled_across(values, by, between)

    return Distance(name, scale, prepare, between, means, across)


def nominal_codes(labels: Values) -> Integers:
    """Returns categories as codes from 0; null and negative integers become ``UNKNOWN``.

    >>> nominal_codes(np.array(["Venus", None, "Mars"], dtype=object)).tolist()
    [1, -1, 0]
    """
    given = np.asarray(labels)
    if given.dtype.kind in "iu":
        if given.size and given.max() <= 4 * given.size + 1024:
            return given.astype(np.int64, copy=False)  # codes already
        known = given >= 0
    elif given.dtype.kind == "f":
        known = ~np.isnan(given)
    elif given.dtype.kind == "O":
        known = np.array([label is not None and label == label for label in given], dtype=np.bool_)  # noqa: PLR0124
    else:
        known = np.ones(given.shape, dtype=np.bool_)
    result = np.full(given.shape[0], UNKNOWN, dtype=np.int64)
    chosen = given[known].astype(str) if given.dtype.kind == "O" else given[known]
    result[known] = np.unique(chosen, return_inverse=True)[1].reshape(-1)
    return result


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


def _nominal_between(values: Values, left: Integers, right: Integers) -> Floats:
    one = values[left]
    result: Floats = ((one != values[right]) | (one < 0)).astype(np.float64)
    return result


def _absolute_between(values: Values, left: Integers, right: Integers) -> Floats:
    result: Floats = np.abs(values[left] - values[right])
    return result


def _dots(one: Floats, two: Floats) -> Floats:
    result: Floats = np.einsum("ij,ij->i", one, two)
    return result


def _cosine_between(values: Values, left: Integers, right: Integers) -> Floats:
    return 1 - _dots(unit_rows(values[left]), unit_rows(values[right]))


def _squared_between(values: Values, left: Integers, right: Integers) -> Floats:
    apart = values[left] - values[right]
    return _dots(apart, apart)


def _inner_between(values: Values, left: Integers, right: Integers) -> Floats:
    one, two = values[left], values[right]
    result: Floats = 1 + one[:, -1] + two[:, -1] - _dots(one[:, :-1], two[:, :-1])
    return result


def _vectors(values: Values) -> Values:
    """Vectors stay in their own number type: every step turns only the rows that it holds into float64."""
    rows = np.array(values, ndmin=2, copy=None)
    return rows if rows.dtype.kind == "f" else rows.astype(np.float64)


def _centred(vectors: Values) -> Floats:
    rows = np.array(vectors, dtype=np.float64, ndmin=2)
    rows -= rows.mean(axis=0)  # distances stay the same, and large offsets cost no digits
    return rows


def _scalars(values: Values) -> Floats:
    return np.asarray(values, dtype=np.float64).reshape(-1)


def _of_vectors(
    name: str,
    scale: float | None,
    prepare: Callable[[Values], Values],
    between: Between,
    rule: Rule,
    factor: float,
) -> Distance:
    return Distance(
        name,
        scale,
        prepare,
        between,
        lambda values, by: vector_means(values, by, rule, factor),
        lambda values, by: vector_across(values, by, rule, factor),
        lambda values, by: vector_without(values, by, rule, factor),
        lambda values, by: vector_pairs(values, by, rule, factor),
    )


DISTANCES: dict[str, Distance] = {
    kind.name: kind
    for kind in (
        Distance("nominal", 1.0, nominal_codes, _nominal_between, nominal_means, lambda values, by: nominal_means(values, by).across),
        Distance("absolute", 1.0, _scalars, _absolute_between, absolute_means, absolute_across),
        _of_vectors("cosine", 1.0, _vectors, _cosine_between, cosine, 1.0),
        _of_vectors("squared_euclidean", None, _centred, _squared_between, squared, 2.0),
        _of_vectors("inner", 1.0, _vectors, _inner_between, shifted, 1.0),
        any_distance("rouge_l", rouge_l_distance.between, prepare=rouge_l_distance.prepare),
        any_distance("chrf", chrf_distance.between, prepare=chrf_distance.prepare),
    )
}
"""The distances by name."""
