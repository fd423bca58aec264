"""What ranks do models have, and do data sets agree on them? (METRICS 8: 3d-3f)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from sago.arrays.grouping import Values
from sago.seeds import generator
from sago.stats.claims.compared_words import examples_of, modes_compared, place_of, spread_alike
from sago.stats.evidence import MODES, Cell, Rules
from sago.stats.finding import NOT_SHOWN, NOT_TESTED, Finding, corrected, corrected_p
from sago.stats.paired import Compared, groups
from sago.stats.rank_agreement import Agreement, Orders, agreement, orders
from sago.stats.ranks import concordance, rank_intervals
from sago.stats.words import bracketed, counted, figure

RANKED, RANKS_DIFFER = "RANKED", "RANKS_DIFFER"

_LEAST_EXAMPLES = 10
_RESAMPLED_GROUPS = 256


def rank(known: Sequence[Compared], rules: Rules) -> list[Finding]:
    """Returns, for every model, data set and cell, the ranks that the data leave open: RANKED, or NOT_SHOWN where that is all of them.

    Rank 1 is the most stable. All pairs of models are tested two-sided and decided together by Holm within the data set and cell (METRICS
    8, 3f). ``estimate`` is the observed rank, ``lower`` and ``upper`` are the interval, ``n`` is the smallest number of examples that the
    model shares with another.
    """
    found = [finding for one in known if len(one.scores.models) > 1 for finding in _ranks(one, rules.alpha)]
    return modes_compared(found)


def _ranks(one: Compared, alpha: float) -> list[Finding]:
    apart, models = one.differences, one.scores.models
    count = len(models)
    difference, p = np.full((count, count), np.nan), np.full((count, count), np.nan)
    difference[apart.first, apart.second], difference[apart.second, apart.first] = apart.estimate, -apart.estimate
    p[apart.first, apart.second] = two_sided = one.two_sided()
    intervals = rank_intervals(difference, p, alpha)
    tests = int((~np.isnan(two_sided)).sum())
    flipped = one.flipped[~np.isnan(two_sided)]
    test = "sign flips" if flipped.all() else "sign flips, t or z test" if flipped.any() else "z or t test"
    findings = []
    for place, model in enumerate(models):
        mine = (apart.first == place) | (apart.second == place)
        counts = [int(number) for number in apart.n[mine]]
        cell = one.cell
        finding = Finding("rank", (model,), (one.dataset,), cell.axis, cell.measure, cell.decoding, one.mode, min(counts))
        where = f"{model} on {one.dataset}, {place_of(cell, one.mode)}"
        if np.isnan(apart.z[mine]).all():
            reason = apart.reason(int(np.flatnonzero(mine)[0]))
            sentence = f"{where}: its rank among {count} models was not tested ({reason})."
            findings.append(replace(finding, reason=reason, sentence=sentence))
            continue
        low, high = (int(end) for end in intervals[place])
        observed = 1 + int(np.sum(difference[place] > 0))
        shown = (low, high) != (1, count)
        ends = f"is {low}" if low == high else f"lies between {low} and {high}" if shown else f"may be any of 1 to {count}"
        level = f"{100 * (1 - alpha):.0f} % by {test}, Holm over {counted(tests, 'pair')}"
        detail = f"observed {observed}, 1 = most stable; {level}, {examples_of(counts)}"
        sentence = f"{where}: its rank among {count} models {ends} ({detail} shared examples)."
        sentence += spread_alike(apart.few[mine & ~np.isnan(apart.z)].tolist()) if shown else ""
        verdict = RANKED if shown else NOT_SHOWN
        numbers = {"estimate": float(observed), "lower": float(low), "upper": float(high)}
        findings.append(replace(finding, **numbers, tests=tests, test=test, verdict=verdict, sentence=sentence))  # type: ignore[arg-type]
    return findings


def rank_agreement(known: Sequence[Compared], rules: Rules) -> list[Finding]:
    """Returns, for every two data sets with three common models or more, whether they order these less alike than each orders them itself.

    RANKS_DIFFER or NOT_SHOWN. ``estimate`` is the noise ceiling less the agreement of the two, see ``rank_agreement.agreement``, with a
    percentile interval of the cluster bootstrap; p from the same resamples, Holm over pairs of data sets and cells of a mode. Means are
    over the examples that all these models share; ``n`` is the smaller of the two numbers.
    """
    found: list[Finding] = []
    for mode in MODES:
        made = [tested for mine in _by_cell(known, mode) for tested in _agreements(mine)]
        findings = corrected([finding for finding, _, _ in made])
        found += [_judged(finding, told, w, rules.alpha) for finding, (_, told, w) in zip(findings, made, strict=True)]
    return modes_compared(found)


def _by_cell(known: Sequence[Compared], mode: str) -> list[list[Compared]]:
    cells: dict[Cell, list[Compared]] = {}
    for one in known:
        if one.mode == mode and len(one.scores.models) > 2:
            cells.setdefault(one.cell, []).append(one)
    return [mine for mine in cells.values() if len(mine) > 1]


@dataclass
class _Ordered:
    """Orders on one data set, worked out once for each set of models."""

    one: Compared
    made: dict[tuple[str, ...], Orders] = field(default_factory=dict)

    def places(self, models: tuple[str, ...]) -> list[int]:
        return [self.one.scores.models.index(name) for name in models]

    def shared(self, models: tuple[str, ...]) -> Values:
        return np.asarray(~np.isnan(self.one.scores.score[self.places(models)]).any(axis=0))

    def means(self, models: tuple[str, ...]) -> list[float]:
        scores = self.one.scores.score[self.places(models)][:, self.shared(models)]
        return [float(mean) for mean in scores.mean(axis=1)]

    def orders(self, models: tuple[str, ...]) -> Orders:
        if models not in self.made:
            shared = self.shared(models)
            # Not of the models' names: what they are called does not draw other halves.
            rng = generator(self.one.seed, "rank_agreement", *self.one.key)
            influence = self.one.scores.influence[self.places(models)][:, shared]
            influence = influence - influence.mean(axis=1, keepdims=True)
            owner = groups(int(shared.sum()), rng, _RESAMPLED_GROUPS)
            sums = np.stack([np.bincount(owner, row) for row in influence], axis=1).astype(np.float64)
            counts = np.bincount(owner).astype(np.float64)
            self.made[models] = orders(np.array(self.means(models)), sums, counts, rng)
        return self.made[models]


def _agreements(mine: Sequence[Compared]) -> list[tuple[Finding, Agreement | None, float]]:
    ordered = [_Ordered(one) for one in mine]
    made: list[tuple[Finding, Agreement | None, float]] = []
    for one, two in combinations(ordered, 2):
        models = tuple(sorted(set(one.one.scores.models) & set(two.one.scores.models)))
        if len(models) < 3:
            continue
        finding = _about(one.one, models, (one.one.dataset, two.one.dataset), [int(each.shared(models).sum()) for each in (one, two)])
        if finding.n < _LEAST_EXAMPLES:
            reason = "too_few_examples" if finding.n else "no_shared_examples"
            made.append((replace(finding, reason=reason), None, float("nan")))
            continue
        told = agreement(one.orders(models), two.orders(models))
        if np.isnan(told.tau):
            made.append((replace(finding, reason="no_spread"), None, float("nan")))
            continue
        numbers = replace(finding, estimate=told.gap, lower=told.lower, upper=told.upper, p=told.p, test="cluster bootstrap")
        made.append((numbers, told, float("nan")))
    whole = _concordance(ordered)
    return [(finding, told, whole) for finding, told, _ in made]


def _about(one: Compared, models: tuple[str, ...], datasets: tuple[str, ...], counts: Sequence[int]) -> Finding:
    return Finding("rank_agreement", models, datasets, one.cell.axis, one.cell.measure, one.cell.decoding, one.mode, min(counts))


def _concordance(ordered: Sequence[_Ordered]) -> float:
    """Returns Kendall's W over all data sets; NaN below three, where tau says the same."""
    models = tuple(sorted(set.intersection(*(set(each.one.scores.models) for each in ordered))))
    if len(ordered) < 3 or len(models) < 3 or not all(each.shared(models).any() for each in ordered):
        return float("nan")
    return concordance(np.array([each.means(models) for each in ordered])).w


