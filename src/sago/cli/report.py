"""``sago report``: what one or several runs say, for the terminal, as a page, as JSON, or in the forms of other programs."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.errors import StudyError

if TYPE_CHECKING:
    from sago.reports import RunSummary
    from sago.schemas import Tables


class Format(StrEnum):
    """How a report is given."""

    table = "table"
    html = "html"
    json = "json"
    csv = "csv"
    parquet = "parquet"
    lm_eval = "lm-eval"
    every_eval_ever = "every-eval-ever"


def report(
    runs: Annotated[list[Path], typer.Argument(help="One or several run folders of the same questions.", show_default=False)],
    format: Annotated[
        Format,
        typer.Option(
            "--format", "-f", help="Terminal table, HTML page, JSON; or for other programs: tidy tables, results of lm-eval, records."
        ),
    ] = Format.table,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where the page or the JSON goes; a folder for tables and records.", show_default=False),
    ] = None,
    log_to: Annotated[
        str | None,
        typer.Option("--log-to", help="Log the profile to a tracker as well: wandb:PROJECT or mlflow:EXPERIMENT.", show_default=False),
    ] = None,
) -> None:
    """Show what may be claimed of a run, or of several in one report, and the numbers behind it.

    [bold]Example:[/bold] sago report runs/first runs/second --format html --out both.html
    """
    from rich.console import Console

    from sago.pipeline import compared
    from sago.reports import terminal_report, to_json, write_html
    from sago.reports.exports import log_to as log
    from sago.runs import Run, summary_of

    if format is Format.html and len(runs) > 1 and out is None:
        raise StudyError("one page about several runs belongs to none of their folders", where="--out", fix="Give --out FILE.html")
    if format in _FOLDERS and out is None:
        raise StudyError(f"{format} is written as files", where="--out", fix="Give --out FOLDER")
    opened = [Run(folder) for folder in runs]
    tables, summary = compared(opened), summary_of(opened)
    if format is Format.table:
        Console().print(terminal_report(tables, summary))
    elif format is Format.html:
        print(write_html(tables, summary, out or opened[0].folder / "report.html"))
    elif format in _FOLDERS and out is not None:
        for path in _write_files(format, tables, summary, out):
            print(path)
    else:
        _give(to_json(tables, summary) if format is Format.json else _results(tables, summary), out)
    if log_to is not None:
        print(log(log_to, tables, summary))


_FOLDERS = (Format.csv, Format.parquet, Format.every_eval_ever)


def _give(report: dict[str, Any], out: Path | None) -> None:
    text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=2)
    if out is None:
        print(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")
        print(out)


def _write_files(format: Format, tables: Tables, summary: RunSummary, out: Path) -> list[Path]:
    from sago.reports.exports import write_every_eval_ever, write_tables

    if format is Format.every_eval_ever:
        return write_every_eval_ever(tables, summary, out)
    return write_tables(tables, out, "csv" if format is Format.csv else "parquet")


def _results(tables: Tables, summary: RunSummary) -> dict[str, Any]:
    from sago.reports.exports import lm_eval_results

    models = tables.profiles["model"].unique(maintain_order=True).to_list()
    if len(models) != 1:
        raise StudyError(f"a results file of lm-eval is about one model, and these are {len(models)}", fix="Give the runs of one model")
    return lm_eval_results(tables, summary, models[0])
