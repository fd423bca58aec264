"""What a response takes back, denies or checks: which number stands at the end, and which ones are none of its answer.

A correction (``12. Hold on, that counts Sunday twice, so 10``) gives way to what is concluded behind it; where that is not clear, nothing
is stated. A denied number (``not 5``) is no answer, and a check (``Check: 3*4 = 12``) decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Reading = tuple[bool, str | None]
"""Whether there is a number, and which; null is one that is not sure, or that there is none."""

_CORRECTED = re.compile(
    r"(?:[.,;:!?)\n—–-]|\.\.\.|…|，|。)\s*(?:(?:oh|oops|hmm+|no|but)\b[\s,.!—–-]*)?"
    r"(?:(?:wait|hold\s+on|oops|actually|correction|sorry|scratch\s+that|i\s+meant?|on\s+(?:second\s+thoughts?|reflection)"
    r"|let\s+me\s+(?:re\w+|correct|double|check)|i\s+made\s+an?\s+(?:mistake|error)|no(?=\s?[,.!—–-]))\b|不对|等等|更正)(?:[\s.,:;!—–-]|，|：)*"
    r"(?:(?:no|wait|actually|sorry)\b[\s.,:;!—–-]*|(?:i\s+)?(?:meant?|made\s+an?\s+(?:mistake|error))\b[\s.,:;!—–-]*)*"
    r"(?:(?:it|that|this|the\s+(?:correct\s+)?answer)(?:\s+(?:is|should\s+be)\b|['’]s)\s*|应该?是|应为)?",
    re.IGNORECASE,
)
"""Words that take back what was said."""
_DOUBTED = re.compile(r"(?:[.,;!)\n]\s*|\s)(?:however|but|although|though)\b", re.IGNORECASE)
"""Words behind which a response may take back what was said, or only add to it."""
_JUDGED_WRONG = re.compile(
    r"(?:\b(?:which|but\s+(?:that|this|it))|(?:[.!]\s+|\n\s*)(?:but\s+)?(?:that|this|it))(?:['’]s|\s+(?:is|was|seems))\s+"
    r"(?:(?:clearly|actually|of\s+course)\s+)?(?:wrong|incorrect|(?:not|n['’]t)\s+(?:right|correct|possible)|impossible|a\s+mistake|an\s+error)\b",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r"\s*\\?[$€£¥₹]?[-−]?\d")
_VALUE = r"(?P<said>\\?[$€£¥₹]?\s?[-−]?\.?\d[^\n]*)"
_IS = r"(?:['’]s|\s+(?:is|are|was|should\s+be|must\s+be|has\s+to\s+be|becomes))"
_BY_REASON = (
    r"\b(?:so|therefore|thus|hence)\b[\s,]*(?:(?:it|that|there|the\s+(?:\w+\s+){0,3}?\w+)" + _IS + r"\s+)?"
    r"|\b(?:correct|real|right|actual|true|final)\s+(?:\w+\s+)?(?:is|should\s+be|would\s+be)\s+"
    r"|\b(?:it|that|answer)\s+(?:should|must|has\s+to)\s+be\s+|\bmaking\s+(?:it|that)\s+"
)
_ADVERB = r"(?:(?:actually|only|really|in\s+fact|exactly|just)\s+)?"
_CONCLUDED = re.compile(rf"(?:{_BY_REASON}){_ADVERB}{_VALUE}", re.IGNORECASE)
_SAID = re.compile(
    rf"(?:{_BY_REASON}|\b(?:it|that|there|answer){_IS}\s+|\b(?:yes|correct|right)\b[\s,.:!]+){_ADVERB}{_VALUE}", re.IGNORECASE
)
_SHORT = re.compile(r"\\?[$€£¥₹]?\s?[-−]?[\d.,/ ]*\d\s?(?:%|(?!(?:each|apiece|per|every)\b)[^\W\d_]+)?(?:\s*[.,;!)]|\s*$)")
"""A number with no more than its unit before the clause ends: more words may say something else of it."""
_CONDITION = re.compile(r"\b(?:if|unless|otherwise|were|had|would|could|might|may|some|others)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s+|\n")
_CLAUSE = re.compile(r";|\.(?!\d)")

_UNIT = r"(?:\s?(?:%|[^\W\d_]+))?"
_DENIED = re.compile(
    r"(?P<not>\b(?:(?:can(?:not|\s+not)|could\s+not|must\s+not|should\s+not|will\s+not|is\s+not)\s+(?:\w+ly\s+)?be"
    r"|\w+n['’]t\s+(?:\w+ly\s+)?be|\w+n['’]t|not|nicht|never|rather\s+than|instead\s+of)\s+(?:say\s+|the\s+|just\s+|simply\s+|\w+ly\s+)?)"
    r"\\?[$€£¥₹]?[-−]?\d[\d.,/]*(?<![.,])(?!\w)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"{_UNIT}(?:\s*[,;—–-]\s*|[.!]\s+(?=(?:it|that)(?:['’]s|\s+is)\b)|\s+)(?:(?:but(?:\s+rather)?|sondern|so|therefore|thus|hence)\b[\s,]*)?"
    rf"(?:(?:it|that|there)(?:['’]s|\s+(?:is|are|must\s+be|has\s+to\s+be|should\s+be))\s+)?{_ADVERB}\\?[$€£¥₹]?[-−]?\d",
    re.IGNORECASE,
)
_BEFORE_NOT = re.compile(rf"\d{_UNIT}\s*,?\s*(?:\()?(?:and\s+)?\Z")
_ASKS = re.compile(
    r"(?:\A|[.!?\n:,]\s*)(?:how\s+(?:many|much|long|far|old|tall|often)|what\s+(?:is|are|was|were|will|percent\w*|fraction))\b[^.!?\n]*\?\W*\Z",
    re.IGNORECASE,
)
"""A question that ends a text, which repeats what was asked: no offer of more help."""
_UNFINISHED_SUM = re.compile(r"\d\s*(?:[+×*÷=]|\b(?:plus|minus|times|and|or)\b)\s*\Z", re.IGNORECASE)
_HANGS = re.compile(
    r"(?<=[^\W\d_])[,;]?\s+(?:and|or|but|the|a|an|of|in|to|then|and\s+then|for|with|from|that|so|because|is|was|are|were|by|as|at|on|if|than|his"
    r"|her|their|she|he|they)\s*\Z|(?<=[^\W\d_]),\s*\Z",
    re.IGNORECASE,
)
"""How a sentence ends that was cut off, where nobody recorded that it was."""
_TOLD = re.compile(rf"\d{_UNIT},?\s+(?:and|or|but|so|because)\s*\Z", re.IGNORECASE)
"""A number with its unit behind which a sentence could have ended: ``It costs 12 euros and``."""
DENIED = "\ufffd"
"""Stands for a number that is denied."""

_CHECKED = re.compile(
    r"^[ \t>#*-]*(?:(?:(?:quick|sanity|double)[\s-]+)?check(?:ing)?|verif(?:y|ication|ying)|to\s+(?:check|verify|confirm)"
    r"|let['’]?s\s+(?:check|verify|confirm)|we\s+can\s+(?:check|verify|confirm)|plug(?:ging)?\b[^\n:.]{0,40}\bback)\b[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_TICKED = re.compile(r"^[^\n]*=[^\n]*[✓✔✅☑][^\n]*$", re.MULTILINE)


def corrected(rest: str, number: str | None, number_of: Callable[[str], Reading]) -> str | None:
    """Returns the number that takes the place of one that is taken back; null where it is taken back for something that is not clear.

    Args:
        rest: What follows the mark of the number, the number included.
        number: The number that was marked.
        number_of: Reads the number of one clause.
    """
    corrections = list(_CORRECTED.finditer(rest))
    if not corrections:
        doubt = _DOUBTED.search(rest)
        concluded = _last(_CONCLUDED, rest[doubt.end() :], number_of) if doubt else None
        if concluded is not None:
            return concluded
        return None if is_taken_back(rest) else number
    instead = rest[corrections[-1].end() :]
    is_there, other = number_of(_clause(instead.partition("\n")[0]))
    if is_there and _AT_ONCE.match(instead):
        return other
    concluded = settled_on(instead, number_of)
    if concluded is not None:
        return concluded
    if is_taken_back(rest):
        return None
    later = [said for line in instead.splitlines() for clause in _CLAUSE.split(line) if (said := number_of(clause))[0]]
    return number if not later or later[-1][1] == number else None


def instead_of_first(text: str, number_of: Callable[[str], Reading]) -> tuple[bool, str | None]:
    """Returns whether a text without a mark takes back a number, and the number that it settles on instead; null where none is clear."""
    corrections = [found for found in _CORRECTED.finditer(text) if re.search(r"\d", text[: found.start()])]
    if corrections:
        instead = text[corrections[-1].end() :]
        is_there, other = number_of(_clause(instead.partition("\n")[0]))
        at_once = other if is_there and _AT_ONCE.match(instead) and _SHORT.match(instead.strip()) else None
        return True, at_once if at_once is not None else settled_on(instead, number_of)
    doubt = _DOUBTED.search(text)
    last = _SENTENCE.split(text[doubt.end() :].strip())[-1] if doubt and re.search(r"\d", text[: doubt.start()]) else ""
    concluded = _last(_CONCLUDED, last, number_of)
    return concluded is not None or is_taken_back(text), concluded


def is_taken_back(text: str) -> bool:
    """Returns whether a text says of what it said that it is wrong.

    >>> is_taken_back("It is 12. That's wrong."), is_taken_back("It is 12, and 13 is wrong.")
    (True, False)
    """
    return _JUDGED_WRONG.search(text) is not None


def settled_on(text: str, number_of: Callable[[str], Reading], *, by_reason: bool = False) -> str | None:
    """Returns the number that a text ends up with: concluded, said (unless only reasons count), or alone in its last sentence."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    last = sentences[-1].strip().strip("*") if sentences else ""
    if re.search(r"\d", last) and _SHORT.fullmatch(last):
        return number_of(last)[1]
    return _last(_CONCLUDED if by_reason else _SAID, text, number_of)


