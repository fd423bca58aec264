"""Is a model unstable on several data sets, over several families of wordings, and everywhere somewhere? (METRICS 8, 1d and 1e)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sago.arrays.grouping import Floats
from sago.stats.claims.compared_words import examples_of
from sago.stats.evidence import CALIBRATED, MODES, Evidence
from sago.stats.finding import NOT_SHOWN, Finding
from sago.stats.multiplicity import nested_holm, partial_conjunction
from sago.stats.pooling import heterogeneity
from sago.stats.smallest_effect import CellTest, calibrated_test, cell_tests
from sago.stats.words import counted, figure, listed, probability

CONSISTENCY, UNIFORMITY = "consistency", "uniformity"
CONSISTENT, PARTLY = "CONSISTENT", "PARTLY"
NONE_UNIFORM = "NONE_UNIFORM"
EACH = "each"
"""Family of a finding that is about every family of wordings by itself."""


@dataclass(frozen=True)
class _Places:
    """What one model shows in several places: data sets, or families of wordings; sorted by name."""

    names: tuple[str, ...]
    tests: tuple[CellTest, ...]

    @property
    def p(self) -> Floats:
        return np.array([test.finding.p for test in self.tests], dtype=np.float64)


def consistency(evidence: Evidence) -> list[Finding]:
    """Returns in how many data sets, and over how many families of wordings, each model is above the smallest effect.

    The largest u up to which "in at least u of D" has p_{u/D} = min(1, (D - u + 1) p_(u)) at or below alpha after Holm over the models
    (Benjamini & Heller 2008): of a model u = 1, 2, ... are tested in this order, which needs no correction among them. CONSISTENT: u = D;
    PARTLY: 0 < u < D; NOT_SHOWN: u = 0, which is no proof of stability. A model with one data set, or one family, makes no finding.
    """
    found: list[Finding] = []
    for mode in MODES:
        groups: dict[tuple[str, ...], list[CellTest]] = {}
        for test in cell_tests(evidence, CONSISTENCY, mode):
            about = test.finding
            groups.setdefault((about.axis, about.measure, about.decoding), []).append(test)
        for tests in groups.values():
            found += _over(_by_model(tests, "dataset"), evidence.rules.alpha, "data sets")
    families: dict[tuple[str, ...], list[CellTest]] = {}
    for row in _families(evidence).iter_rows(named=True):
        key = (row["dataset"], row["axis"], row["measure"], row["decoding"])
        families.setdefault(key, []).append(calibrated_test(row, CONSISTENCY, evidence.rules))
    for tests in families.values():
        found += _over(_by_model(tests, "family"), evidence.rules.alpha, "families of wordings")
    return found


def _families(evidence: Evidence) -> pl.DataFrame:
    """Returns the rows of the families of default measures."""
    cell = ["model", "dataset", "axis", "measure", "decoding"]
    rows = evidence.profiles.filter(pl.col("family").is_not_null() & pl.col("layer").is_null())
    return rows.join(evidence.defaults.select(cell), on=cell, how="semi")


def _by_model(tests: list[CellTest], place: str) -> dict[str, _Places]:
    """Returns the tested places of every model that has two or more."""
    found: dict[str, list[CellTest]] = {}
    for test in tests:
        if test.finding.p is not None:
            found.setdefault(test.finding.models[0], []).append(test)
    by_name = {model: sorted(mine, key=lambda test: str(test.row[place])) for model, mine in sorted(found.items())}
    return {model: _Places(tuple(test.row[place] for test in mine), tuple(mine)) for model, mine in by_name.items() if len(mine) > 1}


def _over(models: dict[str, _Places], alpha: float, what: str) -> list[Finding]:
    """Returns a finding for each model: the largest u up to which all pass, Holm over the models."""
    if not models:
        return []
    most = max(len(places.tests) for places in models.values())
    raw = np.full((len(models), most), np.nan)
    for row, places in enumerate(models.values()):
        raw[row, : len(places.tests)] = [partial_conjunction(places.p, u + 1) for u in range(len(places.tests))]
    adjusted = nested_holm(raw)
    found = []
    for row, (model, places) in enumerate(models.items()):
        u = int((adjusted[row] <= alpha).sum())
        at = max(u, 1) - 1
        found.append(_conjunction(model, places, u, (float(raw[row, at]), float(adjusted[row, at])), len(models), what))
    return found


def _conjunction(model: str, places: _Places, u: int, p: tuple[float, float], models: int, what: str) -> Finding:
    first, count = places.tests[0].finding, len(places.tests)
    datasets = tuple(dict.fromkeys(test.row["dataset"] for test in places.tests))
    of_families = what != "data sets"
    where = f"{model} on {listed(datasets)}, {first.axis} ({first.measure}, {first.decoding})"
    where += ", raw" if first.mode != CALIBRATED else ""
    threshold = figure(first.threshold or 0.0)
    at_least = "all" if u == count else f"at least {u} of"
    shown = f"above {threshold} in {at_least} {count} {what}" if u else f"not shown to be above {threshold} in any of {count} {what}"
    n = examples_of([test.finding.n for test in places.tests])
    detail = f"({probability(p[1])} by partial conjunction, Holm over {counted(models, 'model')}, {n} examples each)"
    numbers = listed([f"{name} {figure(test.finding.estimate or 0.0)}" for name, test in zip(places.names, places.tests, strict=True)])
    return Finding(
        CONSISTENCY,
        (model,),
        datasets,
        first.axis,
        first.measure,
        first.decoding,
        first.mode,
        sum(test.finding.n for test in places.tests) if not of_families else max(test.finding.n for test in places.tests),
        family=EACH if of_families else None,
        estimate=float(u),
        threshold=first.threshold,
        test="partial conjunction",
        p=p[0],
        p_adjusted=p[1],
        tests=models,
        verdict=CONSISTENT if u == count else PARTLY if u else NOT_SHOWN,
        sentence=f"{where}: {shown} {detail}; {numbers}{_spread(places)}{_left_out(places)}.",
    )


def _spread(places: _Places) -> str:
    estimates, errors = (np.array([getattr(test.finding, name) for test in places.tests], dtype=np.float64) for name in ("estimate", "se"))
    i2 = heterogeneity(estimates, errors).i2
    return "" if np.isnan(i2) else f"; an estimated {100 * i2:.0f} % of their spread is beyond their errors (I2)"


def _left_out(places: _Places) -> str:
    """Says between what the instability stays with any one wording left out, where that is known of every place."""
    if places.tests[0].finding.mode != CALIBRATED:
        return ""
    low, high = ([test.row[name] for test in places.tests] for name in ("without_lowest", "without_highest"))
    if any(value is None for value in [*low, *high]):
        return ""
    return f"; with any one wording left out they stay between {figure(min(low))} and {figure(max(high))}"


def uniformity(evidence: Evidence) -> list[Finding]:
    """Returns whether no model generalises uniformly: whether each of them is above the smallest effect in some cell.

    For each model p_m = the smallest p of its k cells times k (what Holm makes of it); for all models together their largest p_m, an
    intersection-union test. NONE_UNIFORM where that is at or below alpha. One model alone makes no finding.
    """
    found = []
    for mode in MODES:
        by_model: dict[str, list[Finding]] = {}
        for test in cell_tests(evidence, UNIFORMITY, mode):
            if test.finding.p is not None:
                by_model.setdefault(test.finding.models[0], []).append(test.finding)
        if len(by_model) > 1:
            found.append(_uniform(by_model, mode, evidence))
    return found


def _uniform(by_model: dict[str, list[Finding]], mode: str, evidence: Evidence) -> Finding:
    smallest = {model: min(mine, key=lambda one: (one.p or 0.0, one.datasets, one.axis)) for model, mine in by_model.items()}
    of_model = {model: min(1.0, (smallest[model].p or 0.0) * len(mine)) for model, mine in by_model.items()}
    p, threshold, alpha = max(of_model.values()), figure(evidence.rules.smallest_effect), evidence.rules.alpha
    every = [one for mine in by_model.values() for one in mine]
    uniform = sorted(model for model, value in of_model.items() if value > alpha)
    sizes = f"{_cells(by_model)}, {examples_of([one.n for one in every])} examples each"
    detail = f"({probability(p)}, the largest over models of the smallest p of its cells, Holm over them; {sizes})"
    raw = "" if mode == CALIBRATED else "raw, "
    if uniform:
        said = f"Not shown for {listed(uniform)}, {raw}of {len(by_model)} models, that some cell is above {threshold}"
    else:
        said = f"None of the {len(by_model)} models generalises uniformly: {raw}each is above {threshold} in at least one of its cells"
    head: dict[str, Any] = {name: _one([getattr(one, name) for one in every]) for name in ("axis", "measure", "decoding")}
    return Finding(
        UNIFORMITY,
        tuple(sorted(by_model)),
        tuple(sorted({one.datasets[0] for one in every})),
        **head,
        mode=mode,
        n=min(one.n for one in every),
        estimate=float(sum(value <= alpha for value in of_model.values())),
        threshold=evidence.rules.smallest_effect,
        test="intersection-union of the smallest p",
        p=p,
        p_adjusted=p,
        tests=1,
        verdict=NOT_SHOWN if uniform else NONE_UNIFORM,
        sentence=f"{said} {detail}.",
    )


def _cells(by_model: dict[str, list[Finding]]) -> str:
    counts = sorted({len(mine) for mine in by_model.values()})
    return f"{counts[0]} cells a model" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} cells a model"


def _one(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else "all"
