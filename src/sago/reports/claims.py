"""What may be claimed: findings sorted under three questions, counted, the most telling first. The same for the terminal and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sago.reports.claim_counts import CALIBRATED, Counted, counts_of_axes, counts_of_instability, counts_of_order, scope
from sago.reports.findings import Finding, findings_of, listed, tally
from sago.reports.least_stable import main_decoding
from sago.reports.summary import RunSummary
from sago.reports.words import AFTER_FAILURE, CLAIMS, CONTROL_FAILED, EXPECTED, VERDICTS, axis_place, in_order
from sago.schemas import Tables

_UNSTABLE = ("instability", "uniformity", "consistency", "rerun_floor", "unstable_examples", "heterogeneity")
_AXES = ("independence", "failure_overlap", "added_information", "partial_correlation", "dimensions")
_ORDER = ("reversal", "rank_agreement", "reversal_omnibus", "dominance", "acceptability", "rank")
_QUOTA = {"instability": 3, "independence": 3, "reversal": 3, "rank": 0, "acceptability": 1}
"""How many sentences of a claim may stand at the top; 1 where it is not named."""

_FEW = 3


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
        others: What the findings say of controls that did not fail, a line each.
        passed: Whether those lines say that controls passed.
        advice: What the failures mean and what to do, a line each; the first holds for all of them.
    """

    failed: tuple[Finding, ...]
    line: str
    others: tuple[str, ...]
    passed: bool
    advice: tuple[str, ...] = ()

    def doubts(self, finding: Finding) -> bool:
        """Returns whether a finding stands on a cell whose control failed."""
        axes, measures = finding.axis.split(" & "), finding.measure.split(" & ")
        return any(
            set(bad.models) & set(finding.models)
            and set(bad.datasets) & set(finding.datasets)
            and (bad.axis in axes or finding.axis == "all")
            and (bad.measure in measures or finding.axis == "all")
            and finding.decoding in (bad.decoding, "all")
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
    sound = soundness([finding for finding in found if finding.claim == "controls"])
    parts = {name: [finding for finding in found if finding.claim in names] for name, names in _NAMES.items()}
    known = {"controls", *(claim for names in _NAMES.values() for claim in names)}
    return Claims(
        soundness=sound,
        questions=(
            _question(
                "unstable",
                "Is it unstable, and consistently?",
                parts,
                counts_of_instability(parts["unstable"], about, level, sound.doubts),
                main,
            ),
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
    others = [finding for finding in controls if finding.verdict != "FAILED"]
    lines = tuple(finding.told for finding in others) if len(others) <= _FEW else (f"Other controls: {tally(others)}.",)
    line = f"The run proves nothing about {listed(_places(failed), 8)}." if failed else ""
    return Soundness(failed, line, lines, any(finding.verdict == "PASSED" for finding in others), _advice(failed))


def _advice(failed: Sequence[Finding]) -> tuple[str, ...]:
    kinds = {EXPECTED.get(finding.test or "") for finding in failed}
    return (CONTROL_FAILED, *(text for kind, text in AFTER_FAILURE.items() if kind in kinds)) if failed else ()


def _places(failed: Sequence[Finding]) -> list[str]:
    """Returns the cells of failed controls, those of one model on one data set together."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for finding in failed:
        place = listed(finding.models), listed(finding.datasets)
        found.setdefault(place, {})[f"{finding.axis} ({finding.measure.replace('_', ' ')}, {finding.decoding})"] = None
    return [f"{model} on {dataset}, {listed(list(cells))}" for (model, dataset), cells in found.items()]


def _question(key: str, asked: str, parts: dict[str, list[Finding]], counted: Counted, main: str) -> Question:
    mine = parts[key]
    return Question(key, asked, counted.counts, counted.nothing, tuple(_first(mine, _NAMES[key], main)), tuple(mine))


def _first(findings: Sequence[Finding], order: Sequence[str], main: str) -> list[Finding]:
    """Returns the most telling findings: the first of every claim, then the second of every claim that may have two, ..."""
    turns: list[tuple[int, int, Finding]] = []
    for place, claim in enumerate(order):
        about = [finding for finding in findings if finding.claim == claim and finding.is_tested]
        assessed = [finding for finding in about if finding.verdict != "NOT_ASSESSABLE"]
        if claim != "independence" or not assessed:  # that one pair cannot be assessed is an answer where another one can
            about = assessed
        turns += [(turn, place, finding) for turn, finding in enumerate(_telling(about, main)[: _QUOTA.get(claim, 1)])]
    return [finding for _, _, finding in sorted(turns, key=lambda turn: turn[:2])]


def _telling(findings: Sequence[Finding], main: str) -> list[Finding]:
    """Returns findings of one claim, the most telling first.

    In front stands the calibrated one over most models and data sets, whatever it says: a reader asks for it. Then come those that show
    something: of these the strongest of every axis, then the second, ...
    """

    def beside(finding: Finding) -> tuple[bool, bool, bool]:
        return finding.family is not None, finding.mode != CALIBRATED, finding.decoding not in (main, "all")

    def strength(finding: Finding) -> tuple[float, bool, float]:
        return -float(len(finding.models) * len(finding.datasets)), not finding.is_shown, -abs(finding.estimate or 0.0)

    seen: Counter[str] = Counter()
    placed = []
    for finding in sorted(findings, key=lambda finding: (not finding.is_shown, beside(finding), strength(finding))):
        seen[finding.axis] += 1
        placed.append((not finding.is_shown, beside(finding), seen[finding.axis], axis_place(finding.axis), finding))
    told = [finding for *_, finding in sorted(placed, key=lambda row: row[:4])]
    lead = min(told, key=lambda finding: (beside(finding), strength(finding)[:2], told.index(finding)), default=None)
    return told if lead is None else [lead, *(finding for finding in told if finding is not lead)]


def by_claim(findings: Sequence[Finding]) -> list[Finding]:
    """Returns findings in the order of the claims; those that were tested before the others within a claim."""
    return sorted(findings, key=lambda finding: (in_order(finding.claim, CLAIMS), not finding.is_tested))
