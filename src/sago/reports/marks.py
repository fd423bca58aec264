"""Differences between two texts as marks of a page: what went, what came, and white space where it changed."""

from __future__ import annotations

from markupsafe import Markup

from sago.differences import Span, difference, in_phrases
from sago.reports.visible import visible_html

LONGEST = 6000
"""Characters of one text that are shown; what is cut off is said."""

_KEPT = 60
"""Characters kept at each end of an unchanged stretch inside a long text."""


def shown(text: str) -> Markup:
    """Returns a text as it is, escaped, white space kept by the style sheet."""
    return visible_html(_cut(text))


def marked(canonical: str, variant: str) -> Markup:
    """Returns the variant with ``ins`` and ``del`` around the words that differ from the canonical text.

    A long unchanged stretch is folded to its ends, and the fold says how much it holds.

    >>> str(marked("Is it hot?", "Is it warm?"))
    'Is it <del>hot</del><ins>warm</ins>?'
    """
    spans = in_phrases(difference(_cut(canonical), _cut(variant)))
    last = len(spans) - 1
    return Markup().join(_span(span, first=place == 0, last=place == last) for place, span in enumerate(spans))


def _span(span: Span, *, first: bool, last: bool) -> Markup:
    if span.kind == "same":
        return _folded(span.text, first=first, last=last)
    went = Markup("<del>{}</del>").format(_changed(span.before)) if span.before else Markup()
    came = Markup("<ins>{}</ins>").format(_changed(span.text)) if span.kind != "deleted" else Markup()
    return went + came


def _changed(text: str) -> Markup:
    """Shows white space where it is all that a mark would hold, or where it is a line break."""
    if not text.strip():
        text = text.replace(" ", "␣").replace("\t", "⇥")
    return visible_html(text.replace("\n", "↵\n"))


def _folded(text: str, *, first: bool, last: bool) -> Markup:
    head, tail = (0 if first and not last else _KEPT), (0 if last and not first else _KEPT)
    left_out = len(text) - head - tail
    if left_out <= 2 * _KEPT:
        return visible_html(text)
    fold = Markup('<span class="fold">⋯ {} unchanged characters ⋯</span>').format(left_out)
    return visible_html(text[:head]) + fold + visible_html(text[len(text) - tail :])


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n⋯ {len(text) - LONGEST} more characters"
