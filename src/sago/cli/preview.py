"""Wordings for the eye: each beside the original one, with what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from rich.text import Text

from sago.cli.words import has_colours, plain
from sago.differences import Span, difference, in_phrases

if TYPE_CHECKING:
    from rich.console import Console

_LONG = 800
"""Characters of a prompt from which on only the neighbourhood of what changed is shown."""
_AROUND = 160
"""Characters that are shown in front of a change in a long prompt, and behind it."""
_ENDS = 400
"""Characters that are shown of the start of a long stretch that changed, and of its end."""
_GAP = " [...] "

_STYLES = {"same": "", "inserted": "green", "deleted": "red strike", "replaced": "yellow"}
_COLOURS = Text.assemble(("came", "green"), ", ", ("went", "red strike"), ", ", ("replaced", "yellow"), "; signs stand for blanks: · ↵")
_MARKS = Text("{+came+}, [-went-]; all else is as in the canonical prompt", style="dim")


def show_wordings(console: Console, variants: pl.DataFrame) -> None:
    """Prints every wording of some examples with its differences from the original one.

    In colours where the terminal has them; else what went stands as ``[-old-]`` and what came as ``{+new+}``. Of long prompts the
    neighbourhood of what changed is shown, with ``[...]`` for the rest.

    Args:
        console: Where to print.
        variants: Rows of table ``variants``, all wordings of an example with its original one.
    """
    is_coloured = has_colours(console)
    for (dataset, example), rows in variants.group_by("dataset", "example", maintain_order=True):
        console.rule(Text(plain(f"{dataset} / {example}")), align="left")
        prompts = {row["variant"]: _prompt(row["messages"]) for row in rows.sort("position").iter_rows(named=True)}
        reasons = dict(rows.select("variant", "rejected").iter_rows())
        canonical = prompts.pop("canonical")
        console.print(Text("canonical", style="bold"))
        console.print(Text(plain(_ends(canonical, _ENDS) if len(canonical) > _LONG else canonical)))
        for name, prompt in prompts.items():
            why = f"  not used: failed {reasons[name]}" if reasons[name] else ""
            console.print(Text.assemble(f"\n{name}", (why, "red"), style="bold"))
            console.print(shown_difference(canonical, prompt, has_colours=is_coloured))
    if not variants.is_empty():
        console.print(Text.assemble("\n", _COLOURS if is_coloured else _MARKS, "\n"))


def shown_difference(canonical: str, variant: str, *, has_colours: bool) -> Text:
    """Returns the variant with what differs from the canonical text in colours, or marked where the terminal has none."""
    spans = in_phrases(difference(canonical, variant))
    if max(len(canonical), len(variant)) > _LONG:
        spans = [_shortened(span, is_first=place == 0, is_last=place == len(spans) - 1) for place, span in enumerate(spans)]
    return Text.assemble(*(_shown(span, has_colours=has_colours) for span in spans))


def _shortened(span: Span, *, is_first: bool, is_last: bool) -> Span:
    """Returns a stretch of a long prompt as it is shown: of what is the same, only what stands beside a change."""
    if span.kind != "same":
        return Span(span.kind, _ends(span.text, _ENDS), _ends(span.before, _ENDS))
    if is_first and is_last:
        text = _ends(span.text, _ENDS)
    elif is_first or is_last:
        head, tail = _cut(span.text, _AROUND)
        text = span.text if not tail else _GAP.lstrip() + tail if is_first else head + _GAP.rstrip()
    else:
        text = _ends(span.text, _AROUND)
    return Span("same", text, text)


def _ends(text: str, each: int) -> str:
    """Returns the start and the end of a text with a gap between, or all of it where that is no longer."""
    head, tail = _cut(text, each)
    return head + (_GAP + tail if tail else "")


def _cut(text: str, each: int) -> tuple[str, str]:
    """Returns the start and the end of a text, at blanks where there are some near; the whole text and nothing where it is short."""
    if len(text) <= 2 * each + len(_GAP):
        return text, ""
    head, tail = text[:each], text[-each:]
    before, blank, _ = head.rpartition(" ")
    head = before if blank and len(before) > each // 2 else head
    _, blank, after = tail.partition(" ")
    return head, after if blank and len(after) > each // 2 else tail


def _prompt(messages: list[dict[str, str]]) -> str:
    """Returns what a model is given as one text; turns before the last one are named."""
    *before, last = messages
    return "\n\n".join([*(f"[{message['role']}] {message['content']}" for message in before), last["content"]])


def _shown(span: Span, *, has_colours: bool) -> tuple[str, str]:
    if has_colours or span.kind == "same":
        return _seen(span), _STYLES[span.kind]
    gone = span.text if span.kind == "deleted" else span.before
    came = "" if span.kind == "deleted" else span.text
    return (f"[-{plain(gone)}-]" if gone else "") + (f"{{+{plain(came)}+}}" if came else ""), ""


def _seen(span: Span) -> str:
    """Returns the text of a span in colours; blanks and line breaks that changed have none, so signs stand for them."""
    if span.kind == "same" or (span.text.strip() and span.before.strip() != span.text.strip()):
        return plain(span.text)
    signs = plain(span.text).replace(" ", "·")
    return signs.replace("\n", "↵") if span.kind == "deleted" else signs.replace("\n", "↵\n")
