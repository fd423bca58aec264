"""Do two axes find the same examples unstable? Correlations across halves of the wordings, and distance correlation (METRICS 8: 2a to 2g).

Scores of one axis over one half of an example's wordings are compared with those of the other axis over the other half, so that they share
no noise; how well an axis' halves agree with each other says how much of the correlation noise takes away.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats, Integers, Values
from sago.errors import InputError
from sago.stats.reliability import spearman_brown

DISTANCE_EXAMPLES = 2000
"""Most examples that a distance correlation is taken of; the cost grows with their square."""

LONG_RANK = 2.0
"""Standard ranks without ties end at root 3 = 1.73. Ranks beyond this are those of few examples that stand apart from many equal ones."""

Halves = tuple[Floats, Floats]
"""Scores over first halves and over second halves, each (splits, examples)."""


def standard_ranks(scores: Values) -> Floats:
    """Returns ranks along the last axis with mean 0 and variance 1; equal scores share their mean rank. NaN for a row without spread.

    The mean product of two rows is Spearman's rho (METRICS 8, 2a).

    Args:
        scores: Scores (splits, examples), without NaN.

    >>> standard_ranks(np.array([[1.0, 5.0, 3.0]])).round(3).tolist()
    [[-1.225, 1.225, 0.0]]
    """
    result = np.empty(scores.shape)
    places = np.arange(scores.shape[1] + 1, dtype=np.float64)
    for row, values in enumerate(scores):
        order = np.argsort(values)
        ordered = values[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        ends = np.r_[starts[1:], values.size]
        means = (places[starts] + places[ends] - 1) / 2
        result[row, order] = np.repeat(means, ends - starts)
    return _standardised(result)


def _standardised(rows: Floats) -> Floats:
    rows = rows - rows.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.mean(rows**2, axis=1, keepdims=True))
    result: Floats = np.divide(rows, spread, out=np.full(rows.shape, np.nan), where=spread > 1e-9)
    return result


def without_covariates(ranks: Floats, covariates: Floats) -> Floats:
    """Returns what a linear fit of the covariates leaves of standard ranks, with mean 0 and variance 1 (METRICS 8, 2g).

    The mean product of two such rows is the partial Spearman correlation. NaN for a row of which nothing is left.

    Args:
        ranks: From ``standard_ranks`` (splits, examples).
        covariates: Standard ranks of the covariates (covariates, examples).
    """
    axes, sizes, _ = np.linalg.svd(covariates.T, full_matrices=False)
    axes = axes[:, sizes > 1e-9 * max(float(sizes.max(initial=0.0)), 1.0)]
    left = ranks - (ranks @ axes) @ axes.T
    left[np.sqrt(np.mean(left**2, axis=1)) < 1e-6] = 0.0  # rounding of a score that the covariates tell completely
    return _standardised(left)


class CrossHalf(NamedTuple):
    """A correlation of two axes that noise neither makes nor hides.

    Attributes:
        estimate: Mean cross-half correlation over the root of the two mean half correlations; unclipped; 0 = unrelated. NaN where a half
            correlation is not above 0.
        se: Its standard error, examples resampled.
        observed: Mean cross-half correlation, noise still in it.
        reliability: Of each axis over all wordings, by Spearman-Brown; 1 = it repeats exactly.
        half: Of each axis over half of them.
        n: Number of examples.
        influence: What each example adds to the error of the estimate: the root of the sum of squares is ``se``.
        products: X_i / sqrt(mean A mean B), A_i / mean A and B_i / mean B of each example (3, examples): means are the estimate, 1 and 1.
        ends: Lowest and highest mean rank of each axis (2, 2), over the root of its half correlation.
        rare: Whether ties leave some ranks beyond ``LONG_RANK``.
        apart: Examples that make up the spread of an axis, (sum r^2)^2 / sum r^4 of mean ranks r, of the axis with fewer: about the number
            of those that stand apart from many equal ones, n / 1.8 without ties.
    """

    estimate: float
    se: float
    observed: float
    reliability: tuple[float, float]
    half: tuple[float, float]
    n: int
    influence: Floats
    products: Floats
    ends: Floats
    rare: bool = False
    apart: float = float("nan")


def _unknown(n: int, observed: float, reliability: tuple[float, float], half: tuple[float, float]) -> CrossHalf:
    none = float("nan")
    return CrossHalf(none, none, observed, reliability, half, n, np.full(n, none), np.full((3, n), none), np.full((2, 2), none))


def cross_half(first: Halves, second: Halves, *, covariates: int = 0) -> CrossHalf:
    """Returns the correlation of two axes across halves of the wordings, freed of noise (METRICS 8, 2b to 2d).

    Formula: with standard ranks a1, a2, b1, b2 of the halves of every split, X_i = mean over splits of (a1 b2 + a2 b1) / 2, and A_i, B_i
    those of a1 a2 and b1 b2: rho = mean X / sqrt(mean A mean B). Its standard error is that of this ratio of means (delta method); that
    the ranks are made of the same examples adds nothing, for it cancels out of the ratio. n - 3 - covariates stands in place of n, as in
    Fisher's z. A split with a half without spread is left out.
    Range: about [-1, 1], unclipped; 0 = unrelated. NaN where no split is left, or an axis does not repeat at all.
    Source: Spearman 1904; halves crossed so that axes measured on the same responses share no error (METRICS 8, 2d).

    Args:
        first: Standard ranks of the first axis.
        second: Those of the second axis, of the same examples and splits.
        covariates: Number of covariates that were partialled out.
    """
    (a1, a2), (b1, b2) = first, second
    n = a1.shape[1]
    used = (
        np.flatnonzero(~np.isnan(np.stack([a1[:, :1], a2[:, :1], b1[:, :1], b2[:, :1]])).any(axis=(0, 2))) if n else np.empty(0, np.int64)
    )
    if not used.size or n < 5 + covariates:
        nothing = (float("nan"), float("nan"))
        return _unknown(n, float("nan"), nothing, nothing)
    a1, a2, b1, b2 = (rows if used.size == len(rows) else rows[used] for rows in (a1, a2, b1, b2))
    cross = (_mean_product(a1, b2) + _mean_product(a2, b1)) / 2
    own, other = _mean_product(a1, a2), _mean_product(b1, b2)
    x, a, b = float(cross.mean()), float(own.mean()), float(other.mean())
    reliability = (spearman_brown(a), spearman_brown(b))
    if not (a > 0 and b > 0):
        return _unknown(n, x, reliability, (a, b))
    rho = x / float(np.sqrt(a * b))
    influence = (cross - x) / np.sqrt(a * b) - rho / 2 * (own / a + other / b - 2)
    influence /= np.sqrt((n - 1.0) * (n - 3.0 - covariates))
    products = np.stack([cross / np.sqrt(a * b), own / a, other / b])
    means = [(rows + more).mean(axis=0) / 2 for rows, more in ((a1, a2), (b1, b2))]
    ends = np.array([[values.min(), values.max()] for values in means])
    rare = bool(np.abs(ends).max() > LONG_RANK)
    ends /= np.sqrt([[a], [b]])
    apart = min(float((values @ values) ** 2 / np.sum(values**4)) for values in means)
    return CrossHalf(rho, float(np.sqrt(influence @ influence)), x, reliability, (a, b), n, influence, products, ends, rare, apart)


def _mean_product(one: Floats, two: Floats) -> Floats:
    result: Floats = np.einsum("ij,ij->j", one, two) / len(one)
    return result


class PooledRho(NamedTuple):
    """A correlation over strata.

    Attributes:
        estimate: Mean of the strata's, weighted by their examples less 3.
        se: Its standard error; models that were asked the same examples are not independent, and count as such.
        n: Number of different examples.
    """

    estimate: float
    se: float
    n: int


def pooled_rho(parts: Sequence[CrossHalf], examples: Sequence[tuple[str, Integers]]) -> PooledRho:
    """Returns the mean of correlations over strata, weights n - 3 (METRICS 8, 2a); NaN without strata.

    Args:
        parts: The strata; all have an estimate.
        examples: Of each stratum, its data set, and the place of its examples in it: strata of one data set can share examples.
    """
    if not parts:
        return PooledRho(float("nan"), float("nan"), 0)
    weights = stratum_weights(parts)
    influence = summed([weight * part.influence for part, weight in zip(parts, weights, strict=True)], examples)
    estimate = float(weights @ np.array([part.estimate for part in parts]))
    return PooledRho(estimate, float(np.sqrt(influence @ influence)), influence.size)


def stratum_weights(parts: Sequence[CrossHalf]) -> Floats:
    """Returns the weight of each stratum, by its examples less 3 (METRICS 8, 2a); they sum to 1."""
    weights = np.array([part.n - 3.0 for part in parts])
    result: Floats = weights / weights.sum()
    return result


def summed(values: Sequence[Floats], examples: Sequence[tuple[str, Integers]]) -> Floats:
    """Returns the sum over strata of what each different example has; by data set, in the order of their places.

    Args:
        values: Of each stratum, a number for each of its examples.
        examples: Of each its data set, and the places of its examples in it.
    """
    found = []
    for name in dict.fromkeys(dataset for dataset, _ in examples):
        mine = [(numbers, places) for numbers, (dataset, places) in zip(values, examples, strict=True) if dataset == name]
        _, at = np.unique(np.concatenate([places for _, places in mine]), return_inverse=True)
        found.append(np.bincount(at.reshape(-1), np.concatenate([numbers for numbers, _ in mine])))
    return np.concatenate(found)


def strata_differ_p(parts: Sequence[CrossHalf], examples: Sequence[tuple[str, Integers]]) -> float:
    """Returns p of "the correlation is the same in all strata"; NaN with fewer than two strata that have an error (METRICS 8, 2f).

    Q = sum of ((rho_k - mean) / se_k)^2, mean weighted by 1 / se_k^2: with independent strata Cochran's Q. Models that were asked the same
    examples are not independent: Q is then a sum of chi2_1 with weights of their covariance, which scale and degrees of freedom of equal
    mean and variance stand for (Satterthwaite 1946). A pooled correlation speaks for no stratum where this p is small.

    Args:
        parts: The strata.
        examples: Of each its data set, and the places of its examples in it.
    """
    kept = [(part, where) for part, where in zip(parts, examples, strict=True) if part.se > 1e-9]
    if len(kept) < 2:
        return float("nan")
    rho, se = (np.array([getattr(part, name) for part, _ in kept]) for name in ("estimate", "se"))
    among = np.eye(len(kept))
    for (i, (one, (dataset, mine))), (j, (two, (other, theirs))) in combinations(enumerate(kept), 2):
        if dataset == other:
            _, at, there = np.intersect1d(mine, theirs, assume_unique=True, return_indices=True)
            among[i, j] = among[j, i] = float(one.influence[at] @ two.influence[there]) / (se[i] * se[j])
    weights = 1 / se**2 / np.sum(1 / se**2)
    apart = (np.eye(len(kept)) - weights) * (se / se[:, None])  # from standardised errors to those about the weighted mean
    q = float(np.sum(((rho - weights @ rho) / se) ** 2))
    covariance = apart @ among @ apart.T
    total, squares = float(np.trace(covariance)), float(np.sum(covariance**2))
    return float(special.chdtrc(total**2 / squares, q * total / squares)) if total > 1e-9 else float("nan")


def partial_spearman(first: Floats, second: Floats, covariates: Floats) -> CrossHalf:
    """Returns the Spearman correlation of two scores with covariates partialled out, and its standard error (METRICS 8, 2g).

    The correlation of what linear fits of the covariates' ranks leave of the scores' ranks; in [-1, 1], 0 = nothing beyond the covariates.
    NaN where nothing is left of a score. The scores are taken as they are: ``reliability`` is 1.

    Args:
        first: One score an example.
        second: Another.
        covariates: Covariates (covariates, examples); may be none.
    """
    ranks = standard_ranks(np.stack([first, second]))
    if len(covariates):
        known = standard_ranks(covariates)
        ranks = without_covariates(ranks, known[~np.isnan(known[:, 0])])
    a, b = ranks[:1], ranks[1:]
    return cross_half((a, a), (b, b), covariates=len(covariates))


def distance_correlation(first: Floats, second: Floats) -> float:
    """Returns the bias-corrected squared distance correlation of two scalars (METRICS 8, 2f).

    Formula: sum over pairs of A_ij B_ij over the root of the same of A A and B B, with the distances |x_i - x_j| centred by rows, columns
    and in all (U-centred). About 0 (either side) = independent, 1 = one is a straight line of the other; it sees dependence of any form,
    where a correlation sees a common direction alone. NaN below four examples and for a score without spread. Exact, in n^2 steps.
    Source: Szekely & Rizzo 2014.
    """
    if first.shape != second.shape:
        raise InputError("two scores of different examples", where="distance_correlation", fix="Give both for the same examples")
    n = first.size
    if n < 4:
        return float("nan")
    x, y = first - first.mean(), second - second.mean()
    rows, squares = zip(*(_distance_sums(values) for values in (x, y)), strict=True)
    step = max(1, 2_000_000 // n)
    both = 0.0
    for begin in range(0, n, step):
        left = slice(begin, begin + step)
        both += float(np.einsum("ij,ij->", np.abs(x[left, None] - x), np.abs(y[left, None] - y)))

    def centred(total: float, one: Floats, two: Floats) -> float:
        return total - 2 / (n - 2) * float(one @ two) + float(one.sum() * two.sum()) / ((n - 1) * (n - 2))

    own, other = centred(squares[0], rows[0], rows[0]), centred(squares[1], rows[1], rows[1])
    if not (own > 1e-12 * squares[0] and other > 1e-12 * squares[1]):
        return float("nan")
    return centred(both, rows[0], rows[1]) / float(np.sqrt(own * other))


def distance_parts(first: Floats, second: Floats) -> Floats:
    """Returns what each example adds to the distance correlation of two scalars: sum over j of A_ij B_ij / root(sum A A, sum B B).

    Its error is twice the root of their sum of squares (a statistic of pairs of examples), where few examples stand apart from many equal
    ones; without ties that of independent scores is smaller, see ``distance_p``. NaN where the correlation is. Takes n^2 numbers of memory.
    """
    if first.size < 4:
        return np.full(first.size, np.nan)
    one, two = _u_centred(first), _u_centred(second)
    below = float(np.sqrt(np.vdot(one, one) * np.vdot(two, two)))
    parts: Floats = np.einsum("ij,ij->i", one, two) / (below or np.nan)
    return parts


def _u_centred(x: Floats) -> Floats:
    n = x.size
    apart: Floats = np.abs(x[:, None] - x)
    rows = apart.sum(axis=1)
    apart += rows.sum() / ((n - 1) * (n - 2)) - (rows[:, None] + rows) / (n - 2)
    np.fill_diagonal(apart, 0.0)
    return apart


def _distance_sums(x: Floats) -> tuple[Floats, float]:
    """Returns the sum of distances of each value to all others, and the sum of all squared distances."""
    n, order = x.size, np.argsort(x)
    ordered = x[order]
    below = np.cumsum(ordered) - ordered
    place = np.arange(n)
    sums = np.empty(n)
    sums[order] = ordered * place - below + (ordered.sum() - below - ordered) - ordered * (n - 1 - place)
    return sums, float(2 * n * (x @ x) - 2 * x.sum() ** 2)


def distance_p(correlation: float, n: int) -> float:
    """Returns the p value of "independent" for a bias-corrected squared distance correlation: P(chi2_1 > n R + 1) (METRICS 8, 2f).

    Never below the true one for p up to about .08, so the test keeps its level, without permutations. In (0, 1]; NaN where R is.
    Source: Shen, Panda & Vogelstein 2022.
    """
    return float(special.chdtrc(1, max(n * correlation + 1, 0.0)))


def distance_of_normal(rho: float) -> float:
    """Returns the squared distance correlation of two normal scores with correlation rho: what a rho of this size looks like there.

    In [0, 1]; 0 for rho = 0, 1 for rho = 1 or -1. Szekely, Rizzo & Bakirov 2007.

    >>> round(distance_of_normal(0.3), 4), distance_of_normal(1.0)
    (0.0724, 1.0)
    """
    r = abs(rho)
    above = r * np.arcsin(r) + np.sqrt(1 - r**2) - r * np.arcsin(r / 2) - np.sqrt(4 - r**2) + 1
    return min(1.0, float(above / (1 + np.pi / 3 - np.sqrt(3))))
