"""``sago score``: recorded answers, or those of a run, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import study_flags
from sago.cli.reading import (
    CanonicalFlag,
    ColumnsFlag,
    FilterFlag,
    FormatFlag,
    MetricFlag,
    PatternFlag,
    ReadAsFlag,
    TrustFlag,
    default_folder,
    print_sources,
    read_options,
)
from sago.errors import StudyError
from sago.study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from sago.runs import Run

_FIELDS = ("axes", "measures", "nli", "generation_measure", "non_answers", "smallest_effect", "margin", "alpha", "seed", "limit")
_LEFT_OUT = tuple(name for name in Study.model_fields if name not in _FIELDS)
_VARIANTS_SHOWN = 12


@study_flags(leave_out=_LEFT_OUT)
def score(
    answers: Annotated[
        list[str],
        typer.Argument(
            help="Files of answers (CSV, JSON lines, Parquet, also .gz; logs of lm-eval, Inspect, HELM, promptfoo, DOVE), "
            "- for standard input, or a run folder.",
            show_default=False,
        ),
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Run folder. [dim]\\[runs/FILE][/dim]", show_default=False)] = None,
    columns: ColumnsFlag = None,
    canonical: CanonicalFlag = None,
    read_as: ReadAsFlag = None,
    answer_pattern: PatternFlag = None,
    format: FormatFlag = None,
    metric: MetricFlag = None,
    filter: FilterFlag = None,
    trust_ids: TrustFlag = False,
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
    from sago.runs import summary_of

    told = Console(stderr=True)
    with Bars(told) as bars:
        if len(answers) == 1 and Path(answers[0]).is_dir():
            given = {"--columns": columns, "--canonical": canonical, "--read-as": read_as, "--answer-pattern": answer_pattern}
            logs = {"--format": format, "--metric": metric, "--filter": filter, "--trust-ids": trust_ids or None}
            _refuse_for_run(answers[0], {"--out": out, **given, **logs})
            finished = score_run(answers[0], changes, progress=bars)
        else:
            options = read_options(columns, canonical, read_as, answer_pattern, format, metric, filter, trust_ids=trust_ids)
            finished = score_answers(answers, out or default_folder(answers[0]), options=options, study=Study(**changes), progress=bars)
    console = Console()
    console.print(terminal_report(finished.tables(), summary_of([finished])))
    print_sources(console, finished.manifest)
    _print_unparsed(console, finished)
    for note in finished.manifest["notes"] if told.is_terminal and not console.is_terminal else ():
        print_note(told, note)
    print_place(console, "\nReport: ", finished.folder / "report.html")


def _refuse_for_run(folder: str, given: dict[str, Any]) -> None:
    wrong = [name for name, value in given.items() if value is not None]
    if wrong:
        raise StudyError(f"{', '.join(wrong)} is for files of answers", where=folder, fix="Leave it out, or give the files again")


def _print_unparsed(console: Console, finished: Run) -> None:
    """Prints how many responses could not be read."""
    from rich.text import Text

    from sago.cli.words import plain
    from sago.reports.counts import unparsed_by_variant

    shares = unparsed_by_variant(finished.features)
    if shares:
        lost = [f"{share.variant} {share.unparsed} of {share.read}" for share in shares if share.unparsed]
        more = f" and {len(lost) - _VARIANTS_SHOWN} more variants" if len(lost) > _VARIANTS_SHOWN else ""
        told = f"Responses from which no answer could be read: {', '.join(lost[:_VARIANTS_SHOWN]) or 'none'}{more}"
        console.print(Text(plain(told)), soft_wrap=True)
