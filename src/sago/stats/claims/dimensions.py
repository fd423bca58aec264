"""How many different things do the axes measure? (METRICS 8, 2h)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from sago.arrays.grouping import Floats, Integers, Values
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

DRAWS = 999
"""Permutations. Their seed is that of the study: with 199 a study's own level would be .05 give or take .015."""


def dimensions(pairs: Sequence[Pair], wholes: Sequence[Wholes], rules: Rules) -> list[Finding]:
    """Returns, for every way of decoding with at least three axes that can be assessed in one stratum, how many dimensions they span.

    The participation ratio of the correlations that ``independence`` pools, as the nearest correlation matrix; against it those of axes
    that were permuted within data sets (Horn 1965; the same permutation for all models, which keeps what models have in common, and among
    examples that the same models have), across halves of the wordings and divided by the same reliabilities, as the observed ones are.
    FEWER_THAN_AXES where independent axes would hardly give so few, else NOT_SHOWN.
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
    mine = [one for one in wholes if (one.model, one.dataset) in known and set(axes) <= set(one.axes)]
    return [one for one in mine if one.n >= FEWEST and one.ranks.shape[2]]


def _of_decoding(decoding: str, axes: list[str], pairs: dict[tuple[str, str], Pair], mine: Sequence[Wholes], rules: Rules) -> _Made:
    k = len(axes)
    matrix = np.eye(k)
    halves: dict[tuple[str, str], Floats] = {}
    for one, two in combinations(range(k), 2):
        parts = [part for part in pairs[axes[one], axes[two]].assessed() if part.cross is not None]
        crosses = [part.cross for part in parts if part.cross is not None]
        rho = pooled_rho(crosses, [(part.dataset, part.places) for part in parts]).estimate
        matrix[one, two] = matrix[two, one] = rho
        for part, cross in zip(parts, crosses, strict=True):
            scale = halves.setdefault((part.model, part.dataset), np.ones((k, k)))
            scale[one, two] = scale[two, one] = 1 / float(np.sqrt(cross.half[0] * cross.half[1]))
    observed = nearest_correlation(matrix)
    rng = generator(rules.seed, CLAIM, decoding, axes)
    null = [nearest_correlation(np.eye(k) + drawn) for drawn in permuted_correlations(axes, mine, halves, rng)]
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


def permuted_correlations(
    axes: list[str], mine: Sequence[Wholes], scales: Mapping[tuple[str, str], Floats], rng: np.random.Generator
) -> Floats:
    """Returns correlations of axes that were permuted (draws, axes, axes), estimated as the observed ones; 0 on the diagonal.

    Args:
        axes: The axes.
        mine: Strata that have all of them.
        scales: (model, data set) -> 1 over the root of the half correlations of every two axes, which takes the noise off.
        rng: Generator seeded from content.
    """
    k, total = len(axes), sum(one.n - 3.0 for one in mine)
    sums = np.zeros((DRAWS, k, k))
    for dataset in sorted({one.dataset for one in mine}):
        of_set = [one for one in mine if one.dataset == dataset]
        known, at = np.unique(np.concatenate([one.places for one in of_set]), return_inverse=True)
        where = np.split(at.reshape(-1), np.cumsum([one.places.size for one in of_set])[:-1])
        there = np.zeros((known.size, len(of_set)), dtype=np.bool_)
        for column, places in enumerate(where):
            there[places, column] = True
        orders = _orders(there, k, rng)
        for one, places in zip(of_set, where, strict=True):
            grid = np.zeros((k, 2, one.ranks.shape[2], known.size), dtype=np.float32)
            grid[..., places] = one.ranks[[one.axes.index(axis) for axis in axes]]
            weight = (one.n - 3.0) / total / np.sqrt(one.n * float(places.size)) / (2 * one.ranks.shape[2])
            for first, second in combinations(range(k), 2):
                # Half one of an axis with half two of the other, and the other way round.
                left, right = (rows.reshape(-1, known.size) for rows in (grid[first], grid[second, ::-1]))
                found = (left.T @ right)[orders[first], orders[second]].sum(axis=1, dtype=np.float64)
                sums[:, first, second] += weight * scales[one.model, one.dataset][first, second] * found
    return sums + sums.transpose(0, 2, 1)


def _orders(there: Values, axes: int, rng: np.random.Generator) -> Integers:
    """Returns random orders of examples (axes, draws, examples); they are exchanged only among those that the same models have."""
    _, pattern = np.unique(there, axis=0, return_inverse=True)
    orders = np.empty((axes, DRAWS, len(there)), dtype=np.int64)
    for group in range(int(pattern.max()) + 1):
        same = np.flatnonzero(pattern.reshape(-1) == group)
        for axis in range(axes):
            orders[axis][:, same] = rng.permuted(np.broadcast_to(same, (DRAWS, same.size)), axis=1)
    return orders


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
