"""Numbers in text: one spelling for each value, and the number that a response states.

The normal spelling is exact decimal text without separators or needless zeros (``1,000`` -> ``1000``, ``8.0`` -> ``8``). A fraction
whose decimals do not end stays a reduced fraction (``2/6`` -> ``1/3``). Powers and words of scale are worked out (``10^3``, ``10**3``,
``1.5 x 10^3``, ``2 million``, ``5k``), and so are mixed numbers (``3 1/2``). Currency and percent signs are units and dropped: ``50 %``
and ``50`` are the same answer. A number whose value is not sure (``300K``) is null.
"""

from __future__ import annotations

import re
from fractions import Fraction

from sago.features.number_conclusions import concluding, without_asides, without_confidence
from sago.features.number_corrections import (
    breaks_off,
    ends_in_sum,
    instead_of_first,
    is_taken_back,
    settled_on,
    without_checks,
    without_denied,
)
from sago.features.number_expressions import UNKNOWN
from sago.features.number_marks import ends_in_mark, is_undecided, marked_number
from sago.features.number_spellings import plain_spelling, powers
from sago.features.number_words import SCALES, worded_number

_GROUPED = "|".join(rf"[1-9]\d{{0,2}}(?:{gap}\d{{3}})+(?!\d|-[a-zA-Z])" for gap in (" ", "\u00a0", "\u2009", "\u202f", "['’]"))
_WHOLE = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|{_GROUPED}|\d+)"
_VALUE = rf"(?:{_WHOLE}(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{{1,2}}(?!\d))?"
_CURRENCY = r"[$€£¥₹]"
_SCALE = "|".join(SCALES)
_BEGUN = "|".join(word[:size] for word in SCALES for size in range(1, len(word)))
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
_SEVERAL = re.compile(
    rf"^[^\d\n]*(?>{_VALUE})(?:[^\w\n(]*\w*[^\w\n(]*?(?:\s(?:and|or|to|plus|minus|times|divided\sby)\s|[,&±]\s?)|\s?(?:hours?|hrs?|h|minutes?|mins?|m|feet|foot|ft|['′]|\"|″|"
    r"years?|months?|weeks?|days?|pounds?|lbs?|dollars?|euros?|°)[ ,]{0,2})(?:and\s)?[$€£¥₹]?\d",
    re.IGNORECASE,
)
"""An answer of two numbers: a pair, a range in words, hours with minutes. Its first number is not the whole of it."""
_IS_ROUNDED = re.compile(
    rf"(?<![\w.,/^])(?>{_VALUE})\s?(?:%|[a-zA-Z]+)?\s?(?:≈|\\approx\b|\(?,?\s?(?:which\s+)?(?:is\s+)?round(?:s|ed)(?:\s+(?:up|down|off))?\s+to)\s?\\?[$€£¥₹]?(?>{_VALUE})"
)
"""A number and what it is rounded to, ``12.5 ≈ 13``: two numbers, either of which may be meant. A fraction or a root stays what it is."""
_BY_CASE = re.compile(rf"^\W*(?>{_VALUE})[^\d\n]{{0,40}}?\b(?:but|while|whereas)\s+(?:only\s+)?\\?[$€£¥₹]?\d", re.IGNORECASE)
"""An answer of one number for one case and another for the next: ``480 before tax, but 432 after it``."""
_SEPARATORS = re.compile(r"[,\s'’]")
_LONGEST = 300
"""More characters than this are noise (a model that repeats a digit), not a number."""
_MOST_DIGITS = 50
"""Nor is a value with more digits than this an answer: it leaves room for constants of nature (Planck's has 43) and for no accident."""
_DECORATION = re.compile(r"[*`_]{1,3}|\\[(),!\[\]]|\\text\s*")
_LIST = re.compile(rf"^\W*(?>{_VALUE})\s*,\s*[-−+]?\\?[$€£¥₹]?\d")
_INDEX = r"(?:_?\d|_\{\d\}|[₀-₉])?"
_EQUATIONS = re.compile(
    rf"(?<!\w)[a-zA-Z]{_INDEX}\s?=\s?[-−]?[\d./]+[\s$]*(?:,\s*(?:and\b|or\b)?|;|\band\b|\bor\b)[\s$]*[a-zA-Z]{_INDEX}\s?=\s?[-−]?[\d./]*\d\W*\Z"
)
"""An answer of several unknowns: ``x = 5, y = 3``."""
_BULLET = re.compile(r"\A\s*[-•–]\s+(?=[$€£]?\d[\d.,]*\s+[^\W\d_]{2})")
"""The mark of a list before a number of things; before a number alone it may be its sign."""
_STEP = re.compile(r"\s*(?:[-•–+]|\d{1,2}[.)])\s+\S")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_ASIDE = re.compile(
    r"\s*(?:[^\W\d_]+\s*)?(?:\((?=[^)]*=)|,\s*and\s+indeed\b|,?\s*(?:as|since|because|using|at|when|where)\b)", re.IGNORECASE
)
"""What follows a number that is the answer, with a reason or a conversion that has an equals sign of its own."""
_GOES_ON = re.compile(
    rf"{_ASIDE.pattern}|\s*(?:[^\W\d_]+\s*){{0,2}},\s*(?:so|which|and\s+then|then|giving|leaving)\b|\s*[^\W\d_]{{2,}}\s*=", re.IGNORECASE
)
_ARROW = re.compile(r"(?<=[\d%)])\s?(?:[→⟶⇒]|[-=]+>|\\(?:long)?(?:right|Right)arrow\b|\\to\b)\s?(?=\\?[$€£¥₹]?[-−]?\.?\d)")
"""An arrow from one number to the next: ``4.6 → 5``. The last one is meant; of a row of more it is not sure which."""
_ROUNDED = re.compile(rf"(?:(?!{_ARROW.pattern})[^a-zA-Z\n])*{_ARROW.pattern}(?![^\n]*{_ARROW.pattern})")
"""A line that begins with numbers and signs alone, up to its one arrow."""
_OPENING = re.compile(
    rf"\s*(?P<said>[-−]?\\?[$€£¥₹]?\s?[-−]?(?>{_VALUE})\s?(?:%|[^\W\d_]+)?)"
    r"(?:[ \t.]*\n\s*\n(?=\s*\S)|\.[ ]+(?=(?:It|This|That|They|He|She)\s)|(?P<reason>(?:\s*\(|,?\s+)(?:since|because)\b))",
    re.IGNORECASE,
)
"""A number on a line or in a sentence of its own over its explanation, or in front of its reason (``18 (since 9 eggs make $2 each)``)."""
_REASON = re.compile(
    r",\s*(?:as|at|when|where|for|if|with)\b|\b(?:because|since|calculated|computed|verif\w+|check|as\s+follows|note\s+that)\b",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"(?:^|[.!?\n]\s*)(?:therefore|thus|hence|so|consequently|in\s+total|altogether|overall|finally|in\s+conclusion"
    r"|also|daher|somit|por\s+lo\s+tanto|donc|ainsi|quindi|portanto)\b(?P<said>[^\n]*)",
    re.IGNORECASE,
)


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
    text = without_confidence(text)
    spelled, says_which = without_denied(_undecorated(text))
    is_marked, stated = marked_number(spelled, _clause_number)
    if is_marked or not says_which:
        return _unless_cut(stated, spelled)
    spelled = without_checks(spelled)
    found = _numbers(spelled)
    return _unmarked(spelled, found, text) if found else _worded(text)


