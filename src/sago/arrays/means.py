"""Mean distances of every example: across variants, between reruns, to other examples (METRICS 2.7), from sums over groups of rows.

A distance of the form ``a(x) + a(y) - f <x, y>`` (nominal answers as unit vectors, cosine, squared Euclid) needs only sums of vectors:
over the rows of a cell, of an example, of a variant name. So every mean costs one or two passes over the rows, whatever their number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Grouping, summed


class Means(NamedTuple):
    """Mean distances of each example; NaN where there is none.

    Attributes:
        across: B_i. rerun: W_i. unrelated: N_i. weight: sum of w w' behind N_i.
    """

    across: Floats
    rerun: Floats
    unrelated: Floats
    weight: Floats


class Products(NamedTuple):
    """Sums of inner products, from which the means of a distance ``a(x) + a(y) - f <x, y>`` follow; one entry an example, but for offset.

    Attributes:
        cells: Sum over its cells of the squared norm of the cell's mean vector.
        example: Squared norm of the sum of its cells' mean vectors.
        others: Sum over its rows of w <x, Q_v>, with Q_v = weighted sum of all rows under other variant names than v.
        rerun: W_i.
        offset: Mean of a(x) over the rows of each cell; null = 1/2 everywhere.
        factor: f.
    """

    cells: Floats
    example: Floats
    others: Floats
    rerun: Floats
    offset: Floats | None
    factor: float


def from_products(by: Grouping, found: Products) -> Means:
    """Returns the means of a distance from its sums of inner products."""
    variants = by.variants.astype(np.float64)
    weight = pair_weights(by)
    between = (found.example - found.cells) / np.maximum(variants * (variants - 1), 1.0)
    dots = found.others - (found.example - found.cells) / variants**2
    ours: Floats | float = 1.0
    offsets = weight
    if found.offset is not None:
        of_example = summed(by.owner, found.offset, by.names.size) / variants
        ours, offsets = 2 * of_example, _offset_sums(by, found.offset, of_example)
    across = np.where(by.variants > 1, ours - found.factor * between, np.nan)
    return Means(across, found.rerun, divided(offsets - found.factor * dots, weight), weight)


def _offset_sums(by: Grouping, offset: Floats, of_example: Floats) -> Floats:
    """Returns the sum of w w' (a(x) + a(y)) over the pairs of each example in N."""
    if by.crossed:  # every variant has every example, so that the sums over variants are the mean of all
        variants, other = by.variant_names.size, (by.names.size - 1) * (1 - 1 / by.variant_names.size)
        result: Floats = of_example * (other + 1 / variants - 1) + of_example.sum() * (1 - 1 / variants)
        return result
    share = 1.0 / by.variants[by.owner]
    of_name = summed(by.label, share * offset, by.variant_names.size)
    others = of_example.sum() - of_example[by.owner] - of_name[by.label] + share * offset
    return summed(by.owner, share * (offset * pairs_of_cells(by) + others), by.names.size)


def divided(total: Floats, weight: Floats) -> Floats:
    """Returns total / weight; NaN where the weight is 0."""
    result: Floats = np.divide(total, weight, out=np.full(weight.size, np.nan), where=weight > 0)
    return result


def pair_weights(by: Grouping) -> Floats:
    """Returns the sum of w w' over the pairs of each example in N."""
    count = by.names.size
    if by.crossed:
        return np.full(count, (count - 1) * (1 - 1 / max(by.variant_names.size, 1)))
    in_name = _weight_of_names(by)
    shared = summed(by.owner, in_name[by.label], count) / by.variants
    weight = count - 1 - shared + 1.0 / by.variants
    result: Floats = np.where(weight > 1e-12 * max(count, 1), weight, 0.0)
    return result


def pairs_of_cells(by: Grouping) -> Floats:
    """Returns for each cell the sum of w' over the rows that it is paired with in N."""
    if by.crossed:
        return np.full(by.owner.size, (by.names.size - 1) * (1 - 1 / max(by.variant_names.size, 1)))
    result: Floats = by.names.size - 1 - _weight_of_names(by)[by.label] + 1.0 / by.variants[by.owner]
    return result


def _weight_of_names(by: Grouping) -> Floats:
    """Returns the sum of w over the cells of each variant name."""
    if by.variants.size and by.variants.min() == by.variants.max():
        return summed(by.label, None, by.variant_names.size) / float(by.variants[0])
    return summed(by.label, (1.0 / by.variants)[by.owner], by.variant_names.size)


def mean_of_reruns(by: Grouping, cells: Floats) -> Floats:
    """Returns the mean over an example's cells that were asked at least twice; NaN for an example without one."""
    repeated = by.reruns >= 2
    measured = summed(by.owner[repeated], None, by.names.size)
    total = summed(by.owner[repeated], cells[repeated], by.names.size)
    return divided(total, measured)


def no_reruns(by: Grouping) -> Floats:
    """Returns W_i where nothing was asked twice: NaN."""
    return np.full(by.names.size, np.nan)


def repeated_products(by: Grouping, squares: Floats, own: Floats) -> Floats:
    """Returns the mean inner product of two reruns of each cell, from the squared norm of their sum and the sum of their own."""
    result: Floats = (squares - own) / np.maximum(by.reruns * (by.reruns - 1.0), 1.0)
    return result
