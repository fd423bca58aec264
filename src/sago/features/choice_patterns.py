"""Patterns of the labels of one prompt: alone, in a list, named in a sentence, judged."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=1024)
def label_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches a label that stands alone."""
    return re.compile(rf"(?:{_alternatives(labels)})(?!(?![\u2e80-\uffff])\w|[.,]\d|['’]\w|-\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def list_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches the label of an item of a list of options."""
    return re.compile(rf"(?:^|[\n;])\s*(?:[-•–]\s+)?\(?(?P<label>{_alternatives(labels)})[.):](?=\s)")


@lru_cache(maxsize=1024)
def item_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches the beginning of a line that is about one option of several: ``A. Mars``, ``- Option B: too hot``."""
    return re.compile(
        rf"(?:[-•–*]\s+|\d{{1,2}}[.)]\s+)?(?:(?:option|choice|answer)\s+)?\(?(?P<label>{_alternatives(labels)})(?:[.):]|\s+[–—-])(?=\s)",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1024)
def named_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches an option that is called by its label inside a sentence."""
    any_label = _alternatives(labels)
    return re.compile(
        rf"\b(?:[Oo]ption|[Cc]hoice|[Ll]etter|[Aa]nswer)\s+\(?(?P<word>{any_label})\b(?!['’-]\w)|(?<![\w])\((?P<bracket>{any_label})\)"
    )


@lru_cache(maxsize=1024)
def verdict_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches a verdict on an option of a list: ``A: incorrect.``, ``(B) - correct``."""
    return re.compile(
        rf"(?:^|(?<=[\n.;,]))\s*\(?(?P<label>{_alternatives(labels)})\)?\s*[:–—-]\s*"
        r"(?:(?:(?P<right>correct|right|true|yes)|incorrect|wrong|false|no|not\s+(?:correct|right|true))\b|(?P<ticked>[✅✔☑])|[❌✗✘])",
        re.IGNORECASE,
    )


def is_called(text: str, labels: tuple[str, ...]) -> bool:
    """Returns whether a capital letter of a label stands in a text as a word of its own; article and pronoun do not count."""
    letters = [label for label in labels if len(label) == 1 and label.isalpha() and label.isupper() and label not in {"A", "I"}]
    return bool(letters) and re.search(rf"(?<![\w'’])(?:{'|'.join(letters)})(?![\w'’])", text) is not None


def _alternatives(labels: tuple[str, ...]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
