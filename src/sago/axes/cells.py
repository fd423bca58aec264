"""From tables to arrays: one cell is one model, data set, way of decoding and measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sago.arrays.grouping import Integers, Values
from sago.axes.protocol import AxisInput
from sago.records import CANONICAL, MISSING_STATUSES
from sago.schemas import KEYS
from sago.wordings import with_wordings

Mask = NDArray[np.bool_]

DECODINGS = ("greedy", "sampled", "recorded")
"""Ways of decoding that are cells; ``audit`` rows are the noise floor of the greedy cell (METRICS 2.3)."""

_VARIANT = ["dataset", "example", "variant"]


@dataclass(frozen=True)
class Labels:
    """What each row of a cell is; all arrays have one entry a row.

    Attributes:
        example: Place in ``Cell.examples``.
        variant: Code of the variant's name; variants of one example with the same prompt share one, so they count as reruns (METRICS 1).
        family: Place in ``families``.
        families: Names of the families.
        control: Rows of controls.
        audit: Rows of the batch audit.
        rerun: Number of the rerun.
        place: Place of the wording among all wordings that its example has, by name; -1 for a control. Empty = not known.
        wordings: Number of these wordings, whether this model answered them or not.
    """

    example: Integers
    variant: Integers
    family: Integers
    families: tuple[str, ...]
    control: Mask
    audit: Mask
    rerun: Integers
    place: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    wordings: Integers = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def main(self) -> Mask:
        """Rows that count as wordings: no control, no audit."""
        result: Mask = ~self.control & ~self.audit
        return result

    def of_family(self, family: str) -> Mask:
        """Rows of one family and of the canonical wording (METRICS 2.5), audit rows left out."""
        wanted = [place for place, name in enumerate(self.families) if name in (family, CANONICAL)]
        result: Mask = np.isin(self.family, wanted) & ~self.audit
        return result


@dataclass(frozen=True)
class Layer:
    """Values of a cell at one layer; measures without layers have one, with number null.

    Attributes:
        number: Number of the layer.
        load: Returns the values, one a row of the cell. A function, so that one layer at a time is in memory.
    """

    number: int | None
    load: Callable[[], Values]


@dataclass(frozen=True)
class Cell:
    """One model, data set, way of decoding and measure, as arrays.

    Attributes:
        examples: Examples that the model was asked, sorted.
        labels: Labels of the rows that have a value.
        layers: The values; every layer has the same rows.
        absent: Why an example has no value at all.
        reason: Why no example has one; null where some have.
        has_twins: Whether the data give meaning-changed twins.
        flags: Remarks that the measure itself makes.
    """

    model: str
    dataset: str
    decoding: str
    axis: str
    measure: str
    distance: str
    default: bool
    examples: tuple[str, ...]
    labels: Labels
    layers: tuple[Layer, ...]
    absent: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    has_twins: bool = False
    flags: tuple[str, ...] = ()

    @property
    def head(self) -> dict[str, str]:
        """The columns that name the cell."""
        return {name: getattr(self, name) for name in ("model", "dataset", "axis", "measure", "decoding")}


@dataclass(frozen=True)
class Asked:
    """What a model was asked on a data set in one way of decoding, with whatever was read of it.

    Attributes:
        examples: Examples that the model was asked, sorted.
        rows: Readings with family, control, wording (variant, those with the same prompt under one name), its place among the wordings of
            the example and their number, and status, sorted by key.
            A greedy cell brings its audit rows along. Missing data (``error``, ``too_long``) is left out.
        lost: Status of examples of which all observations are missing data.
        has_twins: Whether the data give meaning-changed twins.
    """

    model: str
    dataset: str
    decoding: str
    examples: tuple[str, ...]
    rows: pl.DataFrame
    lost: Mapping[str, str]
    has_twins: bool

    def cell(
        self,
        axis: str,
        measure: str,
        distance: str,
        *,
        default: bool,
        known: pl.DataFrame,
        layers: tuple[Layer, ...],
        flags: Iterable[str] = (),
    ) -> Cell:
        """Returns the cell of those of its rows that have a value.

        Args:
            axis: Name of the axis.
            measure: Name of the measure.
            distance: Name of the distance in ``sago.arrays.DISTANCES``.
            default: Whether the measure is the cell's default.
            known: Rows that have a value, in the order of ``rows``.
            layers: The values of these rows.
            flags: Remarks.
        """
        absent = self._absent(known)
        return Cell(
            model=self.model,
            dataset=self.dataset,
            decoding=self.decoding,
            axis=axis,
            measure=measure,
            distance=distance,
            default=default,
            examples=self.examples,
            labels=labels_of(known, self.examples),
            layers=() if known.is_empty() else layers,
            absent=absent,
            reason=self._reason() if known.is_empty() else None,
            has_twins=self.has_twins,
            flags=tuple(flags),
        )

    def _absent(self, known: pl.DataFrame) -> dict[str, str]:
        there = set(known["example"].unique().to_list())
        if len(there) == len(self.examples):
            return {}
        found: dict[str, str] = {}
        if self.rows["reason"].null_count() < self.rows.height:
            left = self.rows.filter(~pl.col("example").is_in(list(there)) & pl.col("reason").is_not_null())
            found = dict(left.sort("reason").unique("example", keep="first", maintain_order=True).select("example", "reason").iter_rows())
        return {name: found.get(name, self.lost.get(name, "not_observable")) for name in self.examples if name not in there}

    def _reason(self) -> str:
        """Returns the most frequent reason of the rows; ties by name, so that row order does not matter."""
        counts = self.rows["reason"].drop_nulls().value_counts().sort(["count", "reason"], descending=[True, False])
        if counts.height:
            return str(counts["reason"][0])
        return next(iter(sorted(self.lost.values())), "not_observable") if len(self.lost) == len(self.examples) else "not_observable"


def labels_of(rows: pl.DataFrame, examples: tuple[str, ...]) -> Labels:
    """Returns the labels of rows of :class:`Asked`."""
    if rows.is_empty():
        none, no = np.empty(0, np.int64), np.empty(0, np.bool_)
        return Labels(none, none, none, (), no, no, none, none, none)
    families = tuple(rows["family"].unique().sort().to_list())
    wordings = rows["wording"].unique().sort()

    def places(column: str, names: Iterable[str]) -> Integers:
        order = {name: place for place, name in enumerate(names)}
        result: Integers = rows[column].replace_strict(order, return_dtype=pl.Int64).to_numpy()
        return result

    return Labels(
        example=places("example", examples),
        variant=places("wording", wordings.to_list()),
        family=places("family", families),
        families=families,
        control=rows["control"].to_numpy().astype(np.bool_),
        audit=(rows["decoding"] == "audit").to_numpy().astype(np.bool_),
        rerun=rows["rerun"].to_numpy().astype(np.int64),
        place=rows["place"].to_numpy().astype(np.int64),
        wordings=rows["wordings"].to_numpy().astype(np.int64),
    )


def asked(inputs: AxisInput, readings: pl.DataFrame, *, prompt_only: bool = False) -> list[Asked]:
    """Returns every model, data set and way of decoding that was observed, with its readings.

    Args:
        inputs: The tables.
        readings: Rows with the key of an observation and whatever was read, ``reason`` null where there is a value.
        prompt_only: Whether the reading needs nothing but the prompt, so that it stands in the greedy cell alone; another cell is returned
            only where its own observations carry a reading, or there is no greedy one.
    """
    observed, cells = inputs.once("asked", lambda: _observed(inputs))
    carried = [name for name in readings.columns if name not in KEYS]
    rows = observed.join(readings.select(*KEYS, *carried), on=list(KEYS), how="inner", maintain_order="left")
    by_pair = rows.partition_by("model", "dataset", as_dict=True)
    found = []
    for pair, of_pair in cells.items():
        mine = by_pair.get(pair, rows.clear())
        names = list(of_pair)
        if prompt_only:
            names = _with_readings(names, mine)
        for decoding in names:
            cell = of_pair[decoding]
            wanted = [decoding, "audit"] if decoding == "greedy" else [decoding]
            is_mine = pl.col("decoding").is_in(wanted) & pl.col("example").is_in(list(cell.examples))
            found.append(replace(cell, rows=mine if mine.is_empty() else mine.filter(is_mine)))
    return found


def _observed(inputs: AxisInput) -> tuple[pl.DataFrame, dict[tuple[Any, ...], dict[str, Asked]]]:
    """Returns the observations that are behaviour with family, control and wording, and the cells, still without readings."""
    kinds = inputs.variants.select(*_VARIANT, "family", "control")
    observed = with_wordings(inputs.observations.select(*KEYS, "status").join(kinds, on=_VARIANT, how="inner"), inputs.variants)
    observed = observed.join(_places(inputs.variants), on=[*_VARIANT[:2], "wording"], how="left").with_columns(
        pl.col("place").fill_null(-1), pl.col("wordings").fill_null(0)
    )
    missing = pl.col("status").is_in(list(MISSING_STATUSES))
    twins = set(inputs.examples.filter(pl.col("twin_question").is_not_null())["dataset"].unique().to_list())
    cells: dict[tuple[Any, ...], dict[str, Asked]] = {}
    for pair, group in sorted(observed.partition_by("model", "dataset", as_dict=True).items()):
        cells[pair] = {}
        for decoding in DECODINGS:
            of_cell = group.filter((pl.col("decoding") == decoding) & ~pl.col("control"))
            if group.filter(pl.col("decoding") == decoding).is_empty():
                continue
            lost = of_cell.group_by("example").agg(missing.all().alias("all"), pl.col("status").min()).filter("all")
            cells[pair][decoding] = Asked(
                model=str(pair[0]),
                dataset=str(pair[1]),
                decoding=decoding,
                examples=tuple(of_cell["example"].unique().sort().to_list()),
                rows=of_cell.clear(),
                lost=dict(lost.select("example", "status").iter_rows()),
                has_twins=pair[1] in twins,
            )
    return observed.filter(~missing).sort(*KEYS), cells


def _places(variants: pl.DataFrame) -> pl.DataFrame:
    """Returns the place of every wording among those of its example, under each name that it can have; the same for every model."""
    named = with_wordings(variants.filter(~pl.col("control")).select(*_VARIANT, model=pl.lit("")), variants)
    place = (pl.col("wording").rank("dense").over("dataset", "example") - 1).cast(pl.Int64)
    wordings = pl.col("wording").n_unique().over("dataset", "example").cast(pl.Int64)
    return named.select("dataset", "example", "variant", place=place, wordings=wordings).rename({"variant": "wording"})


def _with_readings(names: list[str], rows: pl.DataFrame) -> list[str]:
    known = set(rows.filter(pl.col("reason").is_null())["decoding"].unique().to_list())
    return [name for place, name in enumerate(names) if place == 0 or name in known]


def matrix(vectors: pl.Series) -> Values:
    """Returns a column of vectors of one length as an array (rows, dimensions), in its own number type."""
    width = int(vectors.list.len()[0]) if len(vectors) else 0
    flat = vectors.explode(empty_as_null=False).to_numpy()
    return flat.reshape(len(vectors), width)
