from __future__ import annotations

import gc

import pytest

from sago import schemas
from sago.records import Example, Twin
from sago.rows import collector_paused, example_of, read_examples

_ROW = {
    "dataset": "d",
    "example": "1",
    "position": 0,
    "task": "choice",
    "question": "Hot planet?",
    "choices": ["Mars", "Venus"],
    "answers": ["Venus"],
    "answer_index": 1,
    "paraphrases": ["Which planet is hot?"],
    "twin_question": "Red planet?",
    "twin_answers": ["Mars"],
    "twin_answer_index": 0,
    "metadata": '{"year": 1999}',
    "fingerprint": "f",
}


def test_every_field_arrives() -> None:
    examples = schemas.frame("examples", [_ROW])
    (example,) = read_examples(examples)
    assert example == Example(
        dataset="d",
        example="1",
        question="Hot planet?",
        choices=("Mars", "Venus"),
        answers=("Venus",),
        answer_index=1,
        task="choice",
        paraphrases=("Which planet is hot?",),
        twin=Twin("Red planet?", ("Mars",), 0),
        metadata={"year": 1999},
    )


@pytest.mark.parametrize("answers", [None, []])
def test_a_twin_may_have_no_gold(answers: list[str] | None) -> None:
    example = example_of({**_ROW, "context": None, "twin_answers": answers, "twin_answer_index": None})
    assert example.twin == Twin("Red planet?", (), None)


def test_an_open_question_has_no_choices_and_no_twin() -> None:
    row = {**_ROW, "context": "c", "choices": None, "answer_index": None, "twin_question": None, "twin_answers": None}
    example = example_of(row)
    assert (example.choices, example.twin, example.context) == (None, None, "c")


def test_the_collector_is_back_after_an_error_as_well() -> None:
    seen = []
    with pytest.raises(KeyError), collector_paused():
        seen.append({"is_on": gc.isenabled()}[" "])
    with collector_paused():
        seen.append(gc.isenabled())
    assert [*seen, gc.isenabled()] == [False, True]


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
