"""Tracking: do the replies to two wordings differ more where the wordings differ more? (METRICS 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Integers

DRAWS = 999
FEWEST = 3
"""Fewest wordings of which pairs can be ranked."""

_ENUMERATED_UP_TO = 6
_EXACT_UP_TO = 20_000
"""Largest number of joint relabelings that are all enumerated."""


class Relabelled(NamedTuple):
    """A statistic of one example under relabelings of its replies.

    Attributes:
        values: One a relabeling.
        exact: Whether these are all relabelings, each once; otherwise they are drawn at random.
    """

    values: Floats
    exact: bool


def tracking(prompts: Floats, replies: Floats) -> float:
    """Returns how closely the distances between the replies of an example follow those between its wordings.

    Formula: Spearman's rank correlation (ties at their mean rank) of d(x_v, x_w) and d(y_v, y_w) over the pairs v < w of wordings, the
    statistic of Mantel (1967). Range: [-1, 1]. Direction: 0 = how far two wordings are apart says nothing of their replies; 1 = replies
    are apart in the order in which wordings are. Its mean over all relabelings of the replies is exactly 0, so nothing is left to
    subtract. Unit: correlation.
    Edge cases: NaN for fewer than 3 wordings, and where all pairs of wordings, or of replies, are at one distance.
    Source: own, after Mantel (1967).

    >>> wordings = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]]) / 4
    >>> round(tracking(wordings, wordings**2), 12)
    1.0

    Args:
        prompts: Distances between wordings, a symmetric matrix.
        replies: Distances between the replies to the same wordings.
    """
    if prompts.shape[0] < FEWEST:
        return float("nan")
    first, second = _pairs(prompts.shape[0])
    one, other = _standard_ranks(prompts[first, second]), _standard_ranks(replies[first, second])
    return float(np.clip(one @ other, -1, 1))


def relabelled_tracking(prompts: Floats, replies: Floats, rng: np.random.Generator, draws: int = DRAWS) -> Relabelled:
    """Returns ``tracking`` after the replies were dealt to the wordings anew: all ways up to 6 wordings, drawn ones from 7 on."""
    count = prompts.shape[0]
    first, second = _pairs(count)
    ranks = np.zeros((count, count))
    ranks[first, second] = ranks[second, first] = _standard_ranks(replies[first, second])
    exact = count <= _ENUMERATED_UP_TO
    orders = _orders(count) if exact else rng.permuted(np.tile(np.arange(count), (draws, 1)), axis=1)
    dealt = ranks.reshape(-1)[orders[:, first] * count + orders[:, second]]
    return Relabelled(dealt @ _standard_ranks(prompts[first, second]), exact)


def joint_p(observed: Floats, nulls: Sequence[Relabelled], rng: np.random.Generator, draws: int = DRAWS) -> float:
    """Returns the one-sided permutation p of the mean of a statistic over examples, replies relabelled inside each.

    Formula: share of joint relabelings whose mean is at least the observed one. All of them where there are at most 20,000; otherwise
    (1 + how many of the draws) / (1 + draws). Range: (0, 1]. Direction: small = more than chance. Unit: probability.
    Edge cases: NaN without an example. Source: Mantel (1967); Phipson and Smyth (2010) for the added one.

    Args:
        observed: The statistic of each example.
        nulls: Its values under relabelings, of each example.
        rng: For drawing.
        draws: How many joint relabelings are drawn.
    """
    if not observed.size:
        return float("nan")
    if all(null.exact for null in nulls) and prod(null.values.size for null in nulls) <= _EXACT_UP_TO:
        sums = np.zeros(1)
        for null in nulls:
            sums = (sums[:, None] + null.values).reshape(-1)
        return float(np.mean(sums >= observed.sum() - 1e-9))
    total = np.zeros(draws)
    for null in nulls:
        total += null.values[rng.integers(0, null.values.size, draws)]
    return float((1 + np.sum(total >= observed.sum() - 1e-9)) / (1 + draws))


@cache
def _pairs(count: int) -> tuple[Integers, Integers]:
    first, second = np.triu_indices(count, 1)
    return first, second


@cache
def _orders(count: int) -> Integers:
    return np.array(list(permutations(range(count))), dtype=np.int64).reshape(factorial(count), count)


def _standard_ranks(values: Floats) -> Floats:
    """Ranks with mean 0 and length 1; NaN where all values are one."""
    # Distances that are equal on paper may differ in their last digit.
    from scipy.stats import rankdata

    ranks = rankdata(np.round(values, 12))
    centred = ranks - ranks.mean()
    length = float(np.sqrt(centred @ centred))
    result: Floats = centred / length if length > 0 else np.full(values.size, np.nan)
    return result
