"""Tests of correlations beside the plain ones: what was too rare to be seen has no standard error, and few examples have a small one.

An example that stands apart on both axes has a product of ranks as large as those of many others together. Where none was seen, or every
one that was seen did so on both, examples at hand show no spread, and plain tests take a correlation for known that is not (METRICS 8, 2e).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats, Integers
from sago.stats.bounded_mean import mean_bound, mean_p
from sago.stats.independence import CrossHalf, stratum_weights, summed

MANY_APART = 20
"""From so many examples on that stand apart on either axis, those that do so on both by chance are many enough for plain tests."""

Examples = Sequence[tuple[str, Integers]]
"""Of each stratum its data set, and the places of its examples in it."""


def few_apart(part: CrossHalf) -> bool:
    """Returns whether so few examples stand apart on an axis that chance alone may put some of them together."""
    return part.rare and part.apart < MANY_APART


def beyond_p(parts: Sequence[CrossHalf], examples: Examples, margin: float) -> float:
    """Returns the one-sided p value of "the correlation is the margin away from 0, or more", in either direction; the larger of the two.

    The mean of X_i - margin (A_i + B_i) / 2, in the units of ``CrossHalf.products``, is 0 or more where the correlation is the margin or
    more. It is tested as the mean of numbers of which none is above what an example at the ends of both axes has (``bounded_mean``).
    In [0, 1]; 0 where no ranks are rare: the plain test holds there.

    Args:
        parts: The strata, at least one.
        examples: Their examples.
        margin: Margin, in (0, 1).
    """
    if not any(part.rare for part in parts):
        return 0.0
    found = []
    for sign in (1, -1):
        values = [sign * part.products[0] - margin / 2 * (part.products[1] + part.products[2]) for part in parts]
        mean, most = _together(values, [_largest(part, sign, margin) for part in parts], parts, examples)
        found.append(mean_p(mean, most, 0.0))
    return max(found)


def ends(parts: Sequence[CrossHalf], examples: Examples, alpha: float) -> tuple[float, float]:
    """Returns the one-sided lower and upper bound of the correlation, each at level 1 - alpha; (inf, -inf) where no ranks are rare."""
    if not any(part.rare for part in parts):
        return float("inf"), float("-inf")
    bounds = []
    for sign in (1, -1):
        rhos = [sign * part.estimate for part in parts]
        values = [
            rho + sign * part.products[0] - rho / 2 * (part.products[1] + part.products[2]) for rho, part in zip(rhos, parts, strict=True)
        ]
        largest = [rho + _largest(part, sign, rho) for rho, part in zip(rhos, parts, strict=True)]
        bounds.append(mean_bound(*_together(values, largest, parts, examples), alpha))
    return -bounds[1], bounds[0]


def none_p(parts: Sequence[CrossHalf], examples: Examples) -> float:
    """Returns the one-sided p value of "no correlation" in the direction of the estimate, from products of ranks alone.

    What an example adds is its product X_i, as if the correlation were 0: around the estimate itself they spread less where it is large, by
    chance too. With few examples apart by :func:`own_spread_p`, else with the tail of t of n - 1 degrees of freedom, n - 3 examples
    counting in the error as in Fisher's z. In [0, 1].
    """
    weights = stratum_weights(parts) / [(part.n * (part.n - 3.0)) ** 0.5 for part in parts]
    added = summed([weight * part.products[0] for part, weight in zip(parts, weights, strict=True)], examples)
    if any(few_apart(part) for part in parts):
        return own_spread_p(added)
    spread = float(np.linalg.norm(added))
    return float(special.stdtr(added.size - 1, -abs(float(added.sum())) / spread)) if spread > 0 else 1.0


def own_spread_p(added: Floats, reach: float = 1.0) -> float:
    """Returns the one-sided p value of "a sum is 0", in the direction that it has, where few of its parts may make it up.

    t = |sum v| / root(sum v^2), with k - 1 degrees of freedom, k = (sum v^2)^2 / sum v^4 the number of parts that count: k parts of one
    sign and size have t = root k, and come out so by chance in a share 2^-k of cases (k = 3: .125, by t .113; k = 4: .062 and .070).

    Args:
        added: What each example adds.
        reach: How far its error is above the root of the sum of squares; 2 of a statistic of pairs of examples.
    """
    squares = float(added @ added)
    if squares <= 0:
        return 1.0
    count = squares**2 / float(np.sum(added**4))
    return float(special.stdtr(max(count - 1, 0.5), -abs(float(added.sum())) / (reach * squares**0.5)))


def _together(values: Sequence[Floats], largest: Sequence[float], parts: Sequence[CrossHalf], examples: Examples) -> tuple[Floats, float]:
    """Returns one number for each different example, whose mean is that over strata, and the largest that one more example could have."""
    weights = stratum_weights(parts) / [part.n for part in parts]
    each = summed([weight * numbers for weight, numbers in zip(weights, values, strict=True)], examples)
    most: dict[str, float] = {}
    for (dataset, _), weight, top in zip(examples, weights, largest, strict=True):
        most[dataset] = most.get(dataset, 0.0) + float(weight) * top
    each *= each.size
    return each, max(max(most.values()) * each.size, float(each.max()))


def _largest(part: CrossHalf, sign: int, rho: float) -> float:
    """Returns the largest u v - rho (u^2 + v^2) / 2 of scores within the ends of the axes, u v of one sign (1) or opposite ones (-1)."""
    (low, high), (other_low, other_high) = part.ends
    facing = ((high, other_high), (-low, -other_low)) if sign > 0 else ((high, -other_low), (-low, other_high))
    found = []
    for pair in facing:
        short, long = sorted(pair)
        long = min(long, short / rho) if rho > 0 else long
        found.append(float(short * long - rho / 2 * (short**2 + long**2)))
    return max(found)
