"""How much it takes to see an effect, and what was shown to be small (METRICS 8: 1b, 2e; 9)."""

from __future__ import annotations

from math import atanh, ceil, isnan, sqrt

from scipy import special

from sago.arrays.intervals import T_BELOW, quantile
from sago.errors import InputError
from sago.stats.limits import at_least, between

ALPHA = 0.05
POWER = 0.80

_ROUNDING = 1e-9


def minimum_detectable_effect(sd: float, n: int, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns the smallest true mean that a two-sided z test finds with the given power: (z_(1-alpha/2) + z_power) sd / sqrt(n).

    METRICS 9; E48. In units of the score, 0 or more; 2.80 sd / sqrt(n) by default. NaN where sd is.

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
    return _reach(alpha, power) * sd / sqrt(n)


def examples_needed(sd: float, effect: float, *, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns how many examples it takes to find a true mean: ((z_(1-alpha/2) + z_power) sd / effect)^2, rounded up (METRICS 9).

    The inverse of ``minimum_detectable_effect``; at least 2, for one example has no spread. NaN where sd is.

    >>> examples_needed(0.3, 0.06)
    197.0
    """
    between(effect, 0, float("inf"), name="the effect", where="examples_needed")
    at_least(sd, 0, name="sd", where="examples_needed")
    wanted = (_reach(alpha, power) * sd / effect) ** 2
    return wanted if isnan(wanted) else max(2.0, float(ceil(wanted - _ROUNDING)))


def _reach(alpha: float, power: float) -> float:
    between(alpha, 0, 1, name="alpha", where="planning")
    between(power, alpha / 2, 1, name="power", where="planning")
    return float(special.ndtri(1 - alpha / 2) + special.ndtri(power))


def power_of(effect: float, sd: float, n: int, *, alpha: float = ALPHA) -> float:
    """Returns the probability that a two-sided z test finds a true mean, in [alpha, 1] (METRICS 8, claim 3; 9).

    Phi(e - z) + Phi(-e - z) with e = effect / (sd / sqrt(n)), z = z_(1-alpha/2). For m tests corrected together give alpha / m. NaN where
    sd is, or where sd and effect are both 0.
    """
    between(alpha, 0, 1, name="alpha", where="power_of")
    at_least(n, 1, name="the number of examples", where="power_of")
    at_least(sd, 0, name="sd", where="power_of")
    if sd == 0:
        return 1.0 if effect else float("nan")
    shift, critical = effect * sqrt(n) / sd, float(special.ndtri(1 - alpha / 2))
    return float(special.ndtr(shift - critical) + special.ndtr(-shift - critical))


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
    critical = quantile(1 - alpha, n)
    shift = float(special.nctdtrinc(n - 1, 1 - power, critical)) if n < T_BELOW else critical + float(special.ndtri(power))
    return threshold + shift * sd / sqrt(n)


def examples_for_equivalence(margin: float, *, reliability: float = 1.0, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns how many examples it takes to show that a true correlation of 0 is within -margin and margin (METRICS 8, 2e).

    3 + ((z_(1-alpha) + z_(1-(1-power)/2)) / (atanh(margin) x reliability))^2, rounded up: two one-sided tests on Fisher's z, whose error
    grows as 1 / reliability when the correlation is disattenuated. An estimate; the claim's own error comes from resampling. NaN where
    the reliability is not above 0.

    Args:
        margin: Correlations within this of 0 count as none, in (0, 1).
        reliability: Root of the product of the reliabilities of both axes, at most 1.
        alpha: Error level of each of the two tests.
        power: Wanted probability that both reject.

    >>> examples_for_equivalence(0.3), examples_for_equivalence(0.3, reliability=0.5)
    (93.0, 361.0)
    """
    between(margin, 0, 1, name="the margin", where="examples_for_equivalence")
    between(alpha, 0, 1, name="alpha", where="examples_for_equivalence")
    between(power, 0, 1, name="power", where="examples_for_equivalence")
    if not reliability > 0:
        return float("nan")
    if reliability > 1:
        raise InputError(f"a reliability is {reliability:g}", where="examples_for_equivalence", fix="Give 1 or less")
    reach = float(special.ndtri(1 - alpha) + special.ndtri(1 - (1 - power) / 2))
    return float(ceil(3 + (reach / (atanh(margin) * reliability)) ** 2 - _ROUNDING))


def reversal_power(effect: float, sd: float, n: int, *, tests: int = 1, alpha: float = ALPHA) -> float:
    """Returns the probability to show that two models change order between two data sets (METRICS 8, 3a).

    Phi(e - z)^2 with e = effect / (sd / sqrt(n)) and z = z_(1-alpha/tests): the difference has to be shown on each data set, in opposite
    directions, and the two are independent. In [0, 1]. NaN where sd is.

    Args:
        effect: True difference on either data set, in opposite directions.
        sd: Standard deviation of the paired difference over examples.
        n: Examples of each data set that both models share.
        tests: Number of pairs of models x pairs of data sets that are corrected for, at its strictest.
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
    return float(special.ndtr(abs(effect) * sqrt(n) / sd - special.ndtri(1 - alpha / tests)) ** 2)


def smallest_reversal(sd: float, n: int, *, tests: int = 1, alpha: float = ALPHA, power: float = POWER) -> float:
    """Returns the smallest difference, one way on one data set and the other way on the other, that is shown as a reversal with the power.

    (z_(1-alpha/tests) + z_(sqrt(power))) sd / sqrt(n), the inverse of ``reversal_power``. In units of the score. NaN where sd is.

    >>> round(smallest_reversal(0.35, 400, tests=90), 3)
    0.079
    """
    at_least(n, 1, name="the number of examples", where="smallest_reversal")
    at_least(sd, 0, name="sd", where="smallest_reversal")
    at_least(tests, 1, name="the number of tests", where="smallest_reversal")
    between(alpha, 0, 1, name="alpha", where="smallest_reversal")
    between(power, 0, 1, name="power", where="smallest_reversal")
    return float(special.ndtri(1 - alpha / tests) + special.ndtri(sqrt(power))) * sd / sqrt(n)


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
