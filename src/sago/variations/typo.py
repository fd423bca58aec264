"""Slips of the finger: a neighbouring key, two letters swapped, one dropped, one doubled; and misspellings that many people write.

A slip never touches a protected span, the first or the last letter of a word, or a word of three letters or fewer, and never turns a
word into another common one: what comes out is a misspelling of the same question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.drawing import pick, random_order
from sago.variations.languages import is_english
from sago.variations.misspellings import MISSPELLINGS
from sago.variations.one_slip_away import ONE_SLIP_AWAY
from sago.variations.protect import Bounds, covered, spans_of
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in
from sago.variations.words import COMMON, NEGATIONS, NUMBER_WORDS, QUANTIFIERS, STARTERS, UNITS, folded_words

KINDS = ("neighbour", "swap", "drop", "double", "common")
_SHORTEST = 4
_COMMON = 0.5  # share of slips in a word with a well-known misspelling that are this misspelling
_APART = 3  # letters between two slips in one word, so that the word can still be read

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_KNOWN = COMMON | ONE_SLIP_AWAY | NEGATIONS | NUMBER_WORDS | QUANTIFIERS | STARTERS | UNITS
_WORD = re.compile(r"[^\W\d_]+")
_MARK = re.compile(r"[\u0300-\u036f]")


def _neighbours() -> dict[str, str]:
    """Returns letter -> letters of the keys beside it on a QWERTY keyboard."""
    table: dict[str, str] = {}
    for row, keys in enumerate(_ROWS):
        for column, key in enumerate(keys):
            beside = [keys[at] for at in (column - 1, column + 1) if 0 <= at < len(keys)]
            # Each row stands half a key to the right of the one above it.
            beside += [_ROWS[row - 1][at] for at in (column, column + 1) if row > 0 and at < len(_ROWS[row - 1])]
            beside += [_ROWS[row + 1][at] for at in (column - 1, column) if row < 2 and 0 <= at < len(_ROWS[row + 1])]
            table[key] = "".join(beside)
    return table


_NEIGHBOURS = _neighbours()


class Typo:
    """Misspellings of the question's unprotected words."""

    name: str = "typo"
    description: str = "slips of the finger: neighbouring key, letters swapped, dropped, doubled; common misspellings (English)"
    intensity: str = "rate"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = (
        "context and choices; numbers, units, negations, quantifiers, names, quotations, code, links, formulas, fields, labels, "
        "choices and gold answers inside the question, and texts in the metadata field 'protect'"
    )
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(1, "how many misspelt wordings", minimum=1, maximum=100),
            "rate": Parameter(0.05, "slips for each letter that may change; at least one slip is made", minimum=0.001, maximum=0.25),
            "kinds": Parameter("+".join(KINDS), f"which of {', '.join(KINDS)}, joined by +"),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns whether the question has a word that may be misspelt."""
        return bool(editable_words(example.question, spans_of(example)))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns up to ``n`` misspelt wordings; one that comes out as another before it is left to the comparison of prompts."""
        kinds = names_in(parameters["kinds"], KINDS, "variation 'typo': kinds")
        words = editable_words(example.question, spans_of(example))
        shown = _words_of(example)
        known = _known_misspellings(example.question, words, shown) if "common" in kinds else {}
        drafts = []
        for place in range(1, parameters["n"] + 1):
            question = _misspelt(example.question, words, parameters["rate"], kinds, known, shown, rng)
            if question != example.question:
                drafts.append(Draft(str(place), question=question, checks=("protected_spans",)))
        return tuple(drafts)


@lru_cache(maxsize=4096)
def editable_words(question: str, spans: tuple[Bounds, ...]) -> tuple[Bounds, ...]:
    """Returns the spans of the words outside protected spans that may be misspelt.

    >>> ["Do whales sing in 1999?"[start:end] for start, end in editable_words("Do whales sing in 1999?", ((18, 22),))]
    ['whales', 'sing']
    """
    taken = covered(question, spans)
    return tuple(
        match.span()
        for match in _WORD.finditer(question)
        if len(match[0]) >= _SHORTEST and taken.find(1, *match.span()) < 0 and _is_alphabetic(question, *match.span())
    )


def _is_alphabetic(question: str, start: int, end: int) -> bool:
    """Returns whether the letters are of a script with two cases (Latin, Greek, Cyrillic) and stand without combining marks."""
    word = question[start:end]
    return (word.isascii() or all(letter.lower() != letter.upper() for letter in word)) and not _MARK.match(question[end : end + 1])


