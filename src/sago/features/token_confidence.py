"""How likely a model's own response was, token by token (METRICS 5).

It says how sure the model was of what it wrote, and moves with what it wrote: unlike ``anchor_probability`` it is not about one fixed text.
"""

from __future__ import annotations

import polars as pl

from sago.arrays.logprobs import ROUNDING, SENTINEL, sequence_logprob
from sago.features.protocol import ReaderInput
from sago.features.table import KEYS, feature_rows, missing_reason


class ResponseProbabilityReader:
    """Reads exp of the mean log-probability of a token of the response, in [0, 1].

    Tokens at the start whose log-probability was not given are left out of the mean. Null with ``not_observable`` where no
    log-probabilities were given, ``empty`` where the response is empty, and as ``sago.arrays.logprobs.sequence_logprob`` says:
    ``no_logprobs`` where none is known, ``unknown_logprob`` where a later one is missing or a sentinel, ``positive_logprob``,
    ``non_finite``.
    """

    name = "response_probability"
    version = "1"
    kind = "number"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        tokens = pl.col("token_logprobs")
        reason = pl.coalesce(
            missing_reason(),
            pl.when((pl.col("status") == "empty") & (tokens.list.len().fill_null(0) == 0)).then(pl.lit("empty")),
            pl.when(tokens.is_null()).then(pl.lit("not_observable")),
        )
        rows = inputs.observations.select(*KEYS, "token_logprobs", reason=reason).with_row_index("_row")
        known = tokens.list.drop_nulls()
        # Nearly all rows are plain; only the others are worth a look token by token.
        plain = (known.list.len() == tokens.list.len()) & (known.list.min() > SENTINEL) & (known.list.max() <= ROUNDING)
        given = rows.filter(pl.col("reason").is_null())
        mean = tokens.list.eval(pl.element().clip(upper_bound=0.0)).list.mean().exp()
        easy = given.filter(plain).select("_row", "reason", number=mean)
        odd = given.join(easy, on="_row", how="anti")
        none = rows.filter(pl.col("reason").is_not_null()).select("_row", "reason", number=pl.lit(None, dtype=pl.Float64))
        found = pl.concat([none, easy, _one_by_one(odd)]).sort("_row").drop("_row")
        return feature_rows(self, inputs, pl.concat([rows.select(KEYS), found], how="horizontal"))


response_probability_reader = ResponseProbabilityReader()
"""The registered reader of the response's own probability."""


def _one_by_one(rows: pl.DataFrame) -> pl.DataFrame:
    found = [sequence_logprob(tokens) for tokens in rows["token_logprobs"].to_list()]
    return rows.select(
        "_row",
        reason=pl.Series([one.reason if one.per_token is None else None for one in found], dtype=pl.String),
        number=pl.Series([one.per_token for one in found], dtype=pl.Float64),
    )
