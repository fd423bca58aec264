"""A folder is continued by the same study only; a difference is named before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.hand_made import variant_row

from sago import schemas
from sago.errors import RunFolderError
from sago.runs import Session
from sago.study import Study

STUDY = Study(models=["planted:echo"], reruns=2).model_dump(mode="json")
DESCRIPTION = {"id": "echo", "source": "planted:echo", "weights_hash": "w", "dtype": None, "revision": None, "chat_template_hash": None}


def begun(folder: Path, questions: dict[str, pl.DataFrame]) -> None:
    with Session(folder, STUDY, questions, ()) as session:
        session.remember("planted:echo", DESCRIPTION)


def test_looking_writes_nothing(tmp_path: Path, questions: dict[str, pl.DataFrame]) -> None:
    with Session(tmp_path / "run", STUDY, questions, ()):
        pass
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "seed was 0, now 1"),
        ({"max_new_tokens": 8}, "max_new_tokens was 32, now 8"),
        ({"temperature": 0.2}, "temperature was 0.7, now 0.2"),
        ({"reruns": 1}, "reruns was 2, now 1"),
        ({"dtype": "bfloat16"}, "dtype was"),
        ({"stop": ["\n"]}, "stop was"),
    ],
)
def test_other_settings_are_refused_by_name(
    tmp_path: Path, questions: dict[str, pl.DataFrame], change: dict[str, Any], message: str
) -> None:
    begun(tmp_path / "run", questions)
    before = (tmp_path / "run" / "study.yaml").read_text()
    with pytest.raises(RunFolderError, match=message):
        Session(tmp_path / "run", {**STUDY, **change}, questions, ())
    assert (tmp_path / "run" / "study.yaml").read_text() == before


@pytest.mark.parametrize("change", [{"reruns": 5}, {"smallest_effect": 0.1}, {"threads": 1}, {"batch_size": 2}, {"audit_examples": 7}])
def test_what_changes_no_observation_may_change(tmp_path: Path, questions: dict[str, pl.DataFrame], change: dict[str, Any]) -> None:
    begun(tmp_path / "run", questions)
    assert Session(tmp_path / "run", {**STUDY, **change}, questions, ()).models == ["planted:echo"]


def test_a_second_model_joins_the_first(tmp_path: Path, questions: dict[str, pl.DataFrame]) -> None:
    begun(tmp_path / "run", questions)
    session = Session(tmp_path / "run", {**STUDY, "models": ["planted:constant"]}, questions, ())
    assert session.models == ["planted:echo", "planted:constant"]
    assert session.name_of("planted:echo") == "echo"
    assert session.name_of("planted:constant") is None


def test_variants_may_be_added(tmp_path: Path, questions: dict[str, pl.DataFrame]) -> None:
    begun(tmp_path / "run", questions)
    added = pl.concat([questions["variants"], schemas.frame("variants", [variant_row("e1", "case-upper", 3)])])
    Session(tmp_path / "run", STUDY, {**questions, "variants": added}, ())


def test_changed_data_is_refused_with_the_prompt_that_differs(tmp_path: Path, questions: dict[str, pl.DataFrame]) -> None:
    begun(tmp_path / "run", questions)
    edited = questions["variants"].filter(pl.col("variant") != "typo-1")
    changed = pl.concat([edited, schemas.frame("variants", [variant_row("e1", "typo-1", 1, text="other")])])
    with pytest.raises(RunFolderError, match=r"in 3 of 9 prompts: d/e1 'typo-1' has another text; d/e2 'typo-1' is no longer asked"):
        Session(tmp_path / "run", STUDY, {**questions, "variants": changed}, ())


def test_a_model_whose_weights_changed_is_refused(tmp_path: Path, questions: dict[str, pl.DataFrame]) -> None:
    begun(tmp_path / "run", questions)
    with Session(tmp_path / "run", STUDY, questions, ()) as session, pytest.raises(RunFolderError, match="weights_hash was w, now v"):
        session.remember("planted:echo", {**DESCRIPTION, "weights_hash": "v"})


def test_two_models_of_one_name_are_refused(tmp_path: Path, questions: dict[str, pl.DataFrame]) -> None:
    begun(tmp_path / "run", questions)
    with Session(tmp_path / "run", STUDY, questions, ()) as session, pytest.raises(RunFolderError, match="both be called echo"):
        session.remember("hf:elsewhere/echo", DESCRIPTION)
