"""Which of a log's scores says whether an answer is right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from sago.errors import DataError

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Marks of Inspect: correct, incorrect, partly, no answer."""


def as_share(value: Any) -> float | None:
    """Returns a score as how right an answer is, from 0 to 1; null where it is no such number.

    >>> as_share(True), as_share("C"), as_share(0.25), as_share(17), as_share([1, 0])
    (1.0, 1.0, 0.25, None, None)
    """
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    if isinstance(value, bool | int | float) and math.isfinite(value) and 0 <= value <= 1:
        return float(value)
    return None


class MetricChoice(NamedTuple):
    """The score that is taken; a null name takes none."""

    name: str | None

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], names: Iterable[str], wanted: str | None, source: str) -> Self:
        """Chooses the one that was asked for, else the first that is from 0 to 1 in every row that has it.

        Raises:
            DataError: If the one that was asked for is in no row, or is no share.
        """
        known = [name for name in dict.fromkeys(names) if any(row.get(name) is not None for row in rows)]
        shares = [name for name in known if all(row.get(name) is None or as_share(row[name]) is not None for row in rows)]
        if wanted is None:
            return cls(shares[0] if shares else None)
        if wanted not in shares and any(row.get(wanted) is not None for row in rows):
            if all(row.get(wanted) is None or as_share(row[wanted]) is not None for row in rows):
                return cls(wanted)
            raise DataError(f"metric '{wanted}' is not from 0 to 1 in every row", where=source, fix=f"Use one of {', '.join(shares)}")
        if wanted not in shares:
            raise DataError(f"no metric '{wanted}'", where=source, fix=f"Metrics: {', '.join(known) or 'none'}")
        return cls(wanted)

    def verdict(self, row: Mapping[str, Any]) -> float | None:
        """Returns how right the answer of a row is, from 0 to 1; null where it was not judged."""
        return None if self.name is None else as_share(row.get(self.name))
