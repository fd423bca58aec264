"""Files of wordings that a user gives: lines of text, or rows that each belong to one example by its id or its question.

What stands in such a file is data: it is never a template, and nothing in it is filled in. Every problem of a file is told at once, each
with its line.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import polars as pl

from sago.errors import DataError
from sago.records import Example

_TOLD = 10
"""Most lines that a note names."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Attributes:
        line: Its line in the file, from 1.
        fields: Name -> value.
    """

    line: int
    fields: Mapping[str, Any]


def read_lines(path: str) -> tuple[str, ...]:
    """Returns the lines of a file that say something, without the white space around them.

    Raises:
        DataError: If the file cannot be read, holds no such line or the same one twice.
    """
    first: dict[str, int] = {}
    twice = []
    for number, line in enumerate(_text_of(path).split("\n"), 1):
        said = line.strip()
        if said in first:
            twice.append(f"line {number}: the same as line {first[said]}")
        elif said:
            first[said] = number
    if twice:
        raise _problems(twice, path)
    if not first:
        raise DataError("no line that says something", where=path, fix="Give one text a line")
    return tuple(first)


def read_rows(path: str) -> tuple[Row, ...]:
    """Returns the rows of a file: JSON objects, one a line, or a table with named columns where its name ends in .csv or .tsv.

    Raises:
        DataError: If the file cannot be read, or one of its rows.
    """
    text = _text_of(path)
    rows, problems = _table_rows(text, path) if Path(path).suffix.lower() in (".csv", ".tsv") else _json_rows(text)
    if problems:
        raise _problems(problems, path)
    if not rows:
        raise DataError("no rows", where=path, fix="Give one JSON object a line, or a table with named columns")
    return rows


@dataclass(frozen=True, slots=True)
class Given:
    """What one row gives an example.

    Attributes:
        line: Line of the row.
        example: Id of the example; null = whichever has the question.
        question: The example's question; null = whatever it is.
        dataset: Name of the data set; null = any.
        value: What is given.
    """

    line: int
    example: str | None
    question: str | None
    dataset: str | None
    value: Any


class Matches:
    """Which rows of a file belong to which example."""

    def __init__(self, rows: Iterable[Given]) -> None:
        self._by_id: dict[str, list[Given]] = {}
        self._by_question: dict[str, list[Given]] = {}
        for row in rows:
            if row.example is not None:
                self._by_id.setdefault(row.example, []).append(row)
            elif row.question is not None:
                self._by_question.setdefault(row.question, []).append(row)

    def of(self, example: Example) -> tuple[Any, ...]:
        """Returns what the rows give an example, in the order of the file."""
        return tuple(row.value for row in self._rows(example.dataset, example.example, example.question))

    def unmatched(self, examples: pl.DataFrame) -> tuple[int, ...]:
        """Returns the lines of the rows that belong to no row of table ``examples``."""
        left = {row.line for rows in (*self._by_id.values(), *self._by_question.values()) for row in rows}
        for dataset, example, question in examples.select("dataset", "example", "question").iter_rows():
            left -= {row.line for row in self._rows(dataset, example, question)}
        return tuple(sorted(left))

    def _rows(self, dataset: str, example: str, question: str) -> list[Given]:
        asked = key_of(question)
        by_id = [row for row in self._by_id.get(key_of(example), ()) if row.question in (None, asked)]
        found = [*by_id, *self._by_question.get(asked, ())]
        return sorted((row for row in found if row.dataset in (None, dataset)), key=lambda row: row.line)


def keys_of(row: Row, question: str = "question") -> tuple[str | None, str | None, str | None]:
    """Returns id, question and data set that a row names, in the form in which they are compared.

    Args:
        row: The row.
        question: Field that holds the example's question.

    Raises:
        DataError: If it names neither an id nor a question.
    """
    keys = tuple(_key(row.fields.get(name), name) for name in ("id", question, "dataset"))
    if keys[0] is None and keys[1] is None:
        raise DataError(f"names no example: it has neither 'id' nor '{question}'")
    return keys[0], keys[1], keys[2]


def key_of(text: str) -> str:
    """Returns an id or a question in the form in which two are the same: NFC, no white space around it."""
    return normalize("NFC", text).strip()


def text_in(row: Row, *names: str) -> str | None:
    """Returns the first of some fields that says something; null where none does.

    Raises:
        DataError: If it is no text.
    """
    for name in names:
        value = row.fields.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        if not isinstance(value, str):
            raise DataError(f"its '{name}' is no text")
        return value
    return None


def unmatched_note(name: str, matches: Matches, examples: pl.DataFrame) -> tuple[str, ...]:
    """Returns a line that tells which rows of a file belong to no example; none where all belong to one.

    Args:
        name: What the rows are, for instance ``paraphrase``.
        matches: The rows.
        examples: Table ``examples``.
    """
    lines = matches.unmatched(examples)
    if not lines:
        return ()
    shown = ", ".join(str(line) for line in lines[:_TOLD]) + (", ..." if len(lines) > _TOLD else "")
    is_one = len(lines) == 1
    return (f"{name}: {len(lines)} row{'' if is_one else 's'} of the file match{'es' if is_one else ''} no example (line {shown})",)


def given_by(rows: Sequence[Row], path: str, read: Any) -> tuple[Given, ...]:
    """Returns what rows give, read one by one; ``read`` raises ``DataError`` for a row that cannot be used.

    Raises:
        DataError: If some rows cannot be used; it names them all.
    """
    found: list[Given] = []
    problems = []
    for row in rows:
        try:
            found += read(row)
        except DataError as error:
            problems.append(f"line {row.line}: {error.what}")
    if problems:
        raise _problems(problems, path)
    return tuple(found)


def _key(value: Any, name: str) -> str | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise DataError(f"its '{name}' is no text")
    return key_of(str(value))


def _problems(lines: Sequence[str], path: str) -> DataError:
    return DataError(f"{len(lines)} problem{'s' if len(lines) > 1 else ''}", where=path, problems=lines)


def _text_of(path: str) -> str:
    """Returns the text of a file with one kind of line end, without the mark that some editors put in front."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", where=path, fix="Give the path of a file") from error
    return _decoded(data, path)


