"""The question in lower case, in upper case, in title case."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.protect import Bounds, cased_spans, named_by_user, outside
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TURKIC = re.compile("[ıİğĞ]")
_TURKIC_LOWER, _TURKIC_UPPER = str.maketrans("İI", "iı"), str.maketrans("iı", "İI")


def _titled(text: str, turkic: bool) -> str:
    """Returns the text with a capital in front of every word, and its other letters as they are.

    >>> _titled("can't O'Brien read DNA?", False)
    "Can't O'Brien Read DNA?"
    """
    return _WORD.sub(lambda match: _upper(match[0][0], turkic).title() + match[0][1:], text)


def _lower(text: str, turkic: bool) -> str:
    return (text.translate(_TURKIC_LOWER) if turkic else text).lower()


def _upper(text: str, turkic: bool) -> str:
    return (text.translate(_TURKIC_UPPER) if turkic else text).upper()


_STYLES: dict[str, Callable[[str, bool], str]] = {"lower": _lower, "upper": _upper, "title": _titled}


class Case:
    """Other letter case of the question. Code, links, formulas, fields, signs of units, labels and identifiers keep theirs.

    In title case what is all capitals keeps them (DNA), unless the whole question is. Turkish has its own capitals of i and ı.
    """

    name: str = "case"
    description: str = "the question in lower, upper and title case"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = (
        "context and choices; code, links, formulas, fields, identifiers, numbers with their units, labels, "
        "texts in the metadata field 'protect'"
    )
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {"styles": Parameter("lower+upper+title", "which of lower, upper, title, joined by +")}
    )

    def applies(self, example: Example) -> bool:
        """Returns true: what has no letters to change is counted as the same."""
        return True

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of styles."""
        return len(_styles(parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each style that changes the question; nothing is drawn."""
        drafts = (
            (style, _restyled(example.question, cased_spans(example.question, named_by_user(example)), style))
            for style in _styles(parameters)
        )
        return tuple(
            Draft(style, question=question, parameters={"style": style}, checks=("protected_spans",))
            for style, question in drafts
            if question != example.question
        )


def _styles(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return names_in(parameters["styles"], tuple(_STYLES), "variation 'case': styles")


def _restyled(question: str, kept: Sequence[Bounds], style: str) -> str:
    free = outside(question, kept)
    is_shouted = not any(character.islower() for start, end in free for character in question[start:end])
    turkic = _TURKIC.search(question) is not None
    parts, position = [], 0
    for start, end in free:
        text = question[start:end]
        if style == "title" and is_shouted:
            text = _lower(text, turkic)
        parts += [question[position:start], _STYLES[style](text, turkic)]
        position = end
    return "".join([*parts, question[position:]])


case = Case()
