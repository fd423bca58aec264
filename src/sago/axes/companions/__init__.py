"""Measures beside the default ones, made only where they are asked for by name; one file a kind, one small function a measure."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from sago.axes.companions import agreement, calibration, geometry, meaning, probabilities, style, surface, tracking, uptake
from sago.axes.companions.companion import Companion
from sago.errors import UnknownNameError

__all__ = ["COMPANIONS", "Companion", "wanted"]

_KINDS: tuple[tuple[Companion, ...], ...] = (
    agreement.COMPANIONS,
    meaning.COMPANIONS,
    surface.COMPANIONS,
    geometry.COMPANIONS,
    probabilities.COMPANIONS,
    calibration.COMPANIONS,
    uptake.COMPANIONS,
    style.COMPANIONS,
    tracking.COMPANIONS,
)

COMPANIONS: Mapping[str, Companion] = {companion.name: companion for kind in _KINDS for companion in kind}
"""Name -> companion."""


def wanted(measures: Sequence[str], axes: Sequence[str]) -> list[Companion]:
    """Returns the companions of these axes that are asked for.

    Args:
        measures: ``default`` (none beside the default measures), ``all``, or names.
        axes: Names of the axes that are scored; companions of others are left out.

    Raises:
        UnknownNameError: If a name is no companion.
    """
    for name in measures:
        if name not in ("default", "all") and name not in COMPANIONS:
            near = difflib.get_close_matches(name, COMPANIONS, n=2)
            raise UnknownNameError("measure", name, known=("default", "all", *sorted(COMPANIONS)), neighbours=near)
    chosen = COMPANIONS.values() if "all" in measures else [COMPANIONS[name] for name in dict.fromkeys(measures) if name != "default"]
    return [companion for companion in chosen if companion.axis in axes]
