"""Words of scale of other languages behind digits, worked out: ``3万``, ``1億2000万``, ``5 Millionen``."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from sago.features.number_expressions import UNKNOWN

_POWERS = {"百": 2, "千": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "lac": 5, "लाख": 5, "करोड़": 7} | {
    "millionen": 6, "mio": 6, "millones": 6, "milhões": 6, "milioni": 6, "miljoen": 6,
    "milliarden": 9, "mrd": 9, "milliard": 9, "miliardi": 9, "miljard": 9, "mil millones": 9,
}  # fmt: skip
"""Words and signs of scale and their powers of ten."""
_SIGN = "(?:千(?![米克瓦卡焦帕赫伏])|百(?![分帕])|[万萬만億亿억])"
"""A thousand metres are one unit (``5千米`` is 5 km), and ``百分`` is a share."""
_VALUE = r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)(?:\.\d+)?"
_WORDS = "|".join(word.replace(" ", r"\s+") for word in sorted(_POWERS, key=len, reverse=True) if len(word) > 1)
_SCALED = re.compile(
    rf"(?<![\d.,/^A-Za-z])(?:(?P<value>{_VALUE})[ \t]?(?P<word>{_WORDS})(?:s(?!\w)|\.(?=\s+\w)|(?!\w))"
    rf"|(?P<signs>(?:{_VALUE}[ \t]?{_SIGN}+)+)(?P<rest>\d[\d,]*|[一二两三四五六七八九十])?)",
    re.IGNORECASE,
)
_PART = re.compile(rf"(?P<value>{_VALUE})[ \t]?(?P<signs>{_SIGN}+)")
_SHORTEST_REST = 3
"""Fewer digits behind a sign of scale may count in its tenth: ``3万5`` is 35,000 where it is spoken."""


def worked_out_scales(text: str) -> str:
    """Returns a text with the numbers that have such a word or sign of scale in digits.

    >>> worked_out_scales("約1億2000万円"), worked_out_scales("5 Millionen"), worked_out_scales("5 m")
    ('約120000000円', '5000000', '5 m')
    """
    return _SCALED.sub(_in_digits, text)


def _in_digits(match: re.Match[str]) -> str:
    if match["word"] is not None:
        return _spelled(_number(match["value"]) * 10 ** _POWERS[" ".join(match["word"].casefold().split())])
    rest = (match["rest"] or "").replace(",", "")
    # A sign for a digit is one short digit too: ``3万五千``.
    if rest and len(rest) < _SHORTEST_REST:
        return UNKNOWN
    parts = [_number(part["value"]) * 10 ** sum(map(_POWERS.__getitem__, part["signs"])) for part in _PART.finditer(match["signs"])]
    falls = all(first > second for first, second in pairwise(parts))
    return _spelled(sum(parts, Fraction(int(rest or 0)))) if falls else UNKNOWN


def _number(value: str) -> Fraction:
    return Fraction(value.replace(",", ""))


def _spelled(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else UNKNOWN
