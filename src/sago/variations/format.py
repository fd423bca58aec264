"""Prompt layouts: the same texts, put together in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations import grammar
from sago.variations.labelling import relabelled, suits
from sago.variations.layouts import LAYOUTS, PLAIN, get_layout
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_OTHERS = tuple(name for name in LAYOUTS if name != PLAIN)


class Format:
    """Layouts other than the canonical one. All examples get the same ones, so that layout and question are crossed.

    They are fixed ones, or points of the grammar of formats in its one fixed order; see :mod:`sago.variations.grammar`. Only letters are
    shown as labels there unless ``labels=any``, since letters suit every example.
    """

    name: str = "format"
    description: str = f"other prompt layouts: {', '.join(_OTHERS)}; or any of the grammar of field names, separators and labels"
    intensity: str = "fields"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(
                2, f"how many layouts, in their fixed order; of the fixed ones there are {len(_OTHERS)}", minimum=1, maximum=100
            ),
            "layouts": Parameter("", "which layouts, fixed ones or names of the grammar, joined by +; then n is not used"),
            "space": Parameter("fixed", "where the layouts come from", options=("fixed", "grammar")),
            "fields": Parameter(
                0,
                "how many fields of the grammar differ from the canonical layout; 0 = any; above 0 space is grammar",
                minimum=0,
                maximum=6,
            ),
            "labels": Parameter(
                "letters", "labels of the grammar: letters, or any style that suits the choices", options=("letters", "any")
            ),
            "skip": Parameter(
                0, "how many layouts of the grammar to pass over, to go on where another study ended", minimum=0, maximum=70_000
            ),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns true: every example can be laid out."""
        return True

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of layouts that suit the example: choices that name letters need layouts with labels."""
        return len(_suited(example, parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each layout that changes something; nothing is drawn."""
        return tuple(
            Draft(name, layout=name, choices=relabelled(example, get_layout(name).labels), parameters={"layout": name, **_intensity(name)})
            for name in _suited(example, parameters)
            if example.choices or _shows_in_open_questions(name)
        )


def _suited(example: Example, parameters: Mapping[str, Any]) -> list[str]:
    return [name for name in _chosen(parameters) if suits(example, get_layout(name).labels)]


def _chosen(parameters: Mapping[str, Any]) -> Sequence[str]:
    if parameters["layouts"]:
        given = [name.strip() for name in parameters["layouts"].split("+")]
        known = (*_OTHERS, *(name for name in dict.fromkeys(given) if name not in LAYOUTS and grammar.point_named(name)))
        return names_in(parameters["layouts"], known, "variation 'format': layouts")
    if parameters["space"] == "fixed" and not parameters["fields"]:
        return _OTHERS[: parameters["n"]]
    points = grammar.points(parameters["fields"], any_labels=parameters["labels"] == "any")
    return points[parameters["skip"] : parameters["skip"] + parameters["n"]]


def _intensity(name: str) -> dict[str, int]:
    point = None if name in LAYOUTS else grammar.point_named(name)
    return {} if point is None else {"differing": len(grammar.differing(point))}


def _shows_in_open_questions(name: str) -> bool:
    point = None if name in LAYOUTS else grammar.point_named(name)
    return point is None or grammar.shows_in_open_questions(point)


format = Format()
