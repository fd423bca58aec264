"""Small terminal tables that more than one verb prints."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sago.cli.words import plain
from sago.reports.equivalence import equivalence_words
from sago.stats.equivalence import ALL
from sago.variations.specs import names_of


def equivalence_table(equivalence: pl.DataFrame) -> RenderableType:
    """Returns table ``equivalence`` for the terminal: how far it is known that wordings mean the same; one line a data set where it is."""
    rows = equivalence.filter(family=ALL).iter_rows(named=True)
    return Group(*(Text.assemble((plain(row["dataset"]), "bold cyan"), "  ", equivalence_words(row)) for row in rows))


_LEFT_OUT: dict[str, tuple[str, str]] = {
    "dropped_same": ("same", "same: equal to the original wording"),
    "dropped_duplicate": ("twice", "twice: equal to another wording"),
    "dropped_unsafe": ("unsafe", "unsafe: could have changed the meaning"),
    "dropped_changed": ("changed", "changed: a model or a person found that it does not mean the same"),
    "not_applicable": ("no fit", "no fit: examples for which a family has nothing to do; it was not asked for any of them"),
}
"""Column of what was not made -> its heading and what it says."""

_WHY_NO_FIT: dict[str, str] = {
    "back-translation": "no words of the language that is translated",
    "choice-order": "no options, or none that may change places",
    "distractor": "no text of another example that has nothing to do with it",
    "enumerator": "no options, or none that another label suits",
    "few-shot": "no other example with an answer that may be shown",
    "language": "no translation given",
    "meaning-changed": "no changed question given",
    "paraphrase": "no paraphrase given",
    "paraphrase-by-model": "no words",
    "rephrase": "no rule fits the question",
    "surface": "no word or sign that may change",
    "typo": "no word that may be misspelt",
}
"""Variation -> why it may have nothing to do for an example."""


def counts_table(counts: pl.DataFrame) -> RenderableType:
    """Returns table ``variation_counts`` for the terminal: what each family was asked for and what became of it.

    A data set stands above its families, so that no name is cut; columns in which nothing happened are left out.
    """
    left_out = [name for name in _LEFT_OUT if counts[name].sum()]
    parts: list[RenderableType] = [Text("Wordings", style="bold")]
    for (dataset,), rows in counts.group_by("dataset", maintain_order=True):
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", title_justify="left")
        table.add_column("family", no_wrap=True, min_width=max(len(family) for family in counts["family"]))
        for head in ("examples", "asked", "made", *(_LEFT_OUT[name][0] for name in left_out)):
            table.add_column(head, justify="right", no_wrap=True)
        for row in rows.iter_rows(named=True):
            numbers = [row[name] for name in ("examples", "asked", "made", *left_out)]
            table.add_row(Text(plain(row["family"])), *(f"{number:,}" for number in numbers))
        parts += [Text(plain(str(dataset)), style="bold cyan", overflow="fold"), table]
    legend = [_LEFT_OUT[name][1] for name in left_out] or ["All wordings that were asked for were made."]
    if "not_applicable" in left_out:
        legend += [f"  {line}" for line in _reasons(counts.filter(pl.col("not_applicable") > 0)["family"].to_list())]
    return Group(*parts, *(Text(line, style="dim") for line in legend))


def _reasons(families: Iterable[str]) -> list[str]:
    """Returns one line for each of the variations among families (``typo@0.1+format``) of which it is known why they may not fit."""
    layers = dict.fromkeys(name for family in families for name in names_of(family))
    return [f"{name}: {_WHY_NO_FIT[name]}" for name in layers if name in _WHY_NO_FIT]
