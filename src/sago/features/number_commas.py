"""Numbers with a decimal comma (``3,5 Stunden``), or whose digits points or Indian commas group (``1.234,50 €``), in the usual spelling.

Where it is not sure which the writer meant (``3,5`` alone may be two numbers, ``1.500`` behind German words may be a thousand and a half),
the number stays as it is, or becomes the sign of one that is not worked out.
"""

from __future__ import annotations

import re

from sago.features.number_expressions import UNKNOWN

_ALONE = r"(?<![\w.,/^])"
_ENDS = r"(?![\d.,]*\d)"
_GROUPED = re.compile(
    rf"{_ALONE}(?P<whole>[1-9]\d{{0,2}}(?:\.\d{{3}})+|[1-9]\d{{0,2}}(?:[ \u00a0\u202f]\d{{3}})+),(?P<part>\d{{1,2}}){_ENDS}"
)
"""Groups and a comma behind them: the comma can only begin the decimals."""
_MILLIONS = re.compile(rf"{_ALONE}[1-9]\d{{0,2}}(?:\.\d{{3}}){{2,}}{_ENDS}")
"""Two points can only group."""
_EURO = r"(?:€|[Ee]uros?\b|EUR\b|kr\b|zł)"
_OF_MONEY = r"(?:(?<=€)|(?<=€\s)|(?<=EUR\s))"
_BY_POINTS = r"[1-9]\d{0,2}(?:\.\d{3})+"
_THOUSANDS_IN_EUROS = re.compile(rf"{_ALONE}{_BY_POINTS}{_ENDS}(?=\s?{_EURO})|{_OF_MONEY}{_BY_POINTS}{_ENDS}")
"""No price has three decimals."""
_MAYBE_GROUPED = re.compile(rf"{_ALONE}{_BY_POINTS}{_ENDS}")
_DECIMAL = r"\d+,\d{1,2}"
_DECIMAL_IN_EUROS = re.compile(rf"{_ALONE}{_DECIMAL}{_ENDS}(?=\s?{_EURO})|{_OF_MONEY}{_DECIMAL}{_ENDS}")
_OF_SCALE = re.compile(
    rf"{_ALONE}\d+,\d+(?=[ \u00a0]?(?:Millionen|Milliarden|Mio|Mrd|millones|milhões|milioni|miliardi|miljoen|millions\s+d|milliards)\b)"
)
_OTHER_LANGUAGE = re.compile(
    r"\b(?:antwort|lautet|ist|sind|beträgt|betragen|insgesamt|kostet|kosten|etwa|ungefähr|stunden|minuten|respuesta|es|son|tiene|cuesta|horas"
    r"|risposta|è|sono|resposta|são|custa|réponse|sont|coûte|heures|environ)\b",
    re.IGNORECASE,
)
"""Words of languages in which a point groups digits and a comma begins the decimals."""
_DECIMAL_IN_TEXT = re.compile(rf"(?<![\w.,/^(\[{{]){_DECIMAL}{_ENDS}(?!\s*(?:[)\]}}]|,\s?\d|;))")
_ALL_OF_IT = re.compile(r"\s*[-−]?(?:\d+,\d\d|0,\d{3,}|\d+,\d{1,2}[ \u00a0](?!und\b|and\b|or\b|oder\b|y\b|et\b|e\b)[^\W\d_]+)[.!]?\s*")
"""A response that is one such number: with two decimals, none but decimals, or a unit behind it."""
_INDIAN = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d{2})+,\d{3}(?![\d,]|\.\d{3})")
_RUPEES = re.compile(r"₹|\b(?:rs|inr|rupees?|lakhs?|crores?)\b", re.IGNORECASE)


def with_points(text: str) -> str:
    """Returns a text with such numbers spelled with a decimal point and without groups.

    >>> with_points("1.234,50 €"), with_points("Antwort: 3,5"), with_points("3,5"), with_points("Es sind 1.500") == f"Es sind {UNKNOWN}"
    ('1234.50 €', 'Antwort: 3.5', '3,5', True)
    """
    if "," not in text and "." not in text:
        return text
    text = _GROUPED.sub(lambda match: re.sub(r"\D", "", match["whole"]) + "." + match["part"], text)
    for pattern in (_MILLIONS, _THOUSANDS_IN_EUROS):
        text = pattern.sub(lambda match: match[0].replace(".", ""), text)
    text = _INDIAN.sub(lambda match: match[0].replace(",", "") if match[0].endswith("000") or _RUPEES.search(text) else match[0], text)
    for pattern in (_DECIMAL_IN_EUROS, _OF_SCALE, *((_ALL_OF_IT,) if _ALL_OF_IT.fullmatch(text) else ())):
        text = pattern.sub(lambda match: match[0].replace(",", "."), text)
    if _OTHER_LANGUAGE.search(text):
        text = _DECIMAL_IN_TEXT.sub(lambda match: match[0].replace(",", "."), _MAYBE_GROUPED.sub(UNKNOWN, text))
    return text
