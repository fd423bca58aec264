"""What may be claimed: findings sorted under three questions, counted, the most telling first. The same for the terminal and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sago.reports.claim_counts import CALIBRATED, Counted, counts_of_axes, counts_of_instability, counts_of_order, scope
from sago.reports.findings import Finding, findings_of, listed, plural
from sago.reports.least_stable import main_decoding
from sago.reports.summary import RunSummary
from sago.reports.words import CLAIMS, VERDICTS, axis_place, in_order
from sago.schemas import Tables

_UNSTABLE = ("instability", "uniformity", "consistency", "rerun_floor", "unstable_examples", "heterogeneity")
_AXES = ("independence", "failure_overlap", "added_information", "partial_correlation", "dimensions")
_ORDER = ("reversal", "rank_agreement", "reversal_omnibus", "dominance", "acceptability", "rank")
_QUOTA = {"instability": 3, "independence": 3, "reversal": 3, "rank": 0, "acceptability": 1}
"""How many sentences of a claim may stand at the top; 1 where it is not named."""


@dataclass(frozen=True)
class Question:
    """One question and what the findings answer.

    Attributes:
        key: Its short name.
        asked: The question as a heading.
        counts: Count lines.
        nothing: Why something cannot be said, a line each.
        first: The most telling findings, the first of every claim before the second of any.
        findings: All of them.
    """

    key: str
    asked: str
    counts: tuple[str, ...]
    nothing: tuple[str, ...]
    first: tuple[Finding, ...]
    findings: tuple[Finding, ...]

    def sentences(self, most: int) -> list[Finding]:
        """Returns the most telling findings, those of one claim together."""
        return sorted(self.first[:most], key=lambda finding: in_order(finding.claim, CLAIMS))


@dataclass(frozen=True)
class Soundness:
    """Whether the controls hold.

    Attributes:
        failed: Findings about failed controls.
        line: Them in one line.
        counts: How many passed, failed, or could not be tested; empty where controls are no part of the findings.
    """

    failed: tuple[Finding, ...]
    line: str
    counts: str

    def doubts(self, finding: Finding) -> bool:
        """Returns whether a finding stands on a cell whose control failed."""
        axes = finding.axis.split(" & ")
        return any(
            set(bad.models) & set(finding.models)
            and set(bad.datasets) & set(finding.datasets)
            and (bad.axis in axes or finding.axis == "all")
            and bad.decoding == finding.decoding
            for bad in self.failed
        )


@dataclass(frozen=True)
class Claims:
    """Everything that a report begins with."""

    soundness: Soundness
    questions: tuple[Question, ...]
    others: tuple[Finding, ...]
    """Findings of claims that belong to no question, controls left out."""
    alpha: float
    total: int
    verdicts: tuple[str, ...]
    """Every verdict that comes up, in the order in which reports explain them."""


def claims(tables: Tables, summary: RunSummary) -> Claims:
    """Returns the findings of one or several runs, put under the questions that they answer."""
    found, about, main = findings_of(tables.findings), scope(tables), main_decoding(tables)
    alpha = summary.study.get("alpha")
    level = float(alpha) if isinstance(alpha, int | float) else 0.05
    parts = {name: [finding for finding in found if finding.claim in names] for name, names in _NAMES.items()}
    known = {"controls", *(claim for names in _NAMES.values() for claim in names)}
    return Claims(
        soundness=soundness([finding for finding in found if finding.claim == "controls"]),
        questions=(
            _question("unstable", "Is it unstable, and consistently?", parts, counts_of_instability(parts["unstable"], about, level), main),
            _question("independent", "Do the axes fail independently?", parts, counts_of_axes(parts["independent"], about), main),
            _question("order", "Does the order of models change between data sets?", parts, counts_of_order(parts["order"], about), main),
        ),
        others=tuple(finding for finding in found if finding.claim not in known),
        alpha=level,
        total=len(found),
        verdicts=tuple(sorted({finding.verdict for finding in found}, key=lambda name: in_order(name, dict.fromkeys(VERDICTS, "")))),
    )


_NAMES = {"unstable": _UNSTABLE, "independent": _AXES, "order": _ORDER}


def soundness(controls: Sequence[Finding]) -> Soundness:
    """Returns what the findings about controls say."""
    failed = tuple(finding for finding in controls if finding.verdict == "FAILED")
    passed = sum(finding.verdict == "PASSED" for finding in controls)
    left = len(controls) - passed - len(failed)
    counts = ""
    if controls:
        untested = f"; {left} could not be tested" if left else ""
        counts = f"Controls: {passed} of {plural(passed + len(failed), 'tested cell')} passed{untested}."
    return Soundness(failed, f"The run proves nothing about {listed(_places(failed), 8)}." if failed else "", counts)


def _places(failed: Sequence[Finding]) -> list[str]:
    """Returns the cells of failed controls, those of one model on one data set together."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for finding in failed:
        place = listed(finding.models), listed(finding.datasets)
        found.setdefault(place, {})[f"{finding.axis}, {finding.decoding}" if finding.decoding != "greedy" else finding.axis] = None
    return [f"{model} on {dataset} ({'; '.join(axes)})" for (model, dataset), axes in found.items()]


def _question(key: str, asked: str, parts: dict[str, list[Finding]], counted: Counted, main: str) -> Question:
    mine = parts[key]
    return Question(key, asked, counted.counts, counted.nothing, tuple(_first(mine, _NAMES[key], main)), tuple(mine))


def _first(findings: Sequence[Finding], order: Sequence[str], main: str) -> list[Finding]:
    """Returns the most telling findings: the first of every claim, then the second of every claim that may have two, ..."""
    turns: list[tuple[int, int, Finding]] = []
    for place, claim in enumerate(order):
        about = [finding for finding in findings if finding.claim == claim and finding.is_tested]
        turns += [(turn, place, finding) for turn, finding in enumerate(_telling(about, main)[: _QUOTA.get(claim, 1)])]
    return [finding for _, _, finding in sorted(turns, key=lambda turn: turn[:2])]


def _telling(findings: Sequence[Finding], main: str) -> list[Finding]:
    """Returns findings of one claim, those that show something first: of these the strongest of every axis, then the second, ..."""

    def beside(finding: Finding) -> tuple[bool, bool, bool, bool]:
        return not finding.is_shown, finding.family is not None, finding.mode != CALIBRATED, finding.decoding not in (main, "")

    def strength(finding: Finding) -> tuple[float, float]:
        reach = -float(len(finding.models) * len(finding.datasets))
        return reach, -abs(finding.estimate or 0.0)

    seen: Counter[str] = Counter()
    placed = []
    for finding in sorted(findings, key=lambda finding: (beside(finding), strength(finding))):
        seen[finding.axis] += 1
        placed.append((beside(finding), seen[finding.axis], axis_place(finding.axis), finding))
    return [finding for *_, finding in sorted(placed, key=lambda row: row[:3])]


def by_claim(findings: Sequence[Finding]) -> list[Finding]:
    """Returns findings in the order of the claims; those that were tested before the others within a claim."""
    return sorted(findings, key=lambda finding: (in_order(finding.claim, CLAIMS), not finding.is_tested))
