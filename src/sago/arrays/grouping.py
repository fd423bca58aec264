"""Rows in order: which example, variant and cell (example x variant) each belongs to, without sorting what is sorted already."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Values = NDArray[Any]


@dataclass(frozen=True)
class Grouping:
    """Rows sorted by example, then variant; of examples with enough variants alone.

    Attributes:
        names: Labels of the examples, sorted. variant_names: Labels of the variants, sorted.
        rows: Place of each sorted row among the rows that were given; null = all of them, as given.
        example: Example of each row, from 0. variant: Variant code of each row. cell: Cell of each row, from 0.
        owner: Example of each cell. label: Variant code of each cell. reruns: Rows of each cell.
        variants: Cells of each example.
    """

    names: Values
    variant_names: Values
    rows: Integers | None
    example: Integers
    variant: Integers
    cell: Integers
    owner: Integers
    label: Integers
    reruns: Integers
    variants: Integers

    @property
    def asked_once(self) -> bool:
        """Whether every cell is a single row."""
        return self.owner.size == self.example.size

    @property
    def crossed(self) -> bool:
        """Whether every example has every variant."""
        return self.owner.size == self.names.size * self.variant_names.size

    @cached_property
    def starts(self) -> Integers:
        """First row of each example, and the number of rows behind the last."""
        sizes = self.variants if self.asked_once else np.bincount(self.example, minlength=self.names.size)
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])

    @property
    def share(self) -> Floats:
        """Part of its variant that each row is: 1 / number of reruns."""
        result: Floats = np.ones(self.example.size) if self.asked_once else 1.0 / self.reruns[self.cell]
        return result

    @property
    def weight(self) -> Floats:
        """Weight of each row in N: 1 / (variants of its example x reruns of its cell)."""
        of_example = (1.0 / self.variants)[self.example]
        result: Floats = of_example if self.asked_once else of_example / self.reruns[self.cell]
        return result

    def take(self, values: Values) -> Values:
        """Returns the values of the rows, sorted as they are."""
        return values if self.rows is None else values[self.rows]


def coded(labels: Values) -> tuple[Values, Integers]:
    """Returns the distinct labels in sorted order, and each label as its place among them."""
    given = np.asarray(labels)
    if given.dtype.kind in "iu" and given.size:
        low, high = int(given.min()), int(given.max())
        if high - low <= 4 * given.size + 1024:
            shifted = given.astype(np.int64, copy=False) - low if low else given.astype(np.int64, copy=False)
            there = np.bincount(shifted, minlength=high - low + 1) > 0
            if there.all():
                return np.arange(low, high + 1), shifted
            return np.flatnonzero(there) + low, (np.cumsum(there) - 1)[shifted]
    names, codes = np.unique(given, return_inverse=True)
    return names, codes.reshape(-1).astype(np.int64)


def summed(groups: Integers, weights: Values | None, count: int) -> Floats:
    """Returns the sum of the weights of each group, or its number of rows where there are no weights; 0 for a group without rows."""
    return np.bincount(groups, weights, minlength=count).astype(np.float64, copy=False)


def grouped(example_labels: Values, variant_labels: Values, *, fewest: int = 2) -> Grouping:
    """Returns rows by example and variant.

    Args:
        example_labels: Example of each row, any labels.
        variant_labels: Variant name of each row; equal names in one example are reruns.
        fewest: Fewest variants that an example needs; the rows of others are left out.
    """
    names, example = coded(example_labels)
    variant_names, variant = coded(variant_labels)
    width = max(variant_names.size, 1)
    key = example * width + variant
    rows = None
    if key.size and not np.all(key[1:] >= key[:-1]):
        rows = np.argsort(key, kind="stable")
        key, example, variant = key[rows], example[rows], variant[rows]
    is_first = np.ones(key.size, dtype=np.bool_)
    np.not_equal(key[1:], key[:-1], out=is_first[1:])
    once = bool(is_first.all())
    variants = np.bincount(example if once else example[is_first], minlength=names.size)
    if variants.size and variants.min() < fewest:
        enough = variants >= fewest
        chosen = enough[example]
        rows = np.flatnonzero(chosen) if rows is None else rows[chosen]
        example, variant, is_first = (np.cumsum(enough) - 1)[example[chosen]], variant[chosen], is_first[chosen]
        names, variants, once = names[enough], variants[enough], bool(is_first.all())
    if once:
        ones = np.broadcast_to(np.int64(1), example.shape)
        return Grouping(names, variant_names, rows, example, variant, np.arange(example.size), example, variant, ones, variants)
    first = np.flatnonzero(is_first)
    reruns = np.diff(np.r_[first, example.size])
    return Grouping(names, variant_names, rows, example, variant, np.cumsum(is_first) - 1, example[first], variant[first], reruns, variants)
