r"""What stands around a number and makes another answer of it: sums, ranges, parts of many, bounds, dates, terms with an unknown.

No part of such an answer is its number: ``3 + 5``, ``10-12``, ``10 out of 12``, ``at least 5``, ``5 dozen``, ``2x``, ``12:30``.
"""

from __future__ import annotations

import re

UNKNOWN = "\ufffc"
"""Stands for a number that cannot be worked out."""

_MONEY = r"\\?[$€£¥₹]?"
_OPERAND = r"\d[\d.,]*+(?:\s?\^\s?\{?[-−]?\d++\}?)?(?:\s?/\s?\d++)?"
_SIGN = r"(?:[-–−+*×÷·]|\\times|\\cdot|\\div|(?<=[\d ])x(?=[\d ]))(?!\s?10\s?\^)"
_START = r"(?<![\w.,/^])"
_END = r"(?=\s*(?:[.,;!?)}*$]|\Z|\n))"

_TERM = rf"(?:{_OPERAND}|{UNKNOWN})"
_NAME = r"(?-i:[b-zB-HJ-Z])(?![a-zA-Z.]|\s[a-zA-Z])"
_ARITHMETIC = (
    rf"(?<![\w.,^])(?<!\^\{{)(?:{_TERM}(?:[ ]?{_SIGN}[ ]?[$€£¥₹]?{_TERM})++[a-zA-Z]?|{_TERM}[ ]?[-–−+][ ]?{_NAME}"
    rf"|(?<![a-zA-Z]){_NAME}[ ]?[-–−+][ ]?{_TERM})"
)
_TIMES_AND_RATIOS = r"(?<![\w.,:])\d++(?::\d++)++"
_DECIMAL_COMMA = r"(?<![\w.,])\d{1,3}(?:[ .'’\u00a0\u2009\u202f]\d{3})++,\d++"
_UNKNOWNS = r"(?<![\w.,])\d[\d.,]*+[ainqruxyz]\b(?![’'])"
_OTHER_BASE = rf"(?<![\w.,])0[xXbB][\da-fA-F]++\b|{_START}\d++_\{{?\d{{1,2}}\b\}}?|{_START}\d++[₀-₉]++"
_FUNCTIONS = r"\\[dt]?binom\s*\{[^{}]*\}\s*\{[^{}]*\}|\\?\b(?:log|ln|exp|sin|cos|tan|sqrt)\b(?:_\{?\d++\}?)?\s?[({]?\s?-?\d[\d.,]*+[°)}]?"
_OF_MANY = rf"{_START}{_OPERAND}\s?%?\s(?:out\s+)?of\s+(?:(?:the|every|all|those)\s+)?{_MONEY}\d[\d.,]*+"
_CHANCE = rf"{_START}1\sin\s(?:every\s)?\d++(?=(?:\schance)?\s*(?:[.,;)}}*$]|\Z|\n))"
_BOUND_WORDS = (
    rf"\b(?:(?:more|less|greater|fewer|larger|smaller|higher|lower)\s+than(?:\s+or\s+equal\s+to)?|at\s+(?:least|most))\s+{_MONEY}{_OPERAND}"
)
_BOUND_SIGNS = (
    rf"(?:[≤≥≠]|\\(?:leq?|geq?|neq?|lt|gt)(?![a-zA-Z])|(?:(?<=[ ({{$\n])|\A|(?<=\b[a-zA-Z]))[<>]=?(?=[ ]?{_MONEY}[-−]?\d))"
    rf"\s?{_MONEY}[-−]?{_OPERAND}(?!\S*>)"
)
"""Not the brackets of a tag (``<b>5</b>``) or of a calculator (``<<9*2=18>>18``)."""
_OPEN_BOUND = rf"{_START}\d[\d.,]*+\+{_END}"
_FACTORIAL = rf"{_START}\d++!(?=\s*[}}$)=])"
"""Anywhere else the sign is an exclamation mark: ``The answer is 5!``"""
_BOTH_SIGNS = rf"(?:{_START}{_OPERAND}\s?)?(?:±|\\pm(?![a-zA-Z])|\+/-)\s?{_MONEY}{_OPERAND}"
_ERA = rf"{_START}\d++(?:\s(?:BCE?|B\.C\.)|s)(?!\w)"
_DOZENS = rf"{_START}\d[\d.,]*+\s(?:dozens?|gross|half|quarters?)\b"
_WITHOUT_END = (
    rf"{_START}(?:\d++\.\d++(?:\.\.\.|…|\s?\\[lc]?dots|\s(?:repeating|recurring)\b)|\d*+\.?\d*+\\(?:overline|bar|dot)\s?\{{?\d++\}}?)"
)

OTHER_BASE = re.compile(_OTHER_BASE)
NOT_WORKED_OUT = re.compile(
    "|".join(
        (
            *(_OF_MANY, _CHANCE, _BOUND_WORDS, _BOUND_SIGNS, _WITHOUT_END, _ARITHMETIC, _TIMES_AND_RATIOS, _DECIMAL_COMMA, _UNKNOWNS),
            *(_BOTH_SIGNS, _ERA, _FUNCTIONS, _OPEN_BOUND, _FACTORIAL, _DOZENS),
        )
    ),
    re.IGNORECASE,
)
"""Matches an answer that is more than a number, so that no part of it is read as the number."""
