"""``sago run``: a study, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import study_flags
from sago.errors import EXIT_OBSERVATIONS_IN_ERROR
from sago.study import Study, read_study

if TYPE_CHECKING:
    from sago.runs import Run


@study_flags()
def run(
    study: Annotated[Path | None, typer.Argument(help="A study file (YAML); flags override its fields.", show_default=False)] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Run folder. The same command goes on where it stopped.")] = Path("runs/latest"),
    *,
    changes: dict[str, Any],
) -> None:
    """Ask models the same questions in many wordings, score and report.

    [bold]Example:[/bold] sago run --model embedded --data questions.jsonl --reruns 3 --out runs/first
    """
    base = read_study(study) if study else Study()
    run_and_show(base.with_changes(changes), out)


def run_and_show(study: Study, out: Path) -> None:
    """Runs a study with progress bars and prints its report; leaves with code 4 if observations ended in error."""
    from rich.console import Console

    from sago.cli.bars import Bars
    from sago.cli.words import print_note, print_place
    from sago.reports import terminal_report
    from sago.runs import summary_of

    console = Console()
    progress_console = Console(stderr=True)
    with Bars(progress_console) as bars:
        finished = study.run(out, progress=bars, notify=lambda note: print_note(progress_console, note))
    console.print(terminal_report(finished.tables(), summary_of([finished])))
    print_place(console, "\nReport: ", finished.folder / "report.html")
    _leave_if_errors(finished)


def _leave_if_errors(finished: Run) -> None:
    failed = finished.observations.filter(finished.observations["status"] == "error")
    if failed.is_empty():
        return
    from rich.console import Console

    first = failed["error"].drop_nulls().head(1).to_list()
    Console(stderr=True).print(
        f"sago: {failed.height} of {finished.observations.height} observations ended in error ({first[0] if first else 'no message'}). "
        "They count as missing; give the same command again to ask them again.",
        highlight=False,
        markup=False,
    )
    raise typer.Exit(EXIT_OBSERVATIONS_IN_ERROR)
