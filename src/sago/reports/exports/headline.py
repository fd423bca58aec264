"""The numbers of a run that other programs have a place for: one value with its error, of one model on one data set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sago.schemas import Tables


class Headline(NamedTuple):
    """One number.

    Attributes:
        model: Name of the model.
        dataset: Name of the data set.
        metric: ``accuracy``, or ``instability_`` and the axis.
        measure: Measure of the axis; null for accuracy.
        decoding: Way of decoding.
        value: Accuracy from 0 to 1; instability, 0 = as asking the same words twice, 1 = as asking a different question.
        se: Its standard error; null where none is known.
        lower: Lower end of its 95 % interval; null as ``se``.
        upper: Upper end.
        n: Examples that took part.
    """

    model: str
    dataset: str
    metric: str
    measure: str | None
    decoding: str
    value: float
    se: float | None
    lower: float | None
    upper: float | None
    n: int


def headlines_of(tables: Tables) -> list[Headline]:
    """Returns accuracy (mean over wordings) and the instability of each axis by its default measure; what is null is left out."""
    return [*_accuracies(tables), *_instabilities(tables)]


def _accuracies(tables: Tables) -> Iterator[Headline]:
    for row in tables.accuracy.iter_rows(named=True):
        if row["mean"] is not None:
            yield Headline(
                *(row["model"], row["dataset"], "accuracy", None, row["decoding"]),
                *(row["mean"], None, row["mean_lower"], row["mean_upper"], row["n"]),
            )


def _instabilities(tables: Tables) -> Iterator[Headline]:
    for row in tables.profiles.filter("default").iter_rows(named=True):
        if row["instability"] is not None:
            yield Headline(
                *(row["model"], row["dataset"], f"instability_{row['axis']}", row["measure"], row["decoding"]),
                *(row["instability"], row["se"], row["lower"], row["upper"], row["n"]),
            )
