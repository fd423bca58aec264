from __future__ import annotations

import pytest

from sago.errors import DataError, StudyError
from sago.runs.importers.columns import OTHER_NAMES, find_columns


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (["id", "response"], {"example": "id", "response": "response"}),
        (["question_id", "epoch", "output", "gold"], {"example": "question_id", "rerun": "epoch", "response": "output", "target": "gold"}),
        (["Example", "Prediction", "Label"], {"example": "Example", "answer": "Prediction", "target": "Label"}),
        (["example", "id", "score"], {"example": "example", "correct": "score"}),
        (["doc-id", "is correct"], {"example": "doc-id", "correct": "is correct"}),
        (["id", "answer", "messages"], {"example": "id", "answer": "answer", "prompt": "messages"}),
    ],
)
def test_common_names_are_understood(columns: list[str], found: dict[str, str]) -> None:
    assert find_columns(columns, {}, "f") == found


def test_no_other_name_stands_for_two_fields() -> None:
    names = [name for others in OTHER_NAMES.values() for name in others]
    assert len(names) == len(set(names))
    assert not set(names) & set(OTHER_NAMES)


def test_two_columns_for_one_field_are_not_guessed_between() -> None:
    with pytest.raises(DataError, match=r"f: 'gold' and 'label' could each be the target\. Say which with --columns target=gold"):
        find_columns(["id", "response", "gold", "label"], {}, "f")
    assert find_columns(["id", "response", "gold", "label"], {"target": "label"}, "f")["target"] == "label"


def test_beside_a_target_the_answer_is_the_models() -> None:
    assert find_columns(["id", "answer", "prediction", "gold"], {}, "f")["answer"] == "answer"
    assert find_columns(["id", "answer", "prediction"], {"target": "answer"}, "f")["answer"] == "prediction"


def test_a_mapping_may_use_another_name_of_the_field() -> None:
    assert find_columns(["id", "text", "right"], {"output": "text", "gold": "right"}, "f") == {
        "response": "text",
        "target": "right",
        "example": "id",
    }


@pytest.mark.parametrize(
    ("columns", "mapping", "error", "message"),
    [
        (["response"], {}, DataError, "no column says which example"),
        (["id", "gold"], {}, DataError, "no column holds an answer"),
        (["id", "response"], {"target": "gold"}, DataError, "no column 'gold' for target"),
        (["id", "answer", "prediction"], {}, DataError, "--columns target=answer,answer=prediction"),
        (["id", "response"], {"respons": "response"}, StudyError, "Did you mean response"),
    ],
)
def test_what_does_not_do_is_said(columns: list[str], mapping: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        find_columns(columns, mapping, "f")
