from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.runs.importers.written import answers_of, features_of

from sago.runs.importers import Answers

CHOICES = ["Mars", "Venus", "Earth"]


def rows_of(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": 1, "variant": variant, **row} for variant, row in zip("abcd", rows, strict=False)]


def verdicts(answers: Answers) -> list[Any]:
    read = features_of(answers)
    return [row["number"] if row["reason"] is None else row["reason"] for row in read.filter(feature="correct").sort("variant").to_dicts()]


def told(answers: Answers) -> list[str]:
    return [note for note in answers.notes if "without a target" in note]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_target_of_one_row_is_that_of_its_example(tmp_path: Path, place: int) -> None:
    rows = rows_of({"response": "The Seine."}, {"response": "Rhine"}, {"response": "Seine"})
    rows[place]["target"] = "Seine"
    answers = answers_of(tmp_path, rows)
    assert verdicts(answers) == [1.0, 0.0, 1.0]
    assert told(answers) == ["answers: 2 rows without a target, of 1 example ('1'), take the right answer of their example"]


def test_another_example_takes_nothing(tmp_path: Path) -> None:
    rows = [*rows_of({"response": "8", "target": "8"}, {"response": "8"}), {"id": 2, "variant": "a", "response": "8"}]
    answers = answers_of(tmp_path, rows)
    read = features_of(answers).filter(feature="correct", example="2")
    assert (read["reason"].to_list(), len(told(answers))) == (["no_gold"], 1)


def test_a_question_with_another_meaning_takes_nothing_and_gives_nothing(tmp_path: Path) -> None:
    rows = rows_of({"response": "8", "target": "8"}, {"response": "8", "family": "meaning-changed"})
    answers = answers_of(tmp_path, rows)
    assert (verdicts(answers), told(answers)) == ([1.0, "no_gold"], [])
    rows = rows_of({"response": "8"}, {"response": "8", "target": "8", "family": "meaning-changed"})
    answers = answers_of(tmp_path, rows)
    assert (verdicts(answers), told(answers)) == (["no_gold", 1.0], [])


@pytest.mark.parametrize(("target", "second"), [("Venus", 1.0), ("B", "no_gold"), (1, "no_gold")])
def test_a_letter_or_index_is_not_carried_to_another_order(tmp_path: Path, target: Any, second: Any) -> None:
    rows = rows_of(
        {"response": "B", "choices": CHOICES, "target": target},
        {"response": "A", "choices": ["Venus", "Mars", "Earth"]},
        {"response": "Venus", "choices": CHOICES},
    )
    answers = answers_of(tmp_path, rows)
    assert verdicts(answers) == [1.0, second, 1.0]
    assert any("stay without" in note for note in told(answers)) == (second == "no_gold")


def test_nothing_is_told_where_every_row_has_its_target(tmp_path: Path) -> None:
    assert told(answers_of(tmp_path, rows_of(*[{"response": "8", "target": "8"}] * 3))) == []
