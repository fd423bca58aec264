"""Spans of a question that must not change: numbers, units, negations, names, code, links, formulas, fields, labels, answers.

Two sets of rules: :data:`EXACT` spans mean something else as soon as one character differs, its case included; the others are words
whose letters must stay, whatever their case. When in doubt a span is protected: a variant less is better than another question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sago.records import Example
from sago.variations.words import NEGATIONS, NUMBER_WORDS, QUANTIFIERS, STARTERS, UNITS

Bounds = tuple[int, int]
"""Start and end of a span, in characters."""

_EXACT_RULES = {
    "code": r"```.*?```|`[^`\n]+`",
    "latex": r"\$\$.+?\$\$|(?<![\w$])\$(?=\S)[^$\n]*?(?<=\S)\$(?![\d])|\\\(.+?\\\)|\\\[.+?\\\]|\\begin\{.*?\\end\{[^}]*\}",
    "field": r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|\$?\{[^{}\n]*\}|%\(\w+\)[a-z]|%[sdf]\b|<\|?[^<>\s][^<>\n]*>|\[/?[A-Z_]{2,}\]|\[[^\[\]\n]*\]",
    "link": r"(?:https?|ftp|file)://\S+|\bwww\.\S+|(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
    "unit": rf"(?<=\d)[ \u00a0](?:{'|'.join(sorted(UNITS, key=lambda unit: (-len(unit), unit)))})\b",
    "label": r"(?:^|\n)[ \t]*[^\W\d_][^\W\d_]*(?: [^\W\d_]+){0,2}:(?=\s|\Z)[ \t]*|(?:^|\n)[ \t]*(?:\(?[A-Za-z]{1,2}[.)]|[-*•])[ \t]+",
    "letter": r"\b[B-HJ-Z]\b|\bA\b(?=\s*(?:or|and|,|/|to)\s+[A-Z]\b)|(?<=\bor )A\b|(?<=\band )A\b",
}
_WORD_RULES = {
    "quotation": r"\"[^\"\n]+\"|“[^”\n]+”|«[^»\n]+»|„[^“”\n]+[“”]|‘[^’\n]+’(?!\w)|(?<!\w)'[^'\n]+'(?!\w)",
    "contraction": r"\b[^\W\d_]+n['’]t\b",
    "alternatives": r"\b[^\W\d_]+(?:,\s+[^\W\d_]+)*,?\s+or\s+[^\W\d_]+\b",
    "word": rf"\b(?:{'|'.join(sorted(NEGATIONS | NUMBER_WORDS | QUANTIFIERS))})\b",
}


def _compile(rules: dict[str, str]) -> tuple[re.Pattern[str], ...]:
    flags = {"unit": re.IGNORECASE, "word": re.IGNORECASE, "contraction": re.IGNORECASE, "alternatives": re.IGNORECASE, "code": re.DOTALL}
    return tuple(re.compile(rule, flags.get(name, re.NOFLAG)) for name, rule in rules.items())


_EXACT = _compile(_EXACT_RULES)
_WORDS = _compile(_WORD_RULES)
_LETTERS = re.compile(r"[^\W\d_]+")
_TOKENS = re.compile(r"\S+")
# Anything glued to a digit or a sign is a number, a version, a date, a path, a formula or an identifier.
_GLUED = re.compile(r"[\d_@\\/=<>#|^~*{}$%&+²³°µ€£]|\w[.:]\w|[a-z][A-Z]|\w\(")


def exact_spans(text: str) -> tuple[Bounds, ...]:
    """Returns the spans of which not even the case may change: code, formulas, fields, links, numbers with units, labels.

    >>> ["Is it {x} or 5 km?"[start:end] for start, end in exact_spans("Is it {x} or 5 km?")]
    ['{x}', '5 km']
    """
    glued = [match.span() for match in _TOKENS.finditer(text) if _GLUED.search(match[0])]
    return _merge([*glued, *(match.span() for pattern in _EXACT for match in pattern.finditer(text))])


@lru_cache(maxsize=4096)
def protected_spans(text: str, also: tuple[str, ...] = ()) -> tuple[Bounds, ...]:
    """Returns every span of a text that a character or word edit must leave alone, in order and without overlap.

    Args:
        text: The question.
        also: Further texts to protect wherever they stand (choices, gold answers, what the user names), in any case.
    """
    found = [*exact_spans(text), *(match.span() for pattern in _WORDS for match in pattern.finditer(text))]
    found += _names(text)
    folded = text.casefold()
    for phrase in also:
        if phrase.strip().casefold() in folded:
            found += _occurrences(text, phrase.strip())
    return _merge(found)


def phrases_of(example: Example) -> tuple[str, ...]:
    """Returns the texts of an example that its question must keep: choices, gold answers, and metadata field ``protect``."""
    given = example.metadata.get("protect")
    extra = [given] if isinstance(given, str) else given if isinstance(given, Sequence) else []
    twin = example.twin.answers if example.twin else ()
    texts = [*(example.choices or ()), *example.answers, *twin, *(text for text in extra if isinstance(text, str))]
    return tuple(dict.fromkeys(text for text in texts if text.strip()))


def spans_of(example: Example) -> tuple[Bounds, ...]:
    """Returns the protected spans of an example's question."""
    return protected_spans(example.question, phrases_of(example))


def outside(text: str, spans: Sequence[Bounds]) -> list[Bounds]:
    """Returns the stretches of a text between the spans."""
    stretches, position = [], 0
    for start, end in [*spans, (len(text), len(text))]:
        if start > position:
            stretches.append((position, start))
        position = max(position, end)
    return stretches


def keeps(canonical: str, variant: str, spans: Iterable[Bounds], *, case: bool = True) -> bool:
    """Returns whether every span of the canonical text stands in the variant, in the same order.

    Args:
        canonical: Text that the spans belong to.
        variant: Text to look in.
        spans: Spans in order, without overlap.
        case: Whether the case of letters matters.
    """
    text = variant if case else variant.casefold()
    position = 0
    for start, end in spans:
        wanted = canonical[start:end] if case else canonical[start:end].casefold()
        found = text.find(wanted, position)
        if found < 0:
            return False
        position = found + len(wanted)
    return True


def _names(text: str) -> list[Bounds]:
    """Returns the words that may be names: with a capital that no sentence start explains, or all in capitals."""
    return [match.span() for match in _LETTERS.finditer(text) if match[0] != match[0].lower() and match[0].casefold() not in STARTERS]


def _occurrences(text: str, phrase: str) -> list[Bounds]:
    """Returns where a phrase stands in a text, in any case; whole words only, so that the choice "a" protects no letter."""
    left = r"(?<!\w)" if phrase[:1].isalnum() else ""
    right = r"(?!\w)" if phrase[-1:].isalnum() else ""
    return [match.span() for match in re.finditer(left + re.escape(phrase) + right, text, re.IGNORECASE)]


def _merge(spans: Iterable[Bounds]) -> tuple[Bounds, ...]:
    merged: list[Bounds] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return tuple(merged)
