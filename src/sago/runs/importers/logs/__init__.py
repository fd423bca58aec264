"""Logs of other evaluation tools, read as recorded answers.

Each format is one file with one :class:`~sago.runs.importers.logs.protocol.LogFormat`: how a file is known by its content, and how its rows
become fields of recorded answers. ``joining`` puts several logs together, verified by content.
"""

from __future__ import annotations

from sago.runs.importers.logs.formats import FORMAT_NAMES, TABLE, format_of, read_log
from sago.runs.importers.logs.joining import joined
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions

__all__ = ["FORMAT_NAMES", "TABLE", "Head", "Log", "LogFormat", "LogOptions", "format_of", "joined", "read_log"]
