"""The report as JSON: a contract for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from sago.reports.counts import status_counts
from sago.reports.summary import RunSummary
from sago.reports.words import CLAIMS, in_order
from sago.schemas import SCHEMA_VERSION, Tables


def to_json(tables: Tables, summary: RunSummary) -> dict[str, Any]:
    """Returns the report as plain values: ``json.dumps(..., allow_nan=False)`` takes it as it is.

    Keys, always all of them and in this order: ``run`` (name, created, seed, versions, study, models, notes), ``profiles``,
    ``equivalence``, ``status_counts``, ``accuracy``, ``wording_accuracy``, ``components``, ``controls``, ``findings`` (each with all
    columns of its table) and ``schema_version``.
    ``status_counts`` has one entry for each model, data set and decoding: ``observations``, ``counts`` with every status, ``unparsed``.
    Findings stand in the order of the claims, other rows in that of their table. Null has its reason beside it; there is no NaN.
    """
    return {
        "run": {
            "name": summary.name,
            "created": summary.created,
            "seed": summary.seed,
            "versions": _plain(summary.versions),
            "study": _plain(summary.study),
            "models": _plain(summary.models),
            "notes": list(summary.notes),
        },
        "profiles": _rows(tables.profiles),
        "equivalence": _rows(tables.equivalence),
        "status_counts": [
            {
                "model": row.model,
                "dataset": row.dataset,
                "decoding": row.decoding,
                "observations": row.observations,
                "counts": row.counts,
                "unparsed": row.unparsed,
            }
            for row in status_counts(tables)
        ],
        "accuracy": _rows(tables.accuracy),
        "wording_accuracy": _rows(tables.wording_accuracy),
        "components": _rows(tables.components),
        "controls": _rows(tables.controls),
        "findings": sorted(_rows(tables.findings), key=lambda row: in_order(row["claim"], CLAIMS)),
        "schema_version": SCHEMA_VERSION,
    }


def _rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    return [{name: _plain(value) for name, value in row.items()} for row in table.iter_rows(named=True)]


def _plain(value: Any) -> Any:
    """Returns a value that JSON knows; a float that is no finite number becomes null."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [_plain(part) for part in (sorted(value, key=str) if isinstance(value, set | frozenset) else value)]
    return str(value)
