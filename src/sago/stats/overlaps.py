"""Is it by chance that two axes fail on the same examples? Exact tests of counts of common failures (METRICS 8, 2i)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats, Integers, Values

EXACT_UP_TO = 20_000
"""Most failures, over strata, of which the exact distribution is worked out; above, the chi-square test is right to some digits."""

PERMUTED_UP_TO = 500
"""Most examples of a data set whose labels are permuted where several models were asked them; above, the chi-square test holds."""

DRAWS = 9_999
_ROUNDING = 1e-9


def hypergeometric(n: int, first: int, second: int) -> tuple[int, Floats]:
    """Returns the fewest common failures, and the probability of so many and of each larger number, the margins fixed.

    P(a) = C(first, a) C(n - first, second - a) / C(n, second). Fisher 1935.

    Args:
        n: All examples.
        first: Failures of the first axis.
        second: Failures of the second axis.
    """
    least, most = max(0, first + second - n), min(first, second)
    a = np.arange(least, most + 1, dtype=np.float64)

    def choose(above: Floats | float, below: Floats | float) -> Floats:
        found = special.gammaln(above + 1.0) - special.gammaln(below + 1.0) - special.gammaln(above - below + 1.0)
        return np.asarray(found, dtype=np.float64)

    logs = choose(float(first), a) + choose(float(n - first), second - a) - choose(float(n), float(second))
    chances: Floats = np.exp(logs - logs.max())
    return least, chances / chances.sum()


def exact_overlap_p(tables: Floats) -> float:
    """Returns the two-sided p of "the axes fail independently in every stratum", margins fixed, in (0, 1].

    The probability of a number of common failures as far from its expectation as the observed one, or farther. The number is the sum over
    strata, so its distribution is the convolution of theirs. Exact where strata share no examples, however few there are; with one stratum
    it is Fisher's test, two-sided by distance from the expectation. The chi-square test is too liberal there: the number is a small
    integer, with a long tail upwards.

    Args:
        tables: Counts by stratum (strata x 2 x 2): [[both, only the first], [only the second, neither]].

    >>> round(exact_overlap_p(np.array([[[2.0, 2.0], [2.0, 34.0]]])), 6)
    0.042948
    """
    least, chances, expected = 0, np.ones(1), 0.0
    for table in tables:
        n, first, second = int(table.sum()), int(table[0].sum()), int(table[:, 0].sum())
        start, more = hypergeometric(n, first, second)
        least, chances, expected = least + start, np.convolve(chances, more), expected + first * second / n
    counts = least + np.arange(chances.size)
    return min(1.0, float(chances[_as_far(counts, expected, float(tables[:, 0, 0].sum()))].sum()))


def permuted_overlap_p(
    datasets: Sequence[Sequence[tuple[Integers, Values, Values, Integers]]], rng: np.random.Generator, *, draws: int = DRAWS
) -> float:
    """Returns the two-sided p of "the axes fail independently" where models were asked the same examples, in (0, 1].

    What all models' second axis says of an example is given to another example, for all models at once: models stay as alike as they are.
    Examples are exchanged only among those that the same models have, in the same of their groups.
    p = (1 + number of draws as far from the expectation) / (1 + draws).

    Args:
        datasets: For each data set its models: places of the examples, failures of the first axis, failures of the second axis, and groups
            of examples, from 0, outside which nothing is exchanged.
        rng: Generator seeded from content.
        draws: Number of permutations.
    """
    observed = expected = 0.0
    drawn = np.zeros(draws)
    for strata in datasets:
        size = 1 + max(int(places.max()) for places, *_ in strata)
        there, first, second = (np.zeros((size, len(strata))) for _ in range(3))
        for column, (places, one, two, group) in enumerate(strata):
            there[places, column], first[places, column], second[places, column] = 1 + group, one, two
        observed += float(np.sum(first * second))
        _, pattern = np.unique(there, axis=0, return_inverse=True)
        for alike in range(int(pattern.max()) + 1):
            mine = np.flatnonzero(pattern.reshape(-1) == alike)
            one, two = first[mine], second[mine]
            expected += float(np.sum(one.sum(axis=0) * two.sum(axis=0)) / mine.size)
            failing = np.flatnonzero(one.any(axis=1))
            others = rng.permuted(np.broadcast_to(np.arange(mine.size), (draws, mine.size)), axis=1)[:, failing]
            pairs = one[failing] @ two.T  # failures in common, over models, if example j stood where i stands
            drawn += pairs[np.arange(failing.size), others].sum(axis=1)
    return float((1 + np.sum(_as_far(drawn, expected, observed))) / (1 + draws))


def _as_far(counts: Floats | Integers, expected: float, observed: float) -> Values:
    result: Values = np.abs(counts - expected) >= abs(observed - expected) * (1 - _ROUNDING) - _ROUNDING
    return result
