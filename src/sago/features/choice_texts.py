"""Texts of options as they are compared with a response: without decoration, in any case, where they stand as words of their own."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from sago.features.formulas import plain_formulas

_NUMBER_WORDS = {
    **{"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"},
    **{"seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12"},
}
_IN_WORDS = {figure: word for word, figure in _NUMBER_WORDS.items() if figure not in {"0", "1"}}
"""Figures that are also said in words; ``zero`` and ``one`` are words of other sentences."""
_DECORATION = re.compile(r"[*`$]+|(?<!\w)_+|_+(?!\w)|\\[()\[\]]|</?[a-zA-Z][^<>\n]{0,60}>")
_WORDS_TOO_COMMON = frozenset({"the", "and", "not", "all", "any", "one", "none", "both", "other"})
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_NAME_WORDS = 2
_NAMES = re.compile(r"[A-Za-z][a-z]{2,}(?: [a-z]{3,})?")
_SHORT_NAME = re.compile(r"[a-z]{3,}(?: [a-z]+){0,2}")
_TEXT_OF_REMARKS = """
correct right yes true sure thanks thank hope because since explanation explained reason reasoning note good final answer definitely
certainly obviously clearly absolutely indeed this that therefore incorrect wrong false not maybe probably likely possibly they confident
confidence easy best only one option choice letter done end okay please let great congratulations see which the all none both first second
third fourth last simple source sources reference references page next question here there end exactly perfect nice cheers bye hence thus
and but with for from you your see above below continue done solution statement richtig correcto correcta corretto danke gracias merci
high low medium certain positive negative score points level difficulty category type topic human user assistant
"""
_REMARKS = frozenset(_TEXT_OF_REMARKS.split())
"""Words behind the label of an option that speak about the answer and are no name."""


def bare_texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Returns choice texts as they are compared; without leading articles where that keeps them apart."""
    plain = tuple(plain_text(text) for text in texts)
    bare = tuple(_ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text for text in plain)
    return bare if len(set(bare)) == len(set(plain)) else plain


def stands_in(said: str, text: str) -> bool:
    """Returns whether a text stands in a response as words of its own, however short it is."""
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said) is not None


def counts_anywhere(text: str) -> bool:
    """Returns whether a choice text is long and rare enough to be a mention wherever it stands."""
    return text not in _WORDS_TOO_COMMON and not (text.isascii() and text.isalpha() and len(text) < 3)


def occurrences(said: str, text: str) -> list[tuple[int, int]]:
    """Returns where a choice text stands in a response as words of its own; very short and very common words count nowhere."""
    if not text or not counts_anywhere(text):
        return []
    places = []
    start = said.find(text)
    while start >= 0:
        end = start + len(text)
        if not (_joined(said[start - 1 : start], text[0]) or _joined(text[-1], said[end : end + 1])) and not _inside_number(
            said, start, end
        ):
            places.append((start, end))
        start = said.find(text, start + 1)
    return places


def names_no_option(line: str, own: str, texts: tuple[str, ...]) -> bool:
    """Returns whether a line behind the label of an option is a name that none of the options has: ``D. nail`` where D is a rope.

    Only short names are judged, of options that are short names in the same script; a remark (``D. Correct!``), initials, another form
    of the word or a part of the option's own text is no other name.

    >>> names_no_option("nail", "rope", ("saw", "rope")), names_no_option("ropes.", "rope", ("saw", "rope"))
    (True, False)
    """
    bare = line.strip(" .!")
    words = bare.casefold().split()
    if not 1 <= len(words) <= _NAME_WORDS or not _NAMES.fullmatch(bare) or bare.isupper() or not all(map(_SHORT_NAME.fullmatch, texts)):
        return False
    if _REMARKS & set(words) or any(_starts_alike(word, known) for word in words for known in own.split()):
        return False
    return not any(_starts_alike("".join(words), known) for known in texts)


def _starts_alike(one: str, other: str) -> bool:
    size = min(len(one), len(other), 3)
    return one[:size] == other[:size] or one in other or other in one


def _joined(left: str, right: str) -> bool:
    """Returns whether two neighbouring characters belong to one word; scripts without spaces have no such words."""
    return bool(left and right) and all(char.isalnum() and (char < "\u2e80" or char.isdigit()) for char in (left, right))


def _inside_number(said: str, start: int, end: int) -> bool:
    before, after = said[max(0, start - 2) : start], said[end : end + 2]
    left = said[start].isdigit() and re.search(r"\d[.,]$|[-+/^]$", before)
    right = said[end - 1].isdigit() and re.match(r"[.,]\d|[+/^]", after)
    return bool(left or right)


@lru_cache(maxsize=8192)
def text_pattern(text: str) -> re.Pattern[str]:
    """Matches a choice text where it begins a line, with an article or a number in figures as well."""
    words = r"(?:(?:the|an?)\s+)?" + r"\s+".join(re.escape(word) for word in text.split(" "))
    if text in _NUMBER_WORDS:
        words = rf"(?:{words}|{_NUMBER_WORDS[text]}(?![.,/]?\d))"
    elif text in _IN_WORDS:
        words = rf"(?:{words}|{_IN_WORDS[text]}(?![\w-]))"
    return re.compile(words + (r"(?!\w|[.,]\d)" if _joined(text[-1], "a") else ""), re.IGNORECASE)


@lru_cache(maxsize=8192)
def behind_label(text: str) -> re.Pattern[str]:
    """Matches a choice text behind its label."""
    return re.compile(r"[)\].:,\s–—-]*" + text_pattern(text).pattern, re.IGNORECASE)


@lru_cache(maxsize=65536)
def plain_text(text: str) -> str:
    """Returns a text without case, decoration, outer punctuation and needless white space."""
    joined = " ".join(undecorated(text).casefold().split())
    return joined.strip(" .,:;!?\"'“”‘’«»") or joined


def undecorated(text: str) -> str:
    """Returns a text without marks of markdown, tags and delimiters of formulas."""
    text = unicodedata.normalize("NFKC", text)
    return _DECORATION.sub("", plain_formulas(text))


def plain_label(label: str) -> str:
    """Returns a label without the brackets and stops around it."""
    return unicodedata.normalize("NFKC", label).strip(" ()[].:")
