"""What the literature on several prompts reports of a model's accuracy: best and worst prompt, their spread, one number of both.

Accuracy by wording is a mean over the same examples, so the best of several is flattered by having been chosen on them, and their spread
is above 0 by chance alone. Both are said beside the numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Integers
from sago.arrays.intervals import Interval, none_in, wilson
from sago.stats.limits import at_least, dimensions

DRAWS = 1000
_TAIL = 0.025
_RESAMPLED_TO = 5000
"""Means over more examples are drawn from the normal distribution that resampling has by then."""


def saturation(accuracies: Floats) -> float:
    """Returns 1 - (max - mean) over wordings, in [0, 1]; 1 = the best wording is no better than the mean one.

    Mizrahi et al. 2024 (arXiv 2401.00595). NaN without a wording.
    """
    return float(1 - (accuracies.max() - accuracies.mean())) if accuracies.size else float("nan")


def combined_performance(accuracies: Floats) -> float:
    """Returns the combined performance score, saturation x max over wordings, in [0, 1]; 1 = right on every wording.

    It is high where the best wording is good and the others are hardly worse. It does not look at single examples: a model that is right
    on other examples with every wording may have a high one. Mizrahi et al. 2024 (arXiv 2401.00595). NaN without a wording.

    >>> round(combined_performance(np.array([0.8, 0.6, 0.4])), 2)
    0.64
    """
    return saturation(accuracies) * float(accuracies.max()) if accuracies.size else float("nan")


def all_right(right: Integers, replies: Integers, k: int) -> Floats:
    """Returns the chance that k replies drawn from those given are all right, C(c, k) / C(R, k): pass^k without bias (Yao et al. 2024).

    In [0, 1]; 1 = every reply is right. With k = R it is 1 or 0: all right or not. NaN where fewer than k replies were given.

    Args:
        right: c, number of right replies, one entry a question.
        replies: R, number of replies.
        k: How often it has to be right, at least 1.

    >>> [round(float(value), 4) for value in all_right(np.array([3, 2, 1]), np.array([3, 3, 1]), 2)]
    [1.0, 0.3333, nan]
    """
    at_least(k, 1, name="k", where="all_right")
    steps = np.arange(k)
    below = np.maximum(replies[:, None] - steps, 0).astype(np.float64)
    above = np.maximum(right[:, None] - steps, 0).astype(np.float64)
    enough = replies >= k
    chance = np.divide(above, below, out=np.zeros_like(above), where=below > 0).prod(axis=1)
    result: Floats = np.where(enough, chance, np.nan)
    return result


class WordingSpread(NamedTuple):
    """Accuracy over wordings, each with its 95 % interval.

    Attributes:
        accuracies: Of every wording.
        highest: Of the best wording. lowest: Of the worst. mean: Of all. spread: highest - lowest. combined: Combined performance score.
        intervals: Their intervals, by name.
        optimism: By how much the best wording is flattered by having been chosen on these examples.
        chance: Spread to be expected of as many wordings of one true accuracy.
    """

    accuracies: Floats
    highest: float
    lowest: float
    mean: float
    spread: float
    combined: float
    intervals: dict[str, Interval]
    optimism: float
    chance: float


def wording_spread(shares: Floats, rng: np.random.Generator, *, draws: int = DRAWS) -> WordingSpread:
    """Returns highest, lowest and mean accuracy over wordings, their spread and the combined score, with intervals.

    Examples are resampled, the same for all wordings. A percentile interval of a spread would never cover 0, since no resampled spread is
    below it. Here it goes from ``spread`` less the 97.5 % quantile of the range of what resampling moves the wordings by (the range of a
    sum is at most the sum of ranges, so this end errs in at most 2.5 %) to the 97.5 % quantile of resampled spreads. Highest and lowest
    likewise, and never narrower than the Wilson interval of one wording. Intervals are NaN below two examples.

    Args:
        shares: Share correct by example and wording (examples x wordings), complete, at least one by two.
        rng: Generator seeded from content.
        draws: Number of resamples.
    """
    dimensions(shares, (2,), what="examples x wordings", where="wording_spread")
    for size, name, least in zip(shares.shape, ("examples", "wordings"), (1, 2), strict=True):
        at_least(size, least, name=f"the number of {name}", where="wording_spread")
    n, accuracies = len(shares), shares.mean(axis=0)
    highest, lowest = float(accuracies.max()), float(accuracies.min())
    spread, combined, mean = highest - lowest, combined_performance(accuracies), float(accuracies.mean())
    values = (accuracies, highest, lowest, mean, spread, combined)
    if n < 2:
        nothing = dict.fromkeys(("highest", "lowest", "spread", "combined"), Interval())
        return WordingSpread(*values, nothing, float("nan"), float("nan"))
    drawn = _resampled(shares, rng, draws)
    moved = drawn - accuracies
    ranges = np.ptp(moved, axis=1)
    up, down = (float(np.quantile(part, 1 - _TAIL)) for part in (moved.max(axis=1), (-moved).max(axis=1)))
    intervals = {
        "highest": _no_narrower(Interval(highest - up, highest + down), highest, n),
        "lowest": _no_narrower(Interval(lowest - up, lowest + down), lowest, n),
        "spread": _of_spread(shares, spread, ranges, np.ptp(drawn, axis=1)),
        "combined": _of_combined(combined, drawn, n),
    }
    best = drawn.argmax(axis=1)
    flattered = max(float(np.mean(moved[np.arange(draws), best])), 0.0)
    return WordingSpread(*values, intervals, flattered, float(ranges.mean()))


def _resampled(shares: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Returns the accuracies of resampled examples (draws x wordings); equal rows are drawn together, which is the same and quicker."""
    n = len(shares)
    if n > _RESAMPLED_TO:
        return rng.multivariate_normal(shares.mean(axis=0), np.cov(shares, rowvar=False, bias=True) / n, size=draws, method="eigh")
    rows, counts = np.unique(shares, axis=0, return_counts=True)
    result: Floats = rng.multinomial(n, counts / n, size=draws) @ rows / n
    return result


def _no_narrower(found: Interval, share: float, n: int) -> Interval:
    one = wilson(share * n, n)
    return Interval(max(min(found.lower, one.lower), 0.0), min(max(found.upper, one.upper), 1.0))


def _of_spread(shares: Floats, spread: float, ranges: Floats, drawn: Floats) -> Interval:
    if np.all(np.ptp(shares, axis=1) == 0):
        return Interval(0.0, none_in(len(shares)))  # no example told the wordings apart, which n examples can only bound
    return Interval(max(spread - float(np.quantile(ranges, 1 - _TAIL)), 0.0), min(float(np.quantile(drawn, 1 - _TAIL)), 1.0))


def _of_combined(combined: float, drawn: Floats, n: int) -> Interval:
    """Returns the score -/+ the 95 % quantile of how far resamples are from it: they share its bias, so that it is part of the distance."""
    highest = drawn.max(axis=1)
    half = float(np.quantile(np.abs((1 - (highest - drawn.mean(axis=1))) * highest - combined), 1 - 2 * _TAIL))
    return _no_narrower(Interval(combined - half, combined + half), combined, n)
