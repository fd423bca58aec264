"""How well stated or implied confidence fits what was right, and how much that moves with the wording (METRICS 5; case 18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sago.arrays.grouping import Floats, Integers
from sago.errors import DataError

BINS = 10
"""Bins of the calibration error unless said otherwise: [0, .1), [.1, .2), ... [.9, 1]."""

ROUNDING = 1e-6
"""A confidence beyond 0 or 1 by no more than this is rounding."""

DRAWS = 200
"""Permutations behind the correction of a spread; fewer where the rows are many, but never below ``FEWEST_DRAWS``."""

FEWEST_DRAWS = 20
_PERMUTED_ROWS = 20_000_000


class Calibration(NamedTuple):
    """Expected calibration error and Brier score of one set of confidences.

    Attributes:
        error: Expected calibration error, in [0, 1]; NaN without items.
        brier: Brier score, in [0, 1]; NaN without items.
        counts: Items in each bin; they sum to ``n``.
        n: Items with a confidence. n_left_out: Items without one.
        bins: Number of bins.
    """

    error: float
    brier: float
    counts: Integers
    n: int
    n_left_out: int
    bins: int


class Spread(NamedTuple):
    """How much a calibration score differs between wordings.

    Attributes:
        raw: Its spread over the wordings; NaN below two.
        chance: Mean spread when the wordings of every example are permuted: what noise alone gives.
        corrected: raw - chance; at or below 0 by chance half of the time where the wording does not matter.
        each: Score of each wording, in the order of its code.
    """

    raw: float
    chance: float
    corrected: float
    each: Floats


Score = Callable[[Floats, Floats, Integers, int], Floats]
"""(confidences, correct, group of each item, groups) -> score of each group."""


def confidences(values: ArrayLike) -> Floats:
    """Returns confidences in [0, 1] as float64; NaN = none given.

    Up to 1e-6 beyond the ends is rounding and becomes the end (1.0000001 is 1.0).

    Raises:
        DataError: If one is further out: a confidence of 1.5 is a percentage or a score, and no bin fits it.
    """
    found: Floats = np.array(values, dtype=np.float64).reshape(-1)
    odd = (found < -ROUNDING) | (found > 1 + ROUNDING)
    if odd.any():
        place = int(np.argmax(odd))
        raise DataError(f"confidence {found[place]:g} (item {place}) is not in [0, 1]", fix="Divide percentages by 100")
    return np.clip(found, 0.0, 1.0)


def bin_of(values: Floats, bins: int = BINS) -> Integers:
    """Returns the bin of each confidence, from 0: bins of equal width, closed on the left, the last one on both sides.

    So 0 is in the first and 1 in the last bin, and every item is in one. Edges are k / bins as floating-point numbers, so that 0.3 is
    where 3 / 10 is.
    """
    edges = np.arange(1, bins) / bins
    return np.searchsorted(edges, values, side="right").astype(np.int64)


def calibration(confidence: ArrayLike, correct: ArrayLike, bins: int = BINS) -> Calibration:
    """Returns the expected calibration error and the Brier score of items.

    ECE = sum over bins of (n_b / n) |mean confidence - share correct|, in [0, 1]; 0 = in every bin as sure as right. Empty bins add 0. It
    is biased upwards in small samples (a perfectly calibrated model has .12 at 100 items and 15 bins), so compare equal n and bins. Brier =
    mean of (confidence - correct)^2, in [0, 1]; 0 = certain and right; it has no bins and is a proper score. An item whose confidence or
    correctness is NaN is left out and counted. NaN without items. Sources: Guo et al. (2017), Brier (1950).

    >>> [round(score, 6) for score in calibration([0.9, 0.9, 0.6, 0.6], [1, 0, 1, 1])[:2]]
    [0.4, 0.285]

    Raises:
        DataError: If a confidence is not in [0, 1].
    """
    c, y = confidences(confidence), np.asarray(correct, dtype=np.float64).reshape(-1)
    known = ~(np.isnan(c) | np.isnan(y))
    c, y = c[known], y[known]
    counts = np.bincount(bin_of(c, bins), minlength=bins)
    left_out = int(known.size - c.size)
    if not c.size:
        return Calibration(float("nan"), float("nan"), counts, 0, left_out, bins)
    group = np.zeros(c.size, dtype=np.int64)
    error, brier = calibration_errors(c, y, group, 1, bins)[0], brier_scores(c, y, group, 1)[0]
    return Calibration(float(error), float(brier), counts, c.size, left_out, bins)


def calibration_errors(confidence: Floats, correct: Floats, group: Integers, groups: int, bins: int = BINS) -> Floats:
    """Returns the expected calibration error of each group of items; NaN for an empty one. See :func:`calibration`."""
    cell = group * bins + bin_of(confidence, bins)
    apart = np.bincount(cell, confidence - correct, minlength=groups * bins).reshape(groups, bins)
    return _mean(np.abs(apart.astype(np.float64)).sum(axis=1), np.bincount(group, minlength=groups))


def brier_scores(confidence: Floats, correct: Floats, group: Integers, groups: int) -> Floats:
    """Returns the Brier score of each group of items; NaN for an empty one. See :func:`calibration`."""
    squares = np.bincount(group, (confidence - correct) ** 2, minlength=groups).astype(np.float64)
    return _mean(squares, np.bincount(group, minlength=groups))


def widest(scores: Floats) -> float:
    """Returns the spread max - min of scores in [0, 1]; 0 = all alike. NaN below two."""
    return float(np.ptp(scores)) if scores.size > 1 else float("nan")


def deviation(scores: Floats) -> float:
    """Returns the standard deviation of scores (n - 1 below); 0 = all alike. NaN below two."""
    return float(scores.std(ddof=1)) if scores.size > 1 else float("nan")


def spread_over_wordings(
    confidence: Floats,
    correct: Floats,
    example: Integers,
    wording: Integers,
    score: Score,
    spread: Callable[[Floats], float],
    rng: np.random.Generator,
) -> Spread:
    """Returns how much a calibration score differs between wordings, and how much of that is chance.

    The scores of several wordings differ even if the wording does not matter, the calibration error most of all. What chance gives is the
    mean spread over permutations of the wordings within each example: wordings keep their number of items, examples their items. The
    corrected spread is raw - chance, with 0 in expectation where the wording does not matter; it keeps its sign. Where the wording does
    matter, what it does is in the permutations as well, so that the corrected spread is rather too small. Reruns of a wording move
    together.

    Args:
        confidence: Confidence of each row, in [0, 1].
        correct: 1 = right, 0 = not.
        example: Code of the example of each row, from 0.
        wording: Code of its wording, from 0; a wording has one code in all examples.
        score: :func:`calibration_errors` or :func:`brier_scores`.
        spread: :func:`widest` or :func:`deviation`.
        rng: Source of the permutations.
    """
    groups = int(wording.max(initial=-1)) + 1
    # Rows by example, then wording: the cells of an example stand side by side, and a permutation hands their wordings round.
    order = np.lexsort((wording, example))
    confidence, correct, example, wording = confidence[order], correct[order], example[order], wording[order]
    is_first = np.r_[True, (np.diff(example) != 0) | (np.diff(wording) != 0)] if example.size else np.empty(0, dtype=np.bool_)
    cell = np.cumsum(is_first) - 1
    owner, label = example[is_first], wording[is_first]
    each = score(confidence, correct, wording, groups)
    raw = spread(each[~np.isnan(each)])
    if np.isnan(raw):
        return Spread(raw, raw, raw, each)
    draws = int(np.clip(_PERMUTED_ROWS // max(example.size, 1), FEWEST_DRAWS, DRAWS))
    found = []
    for _ in range(draws):
        handed = label[np.argsort(owner + rng.random(owner.size))]
        scores = score(confidence, correct, handed[cell], groups)
        found.append(spread(scores[~np.isnan(scores)]))
    chance = float(np.mean(found))
    return Spread(raw, chance, raw - chance, each)


def _mean(total: Floats, count: Integers) -> Floats:
    result: Floats = np.divide(total, count, out=np.full(total.size, np.nan), where=count > 0)
    return result
