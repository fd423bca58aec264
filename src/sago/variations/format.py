"""Prompt layouts: the same texts, put together in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations import references
from sago.variations.layouts import LAYOUTS, PLAIN, get_layout, labels_of
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_OTHERS = tuple(name for name in LAYOUTS if name != PLAIN)


class Format:
    """Layouts other than the canonical one. All examples get the same ones, so that layout and question are crossed."""

    name: str = "format"
    description: str = f"other prompt layouts: {', '.join(_OTHERS)}"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(2, "how many layouts, in their fixed order", minimum=1, maximum=len(_OTHERS)),
            "layouts": Parameter("", "which layouts, joined by +; then n is not used"),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns true: every example can be laid out."""
        return True

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of layouts that suit the example: choices that name letters need layouts with labels."""
        return len(self._suited(example, parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each layout; nothing is drawn."""
        return tuple(
            Draft(name, layout=name, choices=_relabelled(example, name), parameters={"layout": name})
            for name in self._suited(example, parameters)
        )

    def _suited(self, example: Example, parameters: Mapping[str, Any]) -> list[str]:
        names = _OTHERS[: parameters["n"]]
        if parameters["layouts"]:
            names = names_in(parameters["layouts"], _OTHERS, "variation 'format': layouts")
        if not example.choices:
            return list(names)
        named = references.has_letters(example.choices) or references.question_names_letters(example.question)
        return [name for name in names if not named or get_layout(name).labels == "letters" or _can_be_renumbered(example, name)]


def _can_be_renumbered(example: Example, layout: str) -> bool:
    choices = example.choices or ()
    is_safe = references.letters_can_move(choices) and not references.question_names_letters(example.question)
    return get_layout(layout).labels == "numbers" and is_safe


def _relabelled(example: Example, layout: str) -> tuple[str, ...] | None:
    """Returns the choices with "Both A and B" brought to the layout's labels; null where there is nothing to bring."""
    style = get_layout(layout).labels
    if not example.choices or style == "letters":
        return None
    labels = labels_of("numbers", len(example.choices))
    return references.rewritten(example.choices, range(len(example.choices)), labels)


format = Format()
