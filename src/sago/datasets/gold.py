"""Answer options and right answers in all the forms in which data sets give them.

An answer to a choice question is read in this order; the first that fits counts:

1. text given as text: the text of a choice (exactly, else without regard to case and white space);
2. a label of the data (field ``labels``);
3. a letter ``A``, ``b``, ``(C)``, ``D.``, by the position of the choice, where the data has no labels or no such label;
4. an index, counted from 0.

A JSON number is read as label, then index, then text: data that gives numbers counts. Where a later reading would name another choice, a
note says so (``1`` to ``2`` above are what the data spells out, so only text against label, letter or index is doubtful). Who knows from
the other items of a data set what its letters and numbers mean may say so (``names_first``). Nothing is guessed: booleans, negative numbers
and letters beyond the last choice are errors.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from sago.datasets.values import is_blank, items_of, text_of, texts_of
from sago.errors import DataError


class Choices(NamedTuple):
    """Answer options of one question, in the order of the data."""

    texts: tuple[str, ...]
    labels: tuple[str, ...] | None
    """Labels that the data gives; null where it gives none."""


class Gold(NamedTuple):
    """What counts as right."""

    answers: tuple[str, ...]
    """Accepted answers; empty = no gold answer."""
    answer_index: int | None
    """Index of the gold choice; null without choices or without gold."""
    note: str | None
    """What is doubtful about the reading; null = nothing."""


_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")

NO_GOLD = Gold((), None, None)


def read_choices(value: Any, labels: Any) -> Choices | None:
    """Returns the answer options of one row, or null for an open question.

    Args:
        value: A list of texts; a text that is a JSON list or separated by ``|``; ``{"text": [...], "label": [...]}``; a list of such
            pairs; or an object label -> text, also spelled as JSON.
        labels: Labels in the same order, in the same forms; null = none.

    Raises:
        DataError: If there are not two different choices that say something, or labels that do not fit them.
    """
    if is_blank(value) or (isinstance(value, Sequence | Mapping) and not value):
        return None
    texts, own = _texts_and_labels(value)
    shown = texts_of(texts, "'choices'")
    if any(not text.strip() for text in shown):
        raise DataError("one of its choices is blank")
    if len({_plain(text) for text in shown}) < 2:
        raise DataError(f"needs at least 2 different choices, has {_shown(shown)}")
    given = own if is_blank(labels) else items_of(labels, split=True)
    if given is None:
        if not is_blank(labels):
            raise DataError("'labels' is no list")
        return Choices(tuple(shown), None)
    names = [label.strip() for label in texts_of(given, "'labels'")]
    if len(names) != len(shown) or len({_label(name) for name in names}) < len(names):
        raise DataError(f"{len(shown)} choices need {len(shown)} different labels, not {_shown(names)}")
    return Choices(tuple(shown), tuple(names))


def read_gold(value: Any, choices: Choices | None, *, split: bool, names_first: bool | None = None) -> Gold:
    """Returns the accepted answers of one row; a value that says nothing means no gold answer.

    Args:
        value: Text, number, or a list of them.
        choices: Answer options; null = open question.
        split: Whether ``|`` separates several accepted answers (CSV).
        names_first: Whether a value that is the text of one choice and the label, letter or index of another names the latter; null = a
            JSON number does, a text does not.

    Raises:
        DataError: If the answer names no choice, or several.
    """
    if isinstance(value, Mapping):
        value = _answers_of_object(value)
    if is_blank(value):
        return NO_GOLD
    if choices is None:
        listed = items_of(value, split=split)
        texts = texts_of([item for item in ([value] if listed is None else listed) if not is_blank(item)], "'answer'")
        return Gold(tuple(dict.fromkeys(text.strip() for text in texts)), None, None)
    whole = isinstance(value, str) and _by_text(value, choices.texts) is not None  # a choice may itself contain "|"
    listed = None if whole else items_of(value, split=split)
    given = [item for item in ([value] if listed is None else listed) if not is_blank(item)]
    read = [_resolve(item, choices, names_first) for item in given]
    indices = {index for index, _ in read}
    if not indices:
        return NO_GOLD
    if len(indices) > 1:
        raise DataError(f"answer {_shown(value)} names {len(indices)} different choices; a choice question has one right answer")
    index = indices.pop()
    return Gold((choices.texts[index],), index, next((note for _, note in read if note), None))


def text_and_name(value: Any, choices: Choices) -> tuple[int | None, int | None]:
    """Returns the index of the choice that a value is the text of, and of the one that it names by label, letter or index.

    >>> text_and_name("B", Choices(("A", "O", "B"), None)), text_and_name("Mars", Choices(("Venus", "Mars"), None))
    ((2, 1), (1, None))
    """
    try:
        readings = _readings(value, choices)
    except DataError:
        return None, None
    named = [index for kind in ("label", "letter", "index") if (index := readings[kind]) is not None]
    return readings["text"], named[0] if named else None


def _readings(value: Any, choices: Choices) -> dict[str, int | None]:
    """Returns the index of the choice that an answer names, for each way of naming one."""
    text = text_of(value)
    if text is None:
        raise DataError(f"answer {_shown(value)} is no text or number")
    by_text = _by_text(text, choices.texts)
    return {
        "text": _by_value(value, choices.texts) if by_text is None else by_text,
        "label": _by_label(text, choices),
        "letter": _by_letter(text, choices),
        "index": None if isinstance(value, bool) else _by_index(text, len(choices.texts)),
    }


def _resolve(value: Any, choices: Choices, names_first: bool | None) -> tuple[int, str | None]:
    """Returns the index of the choice that an answer names, and a note where it could have named another."""
    readings = _readings(value, choices)
    text = text_of(value) or ""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    names = ("label", "letter", "index")
    order = (*names, "text") if (is_number if names_first is None else names_first) else ("text", *names)
    fitting = [(kind, index) for kind in order if (index := readings[kind]) is not None]
    if not fitting:
        raise DataError(f"answer {_shown(value)} names none of its choices {_shown(choices.texts)}" + _hint(value, text, choices))
    kind, index = fitting[0]
    doubts = [(other, there) for other, there in fitting[1:] if there != index and "text" in {kind, other}]
    if not doubts:
        return index, None
    other, there = doubts[0]
    note = f"answer {_shown(value)} was read as {kind} ({choices.texts[index]!r}), not as {other} ({choices.texts[there]!r})"
    return index, note


def _by_text(text: str, texts: Sequence[str]) -> int | None:
    exact = [index for index, choice in enumerate(texts) if choice.strip() == text.strip()]
    alike = exact or [index for index, choice in enumerate(texts) if _plain(choice) == _plain(text)]
    if len({texts[index].strip() for index in alike}) > 1:
        raise DataError(f"answer {text!r} fits several choices that differ in case or spacing only")
    return alike[0] if alike else None


def _by_value(value: Any, texts: Sequence[str]) -> int | None:
    """Returns the choice that spells a number otherwise than the text of that number does: ``1.50`` where the data holds 1.5."""
    text = text_of(value)
    if not isinstance(value, float | Decimal) or text is None:
        return None
    equal = [index for index, choice in enumerate(texts) if _NUMBER.fullmatch(choice.strip()) and Decimal(choice.strip()) == Decimal(text)]
    if len(equal) < 2:
        return equal[0] if equal else None
    exact = [index for index in equal if texts[index].strip() == str(value)]
    if not exact:
        raise DataError(f"answer {text!r} fits several choices that spell one number in different ways")
    return exact[0]


def _by_label(text: str, choices: Choices) -> int | None:
    if choices.labels is None:
        return None
    wanted = [index for index, label in enumerate(choices.labels) if _label(label) == _label(text)]
    return wanted[0] if wanted else None


def _by_letter(text: str, choices: Choices) -> int | None:
    letter = _label(text)
    if len(letter) != 1 or not "a" <= letter <= "z":
        return None
    index = ord(letter) - ord("a")
    return index if index < len(choices.texts) else None


def _by_index(text: str, count: int) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,9})(?:\.0+)?\s*", text)
    return int(match[1]) if match and int(match[1]) < count else None


def _hint(value: Any, text: str, choices: Choices) -> str:
    if isinstance(value, bool):
        return "; true and false are no index"
    if re.fullmatch(r"\s*[-+]?\d+(?:\.0+)?\s*", text):
        return f"; an index goes from 0 to {len(choices.texts) - 1}"
    return ""


def _texts_and_labels(value: Any) -> tuple[list[Any], list[Any] | None]:
    """Takes apart the forms of choices that carry their labels with them."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = _object(value)
    if isinstance(value, Mapping):
        texts, labels = value.get("text"), value.get("label")
        if isinstance(texts, Sequence) and not isinstance(texts, str):
            return list(texts), None if labels is None else list(labels)
        return list(value.values()), list(value)
    listed = items_of(value, split=True)
    if listed is None:
        raise DataError("'choices' is no list")
    if listed and all(isinstance(item, Mapping) and "text" in item and "label" in item for item in listed):
        return [item["text"] for item in listed], [item["label"] for item in listed]
    return listed, None


def _object(text: str) -> Any:
    """Returns a text that spells a JSON object as that object, any other text as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, Mapping) else text


def _answers_of_object(value: Mapping[str, Any]) -> Any:
    for name in ("text", "texts", "value", "answer"):
        if name in value:
            return value[name]
    raise DataError(f"'answer' is an object without 'text': {sorted(value)}")


def _shown(value: Any) -> str:
    """Returns a value as the file spells it, for messages."""
    return json.dumps(value, ensure_ascii=False, default=str)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Returns a text without what two spellings of one choice differ in: case, white space, Unicode form."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _label(text: str) -> str:
    """Returns a label without the decoration of lists: ``(C)``, ``c.``, ``C:`` -> ``c``."""
    return re.sub(r"^[\s(\[]+|[\s)\].:]+$", "", unicodedata.normalize("NFC", text)).casefold()
