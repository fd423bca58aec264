"""Do data sets agree on how unstable a model is, and what is it over all of them? (METRICS 7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from sago.arrays.intervals import LEVEL, ROUNDING
from sago.stats.claims.compared_words import place_of
from sago.stats.evidence import CALIBRATED, Cell, Evidence
from sago.stats.finding import DIFFERS, NOT_SHOWN, Finding, corrected, corrected_p
from sago.stats.pooling import POOL_UP_TO, Heterogeneity, Pooled, pooled
from sago.stats.pooling import heterogeneity as differing
from sago.stats.words import bracketed, figure, listed

_HALF = float(special.ndtri((1 + LEVEL) / 2))


def heterogeneity(evidence: Evidence) -> list[Finding]:
    """Returns, for every model and cell with two data sets or more, whether they differ beyond their errors: DIFFERS or NOT_SHOWN.

    Cochran's Q, its p corrected for few examples (Welch), Holm over models and cells. A data set on which every example has the same value
    takes no part and is named. ``estimate`` is the plain mean over data sets with the error of random effects, and null with
    reason ``heterogeneous`` where I2 > .5: then there is no common number.
    """
    cells: dict[tuple[str, str, str, str], list[dict[str, Any]]] = {}
    for row in _with_numbers(evidence).sort("model", "axis", "measure", "decoding", "dataset").iter_rows(named=True):
        cells.setdefault((row["model"], row["axis"], row["measure"], row["decoding"]), []).append(row)
    several = [rows for rows in cells.values() if len({row["dataset"] for row in rows}) > 1]
    made = [_tested(rows) for rows in several]
    findings = corrected([finding for finding, _ in made])
    return [_judged(*each, evidence.rules.alpha) for each in zip(findings, [found for _, found in made], several, strict=True)]


def _with_numbers(evidence: Evidence) -> pl.DataFrame:
    """Returns the default cells, without those of an axis that a model has on no data set."""
    return evidence.defaults.filter(pl.col("instability").is_not_null().any().over("model", "axis", "measure", "decoding"))


def _tested(rows: list[dict[str, Any]]) -> tuple[Finding, Heterogeneity]:
    first, known = rows[0], [row for row in rows if row["instability"] is not None and row["se"] is not None]
    spread = [row for row in known if row["se"] >= ROUNDING]
    usable = spread if len(spread) > 1 else known
    names, n = tuple(row["dataset"] for row in usable or rows), sum(row["n"] for row in usable)
    finding = Finding("heterogeneity", (first["model"],), names, first["axis"], first["measure"], first["decoding"], CALIBRATED, n)
    numbers = np.array([[row["instability"], row["se"]] for row in usable], dtype=np.float64).reshape(-1, 2)
    if len(usable) < 2:
        none = float("nan")
        return replace(finding, reason="too_few_datasets"), Heterogeneity(none, none, none, none, none, none, len(usable))
    values, errors = numbers.T
    found = differing(values, errors, np.array([row["n"] for row in usable], dtype=np.float64))
    together = pooled(values, errors)
    if np.isnan(found.q):
        return replace(finding, reason=together.reason), found
    finding = replace(finding, p=found.p, test="Cochran's Q test in Welch's form", threshold=POOL_UP_TO, **_numbers(together))
    return finding, found


def _numbers(together: Pooled) -> dict[str, Any]:
    if together.reason:
        return {"reason": together.reason}
    half = _HALF * together.macro_se
    return {"estimate": together.macro, "se": together.macro_se, "lower": together.macro - half, "upper": together.macro + half}


def _judged(finding: Finding, found: Heterogeneity, rows: list[dict[str, Any]], alpha: float) -> Finding:
    where = f"{finding.models[0]}, {place_of(Cell(finding.axis, finding.measure, finding.decoding), finding.mode)}"
    if finding.p is None or finding.p_adjusted is None:
        return replace(finding, sentence=f"{where}: whether data sets differ was not tested ({finding.reason}).")
    shown = finding.p_adjusted <= alpha
    differ = "differ in instability beyond their errors" if shown else "are not shown to differ in instability"
    detail = f"Q = {figure(found.q)}, I2 = {figure(found.i2)}, {corrected_p(finding, 'cell')}, n = {finding.n} examples"
    if finding.estimate is None:
        number = f"there is no pooled number, since more than half of the variation is no error (I2 above {figure(POOL_UP_TO)})"
    else:
        number = f"their mean is {bracketed(finding.estimate, finding.lower, finding.upper)}"
    left = [row["dataset"] for row in rows if row["dataset"] not in finding.datasets]
    beside = f" {listed(left)} could not take part: no number, or the same one for every example." if left else ""
    sentence = f"{where}: {listed(finding.datasets)} {differ} ({detail}); {number}.{beside}"
    return replace(finding, verdict=DIFFERS if shown else NOT_SHOWN, sentence=sentence)
