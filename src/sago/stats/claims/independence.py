"""Do the axes find different examples? (METRICS 8, 2a to 2g)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sago.arrays.grouping import Integers
from sago.arrays.intervals import ROUNDING, t_interval, upper_tail
from sago.records import most_frequent
from sago.stats.claims.pairs import Pair, Part, said_where
from sago.stats.evidence import RAW, Rules
from sago.stats.finding import INCONCLUSIVE, Finding, corrected
from sago.stats.independence import CrossHalf, pooled_rho
from sago.stats.multiplicity import holm
from sago.stats.words import bracketed, counted, figure, listed, probability

CLAIM, PARTIAL = "independence", "partial_correlation"
INDEPENDENT, DEPENDENT, NOT_ASSESSABLE = "INDEPENDENT", "DEPENDENT", "NOT_ASSESSABLE"

TEST = "two one-sided tests"

_TWO_WAYS = 2
"""DEPENDENT can come out by the correlation or by distance correlation: p of either is doubled (Bonferroni)."""
_WHY = {
    "low_reliability": "scores of an axis over one half of the wordings hardly agree with those over the other, and noise makes any two "
    "axes look independent",
    "small_n": "there are too few examples",
    "no_halves": "halves of the wordings need four of them",
    "no_spread": "on an axis all examples have the same score",
    "no_covariates": "neither length nor difficulty is known",
}
_COVARIATES = {
    "prompt_length": "prompt length",
    "response_length": "reply length",
    "correct": "correctness",
    "log_likelihood": "log-probability of the answer",
}


def independence(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    """Returns, for every pair of axes, whether they find the same examples unstable: over all strata, and in each where there are several.

    INDEPENDENT where two one-sided tests put the correlation within the margin and no stratum shows dependence of any form that is
    larger (by distance correlation, Holm over strata: opposite signs cancel in the pooled number); DEPENDENT where a stratum does, or
    where the correlation differs from 0 and is not shown to be within the margin; else INCONCLUSIVE. NOT_ASSESSABLE where an axis does
    not repeat across halves of the wordings. Corrections are by Holm over pairs of axes, and over all pairs in strata. Ranks within
    strata are the same for calibrated and raw scores, so there is one mode.
    """
    places = [(pair, part) for pair in pairs for part in pair.assessed()]
    p = holm(np.array([part.any_form.p if part.any_form else np.nan for _, part in places]))
    departing = {id(part): _departs(part, _TWO_WAYS * value, rules.alpha) for (_, part), value in zip(places, p.tolist(), strict=True)}
    pooled = [(pair, pair.parts) for pair in pairs]
    alone = [(pair, (part,)) for pair in pairs if len(pair.parts) > 1 for part in pair.parts]
    found = []
    for family, what in ((pooled, "pairs of axes"), (alone, "pairs of axes in strata")):
        made = [_tested(CLAIM, pair, parts, rules, _of_pair(parts)) for pair, parts in family]
        findings = corrected(made)
        against = [min(1.0, _TWO_WAYS * p_none) for p_none in _against_none(findings)]
        for finding, p_none, (_, parts) in zip(findings, against, family, strict=True):
            strata = [part for part in parts if departing.get(id(part))]
            found.append(_judged(finding, parts, p_none, strata, rules, what))
    return found


def partial_correlations(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    """Returns, for every pair of axes, whether they still go together among examples alike in length and difficulty (METRICS 8, 2g).

    The same estimate and verdicts as ``independence``, of what the ranks of the known covariates leave of the ranks of the scores; over
    all strata alone, and without the test of other forms.
    """
    findings = corrected([_tested(PARTIAL, pair, pair.parts, rules, _of_partial(pair.parts)) for pair in pairs])
    against = _against_none(findings)
    return [_judged_partial(finding, pair, p, rules) for finding, p, pair in zip(findings, against, pairs, strict=True)]


_Kept = list[tuple[Part, CrossHalf, tuple[str, Integers]]]


def _of_pair(parts: Sequence[Part]) -> tuple[_Kept, list[str]]:
    kept = [(part, part.cross, (part.dataset, part.places)) for part in parts if part.reason is None and part.cross is not None]
    return kept, [part.reason for part in parts if part.reason]


def _of_partial(parts: Sequence[Part]) -> tuple[_Kept, list[str]]:
    usable = [(part, part.partial) for part in parts if part.partial_reason is None]
    kept = [(part, partial, (part.dataset, part.partial_places)) for part, partial in usable if partial is not None]
    return kept, [part.partial_reason for part in parts if part.partial_reason]


def _tested(claim: str, pair: Pair, parts: Sequence[Part], rules: Rules, known: tuple[_Kept, list[str]]) -> Finding:
    kept, reasons = known
    models = tuple(sorted({part.model for part in parts}))
    datasets = tuple(sorted({part.dataset for part in parts}))
    rho = pooled_rho([cross for _, cross, _ in kept], [examples for *_, examples in kept])
    finding = Finding(claim, models, datasets, pair.axis, pair.measure, pair.decoding, RAW, rho.n, threshold=rules.margin)
    if not kept:
        reason = most_frequent(reasons)
        most = max((part.places.size for part in parts), default=0)
        return replace(finding, n=most, verdict=NOT_ASSESSABLE, reason=reason, threshold=None)
    interval = t_interval(rho.estimate, rho.se, rho.n)
    room = rules.margin - abs(rho.estimate)
    p = upper_tail(room / rho.se, rho.n) if rho.se > ROUNDING else float(room <= 0)
    return replace(finding, estimate=rho.estimate, se=rho.se, lower=interval.lower, upper=interval.upper, p=p, test=TEST)


def _against_none(findings: Sequence[Finding]) -> list[float]:
    """Returns p of "no correlation", two-sided, after Holm; NaN where there is none."""

    def p(finding: Finding) -> float:
        if finding.estimate is None or finding.se is None:
            return float("nan")
        if finding.se <= ROUNDING:
            return float(finding.estimate == 0)
        return min(1.0, 2 * upper_tail(abs(finding.estimate) / finding.se, finding.n))

    adjusted: list[float] = holm(np.array([p(finding) for finding in findings], dtype=np.float64)).tolist()
    return adjusted


def _departs(part: Part, p: float, alpha: float) -> bool:
    return part.any_form is not None and p <= alpha and part.any_form.size > part.any_form.margin


def _verdict(finding: Finding, p_none: float, alpha: float, *, departs: bool = False) -> str:
    within = finding.p_adjusted is not None and finding.p_adjusted <= alpha
    if departs or (p_none <= alpha and not within):
        return DEPENDENT
    return INDEPENDENT if within else INCONCLUSIVE


def _judged(finding: Finding, parts: Sequence[Part], p_none: float, departing: Sequence[Part], rules: Rules, what: str) -> Finding:
    where = _where(finding)
    if finding.verdict == NOT_ASSESSABLE or finding.estimate is None:
        return replace(finding, sentence=f"{where}: NOT ASSESSABLE whether they fail independently: {_why(finding, parts)}.")
    verdict = _verdict(finding, p_none, rules.alpha, departs=bool(departing))
    number = bracketed(finding.estimate, finding.lower, finding.upper)
    said = f"over different wordings, and freed of noise, their instability has a rank correlation of {number}"
    strata = [part for part in parts if part.reason is None]
    form = _form(departing, strata)
    if departing and finding.p_adjusted is not None and finding.p_adjusted <= rules.alpha:
        form += " So the pooled number alone does not make them independent."
    return replace(finding, verdict=verdict, sentence=f"{where}: {said}. {_because(finding, verdict, p_none, what)}{form}{_left(parts)}")


def _judged_partial(finding: Finding, pair: Pair, p_none: float, rules: Rules) -> Finding:
    where = _where(finding)
    if finding.verdict == NOT_ASSESSABLE or finding.estimate is None:
        why = _WHY.get(finding.reason or "", finding.reason)
        return replace(finding, sentence=f"{where}: NOT ASSESSABLE at equal length and difficulty: {why}.")
    verdict = _verdict(finding, p_none, rules.alpha)
    kept = [part for part in pair.parts if part.partial_reason is None]
    names = sorted({_COVARIATES[name] for part in kept for name in part.covariates})
    number = bracketed(finding.estimate, finding.lower, finding.upper)
    said = f"with {listed(names)} partialled out, the rank correlation of their instability over different wordings is {number}"
    return replace(finding, verdict=verdict, sentence=f"{where}: {said}. {_because(finding, verdict, p_none, 'pairs of axes')}.")


def _where(finding: Finding) -> str:
    one, two = finding.axis.split(" & ")
    return f"{said_where(finding.models, finding.datasets)}, {one} and {two} ({finding.measure}, {finding.decoding})"


def _why(finding: Finding, parts: Sequence[Part]) -> str:
    why = _WHY.get(finding.reason or "", finding.reason or "")
    worst = [min(part.cross.reliability) for part in parts if part.cross is not None and part.reason == "low_reliability"]
    known = [value for value in worst if not np.isnan(value)]
    return f"{why} (reliability {figure(max(known))})" if finding.reason == "low_reliability" and known else why


def _because(finding: Finding, verdict: str, p_none: float, what: str) -> str:
    margin, detail = (
        figure(finding.threshold or 0.0),
        f"Holm over {counted(finding.tests or 0, what.replace('pairs', 'pair'), what)}, n = {finding.n} examples",
    )
    equivalence = f"{probability(finding.p_adjusted or 0.0)} by {TEST}"
    against = f"{probability(p_none)} against 0"
    return {
        INDEPENDENT: f"INDEPENDENT: it is within {margin} of 0 ({equivalence}, {detail})",
        DEPENDENT: f"DEPENDENT ({against}; within {margin} of 0: {equivalence}; {detail})",
        INCONCLUSIVE: f"INCONCLUSIVE: neither shown to differ from 0 ({against}) nor to be within {margin} of it ({equivalence}, {detail})",
    }[verdict]


def _form(departing: Sequence[Part], strata: Sequence[Part]) -> str:
    """Says what distance correlation says of dependence of other forms."""
    tested = [part for part in strata if part.any_form]
    thinned = f" (of {max(part.any_form.n for part in tested if part.any_form)} examples each)" if _thinned(tested) else ""
    by = f"by distance correlation{thinned}, Holm over strata"
    if departing:
        if len(strata) == 1:
            return f"; {by}, they depend on each other, by an estimate beyond the margin."
        return f"; {by}, they depend on each other in {len(departing)} of {len(strata)} strata, by an estimate beyond the margin."
    return f"; {by}, no stratum shows a dependence of another form beyond the margin." if tested else "."


def _thinned(parts: Sequence[Part]) -> bool:
    return any(part.any_form is not None and part.any_form.n < part.places.size for part in parts)


def _left(parts: Sequence[Part]) -> str:
    left = sum(part.reason is not None for part in parts)
    return f" {left} of {len(parts)} strata could not be assessed and take no part." if left else ""
