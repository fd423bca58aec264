"""What a model wrote, before it may become a wording: the bare text out of its reply, and why a text is refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rapidfuzz.distance.Levenshtein import normalized_similarity as ratio

from sago.records import Example
from sago.variations.equivalence import RULES, checks_passed, numbers_in
from sago.variations.protect import exact_spans, phrases_of
from sago.variations.words import COMMON, NEGATIONS, NUMBER_WORDS, QUANTIFIERS, STARTERS, UNITS

LEAST = 0.5
GROWTH = 2
ROOM = 40
"""A wording has at least half the characters of the question, and at most twice and 40 more."""

WRITTEN_CHECKS = ("kept_names", "kept_genders", "kept_scope", "kept_spans", "kept_units", "nothing_given_away")
"""What every wording that a model wrote has passed beside the rules for numbers and negations."""

_MARK = re.compile(r"^(?:[-*•>#]+|\(?\d{1,2}[.)])\s+")
_LABEL = re.compile(
    r"^\W*(?:(?:the |your )?(?:re-?written|re-?worded|re-?phrased|paraphrased|new|translated)\s+(?:question|version|text|sentence)"
    r"|paraphrase|rewrite|rephrasing|rewording|question|translation|answer)\b[^:\n]{0,20}:\s*\**\s*",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "'": "'", "«": "»", "„": "“", "`": "`", "**": "**"}
_CHATTER = re.compile(
    r"\b(?:paraphras|re-?phras|re-?word|re-?writ|as an ai\b|language model|sure[,!]"
    r"|here(?:'s| is) (?:the|a|my)\b|the (?:answer|question)\b)",
    re.IGNORECASE,
)
_QUESTION_MARK = re.compile(r"[?？؟]")
_WORD = re.compile(r"[^\W\d_]+")
_FIRST = re.compile(r"(?:\A|[.?!:]\s)\W*([^\W\d_]+)")
_NO_NAMES = COMMON | NEGATIONS | NUMBER_WORDS | QUANTIFIERS | STARTERS | {"i"}
_ALIKE = 0.6
_GENDERS = {"he": {"he", "him", "his", "himself"}, "she": {"she", "her", "hers", "herself"}}
_COMPOUND = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)+")
_SCOPES = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in ("only|solely|exclusively", "both", "either", "all|every|each", "at least", "at most", "non-\\w+")
)
# "Second" counts and measures, "a bit" and "square" say many things.
_UNIT_WORDS = {"cup", "day", "ton", *(unit for unit in UNITS if len(unit) > 3)} - {
    "second",
    "seconds",
    "bits",
    "square",
    "cubic",
    "secs",
    "mins",
    "kcal",
}
_SAME_UNIT = {"feet": "foot", "inches": "inch", "centuries": "century", "percentage": "percent"}
_COMPARED = re.compile(r"\b(?:more|less|fewer)\b", re.IGNORECASE)
_ASKS_FOR = re.compile(r"(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_YES_NO = frozenset({"yes", "no", "true", "false"})
_EDGES = ".,;:!?…\"'“”‘’()[]"


def cleaned(reply: str, question: str) -> str:
    r"""Returns the text that a reply comes down to: without list mark, label, quotation marks around it, lines before and behind.

    Of a reply of several lines to a question of one line the first that is no announcement is taken.

    >>> cleaned('Sure, here it is:\n\n1. "Is it warm?"\n2. "Warm?"', "Is it hot?")
    'Is it warm?'
    """
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if "\n" in question.strip():
        return _bare(reply.strip(), question)
    said = [line for line in lines if not line.rstrip("*").endswith(":") or question.rstrip().endswith(":")]
    return _bare(said[0], question) if said else ""


def refusal(example: Example, wording: str) -> str | None:
    """Returns why a wording must not stand for the question, in one word; null where no rule speaks against it.

    What is compared are numbers, negations, names, spans of code and formulas, the answers and choices, the length, and whether it asks.
    That it means the same is not shown by that, and has to be checked.

    >>> refusal(Example("d", "1", "Is 7 odd?", answers=("yes",)), "Is 8 odd?")
    'same_numbers'
    """
    question = example.question
    if len(wording) > GROWTH * len(question) + ROOM:
        return "too_long"
    if len(wording) < LEAST * len(question):
        return "too_short"
    lost = [rule for rule in RULES if rule not in checks_passed(question, wording)]
    if lost:
        return lost[0]
    before, after = _folded(question), _folded(wording)
    broken = {
        "kept_names": not _names_kept(question, wording),
        "kept_genders": not _genders(wording) <= _genders(question),
        "kept_scope": _scopes(question) != _scopes(wording),
        "kept_spans": not all(span in after for span in _spans(question)),
        "kept_units": _units(question) != _units(wording),
        "nothing_given_away": any(_stands(phrase, before) != _stands(phrase, after) for phrase in map(_folded, phrases_of(example))),
        "asks": bool(_QUESTION_MARK.search(question)) != bool(_QUESTION_MARK.search(wording)) or _asks_for_more(example, wording),
        "chatter": bool(_CHATTER.search(wording)) and not _CHATTER.search(question),
    }
    return next((reason for reason, is_broken in broken.items() if is_broken), None)


def is_new(wording: str, question: str) -> bool:
    """Returns whether a wording says anything otherwise: case, spaces and signs at the ends do not count.

    >>> is_new("Is it hot", "is it hot?")
    False
    """
    return re.search(r"\w", wording) is not None and _plain(wording) != _plain(question)


def _bare(text: str, question: str) -> str:
    for pattern in (_MARK, _LABEL, _MARK):
        if not pattern.match(question):
            text = pattern.sub("", text, count=1).strip()
    for opening, closing in _QUOTES.items():
        inner = text[len(opening) : len(text) - len(closing)]
        is_around = text.startswith(opening) and text.endswith(closing) and opening not in inner and closing not in inner
        if is_around and not question.startswith(opening):
            return inner.strip()
    return text


def _names_kept(question: str, wording: str) -> bool:
    """Returns whether every name of the question stands in the wording, and no name came in.

    A capital where a sentence starts brings no name in, unless the word is nearly one of the question's names.
    """
    old, new = set(_words(question)), set(_words(wording))
    at_start = {_folded(match[1]) for match in _FIRST.finditer(wording)}
    names = _names(question)
    if any(_folded(name) not in _folded(wording) for name in _COMPOUND.findall(question) if name != name.lower()):
        return False  # "Moon Jae-in" is no "Moon Jae"
    came_in = _names(wording) - old
    return names <= new and came_in <= at_start and not any(_resembles(word, names) for word in came_in)


def _names(text: str) -> set[str]:
    """Returns the words with a capital that is not explained by their being among the common ones."""
    return {_folded(word) for word in _WORD.findall(text) if word != word.lower()} - _NO_NAMES


def _resembles(word: str, names: Iterable[str]) -> bool:
    """Returns whether a word is likely a name gone wrong."""
    return any(ratio(word, name) >= _ALIKE for name in names if name != word)


def _genders(text: str) -> set[str]:
    """Returns which of he and she a text speaks of, in English."""
    words = set(_words(text))
    return {name for name, forms in _GENDERS.items() if not words.isdisjoint(forms)}


def _scopes(text: str) -> tuple[int, ...]:
    """Returns which words of English a text has that say how far it holds, and among numbers how often it says more or less."""
    found = tuple(int(pattern.search(text) is not None) for pattern in _SCOPES)
    return (*found, len(_COMPARED.findall(text))) if numbers_in(text) else found


def _units(text: str) -> set[str]:
    """Returns the units of measure that a text names, each in one form: a question for yards is not one for meters."""
    named = (_SAME_UNIT.get(word, word.removesuffix("s")) for word in _words(text) if word in _UNIT_WORDS)
    return {re.sub(r"(met|lit)re\Z", r"\1er", unit) for unit in named}


def _asks_for_more(example: Example, wording: str) -> bool:
    """Returns whether a wording asks what, who or how where the question is answered by yes or no."""
    given = {_plain(text) for text in (*(example.choices or ()), *example.answers)}
    asked = [_ASKS_FOR.match(sentence) is not None for sentence in (_last_sentence(example.question), _last_sentence(wording))]
    return bool(given) and given <= _YES_NO and asked == [False, True]


def _last_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s+", text.strip())[-1]


def _spans(question: str) -> Iterable[str]:
    for start, end in exact_spans(question):
        span = _folded(question[start:end]).strip(_EDGES + " ")
        if span:
            yield span


def _words(text: str) -> list[str]:
    return _WORD.findall(_folded(text))


def _stands(phrase: str, text: str) -> bool:
    """Returns whether a phrase stands in a text as whole words."""
    phrase = phrase.strip()
    left = r"(?<!\w)" if phrase[:1].isalnum() else ""
    right = r"(?!\w)" if phrase[-1:].isalnum() else ""
    return re.search(left + re.escape(phrase) + right, text) is not None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", _folded(text)).strip()
