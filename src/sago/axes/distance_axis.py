"""Axes that are a feature and a distance: one machinery makes their scores, profiles and controls (METRICS 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import UNKNOWN, Rows, beside_texts, parts_of
from sago.arrays.grouping import Integers, Values
from sago.arrays.halving import halves_of
from sago.axes.cells import Asked, Cell, Layer, asked, matrix
from sago.axes.controls import control_rows
from sago.axes.halves import halves_table, splits_of
from sago.axes.measured import Measured
from sago.axes.profiles import profile_rows, score_table
from sago.axes.protocol import AxisInput, Scored
from sago.records import VERDICTS_ALONE, are_verdicts

UNREAD = ("unparsed", "truncated")
"""Reasons of a reading that is there but could not be read: unknown, at distance 1 from everything (METRICS 1)."""

SILENT = {"empty": "<empty>", "refusal": "<refusal>", "filtered": "<filtered>"}
"""Status -> category of a reply without an answer."""

TEXTUAL = ("rouge_l", "chrf")
"""Distances of texts; they compare categories as texts."""

NO_TEXT = {"<empty>": "", "<refusal>": "\ue000", "<filtered>": "\ue001"}
"""Category of a reply without text -> text in its place: equal for one kind, and without a character that any reply has."""

_COLUMNS = {"nominal": "category", "absolute": "number", **dict.fromkeys(TEXTUAL, "category")}
"""Distance -> column that it reads; ``vector`` for all others."""


@dataclass(frozen=True)
class Measure:
    """A feature and a distance.

    Attributes:
        name: Name of the measure.
        feature: Feature that it reads.
        distance: ``nominal`` (its category), ``absolute`` (its number), ``rouge_l`` or ``chrf`` (its category, as a text), ``cosine`` or
            ``squared_euclidean`` (its vector).
        prompt_only: Whether the feature needs the prompt alone, so that it is measured in the greedy cell.
    """

    name: str
    feature: str
    distance: str
    prompt_only: bool = False


@dataclass(frozen=True)
class FeatureAxis:
    """A whole axis from one measure, for plug-ins.

    Attributes:
        name: Name of the axis, as registered.
        description: One line for ``sago list axes``.
        measure: Its only measure.
    """

    name: str
    description: str
    measure: Measure

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of its measures."""
        return (self.measure.name,)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        return score_cells(feature_cells(inputs, self.name, self.measure, lambda _: True), inputs.seed)


def score_cells(cells: list[Cell], seed: int) -> Scored:
    """Returns scores, profiles, controls and halves of cells; the last two of default measures alone."""
    scores = [schemas.empty("scores")]
    profiles: list[dict[str, Any]] = []
    controls: list[dict[str, Any]] = []
    halves = [schemas.empty("halves")]
    for cell in cells:
        measured = Measured(cell, seed) if cell.reason is None else None
        profiles += profile_rows(cell, measured)
        scores.append(score_table(cell, measured))
        if cell.default:
            controls += control_rows(cell, measured)
        if measured is not None and measured.inside is not None:
            halves.append(halves_table(cell.head, cell.examples, halves_of(measured.inside, splits_of(seed, cell.dataset))))
    return Scored(
        schemas.check("scores", pl.concat(scores)),
        schemas.frame("profiles", profiles),
        schemas.frame("controls", controls),
        schemas.check("halves", pl.concat(halves)),
    )


def feature_cells(
    inputs: AxisInput,
    axis: str,
    measure: Measure,
    is_default: Callable[[str], bool],
    rows: pl.DataFrame | None = None,
    *,
    always: bool = False,
) -> list[Cell]:
    """Returns the cells of a measure: of every data set of which it is the default, of the others where there is a value.

    Args:
        inputs: The tables.
        axis: Name of the axis.
        measure: The measure.
        is_default: Data set -> whether the measure is its default.
        rows: Readings in place of those of the measure's feature.
        always: Whether a data set without a value gets a cell as well, which says why; for measures that were asked for by name.
    """
    readings = inputs.features.filter(pl.col("feature") == measure.feature) if rows is None else rows
    readings = readings.select(*schemas.KEYS, "category", "number", "vector", "reason")
    cells = []
    for part in asked(inputs, readings, prompt_only=measure.prompt_only):
        cell = _cell(part, axis, measure, inputs.non_answers, default=is_default(part.dataset))
        if always or cell.default or cell.reason is None:
            cells.append(cell)
    return cells


