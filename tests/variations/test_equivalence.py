from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.variations.equivalence import checks_passed, negations_in, numbers_in
from sago.variations.words import NEGATIONS


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


_PIECES = st.sampled_from(["not", "Isn't", "isn’t", "NEVER", "two", "Twelve", "1,000", "1,00", "2.5", "knot", "n't", ",", " ", " ", "é"])


@settings(deadline=None, max_examples=200)
@given(st.lists(_PIECES, max_size=12).map("".join))
def test_the_short_ways_find_what_a_look_at_every_word_finds(text: str) -> None:
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.casefold())
    assert negations_in(text) == sum(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in words)
    numbers = [re.sub(r",(?=\d{3}(?:\D|$))", "", number) for number in re.findall(r"\d+(?:[.,]\d+)*", text)]
    assert numbers_in(text) == tuple(
        sorted([*numbers, *({"two": "2", "twelve": "12"}[word] for word in words if word in ("two", "twelve"))])
    )


def test_folding_letters_makes_and_takes_no_part_of_a_number() -> None:
    """Facts are looked up by the folded text."""
    part = re.compile(r"[\d.,]")
    folds = (sign for sign in map(chr, range(sys.maxunicode + 1)) if sign.casefold() != sign)
    assert not [sign for sign in folds if part.search(sign) or part.search(sign.casefold())]


@given(st.text(alphabet="no't5,. wihu\n\x1c", max_size=30))
def test_a_foreign_sign_behind_a_text_changes_no_fact(text: str) -> None:
    assert (numbers_in(text), negations_in(text)) == (numbers_in(text + " 今"), negations_in(text + " 今"))
