"""The same choices in another order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations import references
from sago.variations.drawing import random_order
from sago.variations.layouts import labels_of
from sago.variations.protocol import Parameter


class ChoiceOrder:
    """Random orders, all different and none the order of the data.

    "All of the above" and its like stay last; letters in "Both A and B" follow the choices that they name. Where that cannot be done
    safely the family does not apply.
    """

    name: str = "choice-order"
    description: str = "the same choices in another order"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "the texts of the choices; 'All of the above' keeps its place, letters in 'Both A and B' follow their choices"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {"n": Parameter(1, "how many orders, fewer where the choices have fewer", minimum=1, maximum=100)}
    )

    def applies(self, example: Example) -> bool:
        """Returns whether at least two choices may change places."""
        return len(_movable(example)) > 1

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of orders: ``n``, or as many as there are besides the order of the data."""
        return min(int(parameters["n"]), math.factorial(len(_movable(example))) - 1)

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns distinct orders, drawn without replacement."""
        positions = _movable(example)
        choices = example.choices or ()
        labels = labels_of("letters", len(choices))
        seen = {tuple(range(len(choices)))}
        drafts: list[Draft] = []
        wanted = self.asked(example, parameters)
        while len(drafts) < wanted:
            order = list(range(len(choices)))
            for place, index in zip(positions, random_order(rng, len(positions)), strict=True):
                order[place] = positions[index]
            permutation = tuple(order)
            if permutation not in seen:
                seen.add(permutation)
                shown = references.rewritten(choices, permutation, labels)
                drafts.append(Draft(str(len(drafts) + 1), permutation=permutation, choices=shown))
        return tuple(drafts)


def _movable(example: Example) -> tuple[int, ...]:
    if not example.choices or references.question_names_letters(example.question):
        return ()
    return references.free_positions(example.choices)


choice_order = ChoiceOrder()
