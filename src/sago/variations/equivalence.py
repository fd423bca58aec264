"""Rule checks that a wording keeps what the question is about: the same numbers, the same negations (METRICS 10)."""

from __future__ import annotations

import re
from collections import Counter

from sago.variations.words import NEGATIONS

BY_CONSTRUCTION = "by_construction"
"""Check of a family whose way of changing cannot touch the meaning."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COUNTED = "two three four five six seven eight nine ten eleven twelve"
_WORD_VALUES = {word: str(value) for value, word in enumerate(_COUNTED.split(), start=2)}
_CONTRACTED = re.compile(r"n['’]t$")


def numbers_in(text: str) -> Counter[str]:
    """Returns the numbers of a text with their counts; "1,000" counts as "1000" and the words two to twelve as numbers.

    >>> numbers_in("two of 1,000") == numbers_in("2 of 1000")
    True
    """
    found = Counter(re.sub(r",(?=\d{3}(?:\D|$))", "", match[0]) for match in _NUMBER.finditer(text))
    found.update(_WORD_VALUES[word] for match in _WORD.finditer(text) if (word := match[0].casefold()) in _WORD_VALUES)
    return found


def negations_in(text: str) -> int:
    """Returns how many words of a text turn something round (not, never, without, isn't, ...).

    >>> negations_in("Isn't it?") == negations_in("Is it not?") == 1
    True
    """
    words = (match[0].casefold() for match in _WORD.finditer(text))
    return sum(word in NEGATIONS or _CONTRACTED.search(word) is not None for word in words)


def checks_passed(canonical: str, wording: str) -> tuple[str, ...]:
    """Returns the names of the rule checks that a wording of a question passes: ``same_numbers``, ``same_negations``."""
    passed = {
        "same_numbers": numbers_in(canonical) == numbers_in(wording),
        "same_negations": negations_in(canonical) == negations_in(wording),
    }
    return tuple(name for name, is_kept in passed.items() if is_kept)


RULES = ("same_numbers", "same_negations")
"""Every rule check; a wording that keeps its meaning by construction has to pass all of them."""
