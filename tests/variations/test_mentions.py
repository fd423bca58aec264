from __future__ import annotations

import pytest

from sago.records import Example, Twin
from sago.variations.mentions import answers_of, hints_at, names_any


@pytest.mark.parametrize(
    ("text", "phrase", "named"),
    [
        ("The walk began at the gate.", "Gate", True),
        ("A cathedral.", "cat", False),
        ("He paid $1,000 for it.", "1000", True),
        ("It has two doors.", "2", True),
        ("It has two doors.", "12", False),
        ("Twelve of 120.", "20", False),
        ("The  old\ncity", "old city", True),
        ("他住在东京。", "京", True),
        ("cafe\u0301s and a cafe\u0301", "café", True),
        ("C++ is used", "C++", True),
        ("anything", " ", False),
    ],
)
def test_whole_words_and_values_count(text: str, phrase: str, named: bool) -> None:
    assert names_any(text, [phrase]) is named


def test_choices_gold_answers_and_those_of_the_twin_are_answers() -> None:
    example = Example("d", "1", "Who?", choices=("a", "b"), answers=("b",), twin=Twin("Whom?", ("c",)))
    assert answers_of(example) == ("a", "b", "c")


@pytest.mark.parametrize(("choice", "hints"), [("Teacher", True), ("a", False), ("I", False), ("who", False), ("7", True), ("cat", False)])
def test_small_words_hint_at_nothing(choice: str, hints: bool) -> None:
    assert hints_at("I am a teacher who has seven cats.", Example("d", "1", "Who?", choices=(choice, "x y"))) is hints
