"""What a model's log-likelihoods say about its confidence: probabilities of the options, probability of a fixed response (METRICS 5)."""

from __future__ import annotations

import numpy as np
import polars as pl

from sago.arrays.logprobs import POSITIVE, ROUNDING
from sago.features.protocol import ReaderInput
from sago.features.table import KEYS, feature_rows, missing_reason, with_variants

FLOOR = 1e-12
"""Smallest probability of an option; the vector is made to sum to 1 again (METRICS 5, edge cases)."""


class OptionProbabilitiesReader:
    """Reads the normalised probability of every option, in the order of the original choices.

    The softmax over the scored choices is taken in float64 and mapped back through the permutation of the prompt. Null with
    ``no_choices`` for open questions, ``not_observable`` where nothing was scored, ``unmatched_choices`` where the number of scored
    choices is not that of the shown ones, ``non_finite`` where a log-likelihood is not a number, ``minus_inf`` where no option has a
    probability above 0. A single option at minus infinity (or null within the list) has probability 0, floored at 1e-12.
    """

    name = "option_probabilities"
    version = "1"
    kind = "vector"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        rows = with_variants(inputs, ["status", "choice_logprobs"], pl.col("task"), pl.col("permutation")).with_row_index("_row")
        length = pl.col("choice_logprobs").list.len()
        reason = (
            pl.when(pl.col("status").is_in(["too_long", "error"]))
            .then(pl.col("status"))
            .when((pl.col("task") != "choice") | pl.col("permutation").is_null())
            .then(pl.lit("no_choices"))
            .when(pl.col("choice_logprobs").is_null() | (length == 0))
            .then(pl.lit("not_observable"))
            .when(length != pl.col("permutation").list.len())
            .then(pl.lit("unmatched_choices"))
        )
        rows = rows.with_columns(reason=reason, _options=length)
        parts = [_probabilities(part) for part in rows.filter(pl.col("reason").is_null()).partition_by("_options")]
        none = rows.filter(pl.col("reason").is_not_null()).select("_row", "reason", vector=pl.lit(None, dtype=pl.List(pl.Float64)))
        found = pl.concat([none, *parts]).sort("_row").drop("_row")
        read = pl.concat([rows.select(KEYS), found], how="horizontal")
        return feature_rows(self, inputs, read)


class AnchorProbabilityReader:
    """Reads the probability per token of the fixed anchor response under this prompt, in (0, 1].

    It is exp(summed log-likelihood / tokens). Null with ``not_observable`` where it was not scored, ``empty_anchor`` where the anchor has
    no token, ``non_finite`` where the log-likelihood is not finite, ``positive_logprob`` where it is above 0 and so is none.
    """

    name = "anchor_probability"
    version = "2"
    kind = "number"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        logprob, tokens = pl.col("anchor_logprob"), pl.col("anchor_tokens")
        per_token = logprob / tokens
        reason = pl.coalesce(
            missing_reason(),
            pl.when(tokens == 0)
            .then(pl.lit("empty_anchor"))
            .when(logprob.is_null() | tokens.is_null())
            .then(pl.lit("not_observable"))
            .when(~per_token.is_finite())
            .then(pl.lit("non_finite"))
            .when(per_token > ROUNDING)
            .then(pl.lit(POSITIVE)),
        )
        rows = inputs.observations.with_columns(reason=reason)
        value = pl.when(pl.col("reason").is_null()).then(per_token.clip(upper_bound=0.0).exp())
        return feature_rows(self, inputs, rows.select(*KEYS, "reason", number=value))


option_probabilities_reader = OptionProbabilitiesReader()
"""The registered reader of option probabilities."""

anchor_probability_reader = AnchorProbabilityReader()
"""The registered reader of the anchor's probability."""


def option_probabilities(logprobs: np.ndarray) -> tuple[np.ndarray, list[str | None]]:
    """Returns the softmax of every row in float64, floored at 1e-12 and normalised, and why a row has none.

    Args:
        logprobs: Summed log-likelihoods (rows, options); minus infinity = probability 0.

    Returns:
        Probabilities of the same shape, and for each row null, ``non_finite`` or ``minus_inf``; rows with a reason hold no meaning.
    """
    values = np.asarray(logprobs, dtype=np.float64)
    odd: np.ndarray = np.logical_or.reduce(np.isnan(values) | np.isposinf(values), axis=1)
    hopeless: np.ndarray = np.logical_and.reduce(np.isneginf(values), axis=1)
    usable = np.where((odd | hopeless)[:, None], 0.0, values)
    weights = np.exp(usable - usable.max(axis=1, keepdims=True))
    floored = np.maximum(weights / weights.sum(axis=1, keepdims=True), FLOOR)
    reasons = ["non_finite" if is_odd else "minus_inf" if is_hopeless else None for is_odd, is_hopeless in zip(odd, hopeless, strict=True)]
    return floored / floored.sum(axis=1, keepdims=True), reasons


def _probabilities(part: pl.DataFrame) -> pl.DataFrame:
    """Returns ``_row``, ``reason`` and ``vector`` of observations that scored equally many options."""
    shape = (part.height, int(part["_options"][0]))
    logprobs = part["choice_logprobs"].explode(empty_as_null=False).cast(pl.Float64).fill_null(-np.inf).to_numpy().reshape(shape)
    order = part["permutation"].explode(empty_as_null=False).to_numpy().reshape(shape)
    shown, reasons = option_probabilities(logprobs)
    original = np.empty_like(shown)
    np.put_along_axis(original, order, shown, axis=1)
    reason = pl.Series(reasons, dtype=pl.String)
    found = part.select("_row", reason=reason, vector=pl.Series("vector", original).cast(pl.List(pl.Float64)))
    return found.with_columns(vector=pl.when(pl.col("reason").is_null()).then(pl.col("vector")))
