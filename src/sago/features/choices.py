"""The answer option that a response states, whatever decoration stands around it.

In this order, and the first that decides counts:

1. what stands behind the last answer mark (``ANSWER: B``, ``The answer is (B) because``): if that is no option, nothing was answered;
2. an option at the very start (``B.``, ``b) Because``, ``Venus, of course``);
3. a last line that is a label alone;
4. the one option that is named as such (``option B``, ``(B)``);
5. the one choice text that the response contains.

Two options side by side (``A or B``) are no answer, the article "A" is no label, a negated text (``not Mars``) is no mention, and a
response that lists the options again has not chosen one. Of a response that was cut off, only what was clearly stated
before the cut is read.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_MARK = re.compile(
    r"(?:\b(?:answer|choice|option|solution|antwort|réponse|respuesta|risposta|resposta)\b|答案|答え|정답|ответ)"
    r"(?:\s+(?:to|for|of)\b[^.:\n]{0,80}?)?[\"']?\s*"
    r"(?:(?:(?:is|are|was|ist|est|es|è|é)\b|(?:would|should|must)\s+be\b|[:=]|是|为)\s*)+",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?:the|option|choice|letter|number|answer|clearly|clear|definitely|probably|most\s+likely|likely|therefore|:)\b\s*:?\s*|:\s*)+",
    re.IGNORECASE,
)
_TEX = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm)\s*\{([^{}]*)\}")
_DECORATION = re.compile(r"[*`$]+|(?<!\w)_+|_+(?!\w)|\\[()\[\]]|</?[a-zA-Z][^<>\n]{0,60}>")
_QUOTES = " \t([{\"'“”‘’«»"
_CLOSING = re.compile(r"\s*[)\]}.,:;!?\"'”’»=>|–—-]|\s*\n|\s*$")
_CONNECTIVE = re.compile(r"\s+(?:because|since|as|for|due|is|was|would|with)\b|\s*\(", re.IGNORECASE)
_BESIDE = re.compile(r"\s*[)\]}]?\s*(?:[,/&|]|\b(?:or|and|oder|und|ou|et|o|y|nor)\b|或|和)+\s*", re.IGNORECASE)
_NEGATED = re.compile(r"(?:\b(?:not|never|isn't|isn’t|nicht|except|no)\s+(?:the\s+|an?\s+)?)$")
_ASSERTED = re.compile(r"(?:\b(?:is|are|was|were|be|called|named)|[:=])\s+(?:the\s+|an?\s+)?$")
_WORDS_TOO_COMMON = frozenset({"the", "and", "not", "all", "any", "one", "none", "both", "other"})
_ARTICLES = frozenset({"a", "i"})
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)


def read_choice(response: str, labels: tuple[str, ...] | None, texts: tuple[str, ...], *, cut_off: bool = False) -> int | None:
    """Returns the position of the option that a response states, or null where it states none.

    Args:
        response: What the model said.
        labels: Labels as shown; null where none were shown.
        texts: Choice texts as shown, in the same order.
        cut_off: Whether the response ended because of its length.

    >>> read_choice("ANSWER: **B**", ("A", "B"), ("Mars", "Venus")), read_choice("I think it is Venus.", None, ("Mars", "Venus"))
    (1, 1)
    >>> read_choice("A or B", ("A", "B"), ("Mars", "Venus"))
    """
    return _Options(labels, _bare_texts(texts)).read(response, cut_off=cut_off)


class _Found(NamedTuple):
    at: int
    end: int
    by_label: bool


class _Options:
    """The options of one prompt, prepared for reading."""

    def __init__(self, labels: tuple[str, ...] | None, texts: tuple[str, ...]) -> None:
        self.texts = texts
        self.labels = () if labels is None else tuple(_label(label) for label in labels)
        self.by_length = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        self.of_label = {label.casefold(): index for index, label in reversed(list(enumerate(self.labels)))}

    def read(self, response: str, *, cut_off: bool) -> int | None:
        text = _undecorated(response)
        marks = list(_MARK.finditer(text))
        for mark in reversed(marks):
            payload = text[mark.end() :].lstrip()
            if payload:
                plain = self._settled(payload, marked=True, cut_off=cut_off)
                lead = _LEAD.match(payload)
                return plain if plain is not None or not lead else self._settled(payload[lead.end() :], marked=True, cut_off=cut_off)
        if self._is_list(text):
            return None if cut_off else self._named(text)
        found = self._leading(text.lstrip(), marked=False)
        if found is not None and (found.by_label or _CLOSING.match(text.lstrip()[found.end :])):
            return self._settled(text.lstrip(), marked=False, cut_off=cut_off)
        if cut_off:
            return self._contained(text, asserted=True)
        lines = [line for line in text.splitlines() if line.strip()]
        last = self._bare_label(lines[-1]) if lines else None
        if last is not None:
            return last
        named = self._named(text)
        return named if named is not None else self._contained(text, asserted=False)

    def _settled(self, text: str, *, marked: bool, cut_off: bool) -> int | None:
        """Returns the leading option unless another one stands beside it, or the cut may have gone through it."""
        found = self._leading(text, marked=marked)
        if found is None:
            return None
        rest = text[found.end :]
        if cut_off and not rest.strip() and text[: found.end].strip(_QUOTES) in _ARTICLES:
            return None
        beside = _BESIDE.match(rest)
        if beside:
            other = self._leading(rest[beside.end() :], marked=False)
            if other is not None and other.at != found.at:
                return None
        return found.at

    def _leading(self, text: str, *, marked: bool) -> _Found | None:
        """Returns the option with which a text starts: a label that stands alone, a choice text, or a label in front of words."""
        start = len(text) - len(text.lstrip(_QUOTES))
        line = text[start:]
        label = _label_pattern(self.labels).match(line) if self.labels else None
        if label and not line[label.end() :].strip(" \t\n.)]}\"'”’»!"):
            return _Found(self.of_label[label[0].casefold()], start + label.end(), True)
        by_text = self._leading_text(line)
        if by_text is not None:
            return _Found(by_text.at, start + by_text.end, False)
        if label and self._is_label(label[0], line[label.end() :], marked=marked):
            return _Found(self.of_label[label[0].casefold()], start + label.end(), True)
        return None

    def _is_label(self, given: str, rest: str, *, marked: bool) -> bool:
        """Returns whether a label in front of a text is meant as one and is no word of a sentence."""
        if _CLOSING.match(rest):
            return True
        index = self.of_label[given.casefold()]
        if _plain(rest).startswith(self.texts[index]):
            return True
        if given != self.labels[index]:
            return False
        return bool(_CONNECTIVE.match(rest)) or (marked and given.isalpha() and given.casefold() not in _ARTICLES)

    def _leading_text(self, line: str) -> _Found | None:
        """Returns the longest choice text with which a line starts, followed by no further letter or digit."""
        for index in self.by_length:
            text = self.texts[index]
            if text.casefold() in self.of_label or not text:
                continue
            match = _text_pattern(text).match(line)
            if match:
                return _Found(index, match.end(), False)
        return None

    def _is_list(self, text: str) -> bool:
        if len(self.labels) < 2:
            return False
        return len({match["label"] for match in _list_pattern(self.labels).finditer(text)}) > 1

    def _bare_label(self, line: str) -> int | None:
        return self.of_label.get(line.strip(_QUOTES + ")]}.:!").casefold())

    def _named(self, text: str) -> int | None:
        """Returns the one option that is called by its label inside a sentence."""
        if not self.labels:
            return None
        found = {match["word"] or match["bracket"] for match in _named_pattern(self.labels).finditer(text)}
        return self.of_label[found.pop().casefold()] if len(found) == 1 else None

    def _contained(self, text: str, *, asserted: bool) -> int | None:
        """Returns the one option whose text a response contains outside negations."""
        said = _plain(text)
        mentions: list[tuple[int, int, int]] = []
        for index in self.by_length:
            for start, end in _occurrences(said, self.texts[index]):
                if all(end <= other or start >= until for other, until, _ in mentions):
                    mentions.append((start, end, index))
        affirmed = [mention for mention in mentions if not _NEGATED.search(said[max(0, mention[0] - 20) : mention[0]])]
        if len({self.texts[index] for _, _, index in affirmed}) != 1:
            return None
        start, end, index = affirmed[0]
        if asserted and not (end < len(said) and _ASSERTED.search(said[max(0, start - 20) : start])):
            return None
        return index


def _bare_texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Returns choice texts as they are compared; without leading articles where that keeps them apart."""
    plain = tuple(_plain(text) for text in texts)
    bare = tuple(_ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text for text in plain)
    return bare if len(set(bare)) == len(set(plain)) else plain


