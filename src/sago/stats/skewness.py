"""Tests of means whose examples are skewed (Hall 1992)."""

from __future__ import annotations

import numpy as np

from sago.arrays.intervals import ROUNDING


def skewness_corrected(score: float, skewness: float) -> float:
    """Returns the score of a mean corrected for the skewness a of that mean: g(z) = z + a z^2 / 3 + a^2 z^3 / 27 + a / 6 (Hall 1992).

    g rises everywhere; a = 0 leaves the score as it is.
    """
    return score + skewness * score**2 / 3 + skewness**2 * score**3 / 27 + skewness / 6


def skewness_uncorrected(score: float, skewness: float) -> float:
    """Returns the score whose corrected one is given."""
    if abs(skewness) < ROUNDING:
        return score
    return 3 / skewness * (float(np.cbrt(1 + skewness * (score - skewness / 6))) - 1)
