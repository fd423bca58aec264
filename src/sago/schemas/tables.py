"""All tables by name, and the check at every seam."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import dataframely as dy
import polars as pl

from sago.errors import SchemaError
from sago.schemas.answers import Features, Observations, States
from sago.schemas.conclusions import Accuracy, Components, Findings, WordingAccuracy
from sago.schemas.questions import Equivalence, Examples, Variants, VariationCounts
from sago.schemas.scores import Controls, Covariates, Halves, Profiles, Scores

SCHEMA_VERSION = 5
"""Raised whenever a column changes its name, type or meaning."""

TABLES: dict[str, type[dy.Schema]] = {
    "examples": Examples,
    "variants": Variants,
    "variation_counts": VariationCounts,
    "equivalence": Equivalence,
    "observations": Observations,
    "states": States,
    "features": Features,
    "scores": Scores,
    "halves": Halves,
    "covariates": Covariates,
    "profiles": Profiles,
    "controls": Controls,
    "accuracy": Accuracy,
    "wording_accuracy": WordingAccuracy,
    "components": Components,
    "findings": Findings,
}
"""Table name (also its file or folder in a run) -> schema."""


@dataclass(frozen=True)
class Tables:
    """All tables of one or several runs, for whoever reads them together (a report)."""

    examples: pl.DataFrame
    variants: pl.DataFrame
    variation_counts: pl.DataFrame
    equivalence: pl.DataFrame
    observations: pl.DataFrame
    features: pl.DataFrame
    scores: pl.DataFrame
    halves: pl.DataFrame
    covariates: pl.DataFrame
    profiles: pl.DataFrame
    controls: pl.DataFrame
    accuracy: pl.DataFrame
    wording_accuracy: pl.DataFrame
    components: pl.DataFrame
    findings: pl.DataFrame


KEYS: tuple[str, ...] = ("model", "dataset", "example", "variant", "decoding", "rerun")
"""Columns that name one observation."""


def dtypes(table: str) -> dict[str, pl.DataType]:
    """Returns column name -> polars type of a table, in declared order."""
    return {name: column.dtype for name, column in TABLES[table].columns().items()}


def empty(table: str) -> pl.DataFrame:
    """Returns a table without rows."""
    return pl.DataFrame(schema=dtypes(table))


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Builds and checks a table from row dictionaries; a column that a row lacks becomes null.

    Raises:
        SchemaError: If the rows do not fit the table's schema.
    """
    names = dtypes(table)
    unknown = sorted({name for row in rows for name in row} - set(names))
    if unknown:
        raise SchemaError(f"unknown columns {unknown}", where=f"table {table}")
    complete = [{name: row.get(name) for name in names} for row in rows]
    try:
        data = pl.DataFrame(complete, schema=names, orient="row")
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError) as error:
        raise SchemaError(str(error), where=f"table {table}") from error
    return check(table, data)


_CHECKED: weakref.WeakValueDictionary[tuple[str, int], pl.DataFrame] = weakref.WeakValueDictionary()
"""Name and identity of the tables that :func:`check` has returned and that are still in use."""


def check(table: str, data: pl.DataFrame) -> pl.DataFrame:
    """Checks a table at the seam between two stages and returns it with its columns in declared order.

    Several stages check the same table one after the other; the very object that a check has returned is good already. (No stage changes
    a table in place.)

    Raises:
        SchemaError: If a column is missing or has another type, a key repeats, or a value breaks a rule.
    """
    if _CHECKED.get((table, id(data))) is data:
        return data
    try:
        validated = TABLES[table].validate(data.select([name for name in dtypes(table) if name in data.columns]))
    except (dy.exc.ValidationError, dy.exc.SchemaError, pl.exceptions.PolarsError) as error:
        raise SchemaError(str(error).strip(), where=f"table {table}", fix="See docs/tables.md for what each column holds") from error
    checked = pl.DataFrame(validated)
    _CHECKED[table, id(checked)] = checked
    return checked


def parquet_metadata(table: str) -> dict[str, str]:
    """Returns the key-value metadata that every Parquet file of this table carries."""
    return {"sago_table": table, "sago_schema_version": str(SCHEMA_VERSION)}
