"""Intervals for means and shares, and the jackknife over variants."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

LEVEL = 0.95
T_BELOW = 100
"""Below this many examples intervals take t quantiles (METRICS 2.3)."""

ROUNDING = 1e-12
"""A standard error below this is rounding of examples that all have one value."""


class Interval(NamedTuple):
    """An interval with its standard error; NaN where it cannot be computed."""

    lower: float = float("nan")
    upper: float = float("nan")
    se: float = float("nan")


def quantile(probability: float, n: int) -> float:
    """Returns the quantile of t with n - 1 degrees of freedom below 100 examples, of the normal from there on."""
    return float(special.stdtrit(n - 1, probability) if n < T_BELOW else special.ndtri(probability))


def upper_tail(score: float, n: int) -> float:
    """Returns P(T > score) under t with n - 1 degrees of freedom below 100 examples, under the normal from there on."""
    return float(special.stdtr(n - 1, -score) if n < T_BELOW else special.ndtr(-score))


def t_interval(estimate: float, se: float, n: int) -> Interval:
    """Returns the 95 % interval of an estimate over n examples; NaN below two."""
    if n < 2:
        return Interval()
    half = quantile((1 + LEVEL) / 2, n) * se
    return Interval(estimate - half, estimate + half, se)


def mean_interval(values: NDArray[np.float64]) -> tuple[float, Interval]:
    """Returns the mean of one value an example and its 95 % interval; NaN where there are too few."""
    if not values.size:
        return float("nan"), Interval()
    mean = float(values.mean())
    if values.size < 2:
        return mean, Interval()
    spread = 0.0 if np.ptp(values) == 0 else float(values.std(ddof=1))
    return mean, t_interval(mean, spread / float(np.sqrt(values.size)), values.size)


def wilson(successes: float, n: int) -> Interval:
    """Returns the 95 % Wilson interval of a share; NaN for n = 0. The standard error is that of the plain share.

    >>> round(wilson(0, 25).upper, 4)
    0.1332
    """
    if n == 0:
        return Interval()
    share, z = successes / n, quantile((1 + LEVEL) / 2, T_BELOW)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * float(np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))) / (1 + z**2 / n)
    lower = 0.0 if successes <= 0 else centre - half
    upper = 1.0 if successes >= n else centre + half
    return Interval(lower, upper, float(np.sqrt(share * (1 - share) / n)))


def none_in(n: int, alpha: float = 0.05) -> float:
    """Returns the one-sided upper bound of a share of which n examples show none (METRICS 8, 1f; E49).

    >>> round(none_in(300), 6)
    0.009936
    """
    return float(1 - alpha ** (1 / n))


def jackknife_se(left_out: NDArray[np.float64]) -> float:
    """Returns the jackknife standard error from the estimates that leave out one variant each (METRICS 2.2; E59).

    >>> round(jackknife_se(np.array([0.20, 0.24, 0.22, 0.26])), 6)
    0.03873
    """
    count = left_out.size
    return float(np.sqrt((count - 1) / count * np.sum((left_out - left_out.mean()) ** 2)))
