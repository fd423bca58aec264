"""Case 12 of the inputs that break tools of this kind, as recorded answers: replies without a usable text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import write_lines

from sago.pipeline import score_answers
from sago.reports.counts import status_counts
from sago.runs import Run

DATA = Path(__file__).parent / "data" / "12-responses.jsonl"
BODIES: dict[str, dict[str, Any]] = {row["name"]: row["body"] for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())}
RIGHT = {
    "ok": ("ok", "B", None, "stop"),
    "null_filter": ("filtered", "<filtered>", None, "content_filter"),
    "refusal": ("refusal", "<refusal>", None, "stop"),
    "reasoning_ate_budget": ("truncated", None, "truncated", "length"),
    "cut_before_answer": ("truncated", None, "truncated", "length"),
    "cut_after_answer": ("truncated", "C", None, "length"),
    "empty_stop": ("empty", "<empty>", None, "stop"),
    "spaces": ("empty", "<empty>", None, "stop"),
    "parts": ("ok", "D", None, "stop"),
    "think_tags_only": ("truncated", None, "truncated", "length"),
    "tool_call": ("empty", "<empty>", None, "tool_calls"),
}
"""Name -> status, answer as read, reason, finish reason."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Returns a run in which every body answers two wordings of its own question."""
    folder = tmp_path_factory.mktemp("case12")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "report", lambda self: self.folder / "report.html")  # the page takes longer than everything else
        return _scored(folder)


def _scored(folder: Path) -> Run:
    rows = [{"id": name, "variant": variant, "gold": "B", "reply": body} for name, body in BODIES.items() for variant in ("base", "x")]
    return score_answers(write_lines(folder / "replies.jsonl", rows), folder / "run")


def test_every_body_of_the_case_is_here() -> None:
    assert set(BODIES) == set(RIGHT)


@pytest.mark.parametrize("name", list(RIGHT))
def test_status_answer_and_finish_reason(run: Run, name: str) -> None:
    observed = run.observations.filter(pl.col("example") == name).row(0, named=True)
    read = run.features.filter((pl.col("example") == name) & (pl.col("feature") == "answer")).row(0, named=True)
    assert (observed["status"], read["category"], read["reason"], observed["finish_reason"]) == RIGHT[name]


def test_texts_are_kept_where_there_are_any(run: Run) -> None:
    responses = dict(run.observations.filter(pl.col("variant") == "x").select("example", "response").iter_rows())
    assert responses["refusal"] == "I won't help with this."
    assert responses["cut_after_answer"] == "ANSWER: C\nBecause the"
    assert responses["null_filter"] is None


def test_what_was_cut_off_agrees_with_nothing_and_refusals_agree_with_each_other(run: Run) -> None:
    across = dict(run.scores.filter(pl.col("measure") == "answer_flip").select("example", "across").iter_rows())
    assert {name for name, value in across.items() if value == 1} == {"reasoning_ate_budget", "cut_before_answer", "think_tags_only"}
    assert {name for name, value in across.items() if value == 0} == set(RIGHT) - {
        "reasoning_ate_budget",
        "cut_before_answer",
        "think_tags_only",
    }


def test_the_report_counts_by_status(run: Run) -> None:
    (count,) = status_counts(run.tables())
    assert {name: number for name, number in count.counts.items() if number} == {
        "ok": 4,
        "empty": 6,
        "refusal": 2,
        "filtered": 2,
        "truncated": 8,
    }
    assert count.unparsed == 0
