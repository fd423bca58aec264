from __future__ import annotations

import pytest

from sago.variations.equivalence import checks_passed, negations_in, numbers_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,000 of 2.5 and 7", ("1000", "2.5", "7")),
        ("two eggs, Twelve boxes", ("12", "2")),
        ("1,00 is no thousand", ("1,00",)),
        ("3 and 3", ("3", "3")),
        ("one of them", ()),
    ],
)
def test_numbers(text: str, expected: tuple[str, ...]) -> None:
    assert numbers_in(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("He is not here", 1), ("He ISN’T here", 1), ("never without", 2), ("a knot", 0), ("Das ist nicht neu", 1)]
)
def test_negations(text: str, expected: int) -> None:
    assert negations_in(text) == expected


@pytest.mark.parametrize(
    ("wording", "passed"),
    [
        ("Isn't 12 five more than 7?", ("same_numbers", "same_negations")),
        ("Is 12 five more than 7?", ("same_numbers",)),
        ("Is 12 not more than 7?", ("same_negations",)),
        ("Is it more?", ()),
    ],
)
def test_checks(wording: str, passed: tuple[str, ...]) -> None:
    assert checks_passed("Is 12 not 5 more than 7?", wording) == passed
