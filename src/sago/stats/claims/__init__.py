"""The claims that may be made: one file each, a function from evidence to findings.

``MAKERS`` is the order in which they stand in table ``findings``.
"""

from __future__ import annotations

from collections.abc import Callable

from sago.stats.claims.added_information import added_information
from sago.stats.claims.axes_together import axes_together
from sago.stats.claims.instability import instability
from sago.stats.claims.rerun_floor import rerun_floor
from sago.stats.evidence import Evidence
from sago.stats.finding import Finding

MAKERS: tuple[Callable[[Evidence], list[Finding]], ...] = (instability, rerun_floor, axes_together, added_information)
"""Every claim."""

__all__ = ["MAKERS", "added_information", "axes_together", "instability", "rerun_floor"]
