"""``sago vary``: make variants, look at them, keep them; no model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import study_flags
from sago.errors import StudyError
from sago.study import Study

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console

_FIELDS = ("variations", "seed", "limit", "sample", "columns", "system")
_LEFT_OUT = tuple(name for name in Study.model_fields if name not in _FIELDS)


@study_flags(leave_out=_LEFT_OUT)
def vary(
    data: Annotated[list[str], typer.Argument(help="Data files, built-in names, or - for standard input.", show_default=False)],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write them: FILE.parquet or FILE.jsonl.", show_default=False)] = None,
    show: Annotated[int, typer.Option("--show", min=0, help="Print this many examples with what changed.")] = 2,
    *,
    changes: dict[str, Any],
) -> None:
    """Make the wordings of every question, without a model.

    [bold]Example:[/bold] sago vary questions.jsonl --variations typo,case --out variants.parquet
    """
    from rich.console import Console

    from sago.cli.tables import counts_table
    from sago.cli.words import print_note, print_place
    from sago.pipeline import questions_of

    if out is not None and out.suffix not in (".parquet", ".jsonl"):
        raise StudyError(f"cannot tell the format of '{out.name}'", where="--out", fix="Name it FILE.parquet or FILE.jsonl")
    loaded, varied = questions_of(Study(data=data, **changes), tested=())
    console = Console()
    for note in loaded.notes:
        print_note(Console(stderr=True), note)
    _show(console, varied.variants, show)
    console.print(counts_table(varied.counts))
    if out is not None:
        _write(varied.variants, out)
        print_place(console, f"{varied.variants.height:,} variants: ", out)


def _write(variants: pl.DataFrame, out: Path) -> None:
    from sago.schemas import parquet_metadata

    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if out.suffix == ".parquet":
            variants.write_parquet(out, metadata=parquet_metadata("variants"))
        else:
            variants.write_ndjson(out)
    except OSError as error:
        raise StudyError(f"cannot write: {error.strerror or error}", where=str(out), fix="Give a path that can be written") from error


def _show(console: Console, variants: pl.DataFrame, examples: int) -> None:
    from rich.text import Text

    from sago.cli.words import plain
    from sago.differences import difference

    styles = {"same": "", "inserted": "green", "deleted": "red strike", "replaced": "yellow"}
    for (dataset, example), rows in list(variants.group_by("dataset", "example", maintain_order=True))[:examples]:
        console.rule(Text(plain(f"{dataset} / {example}")), align="left")
        prompts = {row["variant"]: row["messages"][-1]["content"] for row in rows.sort("position").iter_rows(named=True)}
        canonical = prompts.pop("canonical")
        console.print(Text("canonical", style="bold"))
        console.print(Text(plain(canonical)))
        for name, prompt in prompts.items():
            console.print(Text(f"\n{name}", style="bold"))
            console.print(Text.assemble(*((plain(span.text), styles.get(span.kind, "")) for span in difference(canonical, prompt))))
    if examples and not variants.is_empty():
        console.print()
