"""Numbers beside the headline tables: whatever further columns the tables have, explained by their own descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from sago.reports.cells import DECODINGS, datasets_of, models_of
from sago.reports.numbers import Estimate
from sago.reports.words import AXES, in_order
from sago.schemas import TABLES, Tables

_PROFILE = (
    "instability",
    "se",
    "se_floor",
    "se_wordings",
    "se_total",
    "without_lowest",
    "without_highest",
    "star_across",
    "star_instability",
    "star_se",
    "unrelated_common",
    "instability_common",
    "rerun_p",
)
_ALWAYS = {"instability", "se"}
"""Shown for comparison, but no reason for a table."""

_FURTHER = {
    "wording_accuracy": ("Accuracy of each wording", "variant"),
    "components": ("Where the variance of scores comes from", "score"),
}
"""Further tables -> their title, and the column that tells rows of one cell apart."""

_ACCURACY_SHOWN = {
    *("model", "dataset", "decoding", "n", "n_no_gold", "canonical", "canonical_lower", "canonical_upper", "mean", "mean_lower"),
    *("mean_upper", "worst", "best", "stable_correct", "stable_wrong", "unstable", "reason"),
}


@dataclass(frozen=True)
class DetailColumn:
    """One further column: its heading and what it means."""

    label: str
    meaning: str


@dataclass(frozen=True)
class DetailRow:
    """One row: what it is about, and its numbers: counts, numbers, or numbers with their intervals."""

    keys: tuple[str, ...]
    values: tuple[int | Estimate, ...]


@dataclass(frozen=True)
class Details:
    """A table of further numbers."""

    keys: tuple[str, ...]
    columns: tuple[DetailColumn, ...]
    rows: tuple[DetailRow, ...]


def profile_details(tables: Tables) -> Details | None:
    """Returns the other errors and the other ways of counting of every default cell; null where there are none.

    Those are the errors by source, the range with one wording left out, the pairs with the original wording alone, and the common scale.
    """
    whole = pl.col("default") & pl.col("family").is_null() & pl.col("layer").is_null() & (pl.col("n") > 0)
    data = tables.profiles.filter(whole)
    names = [name for name in _PROFILE if name in data.columns and data[name].null_count() < data.height]
    return _details("profiles", data, ("dataset", "axis", "model", "decoding"), names, tables) if set(names) - _ALWAYS else None


def accuracy_details(tables: Tables) -> Details | None:
    """Returns the columns of table ``accuracy`` that the headline table does not show; null where there are none."""
    names = [name for name in _numbers(tables.accuracy) if name not in _ACCURACY_SHOWN]
    return _details("accuracy", tables.accuracy, ("dataset", "model", "decoding"), names, tables)


def further_details(tables: Tables) -> list[tuple[str, Details]]:
    """Returns further tables with their titles, as far as a run has them."""
    found = []
    for name, (title, key) in _FURTHER.items():
        data = getattr(tables, name, None)
        if isinstance(data, pl.DataFrame):
            details = _details(name, data, ("dataset", "model", "decoding", key), _numbers(data), tables)
            found += [(title, details)] if details is not None else []
    return found


def _numbers(data: pl.DataFrame) -> list[str]:
    return [name for name, dtype in data.schema.items() if dtype.is_numeric() and data[name].null_count() < data.height]


def _details(table: str, data: pl.DataFrame, keys: tuple[str, ...], names: Sequence[str], tables: Tables) -> Details | None:
    shown = list(dict.fromkeys(_of_interval(name, data) for name in names))
    if not shown:
        return None
    declared = TABLES[table].columns() if table in TABLES else {}
    columns = [
        DetailColumn(name.replace("_", " "), ((declared[name].description if name in declared else None) or name).replace("`", ""))
        for name in shown
    ]
    models, datasets = (dict.fromkeys(names, "") for names in (models_of(tables), datasets_of(tables)))

    def place(row: DetailRow) -> tuple[object, ...]:
        about = dict(zip(keys, row.keys, strict=True))
        axis, decoding = in_order(about.get("axis", ""), AXES), in_order(about["decoding"], DECODINGS)
        return in_order(about["dataset"], datasets), axis, decoding, in_order(about["model"], models)

    rows = [
        DetailRow(tuple(str(row[name]) for name in keys), tuple(_value(row, name) for name in shown)) for row in data.iter_rows(named=True)
    ]
    heads = tuple({"dataset": "data set", "variant": "wording"}.get(name, name) for name in keys)
    return Details(heads, tuple(columns), tuple(sorted(rows, key=place)))


def _of_interval(name: str, data: pl.DataFrame) -> str:
    """Returns the number of which a column is an end of the interval, or the column itself."""
    base = name.removesuffix("_lower").removesuffix("_upper")
    return base if base in data.columns else name


def _value(row: dict[str, Any], name: str) -> int | Estimate:
    if isinstance(row[name], int):
        return int(row[name])
    return Estimate(row[name], row.get(f"{name}_lower"), row.get(f"{name}_upper"))
