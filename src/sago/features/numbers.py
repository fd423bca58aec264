"""Numbers in text: one spelling for each value, and the number that a response states.

The normal spelling is exact decimal text without separators or needless zeros (``1,000`` -> ``1000``, ``8.0`` -> ``8``). A fraction
whose decimals do not end stays a reduced fraction (``2/6`` -> ``1/3``). Powers and words of scale are worked out (``10^3``, ``10**3``,
``1.5 x 10^3``, ``2 million``). Currency and percent signs are units and dropped: ``50 %`` and ``50`` are the same answer.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

_WHOLE = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?!\d)|\d+)"
_VALUE = rf"(?:{_WHOLE}(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{{1,2}}(?!\d))?"
_CURRENCY = r"[$€£¥₹]"
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALE = "|".join(_SCALES)
_SUFFIXES = {"k": 3, "K": 3, "M": 6, "mn": 6, "bn": 9}
"""Letters that multiply where they touch the number; a small m is a metre, and a B may be an option."""
_BEGUN = "|".join(word[:size] for word in _SCALES for size in range(1, len(word)))
"""Words of scale that were cut off."""
_POWER = r"\s?\^\s?\{?(?P<power>[-+−]?\d{1,3})(?!\d|[./]\d)\}?"
_TIMES = r"\s?(?:[x×·]|\\times|\\cdot)\s?10\s?\^\s?\{?(?P<ten>[-+−]?\d{1,3})(?!\d|[./]\d)\}?"
_BEHIND = rf"(?:{_TIMES}|{_POWER}|\s?/\s?(?P<over>\d+)|(?P<suffix>{'|'.join(_SUFFIXES)})(?!\w)|[\s-]?(?i:(?P<scale>{_SCALE})s?)(?!\w))?"
_NUMBER = re.compile(
    rf"(?:(?<![\w.)\]^{{])(?P<sign>[-+−]))?(?<![\w.,/^])(?<!\^[-{{])(?<!\^{{[-−])\\?{_CURRENCY}?\s?(?:(?<=[$€£¥₹\s])(?P<late>[-−]))?"
    rf"(?P<value>{_VALUE}){_BEHIND}(?![.,]?\d|/\d)"
)
_PLAIN = re.compile(rf"\s*(?P<sign>[-+−]?)\s?{_CURRENCY}?\s?(?P<value>{_VALUE}){_BEHIND}\s?(?:%|{_CURRENCY})?\s*")
_MARKED = re.compile(r"(?:####|\\boxed\s*\{|\b(?:answer|result|total)\s*(?:is|was|equals|:|=|：)+)(?P<payload>[^\n]*)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[,\s'’]")
_LONGEST = 300
"""More characters than this are noise (a model that repeats a digit), not a number."""
_DECORATION = re.compile(r"[*`_]{1,3}|\\[(),!\[\]]|\\text\s*")
_STARS = re.compile(r"(?<=\d)\*\*(?=[-+−]?\d)")
_STAR = re.compile(r"(?<=\d)\s?\*\s?(?=10\s?\^)")
_RAISED = re.compile(r"(?<=\d)[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_FRAC = re.compile(r"\\[dt]?frac\s*(?:\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}|(\d)(\d))")
_MIXED = re.compile(r"(?<![\w./,])(\d+)[ \u00a0]?(?: |(?<=[ \u00a0]))(\d+)/(\d+)(?![\w/])")
_MINUS = re.compile(r"(?<![\d)] )\b(?:minus|negative)\s+(?=[$€£¥₹]?\.?\d)|(?<![\w)\]])[–—](?=[$€£¥₹]?\.?\d)", re.IGNORECASE)
_VULGAR = re.compile("(?<=[0-9])?[¼-¾⅐-⅞]")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * place for place, word in enumerate(_TENS, 2)},
    **{f"{ten}-{_UNITS[unit]}": 10 * place + unit for place, ten in enumerate(_TENS, 2) for unit in range(1, 10)},
}
_WORD = re.compile(
    rf"\W*(?:(?P<minus>minus|negative)\s+)?(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True)).replace('-', '[ -]')})"
    rf"(?:[\s-](?P<scale>{_SCALE})s?)?(?!\w)(?P<unit>\W+\w+)?\W*",
    re.IGNORECASE,
)


def normal_number(text: str) -> str | None:
    """Returns a text that is one number and nothing else in its normal spelling; any other text as null.

    >>> normal_number("$1,234.50"), normal_number("8.0"), normal_number("-.5"), normal_number("2/6"), normal_number("8 legs")
    ('1234.5', '8', '-0.5', '1/3', None)
    >>> normal_number("10^3"), normal_number("10**3"), normal_number("1.5 x 10^3"), normal_number("2 million")
    ('1000', '1000', '1500', '2000000')
    """
    match = _PLAIN.fullmatch(_powers(text))
    return None if match is None else _spelled(match, match["sign"])


def given_number(text: str) -> str | None:
    """Returns the number of an answer that somebody else read out of a response; null where it holds none.

    It is the text where that is a number, else the number that it states, else the number word that it is.

    >>> given_number("8.0"), given_number("5 legs"), given_number("five"), given_number("Twenty-one legs"), given_number("many")
    ('8', '5', '5', '21', None)
    """
    return normal_number(text) or stated_number(text) or _worded(text)


def stated_number(text: str) -> str | None:
    """Returns the number that a response states, in its normal spelling; null where it states none.

    Behind the last answer mark (``The answer is``, ``Answer:``, ``####``, a LaTeX box) it is the first number, the last one after an
    equals sign, or the number word that stands there alone. Without a mark that is followed by a number it is the last number of the text.

    >>> stated_number("3 + 5 = 8"), stated_number("The answer is 18, because 3 x 6 = 18 and 2 is less."), stated_number("none")
    ('8', '18', None)
    """
    plain = _DECORATION.sub("", _powers(text))
    for mark in reversed(list(_MARKED.finditer(plain))):
        payload = mark["payload"]
        clause = re.split(r"[;}]|\.(?!\d)", payload, maxsplit=1)[0]
        found = _numbers(clause.rsplit("=", 1)[-1]) or _numbers(clause)
        if found:
            return found[0]
        worded = _worded(clause)
        if worded is not None:
            return worded
    found = _numbers(plain)
    return found[-1] if found else None


def ends_in_number(text: str) -> bool:
    """Returns whether a text ends in a number, or in a mark or sign in front of one, so that what follows could have changed it.

    >>> ends_in_number("It is 1"), ends_in_number("It is 1."), ends_in_number("It is 1/"), ends_in_number("3 of 5, so the answer is $")
    (True, False, True, True)
    """
    open_mark = list(_MARKED.finditer(text))[-1:]
    if open_mark and not text[open_mark[0].start("payload") :].strip(" \t\n*$€£¥₹`(-−"):
        return True
    tail = re.search(rf"\d(?P<more>[.,]|[ ]?(?:[/^x×·*]|\*\*|\\times|\\cdot)?[ ]?|[eE][-+]?|[ ](?:{_BEGUN}))\Z", text)
    return tail is not None and tail["more"] != "."


def _numbers(text: str) -> list[str]:
    spelled = (_spelled(match, match["sign"] or match["late"] or "") for match in _NUMBER.finditer(text))
    return [number for number in spelled if number is not None]


def _powers(text: str) -> str:
    """Returns a text with one spelling of signs, fractions and powers (``^``), before stars are taken for decoration."""
    text = _FRAC.sub(lambda match: f" {match[1] or match[3]}/{match[2] or match[4]}", text) if "frac" in text else text
    text = _VULGAR.sub(lambda match: " " + unicodedata.normalize("NFKC", match[0]).replace("\u2044", "/"), text)
    text = _MIXED.sub(_improper, _MINUS.sub("-", text)) if "/" in text else _MINUS.sub("-", text)
    if "*" in text:
        text = _STAR.sub("x", _STARS.sub("^", text))
    return _RAISED.sub(lambda match: "^" + match[0].translate(_LOWERED), text)


def _improper(match: re.Match[str]) -> str:
    whole, part, over = (int(group) for group in match.groups())
    return f"{whole * over + part}/{over}" if 0 < part < over else match[0]


def _worded(text: str) -> str | None:
    """Returns the number of a text that is a number word, alone or with its unit; more words may say something else."""
    match = _WORD.fullmatch(text)
    if match is None:
        return None
    word = re.sub(r"\s+", "-", match["word"].casefold())
    value = _WORDS[word] * 10 ** _SCALES.get((match["scale"] or "").casefold(), 0)
    return str(-value if match["minus"] else value)


def _spelled(match: re.Match[str], sign: str) -> str | None:
    value, over = match["value"], match["over"]
    if len(value) + len(over or "") > _LONGEST:
        return None
    number = Fraction(_SEPARATORS.sub("", value))
    if over is not None:
        if int(over) == 0:
            return None
        number /= int(over)
    if match["power"] is not None:
        power = int(match["power"].replace("−", "-"))
        if abs(power) * len(value) > _LONGEST or (number == 0 and power < 0):
            return None
        number **= power
    ten = int((match["ten"] or "0").replace("−", "-")) + _SCALES.get((match["scale"] or "").casefold(), 0)
    ten += _SUFFIXES.get(match["suffix"] or "", 0)
    if abs(ten) > _LONGEST:
        return None
    number *= Fraction(10) ** ten
    spelled = _decimal(-number if sign in {"-", "−"} else number)
    return spelled if len(spelled) <= _LONGEST else None


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
