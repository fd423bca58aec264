"""Tables with named columns: CSV, TSV, Parquet."""

from __future__ import annotations

import csv
import io

import polars as pl

from sago.datasets.places import Records
from sago.errors import DataError

_CELL_LIMIT = 2**31 - 1
_SEPARATORS = (",", "\t", ";")


def read_csv(data: bytes, source: str) -> Records:
    """Returns the rows of a CSV text, every cell as text and an empty cell as null.

    The separator is the one of comma, tab and semicolon that the header has most of. Rows of empty cells hold nothing. The line of a row
    is the physical line where it starts, so quoted cells may span lines.

    Raises:
        DataError: If the text is not UTF-8, or two columns have one name.
    """
    text = _decoded(data, source).replace("\r\n", "\n").replace("\r", "\n")
    records = Records("line", split=True)
    before = csv.field_size_limit(_CELL_LIMIT)  # the limit belongs to the process: set back below
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
        header: list[str] | None = None
        start = 1
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, f"{source}, line {line}")
            elif len(cells) != len(header):
                records.reject(line, f"{len(cells)} cells, the header has {len(header)}")
            else:
                records.add(line, {name: cell if cell.strip() else None for name, cell in zip(header, cells, strict=True)})
    except csv.Error as error:
        records.reject(start, f"bad CSV ({error}); rows behind it were not read")
    finally:
        csv.field_size_limit(before)
    return records


def read_parquet(data: bytes, source: str) -> Records:
    """Returns the rows of a Parquet file; nested columns become lists and objects.

    Raises:
        DataError: If the file is damaged or holds a type that cannot be read.
    """
    try:
        table = pl.read_parquet(io.BytesIO(data), use_pyarrow=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"Parquet file cannot be read ({str(error).splitlines()[0]})", where=source) from error
    records = Records("row")
    for number, fields in enumerate(table.iter_rows(named=True), 1):
        records.add(number, fields)
    return records


def _decoded(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"not UTF-8 (byte 0x{data[error.start]:02x})", where=f"{source}, line {line}", fix="Save it as UTF-8") from error


def _separator(text: str) -> str:
    header = text.lstrip("\n").split("\n", 1)[0]
    return max(_SEPARATORS, key=header.count)


def _header(cells: list[str], where: str) -> list[str]:
    names = [cell.strip() or f"column_{number}" for number, cell in enumerate(cells, 1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"the header has {', '.join(repr(name) for name in twice)} twice", where=where)
    return names
