"""Options that are words of judgement (yes, no, true, false): they turn up in reasons, too, and count where a text ends or concludes."""

from __future__ import annotations

import re

from sago.features.choice_texts import plain_text
from sago.features.choice_words import CONTRAST, DENIED_BEHIND, NEGATED
from sago.features.statements import stating

_ENDS_IN = re.compile(
    r"(?:\b(?:so|thus|hence|therefore|but|actually|is|it['’]s|in\s+fact|verdict|conclusion|answer)\b[\s,:—–-]*|[):]\s*|[.!?]\s+)(?P<said>yes|no|true|false)\W*\Z"
)
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|verdict|conclusion|(?:in\s+fact|actually)|answer(?:\s+\w+){0,2}\s+is)\b[\s,:—–-]*(?:(?:the\s+answer|it)\s+is\s+)?\Z"
)
_INSIDE = re.compile(r"\b(?:so|therefore|thus|hence)[\s,]+(?P<said>yes|no|true|false)\s*[,.;!]")
_ALONE = re.compile(r"(?:\A|[.!\n])\W*(?P<said>yes|no|true|false)(?=\s*(?:[.!?\n]|\Z))")


_BEFORE = 30
"""Characters in front of a mention in which a denial stands."""


def is_denied(said: str, start: int, end: int) -> bool:
    """Returns whether words around a place of a text deny what stands there.

    >>> is_denied("it is not mars.", 10, 14), is_denied("mars is wrong", 0, 4), is_denied("it is mars", 6, 10)
    (True, True, False)
    """
    return NEGATED.search(said[max(0, start - _BEFORE) : start]) is not None or DENIED_BEHIND.match(said, end) is not None


def last_judgement(said: str, texts: tuple[str, ...]) -> int | None:
    """Returns the option with which a response ends in a way that concludes: ``but it is actually no``, ``so yes``."""
    last = _ENDS_IN.search(said)
    return texts.index(last["said"]) if last and last["said"] in texts else None


def turned(rest: str, texts: tuple[str, ...], option: int) -> tuple[bool, int | None]:
    """Returns whether the text behind an option turns to another word of judgement, and which it concludes; null where it only wavers.

    >>> turned(", he did. But it was later, so no.", ("yes", "no"), 0), turned(", but the rest is no.", ("yes", "no"), 0)
    ((True, 1), (True, None))
    """
    if texts[option] not in {"yes", "no", "true", "false"}:
        return False, None
    said = plain_text(rest)
    last = _ENDS_IN.search(said)
    if last is not None and last["said"] in texts and last["said"] != texts[option]:
        concluding = _CONCLUDES.search(said[: last.start("said")])
        if concluding is not None:
            is_own = bool(stating([concluding]))
            return is_own, texts.index(last["said"]) if is_own else None
        if CONTRAST.search(said):
            return True, None
    words = {match["said"].casefold() for pattern in (_INSIDE, _ALONE) for match in pattern.finditer(rest.casefold())}
    return bool((words & set(texts)) - {texts[option]}), None
