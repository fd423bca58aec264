"""Axes that are a feature and a distance: one machinery makes their scores, profiles and controls (METRICS 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sago import schemas
from sago.arrays import Floor, Index, Interval, Parts, index_of, parts_of, permutation_p, t_interval
from sago.arrays.distances import Floats
from sago.axes.cells import Cell, Labels, Layer, Mask
from sago.axes.controls import control_rows
from sago.axes.protocol import Scored
from sago.records import CANONICAL
from sago.seeds import generator

LARGE = 20_000
"""Above this many examples the permutation test is left to the normal approximation of the same statistic (METRICS 8, 1a)."""


def score_cells(cells: list[Cell], seed: int) -> Scored:
    """Returns scores, profiles and controls of cells."""
    scores: list[dict[str, Any]] = []
    profiles: list[dict[str, Any]] = []
    controls: list[dict[str, Any]] = []
    for cell in cells:
        if cell.reason is not None:
            profiles.append({**_head(cell), **_no_numbers(cell), "reason": cell.reason})
            continue
        measured = Measured(cell)
        profiles += _profile_rows(cell, measured, seed)
        scores += _score_rows(cell, measured)
        if cell.default:
            controls += control_rows(cell, measured, seed)
    return Scored(schemas.frame("scores", scores), schemas.frame("profiles", profiles), schemas.frame("controls", controls))


class Measured:
    """The index of a cell: of every layer, and their mean.

    Args:
        cell: The cell.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.floors = tuple(_floor(cell, layer) for layer in cell.layers)
        self.parts = tuple(parts_of(layer.rows(cell.labels, cell.labels.main), cell.distance) for layer in cell.layers)
        self.layers = tuple(index_of(parts, floor=floor) for parts, floor in zip(self.parts, self.floors, strict=True))
        self.mean = mean_index(self.layers)

    def of_rows(self, chosen: Mask, *, own_reruns: bool = False, layers: tuple[Layer, ...] | None = None) -> Index:
        """Returns the index of some rows against the whole cell's null and, unless ``own_reruns``, its noise floor.

        Args:
            chosen: Rows to take.
            own_reruns: Take the noise floor from the chosen rows themselves (the identity control).
            layers: Other values for the same rows (the shuffled control).
        """
        found = []
        for layer, whole, floor in zip(layers or self.cell.layers, self.parts, self.floors, strict=True):
            parts = _among(parts_of(layer.rows(self.cell.labels, chosen), self.cell.distance), whole)
            rerun = None if own_reruns else _of_examples(whole, parts)
            found.append(index_of(parts, unrelated=whole, floor=floor, rerun=rerun))
        return mean_index(tuple(found))


def mean_index(layers: tuple[Index, ...]) -> Index:
    """Returns the mean over layers (METRICS 4); layers without a number are left out and flagged."""
    if len(layers) == 1:
        return layers[0]
    usable = [layer for layer in layers if layer.reason is None]
    if not usable:
        return layers[0]
    first = usable[0]
    flags = list(first.flags) + (["layers_left_out"] if len(usable) < len(layers) else [])
    count = first.parts.examples.size
    score = float(np.mean([layer.instability for layer in usable]))
    influence = np.mean([layer.influence for layer in usable], axis=0)
    sampling = float(np.sqrt(np.sum(influence**2) / (count * (count - 1))))
    # The audit's own error is shared by the layers: it is averaged, not shrunk.
    from_floor = float(np.mean([np.sqrt(max(layer.se**2 - _sampling(layer) ** 2, 0.0)) for layer in usable]))
    se = float(np.hypot(sampling, from_floor))
    across = np.mean([layer.parts.across for layer in usable], axis=0)
    across_mean = float(across.mean())
    parts = Parts(
        first.parts.examples, across, _mean_of(usable, "rerun"), _mean_of(usable, "unrelated"), first.parts.variants, first.parts.rows
    )
    return Index(
        parts=parts,
        across=across_mean,
        rerun=float(np.mean([layer.rerun for layer in usable])),
        unrelated=float(np.mean([layer.unrelated for layer in usable])),
        instability=score,
        per_example=np.mean([layer.per_example for layer in usable], axis=0),
        influence=influence,
        se=se,
        interval=t_interval(score, se, count),
        across_interval=t_interval(across_mean, float(across.std(ddof=1) / np.sqrt(count)), count),
        flags=tuple(flags),
    )


def _sampling(layer: Index) -> float:
    count = layer.parts.examples.size
    return float(np.sqrt(np.sum(layer.influence**2) / (count * (count - 1))))


def _mean_of(layers: list[Index], name: str) -> Floats:
    result: Floats = np.mean([getattr(layer.parts, name) for layer in layers], axis=0)
    return result


def _floor(cell: Cell, layer: Layer) -> Floor | None:
    labels = cell.labels
    if not labels.audit.any():
        return None
    with_audit = np.isin(labels.example, labels.example[labels.audit])
    chosen = labels.repeated & with_audit
    # The audit has one variant an example, so its mean over rerun pairs is what parts_of calls W; it needs no second variant.
    means = _rerun_means(layer, labels, chosen, cell.distance)
    if means.size < 2:
        return None
    return Floor(float(means.mean()), float(means.std(ddof=1) / np.sqrt(means.size)))


