"""The options of one prompt, and the one that a text begins with: its label alone or in front of words, or its text."""

from __future__ import annotations

import re
from typing import NamedTuple

from sago.features.choice_patterns import label_pattern
from sago.features.choice_texts import plain_label, plain_text, text_pattern

CLOSING = re.compile(r"\s*[)\]}.,:;、。!?\"'”’»=>|–—-]|\s*\n|\s*$")
_NO_SPACES = re.compile(r"[\u2e80-\uffff]")
_CONNECTIVE = re.compile(r"\s+(?:because|since|as|for|due|is|was|would|with)\b|\s*\(", re.IGNORECASE)
ARTICLES = frozenset({"a", "i"})
QUOTES = " \t([{\"'“”‘’«»"


class Found(NamedTuple):
    """An option at the start of a text.

    Attributes:
        at: Position of the option.
        end: Where its name ends.
        by_label: Whether the text calls it by its label.
    """

    at: int
    end: int
    by_label: bool


class Options:
    """The options of one prompt."""

    def __init__(self, labels: tuple[str, ...] | None, texts: tuple[str, ...]) -> None:
        self.labels = () if labels is None else tuple(plain_label(label) for label in labels)
        are_known = tuple(map(str.casefold, texts)) != tuple(map(str.casefold, self.labels))
        self.texts = texts if are_known else ("",) * len(texts)
        self.by_length = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        self.of_label = {label.casefold(): index for index, label in reversed(list(enumerate(self.labels)))}

    def leading(self, text: str, *, marked: bool) -> Found | None:
        """Returns the option with which a text starts: a label that stands alone, a choice text, or a label in front of words."""
        start = len(text) - len(text.lstrip(QUOTES))
        line = text[start:]
        label = label_pattern(self.labels).match(line) if self.labels else None
        if label and not line[label.end() :].strip(" \t\n.)]}\"'”’»!"):
            return Found(self.of_label[label[0].casefold()], start + label.end(), True)
        by_text = self.leading_text(line)
        if by_text is not None:
            return Found(by_text.at, start + by_text.end, False)
        if label and self._is_label(label[0], line[label.end() :], marked=marked):
            return Found(self.of_label[label[0].casefold()], start + label.end(), True)
        return None

    def _is_label(self, given: str, rest: str, *, marked: bool) -> bool:
        """Returns whether a label in front of a text is meant as one and is no word of a sentence."""
        if CLOSING.match(rest):
            return True
        index = self.of_label[given.casefold()]
        if self.texts[index] and plain_text(rest).startswith(self.texts[index]):
            return True
        if given != self.labels[index]:
            return False
        if marked and _NO_SPACES.match(rest):
            return True
        return bool(_CONNECTIVE.match(rest)) or (marked and given.isalpha() and given.casefold() not in ARTICLES)

    def leading_text(self, line: str) -> Found | None:
        """Returns the longest choice text with which a line starts, followed by no further letter or digit."""
        for index in self.by_length:
            text = self.texts[index]
            if text.casefold() in self.of_label or not text:
                continue
            match = text_pattern(text).match(line)
            if match:
                return Found(index, match.end(), False)
        return None

    def bare_label(self, line: str) -> int | None:
        """Returns the option whose label is all that a line says."""
        return self.of_label.get(line.strip(QUOTES + ")]}.:!").casefold())
