"""The confidence that a response states in words and numbers: ``Confidence: 85%``, ``I am 90 % sure`` (METRICS 5).

A stated confidence is a percentage (``85%``, ``85 percent``, ``85``), a part (``0.85``) or a fraction (``17/20``, ``8 out of 10``,
``(0-10): 8``). Of a range its middle counts, of several statements the last. A number that is denied (``not 100% sure``) or outside 0 to
100 % states none, nor do words alone (``high``). Without a sign or a scale, numbers up to 1 are parts and those above 10 percentages,
so that a bare ``1`` is certainty; a bare 2 to 10 could be of a hundred or of ten, and states none. What is called the confidence
(``Confidence: 80%``) comes before what the response is sure of elsewhere.
"""

from __future__ import annotations

import re

import polars as pl

from sago.features.protocol import ReaderInput
from sago.features.table import KEYS, feature_rows, missing_reason
from sago.features.turns import own_turn

NOT_STATED = "not_stated"
"""Reason of a response that states no confidence."""

_NUMBER = r"(?:\d{1,5}(?:[.,]\d{1,6})?|\.\d{1,6})"
_SIGN = r"\s?(?:%|％|percent\b|per\s?cent\b|prozent\b)"
_VALUE = (
    rf"(?P<value>{_NUMBER})(?P<low_sign>{_SIGN})?"
    rf"(?:\s?(?:-|–|—|to)\s?(?P<high>{_NUMBER}))?"
    rf"(?P<sign>{_SIGN})?"
    rf"(?:\s?[(\[]?\s?(?:/|(?:out\s+)?of(?=\s+\d)|on\s+a\s+scale\s+(?:of|from)\s+[01]\s?(?:-|–|to))\s?(?P<over>\d{{1,5}}(?![\d.,]?\d)))?"
)
_ABOUT = (
    r"(?:(?:very\s+)?(?:high|medium|moderate|low)\s*[(,:–—-]+\s*"
    r"|(?:about|around|approximately|roughly|at\s+least|nearly|almost|over|is|of|at|was|be|would\s+be|level|score)\s+|[~≈])*"
)
_NAMED = re.compile(
    # A probability is often the answer itself: it counts only as the name of a line.
    r"(?:\b(?:confidence|certainty|confianza|confiance|confiança|konfidenz|fiducia)|(?:信心|置信度|確信度|확신도)|(?:^|\n)\W*(?:probability|likelihood)(?=\s*:))"
    r"(?:[\s-]*(?:level|score|rating|estimate|percentage|percent))?(?![a-z])(?:\s+in\s+[\w\s]{1,40}?)?"
    r"(?:\s*\([^()\n]{0,40}\))?[\"']?\s*(?:[:=：]|\bis\b|\bof\b|\bat\b|->|→)\s*"
    rf"[\"'\[(]?\s*{_ABOUT}(?<![\w.,-]){_VALUE}(?![\d\w]|[.,]\d)",
    re.IGNORECASE,
)
_ANOTHER = re.compile(r"\s*(?:\([^()\n]{1,20}\))?\s*(?:,|;|\bor\b|\band\b)\s*(?:(?:or|and)\s+)?\d{1,3}(?:\.\d+)?\s?(?:%|/\s?\d)")
"""A second value behind the first: of ``80% (A), 20% (B)`` none is the confidence."""
_SURE = re.compile(
    rf"(?<![\w.,/-]){_VALUE}\s+"
    r"(?:sure|certain|confident|confidence|certainty|(?:sicher|überzeugt))\b(?!\s+(?:interval|limit|band|bound|region|level))",
    re.IGNORECASE,
)
_SCALE = re.compile(r"\([^()\n]*\b[01]\s?(?:-|–|to)\s?(?P<over>\d{1,5})(?![\d.,]?\d)[^()\n]*\)")
"""A scale that is named in front of its value: ``Confidence (0-10): 8``."""
_TEN = 10
"""A number from 2 to this one without a sign or a scale may be so many of ten as well as so many percent."""
_DENIAL = re.compile(r"\b(?:not|never|cannot|hardly|less\s+than|below|under|nicht)\b|n['’]t\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?;:\n]")
_DECORATION = re.compile(r"[*_`#]{1,3}|\\(?=%)")
_WORTH = r"(?i)confid|confian|konfiden|fiducia|信心|置信度|確信度|확신도|certain|sure|probab|likelihood|sicher|überzeugt"


