"""Distinctive-wording uptake: how much of the wording that only one variant has turns up in its own reply (METRICS 6)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats
from sago.arrays.intervals import Interval, t_interval
from sago.arrays.tokens import tokens

Surface = AbstractSet[str]
"""The word n-grams of a text, words joined by a space."""


class Uptake(NamedTuple):
    """Uptake of one example.

    Attributes:
        own: Share of a variant's distinctive words in its own reply.
        sibling: The same share in the replies to the other variants.
        gain: own - sibling, in [-1, 1]; an echo is 1, a constant reply 0, a swapped echo -1.
        weight: Number of distinctive words over the variants counted; 0 = nothing to measure, the three are NaN.
    """

    own: float
    sibling: float
    gain: float
    weight: int


def words(text: str, n: int = 1) -> frozenset[str]:
    """Returns the set of word n-grams of a text, for the words see ``tokens``.

    >>> sorted(words("Don't, don't say HELLO.")), sorted(words("Say hello twice", 2))
    (["don't", 'hello', 'say'], ['hello twice', 'say hello'])
    """
    found = tokens(text)
    return frozenset(found if n == 1 else (" ".join(gram) for gram in zip(*(found[place:] for place in range(n)), strict=False)))


def distinctive(surfaces: Sequence[Surface]) -> list[Surface]:
    """Returns the n-grams that stand in one variant only, for each variant."""
    once: set[str] = set()
    repeated: set[str] = set()
    for surface in surfaces:
        repeated |= once & surface
        once |= surface
    return [surface - repeated for surface in surfaces]


def uptake_matrix(
    surfaces: Sequence[Surface], replies: Sequence[Sequence[Surface]], marked: Sequence[Surface] | None = None
) -> tuple[Floats, Floats]:
    """Returns how much of each variant's distinctive wording stands in the replies to each variant.

    Args:
        surfaces: N-grams of the prompt of each variant.
        replies: N-grams of the replies to each variant, one a rerun; an empty reply takes up nothing.
        marked: The n-grams of each variant that may count, for instance its misspelt words; null = all.

    Returns:
        (counts, sizes): counts[v, w] = mean over reruns of the number of distinctive n-grams of v in a reply to w; sizes[v] = number of
        distinctive n-grams of v.
    """
    marks = distinctive(surfaces)
    if marked is not None:
        marks = [mark & chosen for mark, chosen in zip(marks, marked, strict=True)]
    # A distinctive n-gram has one owner, so that one look at a reply counts for all variants.
    owner = {gram: place for place, mark in enumerate(marks) for gram in mark}
    every = owner.keys()
    counts = np.zeros((len(marks), len(replies)))
    for place, own in enumerate(replies):
        for reply in own:
            for gram in every & reply:
                counts[owner[gram], place] += 1 / len(own)
    return counts, np.array([len(mark) for mark in marks], dtype=np.float64)


def uptake(counts: Floats, sizes: Floats, among: Sequence[int] | None = None) -> Uptake:
    """Returns own, sibling and gain from an uptake matrix.

    Formula: with U_v the distinctive n-grams of variant v and Y_w those of the reply to w, own = sum_v |U_v & Y_v| / sum_v |U_v|,
    sibling = sum_{v != w} |U_v & Y_w| / ((V - 1) sum_v |U_v|), gain = own - sibling.
    Range: own and sibling in [0, 1], gain in [-1, 1]. Direction: 0 = the wording of a prompt is no likelier in its own reply than in the
    replies to its siblings; 1 = all of it, and nowhere else. Its mean over all relabelings of the replies is exactly 0.
    Unit: share of distinctive n-grams.
    Edge cases: NaN where there is a single variant, or none of the variants counted has distinctive wording.
    Source: own (METRICS 6), after the coordination measure of Danescu-Niculescu-Mizil et al. (2011) with sibling wordings as the baseline.

    Args:
        counts: From ``uptake_matrix``.
        sizes: From ``uptake_matrix``.
        among: The variants whose wording is counted, for one family; null = all. Siblings are all the others.
    """
    if among is None:
        taken, every, total = float(counts.trace()), float(counts.sum()), float(sizes.sum())
    else:
        chosen = np.asarray(among, dtype=np.int64)
        taken, every, total = float(counts[chosen, chosen].sum()), float(counts[chosen].sum()), float(sizes[chosen].sum())
    if sizes.size < 2 or total == 0:
        return Uptake(float("nan"), float("nan"), float("nan"), int(total))
    own = taken / total
    sibling = (every - taken) / ((sizes.size - 1) * total)
    return Uptake(own, sibling, own - sibling, int(total))


def gains_of_wordings(counts: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Returns the gain of each variant's own distinctive n-grams and how many they are: ``uptake`` is their weighted mean (METRICS 6).

    Formula: gain_v = (|U_v & Y_v| - sum_{w != v} |U_v & Y_w| / (V - 1)) / |U_v|, weight |U_v|; range [-1, 1], 0 = no mirroring. NaN where
    a variant has no distinctive n-grams.

    Args:
        counts: From ``uptake_matrix``; at least two variants.
        sizes: From ``uptake_matrix``.
    """
    own = counts.diagonal()
    left = own - (counts.sum(axis=1) - own) / (sizes.size - 1)
    return np.divide(left, sizes, out=np.full(sizes.size, np.nan), where=sizes > 0), sizes


def pooled_mean(values: Floats, weights: Floats) -> tuple[float, Interval]:
    """Returns the weighted mean of one value an example and its 95 % interval: sums over examples in place of a mean of ratios.

    Formula: M = sum w_i x_i / sum w_i, SE = sqrt(n / (n - 1) * sum w_i^2 (x_i - M)^2) / sum w_i (linearised ratio; with equal weights the
    standard error of a mean). Range, direction and unit: those of the values.
    Edge cases: NaN without an example; no interval from one.
    Source: own (METRICS 6, pooled sums); the ratio estimator of survey sampling.
    """
    n = values.size
    if n == 0:
        return float("nan"), Interval()
    mean = float(np.average(values, weights=weights))
    if n < 2:
        return mean, Interval()
    spread = 0.0 if np.ptp(values) == 0 else float(np.sqrt(n / (n - 1) * np.sum((weights * (values - mean)) ** 2)) / weights.sum())
    return mean, t_interval(mean, spread, n)
