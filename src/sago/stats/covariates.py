"""What else is known of an example that could make two axes move together: length, difficulty, plain log-probability (METRICS 8, 2g)."""

from __future__ import annotations

import polars as pl

from sago import schemas
from sago.records import CANONICAL, MISSING_STATUSES
from sago.wordings import with_wordings

_KEY = ["model", "dataset", "example", "decoding"]
_QUESTION = ["dataset", "example", "variant"]


def covariates(features: pl.DataFrame, observations: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Returns table ``covariates``: one row for each example that a model was asked, in each way of decoding (audits left out).

    Lengths are in characters, as means over wordings and reruns; controls take no part. Difficulty and log-probability are those of the
    original wording; where a sampled reply has no log-probability of its own, that of the greedy one stands in, which is a fact of the
    prompt.

    Args:
        features: Table ``features``.
        observations: Table ``observations``.
        variants: Table ``variants``.
    """
    said = pl.element().struct.field("content").filter(pl.element().struct.field("role") == "user")
    prompt = pl.col("messages").list.eval(said).list.join("\n").str.len_chars().cast(pl.Float64)
    asked = variants.filter(~pl.col("control")).select(*_QUESTION, _prompt=pl.when(prompt > 0).then(prompt))
    known = observations.filter((pl.col("decoding") != "audit") & ~pl.col("status").is_in(list(MISSING_STATUSES)))
    rows = known.select(*schemas.KEYS, _reply=pl.col("response").str.len_chars().cast(pl.Float64)).join(asked, on=_QUESTION, how="inner")
    lengths = rows.group_by(_KEY).agg(pl.col("_prompt").mean().alias("prompt_length"), pl.col("_reply").mean().alias("response_length"))
    original = _of_original(features, variants)
    right = original.filter(pl.col("feature") == "correct").group_by(_KEY).agg(pl.col("number").mean().alias("correct"))
    table = lengths.join(right, on=_KEY, how="left").join(_log_likelihood(original), on=_KEY, how="left")
    of_greedy = table.filter(pl.col("decoding") == "greedy").select(*_KEY[:3], _greedy="log_likelihood")
    table = table.join(of_greedy, on=_KEY[:3], how="left").with_columns(pl.coalesce("log_likelihood", "_greedy").alias("log_likelihood"))
    return schemas.check("covariates", table.drop("_greedy").sort(_KEY))


def _of_original(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    wanted = ["correct", "option_probabilities", "response_probability"]
    rows = features.filter(pl.col("feature").is_in(wanted) & (pl.col("decoding") != "audit"))
    controls = variants.filter(pl.col("control")).select(_QUESTION)
    return with_wordings(rows.join(controls, on=_QUESTION, how="anti"), variants).filter(pl.col("wording") == CANONICAL)


def _log_likelihood(original: pl.DataFrame) -> pl.DataFrame:
    most = pl.when(pl.col("feature") == "option_probabilities").then(pl.col("vector").list.max())
    own = pl.when(pl.col("feature") == "response_probability").then(pl.col("number"))
    found = original.with_columns(_option=most, _own=own).group_by(_KEY).agg(pl.col("_option").mean(), pl.col("_own").mean())
    probability = pl.coalesce("_option", "_own")
    return found.select(*_KEY, log_likelihood=pl.when(probability > 0).then(probability.log()))
