"""The numbers of one cell: its index, that of its layers, of its families and of its controls, against one floor and one null."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from sago.arrays import (
    DISTANCES,
    Floor,
    Index,
    Parts,
    Rows,
    across_of,
    index_of,
    jackknife_se,
    mean_index,
    parts_of,
    rerun_floor_test,
    rerun_of,
    star_of,
    without_each,
)
from sago.arrays.grouping import Floats, Grouping, Integers, Values, grouped
from sago.arrays.halving import Inside, inside_of
from sago.arrays.intervals import upper_tail
from sago.axes.cells import Cell, Labels, Mask
from sago.records import CANONICAL
from sago.seeds import generator

SHUFFLES = 10
"""Draws of the shuffled control that are averaged; fewer where the values are many."""

_SHUFFLED_VALUES = 10_000_000
_LARGE = {1: 1_000_000, 2: 100_000}
"""Array dimensions -> rows above which the permutation test is left to the normal approximation of its statistic (METRICS 8, 1a)."""
_MANY = 32
"""Responses of one example above which that number is reached with fewer rows: their pairs are what takes time, except for answers."""

CHANGED = "meaning-changed"
IDENTITY = "identity"
SHUFFLED = "shuffled"
STAR = "star"

MOST_NAMES = 32
"""Most wording names that are left out one by one; with more of them their own spread is part of the examples' already."""
_LEFT_OUT_VALUES = 1_000_000_000
"""Numbers that all leave-one-out computations of a layer together may look at."""


@dataclass
class _Layer:
    """What one layer gives; the arrays of pairs are aligned with ``parts.examples``."""

    parts: Parts
    floor: Floor | None
    audit: Floats
    across: dict[str, Floats] = field(default_factory=dict)
    identity_rerun: Floats = field(default_factory=lambda: np.empty(0))
    left_out: Floats = field(default_factory=lambda: np.empty(0))
    """Instability without one wording name each; empty where they were not left out."""

    def index(self, kind: str | None = None) -> Index:
        if kind is None:
            return index_of(self.parts, floor=self.floor)
        rerun = self.identity_rerun if kind == IDENTITY and self.floor is None else None
        return index_of(self.parts, across=self.across[kind], floor=self.floor, rerun=rerun)


