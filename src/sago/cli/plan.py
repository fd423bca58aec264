"""``sago plan``: what a study would ask, before anything is spent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sago.cli.flags import study_flags
from sago.study import Study, read_study


@study_flags()
def plan(
    study: Annotated[Path | None, typer.Argument(help="A study file (YAML); flags override its fields.", show_default=False)] = None,
    *,
    changes: dict[str, Any],
) -> None:
    """Count examples, wordings, calls and tokens of a study; loads no model and runs nothing."""
    from rich.console import Console

    from sago.cli.tables import counts_table
    from sago.cli.words import print_note

    planned = (read_study(study) if study else Study()).with_changes(changes).plan()
    console = Console()
    for note in planned.notes:
        print_note(console, note)
    console.print(counts_table(planned.counts))
    console.print(
        f"{planned.examples:,} examples, {planned.wordings:,} prompts (controls included), {planned.calls:,} calls, "
        f"about {planned.prompt_characters // 4:,} prompt tokens, at most {planned.new_tokens:,} new tokens. Nothing was run.",
        highlight=False,
    )
