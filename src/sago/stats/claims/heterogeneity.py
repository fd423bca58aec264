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

_FLAT = "no_spread"
_HALF = float(special.ndtri((1 + LEVEL) / 2))


def heterogeneity(evidence: Evidence) -> list[Finding]:
    """Returns, for every model and cell with two data sets or more, whether they differ beyond their errors: DIFFERS or NOT_SHOWN.

    Welch's and Fisher's tests of equal means, of which both have to reject; Holm over models and cells. ``estimate`` is the plain mean
    over data sets with the error of random effects, and null with reason ``heterogeneous`` where I2 > .5: then there is no common number.
    A data set without a number, or without a spread among its examples, takes no part, and the sentence says which; two others are needed.
    """
    cells: dict[tuple[str, str, str, str], list[dict[str, Any]]] = {}
    for row in _with_numbers(evidence).sort("model", "axis", "measure", "decoding", "dataset").iter_rows(named=True):
        cells.setdefault((row["model"], row["axis"], row["measure"], row["decoding"]), []).append(row)
    made = [_tested(rows) for rows in cells.values() if len({row["dataset"] for row in rows}) > 1]
    findings = corrected([finding for finding, *_ in made])
    return [_judged(finding, found, left, evidence.rules.alpha) for finding, (_, found, left) in zip(findings, made, strict=True)]


def _with_numbers(evidence: Evidence) -> pl.DataFrame:
    """Returns the default cells, without those of an axis that a model has on no data set."""
    return evidence.defaults.filter(pl.col("instability").is_not_null().any().over("model", "axis", "measure", "decoding"))


def _tested(rows: list[dict[str, Any]]) -> tuple[Finding, Heterogeneity, dict[str, str]]:
    why = {row["dataset"]: _why_not(row) for row in rows}
    first, usable = rows[0], [row for row in rows if why[row["dataset"]] is None]
    left = {name: reason for name, reason in why.items() if reason is not None}
    known = [row for row in rows if row["instability"] is not None]
    names, n = tuple(row["dataset"] for row in usable or known or rows), sum(row["n"] for row in usable or known)
    finding = Finding("heterogeneity", (first["model"],), names, first["axis"], first["measure"], first["decoding"], CALIBRATED, n)
    numbers = np.array([[row["instability"], row["se"], row["n"]] for row in usable], dtype=np.float64).reshape(-1, 3)
    if len(usable) < 2:
        none = float("nan")
        reason = _FLAT if _FLAT in left.values() else "too_few_datasets"
        return replace(finding, reason=reason), Heterogeneity(none, none, none, none, none, none, len(usable)), left
    found, together = differing(*numbers.T), pooled(*numbers.T[:2])
    finding = replace(finding, p=found.p, test="Welch's and Fisher's F tests", threshold=POOL_UP_TO, **_numbers(together))
    return finding, found, left


def _why_not(row: dict[str, Any]) -> str | None:
    """Returns why a data set takes no part; null where it does."""
    if row["instability"] is None:
        return row["reason"] or "no number"
    if row["se"] is None or row["n"] < 2:
        return "too_few_examples"
    return _FLAT if row["se"] < ROUNDING else None


def _numbers(together: Pooled) -> dict[str, Any]:
    if together.reason:
        return {"reason": together.reason}
    half = _HALF * together.macro_se
    return {"estimate": together.macro, "se": together.macro_se, "lower": together.macro - half, "upper": together.macro + half}


def _judged(finding: Finding, found: Heterogeneity, left: dict[str, str], alpha: float) -> Finding:
    where = f"{finding.models[0]}, {place_of(Cell(finding.axis, finding.measure, finding.decoding), finding.mode)}"
    if finding.p is None or finding.p_adjusted is None:
        return replace(finding, sentence=f"{where}: whether data sets differ was not tested ({finding.reason}).{_left_out(left)}")
    shown = finding.p_adjusted <= alpha
    differ = "differ in instability beyond their errors" if shown else "are not shown to differ in instability"
    detail = f"Q = {figure(found.q)}, I2 = {figure(found.i2)}, {corrected_p(finding, 'cell')}, n = {finding.n} examples"
    if finding.estimate is None:
        number = (
            f"there is no pooled number, since I2, the estimated share of their variation that is no error, is above {figure(POOL_UP_TO)}"
        )
    else:
        number = f"their mean is {bracketed(finding.estimate, finding.lower, finding.upper)}"
    sentence = f"{where}: {listed(finding.datasets)} {differ} ({detail}); {number}.{_left_out(left)}"
    return replace(finding, verdict=DIFFERS if shown else NOT_SHOWN, sentence=sentence)


def _left_out(left: dict[str, str]) -> str:
    return f" Left out: {listed([f'{name} ({reason})' for name, reason in left.items()])}." if left else ""
