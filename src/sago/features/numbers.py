"""Numbers in text: one spelling for each value, and the number that a response states.

The normal spelling is exact decimal text without separators or needless zeros (``1,000`` -> ``1000``, ``8.0`` -> ``8``). A fraction
whose decimals do not end stays a reduced fraction (``2/6`` -> ``1/3``). Powers and words of scale are worked out (``10^3``, ``10**3``,
``1.5 x 10^3``, ``2 million``, ``5k``), and so are mixed numbers (``3 1/2``). Currency and percent signs are units and dropped: ``50 %``
and ``50`` are the same answer. A number whose value is not sure (``300K``) is null.
"""

from __future__ import annotations

import re
from fractions import Fraction

from sago.features.number_spellings import UNKNOWN, plain_spelling, powers

_GROUPED = "|".join(rf"[1-9]\d{{0,2}}(?:{gap}\d{{3}})+(?!\d|-[a-zA-Z])" for gap in (" ", "\u00a0", "\u2009", "\u202f", "['’]"))
_WHOLE = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|{_GROUPED}|\d+)"
_VALUE = rf"(?:{_WHOLE}(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{{1,2}}(?!\d))?"
_CURRENCY = r"[$€£¥₹]"
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALE = "|".join(_SCALES)
_BEGUN = "|".join(word[:size] for word in _SCALES for size in range(1, len(word)))
"""Words of scale that were cut off."""
_POWER = r"\s?\^\s?\{?(?P<power>[-+−]?\d{1,3})(?!\d|[./]\d)\}?"
_TIMES = r"\s?(?:[x×·]|\\times|\\cdot)\s?10\s?\^\s?\{?(?P<ten>[-+−]?\d{1,3})(?!\d|[./]\d)\}?"
_MIXED = r"\s(?P<top>\d+)\s?/\s?(?P<bottom>\d+)"
_SHORTS = {"k": 3, "K": 3, "M": 6, "m": 6, "mn": 6, "B": 9, "b": 9, "bn": 9, "T": 12, "t": 12, "tn": 12}
_SHORT = r"(?P<gap>\s?)(?P<short>[kKMmBbTt]|[bB][nN]|mn|tn)(?![\w-]|\s?[\^=]|\s?[+*]\s?\d)"
"""A letter in front of more arithmetic is a name (``5k = 10``)."""
_CLEAR = {"k", "M", "mn", "bn"}
"""Short scales that say the same without a currency sign; ``300K`` may be a temperature."""
_UNIT = {"m", "t"}
"""Without a currency sign these are metres and tons."""
_BEHIND = (
    rf"(?:{_TIMES}|{_POWER}|{_MIXED}|\s?/\s?(?P<over>\d+)|[\s-]?(?i:(?P<scale>{_SCALE})s?)(?!\w)|{_SHORT})?"
    r"(?!\s?\^\{?[-−(]?(?!st|nd|rd|th|o\b|circ)\w)"
)
_NUMBER = re.compile(
    rf"{UNKNOWN}|(?:(?<![\w.)\]^])(?<!\^{{)(?P<sign>[-+−]))?(?<![\w.,/^])(?<!\^[-{{])(?<!\^{{[-−])\\?(?P<currency>{_CURRENCY})?\s?(?:(?<=[$€£¥₹\s])(?P<late>[-−]))?"
    rf"(?P<value>{_VALUE}){_BEHIND}(?![.,]?\d|/\d)"
)
_PLAIN = re.compile(
    rf"\s*(?P<sign>[-+−]?)\s?(?P<currency>{_CURRENCY})?\s?(?P<value>{_VALUE}){_BEHIND}\s?(?:%|(?P<late_currency>{_CURRENCY}))?\s*"
)
_MARKED = re.compile(r"(?:####|\\boxed\s*\{|\b(?:answer|result|total)\s*(?:is|was|equals|:|=|：)+)(?P<payload>[^\n]*)", re.IGNORECASE)
_SEVERAL = re.compile(
    rf"^[^\d\n]*(?>{_VALUE})(?:[^\w\n(]*\w*[^\w\n(]*?(?:\s(?:and|or|to|plus|minus|times|divided\sby)\s|[,&±]\s?)|\s?(?:hours?|hrs?|h|minutes?|mins?|m|feet|foot|ft|['′]|\"|″|"
    r"years?|months?|weeks?|days?|pounds?|lbs?|dollars?|euros?|°)[ ,]{0,2})(?:and\s)?[$€£¥₹]?\d",
    re.IGNORECASE,
)
"""An answer of two numbers: a pair, a range in words, hours with minutes. Its first number is not the whole of it."""
_SEPARATORS = re.compile(r"[,\s'’]")
_LONGEST = 300
"""More characters than this are noise (a model that repeats a digit), not a number."""
_MOST_DIGITS = 50
"""Nor is a value with more digits than this an answer: it leaves room for constants of nature (Planck's has 43) and for no accident."""
_DECORATION = re.compile(r"[*`_]{1,3}|\\[(),!\[\]]|\\text\s*")
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
_PARTS = "half|halves|quarters?|thirds?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|thousandths?"
_ANY_WORD = "|".join(sorted(_WORDS, key=len, reverse=True)).replace("-", "[ -]")
_WORD = re.compile(
    rf"[^\w\-−–]*(?P<minus>(?:minus|negative)\s+|[-−–](?=\w))?(?P<word>{_ANY_WORD})"
    rf"(?:[\s-](?P<scale>{_SCALE})s?)?(?!\w)(?P<unit>[^\w\-−–]+(?!(?:{_PARTS}|{_ANY_WORD}|{_SCALE}|and|point)\b)\w+)?\W*",
    re.IGNORECASE,
)
"""A number word with its unit; what goes on in parts, digits or more number words is another number."""


