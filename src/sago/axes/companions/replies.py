"""What companions of the generation axis read of a reply: its answer as a code, its text, its vector; under the rule for non-answers."""

from __future__ import annotations

import polars as pl

from sago.arrays import UNKNOWN
from sago.axes.distance_axis import SILENT, Measure, known_rows
from sago.axes.generation import ANSWER_FLIP, EMBEDDING
from sago.axes.protocol import AxisInput
from sago.schemas import KEYS

TEXT = Measure("text", "response", "rouge_l")
"""Replies as texts."""

COUNTS = pl.col("counts")
"""Rows that count."""

_CELL = ["model", "dataset", "decoding"]


def answers_of(inputs: AxisInput) -> pl.DataFrame:
    """Returns every answer as a code: ``code`` (-1 = could not be read), ``category``, ``counts``, ``reason``."""

    def make() -> pl.DataFrame:
        rows = _under_rule(inputs, inputs.features.filter(pl.col("feature") == ANSWER_FLIP.feature), ANSWER_FLIP)
        category = pl.when("counts", ~pl.col("unknown")).then("category")
        code = category.rank("dense").cast(pl.Int64) - 1
        return rows.select(*KEYS, "counts", "reason", category=category, code=code.fill_null(UNKNOWN))

    return inputs.once("companions.answers", make)


def embeddings_of(inputs: AxisInput) -> pl.DataFrame:
    """Returns the vector of every reply: ``vector`` (null = without text), ``text``, ``counts``, ``unknown``, ``reason``.

    Nothing counts in a cell in which no reply has a vector.
    """

    def make() -> pl.DataFrame:
        rows = _under_rule(inputs, inputs.features.filter(pl.col("feature") == EMBEDDING.feature), EMBEDDING)
        texts = texts_of(inputs).select(*KEYS, "text")
        return rows.select(*KEYS, "counts", "unknown", "vector", "reason").join(texts, on=list(KEYS), how="left", maintain_order="left")

    return inputs.once("companions.embeddings", make)


def texts_of(inputs: AxisInput) -> pl.DataFrame:
    """Returns the text of every reply: ``text`` (for a reply without text ``<empty>`` or its like), ``counts``, ``unknown``, ``reason``."""

    def make() -> pl.DataFrame:
        rows = _under_rule(inputs, text_readings(inputs), TEXT)
        return rows.select(*KEYS, "counts", "unknown", "reason", text="category")

    return inputs.once("companions.texts", make)


def text_readings(inputs: AxisInput) -> pl.DataFrame:
    """Returns replies in the form of table ``features``: the text as category, ``<empty>`` or its like for a reply without text."""
    text = pl.col("response").str.strip_chars()
    has_text = text.str.len_chars().fill_null(0) > 0
    is_lost = pl.col("response").is_null() & (pl.col("status") == "ok")
    status = pl.when(pl.col("status") == "ok").then(pl.lit("empty")).otherwise("status")
    kind = status.replace_strict(SILENT, default=None, return_dtype=pl.String)
    category = pl.when(has_text).then(text).when(~is_lost).then(kind)
    reason = pl.when(is_lost & ~has_text).then(pl.lit("not_recorded")).otherwise(status)
    return inputs.observations.select(
        *KEYS,
        category=category,
        number=pl.lit(None, pl.Float64),
        vector=pl.lit(None, pl.List(pl.Float64)),
        reason=pl.when(category.is_null()).then(reason),
    )


def _under_rule(inputs: AxisInput, readings: pl.DataFrame, measure: Measure) -> pl.DataFrame:
    """Returns readings with ``counts`` and ``unknown``, each model, data set and way of decoding by itself."""
    rows = readings.join(inputs.observations.select(*KEYS, "status"), on=list(KEYS), how="inner")
    known = [known_rows(part, measure, inputs.non_answers) for part in rows.partition_by(_CELL)]
    if not known:
        return rows.with_columns(counts=pl.lit(value=True), unknown=pl.lit(value=False))
    marks = pl.concat(known).select(*KEYS, counts=pl.lit(value=True), unknown="_unknown")
    rows = rows.join(marks, on=list(KEYS), how="left", maintain_order="left")
    return rows.with_columns(pl.col("counts", "unknown").fill_null(value=False))
