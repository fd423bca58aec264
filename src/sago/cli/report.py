"""``sago report``: what one or several runs say, for the terminal, as a page, or as JSON."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sago.errors import StudyError


class Format(StrEnum):
    """How a report is given."""

    table = "table"
    html = "html"
    json = "json"


def report(
    runs: Annotated[list[Path], typer.Argument(help="One or several run folders of the same questions.", show_default=False)],
    format: Annotated[Format, typer.Option("--format", "-f", help="Terminal table, HTML page or JSON.")] = Format.table,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where the page or the JSON goes.", show_default=False)] = None,
) -> None:
    """Show what may be claimed of a run, or of several in one report, and the numbers behind it.

    [bold]Example:[/bold] sago report runs/first runs/second --format html --out both.html
    """
    from rich.console import Console

    from sago.pipeline import compared
    from sago.reports import terminal_report, to_json, write_html
    from sago.runs import Run, summary_of

    if format is Format.html and len(runs) > 1 and out is None:
        raise StudyError("one page about several runs belongs to none of their folders", where="--out", fix="Give --out FILE.html")
    opened = [Run(folder) for folder in runs]
    tables, summary = compared(opened), summary_of(opened)
    if format is Format.table:
        Console().print(terminal_report(tables, summary))
    elif format is Format.html:
        print(write_html(tables, summary, out or opened[0].folder / "report.html"))
    else:
        text = json.dumps(to_json(tables, summary), ensure_ascii=False, allow_nan=False, indent=2)
        if out is None:
            print(text)
        else:
            out.write_text(text + "\n", encoding="utf-8")
            print(out)
