"""Correctness beside stability, so that a constant or wrong-but-stable model does not look good (METRICS 3 and 7)."""

from __future__ import annotations

from typing import Any

import polars as pl

from sago import schemas
from sago.arrays import mean_interval, wilson
from sago.records import CANONICAL
from sago.wordings import with_wordings

_KEY = ["model", "dataset", "decoding"]


def accuracy(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Returns table ``accuracy``: shares correct on the canonical wording, over all wordings, on the worst and the best.

    Only examples with a gold answer and at least two wordings with data take part. With reruns, an example's share on a wording is the mean
    over them, and ``worst`` and ``best`` count a wording as right where more than half of its reruns are; the stable shares look at
    every response. Variants with the same prompt are one wording, and the replies to them its reruns (METRICS 1). Intervals stay within
    [0, 1].

    Args:
        features: Table ``features`` with readings ``correct`` and ``answer``.
        variants: Table ``variants``.
    """
    wordings = variants.filter(~pl.col("control")).select("dataset", "example", "variant")
    keys = list(schemas.KEYS)
    correct = features.filter((pl.col("feature") == "correct") & (pl.col("decoding") != "audit"))
    correct = with_wordings(correct.join(wordings, on=["dataset", "example", "variant"], how="semi"), variants)
    answers = features.filter(pl.col("feature") == "answer").select(*keys, answer="category")
    rows = correct.join(answers, on=keys, how="left")
    no_gold = rows.filter(pl.col("reason") == "no_gold").group_by(_KEY).agg(pl.col("example").n_unique().alias("n_no_gold"))
    per_example = _per_example(rows.filter(pl.col("number").is_not_null()))
    every = rows.select(_KEY).unique().join(no_gold, on=_KEY, how="left").sort(_KEY)
    table = [_row(key, per_example.filter(*(pl.col(name) == key[name] for name in _KEY))) for key in every.iter_rows(named=True)]
    return schemas.frame("accuracy", table)


def _per_example(rows: pl.DataFrame) -> pl.DataFrame:
    by_wording = rows.group_by(*_KEY, "example", "wording").agg(pl.col("number").mean().alias("share"))
    shares = by_wording.group_by(*_KEY, "example").agg(
        pl.col("share").mean().alias("mean"),
        pl.col("share").filter(pl.col("wording") == CANONICAL).first().alias("canonical"),
        (pl.col("share") > 0.5).all().alias("worst"),
        (pl.col("share") > 0.5).any().alias("best"),
        pl.len().alias("wordings"),
    )
    # An answer that could not be read is not the same as another such; a null beside anything breaks "the same wrong answer".
    agreement = rows.group_by(*_KEY, "example").agg(
        (pl.col("number") == 1).all().alias("all_right"),
        (pl.col("number") > 0).any().alias("any_right"),
        ((pl.col("answer").n_unique() == 1) & pl.col("answer").is_not_null().all()).alias("one_answer"),
    )
    return shares.join(agreement, on=[*_KEY, "example"]).filter(pl.col("wordings") >= 2).sort(*_KEY, "example")


def _row(key: dict[str, Any], examples: pl.DataFrame) -> dict[str, Any]:
    head = {**{name: key[name] for name in _KEY}, "n": examples.height, "n_no_gold": key["n_no_gold"] or 0}
    if examples.is_empty():
        return {**head, "reason": "no_gold" if head["n_no_gold"] else "too_few_variants"}
    canonical = examples["canonical"].drop_nulls()
    bracket = wilson(float(canonical.sum()), canonical.len())
    mean, spread = mean_interval(examples["mean"].to_numpy())
    if spread.se == 0:
        spread = wilson(mean * examples.height, examples.height)
    right, wrong = _share(examples["all_right"]), _share(~examples["any_right"] & examples["one_answer"])
    return {
        **head,
        "canonical": None if canonical.is_empty() else float(canonical.to_numpy().mean()),
        "canonical_lower": _finite(bracket.lower),
        "canonical_upper": _finite(bracket.upper),
        "mean": mean,
        "mean_lower": _finite(max(spread.lower, 0.0)),
        "mean_upper": _finite(min(spread.upper, 1.0)),
        "worst": _share(examples["worst"]),
        "best": _share(examples["best"]),
        "stable_correct": right,
        "stable_wrong": wrong,
        "unstable": _share(~(examples["all_right"] | (~examples["any_right"] & examples["one_answer"]))),
    }


def _share(flags: pl.Series) -> float:
    return float(flags.to_numpy().mean())


def _finite(value: float) -> float | None:
    return value if value == value else None  # noqa: PLR0124
