"""The core index on plain arrays: across (B), rerun (W), unrelated (N), instability (S), with standard errors (METRICS 2).

    B_i  mean over pairs of variants of the mean distance over their rerun pairs
    W_i  mean over variants with at least two reruns of the mean distance over rerun pairs
    N_i  mean distance to responses of other examples under other variant names, every example weighing 1 (METRICS 2.7)
    S    = (B - W) / (N - W),  S_i = (B_i - W_i) / (N - W)

A missing mean is NaN inside this module and null with a reason outside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sago.arrays.distances import DISTANCES, Distance, Floats, Integers
from sago.arrays.intervals import Interval, mean_interval, t_interval

SMALL_N = 30
"""Below this many examples a cell is flagged ``small_n``."""


@dataclass(frozen=True)
class Rows:
    """Responses, one row each.

    Attributes:
        values: Answers as codes or texts, scalars, or vectors (rows x dimensions).
        example: Example of each row, any labels.
        variant: Variant name of each row; a template that examples share has one name.
    """

    values: NDArray[np.generic]
    example: NDArray[np.generic]
    variant: NDArray[np.generic]


@dataclass(frozen=True)
class Floor:
    """A noise floor measured elsewhere, in the batch audit (METRICS 2.3, E63).

    Attributes:
        mean: W, mean distance between reruns of one prompt.
        se: Its standard error.
    """

    mean: float
    se: float


@dataclass(frozen=True)
class Parts:
    """The per-example means behind an index; NaN where an example has none."""

    examples: NDArray[np.generic]
    across: Floats
    rerun: Floats
    unrelated: Floats
    variants: Integers
    rows: Integers


@dataclass(frozen=True)
class Index:
    """The index of one cell.

    Attributes:
        parts: Per-example means, only of examples that take part.
        across: B. rerun: W (NaN = not measured). unrelated: N. instability: S (NaN = see reason).
        per_example: S_i, aligned with ``parts.examples``.
        influence: psi_i of S (METRICS 2.2); differences of two models on shared examples subtract these.
        se: Standard error of S. interval: Its 95 % interval. across_interval: That of B with its standard error.
        flags: Remarks. reason: Why S is NaN; null otherwise.
    """

    parts: Parts
    across: float
    rerun: float
    unrelated: float
    instability: float
    per_example: Floats
    influence: Floats
    se: float
    interval: Interval
    across_interval: Interval
    flags: tuple[str, ...] = field(default=())
    reason: str | None = None


def parts_of(rows: Rows, distance: str) -> Parts:
    """Returns B_i, W_i and N_i of every example with at least two variants.

    Args:
        rows: Responses; equal variant names of one example are reruns.
        distance: Name in ``DISTANCES``.
    """
    names, example = np.unique(rows.example, return_inverse=True)
    example = example.reshape(-1)
    variant = np.unique(rows.variant, return_inverse=True)[1].reshape(-1)
    cell = example * (int(variant.max(initial=0)) + 1) + variant
    _, first, cell = np.unique(cell, return_index=True, return_inverse=True)
    variants_of = np.bincount(example[first], minlength=names.size)
    keep = variants_of[example] >= 2
    if not keep.all():
        return parts_of(Rows(rows.values[keep], rows.example[keep], rows.variant[keep]), distance)
    if not names.size:
        nothing = np.empty(0)
        return Parts(names, nothing, nothing, nothing, np.empty(0, np.int64), np.empty(0, np.int64))
    kind = DISTANCES[distance]
    values = kind.prepare(rows.values)
    cell = cell.reshape(-1)
    reruns = np.bincount(cell)
    share = 1.0 / reruns[cell]
    count = names.size
    return Parts(
        examples=names,
        across=_across(kind, values, share, example, cell, variants_of),
        rerun=_rerun(kind, values, example, cell, first, reruns, count),
        unrelated=_unrelated(kind, values, share / variants_of[example], example, variant, cell),
        variants=variants_of.astype(np.int64),
        rows=np.bincount(example, minlength=count).astype(np.int64),
    )


def _across(kind: Distance, values: NDArray[np.generic], share: Floats, example: Integers, cell: Integers, variants: Integers) -> Floats:
    to_others = kind.sum_to_group(values, share, example) - kind.sum_to_group(values, share, cell)
    return np.bincount(example, share * to_others, minlength=variants.size) / (variants * (variants - 1))


def _rerun(
    kind: Distance, values: NDArray[np.generic], example: Integers, cell: Integers, first: Integers, reruns: Integers, count: int
) -> Floats:
    sums = np.bincount(cell, kind.sum_to_group(values, np.ones(cell.size), cell))
    repeated = reruns >= 2
    means = sums[repeated] / (reruns[repeated] * (reruns[repeated] - 1))
    owner = example[first][repeated]
    measured = np.bincount(owner, minlength=count)
    total = np.bincount(owner, means, minlength=count)
    result: Floats = np.divide(total, measured, out=np.full(count, np.nan), where=measured > 0)
    return result


def _unrelated(kind: Distance, values: NDArray[np.generic], weight: Floats, example: Integers, variant: Integers, cell: Integers) -> Floats:
    """All pairs, less those under the same variant name, less those of the own example, plus those that were taken away twice."""
    everything = np.zeros_like(example)
    groups = ((everything, 1.0), (variant, -1.0), (example, -1.0), (cell, 1.0))
    distance = sum(sign * kind.sum_to_group(values, weight, group) for group, sign in groups)
    pairs = sum(sign * np.bincount(group, weight)[group] for group, sign in groups)
    count = int(example.max()) + 1
    weights = np.bincount(example, weight * pairs, minlength=count)
    sums = np.bincount(example, weight * distance, minlength=count)
    result: Floats = np.divide(sums, weights, out=np.full(count, np.nan), where=weights > 1e-12)
    return result


def index_of(parts: Parts, *, unrelated: Parts | None = None, floor: Floor | None = None, rerun: Floats | None = None) -> Index:
    """Returns the index of a cell from its per-example means.

    Args:
        parts: Means of the examples, as from ``parts_of``.
        unrelated: Where N comes from when these parts are of a part of the variants only (one family, a control): the whole cell's.
        floor: Noise floor from an audit; takes the place of the rows' own reruns.
        rerun: W_i of each example from elsewhere (a family takes the whole cell's); NaN = none.
    """
    count = parts.examples.size
    own = parts.rerun if rerun is None else rerun
    null = parts.unrelated if unrelated is None else _matched(parts, unrelated)
    null_mean = _mean(null if unrelated is None else unrelated.unrelated)
    across_mean, across_interval = mean_interval(parts.across)
    flags = ["small_n"] if 0 < count < SMALL_N else []
    noise, noise_mean = _noise(own, floor, flags)
    used = 0.0 if np.isnan(noise_mean) else noise_mean
    room = null_mean - used
    reason = _reason(count, room, null, noise, used)
    if reason:
        missing = np.full(count, np.nan)
        return Index(
            parts, across_mean, noise_mean, null_mean, np.nan, missing, missing, np.nan, Interval(), across_interval, tuple(flags), reason
        )
    score = (across_mean - used) / room
    per_example = (parts.across - noise) / room
    centred = noise - used
    influence = ((parts.across - across_mean) - centred - score * (2 * (null - _mean(null)) - centred)) / room
    se = float(np.sqrt(np.sum(influence**2) / (count * (count - 1))))
    if floor is not None:
        se = float(np.hypot(se, (1 - score) / room * floor.se))
    interval = t_interval(score, se, count)
    return Index(
        parts, across_mean, noise_mean, null_mean, score, per_example, influence, se, interval, across_interval, tuple(flags), None
    )


def _noise(own: Floats, floor: Floor | None, flags: list[str]) -> tuple[Floats, float]:
    """Returns W_i as used for each example, and W as reported (NaN = not measured)."""
    if floor is not None:
        flags.append("noise_floor=audit")
        return np.full(own.size, floor.mean), floor.mean
    measured = ~np.isnan(own)
    if not measured.any():
        flags.append("noise_floor=assumed_zero")
        return np.zeros(own.size), np.nan
    mean = float(own[measured].mean())
    if not measured.all():
        flags.append("noise_floor=pooled")
    return np.where(measured, own, mean), mean


def _reason(count: int, room: float, null: Floats, noise: Floats, used: float) -> str | None:
    if count == 0:
        return "too_few_variants"
    if count < 2 or np.isnan(room) or np.isnan(null).any():
        return "too_few_examples"
    spread = 2 * (null - _mean(null)) - (noise - used)
    standard_error = float(np.std(spread, ddof=1) / np.sqrt(count))
    return "degenerate_null" if room < max(0.02, 3 * standard_error) else None


def _matched(parts: Parts, whole: Parts) -> Floats:
    place = np.searchsorted(whole.examples, parts.examples)
    return (
        whole.unrelated[np.minimum(place, max(whole.examples.size - 1, 0))] if whole.examples.size else np.full(parts.examples.size, np.nan)
    )


def _mean(values: Floats) -> float:
    finite = values[~np.isnan(values)]
    return float(finite.mean()) if finite.size else float("nan")
