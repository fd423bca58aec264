"""How many different things the axes measure: correlations, dimensions behind them, and overlap of failures (METRICS 8: 2h, 2i, 2k)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats, Values
from sago.arrays.intervals import LEVEL, Interval
from sago.errors import InputError
from sago.stats.limits import at_least, between, dimensions, same_shape

_ROUNDING = 1e-8
"""An eigenvalue this far below 0, as a share of their sum, is rounding."""


def participation_ratio(correlations: Floats) -> float:
    """Returns (sum l)^2 / sum l^2 over the eigenvalues l of a correlation matrix of k axes (METRICS 8, 2h; E45).

    Range [1, k]: k = independent axes, 1 = one factor behind all. NaN where a correlation is missing. A matrix with a negative eigenvalue
    (disattenuation makes such) is an error: take the nearest correlation matrix first.

    >>> round(participation_ratio(np.full((4, 4), 0.3) + 0.7 * np.eye(4)), 6)
    3.149606
    """
    shares = _spectrum(correlations, where="participation_ratio")
    return float(1 / (shares @ shares))


def nearest_correlation(matrix: Floats, rounds: int = 200) -> Floats:
    """Returns the correlation matrix nearest to a symmetric one (METRICS 8, 2h): disattenuation makes matrices that are none.

    Alternating projections on matrices without negative eigenvalues and on those with 1 on the diagonal, with Dykstra's correction
    (Higham 2002). A correlation matrix stays as it is.

    Args:
        matrix: Symmetric, without NaN.
        rounds: Most projections; some more cost little for a handful of axes.
    """
    result, correction = matrix.copy(), np.zeros_like(matrix)
    for _ in range(rounds):
        start = result - correction
        values, vectors = np.linalg.eigh(start)
        result = start if values[0] >= -1e-12 else (vectors * np.maximum(values, 0.0)) @ vectors.T
        correction = result - start
        if np.all(np.abs(np.diagonal(result) - 1) < 1e-12):
            break
        np.fill_diagonal(result, 1.0)
    # What is left of a negative eigenvalue after the last round is taken off by scaling.
    values, vectors = np.linalg.eigh(result)
    if values[0] < 0:
        result = (vectors * np.maximum(values, 0.0)) @ vectors.T
        root = np.sqrt(np.diagonal(result))
        result = result / np.outer(root, root)
    return result


def entropy_rank(correlations: Floats) -> float:
    """Returns exp(-sum p ln p) with p = l / sum l over the eigenvalues l of a correlation matrix (METRICS 8, 2h; E45).

    Range [1, k]: k = independent axes, 1 = one factor; never below the participation ratio. Missing and impossible matrices as there.
    Roy & Vetterli 2007.

    >>> round(entropy_rank(np.full((4, 4), 0.3) + 0.7 * np.eye(4)), 6)
    3.556113
    """
    shares = _spectrum(correlations, where="entropy_rank")
    return float(np.exp(special.entr(shares).sum()))


def vendi(similarities: Floats) -> float:
    """Returns the Vendi score of m responses, exp(-tr((K/m) log (K/m))): how many different ones there are (METRICS 3; E53).

    Range [1, m]: 1 = all alike (stable), m = nothing in common. The same as ``entropy_rank`` of the kernel. NaN where a similarity is
    missing. Friedman & Dieng 2022.

    Args:
        similarities: Kernel K (m x m): symmetric, positive semi-definite, 1 on the diagonal.
    """
    if not np.allclose(np.diagonal(similarities), 1, equal_nan=True):
        raise InputError("a response is not at similarity 1 to itself", where="vendi", fix="Give a kernel with 1 on the diagonal")
    return entropy_rank(similarities)


def _spectrum(matrix: Floats, *, where: str) -> Floats:
    """Returns the eigenvalues as shares of their sum; NaN where the matrix holds NaN."""
    dimensions(matrix, (2,), what="a square matrix", where=where)
    if not matrix.size or matrix.shape[0] != matrix.shape[1] or not np.allclose(matrix, matrix.T, equal_nan=True):
        raise InputError("the matrix is empty or not symmetric", where=where, fix="Give one row and one column for each axis")
    if np.isnan(matrix).any():
        return np.full(len(matrix), np.nan)
    values = np.linalg.eigvalsh(matrix)
    shares = values / values.sum()
    if values.sum() <= 0 or shares.min() < -_ROUNDING:
        raise InputError("the matrix has a negative eigenvalue", where=where, fix="Take the nearest correlation matrix first")
    result: Floats = np.maximum(shares, 0.0)
    return result


def correlation_interval(rho: float, n: int) -> Interval:
    """Returns the 95 % interval of a correlation by Fisher's z: tanh(atanh rho -+ 1.96 / sqrt(n - 3)) (METRICS 8, 2k; E46).

    Lies in [-1, 1]; its ``se`` is (1 - rho^2) / sqrt(n - 3), that of rho by the delta method. NaN where rho is, for fewer than four
    examples, and for rho = -1 or 1, which no sample makes certain. Fisher 1921.

    >>> [round(bound, 6) for bound in correlation_interval(0.1, 400)[:2]]
    [0.001968, 0.196129]
    """
    if abs(rho) > 1:
        raise InputError(f"a correlation is {rho:g}", where="correlation_interval", fix="Give a number in [-1, 1]")
    at_least(n, 0, name="n", where="correlation_interval")
    if n < 4 or not abs(rho) < 1:
        return Interval()
    half = float(special.ndtri((1 + LEVEL) / 2)) / (n - 3) ** 0.5
    centre = float(np.arctanh(rho))
    return Interval(float(np.tanh(centre - half)), float(np.tanh(centre + half)), (1 - rho**2) / (n - 3) ** 0.5)


def half_width_at_zero(n: int) -> float:
    """Returns how far from 0 a correlation of n models or examples can lie by chance: tanh(1.96 / sqrt(n - 3)) (METRICS 8, 2k; E46).

    In (0, 1); large = independence cannot be claimed. NaN for n below 4.

    >>> round(half_width_at_zero(8), 6)
    0.704673
    """
    return correlation_interval(0.0, n).upper


class Overlap(NamedTuple):
    """How far the failures of two axes are the same examples.

    Attributes:
        lift: P(a and b) / (P(a) P(b)), 0 or more: 1 = independent, above = they fail together. NaN where an axis has no failure.
        jaccard: Share of the failures of either that are failures of both, in [0, 1]. NaN where neither has a failure.
        odds_ratio: 0 or more: 1 = independent. Infinite where only its denominator is 0 (all failures of an axis are failures of the
            other), NaN where both are.
    """

    lift: float
    jaccard: float
    odds_ratio: float


def overlap(both: int, first: int, second: int, n: int) -> Overlap:
    """Returns lift, Jaccard and odds ratio from counts of failing examples (METRICS 8, 2i; E47).

    Args:
        both: Examples that fail on both axes.
        first: Examples that fail on the first axis.
        second: Examples that fail on the second axis.
        n: All examples.

    >>> [round(value, 6) for value in overlap(30, 100, 100, 1000)]
    [3.0, 0.176471, 5.081633]
    """
    only_first, only_second, neither = first - both, second - both, n - first - second + both
    if min(both, only_first, only_second, neither) < 0:
        counts = f"{both} of both, {first} of the first, {second} of the second, {n} in all"
        raise InputError(f"counts that do not fit: {counts}", where="overlap", fix="Count examples, each once")
    return Overlap(
        lift=_ratio(both * n, first * second, none=float("nan")),
        jaccard=_ratio(both, n - neither, none=float("nan")),
        odds_ratio=_ratio(both * neither, only_first * only_second, none=float("inf") if both * neither else float("nan")),
    )


def failure_overlap(first: Values, second: Values) -> Overlap:
    """Returns the overlap of two axes' failing examples, given as true or false by example, in the same order (METRICS 8, 2i)."""
    one, two = np.asarray(first, dtype=np.bool_), np.asarray(second, dtype=np.bool_)
    same_shape(one, two, where="failure_overlap")
    return overlap(int(np.sum(one & two)), int(one.sum()), int(two.sum()), one.size)


