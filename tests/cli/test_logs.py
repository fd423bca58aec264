from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.test_cli import sago
from tests.runs.importers.logs.test_documented import helm_run, promptfoo, promptfoo_row


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    done = sago("import", helm_run(folder / "helm") / "scenario_state.json", "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    assert "read as per-instance results of HELM" in " ".join(done.stderr.split())
    assert "4 rows, " in done.stdout
    return folder / "run"


def test_import_keeps_answers_and_scores_nothing(run: Path) -> None:
    assert (run / "observations").exists()
    assert not (run / "profiles.parquet").exists()
    assert f"Score it with sago score {run}" in json.loads(sago("report", run, "--format", "json").stdout)["run"]["notes"][0]


def test_what_was_imported_is_scored_and_exported(run: Path, tmp_path: Path) -> None:
    scored = tmp_path / "scored"
    done = sago("score", run.parent / "helm" / "scenario_state.json", "--axes", "generation", "--out", scored)
    assert done.returncode == 0, done.stderr
    results = json.loads(sago("report", scored, "--format", "lm-eval").stdout)
    assert results["results"]["planets:subject=hot"]["acc,greedy"] == 0.75
    listed = sago("report", scored, "--format", "csv", "--out", tmp_path / "csv")
    assert (tmp_path / "csv" / "observations.csv").is_file(), listed.stderr
    missing = sago("report", scored, "--format", "csv")
    assert missing.returncode == 2
    assert "Give --out FOLDER" in missing.stderr


def test_logs_that_do_not_fit_are_refused_with_exit_code_2(tmp_path: Path) -> None:
    one = promptfoo(tmp_path / "one.json", [promptfoo_row(0, 0, "2 + 2?", "4")])
    other = tmp_path / "other"
    other.mkdir()
    row = promptfoo_row(0, 0, "3 + 3?", "4")
    row["testCase"]["metadata"] = {"id": "sum"}
    first = promptfoo_row(0, 0, "2 + 2?", "4")
    first["testCase"]["metadata"] = {"id": "sum"}
    promptfoo(tmp_path / "one.json", [first, {**row, "promptIdx": 1}])
    done = sago("score", one, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert "the same id is not the same question" in done.stderr
    assert "item 1: vars {'question': '2 + 2?'}" in done.stderr
    assert "item 2: vars {'question': '3 + 3?'}" in done.stderr
    assert not (tmp_path / "run").exists()


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}", encoding="utf-8")
    done = sago("import", path, "--format", "helmet")
    assert done.returncode == 2
    assert "Use one of table, lm-eval, inspect, helm, promptfoo, dove" in done.stderr