class VerbalisedConfidenceReader:
    """Reads the confidence that a response states in the model's own turn, in [0, 1].

    Null with ``not_stated`` where it states none, ``not_recorded`` where the response was not recorded, or the status where there is no
    response.
    """

    name = "verbalised_confidence"
    version = "6"
    kind = "number"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        rows = inputs.observations.select(*KEYS, "status", "response")
        worth = pl.col("response").str.contains(_WORTH).fill_null(value=False)
        texts = rows.select(pl.when(worth).then("response")).to_series().to_list()
        stated = pl.Series("number", [None if text is None else stated_confidence(own_turn(text).text) for text in texts], dtype=pl.Float64)
        lost = pl.when(pl.col("response").is_null() & (pl.col("status") == "ok")).then(pl.lit("not_recorded"))
        silent = pl.when(pl.col("status").is_in(["empty", "refusal", "filtered"])).then(pl.col("status"))
        why = pl.coalesce(missing_reason(), lost, silent, pl.lit(NOT_STATED))
        reason = pl.when(missing_reason().is_not_null() | pl.col("number").is_null()).then(why)
        read = rows.with_columns(stated).with_columns(reason=reason)
        number = pl.when(pl.col("reason").is_null()).then("number")
        return feature_rows(self, inputs, read.select(*KEYS, "reason", number=number))


verbalised_confidence_reader = VerbalisedConfidenceReader()
"""The registered reader of stated confidence."""


def stated_confidence(text: str) -> float | None:
    """Returns the confidence that a text states, in [0, 1]; null where it states none.

    >>> stated_confidence("B. Confidence: 85%"), stated_confidence("I am 90% sure."), stated_confidence("Confidence: high")
    (0.85, 0.9, None)
    """
    plain = _DECORATION.sub("", text)
    named = list(_NAMED.finditer(plain))
    sure = [match for match in _SURE.finditer(plain) if not _is_denied(plain, match.start())]
    # What is called the confidence is it, whatever else the explanation is sure of.
    for match in [*reversed(named), *reversed(sure)]:
        if _ANOTHER.match(plain, match.end()):
            return None
        value = _in_unit(match)
        if value is not None:
            return value
    return None


def _is_denied(text: str, place: int) -> bool:
    """Returns whether one of the few words before a place, in the same clause, denies what follows."""
    clause = _CLAUSE.split(text[max(0, place - 60) : place])[-1]
    return _DENIAL.search(" ".join(clause.split()[-4:])) is not None


def _in_unit(match: re.Match[str]) -> float | None:
    """Returns the stated number on the scale from 0 to 1; null where it is outside."""
    low = float(match["value"].replace(",", "."))
    high = float(match["high"].replace(",", ".")) if match["high"] else low
    value = (low + high) / 2
    over = match["over"] or _scale_before(match)
    if over:
        whole = int(over)
        return value / whole if whole and value <= whole else None
    has_sign = bool(match["sign"] or match["low_sign"])
    if not has_sign and 1 < high <= _TEN:
        return None
    if has_sign or high > 1:
        value /= 100
    return value if value <= 1 else None


def _scale_before(match: re.Match[str]) -> str | None:
    """Returns the upper end of a scale in front of a value that is on it: a sign, or decimals up to 1, are of a scale of their own."""
    value = match["value"]
    if match["sign"] or match["low_sign"] or (not value.isdigit() and float(value.replace(",", ".")) <= 1):
        return None
    scale = _SCALE.search(match.string, match.start(), match.start("value"))
    return scale["over"] if scale else None
