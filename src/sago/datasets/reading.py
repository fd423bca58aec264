"""Bytes of a source as rows with their place in it. Nothing here knows what a column means.

The content decides before the name does: gzip and Parquet are known by their first bytes, whatever the file is called.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Literal, cast

from sago.datasets import tabular
from sago.datasets.jsonlines import read_json_list, read_lines
from sago.datasets.places import Records, RecordSource, Stream, gathered
from sago.errors import DataError

STDIN = "-"
"""The source that means standard input."""

Format = Literal["jsonl", "json", "csv", "tsv", "parquet"]
Opener = Callable[[], BinaryIO]

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
_HEAD = 1 << 16
"""Bytes by which the kind of a file is known, beside its first line."""


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


def open_records(source: str) -> RecordSource:
    """Returns the rows of a file or of standard input, and the problems of those that are none, to be read part by part.

    Standard input is kept as it came; a file is read again each time that its rows are gone through.

    Raises:
        DataError: If the source cannot be read as a whole; of a file that is damaged further on, while its rows are gone through.
    """
    with _told(source):
        opened = _opened(source)
        kind = _format(source, opened)
        if kind == "jsonl":
            return _guarded(read_lines(opened, source), source)
        if kind in {"csv", "tsv"}:
            return _guarded(tabular.read_csv(opened, source), source)
        with opened() as stream:
            data = stream.read()
    return tabular.read_parquet(data, source) if kind == "parquet" else read_json_list(data, source)


def read_head(source: str, size: int = 1 << 22) -> bytes:
    """Returns the first bytes of a file, unpacked: its first line that is not blank, and some of what follows it, of ``size`` at most.

    Raises:
        DataError: If the file cannot be read.
    """
    with _told(source), _opened(source)() as stream:
        head = stream.read(_HEAD)
        return head if b"\n" in head.lstrip() or len(head) < _HEAD else head + stream.readline(size)


def read_bytes(source: str) -> bytes:
    """Returns a whole file, unpacked.

    Raises:
        DataError: If the file cannot be read.
    """
    with _told(source), _opened(source)() as stream:
        return stream.read()


def read_records(source: str) -> Records:
    """Returns all rows of a file or of standard input at once.

    Raises:
        DataError: If the source cannot be read as a whole.
    """
    return gathered(open_records(source))


@contextmanager
def _told(source: str) -> Iterator[None]:
    """Says of which source it was that the bytes could not be had."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"gzip content is damaged or cut off ({error})", where=source) from error
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", where=source) from error


def _guarded(stream: Stream, source: str) -> Stream:
    def start() -> Iterator[Records]:
        with _told(source):
            yield from stream.parts()

    return replace(stream, start=start)


def _opened(source: str) -> Opener:
    """Returns what opens the bytes of a source, unpacked and behind a byte order mark."""
    data = sys.stdin.buffer.read() if source == STDIN else None

    def raw() -> BinaryIO:
        return Path(source).open("rb") if data is None else io.BytesIO(data)

    with raw() as stream:
        is_packed = stream.read(2) == _GZIP

    def opened() -> BinaryIO:
        stream = _unpacked(source if data is None else io.BytesIO(data)) if is_packed else raw()
        try:
            if stream.read(3) != _UTF8_BOM:
                stream.seek(0)
        except BaseException:
            stream.close()
            raise
        return stream

    return opened


def _unpacked(packed: str | BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(packed) if isinstance(packed, str) else gzip.GzipFile(fileobj=packed))


def _format(source: str, opened: Opener) -> Format:
    with opened() as stream:
        head = stream.read(4)
        start = head.lstrip()[:1]
        while not start and (more := stream.read(1 << 16)):
            start = more.lstrip()[:1]
    if head.startswith(_WIDE_BOMS):
        raise DataError("is UTF-16 text, not UTF-8", where=source, fix="Save it as UTF-8")
    if head == _PARQUET:
        return "parquet"
    name = source.lower().removesuffix(".gz")
    named = ENDINGS.get(Path(name).suffix) if source != STDIN else None
    if named == "parquet":
        raise DataError("is no Parquet file, whatever its name says", where=source)
    if named in {"csv", "tsv"}:
        return named
    if named in {"json", "jsonl"} or start in {b"{", b"["}:
        return "json" if start == b"[" else "jsonl"
    return "csv"
