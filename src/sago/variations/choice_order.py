"""The same choices in another order."""

from __future__ import annotations

import itertools
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

MODES = ("random", "all", "cyclic", "reversed")
_MOST = 119
"""Most orders of one example: all but one of five choices."""


class ChoiceOrder:
    """Orders of the choices, all different and none the order of the data.

    Drawn at random; or all of them; or those that turn the choices round (each choice stands once in each place); or the reversed one.
    Orders that every example has alike are named after what they do, drawn ones by number. "All of the above" and its like stay last;
    letters in "Both A and B" follow the choices that they name. Where that cannot be done safely the family does not apply.
    """

    name: str = "choice-order"
    description: str = "the same choices in another order: random ones, all, turned round, or reversed"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "the texts of the choices; 'All of the above' keeps its place, letters in 'Both A and B' follow their choices"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(
                0,
                f"most orders; 0 = one at random, or as many as the mode makes up to {_MOST}; where there are more, some are drawn",
                minimum=0,
                maximum=_MOST,
            ),
            "mode": Parameter("random", "which orders", options=MODES),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns whether at least two choices may change places."""
        return len(_movable(example)) > 1

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of orders: ``n``, or as many as there are in the mode besides the order of the data."""
        mode = parameters["mode"]
        most = parameters["n"] or (1 if mode == "random" else _MOST)
        return min(int(most), _count(len(_movable(example)), mode))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns distinct orders; what is drawn is drawn without replacement."""
        positions = _movable(example)
        size = len(positions)
        wanted = self.asked(example, parameters)
        mode = parameters["mode"]
        if mode == "cyclic":
            orders = [(f"cyclic-{by}", _turned(size, by)) for by in range(1, wanted + 1)]
        elif mode == "reversed":
            orders = [("reversed", tuple(reversed(range(size))))]
        elif mode == "all" and wanted == _count(size, mode):
            orders = [("", order) for order in itertools.permutations(range(size)) if order != tuple(range(size))]
        else:
            orders = [(str(number), order) for number, order in enumerate(_drawn(size, wanted, rng), start=1)]
        return tuple(_draft(name, order, positions, example) for name, order in orders)


def _count(size: int, mode: str) -> int:
    """Returns how many orders of ``size`` choices a mode has besides the order of the data."""
    return {"cyclic": size - 1, "reversed": 1}.get(mode, math.factorial(size) - 1)


def _turned(size: int, by: int) -> tuple[int, ...]:
    return tuple((place + by) % size for place in range(size))


def _drawn(size: int, wanted: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    seen = {tuple(range(size))}
    drawn: list[tuple[int, ...]] = []
    while len(drawn) < wanted:
        order = tuple(random_order(rng, size))
        if order not in seen:
            seen.add(order)
            drawn.append(order)
    return drawn


def _draft(name: str, moved: Sequence[int], positions: Sequence[int], example: Example) -> Draft:
    """Returns the draft of one order of the choices that may move; without a name it is named after the order, as in ``2-1-3``."""
    choices = example.choices or ()
    order = list(range(len(choices)))
    for place, index in zip(positions, moved, strict=True):
        order[place] = positions[index]
    shown = references.rewritten(choices, order, labels_of("letters", len(choices)))
    return Draft(name or "-".join(str(index + 1) for index in order), permutation=tuple(order), choices=shown)


def _movable(example: Example) -> tuple[int, ...]:
    if not example.choices or references.question_names_letters(example.question):
        return ()
    return references.free_positions(example.choices)


choice_order = ChoiceOrder()
