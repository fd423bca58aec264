"""``python:MODULE:FUNCTION`` and ``python:FILE.py:FUNCTION``: questions that a Python function makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from sago.datasets.examples import examples_table
from sago.datasets.named_objects import named_object
from sago.datasets.places import Records, Stream, numbered
from sago.datasets.protocol import LoadOptions
from sago.datasets.tabular import read_table
from sago.errors import DataError, SagoError

_END = object()
_WAYS = "python:package.module:function or python:folder/file.py:function"


def load_function(source: str, options: LoadOptions) -> pl.DataFrame:
    """Questions of a Python function that yields dictionaries or returns a table; give python:MODULE:FUNCTION or python:FILE.py:FUNCTION.

    The function takes no argument and may be called more than once. The dataset is called like it, or as ``options.name`` says.

    Args:
        source: ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``.
        options: How to read the fields; they are understood as those of a JSON line are.

    Raises:
        DataError: If there is no such function, it fails, or one of its rows cannot be used.
    """
    function, name = named_object(source, _WAYS)
    if not callable(function):
        raise DataError(f"is no function but {type(function).__name__}", where=source, fix=f"Write {_WAYS}")
    return rows_table(function, source, options.name or name, options)


def rows_table(make: Callable[[], Any], source: str, dataset: str, options: LoadOptions) -> pl.DataFrame:
    """Returns rows that a function makes as table ``examples``: all that a loader of one's own needs, behind an entry point.

    Args:
        make: Called without arguments, perhaps more than once: yields or returns mappings with the fields of a JSON line, or returns a
            table (polars, pandas, Arrow).
        source: Name of the source, for messages.
        dataset: Name of the dataset.
        options: How to read the fields, and who hears of what is doubtful.

    Raises:
        DataError: If the function fails, gives anything else, or one of its rows cannot be used.
    """
    return examples_table(Stream("row", lambda: _parts(make, source)), source, dataset, options)


def _parts(make: Callable[[], Any], source: str) -> Iterator[Records]:
    made = _called(make, source)
    if isinstance(made, pl.LazyFrame):
        made = made.collect()
    if not isinstance(made, pl.DataFrame) and hasattr(made, "__arrow_c_stream__"):
        made = pl.DataFrame(made)
    if isinstance(made, pl.DataFrame):
        yield from read_table(made).parts()
    elif isinstance(made, Iterable) and not isinstance(made, str | bytes | Mapping):
        yield from numbered(_checked(made, source))
    else:
        raise DataError(f"gave {type(made).__name__}, neither dictionaries nor a table", where=source)


def _called(make: Callable[[], Any], source: str) -> Any:
    try:
        return make()
    except SagoError:
        raise
    except Exception as error:  # whatever a foreign function raises is reported with its name
        raise DataError(f"raised {error!r}", where=source) from error


def _checked(rows: Iterable[Any], source: str) -> Iterator[Mapping[str, Any]]:
    """Yields rows; what is none ends the reading, since a function, unlike a file, has one author who can put it right."""
    number, iterator = 0, iter(rows)
    while True:
        number += 1
        row = _called(lambda: next(iterator, _END), f"{source}, row {number}")
        if row is _END:
            return
        if not isinstance(row, Mapping) or not all(isinstance(name, str) for name in row):
            raise DataError(f"is {type(row).__name__}, not a dictionary of fields", where=f"{source}, row {number}")
        yield row
