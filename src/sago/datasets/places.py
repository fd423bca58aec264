"""Rows of a source with the place where each one stands, so that every message can name it.

A large source is never held as Python objects: it comes in parts of some thousand rows, and may be gone through more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from sago.datasets.values import Fields

ROWS_A_PART = 2048
"""Rows that are Python objects at one time: enough for whole columns to be made at once, few enough to weigh nothing."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row as read."""

    number: int
    """Place in the source, from 1, in the unit of its :class:`Records`: the physical line where the row starts, or its number."""
    fields: Fields


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a row cannot be used."""

    number: int
    what: str


@dataclass
class Records:
    """Rows of a source, all or some of them, and what is wrong with the rows that are none."""

    unit: str
    """``line`` where rows have lines, ``item`` in a JSON list, ``row`` in a table without lines."""
    rows: list[Record] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    split: bool = False
    """Whether cells are text in which ``|`` separates several answers."""

    def add(self, number: int, fields: Fields) -> None:
        """Adds a row."""
        self.rows.append(Record(number, fields))

    def reject(self, number: int, what: str) -> None:
        """Adds the problem of a row."""
        self.problems.append(Problem(number, what))

    def columns(self) -> list[str]:
        """Returns the names of all fields of all rows, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self.rows for name in row.fields))

    def parts(self) -> Iterator[Records]:
        """Yields these rows themselves, as the only part."""
        yield self

    def is_full(self) -> bool:
        """Returns whether this is enough for one part of a large source."""
        return len(self.rows) + len(self.problems) >= ROWS_A_PART


class RecordSource(Protocol):
    """Rows that can be gone through part by part, again from the start on every call."""

    @property
    def unit(self) -> str:
        """What the numbers of rows count: ``line``, ``item`` or ``row``."""
        ...

    @property
    def split(self) -> bool:
        """Whether cells are text in which ``|`` separates several answers."""
        ...

    def parts(self) -> Iterator[Records]:
        """Yields the rows in their order, in parts that are forgotten one after the other."""
        ...


@dataclass(frozen=True, slots=True)
class Stream:
    """Rows that are read only when they are asked for, and once more whenever they are asked for again."""

    unit: str
    start: Callable[[], Iterator[Records]]
    """Begins to read, from the first row on."""
    split: bool = False

    def parts(self) -> Iterator[Records]:
        """Yields the rows, a part at a time."""
        return self.start()


def gathered(source: RecordSource) -> Records:
    """Returns all rows of a source at once, for those who have to look at them together."""
    whole = Records(source.unit, split=source.split)
    for part in source.parts():
        whole.rows += part.rows
        whole.problems += part.problems
    return whole


def numbered(rows: Iterable[Fields], unit: str = "row", *, split: bool = False) -> Iterator[Records]:
    """Yields rows in parts, counted from 1."""
    part = Records(unit, split=split)
    for number, fields in enumerate(rows, 1):
        part.add(number, fields)
        if part.is_full():
            yield part
            part = Records(unit, split=split)
    yield part
