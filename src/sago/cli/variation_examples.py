"""One short example of each family of wordings, made by the family itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from rich.text import Text

from sago.cli.preview import shown_difference
from sago.cli.words import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sago.variations import Request

_LONGEST = 210
_QUESTION = "It's late: which one of the 8 planets is the hottest?"
_ROWS = (
    {
        "id": "1",
        "question": _QUESTION,
        "context": "Venus is cloudy.",
        "choices": ["Mars", "Venus", "Earth"],
        "answer": "Venus",
        "paraphrases": ["Of the 8 planets, which one is the hottest?"],
        "translations": {"de": "Es ist spät: Welcher der 8 Planeten ist am heißesten?"},
        "meaning_changed": {"question": "It's late: which one of the 8 planets do we live on?", "answer": "Earth"},
    },
    {"id": "2", "question": "Which animal barks?", "choices": ["cat", "dog"], "answer": "dog"},
    {"id": "3", "question": "How many legs does a spider have?", "answer": "eight legs"},
)
_WRITTEN = "As it is late, which of the 8 planets is hottest?"
"""Stands for what a model might write: none is asked for a list."""


def example_of(family: str, *, has_colours: bool) -> Text | None:
    """Returns what a family makes of a small question at its default strength; null where it makes nothing of it.

    A changed question is shown with its differences, any other change as the beginning of the prompt.
    """
    from sago.variations import vary

    rows = vary(_examples(), [family], write=_written).variants
    for row in rows.filter(pl.col("position") > 0).iter_rows(named=True):
        canonical = rows.filter(example=row["example"], position=0).row(0, named=True)
        if row["question"] != canonical["question"]:
            return shown_difference(canonical["question"], row["question"], has_colours=has_colours)
        prompt = " ↵ ".join(line for message in row["messages"] for line in message["content"].splitlines() if line.strip())
        return Text(plain(prompt if len(prompt) <= _LONGEST else f"{prompt[:_LONGEST]}…"))
    return None


def _written(model: str, requests: Sequence[Request]) -> list[str | None]:
    return [_WRITTEN for _ in requests]


def _examples() -> pl.DataFrame:
    from sago.datasets import LoadOptions, rows_table

    return rows_table(lambda: _ROWS, "examples of families", "examples", LoadOptions())
