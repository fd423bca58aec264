"""The claims that may be made: one subject a file, a function from evidence to findings.

``MAKERS`` is the order in which they stand in table ``findings``.
"""

from __future__ import annotations

from collections.abc import Callable

from sago.stats.claims.added_information import added_information
from sago.stats.claims.axes_together import axes_together
from sago.stats.claims.comparisons import comparisons
from sago.stats.claims.consistency import consistency, uniformity
from sago.stats.claims.controls import controls
from sago.stats.claims.heterogeneity import heterogeneity
from sago.stats.claims.instability import instability
from sago.stats.claims.rerun_floor import rerun_floor
from sago.stats.claims.unstable_examples import unstable_examples
from sago.stats.evidence import Evidence
from sago.stats.finding import Finding

MAKERS: tuple[Callable[[Evidence], list[Finding]], ...] = (
    controls,
    instability,
    rerun_floor,
    unstable_examples,
    consistency,
    uniformity,
    heterogeneity,
    axes_together,
    added_information,
    comparisons,
)
"""Every claim."""

__all__ = [
    "MAKERS",
    "added_information",
    "axes_together",
    "comparisons",
    "consistency",
    "controls",
    "heterogeneity",
    "instability",
    "rerun_floor",
    "uniformity",
    "unstable_examples",
]
