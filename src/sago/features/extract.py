"""The stage ``extract``: every registered reader over every observation."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import polars as pl

from sago import registry, schemas
from sago.errors import PluginError
from sago.features.protocol import AnswerFormat, Encoder, FeatureReader, ReaderInput
from sago.features.table import KEYS, version_of

_FAMILIES = ["dataset", "example"]

RECORDED = "recorded"
"""Reader of rows that came with the observations: they are always taken over."""


def extract(
    observations: pl.DataFrame,
    variants: pl.DataFrame,
    examples: pl.DataFrame,
    *,
    encoder: Encoder | None = None,
    encoder_name: str | None = None,
    known: pl.DataFrame | None = None,
    embed: Literal["text", "all"] = "text",
    answer_format: AnswerFormat | None = None,
) -> pl.DataFrame:
    """Returns table ``features``: one row per observation and registered reader.

    Args:
        observations: Table ``observations``.
        variants: Table ``variants``.
        examples: Table ``examples``.
        encoder: Sentence encoder; null = readings that need one are null with reason ``needs_encoder``.
        encoder_name: Name and version of the encoder; part of the version of what it made.
        known: Features read before, or recorded with the answers. What came with the answers (reader ``recorded``) is taken over and wins
            over every reader; so is what the same version of a costly reader has read of one of these observations. Everything else in
            it is left out.
        embed: Which observations are given to readers that use the encoder: those of free-text questions, or all. The others have no
            row of such a reader.
        answer_format: How responses state their answers; null = as they do.

    Raises:
        SchemaError: If a table does not fit its schema, or an observation has no variant.
        PluginError: If a reader cannot be imported or breaks its contract.
    """
    observations = schemas.check("observations", observations)
    variants = schemas.check("variants", variants)
    examples = schemas.check("examples", examples)
    before = schemas.empty("features") if known is None else schemas.check("features", known)
    texts = examples.filter(pl.col("task") == "text").select(_FAMILIES)
    recorded = before.filter(pl.col("reader") == RECORDED).join(observations, on=KEYS, how="semi")
    parts: list[pl.DataFrame] = [recorded]
    for name in registry.names("features"):
        reader: FeatureReader = registry.get("features", name)
        asked = observations
        if embed == "text" and getattr(reader, "uses_encoder", False):
            asked = observations.join(texts, on=_FAMILIES, how="semi")
        inputs = ReaderInput(asked, variants, examples, encoder, encoder_name, recorded, answer_format or AnswerFormat())
        parts += _read(reader, inputs, before)
    return schemas.check("features", pl.concat(parts))


def _read(reader: FeatureReader, inputs: ReaderInput, before: pl.DataFrame) -> list[pl.DataFrame]:
    """Returns what is known of the observations and what had to be read of them."""
    same_version = pl.col("version") == version_of(reader, inputs)
    if inputs.encoder is None and getattr(reader, "uses_encoder", False):
        # What an encoder made that is not there now is as good as before: a run can be scored again on a machine without one.
        same_version = same_version | pl.col("version").str.starts_with(f"{reader.version}+")
    is_same = (pl.col("feature") == reader.name) & (pl.col("reader") == reader.name) & same_version
    # Only what is costly and depends on the response alone is taken over; gold answers may have changed since, and an error may be healed.
    costly = pl.col("reason").is_null() if getattr(reader, "uses_encoder", False) else pl.lit(value=False)
    observed = inputs.observations
    if inputs.recorded is not None:
        observed = observed.join(inputs.recorded.filter(pl.col("feature") == reader.name), on=KEYS, how="anti")
    taken = before.filter(is_same & costly).join(observed, on=KEYS, how="semi")
    left = observed.join(taken, on=KEYS, how="anti")
    if left.is_empty():
        return [taken]
    given = replace(inputs, observations=left)
    read = reader.read(given)
    columns = list(schemas.dtypes("features"))
    if set(read.columns) != set(columns) or read.height != left.height:
        raise PluginError(f"reader '{reader.name}' returned {read.height} rows for {left.height} observations, or other columns")
    try:
        return [taken, read.select(pl.col(name).cast(dtype) for name, dtype in schemas.dtypes("features").items())]
    except pl.exceptions.PolarsError as error:
        raise PluginError(f"reader '{reader.name}' returned other types than table features has: {error}") from error
