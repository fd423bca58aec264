"""Correctness beside stability, so that a constant or wrong-but-stable model does not look good (METRICS 3 and 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import Interval, mean_interval, wilson
from sago.arrays.grouping import Floats, Integers
from sago.records import CANONICAL
from sago.seeds import generator
from sago.stats.crossing import largest_crossing, shared_names, with_codes
from sago.stats.multiprompt import all_right, wording_spread
from sago.wordings import with_wordings

_KEY = ["model", "dataset", "decoding"]
_SHARES = ("worst", "best", "stable_correct", "stable_wrong", "unstable")


class Accuracies(NamedTuple):
    """Both tables, made of one pass over the readings.

    Attributes:
        cells: Table ``accuracy``: shares correct on the canonical wording, over all wordings, on the worst and the best.
        wordings: Table ``wording_accuracy``: the share correct on each wording that at least half of the examples share.
    """

    cells: pl.DataFrame
    wordings: pl.DataFrame


def accuracies(features: pl.DataFrame, variants: pl.DataFrame, *, seed: int = 0) -> Accuracies:
    """Returns tables ``accuracy`` and ``wording_accuracy``.

    Only examples with a gold answer and at least two wordings with data take part. With reruns, an example's share on a wording is the mean
    over them, and ``worst`` and ``best`` count a wording as right where more than half of its reruns are; the stable shares look at
    every response. Variants with the same prompt are one wording, and the replies to them its reruns (METRICS 1). Intervals stay within
    [0, 1]; those of a wording are Wilson's where every share is 0 or 1, else over examples.

    Args:
        features: Table ``features`` with readings ``correct`` and ``answer``.
        variants: Table ``variants``.
        seed: Study seed, for resampling.
    """
    of_cells: list[dict[str, Any]] = []
    of_wordings: list[dict[str, Any]] = []
    for key, of_cell, names in _cells(_rows(features, variants)):
        known = of_cell.filter(pl.col("number").is_not_null())
        by_wording = _by_wording(known)
        mine = by_wording.filter(pl.len().over("example") >= 2)
        no_gold = of_cell.filter(pl.col("reason") == "no_gold")["example"].n_unique()
        examples = _per_example(known, by_wording)
        of_cells.append({**key, **_row(examples, no_gold), **_of_wordings(mine, seed, key), **_of_reruns(mine)})
        of_wordings += [{**key, **row, "variant": names[row["variant"]]} for row in _shared_wordings(mine)]
    return Accuracies(schemas.frame("accuracy", of_cells), schemas.frame("wording_accuracy", of_wordings))


def accuracy(features: pl.DataFrame, variants: pl.DataFrame, *, seed: int = 0) -> pl.DataFrame:
    """Returns table ``accuracy`` alone; see :func:`accuracies`."""
    return accuracies(features, variants, seed=seed).cells


def wording_accuracy(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Returns table ``wording_accuracy`` alone; see :func:`accuracies`."""
    return accuracies(features, variants).wordings


