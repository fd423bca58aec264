"""Rows of a source with the place where each one stands, so that every message can name it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sago.datasets.values import Fields


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
    """All rows of a source, and what is wrong with the rows that are none."""

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
