"""Intervals for means and shares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95
T_BELOW = 100
"""Below this many examples intervals take t quantiles (METRICS 2.3)."""


class Interval(NamedTuple):
    """An interval with its standard error; NaN where it cannot be computed."""

    lower: float = float("nan")
    upper: float = float("nan")
    se: float = float("nan")


def quantile(probability: float, n: int) -> float:
    """Returns the quantile of t with n - 1 degrees of freedom below 100 examples, of the normal from there on."""
    return float(stats.t.ppf(probability, n - 1) if n < T_BELOW else stats.norm.ppf(probability))


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
    return mean, t_interval(mean, float(values.std(ddof=1) / np.sqrt(values.size)), values.size)


def wilson(successes: int, n: int) -> Interval:
    """Returns the 95 % Wilson interval of a share; NaN for n = 0. The standard error is that of the plain share."""
    if n == 0:
        return Interval()
    found = stats.binomtest(successes, n).proportion_ci(LEVEL, method="wilson")
    share = successes / n
    return Interval(float(found.low), float(found.high), float(np.sqrt(share * (1 - share) / n)))