def _rows(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    wordings = variants.filter(~pl.col("control")).select("dataset", "example", "variant")
    keys = list(schemas.KEYS)
    correct = features.filter((pl.col("feature") == "correct") & (pl.col("decoding") != "audit"))
    correct = with_wordings(correct.join(wordings, on=["dataset", "example", "variant"], how="semi"), variants)
    answers = features.filter(pl.col("feature") == "answer").select(*keys, answer="category")
    return correct.join(answers, on=keys, how="left").select(*_KEY, "example", "wording", "number", "reason", "answer")


def _cells(rows: pl.DataFrame) -> Iterator[tuple[dict[str, Any], pl.DataFrame, list[str]]]:
    """Yields key, rows and names of the wordings of each cell; examples, wordings and answers are codes, ``canonical`` is a flag."""
    for key, of_cell in rows.sort(_KEY).group_by(_KEY, maintain_order=True):
        flagged = of_cell.with_columns(canonical=pl.col("wording") == CANONICAL)
        names = of_cell["wording"].unique().sort().to_list()
        yield dict(zip(_KEY, key, strict=True)), with_codes(flagged, ("example", "wording", "answer")), names


def _by_wording(rows: pl.DataFrame) -> pl.DataFrame:
    """Returns one row for each example and wording: the share of its replies that are right, how many there are, how many are right."""
    return (
        rows.group_by("example", "wording")
        .agg(
            pl.col("number").mean().alias("share"),
            pl.len().alias("replies"),
            (pl.col("number") == 1).sum().alias("right"),
            pl.col("canonical").first(),
        )
        .sort("example", "wording")
    )


def _per_example(rows: pl.DataFrame, by_wording: pl.DataFrame) -> pl.DataFrame:
    shares = by_wording.group_by("example").agg(
        pl.col("share").mean().alias("mean"),
        pl.col("share").filter(pl.col("canonical")).first().alias("canonical"),
        (pl.col("share") > 0.5).all().alias("worst"),
        (pl.col("share") > 0.5).any().alias("best"),
        pl.len().alias("wordings"),
    )
    # An answer that could not be read is not the same as another such; a null beside anything breaks "the same wrong answer".
    agreement = rows.group_by("example").agg(
        (pl.col("number") == 1).all().alias("stable_correct"),
        (pl.col("number") > 0).any().alias("_any_right"),
        (pl.col("answer").min() == pl.col("answer").max()).fill_null(value=False).alias("_one"),
        pl.col("answer").is_not_null().all().alias("_read"),
    )
    agreement = agreement.with_columns(stable_wrong=~pl.col("_any_right") & pl.col("_one") & pl.col("_read"))
    found = shares.join(agreement, on="example").filter(pl.col("wordings") >= 2).sort("example")
    return found.with_columns(unstable=~(pl.col("stable_correct") | pl.col("stable_wrong")))


def _row(examples: pl.DataFrame, no_gold: int) -> dict[str, Any]:
    head = {"n": examples.height, "n_no_gold": no_gold}
    if examples.is_empty():
        return {**head, "reason": "no_gold" if no_gold else "too_few_variants"}
    canonical = examples["canonical"].drop_nulls()
    found: dict[str, Any] = {**head, "canonical": None if canonical.is_empty() else float(canonical.to_numpy().mean())}
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
    if not names.size:
        return {"n_wordings": 0, "n_compared": 0}
    found = wording_spread(shares, generator(seed, "accuracy", *(key[name] for name in _KEY)))
    row: dict[str, Any] = {"n_wordings": names.size, "n_compared": len(shares), "wording_mean": found.mean}
    for name in ("highest", "lowest", "spread", "combined"):
        row |= {name: getattr(found, name), **_ends(name, found.intervals[name])}
    return row | {"highest_optimism": _finite(found.optimism), "spread_chance": _finite(found.chance)}


def _shared_wordings(mine: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yields a row for each wording that examples share, ``variant`` as its code."""
    if mine.is_empty():
        return
    example, name = _places(mine)
    shares, (compared, codes) = mine["share"].to_numpy(), _compared(mine)
    means = dict(zip(codes.tolist(), compared.mean(axis=0).tolist(), strict=True)) if codes.size else {}
    for code in np.sort(shared_names(example, name)).tolist():
        of_it = shares[name == code]
        share, bracket = _mean_of_shares(of_it)
        row = {"variant": code, "n": of_it.size, "accuracy": share, "compared": means.get(code)}
        yield {**row, "lower": _finite(bracket.lower), "upper": _finite(bracket.upper)}


def _compared(mine: pl.DataFrame) -> tuple[Floats, Integers]:
    """Returns the shares of the largest block of examples by wordings without a gap, and the codes of the wordings."""
    example, name = _places(mine)
    block = largest_crossing(example, name)
    shares = np.full((block.examples.size, block.names.size), np.nan)
    rows, columns = (np.full(int(codes.max()) + 1, -1) for codes in (example, name))
    rows[block.examples], columns[block.names] = np.arange(block.examples.size), np.arange(block.names.size)
    inside = (rows[example] >= 0) & (columns[name] >= 0)
    shares[rows[example[inside]], columns[name[inside]]] = mine["share"].to_numpy()[inside]
    return shares, block.names


def _places(mine: pl.DataFrame) -> tuple[Integers, Integers]:
    """Returns the place of each row's example among those that are there, and the code of its wording; rows are sorted by example."""
    example = mine["example"].to_numpy()
    return np.concatenate([[0], np.cumsum(np.diff(example) != 0)]).astype(np.int64), mine["wording"].to_numpy()


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


def _ends(name: str, bracket: Interval) -> dict[str, float | None]:
    lower, upper = _finite(bracket.lower), _finite(bracket.upper)
    return {f"{name}_lower": None if lower is None else max(lower, 0.0), f"{name}_upper": None if upper is None else min(upper, 1.0)}


def _finite(value: float) -> float | None:
    return value if value == value else None  # noqa: PLR0124
