"""Rule checks that a wording keeps what the question is about: the same numbers, the same negations (METRICS 10)."""

from __future__ import annotations

import re
from functools import lru_cache

from sago.variations.words import NEGATIONS

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_COUNTED = "two three four five six seven eight nine ten eleven twelve"
_THOUSANDS = re.compile(r",(?=\d{3}(?:\D|$))")
_SHORT = ("n't", "n’t")
_WORD_VALUES = {word: str(value) for value, word in enumerate(_COUNTED.split(), start=2)}
_TELLING = NEGATIONS.union(_WORD_VALUES)


def numbers_in(text: str) -> tuple[str, ...]:
    """Returns the numbers of a text, sorted; "1,000" counts as "1000" and the words two to twelve as numbers.

    >>> numbers_in("two of 1,000") == numbers_in("1000 and 2")
    True
    """
    return _facts(text.casefold())[0]


def negations_in(text: str) -> int:
    """Returns how many words of a text turn something round (not, never, without, isn't, ...).

    >>> negations_in("Isn't it?") == negations_in("Is it not?") == 1
    True
    """
    return _facts(text.casefold())[1]


def checks_passed(canonical: str, wording: str) -> tuple[str, ...]:
    """Returns the names of the rule checks that a wording of a question passes: ``same_numbers``, ``same_negations``."""
    before, after = _facts(canonical.casefold()), _facts(wording.casefold())
    return RULES if before == after else tuple(name for name, one, other in zip(RULES, before, after, strict=True) if one == other)


RULES = ("same_numbers", "same_negations")
"""Every rule check; a wording that keeps its meaning by construction has to pass all of them."""


@lru_cache(maxsize=1024)
def _facts(folded: str) -> tuple[tuple[str, ...], int]:
    """Returns the numbers of a text, sorted, and how many of its words negate; folding its letters has changed no number."""
    words = (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)
    found = _NUMBER.findall(folded) if _may_have_digits(folded) else []
    if "," in folded:
        found = [_THOUSANDS.sub("", match) for match in found]
    if not _TELLING.isdisjoint(words):
        found += [_WORD_VALUES[word] for word in words if word in _WORD_VALUES]
        negations = sum(word in NEGATIONS or word.endswith(_SHORT) for word in words)
    elif any(short in folded for short in _SHORT):
        negations = sum(word.endswith(_SHORT) for word in words)
    else:
        negations = 0
    return tuple(sorted(found)), negations


def _may_have_digits(text: str) -> bool:
    """Returns false where there are none: of ASCII texts that can be told four times as fast as by looking at every sign."""
    return not text.isascii() or any(digit in text for digit in "0123456789")
