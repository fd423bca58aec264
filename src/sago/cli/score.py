"""``sago score``: recorded answers, or those of a run, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import read_columns, study_flags
from sago.errors import StudyError
from sago.study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from sago.runs import Run

_FIELDS = ("axes", "measures", "nli", "generation_measure", "non_answers", "smallest_effect", "margin", "alpha", "seed", "limit")
_LEFT_OUT = tuple(name for name in Study.model_fields if name not in _FIELDS)
_VARIANTS_SHOWN = 12
_PANEL = "How to read the answers"


@study_flags(leave_out=_LEFT_OUT)
def score(
    answers: Annotated[
        list[str],
        typer.Argument(
            help="Files of answers (CSV, JSON lines, Parquet, also .gz), - for standard input, or a run folder.", show_default=False
        ),
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Run folder. [dim]\\[runs/FILE][/dim]", show_default=False)] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="Names of the file's own columns: response=output,target=gold.", show_default=False, rich_help_panel=_PANEL),
    ] = None,
    canonical: Annotated[
        str | None,
        typer.Option(
            help="Variant that is the original wording. [dim]\\[canonical, original, base, baseline or 0][/dim]",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None,
    read_as: Annotated[
        str | None,
        typer.Option(
            help="How a response states its answer: auto, letter, number, text, json. [dim]\\[auto][/dim]",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None,
    answer_pattern: Annotated[
        str | None,
        typer.Option(
            help="Regular expression: the first group of its last match is the answer.", show_default=False, rich_help_panel=_PANEL
        ),
    ] = None,
    *,
    changes: dict[str, Any],
) -> None:
    """Score recorded answers, or a run again, without a model.

    [bold]Example:[/bold] sago score answers.jsonl --canonical plain --out runs/theirs
    """
    from rich.console import Console

    from sago.cli.bars import Bars
    from sago.cli.words import print_note, print_place
    from sago.pipeline import score_answers, score_run
    from sago.reports import terminal_report
    from sago.runs import ReadOptions, summary_of

    told = Console(stderr=True)
    with Bars(told) as bars:
        if len(answers) == 1 and Path(answers[0]).is_dir():
            given = {"--out": out, "--columns": columns, "--canonical": canonical, "--read-as": read_as, "--answer-pattern": answer_pattern}
            _refuse_for_run(answers[0], given)
            finished = score_run(answers[0], changes, progress=bars)
        else:
            fields: dict[str, Any] = {"columns": read_columns(columns) if columns else {}, "canonical": canonical}
            options = ReadOptions(**fields, read_as=read_as or "auto", answer_pattern=answer_pattern)  # type: ignore[arg-type]
            finished = score_answers(answers, out or _default_folder(answers[0]), options=options, study=Study(**changes), progress=bars)
    console = Console()
    console.print(terminal_report(finished.tables(), summary_of([finished])))
    _print_reading(console, finished)
    for note in finished.manifest["notes"] if told.is_terminal and not console.is_terminal else ():
        print_note(told, note)
    print_place(console, "\nReport: ", finished.folder / "report.html")


def _refuse_for_run(folder: str, given: dict[str, Any]) -> None:
    wrong = [name for name, value in given.items() if value is not None]
    if wrong:
        raise StudyError(f"{', '.join(wrong)} is for files of answers", where=folder, fix="Leave it out, or give the files again")


def _default_folder(source: str) -> Path:
    from sago.datasets.reading import stem

    return Path("runs") / stem(source)


def _print_reading(console: Console, finished: Run) -> None:
    """Prints which columns were understood, and how many responses could not be read."""
    from rich.text import Text

    from sago.cli.words import plain
    from sago.reports.counts import unparsed_by_variant

    for source in finished.manifest.get("recorded", ()):
        known = [field if field == column else f"{field} from '{column}'" for field, column in source["columns"].items()]
        left = f"; not used: {', '.join(source['unused'])}" if source["unused"] else ""
        console.print(Text(plain(f"{source['path']}: {source['rows']:,} rows, {', '.join(known)}{left}")), soft_wrap=True)
    shares = unparsed_by_variant(finished.features)
    if shares:
        lost = [f"{share.variant} {share.unparsed} of {share.read}" for share in shares if share.unparsed]
        more = f" and {len(lost) - _VARIANTS_SHOWN} more variants" if len(lost) > _VARIANTS_SHOWN else ""
        told = f"Responses from which no answer could be read: {', '.join(lost[:_VARIANTS_SHOWN]) or 'none'}{more}"
        console.print(Text(plain(told)), soft_wrap=True)
