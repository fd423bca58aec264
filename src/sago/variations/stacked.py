"""Several variations one on top of the other: ``typo+format`` misspells the question and lays it out in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

import numpy as np
import polars as pl

from sago.errors import StudyError
from sago.records import Draft, Example
from sago.variations.layouts import PLAIN, get_layout
from sago.variations.protocol import Checks, CountsAsked, Outside, Parameter, Prepared, Variation


class Stacked:
    """Each variation is given what the one before it made; every draft of the first is crossed with every draft of the second.

    It keeps the meaning by construction where each of them does. Its parameters are those of all, each behind the name of its variation:
    ``typo.rate``.
    """

    def __init__(self, layers: Sequence[Variation]) -> None:
        self.layers = tuple(layers)
        self.name: str = "+".join(layer.name for layer in layers)
        self.description: str = "; then ".join(layer.description for layer in layers)
        self.control: bool = False
        self.draws: bool = any(getattr(layer, "draws", True) for layer in layers)
        is_sure = all(layer.equivalence == "by_construction" for layer in layers)
        self.equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction" if is_sure else "to_check"
        self.protects: str = "; then ".join(f"{layer.name}: {layer.protects}" for layer in layers)
        self.parameters: Mapping[str, Parameter] = {
            f"{layer.name}.{key}": parameter for layer in layers for key, parameter in layer.parameters.items()
        }

    def applies(self, example: Example) -> bool:
        """Returns whether each of them applies."""
        return all(layer.applies(example) for layer in self.layers)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the product of what each is asked for."""
        product = 1
        for layer in self.layers:
            own = _own(layer, parameters)
            product *= layer.asked(example, own) if isinstance(layer, CountsAsked) else int(own.get("n", 1))
        return product

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns the drafts of the last variation, made of what the ones before it made."""
        drafts = list(self.layers[0].vary(example, _own(self.layers[0], parameters), rng))
        for layer in self.layers[1:]:
            drafts = list(chain.from_iterable(self._onto(draft, layer, example, parameters, rng) for draft in drafts))
        return tuple(drafts)

    def check(self, parameters: Mapping[str, Any], examples: pl.DataFrame) -> Sequence[str]:
        """Returns what those of them have to tell that look at their parameters."""
        checked = [layer.check(_own(layer, parameters), examples) for layer in self.layers if isinstance(layer, Checks)]
        return tuple(chain.from_iterable(checked))

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the stack with each variation prepared that needs it; texts are written of the wordings of the data."""
        return Stacked(
            [layer.prepared(examples, _own(layer, parameters), outside) if isinstance(layer, Prepared) else layer for layer in self.layers]
        )

    @staticmethod
    def _onto(draft: Draft, layer: Variation, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        shown = _as_shown(example, draft)
        if not layer.applies(shown):
            if draft.choices is not None and draft.permutation is None and layer.applies(example):
                raise _cannot_order(draft, example)  # the labels that its choices name are others now
            return ()
        made = [_joined(draft, above, example) for above in layer.vary(shown, _own(layer, parameters), rng)]
        return [joined for joined in made if _labels_fit(draft, joined)]


def stacked(layers: Sequence[Variation]) -> Variation:
    """Returns a stack of variations, the first one applied first.

    Raises:
        StudyError: If one of them is a control, or is given twice.
    """
    names = [layer.name for layer in layers]
    for layer in layers:
        if layer.control:
            raise StudyError(f"'{layer.name}' is a control and cannot be stacked", where=f"variation '{'+'.join(names)}'")
        if names.count(layer.name) > 1:
            raise StudyError(f"'{layer.name}' is stacked on itself", where=f"variation '{'+'.join(names)}'", fix="Name each family once")
    return Stacked(layers)


def _labels_fit(below: Draft, joined: Draft) -> bool:
    """Returns whether a layout can show its labels, and choices that name each other by other labels than letters keep those."""
    before, after = (draft.labels or get_layout(draft.layout or PLAIN).labels for draft in (below, joined))
    if joined.labels is not None and (get_layout(joined.layout or PLAIN).labels == "none") != (joined.labels == "none"):
        return False
    return below.choices is None or before in ("letters", after)


def _own(layer: Variation, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {key: parameters[f"{layer.name}.{key}"] for key in layer.parameters}


def _as_shown(example: Example, draft: Draft) -> Example:
    """Returns the example as a draft shows it: the next variation starts from there."""
    order = draft.permutation
    choices = example.choices
    if choices is not None and (order is not None or draft.choices is not None):
        choices = draft.choices or tuple(choices[index] for index in order or ())
    gold = example.answer_index
    return replace(
        example,
        question=example.question if draft.question is None else draft.question,
        context=example.context if draft.context is None else draft.context,
        choices=choices,
        answer_index=order.index(gold) if order is not None and gold is not None else gold,
    )


def _cannot_order(below: Draft, example: Example) -> StudyError:
    return StudyError(
        "cannot order choices that name each other by labels which were changed before",
        where=f"draft '{below.name}' of example '{example.example}'",
        fix="Stack the family that orders choices first, as in choice-order+format",
    )


def _joined(below: Draft, above: Draft, example: Example) -> Draft:
    """Returns what a draft and one made of its wording come to, in terms of the example itself."""
    order = below.permutation
    if above.permutation is not None and below.choices is not None and below.permutation is None:
        raise _cannot_order(below, example)
    if above.permutation is not None:
        order = above.permutation if order is None else tuple(order[index] for index in above.permutation)
    choices = above.choices
    if choices is None and below.choices is not None:
        choices = below.choices if above.permutation is None else tuple(below.choices[index] for index in above.permutation)
    leads = [lead for lead in (above.lead, below.lead) if lead is not None]
    systems = [system for system in (below.system, above.system) if system is not None]
    return Draft(
        name=f"{below.name}+{above.name}",
        question=below.question if above.question is None else above.question,
        context=below.context if above.context is None else above.context,
        permutation=order,
        choices=choices,
        layout=below.layout if above.layout is None else above.layout,
        instruction=below.instruction if above.instruction is None else above.instruction,
        labels=below.labels if above.labels is None else above.labels,
        lead="\n\n".join(leads) if leads else None,
        system="\n\n".join(systems) if systems else None,
        turns=(*below.turns, *above.turns),
        parameters={**below.parameters, **above.parameters},
        checks=tuple(dict.fromkeys((*below.checks, *above.checks))),
        refused=below.refused or above.refused,
    )
