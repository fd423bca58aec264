"""Which options a response says are right, in words: ``I'd go with D``, ``D is correct``, ``it must be B``.

They tell what a response means that opens with another option: ``A is tempting, but I'd go with D``, ``Yes, he did. But ..., so no``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from sago.features.choice_texts import occurrences, text_pattern
from sago.features.choice_words import CONTRAST
from sago.features.statements import stating

_CHOOSES = re.compile(
    r"\b(?:go(?:ing)?\s+(?:with|for)|choose|pick|select|opt\s+for|i(?:['’]d|\s+would)\s+say|(?:it|that)(?:['’]s|\s+(?:is|must\s+be|should\s+be|has\s+to\s+be))"
    r"|(?:best|correct|right|better|true|actual|final|real)\s+(?:(?:answer|choice|option|one|pick)\s*)?(?:,\s*(?:though|however)\s*,\s*)?"
    r"(?:is|would\s+be|should\s+be)|(?:best|final)\s+guess\s+is|is\s+(?:actually|in\s+fact|really)|leaves|(?P<so>so|therefore|thus|hence))"
    r"(?:\s+(?:actually|really|clearly|definitely|probably|indeed|in\s+fact))?[\s:,]*(?:the\s+)?(?:(?:option|choice|answer|letter)\s+)?[(\"'“]?"
    r"|(?:因此|所以|应该?|故)选(?:择|项)?[\s:：]*|选项是\s*",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(?:[).,;:!?\]\"'”–—、。]|\Z|\n)|\s+(?:is|because|since|as|instead|here)\b")
_ENDS_A_SENTENCE = re.compile(r"\s*[)\]\"'”]?\s*(?:[.!](?:\s|\Z)|\n|\Z)|\s*[)\]]?\s+is\s+(?:right|correct|the)\b")
"""Words of conclusion begin steps, too: ``so A, B and C lie on a line``."""
_ANOTHER = r"\s*[)\]\"'”]?\s*(?:[,/&]|[.]\s+Or\b|\b(?:or|and)\b)+\s*(?:(?:or|and)\s+)?[(\"'“]?"
_JUDGED_RIGHT = re.compile(
    r"\)?,?\s+(?:is|was)\s+(?:(?:actually|in\s+fact|really|clearly|definitely|indeed)\s+)?(?:the\s+|a\s+|my\s+)?"
    r"(?:(?:more|most)\s+(?:precise|accurate|likely|correct|appropriate|fitting|suitable)|(?:right|correct|better|best|final)(?:\s+(?:answer|choice|option|one|fit))?"
    r"|answer)\b(?!\s+(?:that|most|many|some|people|you|in\s+(?:saying|that)|about|to|for|if|only|when|because\s+if|answer|choice|option|one|fit|guess|candidate)\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?]\s+|\n|;")
_CONDITION = re.compile(r"\b(?:if|unless|when|were|had|suppose|supposing|might|could|provided|except)\b", re.IGNORECASE)
_NOT = re.compile(
    r"(?:\b(?:not|never|cannot|neither|nor|rather\s+than|instead\s+of|to|doubt(?:\s+that)?)\s+|n['’]t\s+"
    r"|\b(?:some|many|others?|most|people|students|they|one|you)\s+)(?:\w+\s+){0,2}\Z",
    re.IGNORECASE,
)
"""What stands in front of a choice that is denied, or that others make."""
_GRANTED = re.compile(r"\b(?:while|although|though|even\s+if|whereas)\s+[^,.;!?\n]*\Z", re.IGNORECASE)
"""What stands in front of a judgement that is granted before the one that counts: ``while D is the most likely, ...``."""
_WORDS = re.compile(r"[^\W\d_]{3}")
_JUDGEMENTS = frozenset({"yes", "no", "true", "false", "correct", "incorrect", "right", "wrong", "none", "neither", "both", "all"})
"""First words of options that are judgements on others, too."""
TEMPTING = re.compile(
    r"[)\]]*\s+(?:(?:is|was)(?!\s+(?:right|correct|(?:the\s+)?most)\b)|seems?|looks?|appears?|sounds?|would\s+be|might\s+be|may\s+be|feels?)"
    r"\s+(?:to\s+be\s+)?"
    r"(?:(?:a|an|the|my|very|quite|also|so|really|initially|somewhat)\s+)*(?:most\s+)?"
    r"(?:tempting|plausible|attractive|appealing|obvious|common|popular|intuitive|second|close|promising|reasonable|likely|possible|right|correct"
    r"|first\s+(?:guess|instinct|thought|choice)|(?:answer|choice|option|one|pick)\s+(?:that\s+)?(?:most|many|some|people)|trap|distractor)\b",
    re.IGNORECASE,
)
"""What is said of an option in front of a contrast that turns to another one."""
_SHARE = re.compile(r"[)\]]*\s*[-–—:=(]*\s*\d{1,3}(?:\.\d+)?\s?%\)?\s*[,;\n]\s*(?:and\s+)?[(]?")
"""A share of the trust in one option of several: ``B - 80%, D - 20%``."""
_BY_CASE = re.compile(
    r"[)\]]*,?\s+(?:for|if|in|when|on|at|under|with)\b[^.!?\n]*?(?:[,;]|[.]\s|\b(?:but|and|while)\b)\s*(?:(?:but|and|while|then)\s+)?"
    r"(?:(?:for|if|in|when|on|under)\b[^.!?\n,;]*,\s*)?",
    re.IGNORECASE,
)
_CASE = re.compile(r"[)\]]*\s*(?:(?:for|if|in|when|on|at|under|with|otherwise)\b|[.!]?\s*\Z)", re.IGNORECASE)


class Assertion(NamedTuple):
    """An option that a text says is right.

    Attributes:
        option: Its position.
        contrasts: Whether it stands against what was said before.
    """

    option: int
    contrasts: bool


def assertions(text: str, labels: tuple[str, ...], texts: tuple[str, ...]) -> list[Assertion]:
    """Returns the options that a text says are right, in their order; under a condition, denied, or by others none is.

    >>> assertions("Many pick A, but I'd go with D. If it rained, B is right.", ("A", "B", "C", "D"), ("",) * 4)
    [Assertion(option=3, contrasts=True)]
    """
    found: list[tuple[int, int]] = []
    for match in stating(list(_CHOOSES.finditer(text))):
        option = _begins_with(text[match.end() :], labels, texts, _ENDS if match["so"] is None else _ENDS_A_SENTENCE)
        if (
            option is not None
            and not _NOT.search(text[max(0, match.start() - 60) : match.start()])
            and not _is_conditional(text, match.start())
        ):
            found.append((match.start(), option))
    for match in stating(list(_JUDGED_RIGHT.finditer(text))):
        option = _ends_with(text[max(0, match.start() - 160) : match.start()], labels, texts)
        if (
            option is not None
            and not _is_conditional(text, match.start())
            and not _GRANTED.search(text[max(0, match.start() - 80) : match.start()])
        ):
            found.append((match.start(), option))
    return [Assertion(option, _contrasts(text, place)) for place, option in sorted(found)]


def depends_on_the_case(rest: str, labels: tuple[str, ...], texts: tuple[str, ...], option: int) -> bool:
    """Returns whether another option follows for other cases: ``B for rocky planets, C for gas giants``, ``yes if ..., no otherwise``."""
    for match in [_BY_CASE.fullmatch(rest, 0, end) for end in _ends_of_parts(rest)]:
        behind = rest[match.end() :] if match else ""
        other = _begins(behind, labels, texts, any_text=True)
        if other is not None and other[0] != option and _CASE.match(behind[other[1] :]):
            return True
    share = _SHARE.match(rest)
    other = _begins(rest[share.end() :], labels, texts, any_text=True) if share else None
    return other is not None and other[0] != option


def _ends_of_parts(rest: str) -> list[int]:
    """Returns where the first parts of a text end that a comma, a stop or a word of contrast closes."""
    parts = re.finditer(r"[,;]\s*|[.]\s+|\b(?:but|and|while)\s+", rest[:200])
    return [part.end() for part in parts][:6]


def _contrasts(text: str, place: int) -> bool:
    start = max(0, place - 250)
    before = [part for part in _SENTENCE.split(text[start:place]) if part.strip()]
    return any(CONTRAST.search(part) for part in before[-2:]) or CONTRAST.match(text, place) is not None


def _is_conditional(text: str, place: int) -> bool:
    before = _SENTENCE.split(text[max(0, place - 200) : place])[-1]
    behind = re.split(r"[.!?\n;]", text[place : place + 160])[0]
    return _CONDITION.search(before.rpartition("but ")[2]) is not None or re.search(r"\b(?:if|unless|only\s+when)\b", behind) is not None


@lru_cache(maxsize=1024)
def _label(labels: tuple[str, ...]) -> re.Pattern[str] | None:
    shown = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(rf"(?:{shown})(?!['’\w-])") if labels else None


@lru_cache(maxsize=1024)
def _last_label(labels: tuple[str, ...]) -> re.Pattern[str] | None:
    shown = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(rf"(?<![\w'’-])({shown})\Z") if labels else None


def _begins(text: str, labels: tuple[str, ...], texts: tuple[str, ...], *, any_text: bool) -> tuple[int, int] | None:
    """Returns the option that a text begins with, and where its name ends."""
    pattern = _label(labels)
    label = pattern.match(text) if pattern else None
    if label is not None:
        return labels.index(label[0]), label.end()
    for index in sorted(range(len(texts)), key=lambda place: -len(texts[place])):
        known = texts[index]
        if known and (any_text or _counts(known)):
            match = text_pattern(known).match(text)
            if match:
                return index, match.end()
    return None


def _begins_with(text: str, labels: tuple[str, ...], texts: tuple[str, ...], ends: re.Pattern[str]) -> int | None:
    found = _begins(text, labels, texts, any_text=False)
    if found is None or not ends.match(text, found[1]):
        return None
    beside = re.match(_ANOTHER, text[found[1] :])
    is_one_of_several = beside is not None and _begins(text[found[1] + beside.end() :], labels, texts, any_text=False) is not None
    return None if is_one_of_several else found[0]


def _ends_with(text: str, labels: tuple[str, ...], texts: tuple[str, ...]) -> int | None:
    pattern = _last_label(labels)
    label = pattern.search(text) if pattern else None
    if label is not None:
        return labels.index(label[1])
    said = text.casefold()
    at_end = [index for index, known in enumerate(texts) if _counts(known) and any(end == len(said) for _, end in occurrences(said, known))]
    return max(at_end, key=lambda index: len(texts[index])) if at_end else None


def _counts(known: str) -> bool:
    return bool(known) and known.split(" ", maxsplit=1)[0] not in _JUDGEMENTS and _WORDS.search(known) is not None
