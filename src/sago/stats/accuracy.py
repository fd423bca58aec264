"""Correctness beside stability, so that a constant or wrong-but-stable model does not look good (METRICS 3 and 7)."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import Interval, mean_interval, wilson
from sago.arrays.grouping import Floats, Integers
from sago.records import CANONICAL
from sago.seeds import generator
from sago.stats.crossing import largest_crossing, shared_names
from sago.stats.multiprompt import all_right, wording_spread
from sago.wordings import with_wordings

_KEY = ["model", "dataset", "decoding"]
_SHARES = ("worst", "best", "stable_correct", "stable_wrong", "unstable")


def accuracy(features: pl.DataFrame, variants: pl.DataFrame, *, seed: int = 0) -> pl.DataFrame:
    """Returns table ``accuracy``: shares correct on the canonical wording, over all wordings, on the worst and the best.

    Only examples with a gold answer and at least two wordings with data take part. With reruns, an example's share on a wording is the mean
    over them, and ``worst`` and ``best`` count a wording as right where more than half of its reruns are; the stable shares look at
    every response. Variants with the same prompt are one wording, and the replies to them its reruns (METRICS 1). Intervals stay within
    [0, 1].

    Args:
        features: Table ``features`` with readings ``correct`` and ``answer``.
        variants: Table ``variants``.
        seed: Study seed, for resampling.
    """
    rows = _rows(features, variants)
    no_gold = rows.filter(pl.col("reason") == "no_gold").group_by(_KEY).agg(pl.col("example").n_unique().alias("n_no_gold"))
    known = rows.filter(pl.col("number").is_not_null())
    by_wording = _by_wording(known)
    per_example = _per_example(known, by_wording)
    every = rows.select(_KEY).unique().join(no_gold, on=_KEY, how="left").sort(_KEY)
    table = []
    for key in every.iter_rows(named=True):
        is_mine = [pl.col(name) == key[name] for name in _KEY]
        examples = per_example.filter(*is_mine)
        mine = by_wording.filter(*is_mine).join(examples.select("example"), on="example", how="semi")
        table.append({**_row(key, examples), **_of_wordings(mine, seed, key), **_of_reruns(mine)})
    return schemas.frame("accuracy", table)


def wording_accuracy(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Returns table ``wording_accuracy``: the share correct on each wording that at least half of the examples share.

    The examples are those of table ``accuracy``. Intervals are Wilson's where every share is 0 or 1, else over examples, within [0, 1].

    Args:
        features: Table ``features`` with readings ``correct`` and ``answer``.
        variants: Table ``variants``.
    """
    by_wording = _by_wording(_rows(features, variants).filter(pl.col("number").is_not_null()))
    enough = by_wording.filter(pl.len().over(*_KEY, "example") >= 2)
    table: list[dict[str, Any]] = []
    for key, mine in enough.sort(_KEY).group_by(_KEY, maintain_order=True):
        example, name, names = _coded(mine)
        shares, compared = mine["share"].to_numpy(), _compared(mine)
        means = dict(zip(compared[1], compared[0].mean(axis=0).tolist(), strict=True))
        for place in np.sort(shared_names(example, name)).tolist():
            of_it = shares[name == place]
            share, bracket = _mean_of_shares(of_it)
            row = {**dict(zip(_KEY, key, strict=True)), "variant": names[place], "n": of_it.size, "accuracy": share}
            table.append({**row, "lower": _finite(bracket.lower), "upper": _finite(bracket.upper), "compared": means.get(names[place])})
    return schemas.frame("wording_accuracy", table)


