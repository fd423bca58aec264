from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from tests.reports.sample import sample_summary

from sago.errors import MissingExtraError, StudyError
from sago.reports.exports import headlines_of, lm_eval_results, log_to, write_every_eval_ever, write_tables
from sago.schemas import Tables


def test_headlines_are_accuracy_and_default_measures(tables: Tables) -> None:
    found = headlines_of(tables)
    profile = tables.profiles.filter("default").drop_nulls("instability")
    accuracy = tables.accuracy.drop_nulls("mean")
    assert len(found) == profile.height + accuracy.height
    assert sorted(one.value for one in found if one.metric != "accuracy") == sorted(profile["instability"])
    assert [one.value for one in found if one.metric == "accuracy"] == accuracy["mean"].to_list()


def test_results_have_the_shape_of_lm_evals(tables: Tables) -> None:
    model = tables.profiles["model"][0]
    results = lm_eval_results(tables, sample_summary(), model)
    own = [one for one in headlines_of(tables) if one.model == model]
    assert results["model_name"] == model
    for one in own:
        metric = "acc" if one.metric == "accuracy" else one.metric
        cell = results["results"][one.dataset]
        assert cell[f"{metric},{one.decoding}"] == one.value
        assert cell[f"{metric}_stderr,{one.decoding}"] == ("N/A" if one.se is None else one.se)
        assert results["higher_is_better"][one.dataset][metric] == (metric == "acc")
        assert results["n-samples"][one.dataset]["effective"] >= one.n
    json.dumps(results, allow_nan=False)


def test_every_table_is_written_with_plain_cells(tables: Tables, tmp_path: Path) -> None:
    files = write_tables(tables, tmp_path / "csv", "csv")
    assert {path.stem for path in files} == set(Tables.__dataclass_fields__)
    again = pl.read_csv(tmp_path / "csv" / "variants.csv", infer_schema=False)
    assert again.height == tables.variants.height
    assert [json.loads(cell) for cell in again["messages"]] == tables.variants["messages"].to_list()
    shown = [None if cell is None else json.loads(cell) for cell in again["shown_choices"]]
    assert shown == tables.variants["shown_choices"].to_list()
    assert pl.read_csv(tmp_path / "csv" / "profiles.csv")["instability"].to_list() == pytest.approx(
        tables.profiles["instability"].to_list(), nan_ok=True
    )
    write_tables(tables, tmp_path / "parquet", "parquet")
    assert pl.read_parquet(tmp_path / "parquet" / "scores.parquet").equals(tables.scores)


def test_records_of_every_eval_ever(tables: Tables, tmp_path: Path) -> None:
    package = pytest.importorskip("every_eval_ever", reason="the extra 'every-eval-ever' needs Python 3.12")
    files = write_every_eval_ever(tables, sample_summary(), tmp_path)
    assert files
    records = [path for path in files if path.suffix == ".json"]
    for path in records:
        record = package.eval_types.EvaluationLog.model_validate_json(path.read_text(encoding="utf-8"))
        own = [one for one in headlines_of(tables) if one.model == record.model_info.id]
        assert {result.score_details.score for result in record.evaluation_results} <= {one.value for one in own}
        details = record.detailed_evaluation_results
        if details is None:
            continue
        lines = (tmp_path / details.file_path).read_text(encoding="utf-8").splitlines()
        assert len(lines) == details.total_rows
        for line in lines:
            read = package.instance_level_types.InstanceLevelEvaluationLog.model_validate_json(line)
            assert {"variant", "family", "decoding", "rerun"} <= set(read.metadata)


def test_without_the_package_its_extra_is_named(tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "every_eval_ever", None)
    with pytest.raises(MissingExtraError, match="every-eval-ever"):
        write_every_eval_ever(tables, sample_summary(), tmp_path)
    assert not any(tmp_path.iterdir())


class _Wandb:
    """Stands for the package wandb: what one run is told."""

    def __init__(self) -> None:
        self.logged: dict[str, Any] = {}
        self.started: dict[str, Any] = {}
        self.finished = False

    def init(self, **options: Any) -> Any:
        self.started = options
        return SimpleNamespace(log=self.logged.update, finish=self._finish, url="https://tracker/run")

    def _finish(self) -> None:
        self.finished = True

    @staticmethod
    def Table(columns: list[str], data: list[list[Any]]) -> dict[str, Any]:
        return {"columns": columns, "data": data}


def test_wandb_is_told_every_headline_and_the_profile(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = _Wandb()
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    assert log_to("wandb:stability", tables, sample_summary()) == "https://tracker/run"
    assert wandb.started["project"] == "stability"
    assert wandb.finished
    profile = wandb.logged.pop("profiles")
    assert len(profile["data"]) == tables.profiles.height
    values = [value for name, value in wandb.logged.items() if not name.endswith("_se")]
    assert sorted(values) == sorted(one.value for one in headlines_of(tables))


def test_mlflow_is_told_every_headline_and_the_profile(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}

    class _Run:
        info = SimpleNamespace(run_id="r1")

        def __enter__(self) -> _Run:
            return self

        def __exit__(self, *_: object) -> None:
            told["closed"] = True

    mlflow = SimpleNamespace(
        set_experiment=lambda name: told.update(experiment=name),
        start_run=lambda run_name: _Run(),
        log_params=lambda values: told.update(params=values),
        log_metrics=lambda values: told.update(metrics=values),
        log_text=lambda text, name: told.update({name: text}),
    )
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    assert log_to("mlflow:stability", tables, sample_summary()).endswith("run r1")
    assert told["experiment"] == "stability"
    assert told["closed"]
    assert all(isinstance(value, str) for value in told["params"].values())
    values = [value for name, value in told["metrics"].items() if not name.endswith("_se")]
    assert sorted(values) == sorted(one.value for one in headlines_of(tables))
    assert len(told["profiles.csv"].splitlines()) == tables.profiles.height + 1


@pytest.mark.parametrize("target", ["tensorboard:x", "wandb", "mlflow:"])
def test_what_is_no_tracker_is_refused(target: str, tables: Tables) -> None:
    with pytest.raises(StudyError, match="wandb:PROJECT or mlflow:EXPERIMENT"):
        log_to(target, tables, sample_summary())


def test_a_tracker_that_is_not_installed_names_its_extra(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingExtraError, match=r"sago-eval\[mlflow\]"):
        log_to("mlflow:x", tables, sample_summary())
