from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import write_lines

from sago.errors import ModelError, RunFolderError, StudyError, UnknownNameError
from sago.pipeline import compared, run_study, score_answers, score_run
from sago.runs import ReadOptions, Run, joined_tables
from sago.study import Study, read_study


def rows(model: str = "m", flips: int = 3) -> list[dict[str, Any]]:
    """Returns answers to 12 questions in four wordings, of which the first ``flips`` change with the last wording."""
    return [
        {
            "model": model,
            "dataset": "d",
            "id": number,
            "variant": variant,
            "response": "ABCD"[(number + (place == 3 and number < flips)) % 4],
            "gold": "ABCD"[number % 4],
        }
        for number in range(12)
        for place, variant in enumerate(("base", "x", "y", "z"))
    ]


@pytest.fixture
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves the page out, which takes longer than everything else."""
    monkeypatch.setattr(Run, "report", lambda self: self.folder / "report.html")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    write_lines(folder / "answers.jsonl", rows())
    write_lines(folder / "others.jsonl", rows("n", flips=6))
    return folder


@pytest.fixture(scope="module")
def run(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return score_answers(files / "answers.jsonl", tmp_path_factory.mktemp("runs") / "first")


def generation(run: Run) -> dict[str, Any]:
    row: dict[str, Any] = run.profiles.filter(pl.col("default") & (pl.col("axis") == "generation")).row(0, named=True)
    return row


def test_a_run_of_its_own_with_everything_that_a_run_has(run: Run, files: Path) -> None:
    assert (run.folder / "report.html").is_file()
    assert run.manifest["finished"]
    assert generation(run)["across"] == pytest.approx(3 / 12 * 3 / 6)
    assert run.accuracy.select("n", "canonical", "stable_correct").row(0) == (12, 1.0, 0.75)
    assert run.example("d", "0").select("variant", "response", "answer").row(3) == ("z", "B", "B")
    recorded = run.manifest["recorded"][0]
    assert recorded["path"] == str(files / "answers.jsonl")
    assert len(recorded["sha256"]) == 64
    assert recorded["columns"]["target"] == "gold"
    assert run.study["recorded"]["read_as"] == "auto"
    assert list(run.manifest["models"]) == ["m"]


@pytest.mark.usefixtures("no_page")
def test_the_same_files_are_scored_again_with_other_options(files: Path, tmp_path: Path) -> None:
    first = score_answers(files / "answers.jsonl", tmp_path / "run")
    again = score_answers(files / "answers.jsonl", tmp_path / "run", options=ReadOptions(canonical="z"), study=Study(axes=["generation"]))
    assert again.accuracy["canonical"][0] == 0.75
    assert set(again.profiles["axis"]) == {"generation"}
    assert generation(again)["across"] == generation(first)["across"]
    assert len(list((again.folder / "observations").iterdir())) == 1


@pytest.mark.usefixtures("no_page")
def test_other_files_or_a_study_are_refused_before_anything_is_written(run: Run, files: Path, tmp_path: Path) -> None:
    before = (run.folder / "manifest.json").read_bytes()
    with pytest.raises(RunFolderError, match=r"holds other recorded answers \(.*answers\.jsonl\)"):
        score_answers(files / "others.jsonl", run.folder)
    with pytest.raises(RunFolderError, match="holds recorded answers, with which no model can go on"):
        run_study(Study(models=["planted:constant"], data=["builtin-choice"], limit=2), run.folder)
    with pytest.raises(StudyError, match="is about recorded answers"):
        read_study(run.folder / "study.yaml")
    assert (run.folder / "manifest.json").read_bytes() == before
    studied = run_study(Study(models=["planted:constant"], data=["builtin-choice"], variations=["case"], limit=2), tmp_path / "study")
    with pytest.raises(RunFolderError, match="holds the run of a study"):
        score_answers(files / "others.jsonl", studied.folder)


@pytest.mark.usefixtures("no_page")
def test_a_run_is_scored_again_without_its_files(files: Path, tmp_path: Path) -> None:
    copy = write_lines(tmp_path / "answers.jsonl", rows())
    first = score_answers(copy, tmp_path / "run")
    copy.unlink()
    again = score_run(tmp_path / "run", {"smallest_effect": 0.9, "axes": ["generation"]})
    assert again.study["smallest_effect"] == 0.9
    assert again.findings["threshold"].drop_nulls().unique().to_list() == [0.9]
    assert generation(again)["instability"] == generation(first)["instability"]
    assert again.observations.equals(first.observations)


@pytest.mark.usefixtures("no_page")
def test_a_run_of_a_study_is_scored_again_and_keeps_its_answers(tmp_path: Path) -> None:
    study = Study(models=["planted:always-first-option"], data=["builtin-choice"], variations=["choice-order"], limit=12, audit_examples=0)
    first = run_study(study, tmp_path / "run")
    again = score_run(tmp_path / "run", {"alpha": 0.01})
    assert again.study == {**first.study, "alpha": 0.01}
    assert again.profiles.equals(first.profiles)
    assert again.manifest["models"] == first.manifest["models"]
    assert run_study(study, tmp_path / "run").observations.equals(first.observations)
    with pytest.raises(RunFolderError, match="seed cannot change"):
        score_run(tmp_path / "run", {"seed": 3})
    with pytest.raises(UnknownNameError):
        score_run(tmp_path / "run", {"axes": ["generatoin"]})


@pytest.mark.usefixtures("no_page")
def test_two_runs_of_recorded_answers_stand_in_one_report(run: Run, files: Path, tmp_path: Path) -> None:
    other = score_answers(files / "others.jsonl", tmp_path / "other")
    joined = joined_tables([run, other])
    assert sorted(set(joined.profiles["model"])) == ["m", "n"]
    assert joined.examples.height == 12
    with pytest.raises(RunFolderError, match=r"alpha is 0\.01 here and 0\.05 there"):
        joined_tables([run, score_run(other.folder, {"alpha": 0.01})])


@pytest.mark.usefixtures("no_page")
def test_findings_of_several_runs_are_made_anew(run: Run, files: Path, tmp_path: Path) -> None:
    other = score_answers(files / "others.jsonl", tmp_path / "other")
    tested = (pl.col("claim") == "instability", pl.col("mode") == "calibrated", pl.col("p").is_not_null())
    together = compared([run, other]).findings.filter(*tested)
    alone = [one.findings.filter(*tested).height for one in (run, other)]
    assert together.height == sum(alone)
    assert set(together["tests"]) == {sum(alone)}  # the correction knows the cells of both
    assert compared([run]).findings.equals(run.findings)
    strict = [score_run(one.folder, {"smallest_effect": 0.5}) for one in (run, other)]
    assert set(compared(strict).findings["threshold"].drop_nulls()) == {0.5}


@pytest.mark.usefixtures("no_page")
def test_what_was_given_wins_and_stays_when_scored_again(tmp_path: Path) -> None:
    given = [{**row, "answer": "A", "correct": 1, "embedding": [1.0, float(place)]} for place, row in enumerate(rows())]
    first = score_answers(write_lines(tmp_path / "answers.jsonl", given), tmp_path / "run")
    for scored in (first, score_run(tmp_path / "run")):
        by_reader = dict(scored.features.group_by("feature").agg(pl.col("reader").unique()).iter_rows())
        assert [by_reader[name] for name in ("answer", "correct", "embedding")] == [["recorded"]] * 3
        assert scored.accuracy["mean"][0] == 1.0


@pytest.mark.usefixtures("no_page")
def test_a_pattern_and_json_are_kept_for_the_next_scoring(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [{**row, "response": f"Answer: A, or [[{row['response']}]]"} for row in rows()])
    first = score_answers(path, tmp_path / "run", options=ReadOptions(answer_pattern=r"\[\[(.)\]\]"))
    assert generation(first)["across"] == pytest.approx(3 / 12 * 3 / 6)
    assert generation(score_run(tmp_path / "run"))["across"] == generation(first)["across"]
    unread = score_answers(path, tmp_path / "json", options=ReadOptions(read_as="json"))
    assert unread.features.filter(pl.col("feature") == "answer")["reason"].unique().to_list() == ["unparsed"]


def test_nothing_needs_a_model_library(files: Path, tmp_path: Path) -> None:
    code = (
        "from importlib.machinery import PathFinder\n"
        "find, absent = PathFinder.find_spec, ('torch', 'transformers', 'sentence_transformers')\n"
        "def without(cls, name, path=None, target=None):\n"
        "    return None if name.split('.')[0] in absent else find(name, path, target)\n"
        "PathFinder.find_spec = classmethod(without)\n"
        "from sago.cli import main\n"
        f"main(['score', {str(files / 'answers.jsonl')!r}, '--out', {str(tmp_path / 'run')!r}])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "report.html" in done.stdout
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["finished"]


def test_a_model_of_entailment_that_is_none_is_refused_before_anything_is_written(files: Path, tmp_path: Path) -> None:
    study = Study(nli=str(tmp_path / "nothing"))
    with pytest.raises(ModelError, match="model of entailment"):
        score_answers(files / "answers.jsonl", tmp_path / "run", study=study)
    assert not (tmp_path / "run").exists()