def _rows(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    wordings = variants.filter(~pl.col("control")).select("dataset", "example", "variant")
    keys = list(schemas.KEYS)
    correct = features.filter((pl.col("feature") == "correct") & (pl.col("decoding") != "audit"))
    correct = with_wordings(correct.join(wordings, on=["dataset", "example", "variant"], how="semi"), variants)
    answers = features.filter(pl.col("feature") == "answer").select(*keys, answer="category")
    return correct.join(answers, on=keys, how="left")


def _by_wording(rows: pl.DataFrame) -> pl.DataFrame:
    """Returns one row for each example and wording: the share of its replies that are right, how many there are, how many are right."""
    return (
        rows.group_by(*_KEY, "example", "wording")
        .agg(pl.col("number").mean().alias("share"), pl.len().alias("replies"), (pl.col("number") == 1).sum().alias("right"))
        .sort(*_KEY, "example", "wording")
    )


def _per_example(rows: pl.DataFrame, by_wording: pl.DataFrame) -> pl.DataFrame:
    shares = by_wording.group_by(*_KEY, "example").agg(
        pl.col("share").mean().alias("mean"),
        pl.col("share").filter(pl.col("wording") == CANONICAL).first().alias("canonical"),
        (pl.col("share") > 0.5).all().alias("worst"),
        (pl.col("share") > 0.5).any().alias("best"),
        pl.len().alias("wordings"),
    )
    # An answer that could not be read is not the same as another such; a null beside anything breaks "the same wrong answer".
    agreement = rows.group_by(*_KEY, "example").agg(
        (pl.col("number") == 1).all().alias("stable_correct"),
        (~(pl.col("number") > 0).any() & (pl.col("answer").n_unique() == 1) & pl.col("answer").is_not_null().all()).alias("stable_wrong"),
    )
    found = shares.join(agreement, on=[*_KEY, "example"]).filter(pl.col("wordings") >= 2).sort(*_KEY, "example")
    return found.with_columns(unstable=~(pl.col("stable_correct") | pl.col("stable_wrong")))


def _row(key: dict[str, Any], examples: pl.DataFrame) -> dict[str, Any]:
    head = {**{name: key[name] for name in _KEY}, "n": examples.height, "n_no_gold": key["n_no_gold"] or 0}
    if examples.is_empty():
        return {**head, "reason": "no_gold" if head["n_no_gold"] else "too_few_variants"}
    canonical = examples["canonical"].drop_nulls()
    found = {**head, "canonical": None if canonical.is_empty() else float(canonical.to_numpy().mean())}
    found |= _ends("canonical", wilson(float(canonical.sum()), canonical.len()))
    mean, spread = mean_interval(examples["mean"].to_numpy())
    if spread.se == 0:
        spread = wilson(mean * examples.height, examples.height)
    found |= {"mean": mean, **_ends("mean", spread)}
    for name in _SHARES:
        count = int(examples[name].sum())
        found |= {name: count / examples.height, **_ends(name, wilson(count, examples.height))}
    return found


def _of_wordings(mine: pl.DataFrame, seed: int, key: dict[str, Any]) -> dict[str, Any]:
    """Returns what compares wordings that examples share, on the examples that have all of them."""
    if mine.is_empty():
        return {}
    shares, names = _compared(mine)
    if not names:
        return {"n_wordings": 0, "n_compared": 0}
    found = wording_spread(shares, generator(seed, "accuracy", *(key[name] for name in _KEY)))
    row: dict[str, Any] = {"n_wordings": len(names), "n_compared": len(shares), "wording_mean": found.mean}
    for name in ("highest", "lowest", "spread", "combined"):
        row |= {name: getattr(found, name), **_ends(name, found.intervals[name])}
    return row | {"highest_optimism": _finite(found.optimism), "spread_chance": _finite(found.chance)}


def _compared(mine: pl.DataFrame) -> tuple[Floats, list[str]]:
    """Returns the shares of the largest block of examples by wordings without a gap, and the names of the wordings."""
    example, name, names = _coded(mine)
    block = largest_crossing(example, name)
    shares = np.full((block.examples.size, block.names.size), np.nan)
    rows, columns = (np.full(size, -1) for size in (int(example.max(initial=-1)) + 1, len(names)))
    rows[block.examples], columns[block.names] = np.arange(block.examples.size), np.arange(block.names.size)
    inside = (rows[example] >= 0) & (columns[name] >= 0)
    shares[rows[example[inside]], columns[name[inside]]] = mine["share"].to_numpy()[inside]
    return shares, [names[place] for place in block.names.tolist()]


def _of_reruns(mine: pl.DataFrame) -> dict[str, Any]:
    """Returns pass^k with k = the number of replies that most wordings have; of two as common the smaller."""
    replies = mine["replies"].to_numpy().astype(np.int64)
    k = int(np.bincount(replies).argmax()) if replies.size else 0
    if k < 2:
        return {}
    chance = mine.select("example", chance=pl.Series(all_right(mine["right"].to_numpy().astype(np.int64), replies, k)).fill_nan(None))
    each = chance.group_by("example").agg(pl.col("chance").mean())["chance"].drop_nulls().to_numpy()
    value, bracket = _mean_of_shares(each)
    return {"k": k, "pass_k": value, **_ends("pass_k", bracket)}


def _mean_of_shares(shares: Floats) -> tuple[float, Interval]:
    """Returns the mean of one share an example and its 95 % interval: Wilson's where all are 0 or 1, or the same."""
    mean, bracket = mean_interval(shares)
    if bool(np.isin(shares, (0.0, 1.0)).all()) or bracket.se == 0:
        return mean, wilson(mean * shares.size, shares.size)
    return mean, Interval(max(bracket.lower, 0.0), min(bracket.upper, 1.0), bracket.se)


def _coded(mine: pl.DataFrame) -> tuple[Integers, Integers, list[str]]:
    """Returns the code of the example and of the wording of each row, and the names of the wordings by code."""
    example = mine["example"].rank("dense").to_numpy().astype(np.int64) - 1
    name = mine["wording"].rank("dense").to_numpy().astype(np.int64) - 1
    return example, name, mine["wording"].unique().sort().to_list()


def _ends(name: str, bracket: Interval) -> dict[str, float | None]:
    lower, upper = _finite(bracket.lower), _finite(bracket.upper)
    return {f"{name}_lower": None if lower is None else max(lower, 0.0), f"{name}_upper": None if upper is None else min(upper, 1.0)}


def _finite(value: float) -> float | None:
    return value if value == value else None  # noqa: PLR0124