def _last(pattern: re.Pattern[str], text: str, number_of: Callable[[str], Reading]) -> str | None:
    """Returns the number of the last place that concludes one without a condition."""
    for sentence in reversed(_SENTENCE.split(text)):
        for match in reversed(list(pattern.finditer(sentence))):
            if _CONDITION.search(sentence) or not _SHORT.match(match["said"]):
                continue
            is_there, number = number_of(_clause(match["said"]))
            if is_there and number is not None:
                return number
    return None


def _clause(text: str) -> str:
    return _CLAUSE.split(text, maxsplit=1)[0]


def without_denied(text: str) -> tuple[str, bool]:
    """Returns a text without the numbers that it denies, and whether what is left says which number it is instead.

    >>> without_denied("5 cents, not 10 cents")[1], without_denied("It is not 5.")[1], without_denied("not 5 but 6")[1]
    (True, False, True)
    """
    said_instead = True
    for match in _DENIED.finditer(text):
        is_contrast = match["not"].casefold().startswith(("not", "nicht", "never", "rather", "instead"))
        is_before = is_contrast and _BEFORE_NOT.search(text[max(0, match.start() - 60) : match.start()]) is not None
        said_instead = said_instead and (is_before or _INSTEAD.match(text, match.end()) is not None)
    return _DENIED.sub(lambda match: match["not"] + DENIED, text), said_instead


