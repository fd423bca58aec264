"""Bytes of a source as rows with their place in it. Nothing here knows what a column means.

The content decides before the name does: gzip and Parquet are known by their first bytes, whatever the file is called.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sago.datasets import tabular
from sago.datasets.jsonlines import read_json_list, read_lines
from sago.datasets.places import Records
from sago.errors import DataError

STDIN = "-"
"""The source that means standard input."""

Format = Literal["jsonl", "json", "csv", "tsv", "parquet"]

ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""Ending of a file name (before ``.gz``) -> format."""

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_UTF8_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Content:
    """What a source holds, unpacked and without a byte order mark."""

    data: bytes
    format: Format


def stem(source: str) -> str:
    """Returns the name of a file without the endings of its format and of ``.gz``.

    >>> stem("data/questions.v2.jsonl.gz"), stem("-"), stem("notes.txt")
    ('questions.v2', 'stdin', 'notes.txt')
    """
    if source == STDIN:
        return "stdin"
    name = Path(source).name
    if name.lower().endswith(".gz"):
        name = name[:-3] or name
    ending = Path(name).suffix.lower()
    return name[: -len(ending)] if ending in ENDINGS else name


def read_records(source: str) -> Records:
    """Returns the rows of a file or of standard input, and the problems of those that are none.

    Raises:
        DataError: If the source cannot be read as a whole.
    """
    content = _content(source)
    readers: dict[Format, Callable[[bytes, str], Records]] = {
        "jsonl": read_lines,
        "json": read_json_list,
        "csv": tabular.read_csv,
        "tsv": tabular.read_csv,
        "parquet": tabular.read_parquet,
    }
    return readers[content.format](content.data, source)


def _content(source: str) -> Content:
    data = _bytes(source)
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DataError(f"gzip content is damaged or cut off ({error})", where=source) from error
    if data.startswith(_WIDE_BOMS):
        raise DataError("is UTF-16 text, not UTF-8", where=source, fix="Save it as UTF-8")
    return Content(data.removeprefix(_UTF8_BOM), _format(source, data.removeprefix(_UTF8_BOM)))


def _bytes(source: str) -> bytes:
    try:
        if source == STDIN:
            return sys.stdin.buffer.read()
        return Path(source).read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", where=source) from error


def _format(source: str, data: bytes) -> Format:
    if data.startswith(_PARQUET):
        return "parquet"
    name = source.lower().removesuffix(".gz")
    named = ENDINGS.get(Path(name).suffix) if source != STDIN else None
    start = data.lstrip()[:1]
    if named == "parquet":
        raise DataError("is no Parquet file, whatever its name says", where=source)
    if named in {"csv", "tsv"}:
        return named
    if named in {"json", "jsonl"} or start in {b"{", b"["}:
        return "json" if start == b"[" else "jsonl"
    return "csv"
