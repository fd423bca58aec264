"""Invented scores for the benchmarks of claims: tables of a run, from arrays whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats
from sago.arrays.intervals import mean_interval
from sago.stats.evidence import Evidence, Rules

Key = tuple[str, str, str]
"""Model, data set, axis."""

_MEASURES = {"generation": "answer_flip", "activations": "cosine", "confidence": "jsd", "mirroring": "distinctive_uptake"}


def evidence_of(
    scores: Mapping[Key, Floats],
    *,
    halves: Mapping[Key, tuple[Floats, Floats]] | None = None,
    rerun_p: Mapping[Key, float] | None = None,
    covariates: pl.DataFrame | None = None,
    rules: Rules | None = None,
) -> Evidence:
    """Returns evidence from per-example instabilities; the null is 1 and known, the floor 0, examples are called by their place.

    Args:
        scores: S_i of the examples of a cell; NaN = the model has none.
        halves: Half-scores of a cell (examples x splits), first and second.
        rerun_p: p of the rerun-floor test of a cell.
        covariates: Table ``covariates``.
        rules: What was fixed before looking.
    """
    of_halves = [schemas.empty("halves"), *(_halves(key, *both) for key, both in (halves or {}).items())]
    return Evidence(
        schemas.frame("profiles", [_profile(key, values, (rerun_p or {}).get(key)) for key, values in scores.items()]),
        scores=schemas.check("scores", pl.concat([_scores(key, values) for key, values in scores.items()])),
        halves=schemas.check("halves", pl.concat(of_halves)),
        covariates=schemas.empty("covariates") if covariates is None else covariates,
        rules=rules or Rules(),
    )


def _head(key: Key) -> dict[str, str]:
    model, dataset, axis = key
    return {"model": model, "dataset": dataset, "axis": axis, "measure": _MEASURES[axis], "decoding": "greedy"}


def _profile(key: Key, values: Floats, rerun_p: float | None) -> dict[str, object]:
    known = values[~np.isnan(values)]
    mean, interval = mean_interval(known)
    return {
        **_head(key),
        "default": True,
        "n": known.size,
        "n_left_out": values.size - known.size,
        "n_variants": 4.0,
        "n_reruns": 1.0,
        "across": mean,
        "across_se": interval.se,
        "across_lower": interval.lower,
        "across_upper": interval.upper,
        "rerun": 0.0,
        "unrelated": 1.0,
        "instability": mean,
        "se": interval.se,
        "se_floor": 0.0,
        "lower": interval.lower,
        "upper": interval.upper,
        "rerun_p": rerun_p,
        "flags": [],
    }


def _scores(key: Key, values: Floats) -> pl.DataFrame:
    score = pl.Series(values, dtype=pl.Float64).fill_nan(None)
    types = schemas.dtypes("scores")
    table = pl.DataFrame({"example": names(values.size), "across": score, "instability": score, "influence": score - score.mean()})
    facts = {
        **{name: pl.lit(value) for name, value in _head(key).items()},
        "rerun": pl.lit(0.0),
        "unrelated": pl.lit(1.0),
        "rerun_p": pl.lit(None),
        "n_variants": pl.lit(4),
        "n_observations": pl.lit(4),
        "reason": pl.when(pl.col("across").is_null()).then(pl.lit("not_observable")),
    }
    return table.with_columns(**facts).select(pl.col(name).cast(kind) for name, kind in types.items())


def _halves(key: Key, first: Floats, second: Floats) -> pl.DataFrame:
    facts = {name: pl.lit(value) for name, value in _head(key).items()}
    table = pl.DataFrame({"example": names(len(first)), "first": first.astype(np.float32), "second": second.astype(np.float32)})
    return table.with_columns(**facts).select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("halves").items())


def names(count: int) -> list[str]:
    """Returns ids of examples."""
    return [f"e{place:06d}" for place in range(count)]


def halves_of(wordings: Floats, rng: np.random.Generator, most: int = 50) -> tuple[Floats, Floats]:
    """Returns mean scores over the halves of wordings (examples x wordings) for all balanced splits, or ``most`` drawn ones."""
    count = wordings.shape[1]
    splits = [set(chosen) for chosen in combinations(range(count), count // 2) if count % 2 or 0 in chosen]
    if len(splits) > most:
        splits = [splits[place] for place in sorted(rng.choice(len(splits), most, replace=False))]
    first = np.array([[place in chosen for chosen in splits] for place in range(count)], dtype=np.float64)
    return wordings @ (first / first.sum(axis=0)), wordings @ ((1 - first) / (1 - first).sum(axis=0))
