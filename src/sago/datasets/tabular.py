"""Tables with named columns: CSV, TSV, Parquet."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Iterator
from typing import BinaryIO

import polars as pl

from sago.datasets.places import ROWS_A_PART, Records, Stream, numbered
from sago.datasets.values import Fields
from sago.errors import DataError

_CELL_LIMIT = 2**31 - 1
_SEPARATORS = (",", "\t", ";")


def read_csv(opened: Callable[[], BinaryIO], source: str) -> Stream:
    """Returns the rows of a CSV text, every cell as text and an empty cell as null.

    The separator is the one of comma, tab and semicolon that the header has most of. Rows of empty cells hold nothing. The line of a row
    is the physical line where it starts, so quoted cells may span lines.

    Args:
        opened: Opens the text, at its start.
        source: Name of the source, for messages.

    Raises:
        DataError: While it is read, if the text is not UTF-8, or two columns have one name.
    """
    return Stream("line", lambda: _parts_of_csv(opened, source), split=True)


def _parts_of_csv(opened: Callable[[], BinaryIO], source: str) -> Iterator[Records]:
    with io.TextIOWrapper(opened(), encoding="utf-8") as lines:  # every kind of line end becomes a line feed
        rows = _rows(lines, source)
        try:
            while (part := _part(rows)).rows or part.problems:
                yield part
        except UnicodeDecodeError as error:
            raise _not_utf8(opened, source) from error


def _part(rows: Iterator[tuple[int, Fields | str]]) -> Records:
    """Returns the next rows; the limit of long cells belongs to the process, so it holds only as long as this takes."""
    part = Records("line", split=True)
    before = csv.field_size_limit(_CELL_LIMIT)
    try:
        for line, found in rows:
            if isinstance(found, str):
                part.reject(line, found)
            else:
                part.add(line, found)
            if part.is_full():
                break
    finally:
        csv.field_size_limit(before)
    return part


def _rows(lines: Iterator[str], source: str) -> Iterator[tuple[int, Fields | str]]:
    """Yields the line of each row, and its fields or what is wrong with it."""
    first, skipped = "\n", -1
    while first == "\n":
        first, skipped = next(lines, ""), skipped + 1
    reader = csv.reader(itertools.chain([first], lines), delimiter=max(_SEPARATORS, key=first.count), strict=True)
    header: list[str] | None = None
    start = 1 + skipped
    try:
        for cells in reader:
            line, start = start, skipped + reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, f"{source}, line {line}")
            elif len(cells) != len(header):
                yield line, f"{len(cells)} cells, the header has {len(header)}"
            else:
                yield line, {name: cell if cell.strip() else None for name, cell in zip(header, cells, strict=True)}
    except csv.Error as error:
        yield start, f"bad CSV ({error}); rows behind it were not read"


def read_parquet(data: bytes, source: str) -> Stream:
    """Returns the rows of a Parquet file; nested columns become lists and objects.

    Raises:
        DataError: If the file is damaged or holds a type that cannot be read.
    """
    try:
        table = pl.read_parquet(io.BytesIO(data), use_pyarrow=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"Parquet file cannot be read ({str(error).splitlines()[0]})", where=source) from error
    return read_table(table)


def read_table(table: pl.DataFrame) -> Stream:
    """Returns the rows of a table."""
    return Stream("row", lambda: numbered(row for part in table.iter_slices(ROWS_A_PART) for row in part.iter_rows(named=True)))


def _not_utf8(opened: Callable[[], BinaryIO], source: str) -> DataError:
    with opened() as lines:
        for line, raw in enumerate(lines, 1):
            try:
                raw.decode("utf-8")
            except UnicodeDecodeError as error:
                what = f"not UTF-8 (byte 0x{raw[error.start]:02x})"
                return DataError(what, where=f"{source}, line {line}", fix="Save it as UTF-8")
    return DataError("not UTF-8", where=source, fix="Save it as UTF-8")


def _header(cells: list[str], where: str) -> list[str]:
    names = [cell.strip() or f"column_{number}" for number, cell in enumerate(cells, 1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"the header has {', '.join(repr(name) for name in twice)} twice", where=where)
    return names
