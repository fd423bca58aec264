"""Is a cell above the smallest effect of interest, calibrated and raw? (METRICS 8, 1b, 1c and 1f)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl

from sago.arrays.intervals import none_in
from sago.records import CONTROL_FAILED_HERE, VERDICTS_ALONE
from sago.stats.evidence import CALIBRATED, RAW, Evidence
from sago.stats.finding import INCONCLUSIVE, NOT_TESTED, Finding, corrected, corrected_p
from sago.stats.smallest_effect import (
    ASSUMED_ZERO,
    CELL,
    STABLE,
    UNSTABLE,
    CellTest,
    cell_tests,
    is_difference,
)
from sago.stats.words import bracketed, cell_name, figure, listed, percent

CLAIM = "instability"

NOMINAL = "answer_flip"
"""The measure whose distances are shares of pairs with different answers."""

_BEHAVIOUR = {
    "generation": "the answer",
    "activations": "the inner state",
    "confidence": "the confidence",
    "mirroring": "the reply",
}

_NOISE = {
    ASSUMED_ZERO: " Rerun noise was not measured.",
    "noise_floor=audit": " Rerun noise was measured by asking again in other batches.",
    "noise_floor=pooled": " Rerun noise was measured on a part of the examples.",
}


def instability(evidence: Evidence) -> list[Finding]:
    """Returns, for every default cell, whether its instability is above or below the smallest effect of interest; and its raw gap B - W.

    UNSTABLE or STABLE by a one-sided bound at level 1 - alpha, else INCONCLUSIVE; t quantiles below 100 examples, an exact bound where
    every example has the same value. p values are corrected by Holm over all cells of a mode; the verdict is that of the cell's own bound,
    the sentence gives the corrected p beside it (a cell survives where ``p_adjusted`` <= alpha). The raw gap is tested against the same
    number, in units of the distance; where it says something else than the calibrated one, its sentence says so and why.
    """
    failed = _failed(evidence)
    calibrated = _judged(cell_tests(evidence, CLAIM, CALIBRATED), evidence.rules.alpha)
    raw = _judged(cell_tests(evidence, CLAIM, RAW), evidence.rules.alpha)
    raw = _beside(raw, {_key(test.finding): test for test in calibrated})
    return [_warned(test, failed).finding for test in [*calibrated, *raw]]


def _key(finding: Finding) -> tuple[str, ...]:
    return (*finding.models, *finding.datasets, finding.axis, finding.measure, finding.decoding)


def _failed(evidence: Evidence) -> dict[tuple[str, ...], list[str]]:
    rows = evidence.controls.filter(pl.col("verdict") == "fail").group_by(*CELL).agg(pl.col("kind").sort())
    return {tuple(row[:-1]): row[-1] for row in rows.iter_rows()}


def _warned(test: CellTest, failed: dict[tuple[str, ...], list[str]]) -> CellTest:
    kinds = failed.get(_key(test.finding))
    if not kinds or test.judgement is None:
        return test
    warning = f" But the control {listed(kinds)} {CONTROL_FAILED_HERE}, so this number proves nothing."
    return test._replace(finding=replace(test.finding, sentence=test.finding.sentence + warning))


def _judged(tests: list[CellTest], alpha: float) -> list[CellTest]:
    findings = corrected([test.finding for test in tests])
    return [_said_of(test._replace(finding=finding), alpha) for finding, test in zip(findings, tests, strict=True)]


def _said_of(test: CellTest, alpha: float) -> CellTest:
    finding, row, judgement = test
    where = cell_name(finding.models, finding.datasets, finding.axis, finding.measure, finding.decoding)
    where = f"{where}, raw" if finding.mode == RAW else where
    if finding.verdict == NOT_TESTED or judgement is None or finding.p_adjusted is None:
        said = f"{where}: not tested ({finding.reason})."
        if finding.reason == "no_reruns":
            said += " Rerun noise was not measured, and that a distance is above 0 says nothing: it cannot be below."
        return test._replace(finding=replace(finding, sentence=said))
    said_as = _number(finding)
    threshold, level = said_as(finding.threshold or 0.0), f"{100 * (1 - alpha):.0f} %"
    p = corrected_p(finding, "cell")
    detail, alone = f"({p}, n = {finding.n} examples)", f"(its own, not corrected, n = {finding.n} examples)"
    survives = "" if finding.p_adjusted <= alpha else ", but not after the correction"
    verdict = {
        UNSTABLE: f"UNSTABLE: above {threshold} at the one-sided {level} bound of {said_as(judgement.least)}{survives} {detail}",
        STABLE: f"STABLE: below {threshold} at the one-sided {level} bound of {said_as(judgement.most)} {alone}",
        INCONCLUSIVE: f"INCONCLUSIVE: neither above nor below {threshold} {detail}",
    }[finding.verdict]
    noise = "" if is_difference(row) else next((text for flag, text in _NOISE.items() if flag in row["flags"]), "")
    few = " With so few examples the interval is rough." if "small_n" in row["flags"] else ""
    said = _raw(test, alpha) if finding.mode == RAW else _calibrated(test, alpha)
    return test._replace(finding=replace(finding, sentence=f"{where}: {said}. {verdict}.{noise}{few}"))


def _number(finding: Finding) -> Callable[[float], str]:
    return percent if finding.measure == NOMINAL else figure


def _calibrated(test: CellTest, alpha: float) -> str:
    finding, row, _ = test
    estimate = finding.estimate or 0.0
    number = bracketed(estimate, finding.lower, finding.upper)
    if is_difference(row):
        return f"the reply takes up {number} of the words that only its own wording has, beyond what replies to the other wordings take up"
    measured = row["rerun"] is not None and ASSUMED_ZERO not in row["flags"]
    if finding.measure == NOMINAL and row["across"] is not None:
        beyond = "beyond that, this is" if measured else "this is"
        of_null = percent(estimate, finding.lower, finding.upper)
        included = f" ({percent(row['across'] / row['unrelated'])} with the noise of asking again)" if measured and row["unrelated"] else ""
        return f"{_flips(test, alpha)}; {beyond} {of_null} of the disagreement between unrelated questions{included}"
    moved = _BEHAVIOUR.get(finding.axis, finding.axis)
    beyond = ", beyond what asking again moves it" if measured else ""
    return f"another wording moves {moved} by {number} of what another question does{beyond}"


def _flips(test: CellTest, alpha: float) -> str:
    """Says how many pairs of wordings are answered (verdicts: judged) differently; of none, how many examples that bounds (1f; E49)."""
    row, n = test.row, test.finding.n
    differently = "judged differently" if VERDICTS_ALONE in row["flags"] else "answered differently"
    if row["across"] == 0:
        most = f"at the one-sided {100 * (1 - alpha):.0f} % bound at most {percent(none_in(n, alpha))} of all examples change"
        flips = f"no pair of wordings is {differently} in {n} examples ({most})"
    else:
        flips = f"{percent(row['across'], row['across_lower'], row['across_upper'])} of pairs of wordings are {differently}"
    if row["rerun"] is None or ASSUMED_ZERO in row["flags"]:
        return flips
    return f"{flips}, and {percent(row['rerun'])} of pairs of reruns"


def _raw(test: CellTest, alpha: float) -> str:
    finding, row, _ = test
    estimate = finding.estimate or 0.0
    measured = row["rerun"] is not None and ASSUMED_ZERO not in row["flags"]
    if finding.measure == NOMINAL:
        if not measured:
            return _flips(test, alpha)
        # Two pairs of one example, one across wordings and one of reruns: P(the first alone differs) + P(both or none do) / 2.
        superior = f"a pair of wordings differs more than a pair of reruns with probability {figure(0.5 + estimate / 2)}, ties half"
        return f"{_flips(test, alpha)}: {percent(estimate, finding.lower, finding.upper)} more ({superior})"
    moved, number = _BEHAVIOUR.get(finding.axis, finding.axis), bracketed(estimate, finding.lower, finding.upper)
    if not measured:
        return f"another wording moves {moved} by {number} in units of the distance"
    return f"another wording moves {moved} by {number} more than asking again does ({figure(row['rerun'])}), in units of the distance"


def _beside(raw: list[CellTest], calibrated: dict[tuple[str, ...], CellTest]) -> list[CellTest]:
    """Adds to raw findings where the calibrated ones say something else, and why."""
    opposed = _opposed(raw, calibrated)
    return [_compared(test, calibrated[_key(test.finding)], opposed.get(_key(test.finding), [])) for test in raw]


def _compared(test: CellTest, other: CellTest, opposed: list[CellTest]) -> CellTest:
    if test.judgement is None:
        return test
    row, said = test.row, ""
    scale = None if row["unrelated"] is None else row["unrelated"] - (row["rerun"] or 0.0)
    if other.judgement is None:
        said = f" The calibrated number is not there ({other.finding.reason}), the raw one stands"
        if other.finding.reason == "degenerate_null" and row["unrelated"] is not None:
            why = f"other questions move it by {figure(row['unrelated'])}, hardly more than asking again, which is no scale"
            said = f" The calibrated number is not there (degenerate_null: {why}); the raw one stands"
        said += "."
    elif other.finding.verdict != test.finding.verdict and scale is not None:
        side = "more" if scale < 1 else "less"
        why = f"it divides by what other questions move beyond asking again, here {figure(scale)}, so that the raw number counts for {side}"
        said = f" Calibrated, the verdict is {other.finding.verdict}: {why}."
    if opposed:
        names = listed([one.finding.models[0] for one in opposed], most=3)
        first = opposed[0].row
        said += (
            f" Against {names} the order of the estimates is the other way round when calibrated, for other questions do not move all "
            f"models alike ({figure(row['unrelated'])} here, {figure(first['unrelated'])} for {opposed[0].finding.models[0]}): "
            "a model that answers nearly everything alike moves little, and has little to be measured by."
        )
    return test._replace(finding=replace(test.finding, sentence=test.finding.sentence + said))


def _opposed(raw: list[CellTest], calibrated: dict[tuple[str, ...], CellTest]) -> dict[tuple[str, ...], list[CellTest]]:
    """Returns, for each cell, the same cell of other models that raw and calibrated estimates put on opposite sides of it."""
    together: dict[tuple[str, ...], list[CellTest]] = {}
    for test in raw:
        if test.judgement is not None and calibrated[_key(test.finding)].judgement is not None:
            together.setdefault(_key(test.finding)[1:], []).append(test)
    found = {}
    for tests in together.values():
        one, two = (
            np.array([source.finding.estimate or 0.0 for source in tests_of])
            for tests_of in (tests, [calibrated[_key(test.finding)] for test in tests])
        )
        opposite = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(two, two)) < 0
        for test, row in zip(tests, opposite, strict=True):
            found[_key(test.finding)] = [tests[place] for place in np.flatnonzero(row).tolist()]
    return found
