"""Checks of the measurement itself: the same prompt again, responses of other examples, a changed meaning (METRICS 8, 1g)."""

from __future__ import annotations

from typing import Any

from sago.arrays import Index
from sago.axes.cells import Cell
from sago.axes.measured import CHANGED, IDENTITY, SHUFFLED, Measured
from sago.axes.profiles import number
from sago.records import EXPECTED_OF_CONTROLS

NUMERICAL = 1e-3
"""An identity interval that lies within this of 0 is rounding of the same computation, not noise of the model: its width counts as 0."""

FEWEST_SHUFFLED = 10
"""Fewest examples for which the shuffled control is judged."""
NEAR_ONE = 0.1
"""A shuffled control whose estimate is this near 1 passes, for its interval speaks of other examples, not of other draws."""


def control_rows(cell: Cell, measured: Measured | None) -> list[dict[str, Any]]:
    """Returns the three control rows of a cell; what cannot be judged says why.

    Args:
        cell: The cell.
        measured: Its numbers; null where it has none.
    """
    if measured is None:
        shared = {**cell.head, "n": 0, "verdict": "not_informative", "reason": cell.reason}
        return [{**shared, "kind": kind, "expected": expected} for kind, expected in EXPECTED_OF_CONTROLS.items()]
    return [_row(cell, kind, measured.controls[kind], *_verdict(cell, kind, measured)) for kind in EXPECTED_OF_CONTROLS]


def _row(cell: Cell, kind: str, index: Index, verdict: str, reason: str | None) -> dict[str, Any]:
    # Where nothing moved, the control's interval is the point that it is: a bound on other examples would look like a pass.
    is_point = index.across == index.instability == 0
    return {
        **cell.head,
        "kind": kind,
        "n": index.n,
        "across": number(index.across),
        "instability": number(index.instability),
        "se": number(index.se),
        "lower": number(index.instability if is_point else index.interval.lower),
        "upper": number(index.instability if is_point else index.interval.upper),
        "expected": EXPECTED_OF_CONTROLS[kind],
        "verdict": verdict,
        "reason": reason,
    }


def _verdict(cell: Cell, kind: str, measured: Measured) -> tuple[str, str | None]:
    index = measured.controls[kind]
    if measured.whole.reason:
        return "not_informative", measured.whole.reason
    if kind not in cell.labels.families and kind != SHUFFLED:
        return "not_informative", "no_twin" if kind == CHANGED and not cell.has_twins else "no_control"
    if index.reason:
        return "not_informative", index.reason
    if kind == IDENTITY:
        return _judge_identity(index)
    if kind == SHUFFLED and (index.n < FEWEST_SHUFFLED or index.across == index.instability == 0):
        # Among few examples a swap draws the same donor for two wordings too often to come out at 1.
        return "not_informative", "too_few_examples" if index.n < FEWEST_SHUFFLED else "width_zero"
    if kind == SHUFFLED:
        covers = index.interval.lower <= 1 <= index.interval.upper
        return ("pass" if covers or abs(index.instability - 1) <= NEAR_ONE else "fail"), None
    if index.instability > measured.whole.instability:
        return "pass", None
    return ("fail", None) if index.interval.upper < measured.whole.instability else ("not_informative", "overlaps_wordings")


def _judge_identity(index: Index) -> tuple[str, str | None]:
    if index.across == index.instability == 0 or max(abs(index.interval.lower), abs(index.interval.upper)) < NUMERICAL:
        # Without any noise nothing could have moved; that the interval covers 0 then says nothing.
        return "not_informative", "width_zero"
    return ("pass" if index.interval.lower <= 0 <= index.interval.upper else "fail"), None
