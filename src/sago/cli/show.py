"""``sago show``: one example of a run, its wordings and what came back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sago.errors import DataError


def show(
    run: Annotated[Path, typer.Argument(help="A run folder.", show_default=False)],
    example: Annotated[str, typer.Argument(help="Id of an example; DATASET/ID where two data sets have it.", show_default=False)],
) -> None:
    """Show one example: its wordings and the answers, side by side."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from sago.cli.words import plain
    from sago.runs import Run

    opened = Run(run)
    dataset, name = _find(opened.examples.select("dataset", "example").rows(), example, str(run))
    rows = opened.example(dataset, name)
    console = Console()
    for (model,), answers in rows.group_by("model", maintain_order=True):
        table = Table(title=Text(plain(f"{dataset} / {name}: {model}")), title_justify="left", show_lines=True)
        for column in ("variant", "prompt", "decoding", "status", "response", "answer"):
            table.add_column(column, overflow="fold")
        before = None
        for row in answers.iter_rows(named=True):
            decoding = row["decoding"] if row["decoding"] == "greedy" else f"{row['decoding']} {row['rerun']}"
            prompt = "" if row["variant"] == before else row["prompt"]
            cells = (row["variant"], prompt, decoding, row["status"], row["response"], row["answer"])
            table.add_row(*(Text(plain(cell or "")) for cell in cells))
            before = row["variant"]
        console.print(table)


def _find(known: list[tuple[str, str]], wanted: str, run: str) -> tuple[str, str]:
    matches = [(dataset, name) for dataset, name in known if wanted in (name, f"{dataset}/{name}")]
    if not matches:
        raise DataError(f"no example '{wanted}'", where=run, fix="The report lists ids; so does examples.parquet in the run folder")
    if len(matches) > 1:
        raise DataError(f"example '{wanted}' stands in several data sets", where=run, fix=f"Say {matches[0][0]}/{wanted}")
    return matches[0]
