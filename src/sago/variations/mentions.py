"""Whether a text names an answer: what is put beside a question must not give any of its answers away."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize

from sago.records import Example
from sago.variations.equivalence import numbers_in
from sago.variations.words import STARTERS


def answers_of(example: Example) -> tuple[str, ...]:
    """Returns everything that could be an answer to an example: its choices, its gold answers, those of its twin."""
    twin = example.twin.answers if example.twin else ()
    return tuple(dict.fromkeys((*(example.choices or ()), *example.answers, *twin)))


def hints_at(text: str, example: Example) -> bool:
    """Returns whether a text that all examples share names an answer of this one; single letters and the smallest words do not count.

    >>> hints_at("This is urgent.", Example("d", "1", "How is it?", choices=("Urgent", "a"), answers=("a",)))
    True
    """
    phrases = (phrase for phrase in answers_of(example) if phrase.strip().casefold() not in STARTERS)
    return names_any(text, (phrase for phrase in phrases if len(phrase.strip()) > 1 or not phrase.strip().isalpha()))


def names_any(text: str, phrases: Iterable[str]) -> bool:
    """Returns whether one of some phrases stands in a text as words of its own, in any case; numbers count by their value.

    In scripts that do not part words a phrase counts wherever it stands.

    >>> names_any("A thousand and 1,000 cats.", ["1000"]), names_any("A cathedral.", ["cat"]), names_any("Ein Weg.", ["WEG"])
    (True, False, True)
    """
    folded = _folded(text)
    return any(_stands(folded, _folded(phrase)) or _is_number_of(phrase, text) for phrase in phrases if phrase.strip())


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return normalize("NFC", " ".join(text.split())).casefold()


def _stands(folded: str, phrase: str) -> bool:
    return phrase in folded and _pattern(phrase).search(folded) is not None


@lru_cache(maxsize=4096)
def _pattern(phrase: str) -> re.Pattern[str]:
    left = r"(?<!\w)" if _parts_words(phrase[0]) else ""
    right = r"(?!\w)" if _parts_words(phrase[-1]) else ""
    return re.compile(left + re.escape(phrase) + right)


def _parts_words(sign: str) -> bool:
    """Returns whether a sign is a digit, or a letter of a script with cases: those have spaces between words."""
    return sign.isdigit() or sign.lower() != sign.upper()


def _is_number_of(phrase: str, text: str) -> bool:
    numbers = numbers_in(phrase)
    return len(numbers) == 1 and len(phrase.split()) == 1 and numbers[0] in numbers_in(text)
