"""How large can the mean be of values that have a largest possible one? For rare changes, which a standard error does not see."""

from __future__ import annotations

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats
from sago.arrays.intervals import ROUNDING

_KEPT = 2000
"""Values beyond this many are taken in groups of neighbours; the largest stay single."""

_STEPS = 60
_NEAR = 1e-5


def mean_p(values: Floats, most: float, at: float) -> float:
    """Returns the one-sided p value of "the mean is ``at`` or more", in [0, 1].

    P(sum D_i x_i >= at) for the sample and one more value at the largest possible one, D from the flat Dirichlet distribution: Gaffke
    2005. Of values that are either the smallest or ``most`` it is the Clopper-Pearson test, of n equal ones (1 - share)^n, and of many
    without rare large ones what the t test says; no smallest possible value is needed. Exact in the first two cases, otherwise by the
    saddlepoint of Lugannani & Rice 1980.

    Args:
        values: One value an example, none above ``most``; at least one.
        most: Largest possible value.
        at: Mean that is asked about.

    >>> round(mean_p(np.zeros(100), 1.0, 0.05), 6)
    0.005921
    """
    if at >= most:
        return 0.0
    low = float(values.min())
    if at <= low:
        return 1.0
    count = _at_most(values, low, most)
    if count is not None:
        return float(special.betaincc(count + 1, values.size - count, (at - low) / (most - low)))
    return _tail(*_grouped(values, most), at)


def mean_bound(values: Floats, most: float, alpha: float = 0.05) -> float:
    """Returns the one-sided upper bound of the mean at level 1 - alpha: every mean above it has :func:`mean_p` below alpha.

    Never below the mean, nor below low + (most - low) (1 - alpha^(1/n)), what n examples without any large value leave open.

    >>> round(mean_bound(np.zeros(300), 1.0), 6)
    0.009936
    """
    low, high = float(values.min()), most
    if low >= most - ROUNDING:
        return max(low, most)
    count = _at_most(values, low, most)
    if count is not None:
        share = 1.0 if count == values.size else float(special.betaincinv(count + 1, values.size - count, 1 - alpha))
        return low + (most - low) * share
    grouped = _grouped(values, most)
    low = float(values.mean())
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _tail(*grouped, middle) > alpha else (low, middle)
        if high - low < 1e-9 * max(1.0, abs(most)):
            break
    return high


def _at_most(values: Floats, low: float, most: float) -> int | None:
    """Returns how many values are the largest possible one where all others are the lowest; null where there are others."""
    top = values >= most - ROUNDING
    return int(top.sum()) if bool((top | (values <= low + ROUNDING)).all()) else None


def _grouped(values: Floats, most: float) -> tuple[Floats, Floats]:
    """Returns values with the number of examples of each, the largest possible one with one more."""
    ordered = np.sort(values)
    if ordered.size > _KEPT:
        many, few = ordered[: -_KEPT // 2], ordered[-_KEPT // 2 :]
        owner = np.arange(many.size) * (_KEPT // 2) // many.size
        size = np.bincount(owner).astype(np.float64)
        ordered, counts = np.concatenate([np.bincount(owner, many) / size, few]), np.concatenate([size, np.ones(few.size)])
    else:
        ordered, counts = np.unique(ordered, return_counts=True)
    return np.append(ordered, most), np.append(counts, 1).astype(np.float64)


def _tail(values: Floats, counts: Floats, at: float) -> float:
    """Returns P(sum of weighted values >= at): P(sum E_i (x_i - at) >= 0) for exponential E_i, whose K(t) = -sum log(1 - t (x_i - at))."""
    apart = values - at
    slopes = float(apart.min()), float(apart.max())
    low, high = 1 / slopes[0], 1 / slopes[1]
    t = 0.0
    for _ in range(_STEPS):
        parts = apart / (1 - t * apart)
        first, second = float(counts @ parts), float(counts @ parts**2)
        low, high = (t, high) if first < 0 else (low, t)
        step = t - first / second
        following = step if low < step < high else (low + high) / 2
        if abs(following - t) <= 1e-12 * (abs(t) + ROUNDING):
            break
        t = following
    cumulant = -float(counts @ np.log1p(-t * apart))
    w, u = float(np.copysign(np.sqrt(max(-2 * cumulant, 0.0)), t)), t * float(np.sqrt(counts @ (apart / (1 - t * apart)) ** 2))
    if abs(w) < _NEAR:
        return 0.5
    return float(np.clip(special.ndtr(-w) + np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi) * (1 / u - 1 / w), 0.0, 1.0))
