"""``sago import``: logs of other tools, or tables of answers, into a run folder without scoring them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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


def import_logs(
    logs: Annotated[
        list[str],
        typer.Argument(help="Logs of lm-eval, Inspect, HELM, promptfoo or DOVE, or files with one row a response.", show_default=False),
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
) -> None:
    """Read logs of other tools into a run folder, without scoring them: sago score FOLDER does that, as often as you like.

    [bold]Example:[/bold] sago import samples_arc_*.jsonl --out runs/arc
    """
    from rich.console import Console

    from sago.cli.bars import Bars
    from sago.cli.words import print_note, print_place
    from sago.pipeline import import_answers

    told = Console(stderr=True)
    options = read_options(columns, canonical, read_as, answer_pattern, format, metric, filter, trust_ids=trust_ids)
    with Bars(told) as bars:
        imported = import_answers(logs, out or default_folder(logs[0]), options=options, progress=bars)
    console = Console()
    print_sources(console, imported.manifest)
    for note in imported.manifest["notes"]:
        print_note(told, note)
    print_place(console, "Run folder: ", imported.folder)
