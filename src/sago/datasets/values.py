"""Values of one cell or JSON field as text, and lists of them. Nothing here knows what a field means."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sago.errors import DataError

Fields = Mapping[str, Any]
"""One row of a source: column name -> value as the format gives it."""

_WHOLE_BELOW = 1e16
"""Floats below this size are exact whole numbers, written without a fraction or an exponent."""


def text_of(value: Any) -> str | None:
    """Returns a scalar as text, or null where it is no scalar that has one obvious text.

    Whole floats lose their fraction (``8.0`` -> ``8``), booleans are spelled as in JSON.

    >>> text_of(8.0), text_of(0.5), text_of(True), text_of(["a"])
    ('8', '0.5', 'true', None)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() and abs(value) < _WHOLE_BELOW else repr(value)
    if isinstance(value, Decimal):
        return format(value.normalize(), "f") if value.is_finite() else None
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return None


def is_blank(value: Any) -> bool:
    """Returns whether a value says nothing: null, not a number, or text of white space alone."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or (isinstance(value, str) and not value.strip())


def json_list(text: str) -> list[Any] | None:
    """Returns a text that spells a JSON list as that list, any other text as null.

    >>> json_list('["a", "b"]'), json_list("[sic]")
    (['a', 'b'], None)
    """
    if not text.lstrip().startswith("["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def items_of(value: Any, *, split: bool) -> list[Any] | None:
    """Returns a list-like value as a list of its items; a text is a JSON list or, if ``split``, separated by ``|``.

    Null means that the value is a single scalar, or no list at all.
    """
    if isinstance(value, str):
        listed = json_list(value)
        if listed is not None:
            return listed
        return [part.strip() for part in value.split("|")] if split and "|" in value else None
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return list(value)
    return None


def texts_of(values: Sequence[Any], what: str) -> list[str]:
    """Returns scalars as texts.

    Raises:
        DataError: If one of them is no scalar; the message says ``what`` it should have been.
    """
    texts = [text_of(value) for value in values]
    for value, text in zip(values, texts, strict=True):
        if text is None:
            raise DataError(f"{what} holds {_named(value)}, not a text or number")
    return [text for text in texts if text is not None]


def metadata_json(fields: Fields) -> str:
    """Returns fields as one JSON object; what JSON cannot spell becomes text, not-a-number becomes null."""
    return json.dumps({name: _plain(value) for name, value in fields.items()}, ensure_ascii=False, separators=(",", ":"))


def is_unicode(value: Any) -> bool:
    """Returns whether all texts in a JSON-like value are of whole characters: no half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | bool | int):
        return value
    return text_of(value) or str(value)


def _named(value: Any) -> str:
    """Returns the kind of a value in words that fit a message."""
    if value is None:
        return "an empty value"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    return f"a value of type {type(value).__name__}"
