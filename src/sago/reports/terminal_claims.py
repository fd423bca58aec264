"""What may be claimed, for a terminal: failed controls, three questions with their counts, sentences and small tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sago.reports.claim_counts import Scope, scope
from sago.reports.claim_tables import Grid, GridCell, Matrix, Place, Ranks, grid, matrices, rank_legend, ranks
from sago.reports.claims import Claims, Question, claims
from sago.reports.findings import Finding
from sago.reports.fitting import Column, fits, fitted
from sago.reports.numbers import DASH, Estimate, decimal, spelled
from sago.reports.summary import RunSummary
from sago.reports.terminal_marks import rank_line, verdict_text, without_repeats
from sago.reports.visible import visible_line
from sago.reports.words import meaning
from sago.schemas import Tables

_INDENT = 2
_MOST_SENTENCES = 4
_MOST_FAILED = 1
_FEW_MODELS = 3
"""Up to so many models stand side by side, with a row for each axis."""
_NARROW = 60
_MARKS = {"*": "not after Holm over all cells", "†": "without calibration the verdict is another", "✗": "a control of this cell failed"}


def claims_part(tables: Tables, summary: RunSummary, width: int) -> Iterator[RenderableType]:
    """Yields what the report begins with, for a terminal of so many columns; nothing where there is no finding."""
    said, about = claims(tables, summary), scope(tables)
    if not said.total:
        return
    yield from _alarm(said)
    for question, table in zip(said.questions, _tables(said, about, width), strict=True):
        yield Text()
        yield Text(question.asked, style="bold underline")
        yield Padding(Group(*_answer(question, said, width), *table), (0, 0, 0, _INDENT))
    yield Text()
    yield Text(
        f"All {said.total:,} findings with their tests: sago report RUN --format json, or folded on the page (--format html).", "dim"
    )


def _alarm(said: Claims) -> Iterator[RenderableType]:
    failed = said.soundness.failed
    if failed:
        yield Text()
        number = "A CONTROL" if len(failed) == 1 else f"{len(failed)} CONTROLS"
        yield Text(f"✗ {number} FAILED. {visible_line(said.soundness.line)}", style="bold red")
        lines = [Text(line, style="bold") for line in said.soundness.advice]
        lines += [Text(visible_line(finding.told), style="red") for finding in failed[:_MOST_FAILED]]
        if len(failed) > _MOST_FAILED:
            lines.append(Text(f"And {len(failed) - _MOST_FAILED} more: see the controls below.", style="red"))
        yield Padding(Group(*lines), (0, 0, 0, _INDENT))
    if said.soundness.others:
        yield Text()
    for line in said.soundness.others:
        sign = ("✓ ", "bold green") if said.soundness.passed and not failed else ("", "")
        yield Text.assemble(sign, (visible_line(line), "dim"))


def _answer(question: Question, said: Claims, width: int) -> Iterator[RenderableType]:
    for place, line in enumerate(question.counts):
        yield Text(visible_line(line), style="bold" if place == 0 else "")
    for line in question.nothing:
        yield Text(visible_line(line), style="dim")
    sentences = question.sentences(_MOST_SENTENCES)
    if sentences:
        yield Text()
        yield _sentences(sentences, said, width)


def _sentences(findings: Sequence[Finding], said: Claims, width: int) -> RenderableType:
    rows = []
    for finding in findings:
        doubt = (
            Text(" ✗ uses a cell whose control failed", style="red")
            if said.soundness.doubts(finding) and not finding.says_control_failed
            else Text()
        )
        rows.append((verdict_text(finding.verdict), Text(visible_line(finding.told)) + doubt))
    if width < _NARROW:
        return Group(*(Text.assemble(verdict, ": ", sentence) for verdict, sentence in rows))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for verdict, sentence in rows:
        table.add_row(verdict, sentence)
    return table


def _tables(said: Claims, about: Scope, width: int) -> tuple[list[RenderableType], list[RenderableType], list[RenderableType]]:
    unstable, independent, order = said.questions
    verdicts = grid(unstable.findings, about, said.soundness, said.alpha)
    return (
        _grid(verdicts, width) if verdicts is not None else [],
        [part for matrix in matrices(independent.findings) for part in _matrix(matrix, width)],
        _ranks(ranks(order.findings, about, said.soundness), width),
    )


def _grid(verdicts: Grid, width: int) -> list[RenderableType]:
    models = list(dict.fromkeys(model for _, rows in verdicts.groups for model, _ in rows))
    down = [_axes_down(verdicts, dict(rows), models) for _, rows in verdicts.groups]
    is_titled = verdicts.groups[0][0] is not None
    if not (is_titled and len(models) <= _FEW_MODELS and all(fits(columns, width) for columns in down)):
        down = [_axes_across(verdicts, rows) for _, rows in verdicts.groups]  # a narrow terminal leaves out axes, never a model
    titles = [None if dataset is None else Text(visible_line(dataset), style="bold cyan") for dataset, _ in verdicts.groups]
    used = {mark for cell in verdicts.cells for mark in _marks(cell)}
    legend = [Text(f"{mark} {says}", style="dim") for mark, says in _MARKS.items() if mark in used]
    table = fitted(list(zip(titles, down, strict=True)), width)
    return [table, *legend] if is_titled else [Text(), table, *legend]  # a titled table begins with an empty line itself


def _axes_across(verdicts: Grid, rows: Sequence[tuple[str, tuple[GridCell | None, ...]]]) -> list[Column]:
    columns = [
        Column(Text(visible_line(name)), [_cell(cells[place]) for _, cells in rows], drop=place)
        for place, name in enumerate(verdicts.columns)
    ]
    return [Column(Text("model"), [Text(visible_line(model)) for model, _ in rows]), *columns]


def _axes_down(verdicts: Grid, rows: dict[str, tuple[GridCell | None, ...]], models: Sequence[str]) -> list[Column]:
    nobody: tuple[GridCell | None, ...] = (None,) * len(verdicts.columns)
    axes = Column(Text("axis"), [Text(visible_line(name), style="bold") for name in verdicts.columns])
    cells = [
        Column(Text(visible_line(model)), [_cell(cell) for cell in rows.get(model, nobody)], drop=place)
        for place, model in enumerate(models)
    ]
    return [axes, *cells]


def _cell(cell: GridCell | None) -> Text:
    if cell is None:
        return Text(DASH, style="dim")
    if not cell.finding.is_tested:
        return verdict_text(cell.finding.verdict)
    return verdict_text(cell.finding.verdict) + Text(f" {decimal(cell.finding.estimate)}") + Text("".join(_marks(cell)), style="magenta")


def _marks(cell: GridCell) -> list[str]:
    return [mark for mark, holds in zip(_MARKS, (not cell.survives, cell.raw is not None, cell.is_doubtful), strict=True) if holds]


def _matrix(matrix: Matrix, width: int) -> list[RenderableType]:
    entries = [
        (f"{one} & {other}", pair)
        for place, one in enumerate(matrix.axes)
        for other in matrix.axes[place + 1 :]
        for pair in matrix.at(one, other)
    ]
    why = [meaning(pair.finding.reason) if pair.finding.reason and pair.finding.estimate is None else "" for _, pair in entries]
    columns = [
        Column(Text(f"axes, {visible_line(matrix.decoding)}"), without_repeats([name for name, _ in entries], "bold")),
        Column(Text("verdict"), [verdict_text(pair.finding.verdict) for _, pair in entries]),
        Column(Text("correlation"), [_correlation(pair.finding) for _, pair in entries], justify="right"),
        Column(Text("each model on each data set"), [Text(visible_line(pair.strata)) for _, pair in entries], drop=2),
    ]
    reasons = [Text(f"Not assessable: {visible_line(line)}.", style="dim") for line in dict.fromkeys(filter(None, why))]
    return [Text(), fitted([(None, columns)], width), *reasons]


def _correlation(finding: Finding) -> Text:
    return Text(spelled(Estimate(finding.estimate, finding.lower, finding.upper)))


def _ranks(tables: Sequence[Ranks], width: int) -> list[RenderableType]:
    if not tables:
        return []
    first = tables[0]
    columns = [Column(Text("model"), [Text(visible_line(model)) for model, _ in first.rows])]
    for place, dataset in enumerate(first.datasets):
        places, name = [row[place] for _, row in first.rows], visible_line(dataset)
        columns.append(Column(Text(name), [_rank(one) for one in places], justify="right"))
        if any(one is not None and one.raw for one in places):
            raw = [Text(one.raw if one is not None and one.raw else DASH, style="dim") for one in places]
            columns.append(Column(Text("raw"), raw, justify="right", drop=1 + place, name=f"the raw ranks on {name}"))
        lines = [rank_line(one) for one in places]
        columns.append(Column(Text(), lines, drop=1 + len(first.datasets) + place, name=f"the ranks on {name} drawn"))
    head = visible_line(first.decoding)
    title = Text.assemble(
        "Ranks by instability (calibrated) in ",
        (visible_line(first.axis), "bold"),
        f", {head}; 1 is the most stable, [every rank left open]",
    )
    legend = [Text(line, style="dim") for line in rank_legend(first)]
    rest = [f"{one.axis}, {one.decoding}" if one.decoding != first.decoding else one.axis for one in tables[1:]]
    lines = [Text(f"Ranks in {visible_line('; '.join(rest))}: on the page and in the JSON.", style="dim")] if rest else []
    return [Text(), title, fitted([(None, columns)], width), *legend, *lines]


def _rank(place: Place | None) -> Text:
    if place is None:
        return Text(DASH, style="dim")
    return Text(place.words) + Text(f"{' ≠' * place.differs}{' ✗' * place.is_doubtful}", style="magenta")
