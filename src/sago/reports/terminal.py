"""The report for a terminal, as a rich renderable; nothing is printed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.text import Text

from sago.reports.cells import (
    AccuracyRow,
    ControlGroup,
    ProfileRow,
    absent_lines,
    accuracy_rows,
    control_groups,
    control_kinds,
    datasets_of,
    judged_kinds,
    models_of,
    never_judged,
    profile_rows,
    split_unobserved,
)
from sago.reports.counts import StatusCount, status_counts
from sago.reports.equivalence import equivalence_lines, least_words
from sago.reports.fitting import Column, fitted
from sago.reports.numbers import DASH, decimal, interval, percent, spelled
from sago.reports.summary import RunSummary
from sago.reports.terminal_claims import claims_part
from sago.reports.terminal_marks import Footnotes, scale, scale_head, verdict_text, without_repeats
from sago.reports.visible import visible_line
from sago.reports.words import AXES, CONTROLS, HOW_TO_READ, NOT_INFORMATIVE, STATUSES, TERMS, meaning
from sago.schemas import Tables

_INDENT = 2
_FEW_MODELS = 3
"""Up to so many models have a table each."""


def terminal_report(tables: Tables, summary: RunSummary) -> RenderableType:
    """Returns what may be claimed, then the headline profile, controls, accuracy and statuses; it fits itself to the terminal's width.

    Print it with ``rich.console.Console().print``. Nulls are dashes with a mark that leads to their reason in words.
    """
    return TerminalReport(tables, summary)


class TerminalReport:
    """A renderable that chooses its columns when it knows how wide the terminal is."""

    def __init__(self, tables: Tables, summary: RunSummary) -> None:
        self._tables = tables
        self._summary = summary

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the parts of the report."""
        width = options.max_width - _INDENT
        yield from _head(self._tables, self._summary)
        yield from claims_part(self._tables, self._summary, width)
        rows, left_out = split_unobserved(profile_rows(self._tables))
        notes = Footnotes()
        yield _part("Profile", "does another wording change more than asking twice?", _profile(rows, notes, width))
        if not rows:
            yield Padding(Text("Nothing was scored: there is no profile.", style="yellow"), (0, 0, 0, _INDENT))
        yield Padding(
            Group(Text(), *(Text(visible_line(line), style="dim") for line in absent_lines(left_out)), *notes.lines(), *_legend(rows)),
            (0, 0, 0, _INDENT),
        )
        if said := equivalence_lines(self._tables):
            yield _part("Wordings", "do they mean the same?", _equivalence(said, rows))
        groups = control_groups(self._tables)
        if groups:
            yield _part("Controls", "is the measurement sound?", _controls(groups, width))
        if accuracy := accuracy_rows(self._tables):
            yield _part("Accuracy beside stability", "a stable model need not be a good one", _accuracy(accuracy, width))
        if counts := status_counts(self._tables):
            yield _part("What came back", "calls by status", _statuses(counts, width))


def _head(tables: Tables, summary: RunSummary) -> Iterable[RenderableType]:
    yield Text()
    yield Text.assemble(("SAGO", "bold"), "  ", visible_line(summary.name), ("  " + visible_line(summary.created), "dim"))
    models, datasets = len(models_of(tables)), len(datasets_of(tables))
    parts = [f"{models} model{'s' * (models != 1)}", f"{datasets} data set{'s' * (datasets != 1)}"]
    effect = summary.study.get("smallest_effect")
    if isinstance(effect, int | float):
        parts.append(f"verdicts against a smallest instability of interest of {decimal(float(effect))}")
    yield Text(", ".join(parts), style="dim")
    for note in summary.notes:
        yield Text(f"note: {visible_line(note)}", style="dim")


def _part(title: str, question: str, content: RenderableType) -> RenderableType:
    heading = Text.assemble((title, "bold underline"), (f"  {question}", "dim"))
    return Group(Text(), heading, Padding(content, (0, 0, 0, _INDENT)))


def _legend(rows: Sequence[ProfileRow]) -> list[Text]:
    shown = {row.axis for row in rows}
    asked = [f"{axis}: {compared}" for axis, compared in AXES.items() if axis in shown]
    terms = [f"{term}: {says}." for term, says in TERMS.items()]
    lines = [*HOW_TO_READ, *(["; ".join(asked) + "."] if asked else []), *terms]
    return [Text(), Text("How to read it", style="bold"), *(Text(line, style="dim") for line in lines)]


