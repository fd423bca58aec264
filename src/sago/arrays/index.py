"""The core index on plain arrays: across (B), rerun (W), unrelated (N), instability (S), with standard errors (METRICS 2).

    B_i  mean over pairs of variants of the mean distance over their rerun pairs
    W_i  mean over variants with at least two reruns of the mean distance over rerun pairs
    N    sum of w w' distance / sum of w w' over responses of different examples under different variant names, every example
         weighing 1 (METRICS 2.7); N_i the same with example i fixed
    S    = (B - W) / (N - W),  S_i = (B_i - W_i) / (N - W)

A missing mean is NaN inside this package and null with a reason outside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sago.arrays.distances import DISTANCES
from sago.arrays.grouping import Floats, Grouping, Integers, Values, grouped
from sago.arrays.intervals import Interval, mean_interval, t_interval, wilson
from sago.arrays.sampling import pairs_inside

SMALL_N = 30
"""Below this many examples a cell is flagged ``small_n``."""

FEW_VARIANTS = 5
"""Below this many variants an example a cell is flagged ``few_variants`` (METRICS 2.2)."""

_ROUNDING = 1e-12
"""A mean distance closer to 0 than this, in units of its scale, is rounding of sums and counts as 0."""


@dataclass(frozen=True)
class Rows:
    """Responses, one row each.

    Attributes:
        values: Answers as codes or texts, scalars, or vectors (rows x dimensions).
        example: Example of each row, any labels.
        variant: Variant name of each row; a template that examples share has one name. Equal names in one example are reruns.
        places: Place of each row among the values, so that some of many vectors need no copy; null = the values as they stand.
    """

    values: Values
    example: Values
    variant: Values
    places: Integers | None = None

    def grouped(self, *, fewest: int = 2) -> Grouping:
        """Returns the rows by example and variant; of examples with so many variants alone."""
        by = grouped(self.example, self.variant, fewest=fewest)
        if self.places is None:
            return by
        return replace(by, rows=self.places if by.rows is None else self.places[by.rows])


@dataclass(frozen=True)
class Floor:
    """A noise floor measured elsewhere, in the batch audit (METRICS 2.3, E63): mean distance between reruns, one an audited example."""

    values: Floats

    @property
    def mean(self) -> float:
        """W."""
        return float(self.values.mean())

    @property
    def se(self) -> float:
        """Standard error of W; 0 where a single example was audited."""
        return float(self.values.std(ddof=1) / np.sqrt(self.values.size)) if self.values.size > 1 else 0.0


@dataclass(frozen=True)
class Parts:
    """The means of each example that takes part: at least two variants with data. NaN where an example has none.

    Attributes:
        examples: Labels of the examples, sorted.
        across: B_i. rerun: W_i. unrelated: N_i. weight: sum of w w' behind N_i.
        variants: Number of variants. rows: Number of responses.
        scale: Size of the distance, for the rule on a degenerate null.
    """

    examples: Values
    across: Floats
    rerun: Floats
    unrelated: Floats
    weight: Floats
    variants: Integers
    rows: Integers
    scale: float = 1.0

    @property
    def null(self) -> float:
        """N; NaN with fewer than two examples."""
        total = float(self.weight.sum())
        return float(np.nansum(self.weight * self.unrelated) / total) if total > 0 else float("nan")


@dataclass(frozen=True)
class Index:
    """The index of one cell, or of some pairs of it (a family, a control) against the same floor and null.

    Attributes:
        parts: Means of the whole cell's examples.
        each: B_i of the pairs that the index is about, aligned with ``parts.examples``; NaN = takes no part.
        n: Number of examples that take part.
        across: B. rerun: W (NaN = not measured). unrelated: N. instability: S (NaN = see reason).
        per_example: S_i. influence: psi_i of S (METRICS 2.2); both aligned with ``parts.examples``.
        floor_influence: The same of an audit's examples; empty without an audit.
        se: Standard error of S. interval: Its 95 % interval. across_interval: That of B with its standard error.
        flags: Remarks. reason: Why S is NaN; null otherwise.
    """

    parts: Parts
    each: Floats
    n: int
    across: float
    rerun: float
    unrelated: float
    instability: float
    per_example: Floats
    influence: Floats
    floor_influence: Floats
    se: float
    interval: Interval
    across_interval: Interval
    flags: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def total(self) -> float:
        """T = B / N, rerun noise included."""
        return self.across / self.unrelated if self.unrelated else float("nan")

    @property
    def se_floor(self) -> float:
        """Part of ``se`` that comes from the floor of an audit; 0 without one, NaN where S is."""
        return float("nan") if self.reason else _se(self.floor_influence)


def parts_of(rows: Rows, distance: str, *, prepared: bool = False) -> Parts:
    """Returns B_i, W_i and N_i of every example with at least two variants.

    Args:
        rows: Responses.
        distance: Name in ``DISTANCES``.
        prepared: Whether the values went through the distance's ``prepare`` already.
    """
    kind = DISTANCES[distance]
    by = rows.grouped()
    if not by.names.size:
        none = np.empty(0)
        return Parts(by.names, none, none, none, none, np.empty(0, np.int64), np.empty(0, np.int64))
    found = kind.means(rows.values if prepared else kind.prepare(rows.values), by)
    total = float(found.weight.sum())
    scale = kind.scale if kind.scale is not None else float(np.nansum(found.weight * found.unrelated) / total) if total > 0 else 1.0
    return Parts(
        examples=by.names,
        across=_clean(found.across, scale),
        rerun=_clean(found.rerun, scale),
        unrelated=_clean(found.unrelated, scale),
        weight=found.weight,
        variants=by.variants,
        rows=np.diff(by.starts),
        scale=scale,
    )


def across_of(rows: Rows, distance: str, examples: Values, *, prepared: bool = False) -> Floats:
    """Returns B_i alone, for the pairs among these rows, aligned with ``examples``; NaN for an example without two variants in them."""
    kind = DISTANCES[distance]
    by = rows.grouped()
    if not by.names.size:
        return np.full(len(examples), np.nan)
    values = rows.values if prepared else kind.prepare(rows.values)
    return _aligned(by.names, _clean(kind.across(values, by), kind.scale or 1.0), examples)


def rerun_of(rows: Rows, distance: str, examples: Values, *, prepared: bool = False) -> Floats:
    """Returns W_i alone, aligned with ``examples``; one variant is enough. NaN for an example without a variant asked twice."""
    kind = DISTANCES[distance]
    by = rows.grouped(fewest=1)
    if by.asked_once:
        return np.full(len(examples), np.nan)
    values = rows.values if prepared else kind.prepare(rows.values)
    return _aligned(by.names, _clean(kind.means(values, by).rerun, kind.scale or 1.0), examples)


def star_of(rows: Rows, distance: str, canonical: object, examples: Values, *, prepared: bool = False) -> Floats:
    """Returns B_i over the pairs (canonical, other) alone: the change from the canonical wording (METRICS 2.5, star).

    Args:
        rows: Responses.
        distance: Name in ``DISTANCES``.
        canonical: Variant name of the canonical wording.
        examples: Labels that the result is aligned with; NaN for an example without the canonical wording or without another.
        prepared: Whether the values went through the distance's ``prepare`` already.
    """
    kind = DISTANCES[distance]
    by = rows.grouped()
    place = np.flatnonzero(by.variant_names == canonical)
    if not by.names.size or not place.size:
        return np.full(len(examples), np.nan)
    values = by.take(rows.values if prepared else kind.prepare(rows.values))
    is_canonical = by.variant == place[0]
    share, total = 1.0 / by.reruns[by.cell], np.zeros(by.names.size)
    for left, right in pairs_inside(by.example):
        one = is_canonical[left] != is_canonical[right]
        left, right = left[one], right[one]
        np.add.at(total, by.example[left], share[left] * share[right] * kind.between(values, left, right))
    there = np.bincount(by.example[is_canonical], minlength=by.names.size) > 0
    means = np.divide(total, by.variants - 1, out=np.full(by.names.size, np.nan), where=there)
    return _aligned(by.names, _clean(means, kind.scale or 1.0), examples)


def without_each(rows: Rows, distance: str, floor: Floor | None = None, *, prepared: bool = False) -> Floats:
    """Returns S without each variant name, for the jackknife over variants (METRICS 2.2); NaN where what is left has no scale.

    The scale N - W has to be at least .02 of the distance's; that it is known well enough is judged once, for the whole cell.

    Args:
        rows: Responses.
        distance: Name in ``DISTANCES``.
        floor: Noise floor from an audit; it stays, for it is no variant's own.
        prepared: Whether the values went through the distance's ``prepare`` already.
    """
    kind = DISTANCES[distance]
    values = rows.values if prepared else kind.prepare(rows.values)
    by = rows.grouped()
    if kind.without is not None and by.crossed and by.asked_once and by.variant_names.size > 2 and by.names.size > 1:
        across, unrelated = kind.without(values, by)
        used = np.zeros(across.size) if floor is None else np.full(across.size, floor.mean)
        return _scaled(across - used, unrelated - used, unrelated if kind.scale is None else kind.scale)
    found = []
    for name in np.unique(rows.variant):
        left = np.flatnonzero(np.asarray(rows.variant) != name)
        some = Rows(values, rows.example[left], rows.variant[left], left if rows.places is None else rows.places[left])
        parts = parts_of(some, distance, prepared=True)
        noise = _noise(parts.rerun, floor)[1]
        noise = 0.0 if np.isnan(noise) else noise
        found.append((parts.across.mean() - noise if parts.across.size else np.nan, parts.null - noise, parts.null))
    gap, room, null = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return _scaled(gap, room, null if kind.scale is None else kind.scale)


def _scaled(gap: Floats, room: Floats, scale: Floats | float) -> Floats:
    """Returns gap / room; NaN where there is no room (METRICS 2.3)."""
    there = np.greater_equal(room, 0.02 * np.asarray(scale)) & (room > 0)
    result: Floats = np.divide(gap, room, out=np.full(gap.size, np.nan), where=there)
    return result


def _aligned(names: Values, values: Floats, examples: Values) -> Floats:
    result = np.full(len(examples), np.nan)
    if len(examples):
        place = np.minimum(np.searchsorted(examples, names), len(examples) - 1)
        there = np.asarray(examples)[place] == names
        result[place[there]] = values[there]
    return result


def _clean(means: Floats, scale: float) -> Floats:
    result: Floats = np.where(np.abs(means) < _ROUNDING * max(scale, 1e-300), 0.0, means)
    return result


def index_of(parts: Parts, *, across: Floats | None = None, floor: Floor | None = None, rerun: Floats | None = None) -> Index:
    """Returns the index of a cell from its per-example means.

    Args:
        parts: Means of the cell's examples, from ``parts_of``.
        across: B_i of other pairs (one family, a control) in place of the cell's own, aligned with ``parts.examples``; NaN = none. W and N
            stay the cell's (METRICS 2.5).
        floor: Noise floor from an audit; takes the place of the cell's own reruns.
        rerun: W_i from elsewhere in place of the cell's own, aligned; NaN = none.
    """
    each = parts.across if across is None else across
    own = parts.rerun if rerun is None else rerun
    known = ~np.isnan(each)
    count, n = each.size, int(known.sum())
    mean, across_interval = mean_interval(each[known])
    noise, noise_mean, flags = _noise(own, floor)
    if 0 < n < SMALL_N:
        flags.append("small_n")
    if across is None and n and parts.variants.mean() < FEW_VARIANTS:
        flags.append("few_variants")
    if n > 1 and across_interval.se == 0:
        # Where nothing moved in n examples, or everything did, that is no interval of width 0, only a bound (METRICS 8, 1f).
        flags.append("no_spread")
        across_interval = _bound(mean, n, parts.scale)
    used = 0.0 if np.isnan(noise_mean) else noise_mean
    room = parts.null - used
    of_null = 2 * (parts.unrelated - (parts.unrelated.mean() if count else 0.0))
    of_noise = _influence(noise)
    reason = _reason(parts, n, room, of_null - of_noise, floor)
    nothing = np.full(count, np.nan)
    if reason:
        empty, none = np.empty(0), Interval()
        return Index(
            parts,
            each,
            n,
            mean,
            noise_mean,
            parts.null,
            np.nan,
            nothing,
            nothing,
            empty,
            np.nan,
            none,
            across_interval,
            tuple(flags),
            reason,
        )
    score = (mean - used) / room
    influence = (_influence(each) - of_noise - score * (of_null - of_noise)) / room
    from_floor = np.empty(0) if floor is None else -(1 - score) / room * (floor.values - floor.mean)
    se = float(np.hypot(_se(influence), _se(from_floor)))
    interval = t_interval(score, se, n)
    if mean == 0 and used == 0:
        interval = Interval(0.0, across_interval.upper / room, se)
    elif se == 0 and mean == parts.scale:
        interval = Interval((across_interval.lower - used) / room, score, se)
    filled = np.where(np.isnan(noise), used, noise)
    return Index(
        parts, each, n, mean, noise_mean, parts.null, score, (each - filled) / room, influence, from_floor, se, interval, across_interval,
        tuple(flags),
    )  # fmt: skip


def _bound(mean: float, n: int, scale: float) -> Interval:
    """Returns the interval of a mean over examples that all have one value: a Wilson bound at the ends of the scale, else the point."""
    if mean == 0:
        return Interval(0.0, wilson(0, n).upper * scale, 0.0)
    if mean == scale:
        return Interval(wilson(n, n).lower * scale, mean, 0.0)
    return Interval(mean, mean, 0.0)


def mean_index(layers: list[Index]) -> Index:
    """Returns the mean over layers of one cell (METRICS 4); a layer without a number is left out and flagged."""
    usable = [layer for layer in layers if layer.reason is None]
    if len(layers) == 1 or not usable:
        return layers[0]
    first = usable[0]

    def mean(values: list[Floats]) -> Floats:
        result: Floats = np.mean(values, axis=0)
        return result

    parts = first.parts
    across, rerun, unrelated = (mean([getattr(layer.parts, name) for layer in usable]) for name in ("across", "rerun", "unrelated"))
    each, influence = mean([layer.each for layer in usable]), mean([layer.influence for layer in usable])
    from_floor = mean([layer.floor_influence for layer in usable])
    score = float(np.mean([layer.instability for layer in usable]))
    se = float(np.hypot(_se(influence), _se(from_floor)))
    b_mean, b_interval = mean_interval(each[~np.isnan(each)])
    is_bound = all(layer.across == layer.instability == 0 for layer in usable)
    flags = tuple(dict.fromkeys(flag for layer in usable for flag in layer.flags if flag != "no_spread" or is_bound))
    return Index(
        parts=Parts(parts.examples, across, rerun, unrelated, parts.weight, parts.variants, parts.rows, parts.scale),
        each=each,
        n=first.n,
        across=b_mean,
        rerun=float(np.mean([layer.rerun for layer in usable])),
        unrelated=float(np.mean([layer.unrelated for layer in usable])),
        instability=score,
        per_example=mean([layer.per_example for layer in usable]),
        influence=influence,
        floor_influence=from_floor,
        se=se,
        interval=first.interval if is_bound else t_interval(score, se, first.n),
        across_interval=first.across_interval if is_bound else b_interval,
        flags=(*flags, "layers_left_out") if len(usable) < len(layers) else flags,
    )


def _noise(own: Floats, floor: Floor | None) -> tuple[Floats, float, list[str]]:
    """Returns W_i (NaN = takes the mean), W as reported (NaN = not measured), and where it comes from."""
    if floor is not None:
        return np.full(own.size, floor.mean), floor.mean, ["noise_floor=audit"]
    measured = ~np.isnan(own)
    if not measured.any():
        return np.zeros(own.size), float("nan"), ["noise_floor=assumed_zero"] if own.size else []
    return own, float(own[measured].mean()), [] if measured.all() else ["noise_floor=pooled"]


def _influence(values: Floats) -> Floats:
    """Returns what each example adds to the error of the mean over those that have a value; 0 for those that have none."""
    known = ~np.isnan(values)
    if not known.any():
        return np.zeros(values.size)
    share = known.size / known.sum()
    result: Floats = np.where(known, (values - values[known].mean()) * share, 0.0)
    return result


def _se(influence: Floats) -> float:
    count = influence.size
    return float(np.sqrt(np.sum(influence**2) / (count * (count - 1)))) if count > 1 else 0.0


def _reason(parts: Parts, n: int, room: float, of_room: Floats, floor: Floor | None) -> str | None:
    if n == 0:
        return "too_few_variants"
    if n < 2 or np.isnan(room):
        return "too_few_examples"
    se = np.hypot(_se(of_room), 0.0 if floor is None else floor.se)
    smallest = max(0.02 * parts.scale, 3 * float(se))
    return "degenerate_null" if room <= 0 or room < smallest else None
