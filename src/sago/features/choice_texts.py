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
_DECORATION = re.compile(r"[*`$]+|(?<!\w)_+|_+(?!\w)|\\[()\[\]]|</?[a-zA-Z][^<>\n]{0,60}>")
_WORDS_TOO_COMMON = frozenset({"the", "and", "not", "all", "any", "one", "none", "both", "other"})
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)


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
