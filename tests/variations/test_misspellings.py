from __future__ import annotations

from sago.variations.misspellings import MISSPELLINGS
from sago.variations.words import COMMON, NEGATIONS, NUMBER_WORDS, QUANTIFIERS, STARTERS, UNITS


def test_no_misspelling_is_a_word() -> None:
    words = COMMON | NEGATIONS | NUMBER_WORDS | QUANTIFIERS | STARTERS | UNITS | set(MISSPELLINGS)
    assert {wrong for wrong in MISSPELLINGS.values() if wrong in words} == set()


def test_the_list_holds_small_letters_and_what_everybody_knows() -> None:
    assert len(MISSPELLINGS) > 400
    assert all(word.isalpha() and wrong.isalpha() and word.islower() and wrong.islower() for word, wrong in MISSPELLINGS.items())
    assert {"receive": "recieve", "separate": "seperate", "definitely": "definately"}.items() <= MISSPELLINGS.items()
