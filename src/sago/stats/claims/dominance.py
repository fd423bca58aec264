"""Is one model more stable on every axis, and which is under which weights of the axes? (METRICS 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats
from sago.seeds import generator
from sago.stats.aggregates import acceptability as accepted
from sago.stats.aggregates import dominance_share
from sago.stats.claims.compared_words import examples_of, modes_compared, spread_alike
from sago.stats.evidence import CALIBRATED, MODES, RAW, Rules
from sago.stats.finding import NOT_SHOWN, Finding, corrected, corrected_p
from sago.stats.paired import Compared, Joint, joint, pair_columns
from sago.stats.words import bracketed, figure, listed

DOMINATES, DESCRIBED = "DOMINATES", "DESCRIBED"
NOT_ASSESSABLE = "NOT_ASSESSABLE"

_DRAWS = 2000
_SHARE = 0.95
_WEIGHTINGS = 400
_TIE = 1e-8
"""Resampled means this close are those of equal models."""
_ALL = "all"


@dataclass(frozen=True)
class _Profiles:
    """All axes of one data set and way of decoding, in one mode."""

    dataset: str
    decoding: str
    mode: str
    axes: list[Compared]
    seed: int

    def about(self, claim: str, models: tuple[str, ...], n: int) -> Finding:
        return Finding(claim, models, (self.dataset,), _ALL, _ALL, self.decoding, self.mode, n)

    def resamples(self, claim: str) -> Joint:
        return joint(self.axes, self.seed, claim, self.dataset, self.decoding)

    def named(self, axes: Sequence[int]) -> list[str]:
        """Returns names of axes, with the measure where an axis has several here."""
        known = [one.cell.axis for one in self.axes]
        cells = [self.axes[axis].cell for axis in axes]
        return [f"{cell.axis} ({cell.measure})" if known.count(cell.axis) > 1 else cell.axis for cell in cells]

    @property
    def where(self) -> str:
        return f"on {self.dataset} ({self.decoding}{', raw' if self.mode == RAW else ''})"


class _Told(NamedTuple):
    """What a sentence about dominance names: the place, the axes that were tested, those that are equal, those that were not compared."""

    where: str
    axes: list[str]
    equal: list[str]
    left_out: list[str]
    few: tuple[int, ...]


def _profiles(known: Sequence[Compared], mode: str, without: tuple[str, ...] = ()) -> list[_Profiles]:
    # Mirroring has one mode, which stands in the profile of either.
    taken = [one for one in known if one.cell.axis not in without and one.mode == (CALIBRATED if one.cell.axis == "mirroring" else mode)]
    places = sorted({(one.dataset, one.cell.decoding) for one in taken})
    found = []
    for dataset, decoding in places:
        axes = [one for one in taken if (one.dataset, one.cell.decoding) == (dataset, decoding)]
        found.append(_Profiles(dataset, decoding, mode, axes, axes[0].seed))
    return [each for each in found if len({one.cell.axis for one in each.axes}) > 1]


def dominance(known: Sequence[Compared], rules: Rules) -> list[Finding]:
    """Returns, for every two models with two common axes or more, whether one is the more stable on all of them: DOMINATES or NOT_SHOWN.

    ``estimate`` is the share of joint bootstraps of examples, one for all axes and models, in which the first model named is nowhere less
    stable and somewhere more (METRICS 7); DOMINATES asks for .95 of them and for p: the largest one-sided p over the axes, doubled for
    the choice of the direction, Holm over pairs of models, data sets and ways of decoding of a mode. An axis on which the two do not
    differ on any example takes no part, nor does one where they cannot be compared; the sentence names both. Two measures of one axis are
    tested both and count as one axis: where fewer than two axes are left nothing is said of "every axis" (NOT_TESTED, ``single_axis``).
    """
    found: list[Finding] = []
    for mode in MODES:
        made = [each for profiles in _profiles(known, mode) for each in _dominances(profiles)]
        findings = corrected([finding for finding, _ in made])
        found += [_judged(finding, told, rules.alpha) for finding, (_, told) in zip(findings, made, strict=True)]
    return modes_compared(found)


def _dominances(profiles: _Profiles) -> list[tuple[Finding, _Told]]:
    columns = [column for one in profiles.axes for column in pair_columns(one)]
    if not columns:
        return []
    moves = profiles.resamples("dominance").moves(columns, _DRAWS)
    start, drawn, places = 0, [], []
    for one in profiles.axes:
        apart = one.differences
        floor = np.hypot(one.scores.floor[apart.first], one.scores.floor[apart.second])
        rng = generator(profiles.seed, "dominance-floor", *one.key)
        noise = floor * rng.standard_normal((_DRAWS, floor.size)) if floor.any() else 0.0
        drawn.append(apart.estimate + moves[:, start : start + apart.n.size] + noise)
        places.append({names: place for place, names in enumerate(apart.names)})
        start += apart.n.size
    pairs = sorted(set().union(*places))
    made = []
    for pair in pairs:
        on = [axis for axis in range(len(places)) if pair in places[axis]]
        if len({profiles.axes[axis].cell.axis for axis in on}) > 1:
            made.append(_dominance(profiles, pair, [(axis, places[axis][pair]) for axis in on], drawn))
    return made


def _dominance(profiles: _Profiles, pair: tuple[str, str], at: list[tuple[int, int]], drawn: list[Floats]) -> tuple[Finding, _Told]:
    reasons = {axis: profiles.axes[axis].differences.reason(place) for axis, place in at}
    tested = [(axis, place) for axis, place in at if reasons[axis] is None]
    equal = [axis for axis, reason in reasons.items() if reason == "no_spread"]
    left_out = [axis for axis, reason in reasons.items() if reason not in (None, "no_spread")]
    counts = [int(profiles.axes[axis].differences.n[place]) for axis, place in tested or at]
    names = [axis for axis, _ in tested]
    few = tuple(int(profiles.axes[axis].differences.few[place]) for axis, place in tested)
    told = _Told(profiles.where, profiles.named(names), profiles.named(equal), profiles.named(left_out), few)
    finding = profiles.about("dominance", pair, min(counts))
    if not tested:
        return replace(finding, reason=reasons[at[0][0]]), told
    if len({profiles.axes[axis].cell.axis for axis in names}) < 2:
        return replace(finding, reason="single_axis"), told
    apart = np.stack([drawn[axis][:, place] for axis, place in tested], axis=1)
    z = np.array([profiles.axes[axis].differences.z[place] for axis, place in tested])
    both = (float(special.ndtr(z).max()), float(special.ndtr(-z).max()))
    shares = (dominance_share(apart, np.zeros_like(apart)), dominance_share(-apart, np.zeros_like(apart)))
    better = 0 if both[0] <= both[1] else 1
    finding = replace(finding, models=pair if better == 0 else pair[::-1], estimate=shares[better], threshold=_SHARE)
    return replace(finding, p=min(1.0, 2 * both[better]), test="intersection-union"), told


def _judged(finding: Finding, told: _Told, alpha: float) -> Finding:
    one, two = finding.models
    if finding.p is None or finding.p_adjusted is None or finding.estimate is None:
        why = f"{finding.reason}: {listed(told.axes)} alone" if finding.reason == "single_axis" else finding.reason
        return replace(finding, sentence=f"{one} and {two} {told.where}: dominance was not tested ({why}).")
    shown = finding.p_adjusted <= alpha and finding.estimate >= _SHARE
    verb = "is" if shown else "is not shown to be"
    share = f"in {100 * finding.estimate:.0f} % of joint resamples"
    detail = f"{share}; {corrected_p(finding, 'test')}, n = {finding.n} or more shared examples"
    sentence = f"{one} {verb} at least as stable as {two} on each of {listed(told.axes)} and more stable on one, {told.where} ({detail})"
    if told.equal:
        sentence += f"; on {listed(told.equal)} they do not differ on any example"
    if told.left_out:
        sentence += f"; on {listed(told.left_out)} they could not be compared"
    return replace(finding, verdict=DOMINATES if shown else NOT_SHOWN, sentence=f"{sentence}.{spread_alike(told.few) if shown else ''}")


def acceptability(known: Sequence[Compared], rules: Rules) -> list[Finding]:
    """Returns, for every model, under which share of weightings of the axes it is the most stable one: a description, no test (METRICS 7).

    On calibrated scores of the examples that the models share on each axis, by data set and way of decoding; axes that a model lacks are
    left out for all. Mirroring, whose scale has other ends, takes no part (METRICS 15). The interval is that of the share over joint
    resamples of examples. Of an axis with two measures that all models have, the one with more shared examples takes part, for two would
    weigh double. NOT_ASSESSABLE below two common axes with two shared examples.
    """
    del rules
    return [finding for profiles in _profiles(known, CALIBRATED, ("mirroring",)) for finding in _shares(profiles)]


def _shares(profiles: _Profiles) -> list[Finding]:
    models = tuple(sorted(set().union(*(one.scores.models for one in profiles.axes))))
    if len(models) < 2:
        return []
    best: dict[str, Compared] = {}
    for one in profiles.axes:
        if one.scores.models == models and (shared := one.scores.shared.sum()) > 1:
            known = best.get(one.cell.axis)
            best[one.cell.axis] = one if known is None or shared > known.scores.shared.sum() else known
    common = list(best.values())
    if len(common) < 2:
        finding = profiles.about("acceptability", models, 0)
        sentence = f"{listed(models)} {profiles.where}: weightings of axes were not compared (too few axes that all of them have)."
        return [replace(finding, verdict=NOT_ASSESSABLE, reason="too_few_common_axes", sentence=sentence)]
    found = np.stack([one.scores.score[:, one.scores.shared].mean(axis=1) for one in common], axis=1)
    share = accepted(found, generator(profiles.seed, "acceptability", profiles.dataset, profiles.decoding))
    drawn = _drawn_shares(profiles, common, found)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    axes, counts = [one.cell.axis for one in common], [int(one.scores.shared.sum()) for one in common]
    findings = []
    for place, model in enumerate(models):
        numbers = (float(share[place]), float(low[place]), float(high[place]))
        finding = profiles.about("acceptability", (model,), min(counts))
        own = listed([f"{axis} {figure(float(value))}" for axis, value in zip(axes, found[place], strict=True)])
        sentence = (
            f"{model} {profiles.where} is the most stable of {len(models)} models under {bracketed(*numbers)} of all weightings of "
            f"{listed(axes)} (instability {own}; {examples_of(counts)} shared examples; a description, not a test)."
        )
        finding = replace(finding, estimate=numbers[0], lower=numbers[1], upper=numbers[2], verdict=DESCRIBED, sentence=sentence)
        findings.append(finding)
    return findings


def _drawn_shares(profiles: _Profiles, common: list[Compared], found: Floats) -> Floats:
    """Returns the shares on each joint resample (draws x models)."""
    columns = []
    for one in common:
        shared = one.scores.shared
        for influence in one.scores.influence:
            mine = np.where(shared, influence, 0.0)
            columns.append((one.scores.examples, np.where(shared, mine - mine.sum() / shared.sum(), 0.0) / shared.sum()))
    moves = profiles.resamples("acceptability").moves(columns, _DRAWS).reshape(_DRAWS, len(common), -1)
    rng = generator(profiles.seed, "acceptability-draws", profiles.dataset, profiles.decoding)
    moves = moves + np.stack([one.scores.floor for one in common]) * rng.standard_normal(moves.shape)
    weights = rng.dirichlet(np.ones(len(common)), _WEIGHTINGS).T
    shares = np.zeros((_DRAWS, len(found)))
    for begin in range(0, _DRAWS, 100):
        drawn = found + moves[begin : begin + 100].transpose(0, 2, 1)
        means = drawn @ weights
        is_first = means <= means.min(axis=1, keepdims=True) + _TIE
        shares[begin : begin + 100] = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=2)
    return shares
