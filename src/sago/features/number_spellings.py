r"""Rewrites the spellings of a number that a pattern cannot read at once: powers, LaTeX and one-sign fractions, words and dashes for minus.

What is known to be a number, but not which (``\sqrt{2}``, ``\frac{x}{2}``), becomes one sign, so that no part of it is read as the number.
"""

from __future__ import annotations

import re
import unicodedata

from sago.features.number_commas import with_points
from sago.features.number_expressions import NOT_WORKED_OUT, OTHER_BASE, UNKNOWN
from sago.features.number_scales import worked_out_scales
from sago.features.number_words import PARTS

_WRAPPER = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mbox)\s*\{([^{}\n]*)\}")
_STARS = re.compile(r"(?<=\d)\*\*(?=[-+−]?\d)")
_STAR = re.compile(r"(?<=\d)\s?\*\s?(?=10\s?\^)")
_PRODUCT = re.compile(r"(?<=\d)[ ]?\*[ ]?(?=\d)")
_RAISED = re.compile(r"(?<=\d)[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

_OPERATORS = (
    "is|was|are|be|equals?|equal|to|of|get|gets|gives?|got|have|has|or|and|at|exactly|only|about|so|then|therefore|thus|answer|result"
)
_AHEAD = r"(?=(?:\\?[$€£¥₹]\s?)?\.?\d|\\[dt]?frac)"
_MINUS = re.compile(
    rf"(?:(?P<before>(?:^|[\n:=≈(\[{{,;\"']|\b(?:{_OPERATORS})\b)\s*)minus|(?<![\w-])negative)\s+{_AHEAD}", re.IGNORECASE | re.MULTILINE
)
"""Between two numbers or names the word is an operator, not a sign."""
_DASH = re.compile(rf"(?<![\w.)\]^%])(?<!\d\s)–{_AHEAD}")

_BRACED = r"\{(?P<%s>(?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(
    rf"\\[dtc]?frac\s*(?:(?P<short_over>\d)\s?(?P<short_under>\d)(?!\d)|(?:{_BRACED % 'over'}\s*(?:{_BRACED % 'under'}|(?P<digit>\d))?)?)"
)
_OVER = re.compile(r"\s*(?P<sign>[-−]?)\s?(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*")
_VULGAR = re.compile(r"(?P<whole>\d?)\s?(?P<part>[¼½¾⅐-⅞])")
_FACTOR = r"(?<![\d.])\d++(?:\.\d++)?(?:\s?/\s?\d++)?"
_ROOT = r"(?:\\sqrt\s*(?:\[[^\]\n]{0,20}\])?\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\d)|√\s?\(?\d++(?:\.\d++)?\)?)"
_MANY = r"halves|thirds|fourths|fifths|sixths|sevenths|eighths|ninths|tenths|twelfths|hundredths|thousandths"
_SOME_PARTS = re.compile(rf"(?<![\w.,/^])(?P<count>\d++)[ -](?P<part>{_MANY})\b(?!\s+of\s+\d)", re.IGNORECASE)
_AND_A_PART = re.compile(
    r"(?<![\w.,/^])(?P<whole>\d++)[ ](?:and|&)[ ](?:a|an|one)[ ](?P<part>half|third|quarter|fourth|fifth|eighth|tenth)\b", re.IGNORECASE
)
_GLUED = re.compile(r"(?<=[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?<!第)(?=[$€£¥₹−-]?\d)")
"""Scripts without spaces put a number right behind a word; ``第3`` is the third one."""
_IRRATIONAL = re.compile(rf"(?:(?:{_FACTOR}\s?\*?\s?)?{_ROOT}|{_FACTOR}\s?(?:\\pi(?![a-zA-Z])|π))(?:\s?/\s?\d++)?")


def powers(text: str) -> str:
    """Returns a text with every power spelled by ``^``, before stars are taken for decoration."""
    text = OTHER_BASE.sub(UNKNOWN, _WRAPPER.sub(r"\1", text) if "\\" in text else text)
    if "*" in text:
        text = _PRODUCT.sub("×", _STAR.sub("x", _STARS.sub("^", text)))
    return _RAISED.sub(lambda match: "^" + match[0].translate(_LOWERED), text)


def plain_spelling(text: str) -> str:
    r"""Returns a text with fractions as ``5/2``, mixed numbers as ``3 1/2``, minus as a sign and what is not worked out as one sign.

    >>> plain_spelling(r"\boxed{-\frac{7}{2}}"), plain_spelling("3½"), plain_spelling("It is minus 5"), plain_spelling("8 minus 5")
    ('\\boxed{-7/2}', '3 1/2', 'It is −5', '8 minus 5')
    """
    text = _GLUED.sub(" ", worked_out_scales(with_points(text.replace("{,}", ",").replace("⁄", "/"))))
    if "frac" in text:
        text = _FRACTION.sub(_quotient, text)
    text = _SOME_PARTS.sub(_some_parts, _AND_A_PART.sub(_and_a_part, text))
    text = NOT_WORKED_OUT.sub(UNKNOWN, _IRRATIONAL.sub(UNKNOWN, _VULGAR.sub(_part, text)))
    return _DASH.sub("−", _MINUS.sub(lambda match: (match["before"] or "") + "−", text))


def _quotient(match: re.Match[str]) -> str:
    over = _OVER.fullmatch(match["short_over"] or match["over"] or "")
    under = _OVER.fullmatch(match["short_under"] or match["under"] or match["digit"] or "")
    before, behind = match.string[: match.start()].rstrip()[-1:], match.string[match.end() : match.end() + 1]
    if over is None or under is None or not under["value"].isdigit():
        return UNKNOWN
    sign = "-" if bool(over["sign"]) != bool(under["sign"]) else ""
    if sign and (before in {"-", "−", "–"} or before.isdigit()):
        return UNKNOWN
    gap = " " if match.string[match.start() - 1 : match.start()].isalnum() else ""
    return f"{gap}{sign}{over['value']}/{under['value']}" + (" " if behind.isdigit() else "")


def _part(match: re.Match[str]) -> str:
    fraction = unicodedata.normalize("NFKC", match["part"]).replace("⁄", "/")
    return f"{match['whole']} {fraction}" if match["whole"] else match[0].replace(match["part"], fraction)


def _some_parts(match: re.Match[str]) -> str:
    return f"{match['count']}/{PARTS[match['part'].casefold().removesuffix('s')]}"


def _and_a_part(match: re.Match[str]) -> str:
    return f"{match['whole']} 1/{PARTS[match['part'].casefold()]}"
