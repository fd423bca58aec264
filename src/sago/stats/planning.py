"""How much it takes to see an effect, and what was shown to be small (METRICS 8: 1b, 2e; 9)."""

from __future__ import annotations

from functools import lru_cache
from math import asin, ceil, floor, isnan, pi, sqrt

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats
from sago.arrays.intervals import T_BELOW, quantile
from sago.errors import InputError
from sago.stats.limits import at_least, between

ALPHA = 0.05
POWER = 0.80

_ROUNDING = 1e-9
_POINTS = 4000


@lru_cache(maxsize=16)
def _spreads(n: int) -> Floats:
    """Returns sample standard deviations of n normal scores of deviation 1, at equal steps of probability."""
    steps = (np.arange(_POINTS) + 0.5) / _POINTS
    result: Floats = np.sqrt(2 * special.gammaincinv((n - 1) / 2, steps) / (n - 1))
    return result


def _exceeds(shift: float, critical: float, n: int) -> float:
    """Returns P(T > critical), T being the mean of n scores over its error, where the true mean is ``shift`` true errors above 0.

    Noncentral t with n - 1 degrees of freedom below 100 examples, as the tests take t there (at quantiles of the spread, which also holds
    far out, where library functions of that distribution do not end), normal from there on.
    """
    return float(special.ndtr(shift - critical)) if n >= T_BELOW else float(special.ndtr(shift - critical * _spreads(n)).mean())


def _shift(critical: float, n: int, power: float) -> float:
    """Returns how many true errors above 0 the mean has to be so that T exceeds the critical value with the power."""
    if n >= T_BELOW:
        return critical + float(special.ndtri(power))
    low, high = -40.0, 40.0 + 20 * max(critical, 1.0)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _exceeds(middle, critical, n) < power else (low, middle)
    return high


def attained(alpha: float, n: int) -> float:
    """Returns the level that a sign-flip test of n differences really has at a level: the largest multiple of 2^(1-n) up to it; 0 = never.

    The test of two models below 30 examples (METRICS 2.3): of 2^n patterns of signs two or more are as extreme as the observed one.

    >>> attained(0.05, 5), attained(0.05, 6), attained(0.05, 7)
    (0.0, 0.03125, 0.046875)
    """
    ways = 2.0 ** (n - 1)
    return floor(alpha * ways + _ROUNDING) / ways


