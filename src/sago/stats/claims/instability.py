"""Is a cell above the smallest effect of interest? (METRICS 8, 1b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sago.arrays.intervals import T_BELOW, none_in, quantile, upper_tail
from sago.stats.evidence import CALIBRATED, Evidence, Rules
from sago.stats.finding import NOT_TESTED, Finding, corrected
from sago.stats.words import bracketed, cell_name, figure, probability

CLAIM = "instability"
UNSTABLE, STABLE, INCONCLUSIVE = "UNSTABLE", "STABLE", "INCONCLUSIVE"

ROUNDING = 1e-12
"""A standard error below this is rounding of examples that all have one value."""

_BEHAVIOUR = {
    "generation": "the answer",
    "activations": "the inner state",
    "confidence": "the confidence",
    "mirroring": "the reply",
}

_NOISE = {
    "noise_floor=assumed_zero": " Rerun noise was not measured.",
    "noise_floor=audit": " Rerun noise was measured by asking again in other batches.",
    "noise_floor=pooled": " Rerun noise was measured on a part of the examples.",
}


def instability(evidence: Evidence) -> list[Finding]:
    """Returns, for every default cell, whether its instability is above or below the smallest effect of interest.

    UNSTABLE or STABLE by a one-sided bound at level 1 - alpha, else INCONCLUSIVE; t quantiles below 100 examples, an exact bound where
    every example has the same value. p values are corrected by Holm over all cells; the verdict is that of the cell's own bound, the
    sentence gives the corrected p beside it.
    """
    rows = evidence.defaults.to_dicts()
    findings = corrected([_tested(row, evidence.rules) for row in rows])
    return [_judged(finding, row["flags"], evidence.rules.alpha) for finding, row in zip(findings, rows, strict=True)]


def _tested(row: dict[str, Any], rules: Rules) -> Finding:
    finding = Finding(
        CLAIM,
        (row["model"],),
        (row["dataset"],),
        row["axis"],
        row["measure"],
        row["decoding"],
        CALIBRATED,
        row["n"],
        estimate=row["instability"],
        se=row["se"],
        lower=row["lower"],
        upper=row["upper"],
        threshold=rules.smallest_effect,
    )
    if row["instability"] is None or row["se"] is None:
        return replace(finding, reason=row["reason"] or "too_few_examples")
    if row["se"] < ROUNDING:
        return replace(finding, **_of_equal(row, rules))
    above = row["instability"] - rules.smallest_effect
    half = quantile(1 - rules.alpha, row["n"]) * row["se"]
    verdict = UNSTABLE if above - half > 0 else STABLE if above + half < 0 else INCONCLUSIVE
    test = "t test" if row["n"] < T_BELOW else "z test"
    return replace(finding, p=upper_tail(above / row["se"], row["n"]), verdict=verdict, test=test)


def _of_equal(row: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """Judges a cell in which every example has the same value: no spread, so no standard error, but n examples are no proof either.

    If the true number were at most the smallest effect, at most the share (smallest effect / value) of all examples could have this value
    (none is below 0), and n of n would show it with at most that share to the power n. Of no change in n examples the bound is that of
    METRICS 8, 1f.
    """
    value, n, smallest = row["instability"], row["n"], rules.smallest_effect
    test = "exact bound"
    if value > smallest:
        p = float((smallest / value) ** n)
        return {"p": p, "verdict": UNSTABLE if p < rules.alpha else INCONCLUSIVE, "test": test}
    room = 1.0 if row["axis"] == "mirroring" else (row["unrelated"] or 1.0) - (row["rerun"] or 0.0)
    most = value + none_in(n, rules.alpha) / room
    return {"p": 1.0, "verdict": STABLE if most < smallest else INCONCLUSIVE, "test": test}


def _judged(finding: Finding, flags: Sequence[str], alpha: float) -> Finding:
    where = cell_name(finding.models, finding.datasets, finding.axis, finding.measure, finding.decoding)
    if finding.verdict == NOT_TESTED or finding.p_adjusted is None:
        return replace(finding, sentence=f"{where}: not tested ({finding.reason}).")
    threshold, level = figure(finding.threshold or 0.0), f"{100 * (1 - alpha):.0f} %"
    corrected_p = f"{probability(finding.p_adjusted)} by {finding.test}, Holm over {finding.tests} cells"
    detail = f"({corrected_p}, n = {finding.n} examples)"
    survives = "" if finding.p_adjusted <= alpha else ", but not after the correction"
    verdict = {
        UNSTABLE: f"UNSTABLE: above {threshold} at the one-sided {level} bound{survives} {detail}",
        STABLE: f"STABLE: below {threshold} at the one-sided {level} bound (n = {finding.n} examples)",
        INCONCLUSIVE: f"INCONCLUSIVE: neither above nor below {threshold} {detail}",
    }[finding.verdict]
    noise = "" if finding.axis == "mirroring" else next((text for flag, text in _NOISE.items() if flag in flags), "")
    few = " With so few examples the interval is rough." if "small_n" in flags else ""
    return replace(finding, sentence=f"{where}: {_said(finding, flags)}. {verdict}.{noise}{few}")


def _said(finding: Finding, flags: Sequence[str]) -> str:
    number = bracketed(finding.estimate or 0.0, finding.lower, finding.upper)
    if finding.axis == "mirroring":
        return f"the reply takes up {number} of the words that only its own wording has, beyond what replies to the other wordings take up"
    moved = _BEHAVIOUR.get(finding.axis, finding.axis)
    beyond = "" if "noise_floor=assumed_zero" in flags else ", beyond what asking again moves it"
    return f"another wording moves {moved} by {number} of what another question does{beyond}"
