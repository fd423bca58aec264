"""Checks of the measurement itself: the same prompt again, responses of other examples, a changed meaning (METRICS 8, 1g)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sago.arrays import Index
from sago.arrays.distances import Integers
from sago.axes.cells import Cell, Layer
from sago.seeds import generator

if TYPE_CHECKING:
    from sago.axes.distance_axis import Measured

SHUFFLES = 20
"""Draws of the shuffled control that are averaged."""
NUMERICAL = 1e-3
"""An identity interval that lies within this of 0 is rounding of the same computation, not noise of the model: its width counts as 0."""
NEAR_ONE = 0.1
"""A shuffled control whose estimate is this close to 1 passes even where its interval is narrower than that."""


def control_rows(cell: Cell, measured: Measured, seed: int) -> list[dict[str, Any]]:
    """Returns the control rows of a cell; a control that the data do not give has no row."""
    rows = []
    labels = cell.labels
    for kind in ("identity", "meaning-changed"):
        chosen = labels.of_family(kind)
        if (labels.family[chosen] == kind).any():
            index = measured.of_rows(chosen, own_reruns=kind == "identity")
            judge = _judge_identity if kind == "identity" else _judge_changed
            rows.append(_row(cell, kind, index, *judge(index, measured.mean)))
    shuffled = _shuffled(cell, measured, seed)
    rows.append(_row(cell, "shuffled", shuffled, *_judge_shuffled(shuffled)))
    return rows


_EXPECTED = {"identity": "covers 0", "shuffled": "covers 1", "meaning-changed": "above the wordings"}


def _row(cell: Cell, kind: str, index: Index, verdict: str, reason: str | None) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return None if np.isnan(value) else float(value)

    return {
        **{name: getattr(cell, name) for name in ("model", "dataset", "axis", "measure", "decoding")},
        "kind": kind,
        "n": int(index.parts.examples.size),
        "across": number(index.across),
        "instability": number(index.instability),
        "se": number(index.se),
        "lower": number(index.interval.lower),
        "upper": number(index.interval.upper),
        "expected": _EXPECTED[kind],
        "verdict": verdict,
        "reason": reason,
    }


def _judge_identity(index: Index, whole: Index) -> tuple[str, str | None]:
    del whole
    if index.reason:
        return "not_informative", index.reason
    if max(abs(index.interval.lower), abs(index.interval.upper)) < NUMERICAL:
        # Without any noise nothing could have moved; that the interval covers 0 then says nothing.
        return "not_informative", "zero_width"
    return ("pass" if index.interval.lower <= 0 <= index.interval.upper else "fail"), None


def _judge_changed(index: Index, whole: Index) -> tuple[str, str | None]:
    reason = index.reason or whole.reason
    if reason:
        return "not_informative", reason
    if index.instability > whole.instability:
        return "pass", None
    return ("fail", None) if index.interval.upper < whole.instability else ("not_informative", "overlaps_wordings")


def _judge_shuffled(index: Index) -> tuple[str, str | None]:
    if index.reason:
        return "not_informative", index.reason
    close = index.interval.lower <= 1 <= index.interval.upper or abs(index.instability - 1) <= NEAR_ONE
    return ("pass" if close else "fail"), None


def _shuffled(cell: Cell, measured: Measured, seed: int) -> Index:
    rng = generator(seed, "shuffled", cell.model, cell.dataset, cell.axis, cell.measure, cell.decoding)
    draws = [_shuffle(cell, rng) for _ in range(SHUFFLES)]
    found = []
    for order in draws:
        layers = tuple(Layer(layer.number, layer.values[order]) for layer in cell.layers)
        found.append(measured.of_rows(cell.labels.main, layers=layers))
    return _averaged(found)


def _shuffle(cell: Cell, rng: np.random.Generator) -> Integers:
    """Returns, for each row, the row of another example under the same variant name whose response it is given.

    Every variant shifts one random order of the examples by another step, so that no two wordings of an example receive responses of
    one and the same other example.
    """
    labels = cell.labels
    order = np.arange(labels.example.size)
    names, example = np.unique(labels.example, return_inverse=True)
    rank = rng.permutation(names.size)[example.reshape(-1)]
    slot = np.unique(labels.variant, return_inverse=True)[1].reshape(-1)
    for step, name in enumerate(np.unique(slot[labels.main])):
        mine = np.flatnonzero(labels.main & (slot == name))
        mine = mine[np.argsort(rank[mine], kind="stable")]
        firsts = np.flatnonzero(np.r_[True, rank[mine][1:] != rank[mine][:-1]])
        if firsts.size < 2:
            continue
        # Shift by whole examples, so that reruns of one wording come from one other example together.
        shift = step % (firsts.size - 1) + 1
        order[mine] = mine[_shifted(firsts, mine.size, shift)]
    return order


def _shifted(firsts: Integers, size: int, shift: int) -> Integers:
    bounds = np.r_[firsts, size]
    blocks = [np.arange(begin, end) for begin, end in pairwise(bounds.tolist())]
    places = []
    for place, block in enumerate(blocks):
        source = blocks[(place + shift) % len(blocks)]
        places.append(source[np.arange(block.size) % source.size])
    result: Integers = np.concatenate(places)
    return result


def _averaged(found: list[Index]) -> Index:
    """Returns the first draw with its estimate and interval moved to the mean of all draws."""
    first = found[0]
    if first.reason or len(found) == 1:
        return first
    usable = [index for index in found if index.reason is None]
    mean = float(np.mean([index.instability for index in usable]))
    se = float(np.mean([index.se for index in usable]))
    half = (first.interval.upper - first.interval.lower) / 2 * (se / first.se if first.se else 1.0)
    return replace(
        first,
        across=float(np.mean([index.across for index in usable])),
        instability=mean,
        se=se,
        interval=first.interval._replace(lower=mean - half, upper=mean + half, se=se),
    )
