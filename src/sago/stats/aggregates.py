"""From a profile (one instability an axis) to one number or to an order of models (METRICS 7 and 10).

Everything here stands beside the profile, never in its place. Profiles are arrays of S by axis: 0 = stable, 1 = as different as answers to
unrelated questions, unclipped, NaN = the axis was not observed. Models are compared only on axes that all of them have.
"""

from __future__ import annotations

import numpy as np

from sago.arrays.grouping import Floats, Integers, Values
from sago.errors import InputError
from sago.stats.limits import at_least, dimensions, not_negative, same_shape

_DRAWS = 20_000
_DRAWN_AT_ONCE = 2_000_000


def worst_axis(scores: Floats) -> float:
    """Returns the largest instability over observed axes: max_a S_a (METRICS 7; E34).

    Unit and range are those of S; 0 = stable on every axis. Noise biases it upwards; for a claim ("at least this unstable on some axis")
    give the simultaneous lower bounds of the axes instead of their estimates. NaN where no axis was observed.

    >>> worst_axis(np.array([0.25, 0.10, 0.05, 0.40]))
    0.4
    """
    observed = scores[~np.isnan(scores)]
    return float(observed.max()) if observed.size else float("nan")


def weighted_mean(scores: Floats, weights: Floats | None = None) -> float:
    """Returns SAGO_w = sum w_a S_a / sum w_a over observed axes (METRICS 7; E34).

    Unit and range are those of S; 0 = stable. NaN where no axis of positive weight was observed. Compare models only on common axes.

    Args:
        scores: S by axis; NaN = not observed.
        weights: Weight by axis, 0 or more; equal when not given. Print them beside the number.

    >>> round(weighted_mean(np.array([0.25, 0.10, np.nan, 0.40])), 6)
    0.25
    """
    given = np.ones_like(scores) if weights is None else weights
    same_shape(scores, given, where="weighted_mean")
    not_negative(given, name="weights", where="weighted_mean")
    counted = ~np.isnan(scores) & (given > 0)
    return float(np.average(scores[counted], weights=given[counted])) if counted.any() else float("nan")


def power_mean(scores: Floats, power: float = 2.0) -> float:
    """Returns (mean S_a^p)^(1/p) over observed axes: between the mean (p = 1) and the worst axis (p large) (METRICS 7; E34).

    Unit and range are those of S; 0 = stable on every axis. S below 0 is noise around 0 and has no power mean of its own, so it counts as
    0 here, and here alone. NaN where no axis was observed.

    >>> round(power_mean(np.array([0.25, 0.10, 0.05, 0.40])), 6)
    0.242384
    """
    at_least(power, 1, name="power", where="power_mean")
    observed = np.maximum(scores[~np.isnan(scores)], 0.0)
    return float(np.mean(observed**power) ** (1 / power)) if observed.size else float("nan")


def dominates(first: Floats, second: Floats) -> bool:
    """Returns whether the first profile is nowhere less stable than the second and more stable on at least one axis (METRICS 7).

    S_a(first) <= S_a(second) on every axis that both have, and < on one. False where they share no axis, and for equal profiles.
    """
    return bool(_dominates(first, second).all())


def dominance_share(first: Floats, second: Floats) -> float:
    """Returns the share of joint bootstrap draws (draws x axes) in which the first model dominates the second, in [0, 1] (METRICS 7).

    1 = in every draw. Say "dominates" from .95 on. NaN without draws.
    """
    dimensions(first, (2,), what="draws x axes", where="dominance_share")
    return float(np.mean(_dominates(first, second))) if len(first) else float("nan")


def _dominates(first: Floats, second: Floats) -> Values:
    same_shape(first, second, where="dominates")
    missing = np.isnan(first) | np.isnan(second)
    # A comparison with NaN is false, which is right for "<"; "<=" has to pass over it.
    return np.asarray(((first <= second) | missing).all(axis=-1) & (first < second).any(axis=-1))


def acceptability(profiles: Floats, rng: np.random.Generator, *, draws: int = _DRAWS) -> Floats:
    """Returns, for each model, the share of weightings of the axes under which its weighted mean is the smallest (METRICS 7; E36).

    Stochastic multicriteria acceptability analysis (Lahdelma & Salminen 2001): weights are uniform on the simplex, Dirichlet(1, .., 1).
    Range [0, 1], 1 = most stable under every weighting; the shares sum to 1, models with equal profiles divide theirs. Exact for one and
    two axes, else from ``draws`` weightings (standard error at most .5 / sqrt(draws)). Axes that a model lacks are left out for all; all
    NaN where no axis is common.

    Args:
        profiles: S by model and axis (models x axes).
        rng: Generator seeded from content; not used where the share is exact.
        draws: Number of weightings.

    >>> acceptability(np.array([[0.2, 0.4], [0.3, 0.2]]), np.random.default_rng(0)).round(6).tolist()
    [0.333333, 0.666667]
    """
    dimensions(profiles, (2,), what="models x axes", where="acceptability")
    at_least(draws, 1, name="draws", where="acceptability")
    common = profiles[:, ~np.isnan(profiles).any(axis=0)]
    if not common.size:
        return np.full(len(profiles), np.nan)
    different, owner, count = np.unique(common, axis=0, return_inverse=True, return_counts=True)
    shares = _first_of_lines(different) if different.shape[1] <= 2 else _first_of_draws(different, rng, draws)
    result: Floats = (shares / count)[owner.reshape(-1)]
    return result


def _first_of_lines(profiles: Floats) -> Floats:
    """Walks along the lower envelope of the lines w S_1 + (1 - w) S_2 from w = 0 to w = 1."""
    start, slope = profiles[:, -1], profiles[:, 0] - profiles[:, -1]
    shares, weight, best = np.zeros(len(profiles)), 0.0, int(np.lexsort((slope, start))[0])
    while weight < 1:
        flatter = np.flatnonzero(slope < slope[best])
        cross = (start[flatter] - start[best]) / (slope[best] - slope[flatter])
        upto = min(1.0, float(cross.min(initial=1.0)))
        shares[best] += upto - weight
        if upto < 1:
            best = int(flatter[np.lexsort((slope[flatter], cross))[0]])
        weight = upto
    return shares


def _first_of_draws(profiles: Floats, rng: np.random.Generator, draws: int) -> Floats:
    wins: Integers = np.zeros(len(profiles), dtype=np.int64)
    step = max(1, _DRAWN_AT_ONCE // profiles.size)
    for begin in range(0, draws, step):
        weights = rng.dirichlet(np.ones(profiles.shape[1]), min(step, draws - begin))
        wins += np.bincount(np.argmin(weights @ profiles.T, axis=1), minlength=len(profiles))
    return wins / draws


def residual_bound(instability: float, share: float) -> float:
    """Returns the smallest instability of truly equivalent variants: (S - q) / (1 - q) (METRICS 10; E15).

    If at most a share q of variant pairs does not mean the same, and those are at most as different as answers to unrelated questions,
    S <= q + (1 - q) S_true. Unit that of S; 0 or less = everything could come from variants that are not equivalent. NaN stays NaN.

    Args:
        instability: S.
        share: Upper bound of the share of variant pairs that are not equivalent, in [0, 1).

    >>> round(residual_bound(0.20, 0.05), 6)
    0.157895
    """
    if not 0 <= share < 1:
        raise InputError(f"the share of pairs that are not equivalent is {share:g}", where="residual_bound", fix="Give 0 or more, below 1")
    return (instability - share) / (1 - share)
