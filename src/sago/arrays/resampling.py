"""The exact rerun-floor test: do wordings differ more than reruns of one wording? See METRICS 8, 1a.

Under the null hypothesis the response distribution of an example does not depend on the variant, so its responses are exchangeable:
their labels (variant, rerun) are permuted inside each example, and T = mean of B_i - W_i is recomputed.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np

from sago.arrays.distances import DISTANCES, Floats
from sago.arrays.index import Rows

DRAWS = 999
_EXACT_UP_TO = 5_000
_CHUNK_CELLS = 20_000_000


def permutation_p(rows: Rows, distance: str, rng: np.random.Generator, *, draws: int = DRAWS) -> float:
    """Returns the p value of "wordings differ no more than reruns", in (0, 1]; NaN where no example has reruns of two variants.

    Small problems are enumerated completely, so that p is exact; otherwise p = (1 + number of draws with T* >= T) / (1 + draws).

    Args:
        rows: Responses; equal variant names of one example are reruns.
        distance: Name in ``DISTANCES``.
        rng: Generator seeded from content.
        draws: Number of random relabelings.
    """
    statistics = _examples(rows, distance)
    if not statistics:
        return float("nan")
    observed = sum(float((weights * distances).sum()) for weights, distances in statistics)
    tolerance = 1e-9 * max(1.0, abs(observed))
    complete = _every_sum(statistics)
    if complete is not None:
        return float(np.mean(complete >= observed - tolerance))
    drawn = np.zeros(draws)
    for weights, distances in _stacked(statistics):
        drawn += _drawn_sums(weights, distances, rng, draws)
    return float((1 + np.sum(drawn >= observed - tolerance)) / (1 + draws))


def _examples(rows: Rows, distance: str) -> list[tuple[Floats, Floats]]:
    """Returns, for each example with reruns, the weights that make B_i - W_i of its distance matrix, and that matrix."""
    kind = DISTANCES[distance]
    values = kind.prepare(rows.values)
    order = np.argsort(rows.example, kind="stable")
    ordered = rows.example[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if ordered.size else np.empty(0, np.int64)
    found = []
    for mine in np.split(order, starts[1:]):
        weights = _gap_weights(rows.variant[mine])
        if weights is not None:
            found.append((weights, kind.pairs(values[mine][:, None], values[mine][None, :])))
    return found


def _gap_weights(variant: np.ndarray) -> Floats | None:
    _, label, reruns = np.unique(variant, return_inverse=True, return_counts=True)
    repeated = reruns >= 2
    if reruns.size < 2 or not repeated.any():
        return None
    same = label[:, None] == label[None, :]
    share = 1.0 / reruns[label]
    across = np.where(same, 0.0, share[:, None] * share[None, :]) / (reruns.size * (reruns.size - 1))
    pairs = np.divide(1.0, reruns * (reruns - 1), out=np.zeros(reruns.size), where=repeated)[label] / repeated.sum()
    within = np.where(same, pairs[:, None], 0.0)
    np.fill_diagonal(within, 0.0)
    return across - within


def _stacked(statistics: list[tuple[Floats, Floats]]) -> list[tuple[Floats, Floats]]:
    """Puts examples of equal size into one array, so that a draw is one gather."""
    sizes = np.array([weights.shape[0] for weights, _ in statistics])
    stacks = []
    for size in np.unique(sizes):
        members = np.flatnonzero(sizes == size)
        step = max(1, _CHUNK_CELLS // int(size * size))
        for begin in range(0, members.size, step):
            chosen = members[begin : begin + step]
            stacks.append((np.stack([statistics[i][0] for i in chosen]), np.stack([statistics[i][1] for i in chosen])))
    return stacks


def _drawn_sums(weights: Floats, distances: Floats, rng: np.random.Generator, draws: int) -> Floats:
    count, size, _ = weights.shape
    place = np.arange(count)[:, None, None]
    sums = np.empty(draws)
    for draw in range(draws):
        order = rng.permuted(np.broadcast_to(np.arange(size), (count, size)), axis=1)
        sums[draw] = np.einsum("nij,nij->", weights, distances[place, order[:, :, None], order[:, None, :]])
    return sums


def _every_sum(statistics: list[tuple[Floats, Floats]]) -> Floats | None:
    """Returns T of every joint relabeling, or null where there are too many."""
    total = 1
    for weights, _ in statistics:
        total *= factorial(weights.shape[0])
        if total > _EXACT_UP_TO**2 or weights.shape[0] > 6:
            return None
    distributions = []
    size = 1
    for weights, distances in statistics:
        values = [float((weights * distances[np.ix_(order, order)]).sum()) for order in permutations(range(weights.shape[0]))]
        levels, counts = np.unique(np.round(values, 12), return_counts=True)
        distributions.append((levels, counts / counts.sum()))
        size *= levels.size
        if size > _EXACT_UP_TO:
            return None
    return _joint(distributions)


def _joint(distributions: list[tuple[Floats, Floats]]) -> Floats | None:
    """Expands the joint distribution into equally likely values; null where that is not possible in a small array."""
    levels, shares = np.zeros(1), np.ones(1)
    for more, weights in distributions:
        levels = np.add.outer(levels, more).reshape(-1)
        shares = np.multiply.outer(shares, weights).reshape(-1)
    copies = shares / shares.min()
    rounded = np.round(copies).astype(np.int64)
    if not np.allclose(copies, rounded, atol=1e-6) or rounded.sum() > _EXACT_UP_TO**2:
        return None
    return np.repeat(levels, rounded)
