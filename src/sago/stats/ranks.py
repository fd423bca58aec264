"""Orders of models: agreement of two, agreement of several, and what ranks the data leave open (METRICS 8: 3d-3f)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Integers
from sago.errors import InputError
from sago.stats.limits import at_least, between, dimensions, same_shape
from sago.stats.multiplicity import holm


class TauB(NamedTuple):
    """Kendall's tau-b and the pairs of models behind it.

    Attributes:
        tau: In [-1, 1]: 1 = one order, -1 = opposite orders. NaN with fewer than two models, or where one data set ties all of them.
        concordant: Pairs in the same order. discordant: Pairs in opposite order.
        tied_first: Pairs tied on the first data set only. tied_second: On the second only. tied_both: On both.
    """

    tau: float
    concordant: int
    discordant: int
    tied_first: int
    tied_second: int
    tied_both: int


def tau_b(first: Floats, second: Floats) -> TauB:
    """Returns (C - D) / sqrt((pairs - ties in the first) (pairs - ties in the second)) (METRICS 8, 3d; E41, E62).

    Symmetric in the two data sets. Without an interval it is only suggestive: few models have few pairs. Models without a score on either
    data set (NaN) take no part. Kendall 1945.

    Args:
        first: Score of each model on one data set.
        second: The same models on the other.

    >>> round(tau_b(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])).tau, 6)
    0.666667
    """
    from scipy.stats import kendalltau

    same_shape(first, second, where="tau_b")
    dimensions(first, (1,), what="one score a model", where="tau_b")
    known = ~np.isnan(first) & ~np.isnan(second)
    x, y = first[known], second[known]
    one, two = np.triu_indices(x.size, 1)
    of_x, of_y = np.sign(x[one] - x[two]), np.sign(y[one] - y[two])
    counts = [of_x * of_y > 0, of_x * of_y < 0, (of_x == 0) & (of_y != 0), (of_x != 0) & (of_y == 0), (of_x == 0) & (of_y == 0)]
    tau = float(kendalltau(x, y).statistic) if of_x.any() and of_y.any() else float("nan")
    return TauB(tau, *(int(count.sum()) for count in counts))


class Concordance(NamedTuple):
    """Agreement of the orders on several data sets.

    Attributes:
        w: Kendall's W in [0, 1]: 1 = one order everywhere, 0 = no common order.
        chi2: Friedman's statistic. p: Of "no common order", by chi2 with M - 1 degrees of freedom.
        datasets: Number of data sets that take part.
    """

    w: float
    chi2: float
    p: float
    datasets: int


def concordance(scores: Floats) -> Concordance:
    """Returns Kendall's W and Friedman's test over data sets as blocks: W = chi2 / (D (M - 1)) (METRICS 8, 3e; E42).

    A test of "no common order", so a small W is no test of a reversal. Ties are corrected for. A data set that lacks a model takes no
    part; NaN where fewer than two are left, or where every data set ties all models. Friedman 1937, Kendall & Babington Smith 1939.

    Args:
        scores: Score by data set and model (data sets x models), at least two by three.
    """
    from scipy.stats import friedmanchisquare

    dimensions(scores, (2,), what="data sets x models", where="concordance")
    at_least(scores.shape[0], 2, name="the number of data sets", where="concordance")
    at_least(scores.shape[1], 3, name="the number of models", where="concordance")
    whole = scores[~np.isnan(scores).any(axis=1)]
    if len(whole) < 2 or not np.ptp(whole, axis=1).any():
        return Concordance(float("nan"), float("nan"), float("nan"), len(whole))
    found = friedmanchisquare(*whole.T)
    chi2 = float(found.statistic)
    return Concordance(chi2 / (len(whole) * (scores.shape[1] - 1)), chi2, float(found.pvalue), len(whole))


def rank_intervals(differences: Floats, p: Floats, alpha: float = 0.05) -> Integers:
    """Returns the ranks that each model may have, [1 + number shown to be better, M - number shown to be worse] (METRICS 8, 3f).

    Rank 1 is the most stable. All pairs are decided together by Holm, so with probability 1 - alpha every interval holds the model's true
    rank; in the manner of Mogstad, Romano, Shaikh & Wilhelm 2024. Bootstrap percentiles of ranks cover too little near ties.

    Args:
        differences: Score of the row's model less that of the column's (models x models, antisymmetric); below 0 = the row is more stable.
        p: Two-sided p value of each difference (symmetric); NaN = not tested, which decides nothing. Diagonals are not read.
        alpha: Error level over all pairs, in (0, 1).

    Returns:
        Lowest and highest rank by model (models x 2), integers in [1, M].
    """
    where = "rank_intervals"
    between(alpha, 0, 1, name="alpha", where=where)
    same_shape(differences, p, where=where)
    if differences.ndim != 2 or differences.shape[0] != differences.shape[1]:
        raise InputError(f"an array of shape {differences.shape}", where=where, fix="Give models x models")
    count = len(differences)
    one, two = np.triu_indices(count, 1)
    if not np.allclose(differences[one, two], -differences[two, one], equal_nan=True):
        raise InputError("differences of a pair do not have opposite signs", where=where, fix="Give row less column")
    decided = holm(p[one, two]) <= alpha
    better = np.zeros((count, count), dtype=np.bool_)
    better[one, two] = decided & (differences[one, two] < 0)
    better[two, one] = decided & (differences[one, two] > 0)
    return np.stack([1 + better.sum(axis=0), count - better.sum(axis=1)], axis=1).astype(np.int64)
