"""Wordings for the eye: each beside the original one, with what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from rich.text import Text

from sago.cli.words import plain
from sago.differences import Span, difference, in_phrases

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"same": "", "inserted": "green", "deleted": "red strike", "replaced": "yellow"}


def show_wordings(console: Console, variants: pl.DataFrame) -> None:
    """Prints every wording of some examples with its differences from the original one.

    In colours where the terminal has them; else what went stands as ``[-old-]`` and what came as ``{+new+}``.

    Args:
        console: Where to print.
        variants: Rows of table ``variants``, all wordings of an example with its original one.
    """
    has_colours = console.color_system is not None
    for (dataset, example), rows in variants.group_by("dataset", "example", maintain_order=True):
        console.rule(Text(plain(f"{dataset} / {example}")), align="left")
        prompts = {row["variant"]: _prompt(row["messages"]) for row in rows.sort("position").iter_rows(named=True)}
        reasons = dict(rows.select("variant", "rejected").iter_rows())
        canonical = prompts.pop("canonical")
        console.print(Text("canonical", style="bold"))
        console.print(Text(plain(canonical)))
        for name, prompt in prompts.items():
            why = f"  not used: failed {reasons[name]}" if reasons[name] else ""
            console.print(Text.assemble(f"\n{name}", (why, "red"), style="bold"))
            console.print(shown_difference(canonical, prompt, has_colours=has_colours))
    if not variants.is_empty():
        console.print()


def shown_difference(canonical: str, variant: str, *, has_colours: bool) -> Text:
    """Returns the variant with what differs from the canonical text in colours, or marked where the terminal has none."""
    return Text.assemble(*(_shown(span, has_colours=has_colours) for span in in_phrases(difference(canonical, variant))))


def _prompt(messages: list[dict[str, str]]) -> str:
    """Returns what a model is given as one text; turns before the last one are named."""
    *before, last = messages
    return "\n\n".join([*(f"[{message['role']}] {message['content']}" for message in before), last["content"]])


def _shown(span: Span, *, has_colours: bool) -> tuple[str, str]:
    if has_colours or span.kind == "same":
        return plain(span.text), _STYLES[span.kind]
    gone = span.text if span.kind == "deleted" else span.before
    came = "" if span.kind == "deleted" else span.text
    return (f"[-{plain(gone)}-]" if gone else "") + (f"{{+{plain(came)}+}}" if came else ""), ""