def known_rows(rows: pl.DataFrame, measure: Measure, non_answers: str) -> pl.DataFrame:
    """Returns the rows that have a value for a measure under a rule for non-answers (METRICS 1).

    Args:
        rows: Readings with ``status``, of one model, data set and way of decoding.
        measure: The measure.
        non_answers: The rule.

    Returns:
        The rows, with ``_unknown``: could not be read, at distance 1 from everything; and ``_silent``: given, but without a vector because
        there is no text.
    """
    rows = rows.with_columns(_unknown=_is_unknown(measure, non_answers), _silent=_is_silent(measure))
    if non_answers == "missing" and _is_of_replies(measure):
        rows = rows.filter(~pl.col("_unknown") & ~pl.col("status").is_in(list(SILENT)) & ~pl.col("_silent"))
    column = _COLUMNS.get(measure.distance, "vector")
    known = rows.filter(pl.col(column).is_not_null() | pl.col("_unknown") | pl.col("_silent"))
    if measure.distance == "cosine" and known["vector"].null_count() == known.height:
        return known.clear()  # nothing but replies without text, and no encoder: there is no space to compare them in
    return known


def _cell(part: Asked, axis: str, measure: Measure, non_answers: str, *, default: bool) -> Cell:
    known = known_rows(part.rows, measure, non_answers)
    values, distance, flags = _values(known, measure.distance)
    return part.cell(axis, measure.name, distance, default=default, known=known, layers=(Layer(None, lambda: values),), flags=flags)


def _is_of_replies(measure: Measure) -> bool:
    return measure.distance in ("nominal", "cosine", *TEXTUAL)


def _is_unknown(measure: Measure, non_answers: str) -> pl.Expr:
    if not _is_of_replies(measure):
        return pl.lit(value=False)
    unknown = pl.col("reason").is_in(UNREAD)
    if non_answers == "unknown":
        unknown = unknown | pl.col("status").is_in(list(SILENT)) | pl.col("category").is_in(list(SILENT.values()))
    return unknown.fill_null(value=False)


def _is_silent(measure: Measure) -> pl.Expr:
    """A reply that was given, but has no vector because it has no text."""
    if measure.distance != "cosine":
        return pl.lit(value=False)
    return (pl.col("vector").is_null() & pl.col("category").is_in(list(SILENT.values()))).fill_null(value=False)


def _values(known: pl.DataFrame, distance: str) -> tuple[Values, str, list[str]]:
    if distance == "absolute":
        return known["number"].to_numpy(), distance, []
    if distance == "nominal":
        names = {name: place for place, name in enumerate(known["category"].unique().drop_nulls().sort().to_list())}
        flags = [VERDICTS_ALONE] if are_verdicts(map(str, names)) else []
        category = pl.when("_unknown").then(None).otherwise("category").replace_strict(names, default=None, return_dtype=pl.Int64)
        return known.select(category.fill_null(UNKNOWN)).to_series().to_numpy(), distance, flags
    if distance in TEXTUAL:
        text = pl.when("_unknown").then(None).otherwise(pl.col("category").replace(NO_TEXT))
        silent = known["category"].is_in(list(NO_TEXT)).any()
        return known.select(text).to_series().to_numpy(), distance, ["empty_responses"] if silent else []
    if distance == "cosine":
        kinds = _null_kinds(known)
        if (kinds != -1).any():
            return _beside_texts(known, kinds), "inner", ["empty_responses"]
    return matrix(known["vector"]), distance, []


def _null_kinds(known: pl.DataFrame) -> Integers:
    names = {name: place for place, name in enumerate(SILENT.values())}
    of_silent = pl.col("category").replace_strict(names, default=-1, return_dtype=pl.Int64)
    kind = pl.when("_unknown").then(-2).when("_silent").then(of_silent).otherwise(-1)
    result: Integers = known.select(kind.cast(pl.Int64)).to_series().to_numpy()
    return result


def _beside_texts(known: pl.DataFrame, kinds: Integers) -> Values:
    """Replies without text stand at max(1, N) from everything but their like, N being the null of the texts (METRICS 2.3)."""
    texts = known.filter(kinds == -1)
    vectors = matrix(texts["vector"])
    null = parts_of(Rows(vectors, texts["example"].to_numpy(), texts["wording"].to_numpy()), "cosine").null
    whole = np.zeros((known.height, vectors.shape[1]))
    whole[kinds == -1] = vectors
    return beside_texts(whole, kinds, max(1.0, 0.0 if np.isnan(null) else null))
