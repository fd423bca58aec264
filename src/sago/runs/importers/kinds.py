"""What the right answers of open questions are: option letters, numbers, yes and no, booleans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sago.datasets.values import is_blank, items_of, text_of
from sago.features.numbers import given_number, normal_number
from sago.runs.importers.rows import AnswerRow

_LAST_LETTER = "J"
"""Single letters beyond this one, without A, B and C beside them, are words of another kind (T and F, Y and N)."""
_LETTER = re.compile(r"\(?([A-Za-z])[).:]?")
FEWEST_LETTERS = 4
_PAIRS = (("yes", "no"), ("true", "false"))


def is_number(text: str) -> bool:
    """Returns whether a right answer is a number, or the way to one that ends in it behind a mark, as GSM8K writes it."""
    return normal_number(text) is not None or ("####" in text and given_number(text) is not None)


def pair_of(rows: Iterable[AnswerRow]) -> tuple[str, str] | None:
    """Returns yes and no, or true and false, where all right answers are one of the two and responses are there to be read; else null."""
    rows = list(rows)
    if any(row.answer is not None for row in rows) or not any((row.response or "").strip() for row in rows):
        return None
    said = {text.strip(" .").casefold() for row in rows for text in texts_of(row.target)}
    return next((pair for pair in _PAIRS if said and said <= set(pair)), None)


def are_booleans(rows: Iterable[AnswerRow]) -> bool:
    """Returns whether all right answers are true or false."""
    return {text.strip().casefold() for row in rows for text in texts_of(row.target)} in ({"true"}, {"false"}, {"true", "false"})


def letters_of(rows: Iterable[AnswerRow]) -> int | None:
    """Returns how many option letters there are where all right answers (else all given answers) are single letters; else null."""
    rows = list(rows)
    targets = [text for row in rows for text in texts_of(row.target)]
    answers = [row.answer for row in rows if row.answer is not None]
    found = {match[1].upper() if (match := _LETTER.fullmatch(text.strip())) else "" for text in targets or answers}
    if not found or "" in found or (max(found) > _LAST_LETTER and not {"A", "B", "C"} <= found):
        return None
    more = {text.strip().upper() for text in answers if _LETTER.fullmatch(text.strip()) and len(text.strip()) == 1}
    if more and max(more) > max(_LAST_LETTER, *found):
        return None
    seen = found | more
    return max(FEWEST_LETTERS, ord(max(seen)) - ord("A") + 1)


def texts_of(target: Any) -> list[str]:
    """Returns the texts of one right answer, or of several."""
    if is_blank(target):
        return []
    listed = items_of(target, split=False)
    return [text for item in (listed if listed is not None else [target]) if not is_blank(item) and (text := text_of(item)) is not None]
