"""Words in order, with repetition; the scripts are tested with the sets of words in ``test_uptake``."""

from __future__ import annotations

import pytest

from sago.arrays.tokens import tokens
from sago.arrays.uptake import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("To be, or not to be!", ("to", "be", "or", "not", "to", "be")),
        ("Größe größe", ("größe", "größe")),
        ("今天 ok 今天", ("今", "天", "ok", "今", "天")),
        ("Don\u2019t 😀 .", ("don't",)),
        ("😀 .", ()),
    ],
)
def test_words_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected
    assert words(text) == set(expected)
