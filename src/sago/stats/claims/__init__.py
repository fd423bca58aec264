"""The claims that may be made: one file each, a function from evidence to findings.

``MAKERS`` is the order in which they stand in table ``findings``.
"""

from __future__ import annotations

from collections.abc import Callable

from sago.stats.claims.comparisons import comparisons
from sago.stats.claims.heterogeneity import heterogeneity
from sago.stats.claims.instability import instability
from sago.stats.claims.rerun_floor import rerun_floor
from sago.stats.evidence import Evidence
from sago.stats.finding import Finding

MAKERS: tuple[Callable[[Evidence], list[Finding]], ...] = (instability, rerun_floor, comparisons, heterogeneity)
"""Every claim."""

__all__ = ["MAKERS", "comparisons", "heterogeneity", "instability", "rerun_floor"]
