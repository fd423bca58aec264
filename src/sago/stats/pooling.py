"""One number for several data sets, where they have one (METRICS 7)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats
from sago.arrays.intervals import ROUNDING
from sago.stats.limits import at_least, not_negative, same_shape

POOL_UP_TO = 0.5
"""Largest I2 with which a pooled number is given (METRICS 7)."""


class Heterogeneity(NamedTuple):
    """How far data sets differ beyond their errors.

    Attributes:
        q: Cochran's Q; 0 = all equal. p: Of "all equal": P(chi2 with D - 1 degrees of freedom > Q), or with counts see there.
        i2: Share of the variation that is no error, in [0, 1); 0 = none.
        tau2: Variance of the true values between data sets (DerSimonian & Laird), in squared units of the estimates; 0 = none.
        mean: Inverse-variance mean, around which Q is taken. se: Its standard error if all data sets had one true value.
        datasets: Number of data sets that take part.
    """

    q: float
    p: float
    i2: float
    tau2: float
    mean: float
    se: float
    datasets: int


def heterogeneity(estimates: Floats, ses: Floats, counts: Floats | None = None) -> Heterogeneity:
    """Returns how far data sets differ: Q = sum w_d (S_d - mean_w)^2 with w_d = 1 / SE_d^2, I2 = max(0, (Q - (D-1)) / Q) (METRICS 7; E54).

    Cochran 1954, Higgins & Thompson 2002; tau2 = max(0, (Q - (D-1)) / (sum w - sum w^2 / sum w)) by DerSimonian & Laird 1986. A data set
    without an estimate or without a standard error takes no part; all numbers are NaN where fewer than two are left, or where a standard
    error is 0 or rounding (no spread among examples is no infinite weight).

    With counts p is the larger of two, for standard errors are estimates. One is that of Welch 1951: with
    L = sum (1 - w_d / sum w)^2 / (n_d - 1), F = (Q / (D - 1)) / (1 + 2 (D - 2) / (D^2 - 1) L) on D - 1 and (D^2 - 1) / (3 L) degrees of
    freedom; of chi-square 10 examples a data set make .11 of .05. The other is that of Fisher 1925, with one variance for all: skewed
    scores have a small error where they have a small mean, and by Welch's weights data sets of 30 and of 1,000 examples of one law differ
    in up to a fifth of draws. Fisher's alone would not do where variances differ.

    Args:
        estimates: One a data set.
        ses: Their standard errors.
        counts: Their numbers of examples, 2 or more; null = errors are known.

    >>> heterogeneity(np.array([0.10, 0.30]), np.array([0.03, 0.04])).i2.__round__(4)
    0.9375
    """
    same_shape(estimates, ses, where="heterogeneity")
    if counts is not None:
        same_shape(estimates, counts, where="heterogeneity")
        at_least(float(counts.min(initial=2)), 2, name="a number of examples", where="heterogeneity")
    at_least(estimates.size, 2, name="the number of data sets", where="heterogeneity")
    not_negative(ses, name="standard errors", where="heterogeneity")
    known = ~np.isnan(estimates) & ~np.isnan(ses)
    values, errors, free = estimates[known], ses[known], int(known.sum()) - 1
    if free < 1 or errors.min() < ROUNDING:
        none = float("nan")
        return Heterogeneity(none, none, none, none, none, none, free + 1)
    weights = 1 / errors**2
    total = float(weights.sum())
    mean = float(weights @ values) / total
    q = float(weights @ (values - mean) ** 2)
    beyond = max(0.0, q - free)
    tau2 = beyond / (total - float(weights @ weights) / total)
    if counts is None:
        p = float(special.chdtrc(free, q))
    else:
        p = max(_welch_p(q, weights / total, counts[known]), _one_variance_p(values, errors, counts[known]))
    return Heterogeneity(q, p, beyond / q if beyond else 0.0, tau2, mean, total**-0.5, free + 1)


def _welch_p(q: float, shares: Floats, counts: Floats) -> float:
    sets = shares.size
    lost = float(np.sum((1 - shares) ** 2 / (counts - 1)))
    score = q / (sets - 1) / (1 + 2 * (sets - 2) / (sets**2 - 1) * lost)
    return float(special.fdtrc(sets - 1, (sets**2 - 1) / (3 * lost), score))


def _one_variance_p(values: Floats, errors: Floats, counts: Floats) -> float:
    free, left = values.size - 1, float(np.sum(counts - 1))
    within = float((counts * (counts - 1)) @ errors**2) / left
    between = float(counts @ (values - counts @ values / counts.sum()) ** 2) / free
    return float(special.fdtrc(free, left, between / within))


class Pooled(NamedTuple):
    """One number for all data sets; NaN with a reason where there should be none.

    Attributes:
        mean: Random-effects mean, weights 1 / (SE_d^2 + tau2). se: Its standard error.
        macro: Plain mean, each data set weighing 1. macro_se: Its standard error, differences between data sets included.
        reason: ``heterogeneous``, ``too_few_datasets`` or ``no_spread``; null where there are numbers.
    """

    mean: float = float("nan")
    se: float = float("nan")
    macro: float = float("nan")
    macro_se: float = float("nan")
    reason: str | None = None


def pooled(estimates: Floats, ses: Floats) -> Pooled:
    """Returns the mean over data sets with random effects, and none where I2 > .5 (METRICS 7; E54).

    With v_d = SE_d^2 + tau2: mean = sum S_d / v_d over sum 1 / v_d, its SE = 1 / sqrt(sum 1 / v_d); the plain macro mean has
    SE = sqrt(sum v_d) / D (DerSimonian & Laird 1986). Unit and direction are those of S. Data sets that differ more than they agree have no
    common number: NaN, reason ``heterogeneous``. With few data sets the errors are rough. What takes part: see ``heterogeneity``.
    """
    found = heterogeneity(estimates, ses)
    if found.datasets < 2:
        return Pooled(reason="too_few_datasets")
    if np.isnan(found.q):
        return Pooled(reason="no_spread")
    if found.i2 > POOL_UP_TO:
        return Pooled(reason="heterogeneous")
    known = ~np.isnan(estimates) & ~np.isnan(ses)
    values, variances = estimates[known], ses[known] ** 2 + found.tau2
    weights = 1 / variances
    mean = float(weights @ values / weights.sum())
    return Pooled(mean, float(weights.sum() ** -0.5), float(values.mean()), float(np.sqrt(variances.sum()) / values.size))
