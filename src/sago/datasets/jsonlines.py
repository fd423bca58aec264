"""JSON objects, one a line or in one list."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

from sago.datasets.places import Records, RecordSource, Stream
from sago.datasets.values import is_unicode
from sago.errors import DataError


def read_lines(data: bytes | Callable[[], BinaryIO], source: str) -> Stream:
    """Returns the objects of JSON lines; blank lines count as lines and hold nothing.

    Args:
        data: The text, or what opens it at its start.
        source: Name of the source; every problem has its line, so it is left to the caller.
    """
    del source
    opened = partial(io.BytesIO, data) if isinstance(data, bytes) else data
    return Stream("line", lambda: _parts_of_lines(opened))


def _parts_of_lines(opened: Callable[[], BinaryIO]) -> Iterator[Records]:
    part = Records("line")
    with opened() as lines:
        for number, raw in enumerate(lines, 1):  # lines of bytes end at a line feed alone: U+2028 inside a text is no line end
            if raw.strip():
                _read_line(part, number, raw.removesuffix(b"\n"))
            if part.is_full():
                yield part
                part = Records("line")
    yield part


def _read_line(part: Records, number: int, raw: bytes) -> None:
    try:
        value = _parsed(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        part.reject(number, f"not UTF-8 (byte 0x{raw[error.start]:02x} at column {error.start + 1})")
    except (ValueError, RecursionError) as error:
        part.reject(number, _reason(error))
    else:
        _keep(part, number, value, has_escapes=b"\\u" in raw)


def read_json_list(data: bytes, source: str) -> RecordSource:
    """Returns the objects of one JSON list; where the text is no list, its lines.

    A list is one value and read as a whole: a large data set is better kept as JSON lines.

    Raises:
        DataError: If the text is neither a list nor lines that start as objects do.
    """
    try:
        values = _parsed(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"not UTF-8 (byte 0x{data[error.start]:02x})", where=f"{source}, line {line}") from error
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # several values: lines, of which the first one is a list
            return read_lines(data, source)
        raise DataError(f"bad JSON ({error.msg})", where=f"{source}, line {error.lineno}") from error
    except (ValueError, RecursionError) as error:
        raise DataError(_reason(error), where=source) from error
    if not any(isinstance(value, dict) for value in values) and values:
        return read_lines(data, source)
    records = Records("item")
    has_escapes = b"\\u" in data
    for number, value in enumerate(values, 1):
        _keep(records, number, value, has_escapes=has_escapes)
    return records


def _keep(records: Records, number: int, value: Any, *, has_escapes: bool) -> None:
    """Keeps an object; only escapes can spell half a surrogate pair, so nothing else has to be searched for one."""
    if not isinstance(value, dict):
        records.reject(number, f"{_kind(value)}, not an object with a question")
    elif has_escapes and not is_unicode(value):
        records.reject(number, "holds half of a surrogate pair (such as \\ud83d alone), which is no character")
    else:
        records.add(number, value)


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name '{twice}' stands twice in one object")
    return fields


def _constant(name: str) -> str | None:
    """Reads NaN, which other tools write for a missing value, as null, and minus infinity, the log-probability of 0, as its spelling."""
    if name == "Infinity":
        raise ValueError(f"{name} is no JSON value")
    return None if name == "NaN" else name


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"bad JSON ({error.msg.removesuffix(' starting at')} at column {error.colno})"
    if isinstance(error, RecursionError):
        return "bad JSON (nested too deeply)"
    return f"bad JSON ({error})"


def _kind(value: Any) -> str:
    names = {list: "row is a list", str: "row is a text", bool: "row is true or false", type(None): "row is null"}
    return names.get(type(value), "row is a number")
