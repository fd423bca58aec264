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


_YES = r"yes|yeah|yep|yup|ja|oui|sí|si|sim|да|是的?|はい|네|예|نعم|हाँ|हां|जी\s+हाँ"
_NO = r"no|nope|nah|nein|non|nee|não|нет|不是?的?|不对|いいえ|아니요|لا|नहीं|not\s+(?:really|at\s+all)(?:,\s+no)?"
_IT_IS = r"(?:(?:that|this|it)(?:['’]s|\s+is)\s+|the\s+(?:statement|claim|answer)\s+is\s+)?"
_TRUE = rf"{_IT_IS}(?:true|correct|right)|absolutely|certainly|definitely|of\s+course"
_FALSE = rf"{_IT_IS}(?:false|incorrect|wrong|untrue|not\s+(?:true|correct|right))|(?:absolutely|certainly|definitely|of\s+course)\s+not"
_JUDGES = re.compile(
    rf"\W*(?:(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?:[,.!;。，、！]|\s*(?:\n|\Z))(?P<rest>[\s\S]*)|(?:(?P<true>{_TRUE})|(?P<false>{_FALSE}))[.!]*\s*\Z)",
    re.IGNORECASE,
)
_JUDGED_AGAIN = re.compile(
    rf"(?<!\w)(?:{_YES}|no|nope|nein|non|true|false|yet|aber|mais|pero|sin\s+embargo)(?!\w)|但|不过|{CONTRAST.pattern}", re.IGNORECASE
)
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


def judgement(text: str, texts: tuple[str, ...]) -> int | None:
    """Returns the option that other words for yes and no mean, where the options are these two, or true and false.

    Words that are remarks as well (``Right, so``, ``Definitely``) count where they are all of a response; where it turns or judges again
    it says none.

    >>> judgement("Nope.", ("yes", "no")), judgement("True", ("yes", "no")), judgement("Ja, aber nicht immer.", ("yes", "no"))
    (1, 0, None)
    """
    known = next((pair for pair in (("yes", "no"), ("true", "false")) if sorted(texts) == sorted(pair)), None)
    said = _JUDGES.match(text)
    if known is None or said is None or _JUDGED_AGAIN.search(said["rest"] or ""):
        return None
    return texts.index(known[0] if said["yes"] or said["true"] else known[1])


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
