from __future__ import annotations

import itertools
from typing import Any

import pytest
from tests.variations.tables import case_rows

from sago.errors import UnknownNameError
from sago.records import Draft, Example
from sago.variations.layouts import LAYOUTS, PLAIN, get_layout, labels_of
from sago.variations.rendering import render

_EXAMPLES = {
    "choice": Example("d", "1", "Which?", choices=("green", "blue"), answer_index=0, answers=("green",), task="choice"),
    "numeric": Example("d", "2", "How many?", task="numeric"),
    "text": Example("d", "3", "Who?", task="text"),
    "choice-context": Example("d", "4", "Which?", context="One.\n\nTwo.", choices=("green", "blue"), task="choice"),
    "text-context": Example("d", "5", "Who?", context="One.\n\nTwo.", task="text"),
}
_WITH_LABELS = [name for name, layout in LAYOUTS.items() if layout.labels != "none"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("choice", "Which?\n\nA. green\nB. blue\n\nAnswer with the letter only."),
        ("numeric", "How many?\n\nAnswer with a number only."),
        ("text-context", "One.\n\nTwo.\n\nWho?\n\nAnswer in a few words."),
        ("choice-context", "One.\n\nTwo.\n\nWhich?\n\nA. green\nB. blue\n\nAnswer with the letter only."),
    ],
)
def test_the_canonical_layout(kind: str, expected: str) -> None:
    assert render(_EXAMPLES[kind]).text == expected


@pytest.mark.parametrize("kind", _EXAMPLES)
@pytest.mark.parametrize("names", list(itertools.combinations(LAYOUTS, 2)), ids="/".join)
def test_any_two_layouts_differ_in_more_than_white_space(names: tuple[str, str], kind: str) -> None:
    first, second = (render(_EXAMPLES[kind], Draft(name, layout=name)).text for name in names)
    assert "".join(first.split()) != "".join(second.split())


@pytest.mark.parametrize("kind", _EXAMPLES)
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_text_stands_in_the_prompt_once_and_nothing_is_left_open(name: str, kind: str) -> None:
    example = _EXAMPLES[kind]
    prompt = render(example, Draft(name, layout=name)).text
    assert prompt.count(example.question) == 1
    assert prompt.count(example.context or example.question) == 1
    assert [prompt.count(choice) for choice in example.choices or ()] == [1] * len(example.choices or ())
    assert prompt == prompt.strip()


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_scored_is_what_the_layout_asks_for(name: str) -> None:
    prompt = render(_EXAMPLES["choice"], Draft(name, layout=name))
    expected = {"letters": ("A", "B"), "numbers": ("1", "2"), "none": ("green", "blue")}[LAYOUTS[name].labels]
    assert prompt.scored == expected
    assert prompt.labels == (None if LAYOUTS[name].labels == "none" else expected)


@pytest.mark.parametrize("name", _WITH_LABELS)
def test_labels_stand_with_their_choices_in_a_new_order(name: str) -> None:
    prompt = render(_EXAMPLES["choice"], Draft("x", layout=name, permutation=(1, 0)))
    assert prompt.choices == ("blue", "green")
    assert prompt.text.index("blue") < prompt.text.index("green")
    first_label = "1" if LAYOUTS[name].labels == "numbers" else "A"
    assert first_label in prompt.text[: prompt.text.index("blue")][-8:]


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("row", case_rows("06-braces.jsonl"), ids=lambda row: row["id"])
def test_data_is_never_a_template(name: str, row: dict[str, Any]) -> None:
    example = Example("d", row["id"], row["question"], choices=tuple(row["choices"]), answer_index=row["answer"], task="choice")
    prompt = render(example, Draft(name, layout=name)).text
    assert row["question"] in prompt
    assert all(choice in prompt for choice in row["choices"])


@pytest.mark.parametrize("name", LAYOUTS)
def test_no_field_of_the_data_is_filled_in(name: str) -> None:
    example = Example("d", "b4", "Is {question} or {choices} or {answer} or %s filled in?", choices=("${HOME}", "$answer"), task="choice")
    prompt = render(example, Draft(name, layout=name)).text
    assert prompt.count("{") == 4
    assert prompt.count("{question}") == prompt.count("{choices}") == prompt.count("{answer}") == prompt.count("${HOME}") == 1


@pytest.mark.parametrize(
    ("style", "count", "last"),
    [("letters", 26, "Z"), ("letters", 27, "AA"), ("letters", 28, "AB"), ("letters", 703, "AAA"), ("numbers", 30, "30")],
)
def test_labels_beyond_the_alphabet(style: Any, count: int, last: str) -> None:
    labels = labels_of(style, count)
    assert labels[-1] == last
    assert len(set(labels)) == count


def test_thirty_choices_have_thirty_labels() -> None:
    example = Example("d", "1", "Which?", choices=tuple(f"number {index}" for index in range(30)), task="choice")
    prompt = render(example)
    assert "AD. number 29" in prompt.text
    assert prompt.scored is not None
    assert prompt.scored[26:] == ("AA", "AB", "AC", "AD")


def test_an_unknown_layout_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown layout 'json'"):
        get_layout("json")


def test_there_are_enough_layouts_beside_the_canonical_one() -> None:
    assert len(LAYOUTS) >= 9
    assert next(iter(LAYOUTS)) == PLAIN
