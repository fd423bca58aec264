"""Numbers in text: one spelling for each value, and the number that a response states.

The normal spelling is exact decimal text without separators or needless zeros (``1,000`` -> ``1000``, ``8.0`` -> ``8``). A fraction
whose decimals do not end stays a reduced fraction (``2/6`` -> ``1/3``). Currency and percent signs are units and dropped: ``50 %`` and
``50`` are the same answer.
"""

from __future__ import annotations

import re
from fractions import Fraction

_WHOLE = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)"
_VALUE = rf"(?:{_WHOLE}(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{{1,2}}(?!\d))?"
_CURRENCY = r"[$€£¥₹]"
_NUMBER = re.compile(
    rf"(?:(?<![\w.)\]])(?P<sign>[-+−]))?(?<![\w.,/])\\?{_CURRENCY}?\s?(?:(?<=[$€£¥₹\s])(?P<late>[-−]))?"
    rf"(?P<value>{_VALUE})(?:\s?/\s?(?P<over>\d+))?(?![.,]?\d|/\d)"
)
_PLAIN = re.compile(rf"\s*(?P<sign>[-+−]?)\s?{_CURRENCY}?\s?(?P<value>{_VALUE})(?:\s?/\s?(?P<over>\d+))?\s?(?:%|{_CURRENCY})?\s*")
_MARKED = re.compile(r"(?:####|\\boxed\s*\{|\b(?:answer|result|total)\s*(?:is|was|equals|:|=|：)+)(?P<payload>[^\n]*)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[,\s]")
_LONGEST = 300
"""More characters than this are noise (a model that repeats a digit), not a number."""
_DECORATION = re.compile(r"[*`_]{1,3}|\\[(),!\[\]]|\\text\s*")


def normal_number(text: str) -> str | None:
    """Returns a text that is one number and nothing else in its normal spelling; any other text as null.

    >>> normal_number("$1,234.50"), normal_number("8.0"), normal_number("-.5"), normal_number("2/6"), normal_number("8 legs")
    ('1234.5', '8', '-0.5', '1/3', None)
    """
    match = _PLAIN.fullmatch(text)
    return None if match is None else _spelled(match["sign"], match["value"], match["over"])


def stated_number(text: str) -> str | None:
    """Returns the number that a response states, in its normal spelling; null where it states none.

    Behind the last answer mark (``The answer is``, ``Answer:``, ``####``, a LaTeX box) it is the first number, or the last one after an
    equals sign. Without a mark that is followed by a number it is the last number of the text.

    >>> stated_number("3 + 5 = 8"), stated_number("The answer is 18, because 3 x 6 = 18 and 2 is less."), stated_number("none")
    ('8', '18', None)
    """
    plain = _DECORATION.sub("", text)
    for mark in reversed(list(_MARKED.finditer(plain))):
        payload = mark["payload"]
        clause = re.split(r"[;}]|\.(?!\d)", payload, maxsplit=1)[0]
        found = _numbers(clause.rsplit("=", 1)[-1]) or _numbers(clause)
        if found:
            return found[0]
    found = _numbers(plain)
    return found[-1] if found else None


def ends_in_number(text: str) -> bool:
    """Returns whether the last character of a text is part of a number, which more digits could have followed.

    >>> ends_in_number("It is 1"), ends_in_number("It is 1.")
    (True, False)
    """
    return bool(re.search(r"\d[.,]?$", text)) and not text.endswith(".")


def _numbers(text: str) -> list[str]:
    spelled = (_spelled(match["sign"] or match["late"] or "", match["value"], match["over"]) for match in _NUMBER.finditer(text))
    return [number for number in spelled if number is not None]


def _spelled(sign: str, value: str, over: str | None) -> str | None:
    if len(value) + len(over or "") > _LONGEST:
        return None
    number = Fraction(_SEPARATORS.sub("", value))
    if over is not None:
        if int(over) == 0:
            return None
        number /= int(over)
    return _decimal(-number if sign in {"-", "−"} else number)


def _decimal(number: Fraction) -> str:
    """Returns exact decimal text, or the reduced fraction where the decimals do not end."""
    twos, rest = 0, number.denominator
    while rest % 2 == 0:
        rest //= 2
        twos += 1
    fives = 0
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return str(number)
    places = max(twos, fives)
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
