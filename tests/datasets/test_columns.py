from __future__ import annotations

import pytest

from sago.datasets.columns import OTHER_NAMES, find_columns
from sago.errors import DataError, StudyError


@pytest.mark.parametrize(("field", "column"), [(field, name) for field, names in OTHER_NAMES.items() for name in (field, *names)])
def test_every_name_is_understood(field: str, column: str) -> None:
    present = [column] if field == "question" else ["question", column]
    assert find_columns(present, {}, "f")[field] == column


@pytest.mark.parametrize("column", ["Question", "QUESTION", "question text", "Question-Text", "questionText"])
def test_spelling_does_not_matter(column: str) -> None:
    assert find_columns([column], {}, "f") == {"question": column}


def test_the_field_itself_comes_before_other_names() -> None:
    assert find_columns(["prompt", "question", "target", "answer"], {}, "f") == {"question": "question", "answer": "answer"}


@pytest.mark.parametrize(
    ("present", "named"),
    [
        (["prompt", "input"], "'prompt' and 'input' could each be the question"),
        (["question", "gold", "target"], "'gold' and 'target' could each be the answer"),
        (["Question", "QUESTION"], "'Question' and 'QUESTION'"),
    ],
)
def test_two_candidates_are_not_guessed_between(present: list[str], named: str) -> None:
    with pytest.raises(DataError, match=named):
        find_columns(present, {}, "f")


def test_a_mapping_settles_it() -> None:
    assert find_columns(["prompt", "input", "question"], {"question": "input"}, "f") == {"question": "input"}


def test_a_mapped_column_serves_no_other_field() -> None:
    assert find_columns(["question", "label"], {"id": "label"}, "f") == {"id": "label", "question": "question"}


def test_a_mapped_column_that_is_absent_lists_those_that_are_there() -> None:
    with pytest.raises(DataError, match="no column 'prmpt' for question; columns there: prompt, target"):
        find_columns(["prompt", "target"], {"question": "prmpt"}, "f")


def test_a_mapping_for_no_field_suggests_one() -> None:
    with pytest.raises(StudyError, match="Did you mean question"):
        find_columns(["q"], {"qestion": "q"}, "f")


def test_no_question_lists_the_columns() -> None:
    with pytest.raises(DataError, match=r"f: no column for the question; columns there: foo, bar.*--columns question=COLUMN"):
        find_columns(["foo", "bar"], {}, "f")
