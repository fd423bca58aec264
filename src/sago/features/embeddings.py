"""Sentence embeddings of responses, by an encoder that is handed in (METRICS 3).

An empty, refused or filtered response without text has no vector but is behaviour: its category (``<empty>``, ...) says which, with the
same word as the reason, so that an axis can give two of a kind the distance 0 and one beside a text the largest (METRICS 2.3).
"""

from __future__ import annotations

import numpy as np
import polars as pl

from sago.errors import PluginError
from sago.features.answers import NON_ANSWERS, NOT_RECORDED
from sago.features.protocol import Encoder, ReaderInput
from sago.features.table import KEYS, feature_rows, missing_reason


class EmbeddingReader:
    """Reads the embedding of the response text; each distinct text is encoded once.

    Null with the status for missing data, ``not_recorded`` where the text was not kept, ``truncated`` where the cut left no text,
    ``needs_encoder`` without an encoder, ``non_finite`` where the encoder returned something that is not a number.
    """

    name = "embedding"
    version = "1"
    kind = "vector"
    uses_encoder = True
    """The encoder's name is part of the version of the rows."""

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        has_text = pl.col("response").str.strip_chars().str.len_chars().fill_null(0) > 0
        is_lost = pl.col("response").is_null() & (pl.col("status") == "ok")
        silent = (
            pl.when(has_text)
            .then(None)
            .when(is_lost)
            .then(pl.lit(NOT_RECORDED))
            .when(pl.col("status") == "ok")
            .then(pl.lit("empty"))
            .otherwise(pl.col("status"))
        )
        no_encoder = pl.lit("needs_encoder") if inputs.encoder is None else pl.lit(None, dtype=pl.String)
        rows = inputs.observations.with_columns(reason=pl.coalesce(missing_reason(), silent, no_encoder))
        category = pl.col("reason").replace_strict(NON_ANSWERS, default=None, return_dtype=pl.String)
        rows = rows.select(*KEYS, "reason", category=category, text=pl.when(pl.col("reason").is_null()).then(pl.col("response")))
        if inputs.encoder is None:
            return feature_rows(self, inputs, rows)
        rows = rows.join(_encoded(inputs.encoder, rows["text"]), on="text", how="left", maintain_order="left")
        broken = pl.col("reason").is_null() & pl.col("vector").is_null()
        rows = rows.with_columns(reason=pl.when(broken).then(pl.lit("non_finite")).otherwise(pl.col("reason")))
        return feature_rows(self, inputs, rows)


embedding_reader = EmbeddingReader()
"""The registered reader of embeddings."""


def _encoded(encoder: Encoder, texts: pl.Series) -> pl.DataFrame:
    """Returns ``text`` and ``vector`` for each distinct text; the vector is null where it is not finite."""
    distinct = texts.drop_nulls().unique(maintain_order=True)
    none = pl.DataFrame(schema={"text": pl.String, "vector": pl.List(pl.Float64)})
    if distinct.is_empty():
        return none
    vectors = np.asarray(encoder(distinct.to_list()), dtype=np.float64)
    if vectors.ndim != 2 or vectors.shape[0] != len(distinct):
        raise PluginError(f"the encoder returned shape {vectors.shape} for {len(distinct)} texts", fix="One row for each text is needed")
    is_finite = pl.Series(np.isfinite(vectors).all(axis=1))
    listed = pl.Series("vector", vectors).cast(pl.List(pl.Float64))
    return pl.DataFrame({"text": distinct, "vector": listed}).filter(is_finite)
