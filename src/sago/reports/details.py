"""Numbers beside the headline tables: whatever further columns the tables have, explained by their own descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from sago.reports.cells import DECODINGS, datasets_of, models_of
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
    """One row: what it is about, and its numbers."""

    keys: tuple[str, ...]
    values: tuple[float | None, ...]


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
    return _details("profiles", tables.profiles.filter(whole), ("dataset", "axis", "model", "decoding"), _PROFILE, tables)


def accuracy_details(tables: Tables) -> Details | None:
    """Returns the columns of table ``accuracy`` that the headline table does not show; null where there are none."""
    numbers = [name for name, dtype in tables.accuracy.schema.items() if dtype.is_numeric() and name not in _ACCURACY_SHOWN]
    return _details("accuracy", tables.accuracy, ("dataset", "model", "decoding"), numbers, tables)


def _details(table: str, data: pl.DataFrame, keys: tuple[str, ...], names: Sequence[str], tables: Tables) -> Details | None:
    shown = [name for name in names if name in data.columns and data[name].null_count() < data.height]
    if not set(shown) - {"instability", "se"}:
        return None
    declared = TABLES[table].columns()
    columns = [
        DetailColumn(name.replace("_", " "), ((declared[name].description if name in declared else None) or name).replace("`", ""))
        for name in shown
    ]
    models, datasets = models_of(tables), datasets_of(tables)

    def place(row: DetailRow) -> tuple[object, ...]:
        about = dict(zip(keys, row.keys, strict=True))
        axis, decoding = in_order(about.get("axis", ""), AXES), in_order(about["decoding"], DECODINGS)
        return datasets.index(about["dataset"]), axis, decoding, models.index(about["model"])

    rows = [
        DetailRow(tuple(str(row[name]) for name in keys), tuple(None if row[name] is None else float(row[name]) for name in shown))
        for row in data.iter_rows(named=True)
    ]
    heads = tuple({"dataset": "data set"}.get(name, name) for name in keys)
    return Details(heads, tuple(columns), tuple(sorted(rows, key=place)))
