"""The number that a sentence with several comes to, and what is said beside an answer: brackets, remarks, how sure the model is."""

from __future__ import annotations

import re

from sago.features.number_expressions import UNKNOWN

_BRACKET = re.compile(
    r"\s*\((?!\s*(?:or|and|if|but|not|maybe|perhaps|possibly|about|rounded|approx\w*|actually|which|[≈~]|[\d.,]+\s*\)))[^()\n]*\d[^()\n]*\)(?=\s*[.!]?\s*\Z)",
    re.IGNORECASE,
)
"""What a bracket that ends a text explains; one that offers another number is no explanation."""
_REMARK = re.compile(
    r"(?<=[.!)])\s+(?:(?:This|That)\s+(?:is\s+based\s+on|assumes|includes)|Note\b|Assuming\b|I(?:['’]ve|\s+have)?\s+assumed)\b[\s\S]*\Z"
)
_BY_DOING = re.compile(r"\s+by\s+(?:\w+ly\s+)?\w+ing\b[^.!?\n]*(?=[.!]?\s*\Z)")
_AS_OF = re.compile(r"\A\s*As\s+of\s+(?:\w+\s+)?\d{4},\s*")

_SURE = re.compile(
    r"[\s(,;–—-]*\b(?:and\s+|but\s+)?(?:(?:i['’]m|i\s+am|we\s+are)\s+|with\s+)(?:about\s+|around\s+|a\s+)?\d{1,3}(?:\.\d+)?\s?%\s+"
    r"(?:sure|certain|confident|confidence|certainty)\b(?!\s+(?:interval|level|limit|that))(?:\s+(?:in|of|about)\s+(?:this|my|that|it)(?:\s+answer)?)?\)?"
    r"|(?:^|(?<=[.,;!(\n]))[ \t]*(?:and\s+)?(?:my\s+)?(?:confidence|certainty)(?:\s+(?:level|score))?\s*(?:\([^)\n]*\)\s*)?"
    r"(?:\bis\b|[:=])\s*(?:about\s+)?\d*\.?\d+\s?(?:%|/\s?\d+|out\s+of\s+\d+)?\)?[.]?[ \t]*(?=$|\n|\Z)"
    r"|\s*\(\d{1,3}\s?%\s+(?:sure|certain|confident|confidence)\)",
    re.IGNORECASE | re.MULTILINE,
)

_AMOUNT = r"\\?[$€£¥₹]?\s?[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s?%?"
_UNIT = r"(?:\s+[^\W\d_]+){0,2}"
_OF_PARTS = re.compile(
    rf"\W*(?:the\s+)?(?:(?:sum|product|difference|quotient|average|mean|remainder|total)\s+(?:of|between|when)\b[^.!?\n=]*?"
    rf"|{UNKNOWN}|{_AMOUNT}\s+(?:percent\s+)?of\s+{_AMOUNT}{_UNIT}\s|{_AMOUNT}\s+(?:plus|minus|times|multiplied\s+by|divided\s+by)\s+{_AMOUNT}{_UNIT}\s)"
    rf"\s*(?:is|equals|makes|gives)\s+(?:exactly\s+)?(?P<said>{_AMOUNT}){_UNIT}[.!]?\s*",
    re.IGNORECASE,
)
"""A sentence that says what parts come to: ``The product of 17 and 23 is 391.``"""
_SO = re.compile(
    r"[,;]\s*(?:and\s+)?(?:so|therefore|thus|hence|which\s+(?:means|makes|gives|leaves)|making|giving|leaving)\b(?P<said>[^.!?\n]*(?:\.\d[^.!?\n]*)?)[.!]?\s*\Z"
)
_IN_TOTAL = re.compile(
    rf"(?<![\w.,/^])(?P<before>{_AMOUNT}){_UNIT}\s+(?:in\s+total|in\s+all|altogether)\b"
    rf"|(?:for|making|makes|giving|gives|is|reaching|sold|has|have)\s+a\s+total\s+of\s+(?P<behind>{_AMOUNT})",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:or|if|unless|between|might|may|could|would|each|per|apiece|every|another|more|less|fewer|than)\b|=", re.IGNORECASE
)


def without_confidence(text: str) -> str:
    """Returns a text without statements of how sure its answer is.

    >>> without_confidence("24 (I'm 95% sure)"), without_confidence("24. Confidence: 95%"), without_confidence("95% are sure")
    ('24', '24.', '95% are sure')
    """
    return _SURE.sub("", text) if "onfiden" in text or "sure" in text or "ertain" in text else text


def without_asides(text: str) -> str:
    """Returns a text without what explains or qualifies its answer: a bracket or a remark that ends it, a way (``by selling 9``), a date.

    >>> without_asides("18 dollars (9 eggs at $2)"), without_asides("It is 18. This assumes 9 eggs."), without_asides("5 (or 6)")
    ('18 dollars', 'It is 18.', '5 (or 6)')
    """
    return _BY_DOING.sub("", _BRACKET.sub("", _REMARK.sub("", _AS_OF.sub("", text))))


def concluding(text: str) -> str | None:
    """Returns the part of a text of several numbers that says what they come to; null where none does, or more than one.

    >>> concluding("15% of 80 is 12."), concluding("She sold 24 in May, for a total of 72."), concluding("It is 5 or 6.")
    ('12', '72', None)
    """
    of_parts = _OF_PARTS.fullmatch(text)
    if of_parts is not None:
        return of_parts["said"]
    totals = list(_IN_TOTAL.finditer(text))
    if len(totals) == 1:
        said = totals[0]["before"] or totals[0]["behind"]
        behind = [_value(part) for part in re.findall(_AMOUNT, text[totals[0].end() :])]
        return said if not behind or (len(behind) > 1 and sum(behind) == _value(said)) else None
    so = _SO.search(text)
    return so["said"] if so is not None and not totals and not _SEVERAL.search(so["said"]) else None


def _value(amount: str) -> float:
    return float(re.sub(r"[^\d.−-]", "", amount).replace("−", "-"))
