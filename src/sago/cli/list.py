"""``sago list``: what is registered."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table


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

    from sago import registry

    console = Console()
    if kind is Kind.measures:
        console.print(_measures())
        return
    for group in registry.GROUPS:
        if kind is not None and group != kind.value:
            continue
        table = Table(title=group, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0), show_header=False)
        for name in registry.names(group):
            table.add_row(f"[bold]{name}[/bold]", _describe(registry.get(group, name)))
        console.print(table)
        console.print()


def _measures() -> Table:
    """Returns the companions by axis: what stands beside the default measure of an axis where it is asked for by name."""
    from rich.markup import escape
    from rich.table import Table

    from sago.axes import COMPANIONS

    table = Table(title="measures (--measures NAME,NAME or all)", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for column in ("name", "axis", "range", "unit", "0 says", "source"):
        table.add_column(column, justify="left", overflow="fold", no_wrap=column == "name")
    for one in sorted(COMPANIONS.values(), key=lambda one: (one.axis, one.name)):
        ends = ["-inf" if one.lower is None else f"{one.lower:g}", "inf" if one.upper is None else f"{one.upper:g}"]
        table.add_row(f"[bold]{one.name}[/bold]", one.axis, escape(f"[{', '.join(ends)}]"), one.unit, one.zero, escape(one.source))
    return table


def _describe(plugin: Any) -> str:
    text = str(getattr(plugin, "description", "") or (plugin.__doc__ or "").strip().split("\n")[0])
    parameters = getattr(plugin, "parameters", None) or {}
    if parameters:
        text += " [dim](" + ", ".join(f"{name}={parameter.default}" for name, parameter in parameters.items()) + ")[/dim]"
    return text