@lru_cache(maxsize=8)
def _decoded(data: bytes, path: str) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fix = "Unpack it first" if data.startswith(b"\x1f\x8b") else "Save it as UTF-8"
        raise DataError(f"not UTF-8 (byte 0x{data[error.start]:02x})", where=f"{path}, line {line}", fix=fix) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=8)
def _json_rows(text: str) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    rows, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            json.dumps(fields, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            problems.append(f"line {number}: holds half of a surrogate pair, which is no character")
        except (ValueError, RecursionError) as error:
            reason = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            problems.append(f"line {number}: bad JSON ({reason})")
        else:
            if isinstance(fields, dict):
                rows.append(Row(number, fields))
            else:
                problems.append(f"line {number}: no JSON object")
    return tuple(rows), tuple(problems)


@lru_cache(maxsize=8)
def _table_rows(text: str, path: str) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Returns the rows of a table; the line of a row is the one where it starts, so quoted cells may span lines."""
    header_line = text.lstrip("\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",\t;", key=header_line.count), strict=True)
    rows: list[Row] = []
    problems: list[str] = []
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = [cell.strip() for cell in cells]
                if len(set(header)) < len(header):
                    raise DataError("the header has a name twice", where=f"{path}, line {start}")
            elif len(cells) != len(header):
                problems.append(f"line {start}: {len(cells)} cells, the header has {len(header)}")
            else:
                rows.append(Row(start, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        problems.append(f"line {line}: bad CSV ({error}); rows behind it were not read")
    return tuple(rows), tuple(problems)
