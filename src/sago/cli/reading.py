"""Flags that say how files of answers are read: the same for ``score`` and ``import``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import read_columns

if TYPE_CHECKING:
    from rich.console import Console

    from sago.runs import ReadOptions

_PANEL = "How to read the answers"
_LOGS = "Logs of other tools"

ColumnsFlag = Annotated[
    str | None,
    typer.Option(help="Names of the file's own columns: response=output,target=gold.", show_default=False, rich_help_panel=_PANEL),
]
CanonicalFlag = Annotated[
    str | None,
    typer.Option(
        help="Variant that is the original wording. [dim]\\[canonical, original, base, baseline or 0][/dim]",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
ReadAsFlag = Annotated[
    str | None,
    typer.Option(
        help="How a response states its answer: auto, letter, number, text, json. [dim]\\[auto][/dim]",
        show_default=False,
        rich_help_panel=_PANEL,
    ),
]
PatternFlag = Annotated[
    str | None,
    typer.Option(help="Regular expression: the first group of its last match is the answer.", show_default=False, rich_help_panel=_PANEL),
]
FormatFlag = Annotated[
    str | None,
    typer.Option(
        help="What the files are: table, lm-eval, inspect, helm, promptfoo, dove. [dim]\\[as their content says][/dim]",
        show_default=False,
        rich_help_panel=_LOGS,
    ),
]
MetricFlag = Annotated[
    str | None,
    typer.Option(
        help="Score or scorer of the log that says whether an answer is right. [dim]\\[the first][/dim]",
        show_default=False,
        rich_help_panel=_LOGS,
    ),
]
FilterFlag = Annotated[
    str | None,
    typer.Option(help="lm-eval: filter whose reading counts. [dim]\\[the first][/dim]", show_default=False, rich_help_panel=_LOGS),
]
TrustFlag = Annotated[
    bool,
    typer.Option(
        "--trust-ids",
        help="Join logs by id alone, though they hold a question in other words.",
        show_default=False,
        rich_help_panel=_LOGS,
    ),
]


def read_options(
    columns: str | None,
    canonical: str | None,
    read_as: str | None,
    answer_pattern: str | None,
    format: str | None,
    metric: str | None,
    filter: str | None,
    *,
    trust_ids: bool,
) -> ReadOptions:
    """Returns what the flags say.

    Raises:
        StudyError: If one of them has a value that cannot be used.
    """
    from sago.runs import ReadOptions

    logs: dict[str, Any] = {"format": format, "metric": metric, "filter": filter, "trust_ids": trust_ids}
    fields: dict[str, Any] = {"columns": read_columns(columns) if columns else {}, "canonical": canonical, **logs}
    return ReadOptions(**fields, read_as=read_as or "auto", answer_pattern=answer_pattern)  # type: ignore[arg-type]


def default_folder(source: str) -> Path:
    """Returns the run folder of a file where none was given: ``runs/NAME``."""
    from sago.datasets.reading import stem

    return Path("runs") / stem(source)


def print_sources(console: Console, manifest: Mapping[str, Any]) -> None:
    """Prints which columns were understood of every file."""
    from rich.text import Text

    from sago.cli.words import plain

    for source in manifest.get("recorded", ()):
        known = [field if field == column else f"{field} from '{column}'" for field, column in source["columns"].items()]
        left = f"; not used: {', '.join(source['unused'])}" if source["unused"] else ""
        console.print(Text(plain(f"{source['path']}: {source['rows']:,} rows, {', '.join(known)}{left}")), soft_wrap=True)