def stated_number(text: str) -> str | None:
    """Returns the number that a response states, in its normal spelling; null where it states none.

    Behind the last answer mark (``The answer is``, ``Answer:``, ``####``, a LaTeX box) it is the first number, the last one after an
    equals sign, or the number word that stands there alone; two numbers (``3 and 5``, ``2 hours 30 minutes``) are none. Without a mark
    that is followed by a number it is the last number of the text.

    >>> stated_number("3 + 5 = 8"), stated_number("The answer is 18, because 3 x 6 = 18 and 2 is less."), stated_number("none")
    ('8', '18', None)
    """
    plain, says_which = without_denied(_undecorated(text))
    is_marked, stated = marked_number(plain, _clause_number)
    if is_marked or not says_which:
        return _unless_cut(stated, plain)
    found = _numbers(plain)
    return found[-1] if found and not is_undecided(plain) else None


def _unless_cut(stated: str | None, spelled: str) -> str | None:
    """Returns a number that was marked, unless it is the last one of a text that breaks off in a sum: ``The answer is 48 +``."""
    return None if ends_in_sum(spelled) and _numbers(spelled)[-1:] == [stated] else stated


def _undecorated(text: str) -> str:
    return _BULLET.sub("", plain_spelling(_DECORATION.sub("", powers(text))), count=1)


