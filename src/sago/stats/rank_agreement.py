"""Do two data sets order models as alike as one data set does twice? (METRICS 8, 3d)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats

DRAWS = 1000
SPLITS = 16
_ROUNDING = 1e-12
_VALUES_AT_ONCE = 4_000_000


class Orders(NamedTuple):
    """Orders of every two models on resamples of one data set, the first row being the data as they are.

    Attributes:
        whole: Sign of the difference on all examples, -1, 0 or 1 (draws + 1, pairs).
        half: Mean sign over random halves, in [-1, 1].
        agreement: Mean product of the signs on the two halves of one split, in [-1, 1].
    """

    whole: Floats
    half: Floats
    agreement: Floats


def orders(means: Floats, sums: Floats, counts: Floats, rng: np.random.Generator, *, draws: int = DRAWS, splits: int = SPLITS) -> Orders:
    """Returns how two models stand on resamples of the examples, and on random halves of each.

    Copies of one example stay in one half, so that the halves of a resample share nothing. The data as they are get as many splits as
    are needed for a mean without noise of its own.

    Args:
        means: Score of each model.
        sums: What each group of examples adds to the sum of deviations of each model (groups x models).
        counts: Examples in each group.
        rng: Generator seeded from content.
        draws: Number of resamples.
        splits: Random halves of each resample.
    """
    groups, models = sums.shape
    one, two = np.triu_indices(models, 1)
    table = np.column_stack([sums[:, one] - sums[:, two], counts])
    apart = means[one] - means[two]
    parts = [_of(apart, table, np.ones((1, groups)), rng, 400)]
    step = max(1, _VALUES_AT_ONCE // (splits * max(groups, table.shape[1])))
    for begin in range(0, draws, step):
        size = min(step, draws - begin)
        chosen = rng.integers(0, groups, (size, groups)) + groups * np.arange(size)[:, None]
        weights = np.bincount(chosen.reshape(-1), minlength=size * groups).reshape(size, groups).astype(np.float64)
        parts.append(_of(apart, table, weights, rng, splits))
    return Orders(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _of(apart: Floats, table: Floats, weights: Floats, rng: np.random.Generator, splits: int) -> tuple[Floats, Floats, Floats]:
    size, groups = weights.shape
    # Groups are coupled at random; of each couple one goes to either half, so halves are equally large.
    table = rng.permutation(table)
    coin = rng.integers(0, 2, (size, splits, -(-groups // 2)), dtype=np.int8) * 2 - 1
    sides = np.stack([coin, -coin], axis=-1).reshape(size, splits, -1)[:, :, :groups]
    total = weights @ table
    difference = ((sides * weights[:, None, :]).reshape(size * splits, groups) @ table).reshape(size, splits, -1)
    signs = [_signs(apart, (total[:, None, :] + sign * difference) / 2) for sign in (1, -1)]
    return _signs(apart, total), (signs[0] + signs[1]).mean(axis=1) / 2, (signs[0] * signs[1]).mean(axis=1)


def _signs(apart: Floats, sums: Floats) -> Floats:
    found = apart + sums[..., :-1] / np.maximum(sums[..., -1:], 1.0)
    result: Floats = np.sign(np.where(np.abs(found) < _ROUNDING, 0.0, found))
    return result


class Agreement(NamedTuple):
    """How alike two data sets order models, each number with its 95 % interval.

    Attributes:
        tau: Kendall's tau-b of the two data sets, in [-1, 1]. tau_lower, tau_upper: Its interval.
        ceiling: Agreement of halves of one data set, in [-1, 1]: what equal orders would reach.
        across: Agreement of a half of the one with a half of the other.
        gap: Ceiling less across; above 0 = the orders differ. lower, upper: Its interval.
        p: Two-sided p of "no gap", from the resamples.
    """

    tau: float
    tau_lower: float
    tau_upper: float
    ceiling: float
    across: float
    gap: float
    lower: float
    upper: float
    p: float


def agreement(first: Orders, second: Orders) -> Agreement:
    """Returns tau-b of two data sets, and how far their agreement in halves falls short of what equal orders would reach (METRICS 8, 3d).

    Agreement is (concordant - discordant) / pairs, halves of n / 2 in both comparisons. Let e be the mean sign of a pair's difference on a
    half: halves of one data set agree by e_d^2, of two by e_d e_e. Where the order is the same, e_d and e_e have one sign, so
    e_d e_e >= min(e_d^2, e_e^2): the ceiling of a pair is the lower of the two agreements. (The mean of the two, or of all pairs, is
    above e_d e_e as soon as models lie closer together on one data set, though their order is the same.) NaN where no pair differs.
    """
    lower = np.where(first.agreement[1:].mean(axis=0) <= second.agreement[1:].mean(axis=0), first.agreement, second.agreement)
    across = (first.half * second.half).mean(axis=1)
    ceiling = lower.mean(axis=1)
    gap = ceiling - across
    low, high = np.quantile(gap[1:], [0.025, 0.975])
    p = min(1.0, 2 * float(1 + min(np.sum(gap[1:] <= 0), np.sum(gap[1:] >= 0))) / gap.size)
    tau = _tau_b(first.whole, second.whole)
    known = tau[1:][~np.isnan(tau[1:])]
    tau_low, tau_high = np.quantile(known, [0.025, 0.975]) if known.size else (np.nan, np.nan)
    numbers = np.array([tau[0], tau_low, tau_high, ceiling[0], across[0], gap[0], low, high, p])
    return Agreement(*numbers.tolist())


def _tau_b(first: Floats, second: Floats) -> Floats:
    apart = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    result: Floats = np.divide((first * second).sum(axis=1), apart, out=np.full(len(first), np.nan), where=apart > 0)
    return result
