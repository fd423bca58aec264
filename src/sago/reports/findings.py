"""Findings as records, and how many of them say what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import polars as pl

from sago.records import CONTROL_FAILED_HERE
from sago.reports.in_words import in_words
from sago.reports.words import CLAIMS, in_order, verdict_of
from sago.stats import finding as made
from sago.stats import words


class Finding(made.Finding):
    """One row of table ``findings`` (see ``sago.schemas.Findings``), and how a report counts it."""

    @property
    def is_tested(self) -> bool:
        """Whether it says more than that there was nothing to test it with."""
        return verdict_of(self.verdict).kind != "none"

    @property
    def is_shown(self) -> bool:
        """Whether its test showed something."""
        return verdict_of(self.verdict).kind not in ("none", "unsure")

    @property
    def told(self) -> str:
        """The sentence with its reason codes in words."""
        return in_words(self.sentence, (*self.models, *self.datasets))

    @property
    def says_control_failed(self) -> bool:
        """Whether the sentence itself says that a control of its cell failed."""
        return CONTROL_FAILED_HERE in self.sentence

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


def listed(names: Iterable[str], most: int = 6) -> str:
    """Returns different names as they stand in a sentence; of many the first, and how many more.

    >>> listed(["a", "b", "a"]), listed(["a", "b", "c"], most=2), listed([])
    ('a and b', 'a, b and 1 more', 'none')
    """
    return words.listed(list(dict.fromkeys(names)), most)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
