"""Which examples and wordings stand crossed: every one of these examples has every one of these wordings (METRICS 9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from sago.arrays.grouping import Integers

SHARED_FROM = 0.5
"""A name that stands in at least this share of the examples is one that examples share: a template, not a wording of one example."""


class Crossing(NamedTuple):
    """Examples by wordings without a gap; both empty where there is none.

    Attributes:
        examples: Codes of the examples, ascending.
        names: Codes of the names, the most common first.
    """

    examples: Integers
    names: Integers


def with_codes(rows: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Returns rows with texts of these columns as codes: from 0, alphabetical, so that the order of rows says nothing; null stays null.

    Grouping by numbers takes a fraction of the time that grouping by texts takes.
    """
    known = {name: rows[name].drop_nulls().unique().sort() for name in columns}
    return rows.with_columns(pl.col(name).cast(pl.Enum(texts)).to_physical().cast(pl.Int64) for name, texts in known.items())


def shared_names(example: Integers, name: Integers) -> Integers:
    """Returns the codes of the names that at least half of the examples share (and two of them), the most common first, then by code.

    Args:
        example: Code of the example of each pair, from 0; every code occurs.
        name: Code of the name of each pair; a pair stands there once.
    """
    counts = np.bincount(name)
    least = max(2.0, SHARED_FROM * (int(example.max(initial=-1)) + 1))
    shared = np.flatnonzero(counts >= least)
    result: Integers = shared[np.argsort(-counts[shared], kind="stable")]
    return result


def largest_crossing(example: Integers, name: Integers) -> Crossing:
    """Returns the largest block of examples that have the same wordings: the k most common names with k x (examples that have all) largest.

    Names that less than half of the examples share take no part, so the work is linear in the pairs. A block has at least two names, and
    at least half of the examples (and two); otherwise there is none: the wordings are those of single examples, and nothing is crossed.

    Args:
        example: Code of the example of each pair, from 0; every code occurs.
        name: Code of the name of each pair; a pair stands there once.
    """
    none = Crossing(np.empty(0, np.int64), np.empty(0, np.int64))
    names = shared_names(example, name)
    if names.size < 2:
        return none
    place = np.full(int(name.max()) + 1, -1)
    place[names] = np.arange(names.size)
    there = np.zeros((int(example.max()) + 1, names.size), np.bool_)
    mine = place[name] >= 0
    there[example[mine], place[name[mine]]] = True
    complete = np.logical_and.accumulate(there, axis=1)
    sizes = np.arange(1, names.size + 1) * complete.sum(axis=0)
    sizes[0] = 0
    count = names.size - int(np.argmax(sizes[::-1]))  # of equal blocks the one with more wordings
    whole = np.flatnonzero(complete[:, count - 1])
    if whole.size < max(2.0, SHARED_FROM * there.shape[0]):
        return none
    return Crossing(whole, names[:count])
