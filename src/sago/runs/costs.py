"""What a planned study would take in time and money, and what an earlier run tells of that and of how much examples differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite, sqrt
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from sago.arrays.grouping import Floats
from sago.errors import InputError, RunFolderError
from sago.runs.plan import Plan
from sago.runs.run import Run
from sago.stats.evidence import CALIBRATED, Evidence
from sago.stats.reliability import spearman_brown

CHARACTERS_PER_TOKEN = 4.0
"""Assumed where no earlier run tells; English text."""

_AXIS = "generation"


@dataclass(frozen=True)
class Measured:
    """What an earlier run shows; null where it does not.

    Attributes:
        folder: The run.
        seconds: Seconds a call, by the model's name in the study; empty where none was measured.
        characters_per_token: Of prompts.
        new_tokens: Response tokens a call.
        sd: Standard deviation of the instability of single examples on the generation axis, median over its cells.
        paired_sd: That of the difference of two models, median over pairs and cells.
        reliability: Of the scores of single examples on that axis, median over its cells, with ``variants`` wordings.
    """

    folder: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    characters_per_token: float | None = None
    new_tokens: float | None = None
    sd: float | None = None
    paired_sd: float | None = None
    reliability: float | None = None
    variants: int | None = None


@dataclass(frozen=True)
class Costs:
    """What a study would take.

    Attributes:
        prompt_tokens: Tokens of all prompts that are sent.
        new_tokens: Response tokens: as many as an earlier run made, else the most there can be.
        seconds: Time; null where no speed is known.
        money: In the currency of the prices; null without prices.
    """

    prompt_tokens: float
    new_tokens: float
    seconds: float | None
    money: float | None


def costs_of(
    plan: Plan,
    models: Sequence[str],
    *,
    like: Measured | None = None,
    seconds_per_call: float | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
) -> Costs:
    """Returns what a plan would take.

    Args:
        plan: What would be asked.
        models: Models as the study names them; one that the earlier run has too takes its own speed, another their mean.
        like: An earlier run; null = a token has four characters, and every response is as long as it may be.
        seconds_per_call: Speed; wins over that of the earlier run.
        price_in: Price of a million prompt tokens.
        price_out: Price of a million response tokens.

    Raises:
        InputError: If a speed or price is no number of 0 or more.
    """
    for name, value in (("--seconds-per-call", seconds_per_call), ("--price-in", price_in), ("--price-out", price_out)):
        if value is not None and not (isfinite(value) and value >= 0):
            raise InputError(f"{value:g} is no amount", where=name, fix="Give a number of 0 or more")
    prompt = plan.sent_characters / (like.characters_per_token if like and like.characters_per_token else CHARACTERS_PER_TOKEN)
    new = float(plan.new_tokens) if like is None or like.new_tokens is None else plan.calls * like.new_tokens
    speeds = like.seconds if like else {}
    seconds: float | None = None
    if seconds_per_call is not None:
        seconds = plan.calls * seconds_per_call
    elif speeds:
        mean = sum(speeds.values()) / len(speeds)
        seconds = sum(speeds.get(model, mean) for model in models) * plan.calls / len(models)
    money = None if price_in is None and price_out is None else (prompt * (price_in or 0.0) + new * (price_out or 0.0)) / 1e6
    return Costs(prompt, new, seconds, money)


def measured_in(folder: str | Path) -> Measured:
    """Returns what an earlier run shows of speed, tokens and spread.

    Raises:
        RunFolderError: If it is no run folder, or holds no observations.
    """
    run = Run(folder)
    asked = run.observations.filter(~pl.col("status").is_in(["error", "too_long"]))
    if asked.is_empty():
        raise RunFolderError("holds no answers to learn from", where=str(folder), fix="Give a run that was begun, or leave --like out")
    specs = {name: entry.get("spec", name) for name, entry in run.manifest["models"].items()}
    speed = asked.filter(pl.col("seconds").is_not_null()).group_by("model").agg(pl.col("seconds").mean()).sort("model")
    contents = pl.col("messages").list.eval(pl.element().struct.field("content").str.len_chars()).list.sum()
    sizes = run.variants.select("dataset", "example", "variant", characters=contents).filter(pl.col("characters") > 0)
    counted = asked.filter(pl.col("prompt_tokens") > 0).join(sizes, on=["dataset", "example", "variant"])
    made = asked.select(pl.coalesce(pl.col("response_tokens"), pl.col("response_token_ids").list.len())).to_series().mean()
    evidence = Evidence(run.profiles, scores=run.scores, halves=run.halves)
    reliability = _median(_reliabilities(evidence))
    wordings = _median(_defaults(evidence)["n_variants"].drop_nulls().to_list())
    return Measured(
        folder=str(folder),
        seconds={specs.get(model, model): seconds for model, seconds in speed.iter_rows()},
        characters_per_token=int(counted["characters"].sum()) / int(counted["prompt_tokens"].sum()) if counted.height else None,
        new_tokens=float(made) if isinstance(made, float) and made > 0 else None,
        sd=_median([se * sqrt(n) for se, n in _defaults(evidence).select("se", "n").drop_nulls().iter_rows() if n > 1 and se > 0]),
        paired_sd=_median(_paired(evidence)),
        reliability=reliability if wordings is not None else None,
        variants=round(wordings) if wordings is not None and reliability is not None else None,
    )


def _defaults(evidence: Evidence) -> pl.DataFrame:
    return evidence.defaults.filter((pl.col("axis") == _AXIS) & pl.col("instability").is_not_null())


def _paired(evidence: Evidence) -> list[float]:
    """Returns the standard deviation of the difference of every pair of models on every data set."""
    found = []
    for cell in evidence.cells():
        if cell.axis != _AXIS:
            continue
        for dataset in evidence.datasets(cell):
            for first, second in combinations(evidence.paired(cell, dataset, CALIBRATED).influence, 2):
                apart = (first - second)[~np.isnan(first - second)]
                if apart.size > 1 and np.ptp(apart) > 0:
                    found.append(float(apart.std(ddof=1)))
    return found


def _reliabilities(evidence: Evidence) -> list[float]:
    """Returns the split-half reliability of every default cell, stepped up to all wordings, where it has one."""
    cells = _defaults(evidence).select("model", "dataset", "axis", "measure", "decoding").unique()
    rows = evidence.halves.join(cells, on=cells.columns, how="semi").partition_by(cells.columns)
    found = (_mean_correlation(*(_splits(of_cell[side]) for side in ("first", "second"))) for of_cell in rows)
    return [whole for half in found if not np.isnan(half) and not np.isnan(whole := spearman_brown(half))]


def _splits(column: pl.Series) -> Floats:
    result: Floats = np.array([[np.nan if value is None else value for value in row] for row in column.to_list()], dtype=np.float64)
    return result


def _mean_correlation(first: Floats, second: Floats) -> float:
    found = []
    for x, y in zip(first.T, second.T, strict=True):
        known = ~np.isnan(x) & ~np.isnan(y)
        if known.sum() >= 3 and np.ptp(x[known]) > 0 and np.ptp(y[known]) > 0:
            found.append(float(np.corrcoef(x[known], y[known])[0, 1]))
    return float(np.mean(found)) if found else float("nan")


def _median(values: Sequence[float]) -> float | None:
    return float(median(values)) if values else None
