"""A study holds its fields to their limits and says which one is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sago.errors import StudyError
from sago.study import Study, read_study


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rerun": 2}, "unknown field 'rerun' .did you mean reruns"),
        ({"temperature": 0}, "temperature: .*greater than 0"),
        ({"models": []}, "models"),
        ({"reruns": "many"}, "reruns: .*integer.*'many'"),
        ({"limit": 0}, "limit"),
        ({"dtype": "int4"}, "dtype"),
        ({"depths": [0.5, 1.5]}, "depths"),
        ({"axes": []}, "axes"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        Study(**fields)


def test_one_name_stands_for_a_list_of_one() -> None:
    assert Study(models="embedded", data="q.jsonl").models == ["embedded"]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    study = Study(models=["planted:echo"], data=["q.jsonl"], variations=["typo:n=2"], reruns=3, system="Sei kurz: ü")
    path = tmp_path / "study.yaml"
    path.write_text(study.to_yaml(), encoding="utf-8")
    assert read_study(path) == study


@pytest.mark.parametrize(
    ("text", "message"), [("- a\n- b\n", "mapping"), ("a: [", "not valid YAML"), ("modells: x\n", "did you mean models")]
)
def test_a_broken_study_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=message) as raised:
        read_study(path)
    assert str(path) in str(raised.value)


def test_a_missing_study_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot read the study"):
        read_study(tmp_path / "none.yaml")


def test_changes_are_held_to_the_limits_too() -> None:
    with pytest.raises(StudyError, match="alpha"):
        Study().with_changes({"alpha": 0.9})
