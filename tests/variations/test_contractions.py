from __future__ import annotations

import pytest

from sago.variations.contractions import drawn_together, written_out
from sago.variations.equivalence import negations_in
from sago.variations.protect import negations_in_full


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's the name?", "What is the name?"),
        ("It's a pity they didn't come.", "It is a pity they did not come."),
        ("those who've gone and you've seen, we'll see", "those who've gone and you have seen, we will see"),
        ("It's been raining", "It's been raining"),
        ("It's not been raining", "It's not been raining"),
        ("Let's go; Janet's car; Isn't it odd? Why doesn't the cat run?", "Let's go; Janet's car; Isn't it odd? Why doesn't the cat run?"),
        ("I'm here", "I am here"),
        ("He’s in town", "He is in town"),
    ],
)
def test_written_out(text: str, expected: str) -> None:
    assert written_out(text) == expected
    assert negations_in(text) == negations_in(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the name?", "What's the name?"),
        ("It does not grow", "It doesn't grow"),
        ("It is not only red, it is not the case", "It's not only red, it's not the case"),
        ("What is rain?", "What is rain?"),
        ("The two of you are in town; they are in town", "The two of you are in town; they're in town"),
        ("you have already eaten, you have two", "you've already eaten, you have two"),
        ("she will pay; she will not pay", "she'll pay; she will not pay"),
        ("That is what it is.", "That is what it is."),
    ],
)
def test_drawn_together(text: str, expected: str) -> None:
    assert drawn_together(text) == expected
    assert negations_in(text) == negations_in(expected)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("It can't", "It cannot"),
        ("can not", "cannot"),
        ("Won't he", "will not he"),
        ("isn’t", "is not"),
        ("shan't", "shall not"),
        ("no", "no"),
    ],
)
def test_negations_in_full(short: str, full: str) -> None:
    assert negations_in_full(short).casefold() == full.casefold()
