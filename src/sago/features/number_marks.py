"""Where a response says which number is its answer: behind the last mark (``Answer:``, ``####``, a box), unless it takes that back."""

from __future__ import annotations

import re
from collections.abc import Callable

from sago.features.answer_words import IS, NOUN
from sago.features.number_corrections import Reading, corrected
from sago.features.statements import HEADING, stating

_NOUN = rf"(?:{NOUN}|答|답)"
_VERB = rf"(?:(?<![a-z])(?:was|equals)(?!\w)|{IS}|[:=：])"
_MARKS = (
    re.compile(
        rf"####|{HEADING}|\\boxed\s*\{{|<answer>|{_NOUN}(?:\s+(?:to|for)\b[^.:\n]{{0,80}}?)?\s*{_VERB}(?:\s*{_VERB})*",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(r"\b(?:result|total)\s*(?:(?:is|was|equals)\b|[:=：|])+", re.IGNORECASE),
)
"""What marks an answer; the words of the second are also those of steps on the way to it, so they count only without the first."""
_MOST_MARKS = 20
"""Of a response that repeats its mark without end the last ones are looked at."""
_BOXES_BESIDE = re.compile(r"\\boxed\s*\{[^{}]*\}(?:[\s$\\(),]*(?:or|and)?[\s$\\(),]*\\boxed\s*\{[^{}]*\})+")
_CLAUSE_END = re.compile(
    r";|<(?=/?[a-z])|\.(?!\d)|(?<=\S)\s+(?:because|since|weil|denn|porque|perché)\b|,\s*(?:as|car|puisque|da|why)\b", re.IGNORECASE
)
_NOT = re.compile(r"[ \t]*(?:n['’]t|not|never|unlikely|nicht|pas)\b", re.IGNORECASE)
_BUT = re.compile(r"\b(?:but|sondern|mais|sino)\s+(?:rather\s+)?", re.IGNORECASE)
_NONE = re.compile(
    r"\W*(?:unknown|undefined|undetermined|indeterminate|none\b|n/?a\b|no\b|impossible|unclear|cannot|can['’]t|not\s+(?:given|known|possible|enough)"
    r"|infinit|∞|\\infty|there\s+is\s+no)",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:can(?:not|['’]t|\s+not)|could\s?n(?:o|['’])t|unable\s+to|(?:im|not\s+)possible\s+to)\s+(?:be\s+)?"
    r"(?:accurately\s+|exactly\s+)?(?:determine|answer|calculate|compute|know|tell|solve|say|find|provide|help|assist|give)"
    r"|(?:\bnot|n['’]t)\s+(?:have\s+|provide\s+|give\s+)?(?:enough|sufficient)\s|\binsufficient\b|\b(?:don['’]t|do\s+not)\s+know\b|\bnot\s+sure\b"
    r"|\b(?:is|was|are)(?:\s+not|n['’]t)\s+[$€£¥₹]?\d|\bdoubt\s+(?:that\s+)?it(?:['’]s|\s+is)\s"
    r"|(?:\bn['’]est\s+pas|\bno\s+es|\bnon\s+è|\bnão\s+é|不是)\s*[$€£¥₹]?\d[\d.,]*[^\d]*\Z",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\A[ \t]*\n\s*[-•–][ \t]+(?=\S)")
_TOLD = re.compile(r"\s*(?:First|Step|Start|To begin|Let|(?:[A-Z][a-z]+\s+)(?:[a-z]+\s+))(?=.*\d)")
"""A sentence that begins behind a mark, rather than the answer."""
_STEPS = re.compile(r"\s*1[.)]\s[^\n]*\n\s*2[.)]\s")
"""Steps by number behind a mark that is their heading."""


def marked_number(plain: str, number_of: Callable[[str], Reading]) -> Reading:
    """Returns whether a text decides on a number by a mark, and that number; null where it decides on none.

    Args:
        plain: The text, with the spellings of numbers made plain.
        number_of: Reads the number of one clause.
    """
    if len({box.strip("{} ") for box in _BOXES_BESIDE.findall(plain)[-1:] for box in re.findall(r"\{[^{}]*\}", box)}) > 1:
        return True, None
    is_denied = False
    for pattern in _MARKS:
        for mark in reversed(stating(list(pattern.finditer(plain))[-_MOST_MARKS:])):
            rest = _BULLET.sub("\n", plain[mark.end() :], count=1)
            if _STEPS.match(rest):
                continue
            payload = rest.lstrip().partition("\n")[0] if rest[:1] in {"\n", " ", "\r"} or not rest.strip() else rest.partition("\n")[0]
            if _NOT.match(rest):
                is_denied = True
                instead = _BUT.search(payload[:60])
                if instead is None:
                    continue
                payload = payload[instead.end() :]
            if _NONE.match(payload):
                return True, None
            clause = _clause(payload)
            if _TOLD.match(clause) and re.search(r"\d", payload.partition(clause)[2]):
                return True, None  # a way to the answer, told in sentences
            is_there, number = number_of(clause)
            is_step = pattern is _MARKS[1] and re.search(r"\d", rest.partition(clause)[2])
            if is_there and not is_step:
                return True, corrected(rest, number, number_of)
    return is_denied, None


def is_undecided(text: str) -> bool:
    """Returns whether a text says that it does not know, or which number it is not, so that a number in it is no answer.

    >>> is_undecided("I cannot determine this from 3 numbers."), is_undecided("It is not 5."), is_undecided("She has 5.")
    (True, True, False)
    """
    return _UNDECIDED.search(text) is not None


def ends_in_mark(text: str) -> bool:
    """Returns whether nothing but a sign of currency or a bracket follows the last mark of a text.

    >>> ends_in_mark("So the answer is $"), ends_in_mark("The answer is 5")
    (True, False)
    """
    marks = [mark.end() for pattern in _MARKS for mark in pattern.finditer(text)]
    return bool(marks) and not text[max(marks) :].strip(" \t\n*$€£¥₹`(-−–")


def _clause(payload: str) -> str:
    """Returns a text up to the end of its first clause, or to the bracket that closes what it stands in."""
    clause = _CLAUSE_END.split(payload, maxsplit=1)[0]
    depth = 0
    for place, char in enumerate(clause):
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return clause[:place]
    return clause
