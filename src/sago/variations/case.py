"""The question in lower case, in upper case, in title case."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.protect import Bounds, exact_spans, named_by_user, outside
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def _titled(text: str) -> str:
    """Returns the text with every word capitalised and its other letters small: "can't" becomes "Can't", never "Can'T"."""
    return _WORD.sub(lambda match: match[0][:1].title() + match[0][1:].lower(), text)


_STYLES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "title": _titled}


class Case:
    """Other letter case of the question. Code, links, formulas, fields, numbers with units and labels keep theirs."""

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
            (style, _restyled(example.question, exact_spans(example.question, named_by_user(example)), _STYLES[style]))
            for style in _styles(parameters)
        )
        return tuple(
            Draft(style, question=question, parameters={"style": style}, checks=("protected_spans",))
            for style, question in drafts
            if question != example.question
        )


def _styles(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return names_in(parameters["styles"], tuple(_STYLES), "variation 'case': styles")


def _restyled(question: str, kept: Sequence[Bounds], style: Callable[[str], str]) -> str:
    parts, position = [], 0
    for start, end in outside(question, kept):
        parts += [question[position:start], style(question[start:end])]
        position = end
    return "".join([*parts, question[position:]])


case = Case()
