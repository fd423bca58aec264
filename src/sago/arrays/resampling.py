"""The exact rerun-floor test: do wordings differ more than reruns of one wording? See METRICS 8, 1a.

Under the null hypothesis the response distribution of an example does not depend on the variant, so its responses are exchangeable:
their labels (variant, rerun) are permuted inside each example, and T = mean of B_i - W_i is recomputed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod

import numpy as np

from sago.arrays.distances import DISTANCES, Distance, inside_blocks
from sago.arrays.grouping import Floats, Integers, Values, coded
from sago.arrays.index import Rows

DRAWS = 999
_EXACT_UP_TO = 20_000
"""Largest number of joint relabelings that are all enumerated."""

_CHUNK_VALUES = 2_000_000


@dataclass(frozen=True)
class _Block:
    """Examples with the same numbers of reruns.

    B_i - W_i of any labelling is ``constant`` + the sum of ``weights`` x distances of the responses at the places ``first``, ``second``.
    """

    reruns: tuple[int, ...]
    distances: Floats
    constant: Floats
    first: Integers
    second: Integers
    weights: Floats

    def gaps(self, order: Integers) -> Floats:
        """Returns B_i - W_i of each example after its responses were put into the given order (examples, responses)."""
        size = order.shape[1]
        flat = order[:, self.first] * size + order[:, self.second]
        result: Floats = self.constant + np.take_along_axis(self.distances, flat, axis=1) @ self.weights
        return result


def permutation_p(rows: Rows, distance: str, rng: np.random.Generator, *, draws: int = DRAWS, prepared: bool = False) -> float:
    """Returns the p value of "wordings differ no more than reruns", in (0, 1]; NaN where no example has two variants and reruns.

    Small problems are enumerated completely, so that p is exact; otherwise p = (1 + number of draws with T* >= T) / (1 + draws).

    Args:
        rows: Responses; equal variant names of one example are reruns. Examples without reruns, or with one variant, take no part.
        distance: Name in ``DISTANCES``.
        rng: Generator seeded from content.
        draws: Number of random relabelings.
        prepared: Whether the values went through the distance's ``prepare`` already.
    """
    kind = DISTANCES[distance]
    values = rows.values if prepared else kind.prepare(rows.values)
    places = np.arange(len(rows.example)) if rows.places is None else rows.places
    shapes = _by_shape(coded(rows.example)[1], coded(rows.variant)[1], places)
    if not shapes:
        return float("nan")
    blocks = [block for reruns, places in shapes.items() for block in _blocks(kind, values, reruns, places)]
    observed = float(sum(block.gaps(_unmoved(block)).sum() for block in blocks))
    tolerance = 1e-9 * max(1.0, sum(float(np.abs(block.distances).max(initial=0)) for block in blocks))
    complete = _every_sum(blocks)
    if complete is not None:
        return float(np.mean(complete >= observed - tolerance))
    drawn = np.zeros(draws)
    for block in blocks:
        start = np.broadcast_to(np.arange(sum(block.reruns)), (block.distances.shape[0], sum(block.reruns)))
        for draw in range(draws):
            drawn[draw] += block.gaps(rng.permuted(start, axis=1)).sum()
    return float((1 + np.sum(drawn >= observed - tolerance)) / (1 + draws))


def _unmoved(block: _Block) -> Integers:
    return np.broadcast_to(np.arange(sum(block.reruns)), (block.distances.shape[0], sum(block.reruns)))


def _by_shape(example: Integers, variant: Integers, places: Integers) -> dict[tuple[int, ...], Integers]:
    """Returns, for each pattern of rerun counts, the rows of its examples (examples, responses), variant by variant."""
    order = np.lexsort((variant, example))
    found: dict[tuple[int, ...], list[Integers]] = {}
    for mine in np.split(order, np.flatnonzero(np.diff(example[order])) + 1):
        reruns = np.unique(variant[mine], return_counts=True)[1]
        if reruns.size >= 2 and reruns.max() >= 2:
            # Variants with equally many reruns are alike to the statistic: sorting them by that number makes fewer patterns.
            by_count = np.argsort(np.repeat(reruns, reruns), kind="stable")
            found.setdefault(tuple(sorted(reruns.tolist())), []).append(places[mine[by_count]])
    return {reruns: np.stack(found[reruns]) for reruns in sorted(found)}


def _blocks(kind: Distance, values: Values, reruns: tuple[int, ...], places: Integers) -> Iterator[_Block]:
    size = sum(reruns)
    step = max(1, _CHUNK_VALUES // (size * max(size, values.shape[1] if values.ndim > 1 else 1)))
    first, second, weights, of_total = _pairs(reruns)
    apart = ~np.eye(size, dtype=np.bool_)
    for begin in range(0, places.shape[0], step):
        distances = inside_blocks(kind, values, places[begin : begin + step])
        spread = np.ptp(distances[:, apart], axis=1)
        distances = distances[spread > 0]  # all at one distance: B = W under every labelling
        if distances.size:
            total = distances[:, apart].sum(axis=1) / 2
            yield _Block(reruns, distances.reshape(distances.shape[0], -1), of_total * total, first, second, weights)


def _pairs(reruns: tuple[int, ...]) -> tuple[Integers, Integers, Floats, float]:
    """Returns which places the statistic needs, with what weights, and the weight of the sum over all pairs, which no labelling changes.

    With equally many reruns everywhere the pairs inside variants are enough, for those across are the rest of the sum.
    """
    label = np.repeat(np.arange(len(reruns)), reruns)
    first, second = np.triu_indices(label.size, 1)
    counts, variants = np.array(reruns), len(reruns)
    same = label[first] == label[second]
    one, two = counts[label[first]], counts[label[second]]
    across = 2.0 / (variants * (variants - 1) * one * two)
    repeated = int((counts >= 2).sum())
    within = np.divide(2.0, repeated * one * (one - 1.0), out=np.zeros(one.size), where=same & (one > 1))
    if counts.min() == counts.max():
        of_total = float(across[0])
        return first[same], second[same], -within[same] - of_total, of_total
    return first, second, np.where(same, -within, across), 0.0


def _every_sum(blocks: list[_Block]) -> Floats | None:
    """Returns T of every joint relabeling, or null where there are too many."""
    joint = 1
    for block in blocks:
        ways = factorial(sum(block.reruns)) // prod(factorial(count) for count in block.reruns)
        for _ in range(block.distances.shape[0]):
            joint *= ways
            if joint > _EXACT_UP_TO:
                return None
    sums = np.zeros(1)
    for block in blocks:
        orders = np.array(list(_relabelings(block.reruns)))
        for example in range(block.distances.shape[0]):
            one = _Block(block.reruns, block.distances[[example]], block.constant[[example]], block.first, block.second, block.weights)
            values = np.array([one.gaps(order[None, :])[0] for order in orders])
            sums = np.add.outer(sums, values).reshape(-1)
    return sums


def _relabelings(reruns: tuple[int, ...]) -> Iterator[list[int]]:
    """Yields every different way to hand the responses to the variants."""

    def hand_out(left: tuple[int, ...], counts: tuple[int, ...]) -> Iterator[list[int]]:
        if not counts:
            yield []
            return
        for chosen in combinations(left, counts[0]):
            rest = tuple(item for item in left if item not in chosen)
            for more in hand_out(rest, counts[1:]):
                yield [*chosen, *more]

    return hand_out(tuple(range(sum(reruns))), reruns)
