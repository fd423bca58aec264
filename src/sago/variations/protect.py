"""Spans of a question that must not change: numbers, units, negations, names, code, links, formulas, fields, labels, answers.

Two sets of rules: exact spans mean something else as soon as one character differs, mostly its case included (``5 mW`` is not ``5 MW``, but
``5 HOURS`` are 5 hours); the others are words whose letters must stay, whatever their case. When in doubt a span is protected: a variant
less is better than another question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import NamedTuple, TypeVar

from sago.records import Draft, Example
from sago.variations.names import name_spans, names_within
from sago.variations.words import NEGATIONS, NUMBER_WORDS, QUANTIFIERS, STARTERS, UNITS

Bounds = tuple[int, int]
"""Start and end of a span, in characters."""

_FIELDS = (
    r"(?s:\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<%.*?%>|<<[^<>]*>>|\[\[[^\[\]]*\]\])"  # double marks, over several lines
    r"|\$?\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\}"  # braces, three deep: JSON
    r"|%\(\w+\)[a-z]|%[sdf]\b|</?\|?[^<>\s][^<>\n]*>|\[/?[A-Z_]{2,}\]|\[[^\[\]\n]*\]"
)
_CODE = (
    r"(?s:```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z))|``[^\n]+?``|`[^`\n]+`"
    r"|(?m:^(?:\t| {4,})\S.*$)"  # an indented block
    r"|(?m:^[ \t]*(?:def|class|import|for|while|if|elif|else|try|return|print|public|private|static|var|let|const|function)\b.*[:;{})]$)"
    r"|(?m:^[ \t]*(?:import \w+|from \w[\w.]* import .*|return \S+|#include\b.*)$)|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^\n]*"
)
_LATEX = (
    r"(?s:\$\$.+?\$\$|\\\(.+?\\\)|\\\[.+?\\\]|\\begin\{.*?\\end\{[^}]*\})"
    r"|(?<![\w$])\$(?=\S)[^$\n]*?(?<=\S)\$(?![\d])|\\[A-Za-z]+(?:\[[^\]\n]*\])?(?:\{(?:[^{}]|\{[^{}]*+\})*+\})*"
)


def _unit(units: Iterable[str]) -> str:
    return rf"(?<=\d)[ \u00a0\u202f](?:{'|'.join(sorted(units, key=lambda unit: (-len(unit), unit)))})\b"


_EXACT_RULES = {
    "code": _CODE,
    "latex": _LATEX,
    "field": _FIELDS,
    "link": r"(?i:https?|ftp|file)://\S+|\b(?i:www)\.\S+|(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
    "label": r"(?:^|\n)[ \t]*[^\W\d_][^\W\d_]*(?: [^\W\d_]+){0,2}:(?=\s|\Z)[ \t]*|(?:^|\n)[ \t]*(?:\(?[A-Za-z]{1,2}[.)]|[-*•])[ \t]+",
    "letter": r"[A-HJ-Z](?<!\w.)(?!\w)(?:(?<!A)(?<!['’ʼ].)(?!['’ʼ][^\W\d_]{2})"  # the sign first: looking for one of few is fast
    r"|(?<=A)(?:(?=\s*(?:or|and|,|/|to)\s+[A-Z]\b)|(?<=\bor A)|(?<=\band A)))",
}
_TURNED = (
    r"non\w{4,}|un(?!der|i|cle|til)\w{4,}|dis(?=ag|al|ap|ar|be|co(?!v)|lik|ob|or|pl|qu|re|sa|si|tr)\w{4,}"
    r"|im(?=poss|prob|perf|pol|mor|mob|pat|pure|prac)\w{4,}|il(?=leg|log|lit)\w{4,}|ir(?=reg|rel|res|rev|rat)\w{4,}"
    r"|in(?=act|acc|adeq|compl|compat|comper|consis|corr|cap|dep|dir|eff|elig|edi|exp|finit|form|freq|hum|org|san|sec|sens|suff|tol|val|vis)\w{5,}"
)
_WORD_RULES = {
    "quotation": r"\"[^\"\n]+\"|“[^”\n]+”|«[^»\n]+»|‹[^›\n]+›|「[^」\n]+」|『[^』\n]+』|„[^“”\n]+[“”]|``[^`'\n]+''"
    r"|‘[^’\n]+’(?!\w)|(?<!\w)'[^'\n]+'(?!\w)",
    "contraction": r"\b[^\W\d_]+n['’ʼ]t\b",
    "alternatives": r"\b[^\W\d_]+(?:,\s+[^\W\d_]+)*,?\s+or\s+[^\W\d_]+\b",
    "turned": rf"\b(?:{_TURNED})\b",
    "without": r"\b\w{2,}less(?:ly|ness)?\b",
    "superlative": r"\b[^\W\d_]{3,}est\b",
    "bound": r"\b(?:at (?:the )?(?:most|least|latest|earliest)|(?:no )?(?:more|less|fewer|later|earlier|longer) than|up to)\b",
}
_ANY_CASE = {"unit", "contraction", "alternatives", "turned", "without", "superlative", "bound"}
_OTHER_BLANKS = tuple("\t\n\v\f\r\x1c\x1d\x1e\x1f")
_SIGNS: Mapping[str, tuple[str, ...]] = {
    "code": (
        *("`", "~~~", "\t", "    ", ":", ";", "{", "}", ")"),
        *("import ", "return", "#include", "select", "insert into", "update", "delete from"),
    ),
    "latex": ("$", "\\"),
    "field": ("{", "<", "[", "%"),
    "link": ("://", "www.", "@"),
    "unit": tuple(f"{digit} " for digit in range(10)),
    "label": (":", ". ", ".\t", ") ", ")\t", "- ", "-\t", "* ", "*\t"),
    "quotation": ('"', "'", "``"),
    "contraction": ("n't",),
    "alternatives": (" or ", *_OTHER_BLANKS),
    "without": ("less",),
    "superlative": ("est",),
    "bound": ("most", "least", "latest", "earliest", " than", "up to"),
}
"""Rule -> texts of which one stands in every ASCII text, in small letters, in which the rule finds anything. Looking for these is fast."""


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    signs: tuple[str, ...]
    """See ``_SIGNS``; empty = every text has to be searched."""


def _rule(name: str, pattern: str) -> _Rule:
    return _Rule(re.compile(pattern, re.IGNORECASE if name in _ANY_CASE else re.NOFLAG), _SIGNS.get(name, ()))


def _compile(rules: Mapping[str, str]) -> tuple[_Rule, ...]:
    return tuple(_rule(name, pattern) for name, pattern in rules.items())


# A unit that is written out is the same in capitals; of one that is a sign the case may be what it means (mW, MW).
_UNIT_SIGNS = UNITS - {unit for unit in UNITS if len(unit) > 3} - {"bit", "cup", "day", "ton"}
_UNIT, _CASED_UNIT = _rule("unit", _unit(UNITS)), _rule("unit", _unit(_UNIT_SIGNS))
_EXACT = _compile(_EXACT_RULES)
_WORDS = _compile(_WORD_RULES)
_TOKEN = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_KEPT_WORDS = NEGATIONS | NUMBER_WORDS | QUANTIFIERS | {unit for unit in UNITS if len(unit) > 2}
_ARTICLE = re.compile(r"\A(?:an?|the)\s+", re.IGNORECASE)
_SHORT_NOT = re.compile(r"\b([^\W\d_]+?)n['’ʼ]t\b", re.IGNORECASE)
_CAN_NOT = re.compile(r"\b(can) not\b", re.IGNORECASE)
_APOSTROPHES = ("'", "’", "ʼ")
_LONG_NOT = {"wo": "will", "sha": "shall", "ca": "can"}
# Anything glued to a digit or a sign is a number, a version, a date, a path, a formula or an identifier.
_GLUED = re.compile(r"[\d_@\\/=<>#|^~*{}$%&+²³°µ€£¥½¼¾⅓⅔⅛]|\w[.:]\w|[a-z][A-Z]|\w\(|(?<!\S)--?[^\W_]")


@lru_cache(maxsize=1024)
def exact_spans(text: str, named: tuple[str, ...] = ()) -> tuple[Bounds, ...]:
    """Returns the spans in which no letter may change, mostly not even its case: code, formulas, fields, links, numbers with units, labels.

    Args:
        text: The text.
        named: What the user names, wherever it stands, inside words as well.

    >>> ["Is it {x} or 5 km?"[start:end] for start, end in exact_spans("Is it {x} or 5 km?")]
    ['{x}', '5 km']
    """
    return _merge([*_besides_units(text, named), *_found(text, (_UNIT,))])


@lru_cache(maxsize=1024)
def cased_spans(text: str, named: tuple[str, ...] = ()) -> tuple[Bounds, ...]:
    """Returns the exact spans less the units that are written out, which mean the same in capitals.

    >>> ["Is it 5 km in 2 hours?"[start:end] for start, end in cased_spans("Is it 5 km in 2 hours?")]
    ['5 km', '2']
    """
    return _merge([*_besides_units(text, named), *_found(text, (_CASED_UNIT,))])


@lru_cache(maxsize=1024)
def _besides_units(text: str, named: tuple[str, ...]) -> tuple[Bounds, ...]:
    """Returns what exact and cased spans have in common, in no order."""
    given = [match.span() for phrase in named if phrase in text for match in re.finditer(re.escape(phrase), text)]
    return (*_glued(text), *given, *_found(text, _EXACT))


def _found(text: str, rules: Sequence[_Rule]) -> list[Bounds]:
    """Returns what some rules find; a text that is not all ASCII, where small letters are a matter of their own, is searched with each."""
    small = text.lower() if text.isascii() else None
    return [
        match.span()
        for pattern, signs in rules
        if small is None or not signs or any(sign in small for sign in signs)
        for match in pattern.finditer(text)
    ]


def _glued(text: str) -> list[Bounds]:
    """Returns the spans, from blank to blank, in which a digit or a sign is glued to something."""
    spans: list[Bounds] = []
    match = _GLUED.search(text)
    while match:
        start = match.start()
        while start and not text[start - 1].isspace():
            start -= 1
        token = _TOKEN.match(text, start)
        end = token.end() if token else match.end()
        spans.append((start, end))
        match = _GLUED.search(text, end)
    return spans


@lru_cache(maxsize=1024)
def protected_spans(text: str, also: tuple[str, ...] = (), named: tuple[str, ...] = ()) -> tuple[Bounds, ...]:
    """Returns every span of a text that a character or word edit must leave alone, in order and without overlap.

    Args:
        text: The question, or a context.
        also: Further texts to protect as whole words, in any case (choices, gold answers, names of the context).
        named: What the user names, wherever it stands, inside words as well.
    """
    found = [*exact_spans(text, named), *_found(text, _WORDS)]
    found += [match.span() for match in _LETTERS.finditer(text) if match[0].casefold() in _KEPT_WORDS]
    found += name_spans(text, STARTERS)
    folded = text.casefold()
    for phrase in also:
        if phrase.strip().casefold() in folded:
            found += _occurrences(text, phrase.strip())
    return _merge(found)


_Known = TypeVar("_Known")


def _once(function: Callable[[Example], _Known]) -> Callable[[Example], _Known]:
    """Remembers what a function says of the example it was asked about last: examples are handled one after the other."""
    last: tuple[Example, _Known] | None = None

    @wraps(function)
    def asked(example: Example) -> _Known:
        nonlocal last
        known = last  # one look, for threads
        if known is None or known[0] is not example:
            last = known = (example, function(example))
        return known[1]

    return asked


@_once
def named_by_user(example: Example) -> tuple[str, ...]:
    """Returns the texts of the metadata field ``protect``: one text, or a list of them."""
    given = example.metadata.get("protect")
    texts = [given] if isinstance(given, str) else given if isinstance(given, Sequence) else []
    return tuple(dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()))


@_once
def phrases_of(example: Example) -> tuple[str, ...]:
    """Returns the texts of an example that its question must keep: choices, gold answers, what the user names, names of the context.

    A choice counts without its article as well: of "a whale" the question keeps "whale".
    """
    twin = example.twin.answers if example.twin else ()
    texts = [*(example.choices or ()), *example.answers, *twin]
    bare = [_ARTICLE.sub("", text.strip().rstrip(".")) for text in texts]
    names = _context_names(example.context) if example.context else ()
    return tuple(dict.fromkeys(text for text in (*texts, *named_by_user(example), *bare, *names) if text.strip()))


@_once
def spans_of(example: Example) -> tuple[Bounds, ...]:
    """Returns the protected spans of an example's question."""
    return protected_spans(example.question, phrases_of(example), named_by_user(example))