def _blocks(rows: Sequence[Any], columns: Callable[[list[Any]], list[Column]]) -> list[tuple[Text | None, list[Column]]]:
    """Returns a table for each model on each data set; of many models, a table for each data set with a row for each model."""
    if len({row.model for row in rows}) > _FEW_MODELS:
        return _blocks_by_dataset(rows, columns)
    groups: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        groups.setdefault((row.model, row.dataset), []).append(row)
    return [
        (Text.assemble((visible_line(model), "bold cyan"), " on ", (visible_line(dataset), "bold cyan")), columns(group))
        for (model, dataset), group in groups.items()
    ]


def _blocks_by_model(rows: Sequence[Any], columns: Callable[[list[Any]], list[Column]]) -> list[tuple[Text | None, list[Column]]]:
    """Returns a table for each model, its data sets in the first column; of many models, a table for each data set."""
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.model, []).append(row)
    if len(groups) > _FEW_MODELS:
        return _blocks_by_dataset(rows, columns)
    return [
        (
            Text(visible_line(model), style="bold cyan"),
            [Column(Text("data set"), without_repeats([row.dataset for row in group], "bold")), *columns(group)],
        )
        for model, group in groups.items()
    ]


def _blocks_by_dataset(rows: Sequence[Any], columns: Callable[[list[Any]], list[Column]]) -> list[tuple[Text | None, list[Column]]]:
    """Returns a table for each data set, models in the first column; what all rows share stands in the headings."""
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.dataset, []).append(row)
    values = {name: {getattr(row, name) for row in rows} for name in ("axis", "decoding") if hasattr(rows[0], name)}
    shared = {name: found.pop() for name, found in values.items() if len(found) == 1}
    blocks: list[tuple[Text | None, list[Column]]] = []
    for dataset, group in groups.items():
        title = Text.assemble((visible_line(dataset), "bold cyan"), *(f", {value}" for value in shared.values()))
        own = [column for column in columns(group) if column.head.plain not in shared]
        blocks.append((title, [Column(Text("model"), [Text(visible_line(row.model)) for row in group]), *own]))
    return blocks


def _profile(rows: Sequence[ProfileRow], notes: Footnotes, width: int) -> RenderableType:
    return fitted(_blocks(rows, lambda group: _profile_columns(group, notes)), width)


def _profile_columns(rows: list[ProfileRow], notes: Footnotes) -> list[Column]:
    brackets = max(len(interval(row.across)) for row in rows)
    wide = max(len(interval(row.instability)) for row in rows)
    return [
        Column(Text("axis"), without_repeats([row.axis for row in rows], "bold")),
        Column(Text("decoding"), [Text(row.decoding) for row in rows]),
        Column(Text("n"), [_count(row, notes) for row in rows], justify="right"),
        Column(Text("across"), [_pair(row.across.value, interval(row.across), brackets) for row in rows], justify="right", drop=5),
        Column(Text("rerun"), [Text(decimal(row.rerun)) + notes.marks(*row.rerun_codes) for row in rows], justify="right", drop=6),
        Column(Text("unrelated"), [Text(decimal(row.unrelated)) for row in rows], justify="right", drop=7),
        Column(Text("instability"), [_instability(row, wide, notes) for row in rows], justify="right"),
        Column(Text("verdict"), [verdict_text(row.verdict) + notes.marks(*row.verdict_codes) for row in rows], drop=1),
        Column(Text(scale_head()), [scale(row.instability) for row in rows], drop=9, name="the intervals drawn"),
    ]


def _equivalence(said: Mapping[str, str], rows: Sequence[ProfileRow]) -> RenderableType:
    parts: list[Text] = []
    for dataset, line in said.items():
        left = [f"{row.axis} ({row.decoding}) {least_words(row.least)}" for row in rows if row.dataset == dataset and row.least is not None]
        more = f" Instability is then, on {'; '.join(left)}." if left and len({row.model for row in rows}) == 1 else ""
        parts.append(Text.assemble((visible_line(dataset), "bold cyan"), "  ", line + more))
    return Group(*parts)


def _count(row: ProfileRow, notes: Footnotes) -> Text:
    whole = f"{row.n}/{row.n + row.n_left_out}" if row.n_left_out else f"{row.n}"
    return Text(whole) + notes.marks(*row.count_codes)


def _pair(value: float | None, brackets: str, width: int) -> Text:
    return Text.assemble(decimal(value), (f" {brackets:>{width}}" if width else "", "dim"))


