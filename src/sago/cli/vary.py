"""``sago vary``: make variants, look at them, have people review them, keep them; no model under test."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import study_flags
from sago.errors import StudyError
from sago.study import Study

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console

    from sago.runs import VariantsFile
    from sago.variations import Varied
    from sago.variations.review import Review

_FIELDS = ("variations", "variants", "checks", "seed", "limit", "sample", "columns", "system")
_LEFT_OUT = tuple(name for name in Study.model_fields if name not in _FIELDS)
_PANEL = "Review by people"


@study_flags(leave_out=_LEFT_OUT)
def vary(
    data: Annotated[list[str], typer.Argument(help="Data files, built-in names, or - for standard input.", show_default=False)],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write them: FILE.parquet or FILE.jsonl.", show_default=False)] = None,
    show: Annotated[int, typer.Option("--show", min=0, help="Print this many examples with what changed.")] = 2,
    review: Annotated[
        Path | None,
        typer.Option(help="Write a sheet of wordings for people to judge: SHEET.csv.", show_default=False, rich_help_panel=_PANEL),
    ] = None,
    review_size: Annotated[int, typer.Option(min=1, help="Wordings on the sheet, drawn at random.", rich_help_panel=_PANEL)] = 100,
    apply: Annotated[
        Path | None,
        typer.Option(help="Take in a filled sheet: wordings with a no go out of use.", show_default=False, rich_help_panel=_PANEL),
    ] = None,
    *,
    changes: dict[str, Any],
) -> None:
    """Make the wordings of every question, look at them, have them reviewed, keep them in a file.

    [bold]Example:[/bold] sago vary questions.jsonl --variations typo,case --out variants.parquet
    """
    from rich.console import Console

    from sago.cli.preview import show_wordings
    from sago.cli.tables import counts_table, equivalence_table
    from sago.cli.words import print_note, print_place
    from sago.questions import stream_questions
    from sago.runs import VariantsFile
    from sago.stats.words import counted

    study = Study(data=data, **changes)
    if review is not None:
        _check_sheet(review)
    taken = _Taken(_read_review(apply), show, review_size if review is not None else 0, study.seed)
    with ExitStack() as stack:
        taken.file = None if out is None else stack.enter_context(VariantsFile(out))
        loaded = stream_questions(study, taken, tested=(), processes=None, by_name=out is not None)
        if taken.review is not None:
            taken.review.check_used()
    console = Console()
    for note in loaded.notes:
        print_note(Console(stderr=True), note)
    if taken.preview is not None:
        show_wordings(console, taken.preview)
    console.print(counts_table(taken.counts()))
    console.print(equivalence_table(taken.equivalence()))
    if out is not None and taken.file is not None:
        print_place(console, f"{counted(taken.file.rows, 'variant')}: ", out)
    if review is not None:
        _write_sheet(console, review, taken)


class _Taken:
    """Takes the variants part by part, and holds of them only what is printed at the end."""

    def __init__(self, review: Review | None, show: int, review_size: int, seed: int) -> None:
        self.review = review
        self.file: VariantsFile | None = None
        self.preview: pl.DataFrame | None = None
        self.drawn: pl.DataFrame | None = None
        self._left_to_show = show
        self._review_size = review_size
        self._seed = seed
        self._counts: list[pl.DataFrame] = []
        self._kinds: list[pl.DataFrame] = []
        self._rejected: list[pl.DataFrame] = []

    def __call__(self, part: Varied) -> None:
        import polars as pl

        from sago.variations.review import drawn_for_review

        varied = part if self.review is None else self.review.applied(part)
        if self.file is not None:
            self.file.add(varied)
        if self._left_to_show:
            some = varied.variants.select("dataset", "example").unique(maintain_order=True).head(self._left_to_show)
            shown = pl.concat([varied.variants, varied.rejected]).join(some, on=["dataset", "example"], how="semi", maintain_order="left")
            self.preview = shown if self.preview is None else pl.concat([self.preview, shown])
            self._left_to_show -= some.height
        if self._review_size:
            self.drawn = drawn_for_review(self.drawn, varied, self._review_size, self._seed)
        self._counts.append(varied.counts)
        for kept, table in ((self._kinds, varied.variants), (self._rejected, varied.rejected)):
            kept.append(table.select("dataset", "family", "position", "control", "checks", "judgements", "rejected"))

    def counts(self) -> pl.DataFrame:
        """Returns table ``variation_counts``."""
        from sago.variations import total_counts

        return total_counts(self._counts)

    def equivalence(self) -> pl.DataFrame:
        """Returns table ``equivalence``."""
        import polars as pl

        from sago.stats import equivalence_counts

        return equivalence_counts(pl.concat(self._kinds), pl.concat(self._rejected))


def _read_review(path: Path | None) -> Review | None:
    from sago.variations.review import Review

    if path is None:
        return None
    try:
        return Review(path.read_text(encoding="utf-8-sig"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"cannot be read: {error}", where=str(path), fix="Give a filled sheet, saved as CSV (UTF-8)") from error


def _check_sheet(path: Path) -> None:
    """Refuses a sheet that could not be written, before anything is made."""
    if path.suffix != ".csv":
        raise StudyError(f"a review sheet is a CSV file, not '{path.name}'", where="--review", fix="Name it SHEET.csv")
    if path.exists():
        raise StudyError("is there already", where=str(path), fix="Give another --review, so that nobody's work is lost")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        path.unlink()
    except OSError as error:
        raise StudyError(f"cannot write: {error.strerror or error}", where=str(path), fix="Give a path that can be written") from error


def _write_sheet(console: Console, path: Path, taken: _Taken) -> None:
    from sago.cli.words import plain, print_place
    from sago.stats.words import counted
    from sago.variations.review import TO_FILL, sheet_text

    if taken.drawn is None or taken.drawn.is_empty():
        console.print("Nothing is left to review.")
        return
    path.write_text("\ufeff" + sheet_text(taken.drawn), encoding="utf-8", newline="")
    print_place(console, f"{counted(taken.drawn.height, 'wording')} to review: ", path)
    console.print(
        f"Write yes or no (does it mean the same?) into {TO_FILL[0]}, a second person into {TO_FILL[1]}; then give the same command with "
        f"--apply {plain(str(path))} in place of --review.",
        markup=False,
    )
