"""The claims about pairs of axes, made of the same numbers (METRICS 8, claim 2)."""

from __future__ import annotations

from sago.stats.claims.dimensions import dimensions
from sago.stats.claims.failure_overlap import failure_overlaps
from sago.stats.claims.independence import independence, partial_correlations
from sago.stats.claims.pairs import pairs
from sago.stats.evidence import Evidence
from sago.stats.finding import Finding


def axes_together(evidence: Evidence) -> list[Finding]:
    """Returns the claims ``independence``, ``partial_correlation``, ``failure_overlap`` and ``dimensions``; none with a single axis."""
    known, wholes = pairs(evidence)
    rules = evidence.rules
    return [
        *independence(known, rules),
        *(partial_correlations(known, rules) if evidence.covariates.height else []),
        *failure_overlaps(known, rules),
        *dimensions(known, wholes, rules),
    ]
