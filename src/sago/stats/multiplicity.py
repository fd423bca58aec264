"""Many tests at once, and claims about several data sets at once (METRICS 8: 1c, 1d, 3a, 3b).

p values are arrays in [0, 1]; NaN = not tested, which counts for nothing and stays NaN.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats
from sago.stats.limits import at_least, between, dimensions, probabilities, same_shape


def bonferroni(p: Floats) -> Floats:
    """Returns min(1, m p): p values adjusted for m tests, family-wise (E38). Holm is never worse."""
    probabilities(p, where="bonferroni")
    result: Floats = np.minimum(p * int(np.sum(~np.isnan(p))), 1.0)
    return result


def holm(p: Floats) -> Floats:
    """Returns p values adjusted by Holm 1979, family-wise under any dependence: for confirmatory claims (METRICS 8, 1c; E38, E39).

    The j-th smallest of m becomes the maximum over i <= j of min(1, (m - i + 1) p_(i)).

    >>> holm(np.array([0.001, 0.02, np.nan, 0.30])).round(6).tolist()
    [0.003, 0.04, nan, 0.3]
    """
    # Four lines, where the library's import would take longer than the rest of a small report.
    probabilities(p, where="holm")
    flat, result = p.reshape(-1), np.full(p.size, np.nan)
    order = np.argsort(flat)[: int(np.sum(~np.isnan(flat)))]
    result[order] = np.minimum(np.maximum.accumulate(flat[order] * np.arange(order.size, 0, -1)), 1.0)
    return result.reshape(p.shape)


def benjamini_hochberg(p: Floats) -> Floats:
    """Returns p values adjusted by Benjamini & Hochberg 1995: the expected share of false findings, for screening (METRICS 8, 1c; E38).

    The j-th smallest of m becomes the minimum over i >= j of min(1, m p_(i) / i). Valid for independent and positively dependent tests.
    """
    probabilities(p, where="benjamini_hochberg")
    flat, result = p.reshape(-1), np.full(p.size, np.nan)
    order = np.argsort(flat)[: int(np.sum(~np.isnan(flat)))][::-1]
    result[order] = np.minimum(np.minimum.accumulate(flat[order] * order.size / np.arange(order.size, 0, -1)), 1.0)
    return result.reshape(p.shape)


def partial_conjunction(p: Floats, at_least_in: int) -> float:
    """Returns the p value of "true in at least u of D data sets": min(1, (D - u + 1) p_(u)) (METRICS 8, 1d; E39).

    Range [0, 1]; p_(u) is the u-th smallest. u = D is the maximum p, u = 1 the Bonferroni minimum. Valid under any dependence between the
    data sets. D counts tested data sets; NaN where fewer than u were tested. Benjamini & Heller 2008.

    Args:
        p: One p value a data set.
        at_least_in: u, from 1 to the number of data sets.

    >>> [round(partial_conjunction(np.array([0.001, 0.02, 0.30]), u), 6) for u in (1, 2, 3)]
    [0.003, 0.04, 0.3]
    """
    probabilities(p, where="partial_conjunction")
    between(at_least_in, 0, p.size + 1, name="the number of data sets asked for", where="partial_conjunction")
    tested = np.sort(p[~np.isnan(p)])
    if tested.size < at_least_in:
        return float("nan")
    return min(1.0, (tested.size - at_least_in + 1) * float(tested[at_least_in - 1]))


def consistent_in(p: Floats, alpha: float = 0.05) -> int:
    """Returns the largest u up to which every "true in at least u data sets" has p <= alpha; 0 where there is none (METRICS 8, 1d).

    "In at least u + 1" cannot be true where "in at least u" is not, so u = 1, 2, ... are tested in this order until one fails, each at
    alpha: a fixed sequence, whose level holds under any dependence between the data sets.
    """
    between(alpha, 0, 1, name="alpha", where="consistent_in")
    passed = [partial_conjunction(p, u) <= alpha for u in range(1, p.size + 1)]
    return passed.index(False) if False in passed else len(passed)


def nested_holm(p: Floats) -> Floats:
    """Returns p values adjusted over rows whose columns are tested in order, family-wise under any dependence.

    A row's hypothesis is tested once those before it are rejected, each at the row's part of alpha; a row that is rejected to its end hands
    its part to the others, as in Holm's procedure (Bretz, Maurer, Brannath & Posch 2009). With P the running maximum of a row, and q_1 <=
    q_2 <= ... those at the ends of the other rows: the minimum over r of max((m - r) P, max over i <= r of (m - i + 1) q_i). One column:
    Holm. NaN at the end of a row = it is shorter; a row of NaN takes no part.

    >>> nested_holm(np.array([[0.01, 0.02], [0.001, 0.03]])).round(6).tolist()
    [[0.02, 0.04], [0.002, 0.04]]
    """
    dimensions(p, (2,), what="rows of hypotheses in order", where="nested_holm")
    probabilities(p, where="nested_holm")
    running = np.where(np.isnan(p), np.nan, np.maximum.accumulate(np.where(np.isnan(p), 0.0, p), axis=1))
    known = np.flatnonzero(~np.isnan(p).all(axis=1))
    ends = np.nanmax(running[known], axis=1, initial=0.0)
    count, result = known.size, np.full(p.shape, np.nan)
    for place, row in enumerate(known):
        others = np.sort(np.delete(ends, place))
        passed = np.concatenate([[0.0], np.maximum.accumulate(others * np.arange(count, 1, -1))])
        left = np.arange(count, 0, -1)
        result[row] = np.minimum(np.maximum(left[:, None] * running[row], passed[:, None]).min(axis=0), 1.0)
    return result


class QualitativeInteraction(NamedTuple):
    """Gail-Simon test: does the sign of a difference change between data sets?

    Attributes:
        q: min(sum of squared positive z, sum of squared negative z); 0 = all differences have one sign.
        p: Of "the sign is the same in all data sets", in (0, 1].
    """

    q: float
    p: float


def gail_simon(z: Floats) -> QualitativeInteraction:
    """Returns the test of a reversal anywhere among D data sets (METRICS 8, 3b; E40).

    Q = min(sum z+^2, sum z-^2), p = sum over h = 1 .. D-1 of Binom(h; D-1, .5) P(chi2_h > Q); Gail & Simon 1985. p = 1 where Q = 0, since
    every Q is at least that. Valid where the z are independent (disjoint examples). A data set without a z takes no part; NaN where fewer
    than two are left.

    Args:
        z: Difference over its standard error, one a data set.

    >>> round(gail_simon(np.array([3.0, 2.5, -2.8])).p, 6)
    0.007515
    """
    at_least(z.size, 2, name="the number of data sets", where="gail_simon")
    known = z[~np.isnan(z)]
    free = known.size - 1
    if free < 1:
        return QualitativeInteraction(float("nan"), float("nan"))
    q = float(min(np.sum(np.maximum(known, 0) ** 2), np.sum(np.minimum(known, 0) ** 2)))
    if q == 0:
        return QualitativeInteraction(0.0, 1.0)
    h = np.arange(1, free + 1)
    return QualitativeInteraction(q, float(np.sum(special.binom(free, h) * 0.5**free * special.chdtrc(h, q))))


def reversal_p(first: Floats, second: Floats) -> Floats:
    """Returns the p value of "the order of two models reverses between two data sets", elementwise, in (0, 1) (METRICS 8, 3a).

    Intersection-union test (Berger 1982): for each of the two directions the larger of the one-sided p values, and of these the smaller.
    For opposite signs that is the upper tail of the smaller absolute z; for equal signs it is .5 or more. No doubling: at the edge of
    the null, where one data set has no difference, the size is alpha. NaN where either z is.

    Args:
        first: Paired difference of the two models on the first data set over its standard error; any number of pairs.
        second: The same on the second data set.
    """
    same_shape(first, second, where="reversal_p")
    upwards = np.maximum(special.ndtr(-first), special.ndtr(second))
    downwards = np.maximum(special.ndtr(first), special.ndtr(-second))
    result: Floats = np.minimum(upwards, downwards)
    return result