def _clause_number(clause: str) -> tuple[bool, str | None]:
    """Returns whether a clause behind a mark holds a number, and the number that it comes to; null of several or one that is not sure."""
    arrows = list(_ARROW.finditer(clause))
    if len(arrows) > 1:
        return True, None
    clause = clause[arrows[0].end() :] if arrows else clause
    first = _NUMBER.search(clause)
    if first is not None and _GOES_ON.match(clause, first.end()):
        every = _numbers(clause)
        if len(set(every)) > 1:  # "12, and indeed 12 + 3 = 15" is 12; "$80, so each of 4 pays $20" is not sure
            return True, every[0] if _ASIDE.match(clause, first.end()) else None
    found = _numbers(clause.rsplit("=", 1)[-1]) or _numbers(clause)
    if first is not None and len(set(found)) > 1 and "=" not in clause and len(_WORDS.findall(clause[: first.start()])) > 1:
        return True, None  # a sentence that tells of several numbers
    if _IS_ROUNDED.search(clause) and len(set(found)) > 1:
        return True, None
    if found and found[0] is None and re.search(r"≈|\\approx", clause):
        return True, next((number for number in found if number is not None), None)
    if found:
        is_one = len(set(found)) == 1 or not any(pattern.search(clause) for pattern in (_LIST, _SEVERAL, _BY_CASE))
        return True, found[0] if is_one and not _EQUATIONS.search(clause) else None
    worded = _worded(clause)
    return worded is not None, worded


def _unmarked(plain: str, found: list[str | None], text: str) -> str | None:
    """Returns the one number of a text without a mark, the result of its last equation, or the one number that it concludes with."""
    if is_undecided(plain) or _EQUATIONS.search(plain) or breaks_off(plain):
        return None
    takes_back, instead = instead_of_first(plain, _clause_number)
    if instead is not None or is_taken_back(plain):
        return instead
    if len(set(found)) == 1:
        return found[0]
    if takes_back:
        return None
    opening = _OPENING.match(plain)
    if opening is not None:
        return _opened(opening, plain)
    last_line = plain.strip().rpartition("\n")[2]
    rounded = _ROUNDED.match(last_line)
    if rounded is not None:
        return _clause_number(last_line[rounded.end() :])[1]
    if _told_above(plain, text):
        return None
    results = set(_numbers(plain.rsplit("=", 1)[-1]))
    if "=" in plain and len(results) == 1:
        sentence = re.split(r"\n|[.!?]\s", plain.rpartition("=")[0])[-1]
        return None if _REASON.search(sentence) else results.pop()
    conclusions = list(_CONCLUSION.finditer(last_line))
    concluded = set(_numbers(conclusions[-1]["said"].rsplit("=", 1)[-1])) if conclusions else set()
    return concluded.pop() if len(concluded) == 1 else _told(plain)


def _told(plain: str) -> str | None:
    """Returns the one number of a text that is no aside, else the one that its only sentence concludes."""
    bare = without_asides(plain).strip()
    found = _numbers(bare)
    if len(set(found)) == 1:
        return found[0]
    said = concluding(bare)
    concluded = set(_numbers(said)) if said is not None else set()
    return concluded.pop() if len(concluded) == 1 else None


def _told_above(plain: str, text: str) -> bool:
    """Returns whether a first line tells a number that the list of steps below it neither uses nor comes to: its last step is a part."""
    head, steps = plain.strip().partition("\n")[0], text.strip().partition("\n")[2]  # the plain text has no operands left
    told = set(_numbers(head)) - {None}
    is_heading = head.rstrip().endswith(":") and _STEP.match(steps) and "=" not in head
    return bool(is_heading and len(told) == 1 and not told & set(re.findall(r"\d[\d.]*\d|\d", steps.replace(",", ""))))


def _opened(opening: re.Match[str], plain: str) -> str | None:
    """Returns the number that a text opens with, its explanation below; null where that concludes another one."""
    first = _clause_number(opening["said"])[1]
    concluded = settled_on(plain[opening.end() :], _clause_number, by_reason=True) if opening["reason"] is None else first
    return first if concluded in {None, first} else None


def ends_in_number(text: str) -> bool:
    """Returns whether a text ends in a number, or in a mark or sign in front of one, so that what follows could have changed it.

    >>> ends_in_number("It is 1"), ends_in_number("It is 1."), ends_in_number("It is 1/"), ends_in_number("3 of 5, so the answer is $")
    (True, False, True, True)
    """
    if ends_in_mark(text):
        return True
    tail = re.search(rf"\d(?P<more>[.,'’]|[ ]?(?:[/^x×·*]|\*\*|\\times|\\cdot)?[ ]?|[eE][-+]?|[ ]?(?:{_BEGUN}|[kKMB]))\Z", text)
    return tail is not None and tail["more"] != "."


def _numbers(text: str) -> list[str | None]:
    """Returns the numbers of a text in order; null is one whose value is not sure, which must not give way to another."""
    return [_spelled(match, match["sign"] or match["late"] or "") for match in _NUMBER.finditer(text)]


def _worded(text: str) -> str | None:
    """Returns the number of a text that is a number word, alone or with its unit; more words may say something else."""
    number = worded_number(text)
    return None if number is None else _decimal(number)


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
    ten = int((match["ten"] or "0").replace("−", "-")) + SCALES.get((match["scale"] or "").casefold(), 0) + short
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
