"""Findings of a run that never happened: 3 models x 2 data sets x 4 axes, every claim, beside the tables of ``sample``."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import polars as pl
from tests.reports.sample import CHOICE, MODELS, TEXT, sample_tables

from sago import schemas
from sago.schemas import Tables
from sago.seeds import generator
from sago.stats.words import bracketed, figure

THREE = (*MODELS, "Qwen3-0.6B")
SETS = (CHOICE, TEXT)
MEASURES = {
    "generation": "answer_flip",
    "activations": "state_cosine",
    "confidence": "option_probability",
    "mirroring": "distinctive_uptake",
}
CENTRES = {
    (CHOICE, "generation"): (0.41, 0.22, 0.12),
    (TEXT, "generation"): (0.18, 0.31, 0.35),
    (CHOICE, "activations"): (0.16, 0.10, 0.07),
    (TEXT, "activations"): (0.12, 0.09, 0.11),
    (CHOICE, "confidence"): (0.19, 0.17, 0.02),
    (TEXT, "confidence"): (0.08, 0.06, 0.07),
    (CHOICE, "mirroring"): (0.03, 0.06, 0.01),
    (TEXT, "mirroring"): (0.05, 0.02, 0.02),
}
"""Data set and axis -> instability of each model."""

N = {CHOICE: 240, TEXT: 180}
SE = 0.022


def claims_tables() -> Tables:
    """Returns the tables of the sample with a third model, profiles of four axes, and findings of every claim."""
    base = sample_tables()

    def third(table: pl.DataFrame) -> pl.DataFrame:
        return pl.concat([table, table.filter(pl.col("model") == MODELS[1]).with_columns(model=pl.lit(THREE[2]))])

    copied = {name: third(getattr(base, name)) for name in ("observations", "features", "scores", "accuracy")}
    return replace(
        base,
        **copied,
        profiles=schemas.frame("profiles", [_profile(*cell) for cell in cells()]),
        findings=schemas.frame("findings", claims_findings()),
    )


def cells() -> list[tuple[str, str, str]]:
    return [(model, dataset, axis) for dataset in SETS for axis in MEASURES for model in THREE]


def value(model: str, dataset: str, axis: str) -> float:
    return CENTRES[dataset, axis][THREE.index(model)]


def _profile(model: str, dataset: str, axis: str) -> dict[str, Any]:
    s = value(model, dataset, axis)
    mirroring = axis == "mirroring"
    unrelated, rerun = (0.02, None) if mirroring else (0.74, 0.03)
    across = s if mirroring else s * (unrelated - (rerun or 0.0)) + (rerun or 0.0)
    row: dict[str, Any] = {"model": model, "dataset": dataset, "axis": axis, "measure": MEASURES[axis], "decoding": "greedy"}
    row |= {"default": True, "n": N[dataset], "n_left_out": 0, "n_variants": 6.0, "n_reruns": 1.0, "across": across, "across_se": SE * 0.7}
    row |= {"across_lower": across - 1.4 * SE, "across_upper": across + 1.4 * SE, "rerun": rerun, "unrelated": unrelated}
    row |= {"instability": s, "se": SE, "lower": s - 1.96 * SE, "upper": s + 1.96 * SE, "se_wordings": 0.03, "se_floor": 0.004}
    row |= {"without_lowest": s - 0.02, "without_highest": s + 0.03, "se_total": 0.037, "star_across": across - 0.01}
    row |= {"star_instability": s - 0.01, "star_se": 0.024}
    if axis in ("generation", "confidence"):
        row |= {"unrelated_common": 0.71, "instability_common": s * 1.04}
    return row | {"flags": [] if mirroring else ["noise_floor=audit"]}


def _bare(claim: str, models: tuple[str, ...], datasets: tuple[str, ...], axis: str, mode: str = "calibrated") -> dict[str, Any]:
    measure = " & ".join(MEASURES.get(part, "all") for part in axis.split(" & "))
    row = {"claim": claim, "models": list(models), "datasets": list(datasets), "axis": axis, "measure": measure, "decoding": "greedy"}
    return row | {"mode": mode, "n": sum(N[dataset] for dataset in datasets)}


def _interval(estimate: float, half: float) -> dict[str, float]:
    return {"estimate": estimate, "se": half / 1.96, "lower": estimate - half, "upper": estimate + half}


def claims_findings() -> list[dict[str, Any]]:
    return [*_controls(), *_instability(), *_consistency(), *_independence(), *_beside_axes(), *_reversals(), *_ranks(), *_profile_claims()]


def _controls() -> list[dict[str, Any]]:
    model, axis = THREE[0], "activations"
    number = "the control identity (the same prompt again, should be 0) FAILED with .094 [.061, .127], n = 50 examples"
    sentence = f"{model} on {TEXT}, {axis} ({MEASURES[axis]}, greedy): {number}: this run proves nothing about that cell."
    row = _bare("controls", (model,), (TEXT,), axis) | _interval(0.094, 0.033)
    return [row | {"verdict": "FAILED", "sentence": sentence, "n": 50}]


def passed_controls() -> dict[str, Any]:
    """Returns the finding of a run in which no control failed."""
    sentence = "All 20 controls that could be judged pass (identity 8 and shuffled 12; each on 50 examples or more)."
    return _bare("controls", THREE, SETS, "all") | {"verdict": "PASSED", "sentence": sentence}


def _verdict(s: float) -> str:
    return "UNSTABLE" if s - 1.645 * SE > 0.05 else "STABLE" if s + 1.645 * SE < 0.05 else "INCONCLUSIVE"


def _instability() -> list[dict[str, Any]]:
    rows = []
    for mode in ("calibrated", "raw"):
        for model, dataset, axis in cells():
            s = value(model, dataset, axis) * (1.0 if mode == "calibrated" else 0.71)
            verdict, close = _verdict(s), 0.086 < s < 0.095
            where = f"{model} on {dataset}, {axis} ({MEASURES[axis]}, greedy)"
            number = bracketed(s, s - 1.96 * SE, s + 1.96 * SE)
            sentence = (
                f"{where}: another wording moves it by {number} of what another question does, beyond what asking again moves it. "
                f"{verdict} at .050 (p {'= .061' if close else '< .001'} by z test, Holm over 24 cells, n = {N[dataset]} examples)."
            )
            row = _bare("instability", (model,), (dataset,), axis, mode) | _interval(s, 1.96 * SE)
            p = 0.03 if close else 0.0001 if verdict == "UNSTABLE" else 0.4
            row |= {"threshold": 0.05, "test": "z test", "p": p, "p_adjusted": min(1.0, p * 2.1), "tests": 24}
            rows.append(row | {"verdict": verdict, "sentence": sentence})
    for model, dataset, axis in cells():
        if axis == "mirroring":
            continue
        sentence = f"{model} on {dataset}, {axis}: not tested against asking twice (no_reruns)."
        rows.append(
            _bare("rerun_floor", (model,), (dataset,), axis, "raw") | {"reason": "no_reruns", "sentence": sentence, "verdict": "NOT_TESTED"}
        )
    return rows


def _consistency() -> list[dict[str, Any]]:
    rows = []
    for model in THREE:
        for axis in MEASURES:
            low = min(value(model, dataset, axis) for dataset in SETS)
            shown = _verdict(low) == "UNSTABLE"
            says = "on 2 of 2 data sets (p < .001 by partial conjunction, Holm over 12, I2 = .31)" if shown else "on no 2 of 2 data sets"
            row = _bare("consistency", (model,), SETS, axis) | {"estimate": 2.0 if shown else 0.0, "p": 0.0001 if shown else 0.3}
            row |= {"p_adjusted": 0.0012 if shown else 1.0, "tests": 12, "test": "partial conjunction"}
            rows.append(row | {"verdict": "CONSISTENT" if shown else "NOT_SHOWN", "sentence": f"{model} is UNSTABLE in {axis} {says}."})
        sentence = f"{model} on {CHOICE}: 31 of 240 questions are unstable for themselves after Benjamini-Hochberg, q1 and q7 the most."
        row = _bare("unstable_examples", (model,), (CHOICE,), "generation") | {"estimate": 31.0, "verdict": "FOUND"}
        rows.append(row | {"sentence": sentence})
    every = "None of the 3 models generalises uniformly: each is UNSTABLE in a cell (largest p = .003, Holm over the cells of a model)."
    rows.append(_bare("uniformity", THREE, SETS, "all") | {"p": 0.003, "p_adjusted": 0.003, "verdict": "NONE_UNIFORM", "sentence": every})
    differ = "The data sets differ too much for one number: generation of Qwen3-0.6B, I2 = .97 over 2 data sets (p < .001 by Q test)."
    row = _bare("heterogeneity", (THREE[2],), SETS, "generation") | {"estimate": 0.97, "p": 0.0001, "p_adjusted": 0.0003}
    rows.append(row | {"verdict": "DIFFERS", "sentence": differ})
    return rows


PAIRS = tuple(f"{one} & {other}" for one, other in combinations(MEASURES, 2))
POOLED = dict(
    zip(
        PAIRS,
        (
            *((0.61, 0.09, "DEPENDENT"), (0.48, 0.11, "DEPENDENT"), (0.02, 0.12, "INDEPENDENT")),
            *((0.25, 0.14, "INCONCLUSIVE"), (-0.04, 0.13, "INDEPENDENT"), (None, None, "NOT_ASSESSABLE")),
        ),
        strict=True,
    )
)


def _independence() -> list[dict[str, Any]]:
    rows = []
    for pair, (rho, half, verdict) in POOLED.items():
        strata = [((model,), (dataset,)) for model in THREE for dataset in SETS]
        for models, datasets in [*strata, (THREE, SETS)]:
            is_pooled = len(models) > 1
            row = _bare("independence", models, datasets, pair)
            if rho is None or half is None:
                reason = {"verdict": "NOT_ASSESSABLE", "reason": "unreliable", "sentence": f"{pair}: reliability .21 is below .40."}
                rows.append(row | reason)
                continue
            noise = 0.0 if is_pooled else float(generator("rho", models[0], datasets[0], pair).normal(0, 0.06))
            wide = half if is_pooled else half * 2
            said = verdict if is_pooled or verdict == "DEPENDENT" else "INCONCLUSIVE"
            where = "3 models and 2 data sets" if is_pooled else f"{models[0]} on {datasets[0]}"
            sentence = (
                f"{pair} over {where}: correlation {bracketed(rho + noise, rho + noise - wide, rho + noise + wide)}, corrected for "
                f"reliability (.71 and .64), is {said} at a margin of .30 (p = .004 by two one-sided tests, Holm over 6 pairs)."
            )
            row |= _interval(rho + noise, wide) | {"threshold": 0.3, "test": "two one-sided tests", "p": 0.002, "p_adjusted": 0.004}
            rows.append(row | {"tests": 6, "verdict": said, "sentence": sentence})
    return rows


def _beside_axes() -> list[dict[str, Any]]:
    rows = []
    for place, pair in enumerate(PAIRS):
        lift = 1.1 + 0.3 * place
        row = (
            _bare("failure_overlap", THREE, SETS, pair) | _interval(lift, 0.4) | {"p": 0.02 * (6 - place), "p_adjusted": 0.2 - 0.03 * place}
        )
        sentence = (
            f"The worst tenth of {pair} overlaps {lift:.1f} times as often as by chance (Mantel-Haenszel odds ratio {lift + 0.4:.1f})."
        )
        rows.append(row | {"verdict": "DEPENDENT" if place > 3 else "NOT_SHOWN", "sentence": sentence})
        row = _bare("partial_correlation", THREE, SETS, pair) | _interval(0.3 - 0.05 * place, 0.12)
        rows.append(
            row | {"verdict": "NOT_SHOWN", "p": 0.1, "sentence": f"{pair}: with length and difficulty held, {figure(0.3 - 0.05 * place)}."}
        )
    for axis in MEASURES:
        adds = axis in ("generation", "mirroring")
        share = 0.11 if adds else 0.004
        sentence = f"{axis} {'adds' if adds else 'is not shown to add'} to the plain log-probability (partial R2 = {figure(share)})."
        row = _bare("added_information", THREE, SETS, axis) | {"estimate": share, "p": 0.001 if adds else 0.4}
        rows.append(row | {"verdict": "ADDS" if adds else "NOT_SHOWN", "sentence": sentence})
    four = "The four axes have 2.6 [2.2, 3.0] dimensions (participation ratio; 4 = all apart, 1 = one factor)."
    rows.append(_bare("dimensions", THREE, SETS, "all") | _interval(2.6, 0.4) | {"verdict": "DESCRIBED", "sentence": four})
    return rows


def _reversals() -> list[dict[str, Any]]:
    rows = []
    for mode in ("calibrated", "raw"):
        for axis in MEASURES:
            turned = 0
            for one, other in combinations(THREE, 2):
                here, there = (value(one, dataset, axis) - value(other, dataset, axis) for dataset in SETS)
                shown = here * there < 0 and min(abs(here), abs(there)) > 0.1
                turned += shown
                sentence = (
                    f"{one} and {other} {'change places' if shown else 'are not shown to change places'} in {axis} between {CHOICE} "
                    f"({here:+.2f}) and {TEXT} ({there:+.2f}) (p {'< .001' if shown else '= .412'}, intersection-union, Holm over 12)."
                )
                row = _bare("reversal", (one, other), SETS, axis, mode) | {"estimate": min(abs(here), abs(there)), "tests": 12}
                row |= {"p": 0.0001 if shown else 0.2, "p_adjusted": 0.0005 if shown else 1.0, "test": "intersection-union"}
                rows.append(row | {"verdict": "REVERSED" if shown else "NOT_SHOWN", "sentence": sentence})
            sentence = f"{turned} of 3 pairs of models reverse their order in {axis} between {CHOICE} and {TEXT} (Holm over 12 tests)."
            row = _bare("reversal", THREE, SETS, axis, mode) | {"estimate": float(turned), "tests": 12}
            rows.append(row | {"verdict": "REVERSED" if turned else "NOT_SHOWN", "sentence": sentence})
    for one, other in combinations(THREE, 2):
        row = _bare("reversal_omnibus", (one, other), SETS, "generation") | {"p": 0.02, "p_adjusted": 0.04, "test": "Gail-Simon"}
        sentence = f"{one} and {other}: the sign of their difference changes over the data sets (p = .040 by Gail-Simon, Holm over 3)."
        rows.append(row | {"verdict": "REVERSED", "sentence": sentence})
    for axis in MEASURES:
        differ = axis == "generation"
        row = _bare("rank_agreement", THREE, SETS, axis) | _interval(-0.33, 0.5 if differ else 1.2)
        says = "differ more between the data sets than between halves of one" if differ else "are not shown to differ between the data sets"
        sentence = f"Orders of the 3 models in {axis} {says}: tau-b -.33 [-.83, .17] against .91 within."
        rows.append(row | {"verdict": "RANKS_DIFFER" if differ else "NOT_SHOWN", "sentence": sentence})
    return rows


def _ranks() -> list[dict[str, Any]]:
    rows = []
    for mode in ("calibrated", "raw"):
        for model, dataset, axis in cells():
            here = {other: value(other, dataset, axis) for other in THREE}
            better = sum(here[model] - other > 0.06 for other in here.values())
            worse = sum(other - here[model] > 0.06 for other in here.values())
            rank = 1.0 + sum(other < here[model] for other in here.values())
            row = _bare("rank", (model,), (dataset,), axis, mode) | {"estimate": rank, "lower": 1.0 + better, "upper": 3.0 - worse}
            sentence = f"{model} has rank {rank:.0f} [{1 + better}, {3 - worse}] of 3 in {axis} on {dataset}."
            rows.append(row | {"verdict": "RANKED", "sentence": sentence})
    return rows


def _profile_claims() -> list[dict[str, Any]]:
    rows = []
    for one, other in combinations(THREE, 2):
        sentence = f"{other} is more stable than {one} on every axis in .41 of joint resamples, which is below .95."
        rows.append(_bare("dominance", (other, one), (CHOICE,), "all") | {"estimate": 0.41, "verdict": "NOT_SHOWN", "sentence": sentence})
    for model, share in zip(THREE, (0.08, 0.21, 0.71), strict=True):
        sentence = f"{model} is the most stable under {figure(share)} of all weightings of the axes."
        row = _bare("acceptability", (model,), SETS, "all") | {"estimate": share}
        rows.append(row | {"verdict": "DESCRIBED", "sentence": sentence})
    return rows
