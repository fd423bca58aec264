"""How well per-example scores would repeat with other variants, and what that does to correlations (METRICS 8: 2b, 2c; 9)."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Integers
from sago.errors import InputError
from sago.stats.limits import at_least, between, dimensions

ASSESSABLE_FROM = 0.4
"""Below this reliability a correlation is "not assessable": noise makes axes look independent (METRICS 8, 2b)."""

SPLITS = 50

_ROUNDING = 1e-9


def spearman_brown(reliability: float, times: float = 2.0) -> float:
    """Returns the reliability with ``times`` as many variants: k r / (1 + (k - 1) r) (METRICS 8, 2b; E43).

    At most 1 (= scores repeat exactly); 0 = noise alone, below 0 only by chance. ``times=2`` goes from halves to the whole,
    ``times=0.5`` from the whole to halves. NaN where the denominator is not positive. Spearman 1910, Brown 1910.

    >>> round(spearman_brown(0.6), 6), round(spearman_brown(0.75, 0.5), 6)
    (0.75, 0.6)
    """
    between(times, 0, float("inf"), name="times", where="spearman_brown")
    below = 1 + (times - 1) * reliability
    return times * reliability / below if below > 0 else float("nan")


def variants_needed(variants: int, reliability: float, target: float) -> float:
    """Returns how many variants bring the reliability from r to the target: V r_t (1 - r) / (r (1 - r_t)), rounded up (METRICS 9; E43).

    The inverse of ``spearman_brown``. NaN where r is not above 0: more of nothing but noise does not help.

    Args:
        variants: V, with which the reliability was found.
        reliability: r, at most 1.
        target: r_t, in (0, 1).

    >>> variants_needed(8, 0.75, 0.90)
    24.0
    """
    at_least(variants, 1, name="the number of variants", where="variants_needed")
    between(target, 0, 1, name="the target", where="variants_needed")
    if not reliability > 0:
        return float("nan")
    _at_most_one(reliability, where="variants_needed")
    # The tolerance keeps rounding from asking for one variant more.
    return float(ceil(variants * target * (1 - reliability) / (reliability * (1 - target)) - _ROUNDING))


def disattenuated(rho: float, reliability_first: float, reliability_second: float) -> float:
    """Returns the correlation that scores without noise would have: rho / sqrt(rel_a rel_b) (METRICS 8, 2c; E44).

    Unclipped: beyond 1 where reliabilities are underestimated. 0 = unrelated. NaN where a reliability is not above 0; below
    ``ASSESSABLE_FROM`` it should not be used. Bootstrap the whole ratio for its interval. Spearman 1904.

    >>> disattenuated(0.2, 0.5, 0.5)
    0.4
    """
    for value in (reliability_first, reliability_second):
        _at_most_one(value, where="disattenuated")
    if not (reliability_first > 0 and reliability_second > 0):
        return float("nan")
    return rho / float(np.sqrt(reliability_first * reliability_second))


def _at_most_one(reliability: float, *, where: str) -> None:
    if reliability > 1:
        raise InputError(f"a reliability is {reliability:g}", where=where, fix="Give 1 or less")


class SplitHalf(NamedTuple):
    """Reliability from halves of the variants.

    Attributes:
        reliability: Of scores over all variants: 1 = they repeat exactly, 0 = noise alone. half: Of scores over half of them.
        examples: Number of examples with data in both halves, mean over splits.
    """

    reliability: float
    half: float
    examples: float


def halves(variants: int, rng: np.random.Generator, splits: int = SPLITS) -> Integers:
    """Returns random halves of the variants (splits x 2 x V // 2), as places; an odd one is left out. Use the same for all axes.

    Args:
        variants: V, at least 2.
        rng: Generator seeded from content.
        splits: Number of splits.
    """
    at_least(variants, 2, name="the number of variants", where="halves")
    at_least(splits, 1, name="the number of splits", where="halves")
    size = variants // 2
    order = rng.permuted(np.broadcast_to(np.arange(variants), (splits, variants)), axis=1)
    return order[:, : 2 * size].reshape(splits, 2, size).astype(np.int64)


def split_half(scores: Floats, rng: np.random.Generator, *, splits: int = SPLITS, ranked: bool = False) -> SplitHalf:
    """Returns the split-half reliability of examples' mean scores (METRICS 8, 2b; 9).

    Halves of the variants are drawn, the means over each half correlated over examples, stepped up to all variants by Spearman-Brown
    (2r / (1 + r) for an even number of them), and averaged over splits. An example without data in a half is left out of that split; a
    split whose half has no spread, or fewer than three examples, is left out; NaN where no split is left.

    Args:
        scores: Score by example and variant (examples x variants); NaN = missing.
        rng: Generator seeded from content.
        splits: Number of splits.
        ranked: Whether to correlate ranks (Spearman), as correlations between axes do.
    """
    dimensions(scores, (2,), what="examples x variants", where="split_half")
    drawn = halves(scores.shape[1], rng, splits)
    times = scores.shape[1] / drawn.shape[2]
    found = [_correlation(_means(scores[:, first]), _means(scores[:, second]), ranked) for first, second in drawn]
    whole = [spearman_brown(r, times) for r, _ in found if not np.isnan(r)]
    used = [value for value in whole if not np.isnan(value)]
    if not used:
        return SplitHalf(float("nan"), float("nan"), float(np.mean([count for _, count in found])))
    half = float(np.mean([r for r, _ in found if not np.isnan(r)]))
    return SplitHalf(float(np.mean(used)), half, float(np.mean([count for _, count in found])))


def _means(scores: Floats) -> Floats:
    there = ~np.isnan(scores)
    sums, counts = np.where(there, scores, 0.0).sum(axis=1), there.sum(axis=1)
    result: Floats = np.divide(sums, counts, out=np.full(len(scores), np.nan), where=counts > 0)
    return result


def _correlation(first: Floats, second: Floats, ranked: bool) -> tuple[float, int]:
    known = ~np.isnan(first) & ~np.isnan(second)
    x, y = first[known], second[known]
    if x.size < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan"), int(x.size)
    if ranked:
        from scipy.stats import rankdata

        x, y = rankdata(x), rankdata(y)
    return float(np.corrcoef(x, y)[0, 1]), int(x.size)
