"""Other labels in front of the choices: numbers, small letters, roman numerals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.labelling import relabelled, suits
from sago.variations.parts import LABELS, LabelStyle
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_STYLES = tuple(style for style in LABELS if style not in ("letters", "none"))


class Enumerator:
    """The canonical layout with labels of another style; the instruction asks for what they are."""

    name: str = "enumerator"
    description: str = f"other labels in front of the choices: {', '.join(_STYLES)}"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, but that letters in 'Both A and B' become the labels of the same choices"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(2, "how many styles, in their fixed order", minimum=1, maximum=len(_STYLES)),
            "styles": Parameter("", "which styles, joined by +; then n is not used"),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns whether there are choices, and some style suits them."""
        return bool(example.choices) and any(suits(example, style) for style in _STYLES)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of styles that suit the choices."""
        return len(_suited(example, parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each style; nothing is drawn."""
        return tuple(
            Draft(style, labels=style, choices=relabelled(example, style), parameters={"labels": style})
            for style in _suited(example, parameters)
        )


def _suited(example: Example, parameters: Mapping[str, Any]) -> list[LabelStyle]:
    names: Sequence[str] = _STYLES[: parameters["n"]]
    if parameters["styles"]:
        names = names_in(parameters["styles"], _STYLES, "variation 'enumerator': styles")
    return [style for style in _STYLES if style in names and suits(example, style)]


enumerator = Enumerator()