def mantel_haenszel(tables: Floats) -> float:
    """Returns the odds ratio common to all strata: sum(a d / n) / sum(b c / n) (METRICS 8, 2i).

    0 or more: 1 = independent within strata. One stratum gives its own odds ratio; empty strata weigh nothing. Infinite where only the
    denominator is 0, NaN where both are. Mantel & Haenszel 1959.

    Args:
        tables: Counts by stratum (strata x 2 x 2): [[both, only the first], [only the second, neither]].
    """
    if tables.ndim != 3 or tables.shape[1:] != (2, 2) or np.any(tables < 0):
        raise InputError("no table of counts", where="mantel_haenszel", fix="Give strata x 2 x 2, counts of 0 or more")
    used = tables[tables.sum(axis=(1, 2)) > 0]
    n = used.sum(axis=(1, 2))
    above, below = float(np.sum(used[:, 0, 0] * used[:, 1, 1] / n)), float(np.sum(used[:, 0, 1] * used[:, 1, 0] / n))
    return _ratio(above, below, none=float("inf") if above else float("nan"))


def top_share(scores: Floats, share: float = 0.1) -> Values:
    """Returns which examples are the least stable share, as true or false: an axis's "failures" (METRICS 8, 2i).

    Examples with the score of the last of them are all in or all out, whichever comes nearer to the share (in, where that is equal, or
    where none would be left): scores with ties make a set of another size, whose share is to be said. The lowest score of all is never in,
    so the set is empty where all scores are equal. NaN is false and does not count.

    Args:
        scores: Instability by example.
        share: Share of the examples, in (0, 1).
    """
    between(share, 0, 1, name="share", where="top_share")
    known = np.sort(scores[~np.isnan(scores)])
    if not known.size:
        return np.zeros(scores.shape, dtype=np.bool_)
    wanted = max(1, round(share * known.size))
    last = known[-wanted]
    above, tied = int(np.sum(known > last)), int(np.sum(known >= last))
    chosen = scores > last if above and wanted - above < tied - wanted else scores >= last
    result: Values = chosen & (scores > known[0])
    return result


def _ratio(above: float, below: float, *, none: float) -> float:
    return above / below if below else none
