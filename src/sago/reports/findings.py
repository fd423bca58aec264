"""Findings as records, and how many of them say what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import polars as pl

from sago.reports.words import CLAIMS, in_order, verdict_of


@dataclass(frozen=True)
class Finding:
    """One row of table ``findings`` (see ``sago.schemas.Findings``)."""

    claim: str
    models: tuple[str, ...]
    datasets: tuple[str, ...]
    axis: str
    measure: str
    decoding: str
    family: str | None
    mode: str
    estimate: float | None
    se: float | None
    lower: float | None
    upper: float | None
    threshold: float | None
    test: str | None
    p: float | None
    p_adjusted: float | None
    tests: int | None
    verdict: str
    n: int
    sentence: str
    reason: str | None

    @property
    def is_tested(self) -> bool:
        """Whether it says more than that there was nothing to test it with."""
        return verdict_of(self.verdict).kind != "none"

    @property
    def is_shown(self) -> bool:
        """Whether its test showed something."""
        return verdict_of(self.verdict).kind not in ("none", "unsure")

    @property
    def cell(self) -> tuple[str, str, str]:
        """Axis, measure and way of decoding."""
        return self.axis, self.measure, self.decoding

    def survives(self, alpha: float) -> bool:
        """Returns whether its p is at most alpha after the correction."""
        return self.p_adjusted is not None and self.p_adjusted <= alpha


def findings_of(table: pl.DataFrame) -> list[Finding]:
    """Returns every row of table ``findings``, in the order of the claims, and of the table within a claim."""
    names = [field.name for field in fields(Finding)]
    rows = [Finding(**{name: _frozen(row[name]) for name in names}) for row in table.iter_rows(named=True)]
    return sorted(rows, key=lambda row: in_order(row.claim, CLAIMS))


def tally(findings: Iterable[Finding]) -> str:
    """Returns how many findings have each verdict, those that show something first.

    >>> tally([])
    'none'
    """
    counted = Counter(finding.verdict for finding in findings)
    kinds = ["bad", "good", "found", "other", "unsure", "none"]
    names = sorted(counted, key=lambda name: (kinds.index(verdict_of(name).kind), name))
    return ", ".join(f"{name.replace('_', ' ')} {counted[name]}" for name in names) or "none"


def reasons(findings: Iterable[Finding]) -> list[str]:
    """Returns the reason codes of the findings, the most frequent first."""
    return [code for code, _ in Counter(finding.reason for finding in findings if finding.reason).most_common()]


def listed(names: Sequence[str], most: int = 6) -> str:
    """Returns names as they stand in a sentence; of many the first, and how many more.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2), listed([])
    ('a, b and c', 'a, b and 1 more', 'none')
    """
    known = list(dict.fromkeys(names))
    if len(known) > most:
        known = [*known[:most], f"{len(known) - most} more"]
    return f"{', '.join(known[:-1])} and {known[-1]}" if len(known) > 1 else known[0] if known else "none"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Returns a number with its noun.

    >>> plural(1, "cell"), plural(2, "cell"), plural(0, "axis", "axes")
    ('1 cell', '2 cells', '0 axes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
