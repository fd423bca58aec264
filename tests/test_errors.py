"""The error tree: one base, and messages that say where, what, and what to do."""

from __future__ import annotations

import pytest

from sago import errors
from sago.errors import DataError, SagoError, UnknownNameError


def test_every_error_descends_from_the_base() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert len(classes) >= 10
    assert all(issubclass(cls, SagoError) for cls in classes)


def test_every_error_stands_in_the_drawn_tree() -> None:
    classes = [value.__name__ for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert all(name in (errors.__doc__ or "") for name in classes)


def test_message_says_where_what_and_what_to_do() -> None:
    assert str(SagoError("is a file", where="runs/a", fix="Give a folder")) == "runs/a: is a file. Give a folder"


@pytest.mark.parametrize(("said", "shown"), [("HTTP 401: no.", "HTTP 401: no. Mend it"), ("cut off...", "cut off.... Mend it")])
def test_what_ends_in_a_full_stop_gets_no_second_one(said: str, shown: str) -> None:
    assert str(SagoError(said, fix="Mend it")) == shown


def test_data_error_lists_problems_and_counts_the_rest() -> None:
    message = str(DataError("3 rows", where="q.jsonl", problems=[f"line {number}: bad" for number in range(1, 14)]))
    assert "line 10: bad" in message
    assert "line 11: bad" not in message
    assert "and 3 more" in message


@pytest.mark.parametrize(
    ("neighbours", "expected"), [(("typo",), "Did you mean typo?"), (("a", "b"), "Did you mean a or b?"), ((), "Known: case, typo")]
)
def test_unknown_name_suggests_neighbours_or_lists_what_is_known(neighbours: tuple[str, ...], expected: str) -> None:
    assert str(UnknownNameError("variation", "tipo", known=["typo", "case"], neighbours=neighbours)).endswith(expected)
