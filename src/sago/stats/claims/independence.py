"""Do the axes find different examples? (METRICS 8, 2a to 2g)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Integers
from sago.arrays.intervals import LEVEL, ROUNDING, t_interval, upper_tail
from sago.records import most_frequent
from sago.stats import rare_ranks
from sago.stats.claims.pairs import Pair, Part, said_where
from sago.stats.evidence import RAW, Rules
from sago.stats.finding import INCONCLUSIVE, Finding, corrected
from sago.stats.independence import CrossHalf, pooled_rho, strata_differ_p
from sago.stats.multiplicity import holm
from sago.stats.words import bracketed, counted, figure, listed, probability

CLAIM, PARTIAL = "independence", "partial_correlation"
INDEPENDENT, DEPENDENT, NOT_ASSESSABLE = "INDEPENDENT", "DEPENDENT", "NOT_ASSESSABLE"

TEST = "two one-sided tests"

_WAYS = 3
"""DEPENDENT can come out by the correlation, by distance correlation or by a stratum: p of each is multiplied (Bonferroni), by 2 where
there is a single stratum."""
_DIFFER = "strata_differ"
_WHY = {
    "low_reliability": "scores of an axis over one half of the wordings hardly agree with those over the other, and noise makes any two "
    "axes look independent",
    "small_n": "there are too few examples",
    "few_apart": "on an axis nearly all examples have the same score, and a few others may go together by chance",
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


_Kept = list[tuple[Part, CrossHalf, tuple[str, Integers]]]


def independence(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    """Returns, for every pair of axes, whether they find the same examples unstable: over all strata, and in each where there are several.

    INDEPENDENT where two one-sided tests put the correlation within the margin and no stratum shows dependence of any form that is
    larger (by distance correlation, Holm over strata: opposite signs cancel in the pooled number); DEPENDENT where a stratum does, or
    where the correlation differs from 0 and is not shown to be within the margin, over all strata or in one of them; else INCONCLUSIVE.
    NOT_ASSESSABLE where an axis does not repeat across halves of the wordings, and, with reason ``strata_differ``, where the pooled number
    is within the margin but strata differ by more than their errors or one of them is DEPENDENT: one number does not speak for them all.
    Corrections are by Holm over pairs of axes, and over all pairs in strata. Ranks within strata are the same for calibrated and raw
    scores, so there is one mode.
    """
    places = [(pair, part) for pair in pairs for part in pair.assessed()]
    several = {id(part): len(pair.parts) > 1 for pair, part in places}
    p = holm(np.array([part.any_form.p if part.any_form else np.nan for _, part in places]))
    departing = {
        id(part): _departs(part, (_WAYS if several[id(part)] else 2) * value, rules.alpha)
        for (_, part), value in zip(places, p.tolist(), strict=True)
    }
    alone = [(pair, part) for pair in pairs if len(pair.parts) > 1 for part in pair.parts]
    made = corrected([_tested(CLAIM, pair, (part,), rules, _of_pair((part,))) for pair, part in alone])
    against = _against_none(made, [_of_pair((part,))[0] for _, part in alone])
    in_strata = [
        _judged(finding, (part,), min(1.0, 2 * p_none), [part] if departing.get(id(part)) else [], rules, "pairs of axes in strata")
        for finding, p_none, (_, part) in zip(made, against, alone, strict=True)
    ]
    shown = {
        id(part): _Alone(finding.verdict == DEPENDENT, finding.verdict == DEPENDENT and _WAYS * p_none <= rules.alpha)
        for finding, p_none, (_, part) in zip(in_strata, against, alone, strict=True)
    }
    found = []
    pooled = corrected([_tested(CLAIM, pair, pair.parts, rules, _of_pair(pair.parts)) for pair in pairs])
    none = _against_none(pooled, [_of_pair(pair.parts)[0] for pair in pairs])
    for finding, p_none, pair in zip(pooled, none, pairs, strict=True):
        strata = [part for part in pair.parts if departing.get(id(part))]
        ways = _WAYS if len(pair.parts) > 1 else 2
        guard = _guard(_of_pair(pair.parts)[0], shown)
        found.append(_judged(finding, pair.parts, min(1.0, ways * p_none), strata, rules, "pairs of axes", guard))
    return found + in_strata


class _Alone(NamedTuple):
    """A stratum for itself: whether it is DEPENDENT, and whether that is so certain that it makes the pair so."""

    dependent: bool
    surely: bool


class _Guard(NamedTuple):
    """What forbids that a pooled number speaks for all strata: p of "all are the same", how many are DEPENDENT, and how many surely."""

    p: float = float("nan")
    dependent: int = 0
    surely: int = 0

    def forbids(self, alpha: float) -> bool:
        return self.dependent > 0 or self.p <= alpha


_NO_GUARD = _Guard()


def _guard(kept: _Kept, alone: Mapping[int, _Alone]) -> _Guard:
    if len(kept) < 2:
        return _NO_GUARD
    mine = [alone[id(part)] for part, *_ in kept if id(part) in alone]
    p = strata_differ_p([cross for _, cross, _ in kept], [examples for *_, examples in kept])
    return _Guard(p, sum(one.dependent for one in mine), sum(one.surely for one in mine))


def partial_correlations(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    """Returns, for every pair of axes, whether they still go together among examples alike in length and difficulty (METRICS 8, 2g).

    The same estimate and verdicts as ``independence``, of what the ranks of the known covariates leave of the ranks of the scores; over
    all strata alone, and without the test of other forms. Strata of which one is DEPENDENT for itself, or that differ, forbid INDEPENDENT
    as they do there.
    """
    findings = corrected([_tested(PARTIAL, pair, pair.parts, rules, _of_partial(pair.parts)) for pair in pairs])
    against = _against_none(findings, [_of_partial(pair.parts)[0] for pair in pairs])
    alone = [part for pair in pairs if len(pair.parts) > 1 for part in pair.parts]
    single = corrected([_tested(PARTIAL, pairs[0], (part,), rules, _of_partial((part,))) for part in alone])
    shown = {}
    for part, finding, p in zip(alone, single, _against_none(single, [_of_partial((part,))[0] for part in alone]), strict=True):
        by_itself = _verdict(finding, p, rules.alpha) == DEPENDENT
        shown[id(part)] = _Alone(by_itself, by_itself and 2 * p <= rules.alpha)
    return [
        _judged_partial(finding, pair, min(1.0, 2 * p) if len(pair.parts) > 1 else p, rules, _guard(_of_partial(pair.parts)[0], shown))
        for finding, p, pair in zip(findings, against, pairs, strict=True)
    ]


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
    crosses, examples = [cross for _, cross, _ in kept], [places for *_, places in kept]
    interval, (low, high) = t_interval(rho.estimate, rho.se, rho.n), rare_ranks.ends(crosses, examples, (1 - LEVEL) / 2)
    room = rules.margin - abs(rho.estimate)
    p = upper_tail(room / rho.se, rho.n) if rho.se > ROUNDING else float(room <= 0)
    p = max(p, rare_ranks.beyond_p(crosses, examples, rules.margin))
    return replace(
        finding, estimate=rho.estimate, se=rho.se, lower=min(interval.lower, low), upper=max(interval.upper, high), p=p, test=TEST
    )


def _against_none(findings: Sequence[Finding], known: Sequence[_Kept]) -> list[float]:
    """Returns p of "no correlation", two-sided, after Holm; NaN where there is none."""

    def p(finding: Finding, kept: _Kept) -> float:
        if finding.estimate is None or finding.se is None:
            return float("nan")
        beyond = upper_tail(abs(finding.estimate) / finding.se, finding.n) if finding.se > ROUNDING else 0.5 * (finding.estimate == 0)
        rare = rare_ranks.none_p([cross for _, cross, _ in kept], [places for *_, places in kept])
        return min(1.0, 2 * max(beyond, rare))

    adjusted: list[float] = holm(np.array([p(*each) for each in zip(findings, known, strict=True)], dtype=np.float64)).tolist()
    return adjusted


def _departs(part: Part, p: float, alpha: float) -> bool:
    return part.any_form is not None and p <= alpha and part.any_form.size > part.any_form.margin


def _verdict(finding: Finding, p_none: float, alpha: float, *, departs: bool = False, guard: _Guard = _NO_GUARD) -> str:
    within = finding.p_adjusted is not None and finding.p_adjusted <= alpha
    if departs or guard.surely or (p_none <= alpha and not within):
        return DEPENDENT
    if within:
        return NOT_ASSESSABLE if guard.forbids(alpha) else INDEPENDENT
    return INCONCLUSIVE


def _judged(
    finding: Finding,
    parts: Sequence[Part],
    p_none: float,
    departing: Sequence[Part],
    rules: Rules,
    what: str,
    guard: _Guard = _NO_GUARD,
) -> Finding:
    where = _where(finding)
    if finding.verdict == NOT_ASSESSABLE or finding.estimate is None:
        return replace(finding, sentence=f"{where}: NOT ASSESSABLE whether they fail independently: {_why(finding, parts)}.")
    verdict = _verdict(finding, p_none, rules.alpha, departs=bool(departing), guard=guard)
    number = bracketed(finding.estimate, finding.lower, finding.upper)
    said = f"over different wordings, and freed of noise, their instability has a rank correlation of {number}"
    strata = [part for part in parts if part.reason is None]
    form = _form(departing, strata)
    if (departing or guard.surely) and finding.p_adjusted is not None and finding.p_adjusted <= rules.alpha:
        form += " So the pooled number alone does not make them independent."
    because = f"{_because(finding, verdict, p_none, what)}{_said_of(guard, verdict, len(strata), rules.alpha)}"
    reason = _DIFFER if verdict == NOT_ASSESSABLE else finding.reason
    return replace(finding, verdict=verdict, reason=reason, sentence=f"{where}: {said}. {because}{form}{_left(parts)}")


def _judged_partial(finding: Finding, pair: Pair, p_none: float, rules: Rules, guard: _Guard) -> Finding:
    where = _where(finding)
    if finding.verdict == NOT_ASSESSABLE or finding.estimate is None:
        why = _WHY.get(finding.reason or "", finding.reason)
        return replace(finding, sentence=f"{where}: NOT ASSESSABLE at equal length and difficulty: {why}.")
    verdict = _verdict(finding, p_none, rules.alpha, guard=guard)
    kept = [part for part in pair.parts if part.partial_reason is None]
    names = sorted({_COVARIATES[name] for part in kept for name in part.covariates})
    number = bracketed(finding.estimate, finding.lower, finding.upper)
    said = f"with {listed(names)} partialled out, the rank correlation of their instability over different wordings is {number}"
    because = f"{_because(finding, verdict, p_none, 'pairs of axes')}{_said_of(guard, verdict, len(kept), rules.alpha)}"
    reason = _DIFFER if verdict == NOT_ASSESSABLE else finding.reason
    return replace(finding, verdict=verdict, reason=reason, sentence=f"{where}: {said}. {because}.")


def _said_of(guard: _Guard, verdict: str, strata: int, alpha: float) -> str:
    """Says what strata do beside the pooled number, where that decides."""
    if verdict == DEPENDENT and guard.surely:
        return f"; for itself, {guard.surely} of {strata} strata depend (Holm over strata)"
    if verdict != NOT_ASSESSABLE:
        return ""
    each = [f"{guard.dependent} of {strata} strata depend for themselves"] if guard.dependent else []
    each += [f"strata differ by more than their errors ({probability(guard.p)})"] if guard.p <= alpha else []
    return f", but {' and '.join(each)}, so that one number does not speak for all of them"


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
        NOT_ASSESSABLE: f"NOT ASSESSABLE: it is within {margin} of 0 ({equivalence}, {detail})",
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