def _instability(row: ProfileRow, width: int, notes: Footnotes) -> Text:
    if row.instability.value is None:
        return Text(DASH) + notes.marks(*([row.reason] if row.reason else []))
    text = _pair(row.instability.value, interval(row.instability), width)
    text.stylize("bold", 0, len(decimal(row.instability.value)))
    return text


def _controls(groups: list[ControlGroup], width: int) -> RenderableType:
    kinds, notes = judged_kinds(groups) or control_kinds(groups), Footnotes()

    def columns(part: list[ControlGroup]) -> list[Column]:
        return [
            Column(Text("axis"), without_repeats([group.axis for group in part], "bold")),
            Column(Text("decoding"), [Text(group.decoding) for group in part]),
            Column(Text("n"), [Text(_counted(group, kinds)) for group in part], justify="right"),
            *(Column(Text(kind), [_control(group, kind, notes) for group in part], drop=place) for place, kind in enumerate(kinds)),
        ]

    legend = [Text(f"{kind}: {CONTROLS[kind]}", style="dim") for kind in kinds if kind in CONTROLS]
    for kind, why in never_judged(groups):
        legend.append(Text(f"{kind}: {NOT_INFORMATIVE} in any cell: {visible_line(meaning(why))}", style="dim"))
    table = fitted(_blocks(groups, columns), width)
    return Group(table, Text(), *notes.lines(), *legend)


def _counted(group: ControlGroup, kinds: Sequence[str]) -> str:
    """Returns the examples of the controls: one number where it is the same for all of them."""
    counts = [group.controls[kind].n for kind in kinds if kind in group.controls]
    return "/".join(f"{count}" for count in (counts[:1] if len(set(counts)) == 1 else counts))


def _control(group: ControlGroup, kind: str, notes: Footnotes) -> Text:
    control = group.controls.get(kind)
    if control is None:
        return Text(DASH, style="dim")
    if not control.is_informative:
        return Text(NOT_INFORMATIVE, style="dim") + notes.marks(control.why)
    sign, style = ("✓", "green") if control.verdict == "pass" else ("✗", "bold red")
    return Text.assemble((sign, style), f" {spelled(control.estimate)}")


def _accuracy(rows: list[AccuracyRow], width: int) -> RenderableType:
    def columns(part: list[AccuracyRow]) -> list[Column]:
        def column(head: str, value: Callable[[AccuracyRow], str], drop: int = 0) -> Column:
            return Column(Text(head), [Text(value(row)) for row in part], justify="right", drop=drop)

        return [
            Column(Text("decoding"), [Text(row.decoding) for row in part]),
            column("n", lambda row: f"{row.n}"),
            column("original", lambda row: spelled(row.canonical)),
            column("mean", lambda row: spelled(row.mean), 3),
            column("every", lambda row: decimal(row.worst), 4),
            column("any", lambda row: decimal(row.best), 5),
            column("stably right", lambda row: decimal(row.stable_correct), 7),
            column("stably wrong", lambda row: decimal(row.stable_wrong), 6),
            column("instability", lambda row: spelled(row.instability), 2),
        ]

    legend = [
        "Share right: on the original wording, mean over wordings, on every wording, on any wording.",
        "n: examples with a right answer given. Stably wrong: the same wrong answer to every wording.",
        "instability: of the answers (generation), from above.",
    ]
    return Group(fitted(_blocks_by_model(rows, columns), width), Text(), *(Text(line, style="dim") for line in legend))


def _statuses(counts: list[StatusCount], width: int) -> RenderableType:
    seen = [status for status in STATUSES if any(row.counts[status] for row in counts)]

    def columns(part: list[StatusCount]) -> list[Column]:
        return [
            Column(Text("decoding"), [Text(row.decoding) for row in part]),
            Column(Text("calls"), [Text(f"{row.observations}") for row in part], justify="right"),
            *(Column(Text(status), [_share(row, row.counts[status]) for row in part], justify="right") for status in seen),
            Column(Text("unparsed"), [_share(row, row.unparsed) for row in part], justify="right"),
        ]

    never = [status for status in STATUSES if status not in seen]
    lines = ["Unparsed: a response came, but no answer could be read from it."]
    if never:
        lines.append(f"No call at all with status {', '.join(never)}.")
    return Group(fitted(_blocks_by_model(counts, columns), width), Text(), *(Text(line, style="dim") for line in lines))


def _share(row: StatusCount, count: int | None) -> Text:
    if count is None:
        return Text(DASH)
    return Text(f"{count} ({percent(count, row.observations)})" if count else "0", style="" if count else "dim")