class Measured:
    """The index of a cell: of every layer and their mean, of families and controls.

    Args:
        cell: The cell; it has values.
        seed: Study seed, for permutations.
    """

    def __init__(self, cell: Cell, seed: int) -> None:
        self.cell = cell
        self._seed = seed
        self.rerun_p: float | None = None
        self.example_p: Floats | None = None
        """Permutation p of each example, aligned with ``whole.parts.examples``; NaN = without reruns, or not made."""
        self.flags: tuple[str, ...] = ()
        self.inside: Inside | None = None
        """Distances inside the examples of a default cell, means over the layers that have a number; null where none has."""
        found = [self._layer(layer.load()) for layer in cell.layers]
        self.layers = [layer.index() for layer in found]
        if self.inside is not None and len(cell.layers) > 1:
            usable = sum(index.reason is None for index in self.layers)
            self.inside = replace(self.inside, pairs=self.inside.pairs / usable, reruns=self.inside.reruns / usable)
        self.whole = mean_index(self.layers)
        self.families = {name: self._mean(found, name) for name in self._family_names()}
        self.controls = {name: self._mean(found, name) for name in (IDENTITY, SHUFFLED, CHANGED) if cell.default}
        self.star = self._mean(found, STAR) if cell.default else None
        self.without = self._without(found)
        """Instability without one wording name each, mean over layers; empty where they were not left out."""
        self.se_wordings = jackknife_se(self.without) if self.without.size else float("nan")
        if self.example_p is None:
            self.example_p = np.full(self.whole.parts.examples.size, np.nan)
        self.audit = np.mean([layer.audit for layer in found], axis=0)
        """W_i of audited examples, aligned with ``whole.parts.examples``; NaN = not audited."""

    def _family_names(self) -> list[str]:
        labels = self.cell.labels
        if not self.cell.default:
            return []
        return sorted({labels.families[place] for place in np.unique(labels.family[labels.main])} - {CANONICAL})

    def _mean(self, found: list[_Layer], kind: str) -> Index:
        return mean_index([layer.index(kind) for layer in found])

    def _layer(self, raw: Values) -> _Layer:
        cell, labels = self.cell, self.cell.labels
        values = DISTANCES[cell.distance].prepare(raw)
        parts = parts_of(_rows(values, labels, labels.main), cell.distance, prepared=True)
        audit, floor = self._floor(values, parts)
        layer = _Layer(parts, floor, audit)
        if len(cell.layers) == 1:
            self._test(values, parts, floor)
        for name in self._family_names():
            layer.across[name] = self._among(values, name, parts)
        if cell.default:
            for name in (IDENTITY, CHANGED):
                layer.across[name] = self._among(values, name, parts)
            same_prompt = _rows(values, labels, labels.of_family(IDENTITY))
            layer.identity_rerun = rerun_of(same_prompt, cell.distance, parts.examples, prepared=True)
            layer.across[SHUFFLED] = self._shuffled(values, parts)
            layer.across[STAR] = self._star(values, parts)
            layer.left_out = self._left_out(values, floor)
            self._add_inside(values, layer)
        return layer

    def _among(self, values: Values, family: str, parts: Parts) -> Floats:
        labels = self.cell.labels
        if family not in labels.families:
            return np.full(parts.examples.size, np.nan)
        return across_of(_rows(values, labels, labels.of_family(family)), self.cell.distance, parts.examples, prepared=True)

    def _star(self, values: Values, parts: Parts) -> Floats:
        labels = self.cell.labels
        if CANONICAL not in labels.families:
            return np.full(parts.examples.size, np.nan)
        is_canonical = labels.main & (labels.family == labels.families.index(CANONICAL))
        name = labels.variant[is_canonical][0] if is_canonical.any() else None
        return star_of(_rows(values, labels, labels.main), self.cell.distance, name, parts.examples, prepared=True)

    def _left_out(self, values: Values, floor: Floor | None) -> Floats:
        """Returns the instability without each wording name; the floor of an audit stays, for it is no wording's own."""
        labels, kind = self.cell.labels, self.cell.distance
        names, name = np.unique(labels.variant[labels.main], return_inverse=True)
        if not 3 <= names.size <= MOST_NAMES or values.size * names.size > _LEFT_OUT_VALUES:
            return np.empty(0)
        asked = np.unique(np.stack([name.reshape(-1), labels.example[labels.main]]), axis=1)[0]
        if 2 * np.sum(np.bincount(asked) == 1) > names.size:
            return np.empty(0)  # wordings of one example each: none is a template that others could stand in for
        return without_each(_rows(values, labels, labels.main), kind, floor, prepared=True)

    def _add_inside(self, values: Values, layer: _Layer) -> None:
        """Adds the distances of a layer to those of the others; every layer has the same rows."""
        labels = self.cell.labels
        if layer.index().reason is not None or not labels.place.size:
            return
        main = np.flatnonzero(labels.main)
        rows = Rows(values, labels.example[main], labels.place[main], main)
        found = inside_of(rows, self.cell.distance, labels.wordings[main], prepared=True)
        if self.inside is not None:
            found = replace(found, pairs=found.pairs + self.inside.pairs, reruns=found.reruns + self.inside.reruns)
        self.inside = found

    def _without(self, found: list[_Layer]) -> Floats:
        """Returns the mean over the layers that have a number of what is left without each wording name."""
        usable = [layer.left_out for layer, index in zip(found, self.layers, strict=True) if index.reason is None]
        if not usable or not usable[0].size:
            return np.empty(0)
        result: Floats = np.mean(usable, axis=0)
        return result

    def _floor(self, values: Values, parts: Parts) -> tuple[Floats, Floor | None]:
        """Returns W_i of the audit, and the floor that it makes; null where the cell's own reruns tell more."""
        labels, nothing = self.cell.labels, np.full(parts.examples.size, np.nan)
        if not labels.audit.any() or CANONICAL not in labels.families:
            return nothing, None
        repeated = labels.audit | ((labels.family == labels.families.index(CANONICAL)) & ~labels.control)
        chosen = repeated & np.isin(labels.example, labels.example[labels.audit])
        audit = rerun_of(_rows(values, labels, chosen), self.cell.distance, parts.examples, prepared=True)
        measured = audit[~np.isnan(audit)]
        if not measured.size or np.sum(~np.isnan(parts.rerun)) >= measured.size:
            return nothing, None
        if measured.size < min(50, parts.examples.size):
            self.flags = ("small_audit",)
        return audit, Floor(measured)

    def _test(self, values: Values, parts: Parts, floor: Floor | None) -> None:
        """The rerun-floor test; only real reruns count, for under greedy decoding one changed token would reject (METRICS 8)."""
        cell, labels = self.cell, self.cell.labels
        gap = parts.across - parts.rerun
        gap = gap[~np.isnan(gap)]
        if floor is not None or not gap.size or not labels.rerun[labels.main].any():
            return
        rows = _rows(values, labels, labels.main)
        crowding = 1.0 if cell.distance == "nominal" else max(1.0, float(parts.rows.mean()) / _MANY)
        if rows.example.size * crowding > _LARGE[values.ndim]:
            error = gap.std(ddof=1) / np.sqrt(gap.size)
            self.rerun_p = upper_tail(float(gap.mean() / error), gap.size) if error > 0 else 1.0
            self.flags = (*self.flags, "rerun_p=normal")
            return
        rng = generator(self._seed, "rerun_floor", *cell.head.values())
        found = rerun_floor_test(rows, cell.distance, rng, prepared=True)
        self.rerun_p = None if np.isnan(found.p) else found.p
        if cell.default:
            self.example_p = found.each

    def _shuffled(self, values: Values, parts: Parts) -> Floats:
        """B_i after every response was replaced by one of another example, mean over draws."""
        labels = self.cell.labels
        rng = generator(self._seed, SHUFFLED, *self.cell.head.values())
        draws = int(np.clip(_SHUFFLED_VALUES // max(values.size, 1), 1, SHUFFLES))
        found = []
        for _ in range(draws):
            taker, donor = shuffle(labels, rng)
            rows = Rows(values, labels.example[taker], labels.variant[taker], donor)
            found.append(across_of(rows, self.cell.distance, parts.examples, prepared=True))
        result: Floats = np.mean(found, axis=0)
        return result


def _rows(values: Values, labels: Labels, chosen: Mask) -> Rows:
    if chosen.all():
        return Rows(values, labels.example, labels.variant)
    places = np.flatnonzero(chosen)
    return Rows(values, labels.example[places], labels.variant[places], places)


def shuffle(labels: Labels, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Returns rows, and for each the row of another example whose response it is given: what comes out is the null, pair by pair.

    The wordings of an example receive responses of different other examples (one random order of the examples, each wording another step
    along it), under different variant names, as the pairs of N have. Where every example has every wording, each keeps its name; elsewhere
    a wording of the donor is drawn, for examples with many wordings need not be like those with few. Reruns of one wording come from one
    donor together.
    """
    main = np.flatnonzero(labels.main)
    by = grouped(labels.example[main], labels.variant[main], fewest=1)
    count = by.names.size
    if count < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    first_cell, first_row = (np.r_[0, np.cumsum(sizes)][:-1] for sizes in (by.variants, by.reruns))
    place = np.arange(by.owner.size) - first_cell[by.owner]
    rank = rng.permutation(count)
    donor = np.argsort(rank)[(rank[by.owner] + place % (count - 1) + 1) % count]
    cell = first_cell[donor] + (place if by.crossed else _drawn_wordings(by, donor, rng, first_cell))
    within = np.arange(by.example.size) - first_row[by.cell]
    given = first_row[cell[by.cell]] + within % by.reruns[cell[by.cell]]
    rows = main if by.rows is None else main[by.rows]
    return rows, rows[given]


def _drawn_wordings(by: Grouping, donor: Integers, rng: np.random.Generator, first_cell: Integers) -> Integers:
    """Draws a wording of each donor, and again where an example has a name twice already."""
    drawn = rng.integers(0, by.variants[donor])
    for _ in range(20):
        key = by.owner * by.variant_names.size + by.label[first_cell[donor] + drawn]
        again = np.ones(key.size, dtype=np.bool_)
        again[np.unique(key, return_index=True)[1]] = False
        if not again.any():
            break
        drawn[again] = rng.integers(0, by.variants[donor[again]])
    return drawn
