"""How claims that compare models put places, counts and corrections into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sago.stats.evidence import CALIBRATED, RAW, Cell
from sago.stats.finding import NOT_SHOWN, NOT_TESTED, Finding
from sago.stats.paired import SIGN_FLIPS_BELOW

_WHY_MODES_DIFFER = {
    CALIBRATED: "raw scores, which are not divided by how far each model's answers to other questions differ,",
    RAW: "instability, which divides by how far each model's answers to other questions differ,",
}


def place_of(cell: Cell, mode: str) -> str:
    """Returns what is compared: ``generation (answer_flip, greedy)``, and whether raw scores are."""
    return f"{cell.axis} ({cell.measure}, {cell.decoding}{', raw' if mode == RAW else ''})"


def examples_of(counts: Sequence[int]) -> str:
    """Returns how many examples took part, where the numbers may differ: ``n = 10`` or ``n = 10 to 20``."""
    least, most = min(counts), max(counts)
    return f"n = {least}" if least == most else f"n = {least} to {most}"


def spread_alike(few: Sequence[int]) -> str:
    """Returns what a test takes for granted that rests on few differences (examples behind each); nothing from 30 on.

    There no bound of what was not seen holds z back, see ``paired.differences``: with 12 examples it would leave hardly any power.
    """
    if min(few, default=SIGN_FLIPS_BELOW) >= SIGN_FLIPS_BELOW:
        return ""
    return (
        f" With fewer than {SIGN_FLIPS_BELOW} examples this takes it that differences spread alike to both sides: "
        "a change that is large, but too rare to be among them, could make up for it."
    )


def modes_compared(findings: Sequence[Finding]) -> list[Finding]:
    """Returns findings; where the two modes have different verdicts, the one that shows something says that the other does not, and why."""
    verdicts = {_about(finding): finding.verdict for finding in findings}
    told = []
    for finding in findings:
        other = verdicts.get((*_about(finding)[:-1], RAW if finding.mode == CALIBRATED else CALIBRATED))
        shows = finding.verdict not in (NOT_SHOWN, NOT_TESTED)
        if shows and other == NOT_SHOWN:
            sentence = f"{finding.sentence} By {_WHY_MODES_DIFFER[finding.mode]} it is not shown."
            told.append(replace(finding, sentence=sentence))
        else:
            told.append(finding)
    return told


def _about(finding: Finding) -> tuple[object, ...]:
    models = tuple(sorted(finding.models))
    return (finding.claim, models, finding.datasets, finding.axis, finding.measure, finding.decoding, finding.mode)
