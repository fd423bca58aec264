"""From tables to arrays: one cell is one model, data set, way of decoding and measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sago.arrays import Rows
from sago.records import CANONICAL
from sago.schemas import KEYS

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Labels:
    """What each row of a cell is; all arrays have one entry a row."""

    example: NDArray[np.generic]
    variant: NDArray[np.generic]
    family: NDArray[np.generic]
    control: Mask
    audit: Mask

    @property
    def main(self) -> Mask:
        """Rows that count as wordings: no control, no audit."""
        result: Mask = ~self.control & ~self.audit
        return result

    @property
    def repeated(self) -> Mask:
        """Rows of the batch audit: its reruns and the greedy response that they repeat."""
        result: Mask = self.audit | ((self.variant == CANONICAL) & ~self.control)
        return result

    def of_family(self, family: str) -> Mask:
        """Rows of one family and of the canonical wording (METRICS 2.5)."""
        result: Mask = ((self.family == family) | (self.family == CANONICAL)) & ~self.audit
        return result


@dataclass(frozen=True)
class Layer:
    """Values of a cell at one layer; measures without layers have one, with number null."""

    number: int | None
    values: NDArray[np.generic]

    def rows(self, labels: Labels, chosen: Mask) -> Rows:
        """Returns the chosen rows as the index wants them."""
        return Rows(self.values[chosen], labels.example[chosen], labels.variant[chosen])


@dataclass(frozen=True)
class Cell:
    """One model, data set, way of decoding and measure, as arrays.

    Attributes:
        layers: The values; every layer has the same rows.
        asked: Number of examples of the data set that the model was asked.
        reason: Why there are no values at all; null where there are.
        flags: Remarks that the measure itself makes.
    """

    model: str
    dataset: str
    decoding: str
    axis: str
    measure: str
    distance: str
    default: bool
    labels: Labels
    layers: tuple[Layer, ...]
    asked: int
    reason: str | None = None
    flags: tuple[str, ...] = ()


def labels_of(rows: pl.DataFrame) -> Labels:
    """Returns the labels of rows that carry example, variant, family, control and decoding."""
    return Labels(
        example=rows["example"].to_numpy(),
        variant=rows["variant"].to_numpy(),
        family=rows["family"].to_numpy(),
        control=rows["control"].to_numpy().astype(np.bool_),
        audit=(rows["decoding"] == "audit").to_numpy().astype(np.bool_),
    )


def with_families(rows: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Adds family and control of each row's variant; rows are put into one order, so that no number depends on theirs."""
    known = variants.select("dataset", "example", "variant", "family", "control")
    return rows.join(known, on=["dataset", "example", "variant"], how="inner").sort(*(key for key in KEYS if key in rows.columns))


def by_cell(rows: pl.DataFrame, decodings: tuple[str, ...]) -> Iterator[tuple[str, str, str, pl.DataFrame]]:
    """Yields (model, dataset, decoding, rows) for each way of decoding that is there; greedy cells bring their audit rows along."""
    for (model, dataset), group in rows.group_by("model", "dataset", maintain_order=True):
        for decoding in decodings:
            wanted = [decoding, "audit"] if decoding == "greedy" else [decoding]
            mine = group.filter(pl.col("decoding").is_in(wanted))
            if not mine.filter(pl.col("decoding") == decoding).is_empty():
                yield str(model), str(dataset), decoding, mine


def asked_examples(observations: pl.DataFrame) -> dict[tuple[str, str], int]:
    """Returns how many examples each model was asked of each data set."""
    counts = observations.group_by("model", "dataset").agg(pl.col("example").n_unique())
    return {(model, dataset): count for model, dataset, count in counts.iter_rows()}


def dominant_reason(reasons: pl.Series) -> str:
    """Returns the most frequent reason; ties by name, so that row order does not matter."""
    counts = reasons.drop_nulls().value_counts().sort(["count", reasons.name], descending=[True, False])
    return str(counts[reasons.name][0]) if counts.height else "not_observable"
