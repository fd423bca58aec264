"""The profile in the shape of a results file of the LM Evaluation Harness, for programs that read those."""

from __future__ import annotations

from typing import Any

from sago.reports.exports.headline import headlines_of
from sago.reports.summary import RunSummary
from sago.schemas import Tables

_UNKNOWN = "N/A"
"""What the harness writes where there is no standard error."""


def lm_eval_results(tables: Tables, summary: RunSummary, model: str) -> dict[str, Any]:
    """Returns the results of one model: ``results[data set]["metric,decoding"]`` with ``metric_stderr`` beside it.

    The way of decoding stands where the harness has the name of a filter. ``acc`` is the mean over wordings; of instability less is better.

    Args:
        tables: Tables of the run.
        summary: How it was made.
        model: Which model.
    """
    own = [one for one in headlines_of(tables) if one.model == model]
    results: dict[str, dict[str, Any]] = {}
    for one in own:
        cell = results.setdefault(one.dataset, {"name": one.dataset, "alias": one.dataset})
        metric = "acc" if one.metric == "accuracy" else one.metric
        cell[f"{metric},{one.decoding}"] = one.value
        cell[f"{metric}_stderr,{one.decoding}"] = _UNKNOWN if one.se is None else one.se
        cell["sample_len"] = max(one.n, cell.get("sample_len", 0))
    metrics = {dataset: {_name(key) for key in cell if "," in key and "_stderr," not in key} for dataset, cell in results.items()}
    return {
        "results": results,
        "configs": {dataset: {"task": dataset, "metadata": {"version": 1.0}} for dataset in results},
        "versions": dict.fromkeys(results, 1.0),
        "n-shot": dict.fromkeys(results, 0),
        "higher_is_better": {dataset: {name: name == "acc" for name in sorted(names)} for dataset, names in metrics.items()},
        "n-samples": {dataset: {"original": cell["sample_len"], "effective": cell["sample_len"]} for dataset, cell in results.items()},
        "config": {"model": model, "model_args": {}, "random_seed": summary.seed, "sago": dict(summary.versions)},
        "model_source": "sago",
        "model_name": model,
        "model_name_sanitized": model.replace("/", "__"),
    }


def _name(key: str) -> str:
    return key.partition(",")[0]
