"""A finding while it is made: the row of table ``findings`` that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from sago.stats.multiplicity import holm
from sago.stats.words import counted, probability

DIFFERS, INCONCLUSIVE, NOT_SHOWN, NOT_TESTED = "DIFFERS", "INCONCLUSIVE", "NOT_SHOWN", "NOT_TESTED"
"""Verdicts that several claims have."""


@dataclass(frozen=True)
class Finding:
    """One claim with its test; the fields are the columns of table ``findings`` (see ``sago.schemas.Findings``).

    ``p_adjusted`` and ``tests`` are filled in by :func:`corrected`; the verdict and the sentence are made after it.
    """

    claim: str
    models: tuple[str, ...]
    datasets: tuple[str, ...]
    axis: str
    measure: str
    decoding: str
    mode: str
    n: int
    family: str | None = None
    estimate: float | None = None
    se: float | None = None
    lower: float | None = None
    upper: float | None = None
    threshold: float | None = None
    test: str | None = None
    p: float | None = None
    p_adjusted: float | None = None
    tests: int | None = None
    verdict: str = NOT_TESTED
    sentence: str = ""
    reason: str | None = None

    def row(self) -> dict[str, Any]:
        """Returns the row of the table: NaN becomes null."""
        row = {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in asdict(self).items()}
        return {**row, "models": list(self.models), "datasets": list(self.datasets)}


def corrected(findings: Sequence[Finding]) -> list[Finding]:
    """Returns findings of one claim with p corrected by Holm over those of them that have one (METRICS 8, 1c)."""
    tested = [place for place, finding in enumerate(findings) if finding.p is not None and not np.isnan(finding.p)]
    adjusted = holm(np.array([findings[place].p for place in tested], dtype=np.float64)).tolist()
    found = list(findings)
    for place, value in zip(tested, adjusted, strict=True):
        found[place] = replace(found[place], p_adjusted=value, tests=len(tested))
    return found


def corrected_p(finding: Finding, what: str, more: str | None = None) -> str:
    """Returns p after correction, the test and the correction: ``p = .040 by z test, Holm over 3 pairs``.

    Args:
        finding: A finding that was corrected.
        what: What the tests are of, one of them.
        more: Several of them; null = with an s.
    """
    return f"{probability(finding.p_adjusted or 0.0)} by {finding.test}, Holm over {counted(finding.tests or 0, what, more)}"
