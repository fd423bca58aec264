"""Rows of table ``features`` for readers: the key of every observation beside what was read of it."""

from __future__ import annotations

import polars as pl

from sago import schemas
from sago.errors import SchemaError
from sago.features.protocol import FeatureReader, ReaderInput
from sago.records import MISSING_STATUSES

KEYS = list(schemas.KEYS)
"""Columns that name one observation."""


def with_variants(inputs: ReaderInput, observed: list[str], *columns: pl.Expr) -> pl.DataFrame:
    """Returns the observations with the columns asked for, in their order.

    Args:
        inputs: What a reader was given.
        observed: Columns of the observations beside their key.
        columns: Expressions over the variants joined with their examples, which give ``task`` and ``choices``.

    Raises:
        SchemaError: If an observation has no variant, or a variant no example.
    """
    examples = inputs.examples.select("dataset", "example", "task", "choices", known_example=pl.lit(value=True))
    asked = inputs.variants.join(examples, on=["dataset", "example"], how="left")
    facts = asked.select("dataset", "example", "variant", "known_example", *columns)
    rows = inputs.observations.select(*KEYS, *observed)
    joined = rows.join(facts, on=["dataset", "example", "variant"], how="left", maintain_order="left")
    orphans = joined.filter(pl.col("known_example").is_null())
    if orphans.height:
        lost = "/".join(str(value) for value in orphans.select("dataset", "example", "variant").row(0))
        raise SchemaError(
            f"{orphans.height} observations have no variant or no example, the first is {lost}",
            where="table observations",
            fix="Read observations together with the variants that they answer",
        )
    return joined.drop("known_example")


def version_of(reader: FeatureReader, inputs: ReaderInput) -> str:
    """Returns the version that a reader's rows carry: its own, with the encoder's name where it uses one that is there."""
    if getattr(reader, "uses_encoder", False) and inputs.encoder is not None:
        return f"{reader.version}+{inputs.encoder_name or 'encoder'}"
    return reader.version


def feature_rows(reader: FeatureReader, inputs: ReaderInput, read: pl.DataFrame) -> pl.DataFrame:
    """Returns readings as table ``features``.

    Args:
        reader: The reader that made them.
        inputs: What it was given.
        read: The keys, and those of ``category``, ``number``, ``vector`` and ``reason`` that the reader fills.
    """
    types = schemas.dtypes("features")
    filled = {name: pl.col(name) if name in read.columns else pl.lit(None) for name in ("category", "number", "vector", "reason")}
    own = {"feature": reader.name, "reader": reader.name, "version": version_of(reader, inputs)}
    rows = read.with_columns(**filled, **{name: pl.lit(value) for name, value in own.items()})
    return rows.select(pl.col(name).cast(dtype) for name, dtype in types.items())


def missing_reason() -> pl.Expr:
    """Returns the status of an observation that is missing data, null for one that is behaviour."""
    return pl.when(pl.col("status").is_in(list(MISSING_STATUSES))).then(pl.col("status"))