def breaks_off(text: str) -> bool:
    """Returns whether a text stops before it comes to a number: in the middle of its only sentence with one, in a sum, or with a question.

    >>> breaks_off("She sold 48 clips in April, and then"), breaks_off("The total is 48 +"), breaks_off("She sold 48. How many is that?")
    (True, True, True)
    >>> breaks_off("She sold 72 clips. That is because"), breaks_off("She sold 72 clips"), breaks_off("It is 14 in")
    (False, False, False)
    """
    last = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence.strip()][-1:]
    if _ASKS.search(text) or ends_in_sum(text):
        return True
    return (
        bool(last)
        and _HANGS.search(last[0]) is not None
        and not _TOLD.search(last[0])
        and not re.search(r"\d", text.strip()[: -len(last[0])])
    )


def ends_in_sum(text: str) -> bool:
    """Returns whether a text ends behind a number and a sign or word that goes on with another one: ``The answer is 48 +``."""
    return _UNFINISHED_SUM.search(text) is not None


def without_checks(text: str) -> str:
    r"""Returns a text without the check that ends it and without lines that are ticked off; what is concluded behind a check stays.

    >>> without_checks("x = 7\n\nCheck: 2*7 + 3 = 17"), without_checks("5. Check:\nCheck: 3*4 = 12\nSo 12.")
    ('x = 7', '5. Check:\n\nSo 12.')
    """
    ticked = _TICKED.sub("", text)
    text = ticked if re.search(r"\d", ticked) else text
    check = _CHECKED.search(text)
    if check is None or not re.search(r"\d", text[: check.start()]):
        return text
    behind = text[check.end() :]
    concluding = re.search(
        r"^\W*(?:so|therefore|thus|hence|finally|in\s+conclusion|the\s+answer)\b[\s\S]*", behind, re.IGNORECASE | re.MULTILINE
    )
    return (text[: check.start()] + (concluding[0] if concluding else "")).strip()
