"""Parquet files of DOVE, the lite version with flat columns and the full one with nested ones: dimensions of the prompt are the wording."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from sago.datasets.places import Records
from sago.datasets.reading import read_bytes, stem
from sago.errors import DataError
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions
from sago.seeds import content_hash

_FULL = ("evaluation_id", "model", "prompt_config", "instance", "output", "evaluation")
_LITE = ("sample_index", "model", "dataset", "score")
_DIMENSIONS = ("enumerator", "separator", "choices_order", "instruction_phrasing_text", "shots")
_ENUMERATED = re.compile(r"^\s*\(?([^\s.)]{1,4})[.)]\s+(?=\S)")
"""Label in front of an option: ``2. text``, ``(b) text``."""


def recognises(head: Head) -> bool:
    """Returns whether a file is a Parquet file with columns of DOVE."""
    if not head.data.startswith(b"PAR1"):
        return False
    try:
        columns = pl.read_parquet_schema(head.source)
    except (OSError, pl.exceptions.PolarsError):
        return False
    is_lite = all(name in columns for name in _LITE) and any(name.startswith("dimensions_") for name in columns)
    return is_lite or all(name in columns for name in _FULL)


def read(source: str, options: LogOptions) -> Log:
    """Reads one file of DOVE.

    An example is the index of the sample in its data set; its option is the text without the enumerator, which the wording changes.

    Raises:
        DataError: If it is no such file.
    """
    del options  # DOVE has one score
    try:
        table = pl.read_parquet(io.BytesIO(read_bytes(source)))
    except pl.exceptions.PolarsError as error:
        raise DataError(f"is no Parquet file that can be read ({error})", where=source) from error
    flat = _lite if "sample_index" in table.columns else _full
    log = Log(source, Records("row"), [], stem(source), names_variants=True)
    for number, row in enumerate(table.iter_rows(named=True), 1):
        try:
            fields = flat(row)
        except (KeyError, TypeError, IndexError) as error:
            log.records.reject(number, f"is no row of DOVE ({type(error).__name__}: {error})")
            continue
        right = fields["target"]
        log.add(number, fields, {"right answer": right} | ({"question": fields["question"]} if fields.get("question") else {}))
    return log


FORMAT = LogFormat("dove", "predictions of DOVE", recognises, read)


def _lite(row: Mapping[str, Any]) -> dict[str, Any]:
    named = {name.partition(": ")[2]: value for name, value in row.items() if name.startswith("dimensions_")}
    return {
        "model": row["model"],
        "dataset": row["dataset"],
        "example": str(row["sample_index"]),
        "variant": _variant(named),
        "family": "prompt",
        "prompt": row.get("raw_input"),
        "response": row.get("generated_text"),
        "answer": _option(row.get("closest_answer")),
        "target": _option(row.get("ground_truth")),
        "correct": row["score"],
    }


def _full(row: Mapping[str, Any]) -> dict[str, Any]:
    instance, output, evaluation = row["instance"], row["output"], row["evaluation"]
    dimensions = row["prompt_config"]["dimensions"]
    named = {
        "enumerator": dimensions.get("enumerator"),
        "separator": dimensions.get("separator"),
        "choices_order": (dimensions.get("choices_order") or {}).get("method"),
        "instruction_phrasing_text": (dimensions.get("instruction_phrasing") or {}).get("text"),
        "shots": dimensions.get("shots"),
    }
    identifier = instance["sample_identifier"]
    asked = instance.get("classification_fields") or {}
    settings = (row["model"].get("inference_settings") or {}).get("generation_args") or {}
    return {
        "model": row["model"]["model_info"]["name"],
        "dataset": identifier["dataset_name"],
        "example": str(identifier["hf_index"]),
        "variant": _variant(named),
        "family": "prompt",
        "temperature": settings.get("temperature"),
        "prompt": instance.get("raw_input"),
        "question": asked.get("question"),
        "response": output.get("response"),
        "answer": _option((evaluation.get("evaluation_method") or {}).get("closest_answer")),
        "target": _option(evaluation.get("ground_truth")),
        "correct": evaluation["score"],
    }


def _variant(dimensions: Mapping[str, Any]) -> str:
    """Returns a name for a point of DOVE's dimensions: short values as they are, the phrasing by a hash of its text."""
    parts = []
    for name in _DIMENSIONS:
        value = dimensions.get(name)
        if value is None:
            continue
        parts.append(f"{name.removesuffix('_text')}={content_hash(str(value))[:8] if name.endswith('_text') else _plain(value)}")
    return " ".join(parts) or "canonical"


def _plain(value: Any) -> str:
    return repr(value) if isinstance(value, str) and not value.replace("_", "").isalnum() else str(value)


def _option(text: Any) -> str | None:
    """Returns an option without the enumerator in front of it.

    >>> _option("2. two or more"), _option("(b) two"), _option("plain words.")
    ('two or more', 'two', 'plain words.')
    """
    return None if text is None else _ENUMERATED.sub("", str(text)).strip()
