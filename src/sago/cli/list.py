"""``sago list``: what is registered."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer


class Kind(StrEnum):
    """What can be listed."""

    models = "models"
    variations = "variations"
    features = "features"
    axes = "axes"
    datasets = "datasets"


def list_names(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; everything when left out.", show_default=False)] = None,
) -> None:
    """List models, variations, features, axes and data sets that can be named, with their parameters."""
    from rich.console import Console
    from rich.table import Table

    from sago import registry

    console = Console()
    for group in (kind.value,) if kind else registry.GROUPS:
        table = Table(title=group, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0), show_header=False)
        for name in registry.names(group):
            table.add_row(f"[bold]{name}[/bold]", _describe(registry.get(group, name)))
        console.print(table)
        console.print()


def _describe(plugin: Any) -> str:
    text = str(getattr(plugin, "description", "") or (plugin.__doc__ or "").strip().split("\n")[0])
    parameters = getattr(plugin, "parameters", None) or {}
    if parameters:
        text += " [dim](" + ", ".join(f"{name}={parameter.default}" for name, parameter in parameters.items()) + ")[/dim]"
    return text
