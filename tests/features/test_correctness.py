from __future__ import annotations

from typing import Any

import pytest
from tests.features.hand_made import example, inputs

from sago.features.correctness import correctness_reader


def _read(*observations: dict[str, Any], **values: Any) -> list[tuple[float | None, str | None]]:
    return correctness_reader.read(inputs(*observations, **values)).select("number", "reason").rows()


@pytest.mark.parametrize(
    ("response", "status", "value"),
    [
        ("B", "ok", (1.0, None)),
        ("Venus", "ok", (1.0, None)),
        ("A", "ok", (0.0, None)),
        ("no idea", "ok", (0.0, None)),
        ("Let me think about", "truncated", (0.0, None)),
        ("B because", "truncated", (1.0, None)),
        ("I will not say B.", "refusal", (0.0, None)),
        (None, "filtered", (0.0, None)),
        ("", "empty", (0.0, None)),
        (None, "error", (None, "error")),
        (None, "too_long", (None, "too_long")),
    ],
)
def test_a_choice_is_right_if_it_is_the_gold_one(response: str | None, status: str, value: tuple[float | None, str | None]) -> None:
    assert _read({"response": response, "status": status}) == [value]


def test_the_letter_counts_in_the_shown_order() -> None:
    assert _read({"response": "A"}, {"response": "B"}, permutation=[1, 0, 2]) == [(1.0, None), (0.0, None)]


def test_a_meaning_changed_variant_is_judged_by_its_own_gold() -> None:
    twin = {"name": "meaning-changed", "answers": ["Mars"], "answer_index": 0}
    assert _read({"response": "A"}, {"response": "B"}, **twin) == [(1.0, None), (0.0, None)]


@pytest.mark.parametrize(
    ("task", "gold", "response", "value"),
    [
        ("numeric", ["1,000"], "It is 1000.0", 1.0),
        ("numeric", ["0.5"], "1/2", 1.0),
        ("numeric", ["7", "8"], "8", 1.0),
        ("numeric", ["8"], "80", 0.0),
        ("text", ["Robert Guiscard", "Guiscard"], "guiscard.", 1.0),
        ("text", ["The Eiffel Tower"], "eiffel tower", 1.0),
        ("text", ["Paris"], "Rome", 0.0),
    ],
)
def test_open_answers_match_after_normalisation(task: str, gold: list[str], response: str, value: float) -> None:
    assert _read({"response": response}, of=example(task=task, answers=gold)) == [(value, None)]


@pytest.mark.parametrize("task", ["choice", "numeric", "text"])
def test_without_gold_nothing_is_wrong(task: str) -> None:
    of = example(task=task, answers=[], answer_index=None)
    assert _read({"response": "B"}, {"response": None, "status": "error"}, of=of) == [(None, "no_gold"), (None, "error")]


@pytest.mark.parametrize(
    ("task", "gold", "response", "value"),
    [
        ("text", '{"answer": "Paris"}', "Paris", 1.0),
        ("text", '{"answer": "Paris"}', '{"answer": "paris"}', 1.0),
        ("text", '{"answer": "Paris"}', "Rome", 0.0),
        ("text", '{"name": "Bob"}', '{"name": "Bob"}', 1.0),
        ("numeric", '{"answer": 1000}', "The answer is 1,000.", 1.0),
    ],
)
def test_a_right_answer_in_json_is_read_like_an_answer(task: str, gold: str, response: str, value: float) -> None:
    of = example(task=task, answers=[gold])
    assert correctness_reader.read(inputs({"response": response}, of=of))["number"].to_list() == [value]
