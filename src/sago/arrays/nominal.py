"""Means of the distance between answers: 0 if equal, 1 if not; all of them from counters (METRICS 2.4)."""

from __future__ import annotations

import numpy as np

from sago.arrays.grouping import Floats, Grouping, Integers, Values, summed
from sago.arrays.means import Means, Products, from_products, mean_of_reruns, no_reruns, repeated_products


def nominal_means(values: Integers, by: Grouping) -> Means:
    """Returns the means of the distance 0 if equal, 1 if not; codes below 0 are unknown, at distance 1 from everything."""
    answer = by.take(values)
    known = answer >= 0
    every = bool(known.all())
    count, kinds = by.names.size, int(answer.max(initial=0)) + 1
    example = _Counter(by.example, answer, kinds, None if every else known, None if by.asked_once else by.share, count)
    if by.asked_once:
        rerun = no_reruns(by)
        cells = by.variants.astype(np.float64) if every else summed(by.example, known, count)
    else:
        of_cell = _Counter(by.cell, answer, kinds, None if every else known, None, by.owner.size)
        own = summed(by.cell, known, by.owner.size)
        rerun = mean_of_reruns(by, 1 - repeated_products(by, of_cell.squares, own))
        cells = summed(by.owner, of_cell.squares / by.reruns**2, count)
    others = _toward_others(answer, kinds, None if every else known, by)
    return from_products(by, Products(cells, example.squares, others, rerun, None, 1.0))


def _toward_others(answer: Integers, kinds: int, known: Values | None, by: Grouping) -> Floats:
    """Returns, for each example, the weighted number of equal answers under other variant names, its own among them."""
    even = by.asked_once and by.variants.min() == by.variants.max()
    weight = None if even else by.weight
    name = _Counter(by.variant, answer, kinds, known, weight, by.variant_names.size)
    kind = name.kind_of_count
    toward = (summed(kind, name.counts, kinds)[kind] - name.counts)[name.key]
    if known is not None:
        toward = np.where(known, toward, 0.0)
    if weight is None:
        result: Floats = summed(by.example, toward, by.names.size) / float(by.variants[0]) ** 2
        return result
    return summed(by.example, weight * toward, by.names.size)


class _Counter:
    """Weighted counts of each answer within each group.

    Attributes:
        key: Count that each row belongs to. counts: The counts. squares: Sum of squared counts of each group.
    """

    def __init__(self, groups: Integers, answer: Integers, kinds: int, known: Values | None, weights: Floats | None, count: int) -> None:
        self._kinds, self._names = kinds, None
        self.key = groups * kinds + (answer if known is None else np.maximum(answer, 0))
        cells = count * kinds
        if cells > 8 * answer.size + 1024:
            self._names, key = np.unique(self.key, return_inverse=True)
            self.key, cells = key.reshape(-1), self._names.size
        if known is not None:
            weights = known.astype(np.float64) if weights is None else np.where(known, weights, 0.0)
        self.counts: Floats = summed(self.key, weights, cells)
        if self._names is None:
            table = self.counts.reshape(count, kinds)
            self.squares: Floats = np.einsum("ij,ij->i", table, table)
        else:
            self.squares = summed(self._names // kinds, self.counts**2, count)

    @property
    def kind_of_count(self) -> Integers:
        """The answer that each count is of."""
        names = np.arange(self.counts.size) if self._names is None else self._names
        return names % self._kinds
