"""Numbers in English words: ``one hundred twenty``, ``minus five``, ``two thirds``, ``one and a half``."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {**{word: value for value, word in enumerate(_UNITS)}, **{word: 10 * place for place, word in enumerate(_TENS, 2)}}
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "lakh": 5, "crore": 7}
"""Words of scale and their powers of ten."""
PARTS = {
    **{"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9},
    **{"tenth": 10, "twelfth": 12, "twentieth": 20, "hundredth": 100, "thousandth": 1000},
}
"""Words of the parts of a whole, without the s of many, and how many parts make it."""
_ONE = frozenset({"a", "an", "one"})
_TEXT_THAT_GOES_ON = """
point dozen dozens score gross pair pairs times squared cubed plus minus over divided multiplied to or out of in and half a an more less
percentage is was not if first second
"""
_GOES_ON = frozenset(_TEXT_THAT_GOES_ON.split())
"""Words that say that a number goes on, or is another one."""
_WORD = re.compile(r"[^\W\d_]+")
_SIGN = re.compile(r"\W*(?:(?:minus|negative)\s+|[-−–](?=\w))", re.IGNORECASE)
_ABOUT = re.compile(r"\W*(?:about|approximately|roughly|exactly|only|just)\s+", re.IGNORECASE)
_APART = re.compile(r"[,;:/|=+*×÷]\s*|\s[-–—]\s?|[.!?]\s")
"""What parts two numbers or sentences; a hyphen or a space joins the words of one number."""
_LONGEST = 120


def worded_number(text: str) -> Fraction | None:
    """Returns the number of a text that is a number in words, alone or with its unit; null where more words may say something else.

    >>> [str(worded_number(text)) for text in ("one hundred and twenty", "-five", "two thirds", "one and a half", "ten legs", "one or two")]
    ['120', '-5', '2/3', '3/2', '10', 'None']
    """
    text = text.strip().strip(" .!\"'“”()[]{}$")
    if len(text) > _LONGEST or re.search(r"\d", text) or _APART.search(text):
        return None
    text = _ABOUT.sub("", text, count=1) if _ABOUT.match(text) else text
    sign = _SIGN.match(text)
    words = [word.casefold() for word in _WORD.findall(text[sign.end() :] if sign else text)]
    value, used = _whole(words)
    if value is None and (words[:1] == ["half"] or (words[:1] in (["a"], ["an"]) and _part(words[1:2]))):
        value, used, words = Fraction(1), 1, ["one", *words[words[0] != "half" :]]
    value, used = _with_parts(value, words, used)
    rest = words[used:]
    if value is None or len(rest) > 1 or (rest and (rest[0] in _GOES_ON or _is_number(rest[0]))):
        return None
    return -value if sign else value


def _is_number(word: str) -> bool:
    return word in _SMALL or word.removesuffix("s") in SCALES or _part([word]) is not None


def _whole(words: list[str]) -> tuple[Fraction | None, int]:
    """Returns the value of the whole number that begins a list of words, and how many words it takes; null where it is none."""
    total, group, last, place = 0, 0, 0, 0
    highest = 10**18
    words = ["one", *words[1:]] if words[:1] == ["a"] and words[1:2] and words[1] in SCALES else words
    while place < len(words):
        word, scale = words[place], SCALES.get(words[place].removesuffix("s"))
        if word in _SMALL:
            value = _SMALL[word]
            # A digit goes behind a ten, and anything below a hundred behind a scale; ``five six`` are two numbers.
            if place and not (last >= 100 or (20 <= last < 100 and 0 < value < 10)):
                return None, place
            group, last = group + value, value
        elif scale == 2 and 0 < group < 100:
            group, last = group * 100, 100
        elif scale is not None and scale > 2 and group and 10**scale < highest:
            total, group, last, highest = total + group * 10**scale, 0, 10**scale, 10**scale
        elif not (word == "and" and last >= 100 and words[place + 1 : place + 2] and words[place + 1] in _SMALL):
            break
        place += 1
    return (Fraction(total + group), place) if place else (None, 0)


def _with_parts(value: Fraction | None, words: list[str], used: int) -> tuple[Fraction | None, int]:
    """Returns a number with the parts of a whole behind it: ``two thirds``, ``one and a half``, ``two and three quarters``."""
    behind = words[used:]
    if value is None:
        return None, used
    part = _part(behind[:1])
    # One of them is a third; "twenty third" is a place in a row.
    if part and used == 1 and 0 < value < 100 and (value == 1) != behind[0].endswith("s"):
        return value / part, used + 1
    part = _part(behind[2:3])
    if part and behind[0] == "and":
        count = 1 if behind[1] in _ONE else _SMALL.get(behind[1], 0)
        if 0 < count < part:
            return value + Fraction(count, part), used + 3
    return value, used


def _part(words: list[str]) -> int | None:
    """Returns how many of the parts that the first word names make a whole; null where it names none."""
    return PARTS.get(words[0].removesuffix("s")) if words else None