def _judged(finding: Finding, told: Agreement | None, w: float, alpha: float) -> Finding:
    on = f"{finding.datasets[0]} and {finding.datasets[1]}"
    where = f"{on}, {place_of(Cell(finding.axis, finding.measure, finding.decoding), finding.mode)}"
    of = f"{counted(len(finding.models), 'model')}"
    if told is None or finding.p_adjusted is None or finding.lower is None:
        sentence = f"{where}: whether they order the {of} differently was not tested ({finding.reason}; n = {finding.n} shared examples)."
        return replace(finding, verdict=NOT_TESTED, sentence=sentence)
    shown = finding.p_adjusted <= alpha and finding.lower > 0
    verdict = "order models less alike than halves of one of them do" if shown else "are not shown to order models differently"
    tau = bracketed(told.tau, told.tau_lower, told.tau_upper)
    gap = bracketed(told.gap, told.lower, told.upper)
    detail = f"tau-b of the {of} {tau}; in halves {figure(told.across)} across data sets, {figure(told.ceiling)} within, gap {gap}"
    several = "" if np.isnan(w) else f" Over all data sets Kendall's W is {figure(w)}, which tests no reversal."
    test = f"{corrected_p(finding, 'test')}, n = {finding.n} or more shared examples"
    sentence = f"{where} {verdict} ({detail}; {test}).{several}"
    return replace(finding, verdict=RANKS_DIFFER if shown else NOT_SHOWN, sentence=sentence)