def normal_number(text: str) -> str | None:
    """Returns a text that is one number and nothing else in its normal spelling; any other text as null.

    >>> normal_number("$1,234.50"), normal_number("8.0"), normal_number("-.5"), normal_number("2/6"), normal_number("8 legs")
    ('1234.5', '8', '-0.5', '1/3', None)
    >>> normal_number("10^3"), normal_number("10**3"), normal_number("1.5 x 10^3"), normal_number("2 million")
    ('1000', '1000', '1500', '2000000')
    """
    match = _PLAIN.fullmatch(plain_spelling(powers(text)))
    if match is None or (match["short"] is not None and not _short_scale(match)):
        return None
    return _spelled(match, match["sign"])


def given_number(text: str) -> str | None:
    """Returns the number of an answer that somebody else read out of a response; null where it holds none.

    It is the text where that is a number, else the number that it states behind a mark (``answer: 5``), else the one number that it
    holds, else the number word that it is. A text of several numbers (``3 and 5``) is none of them.

    >>> given_number("8.0"), given_number("5 legs"), given_number("five"), given_number("Twenty-one legs"), given_number("many")
    ('8', '5', '5', '21', None)
    """
    plain = normal_number(text)
    if plain is not None:
        return plain
    spelled = _undecorated(text)
    if _MARKED.search(spelled):
        return _stated(spelled)
    found = set(_numbers(spelled.rsplit("=", 1)[-1]))
    return found.pop() if len(found) == 1 else None if found else _worded(text)


def stated_number(text: str) -> str | None:
    """Returns the number that a response states, in its normal spelling; null where it states none.

    Behind the last answer mark (``The answer is``, ``Answer:``, ``####``, a LaTeX box) it is the first number, the last one after an
    equals sign, or the number word that stands there alone; two numbers (``3 and 5``, ``2 hours 30 minutes``) are none. Without a mark
    that is followed by a number it is the last number of the text.

    >>> stated_number("3 + 5 = 8"), stated_number("The answer is 18, because 3 x 6 = 18 and 2 is less."), stated_number("none")
    ('8', '18', None)
    """
    return _stated(_undecorated(text))


