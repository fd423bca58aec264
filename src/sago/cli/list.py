"""``sago list``: what is registered."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Group

    from sago.axes.companions.companion import Companion


class Kind(StrEnum):
    """What can be listed."""

    models = "models"
    translators = "translators"
    variations = "variations"
    features = "features"
    axes = "axes"
    datasets = "datasets"
    measures = "measures"


def list_names(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; everything when left out.", show_default=False)] = None,
) -> None:
    """List models, variations, features, axes, measures and data sets that can be named, with their parameters."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from sago import registry
    from sago.cli.variation_examples import example_of
    from sago.cli.words import has_colours

    console = Console()
    for group in registry.GROUPS:
        if kind is not None and group != kind.value:
            continue
        table = Table(title=group, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        for name in registry.names(group):
            told = _questions(name) if group == Kind.datasets.value else None
            table.add_row(f"[bold]{name}[/bold]", told or _describe(registry.get(group, name)))
            if kind is Kind.variations and (example := example_of(name, has_colours=has_colours(console))):
                table.add_row("", Text.assemble(("e.g. ", "dim"), example))
        console.print(table)
        console.print()
    if kind in (None, Kind.measures):
        console.print(_measures(is_short=kind is None))


def _measures(*, is_short: bool) -> Group:
    """Returns the companions by axis: what stands beside the default measure of an axis where it is asked for by name."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from sago.axes import COMPANIONS

    parts: list[Text | Table] = [Text("measures beside the default ones: --measures NAME,NAME or all", style="bold")]
    if is_short:
        parts.append(Text("sago list measures says what each of them is", style="dim"))
    axes = sorted({one.axis for one in COMPANIONS.values()})
    for axis in axes:
        mine = sorted((one for one in COMPANIONS.values() if one.axis == axis), key=lambda one: one.name)
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True, style="bold", min_width=max(map(len, axes)))
        table.add_column()
        if is_short:
            table.add_row(axis, Text(", ".join(one.name for one in mine)))
        else:
            for one in mine:
                table.add_row(one.name, Text.assemble(f"{one.unit}, {_range(one)}; 0: {one.zero}", (_cited(one.source), "dim")))
            parts += [Text(), Text(axis, style="bold cyan")]
        parts.append(table)
    return Group(*parts)


def _range(one: Companion) -> str:
    ends = ["-inf" if one.lower is None else f"{one.lower:g}", "inf" if one.upper is None else f"{one.upper:g}"]
    return f"[{', '.join(ends)}]"


def _cited(source: str) -> str:
    """Returns who has published a measure, in brackets; nothing where it is this project's own.

    >>> _cited("own (METRICS 4)"), _cited("Kuhn et al., arXiv 2302.09664")
    ('', ' (Kuhn et al., arXiv 2302.09664)')
    """
    public = re.sub(r"\s*\(?METRICS [\d.]+(?:, star)?\)?", "", source).strip(" ;,")
    return "" if public == "own" else f" ({public})"


def _questions(name: str) -> str | None:
    """Returns what a built-in data set holds; null for others."""
    from sago.datasets import load
    from sago.datasets.builtin import NAMES

    kinds = {"choice": "with options", "numeric": "with a number as answer", "text": "with a short text as answer"}
    if name not in NAMES:
        return "your own file: give its path as --data (JSON lines, CSV, Parquet)" if name == "file" else None
    examples = load([name]).examples
    return f"built in: {examples.height} questions {kinds[examples['task'][0]]}"


def _describe(plugin: Any) -> str:
    text = str(getattr(plugin, "description", "") or (plugin.__doc__ or "").strip().split("\n")[0])
    parameters = getattr(plugin, "parameters", None) or {}
    if parameters:
        text += " [dim](" + ", ".join(f"{name}={parameter.default}" for name, parameter in parameters.items()) + ")[/dim]"
    return text
