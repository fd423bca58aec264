"""Small terminal tables that more than one verb prints."""

from __future__ import annotations

import polars as pl
from rich.table import Table
from rich.text import Text

from sago.cli.words import plain


def counts_table(counts: pl.DataFrame) -> Table:
    """Returns table ``variation_counts`` for the terminal: what each family was asked for and what became of it."""
    table = Table(title="Wordings", title_justify="left", header_style="bold")
    columns = [name for name in counts.columns if name not in ("dataset", "family")]
    table.add_column("data set")
    table.add_column("family")
    for name in columns:
        table.add_column(name.replace("_", " "), justify="right")
    for row in counts.iter_rows(named=True):
        table.add_row(Text(plain(row["dataset"])), row["family"], *(f"{row[name]:,}" for name in columns))
    return table
