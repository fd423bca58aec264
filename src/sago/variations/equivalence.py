"""Rule checks that a wording keeps what the question is about: the same numbers, the same negations (METRICS 10)."""

from __future__ import annotations

import re
from functools import lru_cache

from sago.variations.words import NEGATIONS

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COUNTED = "two three four five six seven eight nine ten eleven twelve"
_WORD_VALUES = {word: str(value) for value, word in enumerate(_COUNTED.split(), start=2)}


@lru_cache(maxsize=4096)
def numbers_in(text: str) -> tuple[str, ...]:
    """Returns the numbers of a text, sorted; "1,000" counts as "1000" and the words two to twelve as numbers.

    >>> numbers_in("two of 1,000") == numbers_in("1000 and 2")
    True
    """
    found = [re.sub(r",(?=\d{3}(?:\D|$))", "", match) for match in _NUMBER.findall(text)]
    found += [_WORD_VALUES[word] for word in _words(text) if word in _WORD_VALUES]
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def negations_in(text: str) -> int:
    """Returns how many words of a text turn something round (not, never, without, isn't, ...).

    >>> negations_in("Isn't it?") == negations_in("Is it not?") == 1
    True
    """
    return sum(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in _words(text))


def checks_passed(canonical: str, wording: str) -> tuple[str, ...]:
    """Returns the names of the rule checks that a wording of a question passes: ``same_numbers``, ``same_negations``."""
    passed = {
        "same_numbers": numbers_in(canonical) == numbers_in(wording),
        "same_negations": negations_in(canonical) == negations_in(wording),
    }
    return tuple(name for name, is_kept in passed.items() if is_kept)


RULES = ("same_numbers", "same_negations")
"""Every rule check; a wording that keeps its meaning by construction has to pass all of them."""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
