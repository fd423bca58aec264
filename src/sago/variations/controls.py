"""The two controls: the same prompt again, and a question whose right answer differs. Neither counts as a wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.protocol import Parameter


class Identity:
    """The canonical prompt once more, to be asked in another batch make-up: what changes here is noise."""

    name: str = "identity"
    description: str = "control: the same prompt again; what changes is noise"
    control: bool = True
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "everything"
    parameters: Mapping[str, Parameter] = MappingProxyType({})

    def applies(self, example: Example) -> bool:
        """Returns true: every prompt can be asked again."""
        return True

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft that leaves everything as it is."""
        return (Draft("1"),)


class MeaningChanged:
    """The meaning-changed twin that the data gives: a model that answers it alike does not read the question."""

    name: str = "meaning-changed"
    description: str = "control: a question of the same form with another right answer, where the data gives one"
    control: bool = True
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "changed"
    protects: str = "context and choices"
    parameters: Mapping[str, Parameter] = MappingProxyType({})

    def applies(self, example: Example) -> bool:
        """Returns whether the data gives a twin."""
        return example.twin is not None

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns 1: a twin that asks the same question is counted as dropped."""
        return 1

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns the twin with its own answers, or nothing where its question is the canonical one."""
        twin = example.twin
        if twin is None or twin.question.strip() == example.question.strip():
            return ()
        return (Draft("1", question=twin.question, answers=twin.answers, answer_index=twin.answer_index),)


identity = Identity()
meaning_changed = MeaningChanged()