def protected_in(example: Example, draft: Draft) -> bool:
    """Returns whether the question and the context of a draft keep every protected span of the example's own.

    Numbers, code, links, formulas and what the user names stay to the byte; other spans may change the case of their letters, and "does
    not" counts as "doesn't".
    """
    pairs = ((example.question, draft.question), (example.context or "", draft.context))
    changed = [(before, after) for before, after in pairs if after is not None and before != after]
    return all(_kept(before, after, phrases_of(example), named_by_user(example)) for before, after in changed)


@lru_cache(maxsize=64)
def _kept(before: str, after: str, phrases: tuple[str, ...], named: tuple[str, ...]) -> bool:
    exact, words = _wanted(before, phrases, named)
    return _stand_in(after, exact) and _stand_in(_folded(negations_in_full(after)), words)


@lru_cache(maxsize=64)
def _wanted(text: str, phrases: tuple[str, ...], named: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns what a text has to keep to the byte, and what it has to keep once negations are written in full and all is folded."""
    in_full = negations_in_full(text)
    exact = tuple(text[start:end] for start, end in cased_spans(text, named))
    return exact, tuple(_folded(in_full[start:end]) for start, end in protected_spans(in_full, phrases, named))


def _stand_in(text: str, wanted: Iterable[str]) -> bool:
    """Returns whether texts stand in another one, one behind the other."""
    position = 0
    for phrase in wanted:
        found = text.find(phrase, position)
        if found < 0:
            return False
        position = found + len(phrase)
    return True


def negations_in_full(text: str) -> str:
    """Returns a text with "doesn't" as "does not" and "can not" as "cannot", so that both ways to write it compare as equal.

    >>> negations_in_full("It can't and it won't.") == negations_in_full("It can not and it will not.")
    True
    >>> negations_in_full("IT DOESN'T.").casefold() == negations_in_full("It does not.").casefold()
    True
    """
    if any(sign in text for sign in _APOSTROPHES):
        text = _SHORT_NOT.sub(lambda match: _LONG_NOT.get(match[1].lower(), match[1]) + " not", text)
    return _CAN_NOT.sub(r"\1not", text) if " not" in text.lower() else text


def outside(text: str, spans: Sequence[Bounds]) -> list[Bounds]:
    """Returns the stretches of a text between the spans."""
    stretches, position = [], 0
    for start, end in [*spans, (len(text), len(text))]:
        if start > position:
            stretches.append((position, start))
        position = max(position, end)
    return stretches


def covered(text: str, spans: Iterable[Bounds]) -> bytearray:
    """Returns one byte for each character of a text: 1 inside the spans, 0 outside."""
    taken = bytearray(len(text))
    for start, end in spans:
        taken[start:end] = b"\x01" * (end - start)
    return taken


def keeps(canonical: str, variant: str, spans: Iterable[Bounds], *, case: bool = True) -> bool:
    """Returns whether every span of the canonical text stands in the variant, in the same order.

    Args:
        canonical: Text that the spans belong to.
        variant: Text to look in.
        spans: Spans in order, without overlap.
        case: Whether the case of letters matters.
    """
    wanted = (canonical[start:end] for start, end in spans)
    return _stand_in(variant, wanted) if case else _stand_in(_folded(variant), map(_folded, wanted))


def _folded(text: str) -> str:
    """Returns a text in small letters; the four letters i of Turkish count as one, since capitals are made of them in two ways."""
    return text.replace("İ", "i").replace("ı", "i").casefold()


@lru_cache(maxsize=1024)
def _context_names(context: str) -> tuple[str, ...]:
    return names_within(context, STARTERS)


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