def _words_of(example: Example) -> frozenset[str]:
    """Returns every word that the reader of this example sees; a slip must not turn one into another."""
    texts = (example.question, example.context or "", *(example.choices or ()), *example.answers)
    return frozenset(chain.from_iterable(map(folded_words, texts)))


@lru_cache(maxsize=32)
def _inner_letters(words: tuple[Bounds, ...]) -> list[tuple[int, int]]:
    """Returns the number of the word and the place in it of every letter but the first and the last of a word."""
    return [(number, at) for number, (start, end) in enumerate(words) for at in range(1, end - start - 1)]


def _misspelt(
    question: str,
    words: tuple[Bounds, ...],
    rate: float,
    kinds: Sequence[str],
    known: Mapping[int, str],
    shown: frozenset[str],
    rng: np.random.Generator,
) -> str:
    letters = _inner_letters(words)
    wanted = max(1, round(rate * sum(end - start for start, end in words)))
    slips = [kind for kind in kinds if kind in _SLIPS]
    chosen: dict[int, list[int]] = {}
    made: dict[int, str] = {}
    total = 0
    for index in random_order(rng, len(letters)):
        if total == wanted:
            break
        number, at = letters[index]
        if any(abs(at - other) < _APART for other in chosen.get(number, ())):
            continue
        start, end = words[number]
        if number in known and number not in chosen and (not slips or rng.random() < _COMMON):
            # The whole word is taken: no slip goes into a misspelling.
            chosen[number], made[number] = list(range(end - start)), known[number]
            total += 1
            continue
        # Slips go into a word from its end to its start, so that earlier offsets stay true.
        places = sorted([*chosen.get(number, ()), at], reverse=True)
        spelt = question[start:end]
        for place in places:
            spelt = _slip(spelt, place, slips, rng)
        if spelt == question[start:end] or _is_a_word(spelt.casefold(), shown):
            continue
        chosen[number], made[number] = places, spelt
        total += 1
    parts, position = [], 0
    for number in sorted(made):
        start, end = words[number]
        parts += [question[position:start], made[number]]
        position = end
    return "".join([*parts, question[position:]])


def _known_misspellings(question: str, words: Sequence[Bounds], shown: frozenset[str]) -> dict[int, str]:
    """Returns word number -> misspelling that many people write, a capital kept; nothing where the question is not English."""
    if not is_english(question):
        return {}
    found = {}
    for number, (start, end) in enumerate(words):
        word = question[start:end]
        wrong = MISSPELLINGS.get(word.lower())
        if wrong is None or wrong in shown or word[1:] != word[1:].lower():
            continue
        found[number] = wrong[0].upper() + wrong[1:] if word[0].isupper() else wrong
    return found


def _is_a_word(spelt: str, shown: frozenset[str]) -> bool:
    """Returns whether a misspelling came out as a word that could be meant: a common one, its plural, or one of the example."""
    stems = {spelt, spelt.removesuffix("s"), spelt.removesuffix("ed"), spelt.removesuffix("ing"), spelt.removesuffix("d")}
    return not stems.isdisjoint(_KNOWN) or spelt in shown


def _slip(word: str, at: int, kinds: Sequence[str], rng: np.random.Generator) -> str:
    """Returns the word with one slip at an inner letter; the word itself where no kind has anything to do there."""
    for index in random_order(rng, len(kinds)):
        spelt = _SLIPS[kinds[index]](word, at, rng)
        if spelt != word:
            return spelt
    return word


def _neighbour(word: str, at: int, rng: np.random.Generator) -> str:
    letter = word[at]
    keys = _NEIGHBOURS.get(letter.lower())
    if not keys:
        return word
    key = keys[pick(rng, len(keys))]
    return word[:at] + (key.upper() if letter.isupper() else key) + word[at + 1 :]


def _swap(word: str, at: int, rng: np.random.Generator) -> str:
    if at + 1 >= len(word) - 1:
        return word
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _drop(word: str, at: int, rng: np.random.Generator) -> str:
    # Of a word of four letters a drop would leave three, and most runs of three letters are a word.
    return word[:at] + word[at + 1 :] if len(word) > _SHORTEST else word


def _double(word: str, at: int, rng: np.random.Generator) -> str:
    return word[:at] + word[at] + word[at:]


_SLIPS = {"neighbour": _neighbour, "swap": _swap, "drop": _drop, "double": _double}

typo = Typo()
