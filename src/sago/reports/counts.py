"""What became of every call: statuses, and answers that could not be read."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from sago.reports.cells import DECODINGS
from sago.reports.words import STATUSES, in_order
from sago.schemas import Tables


@dataclass(frozen=True)
class StatusCount:
    """Calls of one model on one data set in one way of decoding.

    Attributes:
        model: Name of the model.
        dataset: Name of the data set.
        decoding: Way of decoding.
        observations: All calls.
        counts: Status -> calls; every status is there, 0 included.
        unparsed: Responses of status ok from which no answer could be read; null where answers were not read at all.
    """

    model: str
    dataset: str
    decoding: str
    observations: int
    counts: dict[str, int]
    unparsed: int | None


@dataclass(frozen=True)
class UnparsedShare:
    """Responses to one variant over all models, data sets and examples.

    Attributes:
        variant: Name of the variant.
        unparsed: Responses from which no answer could be read.
        read: Responses that were read; those with a recorded answer left out.
    """

    variant: str
    unparsed: int
    read: int


def unparsed_by_variant(features: pl.DataFrame) -> list[UnparsedShare]:
    """Returns how many responses to each variant could not be read, the largest share first; nothing where none had to be read."""
    rows = features.filter((pl.col("feature") == "answer") & (pl.col("reader") == "answer"))
    rows = rows.filter(pl.col("category").is_not_null() | pl.col("reason").is_in(["unparsed", "truncated"]))
    counts = rows.group_by("variant").agg(pl.col("category").is_null().sum().alias("unparsed"), pl.len().alias("read"))
    ordered = counts.sort(pl.col("unparsed") / pl.col("read"), "variant", descending=[True, False])
    return [UnparsedShare(*row) for row in ordered.iter_rows()]


def status_counts(tables: Tables) -> list[StatusCount]:
    """Returns the counts of every model, data set and decoding, in the order of the tables, greedy first."""
    cell = ["model", "dataset", "decoding"]
    read = {
        row[:3]: row[3]
        for row in tables.features.filter(pl.col("feature") == "answer")
        .group_by(cell)
        .agg((pl.col("reason") == "unparsed").fill_null(value=False).sum())
        .iter_rows()
    }
    found: dict[tuple[str, str, str], dict[str, int]] = {}
    for model, dataset, decoding, status, count in tables.observations.group_by(*cell, "status", maintain_order=True).len().iter_rows():
        found.setdefault((model, dataset, decoding), dict.fromkeys(STATUSES, 0))[status] = count
    models, datasets = (_places(tables.observations[column]) for column in ("model", "dataset"))
    order = sorted(found, key=lambda key: (datasets[key[1]], models[key[0]], in_order(key[2], DECODINGS)))
    return [StatusCount(*key, sum(found[key].values()), found[key], read.get(key)) for key in order]


def _places(names: pl.Series) -> dict[str, int]:
    return {name: place for place, name in enumerate(names.unique(maintain_order=True))}
