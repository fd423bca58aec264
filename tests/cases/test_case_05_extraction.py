"""Case 5 of the inputs that break tools of this kind, as recorded answers: the chosen letter, whatever decoration stands around it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import answers_of

from sago.features import AnswerFormat, extract

DATA = Path(__file__).parent / "data" / "05-extraction.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
FOUR = [row for row in ROWS if row["n_choices"] == 4]
TEXTS = ["red", "green", "blue", "white"]


def read(folder: Path, rows: list[dict[str, Any]], answer_format: AnswerFormat | None = None) -> dict[str, tuple[str | None, str | None]]:
    answers = answers_of(folder, rows)
    features = extract(answers.observations, answers.variants, answers.examples, known=answers.features, answer_format=answer_format)
    read = features.filter(pl.col("feature") == "answer")
    return {row["example"]: (row["category"], row["reason"]) for row in read.iter_rows(named=True)}


@pytest.fixture(scope="module")
def by_letter(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str | None, str | None]]:
    """Returns what is read where nothing but letters is known of the options."""
    rows = [{"id": row["id"], "variant": "0", "response": row["output"], "gold": "D"} for row in FOUR]
    return read(tmp_path_factory.mktemp("letters"), rows)


@pytest.fixture(scope="module")
def by_text(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str | None, str | None]]:
    """Returns what is read where the options are known."""
    rows = [{"id": row["id"], "variant": "0", "response": row["output"], "gold": "D", "choices": TEXTS} for row in FOUR]
    return read(tmp_path_factory.mktemp("texts"), rows)


@pytest.mark.parametrize("row", FOUR, ids=lambda row: str(row["id"]))
def test_the_letter_is_read(row: dict[str, Any], by_letter: dict[str, tuple[str | None, str | None]]) -> None:
    expected = row["expect"]
    empty = ("<empty>", None)
    wanted = (expected, None) if expected else empty if not row["output"] else (None, "unparsed")
    assert by_letter[row["id"]] == wanted


@pytest.mark.parametrize("row", FOUR, ids=lambda row: str(row["id"]))
def test_with_known_options_it_is_their_text(row: dict[str, Any], by_text: dict[str, tuple[str | None, str | None]]) -> None:
    category, _ = by_text[row["id"]]
    wanted = TEXTS["ABCD".index(row["expect"])] if row["expect"] else None if row["output"] else "<empty>"
    assert category == wanted


def test_an_answer_that_was_not_read_is_no_answer_of_its_own(by_letter: dict[str, tuple[str | None, str | None]]) -> None:
    unread = [row["id"] for row in FOUR if row["expect"] is None and row["output"]]
    assert len(unread) > 3
    assert {by_letter[name] for name in unread} == {(None, "unparsed")}


def test_a_pattern_overrides(tmp_path: Path) -> None:
    rows = [{"id": 1, "variant": "0", "response": "ANSWER: B, though some say [[C]]", "gold": "B"}]
    assert read(tmp_path, rows, AnswerFormat(r"\[\[(\w)\]\]")) == {"1": ("C", None)}
    assert read(tmp_path, rows) == {"1": ("B", None)}
