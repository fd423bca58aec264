"""A run as records of Every Eval Ever, built and checked by the package of that schema.

One record for each model and data set, in the folders of its datastore, with one line an answer beside it. What the schema has no field for
(wording, family, rerun, decoding, confidence) stands in the metadata of the line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from sago import _version
from sago.errors import MissingExtraError
from sago.records import MISSING_STATUSES
from sago.reports.exports.headline import Headline, headlines_of
from sago.reports.summary import RunSummary
from sago.schemas import KEYS, Tables

INSTALL = "pip install 'sago-eval[every-eval-ever]' (Python 3.12 or newer)"
_LEVEL = 0.95


def write_every_eval_ever(tables: Tables, summary: RunSummary, folder: Path) -> list[Path]:
    """Writes the records of a run below ``folder``/data and returns the files: for each model and data set one JSON and one JSON lines.

    An answer without a verdict has no place in the schema: such lines are left out and counted in the record.

    Args:
        tables: Tables of the run.
        summary: How it was made.
        folder: Where the folder ``data`` goes.

    Raises:
        MissingExtraError: If the package ``every_eval_ever`` is not installed.
    """
    types = _Types()
    values = headlines_of(tables)
    written = []
    for model, dataset in dict.fromkeys((one.model, one.dataset) for one in values):
        own = [one for one in values if (one.model, one.dataset) == (model, dataset)]
        written += _write_cell(types, tables, summary, own, folder)
    return written


class _Types:
    """The package's own records; they refuse what the schema does not allow."""

    def __init__(self) -> None:
        try:
            from every_eval_ever import eval_types, instance_level_types
            from every_eval_ever.schema import get_schema_version
        except ImportError as error:
            raise MissingExtraError("records of Every Eval Ever need its package", install=INSTALL) from error
        self.log, self.line, self.version = eval_types.EvaluationLog, instance_level_types.InstanceLevelEvaluationLog, get_schema_version()


def _write_cell(types: _Types, tables: Tables, summary: RunSummary, own: list[Headline], folder: Path) -> list[Path]:
    model, dataset = own[0].model, own[0].dataset
    stamp = str(int(_seconds(summary.created)))
    name = f"{dataset}/{model}/{stamp}"
    lines, left_out = _lines(types, tables, model, dataset, name)
    text = "".join(line.model_dump_json(exclude_none=True) + "\n" for line in lines)
    number = _uuid(name, text)
    place = "/".join(("data", _folder(dataset), *_owner(model)))
    samples = f"{place}/{number}_samples.jsonl"
    record = types.log.model_validate(
        {
            "schema_version": types.version,
            "evaluation_id": name,
            "retrieved_timestamp": stamp,
            "source_metadata": {
                "source_name": "sago",
                "source_type": "evaluation_run",
                "source_organization_name": "unknown",
                "evaluator_relationship": "other",
            },
            "eval_library": {"name": "sago", "version": _version.__version__, "additional_details": {"without_verdict": str(left_out)}},
            "model_info": {"name": model, "id": model},
            "evaluation_results": [_result(one) for one in own],
            **({"detailed_evaluation_results": _details(samples, text, len(lines))} if lines else {}),
        }
    )
    files = [(f"{place}/{number}.json", record.model_dump_json(exclude_none=True, indent=2) + "\n"), *([(samples, text)] if lines else [])]
    for relative, content in files:
        (folder / relative).parent.mkdir(parents=True, exist_ok=True)
        (folder / relative).write_text(content, encoding="utf-8")
    return [folder / relative for relative, _ in files]


def _result(one: Headline) -> dict[str, Any]:
    is_accuracy = one.metric == "accuracy"
    uncertainty: dict[str, Any] = {"num_samples": one.n}
    if one.se is not None:
        uncertainty["standard_error"] = {"value": one.se, "method": "analytic"}
    if one.lower is not None and one.upper is not None:
        uncertainty["confidence_interval"] = {"lower": one.lower, "upper": one.upper, "confidence_level": _LEVEL}
    bounds = {"min_score": 0.0, "max_score": 1.0} if is_accuracy else {"min_score": "-Infinity", "max_score": "Infinity"}
    described = "mean over wordings of the share correct" if is_accuracy else "0 = as the same words again, 1 = as another question"
    return {
        "evaluation_result_id": f"{one.metric}/{one.decoding}",
        "evaluation_name": f"{one.dataset}: {one.metric} ({one.decoding})",
        "source_data": {"dataset_name": one.dataset, "source_type": "other"},
        "metric_config": {
            "evaluation_description": described,
            "metric_id": "accuracy" if is_accuracy else f"sago.{one.metric}",
            "metric_name": one.metric,
            "metric_unit": "proportion",
            "metric_parameters": {"decoding": one.decoding, "measure": one.measure},
            "lower_is_better": not is_accuracy,
            "score_type": "continuous",
            **bounds,
        },
        "score_details": {"score": one.value, "uncertainty": uncertainty},
    }


