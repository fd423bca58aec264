"""Texts that a user protects and that stand in no question: most likely a slip of the pen, which nobody would notice."""

from __future__ import annotations

import json

import polars as pl

from sago.rows import read_examples
from sago.variations.protect import named_by_user

_TOLD = 5
"""Most texts that a note names."""


def named_nowhere(examples: pl.DataFrame) -> tuple[str, ...]:
    """Returns one note for each data set in which a text of the field ``protect`` stands in no example that names it.

    A list that many rows share may hold texts that stand in some of them only, so a text counts once for the whole data set. It has to
    stand in the question or the context, in any case of its letters.

    Args:
        examples: Table ``examples``.
    """
    missing: dict[str, dict[str, bool]] = {}
    naming = examples.filter(pl.col("metadata").str.contains('"protect"', literal=True))
    for one in read_examples(naming):
        said = f"{one.question}\n{one.context or ''}".casefold()
        known = missing.setdefault(one.dataset, {})
        for text in named_by_user(one):
            known[text] = known.get(text, True) and text.strip().casefold() not in said
    return tuple(
        _note(name, [text for text, is_missing in known.items() if is_missing]) for name, known in missing.items() if any(known.values())
    )


def _note(dataset: str, texts: list[str]) -> str:
    shown = ", ".join(json.dumps(text, ensure_ascii=False) for text in texts[:_TOLD])
    more = f" and {len(texts) - _TOLD} more" if len(texts) > _TOLD else ""
    return f"{dataset}: 'protect' names {shown}{more}, which stands in no question or context: nothing is protected by it"