def minimum_detectable_effect(sd: float, n: int, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns the smallest true mean that a two-sided test finds with the given power: (z_(1-alpha/2) + z_power) sd / sqrt(n).

    METRICS 9; E48. In units of the score, 0 or more; 2.80 sd / sqrt(n) by default. Below 100 examples the test is by t, and the
    noncentral t distribution takes the place of the normal one: 2.95 at 20 examples, 3.27 at 8. NaN where sd is, or with one example.

    Args:
        sd: Standard deviation over examples, of a score or of a paired difference.
        n: Number of examples.
        alpha: Error level, in (0, 1).
        power: Wanted probability to find it, in (alpha / 2, 1).

    >>> round(minimum_detectable_effect(0.3, 200), 5)
    0.05943
    """
    at_least(n, 1, name="the number of examples", where="minimum_detectable_effect")
    at_least(sd, 0, name="sd", where="minimum_detectable_effect")
    _levels(alpha, power)
    return float("nan") if n < 2 or isnan(sd) else _shift(quantile(1 - alpha / 2, n), n, power) * sd / sqrt(n)


def examples_needed(sd: float, effect: float, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns how many examples it takes to find a true mean: ((z_(1-alpha/2) + z_power) sd / effect)^2, rounded up (METRICS 9).

    The inverse of ``minimum_detectable_effect``, so some more below 100; at least 2, for one example has no spread. NaN where sd is.

    >>> examples_needed(0.3, 0.06), examples_needed(0.3, 0.3)
    (197.0, 10.0)
    """
    between(effect, 0, float("inf"), name="the effect", where="examples_needed")
    at_least(sd, 0, name="sd", where="examples_needed")
    _levels(alpha, power)
    wanted = (float(special.ndtri(1 - alpha / 2) + special.ndtri(power)) * sd / effect) ** 2
    if isnan(wanted):
        return wanted
    n = max(2, ceil(wanted - _ROUNDING))
    while n < T_BELOW and minimum_detectable_effect(sd, n, alpha=alpha, power=power) > effect:
        n += 1
    return float(n)


def _levels(alpha: float, power: float) -> None:
    between(alpha, 0, 1, name="alpha", where="planning")
    between(power, alpha / 2, 1, name="power", where="planning")


def power_of(effect: float, sd: float, n: int, *, alpha: float = ALPHA) -> float:
    """Returns the probability that a two-sided test finds a true mean, in [alpha, 1] (METRICS 8, claim 3; 9).

    Phi(e - z) + Phi(-e - z) with e = effect / (sd / sqrt(n)), z = z_(1-alpha/2); by noncentral t below 100 examples, as the test. For m
    tests corrected together give alpha / m. NaN where sd is, with one example, or where sd and effect are both 0.
    """
    between(alpha, 0, 1, name="alpha", where="power_of")
    at_least(n, 1, name="the number of examples", where="power_of")
    at_least(sd, 0, name="sd", where="power_of")
    if sd == 0:
        return 1.0 if effect else float("nan")
    if n < 2 or isnan(sd):
        return float("nan")
    shift, critical = effect * sqrt(n) / sd, quantile(1 - alpha / 2, n)
    return _exceeds(shift, critical, n) + _exceeds(-shift, critical, n)


def smallest_shown(threshold: float, sd: float, n: int, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns the smallest true mean that a one-sided test shows to be above a threshold with the given power (METRICS 8, 1b; 9).

    threshold + (z_(1-alpha) + z_power) sd / sqrt(n) from 100 examples on, that is 2.49 sd / sqrt(n) above it by default; below, the
    non-central t distribution in place of the normal one, as the verdict takes t quantiles there. In units of the score. NaN where sd is,
    or with one example.

    Args:
        threshold: Smallest effect of interest.
        sd: Standard deviation over examples.
        n: Number of examples.
        alpha: Error level of the one-sided test.
        power: Wanted probability of the verdict.

    >>> round(smallest_shown(0.05, 0.3, 200), 4)
    0.1027
    """
    at_least(n, 1, name="the number of examples", where="smallest_shown")
    at_least(sd, 0, name="sd", where="smallest_shown")
    between(alpha, 0, 1, name="alpha", where="smallest_shown")
    between(power, alpha, 1, name="power", where="smallest_shown")
    if n < 2 or isnan(sd):
        return float("nan")
    return threshold + _shift(quantile(1 - alpha, n), n, power) * sd / sqrt(n)


def examples_for_equivalence(margin: float, *, reliability: float = 1.0, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns how many examples it takes to show that a true correlation of 0 is within -margin and margin (METRICS 8, 2e).

    3 + ((z_(1-alpha) + z_(1-(1-power)/2)) / (margin x reliability))^2, rounded up: two one-sided tests on the correlation itself, as the
    claim makes them (on Fisher's z, atanh(margin) would stand in place of the margin, and promise more than the claim holds), whose error
    grows as 1 / reliability when the correlation is disattenuated. Ranks repeat a little less well than scores: the reliability is taken
    as 6/pi asin(reliability / 2). An estimate; the claim's own error comes from the examples. NaN where the reliability is not above 0.
    For m pairs of axes corrected together give alpha / m.

    Args:
        margin: Correlations within this of 0 count as none, in (0, 1).
        reliability: Root of the product of the reliabilities of both axes, at most 1.
        alpha: Error level of each of the two tests.
        power: Wanted probability that both reject.

    >>> examples_for_equivalence(0.3), examples_for_equivalence(0.3, reliability=0.5)
    (99.0, 412.0)
    """
    between(margin, 0, 1, name="the margin", where="examples_for_equivalence")
    between(alpha, 0, 1, name="alpha", where="examples_for_equivalence")
    between(power, 0, 1, name="power", where="examples_for_equivalence")
    if not reliability > 0:
        return float("nan")
    if reliability > 1:
        raise InputError(f"a reliability is {reliability:g}", where="examples_for_equivalence", fix="Give 1 or less")
    reach = float(special.ndtri(1 - alpha) + special.ndtri(1 - (1 - power) / 2))
    of_ranks = 6 / pi * asin(reliability / 2)
    return float(ceil(3 + (reach / (margin * of_ranks)) ** 2 - _ROUNDING))


def reversal_power(effect: float, sd: float, n: int, *, tests: int = 1, alpha: float = ALPHA) -> float:
    """Returns the probability to show that two models change order between two data sets (METRICS 8, 3a).

    Phi(e - z)^2 with e = effect / (sd / sqrt(n)) and z = z_(1-alpha/tests), by noncentral t below 100 examples, as the test: the
    difference has to be shown on each data set, in opposite directions, and the two are independent. In [0, 1]. NaN where sd is, or with
    one example.

    Args:
        effect: True difference on either data set, in opposite directions.
        sd: Standard deviation of the paired difference over examples.
        n: Examples of each data set that both models share.
        tests: Number of pairs of models x pairs of data sets x cells that are corrected for, at its strictest.
        alpha: Error level.

    >>> round(reversal_power(0.08, 0.35, 400, tests=90), 2), round(reversal_power(0.08, 0.35, 200, tests=90), 2)
    (0.82, 0.24)
    """
    at_least(n, 1, name="the number of examples", where="reversal_power")
    at_least(sd, 0, name="sd", where="reversal_power")
    at_least(tests, 1, name="the number of tests", where="reversal_power")
    between(alpha, 0, 1, name="alpha", where="reversal_power")
    if sd == 0:
        return 1.0 if effect else 0.0
    if n < 2 or isnan(sd):
        return float("nan")
    return _exceeds(abs(effect) * sqrt(n) / sd, quantile(1 - alpha / tests, n), n) ** 2


def smallest_reversal(sd: float, n: int, *, tests: int = 1, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns the smallest difference, one way on one data set and the other way on the other, that is shown as a reversal with the power.

    (z_(1-alpha/tests) + z_(sqrt(power))) sd / sqrt(n), the inverse of ``reversal_power``. In units of the score. NaN where sd is, or with
    one example.

    >>> round(smallest_reversal(0.35, 400, tests=90), 3)
    0.079
    """
    at_least(n, 1, name="the number of examples", where="smallest_reversal")
    at_least(sd, 0, name="sd", where="smallest_reversal")
    at_least(tests, 1, name="the number of tests", where="smallest_reversal")
    between(alpha, 0, 1, name="alpha", where="smallest_reversal")
    between(power, 0, 1, name="power", where="smallest_reversal")
    return float("nan") if n < 2 or isnan(sd) else _shift(quantile(1 - alpha / tests, n), n, sqrt(power)) * sd / sqrt(n)


def equivalence_p(estimate: float, se: float, margin: float) -> float:
    """Returns the p value of "the true value lies within -margin and margin", the larger of two one-sided tests (METRICS 8, 2e; E55).

    P(Z < (|estimate| - margin) / se) (Schuirmann 1987): small = shown to be that close to 0. A test that is merely not significant shows
    nothing of the kind. In (0, 1); NaN where the estimate or its standard error is missing, or the standard error is 0.

    Args:
        estimate: Of a difference, an instability or a correlation.
        se: Its standard error.
        margin: Largest value that would not matter, above 0, fixed before looking.
    """
    between(margin, 0, float("inf"), name="the margin", where="equivalence_p")
    at_least(se, 0, name="the standard error", where="equivalence_p")
    return float(special.ndtr((abs(estimate) - margin) / se)) if se > 0 else float("nan")
