"""The short answer of a free-text response, and the form in which two answers are the same (SQuAD's, for any script)."""

from __future__ import annotations

import re
import unicodedata

_MARK = re.compile(
    r"(?:\b(?:answer|antwort|réponse|respuesta|risposta|resposta)\b|答案|答え|정답|ответ)\s*(?:(?:is|ist|est|es|è|é)\b\s*:?|[:=：]|是)\s*",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"[*`]+|^#+\s+|^>\s+", re.MULTILINE)
_MEANT = re.compile(
    r"(?<![\w.])-(?=[.\\({]?\w)|(?<=\d)-(?=\d)|(?<=(?<!\w)\w)-(?!\w)|(?<![\w.])-(?=\\)"
    r"|(?<=\d)[./:](?=\d)|(?<![\w])[.](?=\d)|(?<=\d),(?=\d{1,2}\b)|(?<=\w)#(?!\w)"
)
"""Punctuation that is part of a number or a name; a comma before three digits only groups them."""
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_APART = re.compile(r"(?<=\d)[^\w\s]+(?=\d)")
"""What stands between two digits keeps them apart."""
_ARTICLES = re.compile(r"\b(?:an|the)\b(?=.*\w)|^\W*a\b(?=.*\w)")
_MINUS = str.maketrans("−", "-")


def stated_text(response: str, *, cut_off: bool = False) -> str | None:
    r"""Returns the short answer of a response: what stands behind its last answer mark, else its first line that is not blank.

    Null where there is none: nothing but decoration, or a line that was cut off before it ended.

    >>> stated_text("Answer: **Paris**"), stated_text("Paris\n\nIt lies on the Seine."), stated_text("The capital of", cut_off=True)
    ('Paris', 'Paris', None)
    """
    text = _DECORATION.sub("", response)
    marks = list(_MARK.finditer(text))
    for mark in reversed(marks):
        line = _first_line(text[mark.end() :], cut_off=cut_off)
        if line is not None:
            return line
    return None if marks and cut_off else _first_line(text, cut_off=cut_off)


def normal_text(text: str) -> str:
    """Returns a text in the form in which answers are compared: NFC, no case, punctuation, English articles or needless white space.

    What makes another number or another name stays: a sign, a decimal point, a fraction, what keeps two digits apart, the sign of ``C#``
    and of a grade, an article at the end (``Vitamin A``) and an ``a`` that does not begin the text. Texts of which nothing would be left
    keep their articles and punctuation, so that ``The`` and ``?`` are still answers.

    >>> normal_text(" The  Eiffel-Tower! "), normal_text("A"), normal_text("25 °C"), normal_text("-3.5 million, not 1,000")
    ('eiffeltower', 'a', '25 °c', '-3.5 million not 1000')
    >>> normal_text("Vitamin A"), normal_text("B-"), normal_text("2-1"), normal_text("1;2"), normal_text("−x")
    ('vitamin a', 'b-', '2-1', '1 2', '-x')
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).translate(_MINUS)
    folded = _GROUPED.sub("", folded)
    kept = {match.start() for match in _MEANT.finditer(folded)}
    apart = {place for match in _APART.finditer(folded) if unicodedata.category(folded[place := match.start()]).startswith("P")} - kept
    bare = "".join(
        " " if place in apart else char
        for place, char in enumerate(folded)
        if place in kept or place in apart or not unicodedata.category(char).startswith("P")
    )
    without_articles = " ".join(_ARTICLES.sub(" ", bare).split())
    return without_articles or " ".join(bare.split()) or " ".join(folded.split())


def normal_category(text: str) -> str:
    """Returns an answer of a closed set, given as read, in the form in which two are the same: NFC, no case, single spaces.

    >>> normal_category(" Not  attempted"), normal_category("A+") == normal_category("A-")
    ('not attempted', False)
    """
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def _first_line(text: str, *, cut_off: bool) -> str | None:
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if line.strip():
            is_whole = number < len(lines) or line.endswith(("\n", "\r")) or line.rstrip().endswith((".", "!", "?", "。"))
            return line.strip() if is_whole or not cut_off else None
    return None