def _occurrences(said: str, text: str) -> list[tuple[int, int]]:
    """Returns where a choice text stands in a response as words of its own; very short and very common words count nowhere."""
    if not text or text in _WORDS_TOO_COMMON or (text.isascii() and text.isalpha() and len(text) < 3):
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
    left = said[start].isdigit() and re.fullmatch(r"\d[.,]", before)
    right = said[end - 1].isdigit() and re.fullmatch(r"[.,]\d", after)
    return bool(left or right)


@lru_cache(maxsize=1024)
def _label_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:{_alternatives(labels)})(?![\w]|[.,]\d|['’]\w|-\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _list_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\n;])\s*\(?(?P<label>{_alternatives(labels)})[.):](?=\s)")


@lru_cache(maxsize=1024)
def _named_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    any_label = _alternatives(labels)
    return re.compile(
        rf"\b(?:[Oo]ption|[Cc]hoice|[Ll]etter|[Aa]nswer)\s+\(?(?P<word>{any_label})\b(?!['’-]\w)|\((?P<bracket>{any_label})\)"
    )


@lru_cache(maxsize=8192)
def _text_pattern(text: str) -> re.Pattern[str]:
    words = r"(?:(?:the|an?)\s+)?" + r"\s+".join(re.escape(word) for word in text.split(" "))
    return re.compile(words + (r"(?!\w|[.,]\d)" if _joined(text[-1], "a") else ""), re.IGNORECASE)


def _alternatives(labels: tuple[str, ...]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))


@lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    """Returns a text without case, decoration, outer punctuation and needless white space."""
    joined = " ".join(_undecorated(text).casefold().split())
    return joined.strip(" .,:;!?\"'“”‘’«»") or joined


def _undecorated(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    for _ in range(3):
        text, count = _TEX.subn(r"\1", text)
        if not count:
            break
    return _DECORATION.sub("", text)


def _label(label: str) -> str:
    return unicodedata.normalize("NFKC", label).strip(" ()[].:")
