"""The profile in a tracker of experiments: one call each of Weights & Biases and MLflow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sago.errors import MissingExtraError, StudyError
from sago.reports.exports.headline import headlines_of
from sago.reports.summary import RunSummary
from sago.schemas import Tables

TRACKERS = ("wandb", "mlflow")
_COLUMNS = (
    *("model", "dataset", "axis", "measure", "decoding", "family", "n"),
    *("across", "rerun", "unrelated", "instability", "se", "lower", "upper"),
)


def log_to(target: str, tables: Tables, summary: RunSummary) -> str:
    """Logs the numbers of a run and returns where they went.

    Args:
        target: ``wandb:PROJECT`` or ``mlflow:EXPERIMENT``; each package finds its server and its key by its own settings.
        tables: Tables of the run.
        summary: How it was made.

    Raises:
        StudyError: If the target is no tracker.
        MissingExtraError: If its package is not installed.
    """
    tracker, _, name = target.partition(":")
    if tracker not in TRACKERS or not name:
        raise StudyError(f"'{target}' is no tracker", where="--log-to", fix="Write wandb:PROJECT or mlflow:EXPERIMENT")
    return _wandb(name, tables, summary) if tracker == "wandb" else _mlflow(name, tables, summary)


def _metrics(tables: Tables) -> dict[str, float]:
    """Returns ``model/data set/metric/decoding`` -> value, with ``..._se`` where an error is known."""
    found = {}
    for one in headlines_of(tables):
        key = "/".join(_safe(part) for part in (one.model, one.dataset, one.metric, one.decoding))
        found[key] = one.value
        if one.se is not None:
            found[f"{key}_se"] = one.se
    return found


def _safe(part: str) -> str:
    """Returns a part of a name with the characters that both trackers take."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "_-. ") else "_" for sign in part)


def _settings(summary: RunSummary) -> dict[str, Any]:
    models = [model.get("id") for model in summary.models]
    return {"run": summary.name, "created": summary.created, "seed": summary.seed, "models": models, "versions": dict(summary.versions)}


def _wandb(project: str, tables: Tables, summary: RunSummary) -> str:
    wandb = _package("wandb")
    run = wandb.init(project=project, name=summary.name, config=_settings(summary), job_type="sago")
    try:
        run.log(_metrics(tables))
        profile = tables.profiles.select(_COLUMNS)
        run.log({"profiles": wandb.Table(columns=list(_COLUMNS), data=[list(row) for row in profile.iter_rows()])})
    finally:
        run.finish()
    return str(getattr(run, "url", None) or f"wandb project {project}")


def _mlflow(experiment: str, tables: Tables, summary: RunSummary) -> str:
    mlflow = _package("mlflow")
    mlflow.set_experiment(experiment)
    with mlflow.start_run(run_name=summary.name) as run:
        mlflow.log_params(_texts(_settings(summary)))
        mlflow.log_metrics(_metrics(tables))
        mlflow.log_text(tables.profiles.select(_COLUMNS).write_csv(), "profiles.csv")
    return f"mlflow experiment {experiment}, run {run.info.run_id}"


def _texts(settings: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value)[:500] for name, value in settings.items()}


def _package(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(f"logging to {name} needs its package", install=f"pip install 'sago-eval[{name}]'") from error
