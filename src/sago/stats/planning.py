"""How much it takes to see an effect, and what was shown to be small (METRICS 8: 1b, 2e; 9)."""

from __future__ import annotations

from math import ceil, isnan, sqrt

from scipy import special

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