def _undecorated(text: str) -> str:
    return plain_spelling(_DECORATION.sub("", powers(text)))


def _stated(plain: str) -> str | None:
    for mark in reversed(list(_MARKED.finditer(plain))):
        payload = mark["payload"]
        clause = re.split(r"[;}]|\.(?!\d)", payload, maxsplit=1)[0]
        found = _numbers(clause.rsplit("=", 1)[-1]) or _numbers(clause)
        if found and found[0] is None and re.search(r"≈|\\approx", clause):
            return next((number for number in found if number is not None), None)
        if found:
            return None if _SEVERAL.search(clause) else found[0]
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
    if open_mark and not text[open_mark[0].start("payload") :].strip(" \t\n*$€£¥₹`(-−–"):
        return True
    tail = re.search(rf"\d(?P<more>[.,'’]|[ ]?(?:[/^x×·*]|\*\*|\\times|\\cdot)?[ ]?|[eE][-+]?|[ ]?(?:{_BEGUN}|[kKMB]))\Z", text)
    return tail is not None and tail["more"] != "."


def _numbers(text: str) -> list[str | None]:
    """Returns the numbers of a text in order; null is one whose value is not sure, which must not give way to another."""
    return [_spelled(match, match["sign"] or match["late"] or "") for match in _NUMBER.finditer(text)]


def _worded(text: str) -> str | None:
    """Returns the number of a text that is a number word, alone or with its unit; more words may say something else."""
    match = _WORD.fullmatch(text)
    if match is None:
        return None
    word = re.sub(r"\s+", "-", match["word"].casefold())
    value = _WORDS[word] * 10 ** _SCALES.get((match["scale"] or "").casefold(), 0)
    return str(-value if match["minus"] else value)


def _spelled(match: re.Match[str], sign: str) -> str | None:
    number = _worked_out(match)
    if number is None:
        return None
    spelled = _decimal(-number if sign in {"-", "−"} else number)
    return spelled if sum(sign.isdigit() for sign in spelled) <= _MOST_DIGITS else None


def _worked_out(match: re.Match[str]) -> Fraction | None:
    """Returns the value of a number without its sign; null where it is none or not sure."""
    value, over, short = match["value"], match["over"] or match["bottom"], _short_scale(match)
    if value is None or short is None or len(value) + len(over or "") + len(match["top"] or "") > _LONGEST:
        return None
    number = Fraction(_SEPARATORS.sub("", value))
    if over is not None and int(over) == 0:
        return None
    if match["bottom"] is not None:
        if number.denominator != 1 or int(match["top"]) >= int(over):
            return None
        number += Fraction(int(match["top"]), int(over))
    elif over is not None:
        number /= int(over)
    if match["power"] is not None:
        power = int(match["power"].replace("−", "-"))
        if abs(power) * len(value) > _LONGEST or (number == 0 and power < 0):
            return None
        number **= power
    ten = int((match["ten"] or "0").replace("−", "-")) + _SCALES.get((match["scale"] or "").casefold(), 0) + short
    return None if abs(ten) > _LONGEST else number * Fraction(10) ** ten


def _short_scale(match: re.Match[str]) -> int | None:
    """Returns the power of ten of a short scale (``k``, ``bn``), 0 where there is none or it is a unit, null where it could be either."""
    short = match["short"]
    if short is None:
        return 0
    short = short if len(short) == 1 else short.casefold()
    behind = match.string[match.end() : match.end() + 2].strip()[:1]
    late = match.groupdict().get("late_currency") or (behind if behind in {"€", "£", "¥", "₹"} else None)
    # Two dollar signs around a number are the marks of a formula.
    is_money = bool(late and late != "$") or (match["currency"] is not None and behind != "$" and late is None)
    if is_money or (short in _CLEAR and (not match["gap"] or len(short) > 1)):
        return _SHORTS[short]
    return 0 if short in _UNIT or match["gap"] else None


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
