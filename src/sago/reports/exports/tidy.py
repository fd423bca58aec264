"""Every table of a run as a file that any program reads: CSV with plain columns, or Parquet as it is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Literal

import polars as pl

from sago.schemas import Tables


def write_tables(tables: Tables, folder: Path, kind: Literal["csv", "parquet"]) -> list[Path]:
    """Writes each table into a folder, named like the table, and returns the files.

    In CSV a list or a record is JSON in its cell, and null is an empty cell.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in (field.name for field in fields(tables)):
        table, path = getattr(tables, name), folder / f"{name}.{kind}"
        if kind == "parquet":
            table.write_parquet(path)
        else:
            _plain(table).write_csv(path)
        written.append(path)
    return written


def _plain(table: pl.DataFrame) -> pl.DataFrame:
    """Returns a table whose columns hold one value a cell."""
    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    return table.with_columns(_json(name) for name in nested)


def _json(name: str) -> pl.Expr:
    """Returns a column as JSON: polars encodes records, so a list is encoded as one and taken out of it again."""
    encoded = pl.struct(pl.col(name).alias("x")).struct.json_encode()
    return pl.when(pl.col(name).is_null()).then(None).otherwise(encoded.str.strip_prefix('{"x":').str.strip_suffix("}")).alias(name)
