"""Who the model is told to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.mentions import hints_at
from sago.variations.protocol import Parameter

PERSONAS: Mapping[str, str] = MappingProxyType(
    {
        "assistant": "You are a helpful assistant.",
        "teacher": "You are a teacher who answers the questions of a class.",
        "librarian": "You are a librarian at an information desk.",
        "editor": "You are an editor who checks facts.",
        "guide": "You are a guide who answers the questions of visitors.",
    }
)
"""Name -> persona. None of them is said to know more or less than another, or to answer in another form."""


class Persona:
    """A few neutral personas, the same for all examples; one that names a choice or the gold answer is refused for that example."""

    name: str = "persona"
    description: str = f"who the model is told to be: {', '.join(PERSONAS)}"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte, and what is asked for"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(2, "how many personas, in their fixed order", minimum=1, maximum=len(PERSONAS)),
            "place": Parameter("system", "where it is said", options=("system", "user")),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns true: every prompt can be put to somebody."""
        return True

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each persona; nothing is drawn."""
        is_system = parameters["place"] == "system"
        return tuple(
            Draft(
                name,
                system=said if is_system else None,
                lead=None if is_system else said,
                refused="names an answer" if hints_at(said, example) else None,
            )
            for name, said in list(PERSONAS.items())[: parameters["n"]]
        )


persona = Persona()
