"""Does the order of two models reverse on other data? (METRICS 8: 3a, 3b, 3c, 3g)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sago.arrays.grouping import Floats
from sago.stats.claims.compared_words import examples_of, modes_compared, place_of, spread_alike
from sago.stats.evidence import MODES, Cell, Rules
from sago.stats.finding import NOT_SHOWN, Finding, corrected, corrected_p
from sago.stats.multiplicity import gail_simon, reversal_p
from sago.stats.paired import Compared, joint, pair_columns
from sago.stats.words import bracketed, counted, figure, listed, probability

REVERSED = "REVERSED"

_TEST = "intersection-union"
_DRAWS = 1000
_LEVEL_OF_EACH = 0.975
"""Two intervals of this level hold together with at least 95 %."""


@dataclass(frozen=True)
class _On:
    """Pairs of models on one data set."""

    known: Compared
    pairs: dict[tuple[str, str], int]
    signs: tuple[Floats, Floats]

    def said(self, pair: tuple[str, str]) -> str:
        apart, place = self.known.differences, self.pairs[pair]
        number = bracketed(float(apart.estimate[place]), float(apart.lower[place]), float(apart.upper[place]))
        return f"{number} on {self.known.dataset} (n = {apart.n[place]})"


def reversal(known: Sequence[Compared], rules: Rules) -> list[Finding]:
    """Returns, for every two data sets that two models share, whether the models' order reverses: REVERSED or NOT_SHOWN (METRICS 8, 3a).

    One family of tests for each mode: Holm over all pairs of models, pairs of data sets and cells. Before the pairs of each cell and two
    data sets stands one finding about all of them, where there are several; its p is the smallest.

    Of a pair, ``estimate`` is the size of the reversal: the smaller of the two absolute differences, with a minus where both have one
    sign; above 0 = in opposite order by at least this on either data set. Its interval is the range over both differences' 97.5 %
    intervals, which hold together with 95 %. ``n`` is the smaller of the two numbers of shared examples.
    """
    found: list[Finding] = []
    for mode in MODES:
        cells = [(first, second) for mine in _by_cell(known, mode) for first, second in combinations(mine, 2)]
        made = [[_tested(pair, one, two) for pair in sorted(one.pairs.keys() & two.pairs.keys())] for one, two in cells]
        tested = iter(corrected([finding for findings in made for finding in findings]))
        for (one, two), findings in zip(cells, made, strict=True):
            mine = [next(tested) for _ in findings]
            if len(mine) > 1:
                found.append(_of_all(mine, one, two, rules.alpha))
            found += [_judged(finding, one, two, rules.alpha) for finding in mine]
    return modes_compared(found)


def _by_cell(known: Sequence[Compared], mode: str) -> list[list[_On]]:
    cells: dict[Cell, list[Compared]] = {}
    for one in known:
        if one.mode == mode and len(one.scores.models) > 1:
            cells.setdefault(one.cell, []).append(one)
    return [[_on(one) for one in cells[cell]] for cell in cells if len(cells[cell]) > 1]


def _on(known: Compared) -> _On:
    moves = joint([known], known.seed, "reversal", *known.key).moves(pair_columns(known), _DRAWS)
    drawn = known.differences.estimate + moves
    places = {names: place for place, names in enumerate(known.differences.names)}
    return _On(known, places, ((drawn > 0).mean(axis=0), (drawn < 0).mean(axis=0)))


def _about(claim: str, one: Compared, models: tuple[str, ...], datasets: tuple[str, ...], n: int) -> Finding:
    return Finding(claim, models, datasets, one.cell.axis, one.cell.measure, one.cell.decoding, one.mode, n)


def _tested(pair: tuple[str, str], one: _On, two: _On) -> Finding:
    first, second = one.known.differences, two.known.differences
    i, j = one.pairs[pair], two.pairs[pair]
    n = int(min(first.n[i], second.n[j]))
    finding = _about("reversal", one.known, pair, (one.known.dataset, two.known.dataset), n)
    reason = first.reason(i) or second.reason(j)
    if reason:
        return replace(finding, reason=reason)
    (low_1, high_1), (low_2, high_2) = first.interval(i, _LEVEL_OF_EACH), second.interval(j, _LEVEL_OF_EACH)
    p = float(reversal_p(first.z[[i]], second.z[[j]])[0])
    at = float(first.estimate[i]), float(second.estimate[j])
    # The size grows with one difference and falls with the other, so its extremes lie at ends of their intervals.
    lower, upper = max(min(low_1, -high_2), min(-high_1, low_2)), max(min(high_1, -low_2), min(-low_1, high_2))
    return replace(finding, estimate=max(min(at[0], -at[1]), min(-at[0], at[1])), lower=lower, upper=upper, p=p, test=_TEST)


def _judged(finding: Finding, one: _On, two: _On, alpha: float) -> Finding:
    pair = (finding.models[0], finding.models[1])
    where = f"{pair[0]} less {pair[1]} (below 0: {pair[0]} is the more stable), {place_of(one.known.cell, one.known.mode)}"
    if finding.p is None or finding.p_adjusted is None:
        counts = f"n = {one.known.differences.n[one.pairs[pair]]} and {two.known.differences.n[two.pairs[pair]]}"
        on = f"{one.known.dataset} and {two.known.dataset}"
        return replace(finding, sentence=f"{where}: a reversal between {on} was not tested ({finding.reason}; {counts}).")
    i, j = one.pairs[pair], two.pairs[pair]
    differ = one.signs[0][i] * two.signs[1][j] + one.signs[1][i] * two.signs[0][j]
    shown = finding.p_adjusted <= alpha
    alone = " after the correction" if finding.p <= alpha else ""
    verdict = f"a reversal is not shown{alone}"
    if shown:
        mine, other = (one, two) if one.known.differences.estimate[i] < 0 else (two, one)
        verdict = f"REVERSED: {pair[0]} is the more stable on {mine.known.dataset}, {pair[1]} on {other.known.dataset}"
    detail = f"{corrected_p(finding, 'test')}; resampled examples give the two opposite signs in {100 * differ:.0f} % of cases"
    sentence = f"{where}: {one.said(pair)}, {two.said(pair)}: {verdict} ({detail})."
    sentence += spread_alike([int(one.known.differences.few[i]), int(two.known.differences.few[j])]) if shown else ""
    return replace(finding, verdict=REVERSED if shown else NOT_SHOWN, sentence=sentence)


def _of_all(findings: Sequence[Finding], one: _On, two: _On, alpha: float) -> Finding:
    """Makes the finding about all pairs of two data sets, which a reader sees first."""
    models = tuple(sorted({name for finding in findings for name in finding.models}))
    datasets = findings[0].datasets
    tested = [finding for finding in findings if finding.p is not None and finding.p_adjusted is not None]
    finding = _about("reversal", one.known, models, datasets, min(finding.n for finding in tested or findings))
    of = f"{counted(len(findings), 'pair')} of {len(models)} models"
    between = f"between {datasets[0]} and {datasets[1]}, {place_of(one.known.cell, one.known.mode)}"
    if not tested:
        reason = findings[0].reason
        return replace(finding, reason=reason, sentence=f"A reversal of any of the {of} {between} was not tested ({reason}).")
    first = min(tested, key=lambda each: each.p or 0.0)
    finding = replace(finding, p=first.p, p_adjusted=first.p_adjusted, tests=first.tests, test=_TEST)
    shown = [each for each in tested if (each.p_adjusted or 0.0) <= alpha]
    signs = sum((each.estimate or 0.0) > 0 for each in tested) - len(shown)
    chance = f"; {counted(signs, 'more pair') if shown else counted(signs, 'pair')} merely {'changes' if signs == 1 else 'change'} sign, "
    chance = f"{chance}which identical orders do by chance as well" if signs else ""
    missing = f"; {counted(len(findings) - len(tested), 'pair')} could not be tested" if len(tested) < len(findings) else ""
    correction = f"by {_TEST}, {probability(first.p_adjusted or 0.0)} after Holm over {counted(first.tests or 0, 'test')}"
    counts = examples_of([each.n for each in tested])
    detail = f"(smallest {probability(first.p or 0.0)} {correction}, {counts} shared examples)"
    if shown:
        named = listed([f"{each.models[0]} against {each.models[1]}" for each in shown], 3)
        said = f"{len(shown)} of the {of} {'reverses its' if len(shown) == 1 else 'reverse their'} order {between} {detail}: {named}"
    else:
        said = f"None of the {of} is shown to reverse its order {between} {detail}"
    return replace(finding, verdict=REVERSED if shown else NOT_SHOWN, sentence=f"{said}{chance}{missing}.")


def reversal_omnibus(known: Sequence[Compared], rules: Rules) -> list[Finding]:
    """Returns, for every two models that share three data sets or more, whether their order reverses anywhere (METRICS 8, 3b).

    Gail-Simon test, Holm over pairs and cells of a mode; ``estimate`` is Q. With two data sets it is the test of ``reversal`` itself, so
    there is none. It holds where the data sets share no examples, which the sentence says.
    """
    found: list[Finding] = []
    for mode in MODES:
        made = [finding for mine in _many(known, mode) for finding in _everywhere(mine)]
        tested = corrected([finding for finding, *_ in made])
        found += [_said_everywhere(finding, signs, few, rules.alpha) for finding, (_, signs, few) in zip(tested, made, strict=True)]
    return modes_compared(found)


def _many(known: Sequence[Compared], mode: str) -> list[list[Compared]]:
    cells: dict[Cell, list[Compared]] = {}
    for one in known:
        if one.mode == mode:
            cells.setdefault(one.cell, []).append(one)
    return [mine for mine in cells.values() if len(mine) > 2]


def _everywhere(mine: Sequence[Compared]) -> list[tuple[Finding, tuple[list[str], list[str]], list[int]]]:
    places: dict[tuple[str, str], list[tuple[Compared, int]]] = {}
    for one in mine:
        for place, pair in enumerate(one.differences.names):
            places.setdefault(pair, []).append((one, place))
    made = []
    for pair, at in sorted(places.items(), key=lambda item: item[0]):
        if len(at) < 3:
            continue
        on = [(one, place) for one, place in at if not np.isnan(one.differences.z[place])]
        n = min(int(one.differences.n[place]) for one, place in on or at)
        finding = _about("reversal_omnibus", at[0][0], pair, tuple(one.dataset for one, _ in at), n)
        z, few = (np.array([getattr(one.differences, name)[place] for one, place in on]) for name in ("z", "few"))
        signs = [one.dataset for (one, _), score in zip(on, z, strict=True) if score < 0]
        others = [one.dataset for one, _ in on if one.dataset not in signs]
        if len(on) < 2:
            made.append(
                (replace(finding, reason=at[0][0].differences.reason(at[0][1]) or "too_few_datasets"), (signs, others), few.tolist())
            )
            continue
        q, p = gail_simon(z)
        made.append((replace(finding, estimate=q, p=p, test="Gail-Simon test"), (signs, others), few.tolist()))
    return made


def _said_everywhere(finding: Finding, signs: tuple[list[str], list[str]], few: list[int], alpha: float) -> Finding:
    one, two = finding.models
    where = f"{one} and {two}, {place_of(Cell(finding.axis, finding.measure, finding.decoding), finding.mode)}"
    if finding.p is None or finding.p_adjusted is None:
        return replace(finding, sentence=f"{where}: a reversal among {len(finding.datasets)} data sets was not tested ({finding.reason}).")
    shown = finding.p_adjusted <= alpha
    order = f"{one} is the more stable on {listed(signs[0])}, {two} on {listed(signs[1])}"
    verdict = "REVERSED: which of them is the more stable changes with the data set" if shown else "a reversal anywhere is not shown"
    tested = len(signs[0]) + len(signs[1])
    q = f"Q = {figure(finding.estimate or 0.0)} over {tested} data sets"
    detail = f"{q}, {corrected_p(finding, 'pair')}, n = {finding.n} or more shared examples"
    sentence = f"{where}: {order}; {verdict} ({detail}; valid where the data sets share no examples)."
    sentence += spread_alike(few) if shown else ""
    return replace(finding, verdict=REVERSED if shown else NOT_SHOWN, sentence=sentence)
