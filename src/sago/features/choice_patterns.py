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
        rf"\b(?:[Oo]ption|[Cc]hoice|[Ll]etter|[Aa]nswer)\s+\(?(?P<word>{any_label})\b(?!['’-]\w)|(?<![^\W\u2e80-\uffff])\((?P<bracket>{any_label})\)"
    )


def verdicts(text: str, labels: tuple[str, ...]) -> dict[str, bool]:
    r"""Returns the labels of the options that a list judges, and whether each is said to be right: ``A: incorrect.``, ``B) hot - correct``.

    >>> verdicts("A) cold - incorrect\nB) hot - correct", ("A", "B"))
    {'a': False, 'b': True}
    """
    found = [match for pattern in _verdict_patterns(labels) for match in pattern.finditer(text)] if labels else []
    judged = dict.fromkeys((match["label"].casefold() for match in found), False)
    return judged | {match["label"].casefold(): True for match in found if match["right"] or match["ticked"]}


@lru_cache(maxsize=1024)
def _verdict_patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    verdict = (
        r"(?:(?:(?P<right>correct|right|true|yes)|incorrect|wrong|false|no|not\s+(?:correct|right|true))(?!\w)|(?P<ticked>[✅✔✓☑])|[❌✗✘])"
    )
    label = rf"\(?(?P<label>{_alternatives(labels)})"
    return (
        re.compile(rf"(?:^|(?<=[\n.;,]))\s*{label}\)?\s*[:–—-]\s*{verdict}", re.IGNORECASE),
        re.compile(rf"^[ \t]*(?:[-•–*][ \t]+)?{label}[.):]?[ \t]+{verdict}\ufe0f?[.!]*[ \t]*$", re.IGNORECASE | re.MULTILINE),
        re.compile(
            rf"^[ \t]*(?:[-•–*][ \t]+)?{label}[.):][ \t][^\n]*?(?:\s[–—-]|[:→(])\s*{verdict}\ufe0f?[).!]*[ \t]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
    )


def is_called(text: str, labels: tuple[str, ...]) -> bool:
    """Returns whether a capital letter of a label stands in a text as a word of its own; article and pronoun do not count."""
    letters = [label for label in labels if len(label) == 1 and label.isalpha() and label.isupper() and label not in {"A", "I"}]
    return bool(letters) and re.search(rf"(?<![\w'’°])(?<!°\s)(?:{'|'.join(letters)})(?![\w'’])", text) is not None


def _alternatives(labels: tuple[str, ...]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
