"""Rows of table ``halves``: scores of each example over halves of its wordings, the same halves for every axis and model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats
from sago.arrays.halving import Halved, Splits, means_over, ways_to_halve
from sago.seeds import generator


def splits_of(seed: int, dataset: str) -> Splits:
    """Returns the ways to halve any number of wordings of a data set: they depend on seed, data set and number alone."""
    return cache(lambda wordings: ways_to_halve(wordings, generator(seed, "halves", dataset, wordings)))


def halves_table(head: Mapping[str, str], examples: tuple[str, ...], halved: Iterable[Halved]) -> pl.DataFrame:
    """Returns the rows of a cell; an example without a single split that has both halves has none.

    Args:
        head: The columns that name the cell.
        examples: Examples of the cell.
        halved: Half-scores by places of examples.
    """
    names = pl.Series(examples, dtype=pl.String)
    tables = [schemas.empty("halves")]
    for block in halved:
        there = ~(np.isnan(block.first) | np.isnan(block.second))
        kept = np.flatnonzero(there.any(axis=1))
        if not kept.size:
            continue
        whole = bool(there[kept].all())
        columns = {"example": names.gather(block.examples[kept]), "first": _lists(block.first[kept]), "second": _lists(block.second[kept])}
        table = pl.DataFrame(columns).with_columns(**{name: pl.lit(value) for name, value in head.items()})
        if not whole:
            table = table.with_columns(pl.col("first", "second").list.eval(pl.element().fill_nan(None)))
        tables.append(table.select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("halves").items()))
    return pl.concat(tables)


def gains_over_halves(examples: Iterable[tuple[int, int, tuple[int, ...], Floats, Floats]], splits: Splits) -> list[Halved]:
    """Returns half-scores of what is a ratio over wordings: the sum of their gains over the sum of their weights.

    Args:
        examples: Place of the example, number of its wordings, places of those with data, and gain and weight of each of these.
        splits: The ways to halve them.
    """
    by_number: dict[int, list[tuple[int, tuple[int, ...], Floats, Floats]]] = {}
    for example, wordings, places, gain, weight in examples:
        by_number.setdefault(wordings, []).append((example, places, gain, weight))
    found = []
    for wordings in sorted(by_number):
        part = by_number[wordings]
        values, weights = np.full((len(part), wordings), np.nan), np.zeros((len(part), wordings))
        for row, (_, places, gain, weight) in enumerate(part):
            values[row, places], weights[row, places] = gain, weight
        ways = splits(wordings)
        both = (means_over(values, half, weights) for half in (ways, ~ways))
        found.append(Halved(np.array([example for example, *_ in part]), *both))
    return found


def _lists(values: Floats) -> pl.Series:
    return pl.Series(values.astype(np.float32)).cast(pl.List(pl.Float32))
