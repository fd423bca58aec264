"""Claims that compare models: what they need of each cell is worked out once for all of them."""

from __future__ import annotations

from sago.stats.claims.dominance import acceptability, dominance
from sago.stats.claims.rank_order import rank, rank_agreement
from sago.stats.claims.reversals import reversal, reversal_omnibus
from sago.stats.evidence import Evidence
from sago.stats.finding import Finding
from sago.stats.paired import compared


def comparisons(evidence: Evidence) -> list[Finding]:
    """Returns the claims ``reversal``, ``reversal_omnibus``, ``rank_agreement``, ``rank``, ``dominance`` and ``acceptability``."""
    if evidence.scores["model"].n_unique() < 2:
        return []
    known = compared(evidence)
    return [
        finding
        for make in (reversal, reversal_omnibus, rank_agreement, rank, dominance, acceptability)
        for finding in make(known, evidence.rules)
    ]
