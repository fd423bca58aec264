"""The parts of a prompt in another order: where the question, the context, the choices and the instruction stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.layouts import POSITIONS
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_NEEDS_CONTEXT = frozenset({"question-before-context", "question-around-context"})
_NEEDS_CHOICES = frozenset({"choices-before-question"})
_ONLY_INSTRUCTION = frozenset({"instruction-first"})
_POINTS = re.compile(
    r"\b(?:above|below|beneath|following|preceding|aforementioned|underneath"
    r"|oben|obige[nmrs]?|unten|untenstehende[nmrs]?|folgende[nmrs]?|vorstehende[nmrs]?|vorherige[nmrs]?"
    r"|ci-dessus|ci-dessous|suivante?s?|précédente?s?|siguientes?|anterior(?:es)?|arriba|abajo|seguintes?|acima|abaixo"
    r"|seguenti|precedenti?|выше|ниже|следующ\w*|предыдущ\w*)\b"
    r"|以下|以上|上述|下列|上文|下文|上面|下面|前述|次の|上の|下の|다음|위의|아래",
    re.IGNORECASE,
)
"""Words that say where something stands in the prompt: behind them no part may move."""


class Position:
    """The canonical layout with its parts in another order. All examples that have the parts get the same orders."""

    name: str = "position"
    description: str = f"the parts of the prompt in another order: {', '.join(POSITIONS)}"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte; questions that say where something stands ('the text above') keep their place"
    parameters: Mapping[str, Parameter] = MappingProxyType({"places": Parameter("", "which orders, joined by +; empty = all that apply")})

    def applies(self, example: Example) -> bool:
        """Returns true: every prompt has an instruction that can stand first."""
        return True

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of orders that the parts of the example allow."""
        return len(_suited(example, parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each order; nothing is drawn."""
        return tuple(Draft(name, layout=name, parameters={"layout": name}) for name in _suited(example, parameters))


def _suited(example: Example, parameters: Mapping[str, Any]) -> list[str]:
    names: Sequence[str] = tuple(POSITIONS)
    if parameters["places"]:
        names = names_in(parameters["places"], tuple(POSITIONS), "variation 'position': places")
    return [name for name in names if _fits(example, name)]


def _fits(example: Example, name: str) -> bool:
    if (name in _NEEDS_CONTEXT and not example.context) or (name in _NEEDS_CHOICES and not example.choices):
        return False
    return name in _ONLY_INSTRUCTION or not _POINTS.search(example.question)


position = Position()