def _rerun_means(layer: Layer, labels: Labels, chosen: Mask, distance: str) -> Floats:
    from sago.arrays import DISTANCES

    kind = DISTANCES[distance]
    group = np.unique(labels.example[chosen], return_inverse=True)[1].reshape(-1).astype(np.int64)
    sums = np.bincount(group, kind.sum_to_group(kind.prepare(layer.values[chosen]), np.ones(group.size), group))
    count = np.bincount(group)
    result: Floats = sums[count >= 2] / (count[count >= 2] * (count[count >= 2] - 1))
    return result


def _among(parts: Parts, whole: Parts) -> Parts:
    """Keeps the examples that take part in the whole cell too."""
    keep = np.isin(parts.examples, whole.examples)
    if keep.all():
        return parts
    return Parts(*(getattr(parts, name)[keep] for name in ("examples", "across", "rerun", "unrelated", "variants", "rows")))


def _of_examples(whole: Parts, parts: Parts) -> Floats:
    result: Floats = whole.rerun[np.searchsorted(whole.examples, parts.examples)] if parts.examples.size else np.empty(0)
    return result


def _head(cell: Cell) -> dict[str, Any]:
    return {name: getattr(cell, name) for name in ("model", "dataset", "axis", "measure", "decoding")}


def _no_numbers(cell: Cell) -> dict[str, Any]:
    return {"default": cell.default, "n": 0, "n_left_out": cell.asked, "flags": list(cell.flags)}


def number(value: float) -> float | None:
    """Returns a number for a table: NaN becomes null."""
    return None if np.isnan(value) else float(value)


def profile_numbers(index: Index) -> dict[str, Any]:
    """Returns the numeric columns of a profile row."""
    bracket: Interval = index.across_interval
    return {
        "n": int(index.parts.examples.size),
        "n_variants": number(float(index.parts.variants.mean())) if index.parts.variants.size else None,
        "n_reruns": number(float((index.parts.rows / index.parts.variants).mean())) if index.parts.variants.size else None,
        "across": number(index.across),
        "across_se": number(bracket.se),
        "across_lower": number(bracket.lower),
        "across_upper": number(bracket.upper),
        "rerun": number(index.rerun),
        "unrelated": number(index.unrelated),
        "instability": number(index.instability),
        "se": number(index.se),
        "lower": number(index.interval.lower),
        "upper": number(index.interval.upper),
        "reason": index.reason,
    }


def _profile_rows(cell: Cell, measured: Measured, seed: int) -> list[dict[str, Any]]:
    def row(index: Index, **extra: Any) -> dict[str, Any]:
        numbers = profile_numbers(index)
        flags = [*index.flags, *cell.flags]
        return {**_head(cell), "default": False, **numbers, "n_left_out": max(cell.asked - numbers["n"], 0), "flags": flags, **extra}

    rows = [row(measured.mean, default=cell.default, rerun_p=_rerun_p(cell, measured, seed))]
    if cell.layers[0].number is not None:
        rows += [row(index, layer=layer.number) for index, layer in zip(measured.layers, cell.layers, strict=True)]
    if cell.default:
        families = sorted({str(name) for name in cell.labels.family[cell.labels.main]} - {CANONICAL})
        rows += [row(measured.of_rows(cell.labels.of_family(family)), family=family) for family in families]
    return rows


def _rerun_p(cell: Cell, measured: Measured, seed: int) -> float | None:
    index = measured.mean
    if np.isnan(index.parts.rerun).all() or len(cell.layers) > 1:
        return None
    if index.parts.examples.size > LARGE:
        gap = (index.parts.across - index.parts.rerun)[~np.isnan(index.parts.rerun)]
        from scipy import stats

        return float(stats.norm.sf(gap.mean() / (gap.std(ddof=1) / np.sqrt(gap.size))))
    rng = generator(seed, "rerun_floor", *_head(cell).values())
    return number(permutation_p(cell.layers[0].rows(cell.labels, cell.labels.main), cell.distance, rng))


def _score_rows(cell: Cell, measured: Measured) -> list[dict[str, Any]]:
    index, parts = measured.mean, measured.mean.parts
    known = {str(name): place for place, name in enumerate(parts.examples)}
    rows = []
    for example in np.unique(cell.labels.example):
        place = known.get(str(example))
        if place is None:
            mine = cell.labels.main & (cell.labels.example == example)
            counts = {"n_variants": int(np.unique(cell.labels.variant[mine]).size), "n_observations": int(mine.sum())}
            rows.append({**_head(cell), "example": str(example), **counts, "reason": "too_few_variants"})
            continue
        rows.append(
            {
                **_head(cell),
                "example": str(example),
                "across": number(parts.across[place]),
                "rerun": number(parts.rerun[place]),
                "unrelated": number(parts.unrelated[place]),
                "instability": number(index.per_example[place]),
                "n_variants": int(parts.variants[place]),
                "n_observations": int(parts.rows[place]),
                "reason": index.reason,
            }
        )
    return rows
