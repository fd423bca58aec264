"""How a number is written in a report: at most three decimals, its sign kept, a dash where there is none."""

from __future__ import annotations

from typing import NamedTuple

DASH = "—"
"""Stands for null. The reason stands nearby, in words; null is never written as 0."""


class Estimate(NamedTuple):
    """A number with its 95 % interval; every part may be null."""

    value: float | None
    lower: float | None = None
    upper: float | None = None

    @property
    def has_interval(self) -> bool:
        """Whether both ends of the interval are there."""
        return self.lower is not None and self.upper is not None

    @property
    def is_point(self) -> bool:
        """Whether the interval has width 0: nothing could have moved, so it says nothing."""
        return self.has_interval and self.lower == self.upper


def decimal(value: float | None) -> str:
    """Returns a number with two decimals, or three where two would hide that it is not 0; no zero in front of the point.

    >>> [decimal(value) for value in (0.4153, -0.03, 0.004, -1e-9, 0.0, 1.0, None)]
    ['.42', '-.03', '.004', '-.000', '0', '1.00', '—']
    """
    if value is None:
        return DASH
    if value == 0:
        return "0"
    places = 3 if abs(value) < 0.005 else 2
    text = f"{value:.{places}f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def interval(estimate: Estimate) -> str:
    """Returns the 95 % interval in brackets; an empty text where there is none.

    >>> interval(Estimate(0.07, 0.031, 0.124))
    '[.03, .12]'
    """
    if not estimate.has_interval:
        return ""
    return f"[{decimal(estimate.lower)}, {decimal(estimate.upper)}]"


def spelled(estimate: Estimate) -> str:
    """Returns the number and its interval.

    >>> spelled(Estimate(0.07, 0.03, 0.12)), spelled(Estimate(0.5)), spelled(Estimate(None))
    ('.07 [.03, .12]', '.50', '—')
    """
    brackets = interval(estimate)
    return f"{decimal(estimate.value)} {brackets}" if estimate.value is not None and brackets else decimal(estimate.value)


def percent(part: int, whole: int) -> str:
    """Returns a share in percent; a dash where there is nothing to have a share of.

    >>> percent(3, 200), percent(0, 200), percent(1, 3000), percent(0, 0)
    ('1.5 %', '0 %', '<0.1 %', '—')
    """
    if not whole:
        return DASH
    share = 100 * part / whole
    if part and share < 0.1:
        return "<0.1 %"
    return f"{share:.0f} %" if share >= 10 or not part else f"{share:.1f} %"


def probability(value: float | None) -> str:
    """Returns a p value with three decimals.

    >>> probability(0.0004), probability(0.0213), probability(None)
    ('<.001', '.021', '—')
    """
    if value is None:
        return DASH
    return "<.001" if value < 0.001 else f"{value:.3f}".replace("0.", ".", 1)