def _details(path: str, text: str, rows: int) -> dict[str, Any]:
    checksum = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return {"format": "jsonl", "file_path": path, "hash_algorithm": "sha256", "checksum": checksum, "total_rows": rows}


def _lines(types: _Types, tables: Tables, model: str, dataset: str, name: str) -> tuple[list[Any], int]:
    """Returns one line for each answer that has a verdict, and how many have none."""
    calls = tables.observations.filter((pl.col("model") == model) & (pl.col("dataset") == dataset))
    table = calls.join(_readings(tables.features), on=list(KEYS), how="left")
    asked = tables.variants.select("dataset", "example", "variant", "family", "messages", "question", "shown_choices", "answers")
    table = table.join(asked, on=["dataset", "example", "variant"], how="left")
    found = [types.line.model_validate(_line(row, types.version, name)) for row in _judged(table)]
    return found, table.height - len(found)


def _readings(features: pl.DataFrame) -> pl.DataFrame:
    """Returns verdict, answer and confidence of each observation, null where it was not read."""
    keys = features.select(KEYS).unique(maintain_order=True)
    wanted = {
        "correct": ("correct", pl.col("number")),
        "answer": ("answer", pl.col("category")),
        "of_options": ("option_probabilities", pl.col("vector").list.max()),
        "of_response": ("response_probability", pl.col("number")),
    }
    for column, (feature, value) in wanted.items():
        part = features.filter(pl.col("feature") == feature).select(*KEYS, value.alias(column))
        keys = keys.join(part.unique(list(KEYS), keep="first"), on=list(KEYS), how="left")
    return keys.with_columns(confidence=pl.coalesce(pl.col("of_options").cast(pl.Float64), pl.col("of_response")))


def _judged(table: pl.DataFrame) -> Iterator[dict[str, Any]]:
    for row in table.iter_rows(named=True):
        if row["correct"] is not None and row["status"] not in MISSING_STATUSES:
            yield row


def _line(row: dict[str, Any], version: str, name: str) -> dict[str, Any]:
    reference = list(row["answers"] or ())
    metadata = {key: str(row[key]) for key in ("variant", "family", "decoding", "rerun", "status", "confidence") if row[key] is not None}
    prompt = "\n\n".join(message["content"] for message in row["messages"] or ())
    answer = [] if row["answer"] is None else [_attribution(row["answer"])]
    return {
        "schema_version": version,
        "evaluation_id": name,
        "model_id": row["model"],
        "evaluation_name": f"{row['dataset']}: accuracy ({row['decoding']})",
        "evaluation_result_id": f"accuracy/{row['decoding']}",
        "sample_id": row["example"],
        "sample_hash": hashlib.sha256((row["question"] + json.dumps(reference)).encode("utf-8")).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": row["question"], "formatted": prompt or None, "reference": reference, "choices": row["shown_choices"]},
        "output": {"raw": [row["response"] or ""], "reasoning_trace": [row["reasoning"]] if row["reasoning"] else None},
        "answer_attribution": answer,
        "evaluation": {"score": row["correct"], "is_correct": row["correct"] == 1.0},
        "metadata": metadata,
    }


def _attribution(answer: str) -> dict[str, Any]:
    return {"turn_idx": 0, "source": "output.raw", "extracted_value": answer, "extraction_method": "sago", "is_terminal": True}


def _seconds(created: str) -> float:
    from datetime import datetime

    try:
        return datetime.fromisoformat(created).timestamp()
    except ValueError:
        return 0.0


def _owner(model: str) -> tuple[str, str]:
    owner, _, name = model.rpartition("/")
    return _folder(owner or "unknown"), _folder(name)


def _folder(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in name) or "_"


def _uuid(*parts: str) -> str:
    """Returns an id in the form of a random UUID, as the datastore asks for, that the same record always has."""
    digits = hashlib.sha256("\x1f".join(parts).encode("utf-8")).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"
