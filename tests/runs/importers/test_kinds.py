"""What right answers of open questions are, and how responses are read by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import answers_of, features_of


def read(folder: Path, target: Any, responses: list[str]) -> list[tuple[str | None, float | None]]:
    """Returns answer and correctness of the responses to one question."""
    rows = [{"id": 1, "variant": f"v{place}", "response": said, "target": target} for place, said in enumerate(responses)]
    found = features_of(answers_of(folder, rows)).sort("variant")
    answer, correct = (found.filter(pl.col("feature") == name) for name in ("answer", "correct"))
    return list(zip(answer["category"].to_list(), correct["number"].to_list(), strict=True))


def test_right_answers_as_gsm8k_writes_them_are_numbers(tmp_path: Path) -> None:
    target = "It costs 80,000+50,000=$<<80000+50000=130000>>130,000\n#### 70000"
    assert read(tmp_path, target, ["$70,000", "The answer is 70000.", "130000"]) == [("70000", 1), ("70000", 1), ("130000", 0)]


def test_all_names_of_a_right_answer_are_right(tmp_path: Path) -> None:
    target = {"value": "Paris", "aliases": ["Paris", "City of Paris"]}
    assert read(tmp_path, target, ["Paris.", "City of Paris", "Lyon"]) == [("paris", 1), ("city of paris", 1), ("lyon", 0)]


@pytest.mark.parametrize(("target", "other"), [("yes", "no"), (True, "false"), ("No", "yes")])
def test_yes_and_no_are_two_options(tmp_path: Path, target: Any, other: str) -> None:
    right = str(target)
    responses = [f"{right}, because it is so.", f"**{right}**", f"The answer is {other}.", "I do not know."]
    option = right.casefold()
    assert read(tmp_path, target, responses) == [(option, 1), (option, 1), (other, 0), (None, 0)]


def test_other_right_answers_beside_yes_leave_text(tmp_path: Path) -> None:
    assert read(tmp_path, "yes, twice", ["Yes, twice."]) == [("yes twice", 1)]


@pytest.mark.parametrize(
    ("target", "responses"),
    [
        ('{"answer":"Paris"}', ["Paris", '{"answer": "Paris"}', "Answer: Paris"]),
        ({"answer": "Paris"}, ["Paris", '{"answer": "Paris"}']),
        ('{"answer": "C"}', ["C", '{"answer": "C"}', "The answer is (C)."]),
        ({"final_answer": "C"}, ["C", '{"answer": "C"}']),
        ('{"answer": 42}', ["42", '{"answer": 42.0}', "The answer is 42."]),
        ('{"answer": "yes"}', ["Yes.", '{"answer": "yes"}']),
        ('{"value": "Paris", "aliases": ["City of Paris"]}', ["Paris", "City of Paris"]),
        ({"text": "Paris", "label": "X"}, ["Paris"]),
        ('{"name": "Bob"}', ['{"name": "Bob"}']),
    ],
)
def test_a_right_answer_that_is_an_object_is_read_like_an_answer(tmp_path: Path, target: Any, responses: list[str]) -> None:
    assert [right for _, right in read(tmp_path, target, responses)] == [1.0] * len(responses)
    assert [right for _, right in read(tmp_path, target, ["Rome or B or no 7"])] == [0.0]
