"""Did the controls pass, without which a run proves nothing? (METRICS 8, 1g)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl

from sago.stats.evidence import CALIBRATED, Evidence
from sago.stats.finding import NOT_TESTED, Finding
from sago.stats.words import bracketed, cell_name, counted, listed

CLAIM = "controls"
FAILED, PASSED = "FAILED", "PASSED"

_MEANING = {
    "identity": "the same prompt again, should be 0",
    "shuffled": "responses swapped between questions, should be 1",
    "meaning-changed": "a question with another right answer, should be above the wordings",
}


def controls(evidence: Evidence) -> list[Finding]:
    """Returns a finding for every control that FAILED; else one that all PASSED, or that none could be judged."""
    table = evidence.controls
    if table.is_empty():
        return []
    judged = table.filter(pl.col("verdict") != "not_informative")
    failed = judged.filter(pl.col("verdict") == "fail").sort("model", "dataset", "axis", "measure", "decoding", "kind")
    if failed.height:
        return [_failed(row, failed.height, judged.height) for row in failed.to_dicts()]
    return [_together(table, judged)]


def _failed(row: dict[str, Any], failed: int, judged: int) -> Finding:
    where = cell_name((row["model"],), (row["dataset"],), row["axis"], row["measure"], row["decoding"])
    number = "no number" if row["instability"] is None else bracketed(row["instability"], row["lower"], row["upper"])
    meaning = _MEANING.get(row["kind"], row["expected"])
    said = f"the control {row['kind']} ({meaning}) FAILED with {number}, n = {row['n']} examples: this run proves nothing about that cell"
    return Finding(
        CLAIM,
        (row["model"],),
        (row["dataset"],),
        row["axis"],
        row["measure"],
        row["decoding"],
        CALIBRATED,
        row["n"],
        estimate=row["instability"],
        se=row["se"],
        lower=row["lower"],
        upper=row["upper"],
        test=row["expected"],
        verdict=FAILED,
        sentence=f"{where}: {said} ({failed} of {judged} judged controls failed).",
    )


def _together(table: pl.DataFrame, judged: pl.DataFrame) -> Finding:
    """One finding about all controls: they passed, or none of them could be judged."""

    def names(column: str) -> tuple[str, ...]:
        return tuple(table[column].unique().sort().to_list())

    def one(column: str) -> str:
        return names(column)[0] if len(names(column)) == 1 else "all"

    left = Counter(table.filter(pl.col("verdict") == "not_informative")["reason"].fill_null("unknown").to_list())
    reasons = listed([f"{reason} {count}" for reason, count in sorted(left.items(), key=lambda pair: (-pair[1], pair[0]))])
    passed = Counter(judged["kind"].to_list())
    verdict, reason, n = PASSED, None, int(judged["n"].min() or 0)  # type: ignore[arg-type] # counts
    if judged.is_empty():
        verdict, reason = NOT_TESTED, min(left, key=lambda code: (-left[code], code))
        sentence = f"No control could be judged, so nothing checks the measurement itself: {table.height} were not informative ({reasons})."
    else:
        kinds = listed([f"{kind} {passed[kind]}" for kind in sorted(passed)])
        more = sum(left.values())
        others = f"; {more} more {'was' if more == 1 else 'were'} not informative ({reasons})" if left else ""
        passing = f"All {judged.height} controls that could be judged pass ({kinds}; each on {n} examples or more)"
        if judged.height == 1:
            passing = f"The one control that could be judged passes ({judged['kind'][0]}, on {counted(n, 'example')})"
        sentence = f"{passing}{others}."
    axis, measure, decoding = one("axis"), one("measure"), one("decoding")
    return Finding(
        CLAIM,
        names("model"),
        names("dataset"),
        axis,
        measure,
        decoding,
        CALIBRATED,
        n,
        verdict=verdict,
        reason=reason,
        sentence=sentence,
    )
