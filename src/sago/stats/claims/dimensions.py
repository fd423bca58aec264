"""How many different things do the axes measure? (METRICS 8, 2h)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from sago.arrays.grouping import Floats
from sago.seeds import generator
from sago.stats.claims.pairs import FEWEST, Pair, Wholes, said_where
from sago.stats.dimensions import nearest_correlation, participation_ratio
from sago.stats.evidence import RAW, Rules
from sago.stats.finding import NOT_SHOWN, Finding, corrected
from sago.stats.independence import pooled_rho
from sago.stats.strata import axis_place
from sago.stats.words import figure, listed, probability

CLAIM = "dimensions"
FEWER = "FEWER_THAN_AXES"

DRAWS = 199
MOST_EXAMPLES = 2000
"""Most examples of a data set that are permuted; correlations of more are that much closer to 0, which is put in by their number."""


def dimensions(pairs: Sequence[Pair], wholes: Sequence[Wholes], rules: Rules) -> list[Finding]:
    """Returns, for every way of decoding with at least three axes that can be assessed in one stratum, how many dimensions they span.

    The participation ratio of the correlations that ``independence`` pools, as the nearest correlation matrix; against it those of axes
    that were permuted within data sets (Horn 1965; the same permutation for all models, which keeps what models have in common), divided
    by the same reliabilities. FEWER_THAN_AXES where independent axes would hardly give so few, else NOT_SHOWN.
    """
    found = []
    for decoding in sorted({pair.decoding for pair in pairs}):
        usable = {pair.axes: pair for pair in pairs if pair.decoding == decoding and pair.assessed()}
        axes = _assessable(usable)
        mine = _complete(axes, usable, [whole for whole in wholes if whole.decoding == decoding])
        if len(axes) >= 3 and mine:
            found.append(_of_decoding(decoding, axes, usable, mine, rules))
    return [_finished(finding, count, sentence, rules.alpha) for finding, (count, sentence) in zip(*_corrected(found), strict=True)]


_Made = tuple[Finding, int, str]


def _assessable(pairs: dict[tuple[str, str], Pair]) -> list[str]:
    """Returns the axes all of whose pairs are assessed; of those in the way the one with the fewest pairs goes first."""
    axes = sorted({axis for pair in pairs for axis in pair}, key=axis_place)
    while axes:
        known = {axis: sum(tuple(sorted((axis, other), key=axis_place)) in pairs for other in axes if other != axis) for axis in axes}
        worst = min(axes, key=lambda axis: (known[axis], axis))
        if known[worst] == len(axes) - 1:
            return axes
        axes.remove(worst)
    return axes


def _complete(axes: list[str], pairs: dict[tuple[str, str], Pair], wholes: Sequence[Wholes]) -> list[Wholes]:
    """Returns the strata in which every pair of the axes is assessed, on examples that have all of them."""
    each = [{(part.model, part.dataset) for part in pair.assessed()} for names, pair in pairs.items() if set(names) <= set(axes)]
    known = set.intersection(*each) if each else set()
    return [one for one in wholes if (one.model, one.dataset) in known and set(axes) <= set(one.axes) and one.places.size >= FEWEST]


def _of_decoding(decoding: str, axes: list[str], pairs: dict[tuple[str, str], Pair], mine: Sequence[Wholes], rules: Rules) -> _Made:
    k = len(axes)
    matrix, scale = np.eye(k), np.ones((k, k))
    for one, two in combinations(range(k), 2):
        parts = [part for part in pairs[axes[one], axes[two]].assessed() if part.cross is not None]
        crosses = [part.cross for part in parts if part.cross is not None]
        rho = pooled_rho(crosses, [(part.dataset, part.places) for part in parts]).estimate
        # Scores over all wordings repeat by their reliability: permuted ones are divided by the same root of it.
        reliable = float(np.mean([np.sqrt(cross.reliability[0] * cross.reliability[1]) for cross in crosses]))
        matrix[one, two] = matrix[two, one] = rho
        scale[one, two] = scale[two, one] = 1 / reliable
    observed = nearest_correlation(matrix)
    rng = generator(rules.seed, CLAIM, decoding, axes)
    null = [nearest_correlation(np.where(np.eye(k) > 0, 1.0, drawn * scale)) for drawn in _permuted(axes, mine, rng)]
    ratio = participation_ratio(observed)
    p = (1 + sum(participation_ratio(one) <= ratio for one in null)) / (1 + len(null))
    beyond = np.sort(np.linalg.eigvalsh(observed))[::-1] > np.quantile(
        [np.sort(np.linalg.eigvalsh(one))[::-1] for one in null], 0.95, axis=0
    )
    common = int(np.argmin(np.r_[beyond, False]))
    parts = [part for axis_pair, pair in pairs.items() if set(axis_pair) <= set(axes) for part in pair.assessed()]
    models, datasets = (tuple(sorted({getattr(part, name) for part in parts})) for name in ("model", "dataset"))
    measures = {axis: name for pair in pairs.values() for axis, name in zip(pair.axes, pair.measures, strict=True)}
    n = max(part.places.size for part in parts)
    finding = Finding(
        CLAIM,
        models,
        datasets,
        "all",
        " & ".join(measures[axis] for axis in axes),
        decoding,
        RAW,
        n,
        estimate=ratio,
        p=p,
        threshold=float(k),
    )
    listing = listed([f"{axes[one]} and {axes[two]} {figure(observed[one, two])}" for one, two in combinations(range(k), 2)])
    return finding, common, f"{said_where(models, datasets)}, {listed(axes)} ({decoding}): {listing}"


def _permuted(axes: list[str], mine: Sequence[Wholes], rng: np.random.Generator) -> list[Floats]:
    """Returns correlation matrices of axes that were permuted, each data set's examples alike for all its models; 0 on the diagonal."""
    k, weights = len(axes), np.array([one.places.size - 3.0 for one in mine])
    sums = np.zeros((DRAWS, k, k))
    for dataset in sorted({one.dataset for one in mine}):
        of_set = [(one, weight) for one, weight in zip(mine, weights / weights.sum(), strict=True) if one.dataset == dataset]
        size = 1 + max(int(one.places.max()) for one, _ in of_set)
        some = np.sort(rng.permutation(size)[:MOST_EXAMPLES])
        grids = []
        for one, weight in of_set:
            grid = np.zeros((k, size))
            grid[:, one.places] = one.ranks[[one.axes.index(axis) for axis in axes]]
            grids.append((grid[:, some], weight / one.places.size * np.sqrt(size / some.size)))
        for draw in range(DRAWS):
            orders = [rng.permutation(some.size) for _ in range(k)]
            for grid, weight in grids:
                moved = np.stack([row[order] for row, order in zip(grid, orders, strict=True)])
                sums[draw] += weight * (moved @ moved.T)
    sums[:, np.arange(k), np.arange(k)] = 0.0
    return list(sums)


def _corrected(found: Sequence[_Made]) -> tuple[list[Finding], list[tuple[int, str]]]:
    return corrected([finding for finding, *_ in found]), [(count, sentence) for _, count, sentence in found]


def _finished(finding: Finding, common: int, sentence: str, alpha: float) -> Finding:
    k, p = int(finding.threshold or 0), finding.p_adjusted if finding.p_adjusted is not None else 1.0
    fewer = p <= alpha
    verdict = "fewer than independent axes would" if fewer else "not shown to be fewer than those of independent axes"
    beyond = f"{common} common factor{'' if common == 1 else 's'} beyond chance by parallel analysis"
    detail = f"{probability(p)} by {DRAWS} permutations of the axes, n = {finding.n} examples; {beyond}"
    said = (
        f"correlations freed of noise are {sentence.split(': ', 1)[1]}: together {k} axes span {figure(finding.estimate or 0.0)} dimensions"
    )
    text = f"{sentence.split(': ', 1)[0]}: {said}, {verdict} ({detail})."
    return replace(finding, verdict=FEWER if fewer else NOT_SHOWN, test="parallel analysis", sentence=text)
