"""The formats of logs by name, and which of them a file has."""

from __future__ import annotations

from importlib import import_module

from sago.datasets.reading import STDIN, read_head
from sago.errors import StudyError
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions

TABLE = "table"
"""Format of files with one row a response, in columns."""

_MODULES = {"lm-eval": "lm_eval", "inspect": "inspect_logs", "helm": "helm", "promptfoo": "promptfoo", "dove": "dove"}
FORMAT_NAMES: tuple[str, ...] = (TABLE, *_MODULES)
"""What ``--format`` takes."""


def format_of(source: str, given: str | None = None) -> LogFormat | None:
    """Returns the format of a file, by its content; null for a table of one row a response.

    Args:
        source: The file; standard input is a table unless the format is given.
        given: The format that the user named; wins.

    Raises:
        StudyError: If no format has the name.
    """
    if given is not None:
        if given not in FORMAT_NAMES:
            raise StudyError(f"no format is called '{given}'", where="--format", fix=f"Use one of {', '.join(FORMAT_NAMES)}")
        return None if given == TABLE else _format(given)
    if source == STDIN:
        return None
    head = Head(source, read_head(source))
    return next((known for name in _MODULES if (known := _format(name)).recognises(head)), None)


def read_log(source: str, known: LogFormat, options: LogOptions | None = None) -> Log:
    """Reads a file as a log of a format.

    Raises:
        DataError: If it is none, or nothing in it can be used.
    """
    log = known.read(source, options or LogOptions())
    log.notes.insert(0, f"read as {known.title}")
    return log


def _format(name: str) -> LogFormat:
    found: LogFormat = import_module(f"sago.runs.importers.logs.{_MODULES[name]}").FORMAT
    return found
