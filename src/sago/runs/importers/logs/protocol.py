"""What every reader of another tool's log gives: rows in the fields of recorded answers, and what makes them the same question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sago.datasets.places import Records
from sago.seeds import content_hash


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file, unpacked, by which its format is known.

    Attributes:
        source: The file.
        data: Its first bytes: at least the whole first line, where that is no longer than some megabytes.
    """

    source: str
    data: bytes

    def has(self, *keys: str) -> bool:
        """Returns whether the beginning is JSON that names all of these keys, on whatever level."""
        return self.data.lstrip()[:1] in (b"{", b"[") and all(re.search(rb'"%s"\s*:' % re.escape(key.encode()), self.data) for key in keys)

    @property
    def first_line(self) -> bytes:
        """The first line that is not blank."""
        return self.data.lstrip().split(b"\n", 1)[0]


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What a person may say about a log.

    Attributes:
        metric: Name of the score that says whether an answer is right; null = the first that the log names.
        filter: lm-eval: name of the filter whose reading of a response is taken; null = the first of the log.
    """

    metric: str | None = None
    filter: str | None = None


@dataclass(slots=True)
class Log:
    """One log as read.

    Attributes:
        source: The file.
        records: Its answers; fields have the names of the fields of recorded answers. ``dataset`` and ``variant`` may be left out.
        contents: For each record what has to be the same in every wording of its example, name -> value: the document, the right answer.
        task: What the log says it is about.
        labels: What sets this log apart from others of the same task, the best first: its arguments, for instance.
        names_variants: Whether its rows say themselves which wording they answer.
        notes: What a person should know.
        identity: Id of the evaluation, by which a copy of a log is known; empty = it has none.
    """

    source: str
    records: Records
    contents: list[Mapping[str, Any]]
    task: str
    labels: tuple[str, ...] = ()
    names_variants: bool = False
    notes: list[str] = field(default_factory=list)
    identity: str = ""

    def add(self, number: int, fields: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        """Adds an answer; fields that are null are left out."""
        self.records.add(number, {name: value for name, value in fields.items() if value is not None})
        self.contents.append(content)


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A kind of log.

    Attributes:
        name: As ``--format`` takes it.
        title: For people.
        recognises: Whether a file is one, by its beginning.
        read: Reads a file; raises ``DataError`` where it cannot.
    """

    name: str
    title: str
    recognises: Callable[[Head], bool]
    read: Callable[[str, LogOptions], Log]


def fingerprint(content: Mapping[str, Any]) -> str:
    """Returns eight hex digits of the hash of a content, for messages and names."""
    return content_hash({name: _plain(value) for name, value in sorted(content.items())})[:8]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
