from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from sago import registry
from sago.errors import PluginError
from sago.records import Draft, Example
from sago.testing import check_variation
from sago.variations import Parameter


@pytest.mark.parametrize("name", registry.names("variations"))
def test_every_registered_variation_keeps_its_promises(name: str) -> None:
    check_variation(registry.get("variations", name))


class Good:
    """A sound variation, which the broken ones below each change in one way."""

    name: Any = "wrapped"
    description: Any = "the question between dashes"
    control: Any = False
    equivalence: Any = "by_construction"
    protects: Any = "every text"
    parameters: Any = MappingProxyType({"n": Parameter(1, "how many", minimum=1, maximum=3)})

    def applies(self, example: Example) -> Any:
        return True

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return tuple(Draft(str(place), question="- " * place + example.question + " -") for place in range(1, parameters["n"] + 1))


class NoName(Good):
    name = "Wrapped Twice"


class NoDescription(Good):
    description = ""


class BadEquivalence(Good):
    equivalence = "surely"


class BadDefault(Good):
    parameters = MappingProxyType({"n": Parameter(9, "how many", minimum=1, maximum=3)})


class BadParameter(Good):
    parameters = MappingProxyType({"n": 1})


class HiddenControl(Good):
    equivalence = "changed"


class TakesAControlsName(Good):
    name = "identity"


class AppliesWithoutAnAnswer(Good):
    def applies(self, example: Example) -> Any:
        return None


class MakesNothing(Good):
    def applies(self, example: Example) -> Any:
        return False


class ReturnsTexts(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return [example.question.upper()]


class ChangesNothing(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question=example.question),)


class SharesAName(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (*super().vary(example, parameters, rng), Draft("1", question="-- " + example.question))


class MakesTooMany(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return super().vary(example, {"n": parameters["n"] + 1}, rng)


class DrawsElsewhere(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question=example.question + "-" * int(np.random.default_rng().integers(1, 10**6) % 997 + 1)),)


class RemembersTheOrder(Good):
    def __init__(self) -> None:
        self.calls = itertools.count(1)

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question=example.question + "-" * next(self.calls)),)


class AltersMetadata(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        dict.update(example.metadata, seen=True)
        return super().vary(example, parameters, rng)


class AltersParameters(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        drafts = super().vary(example, parameters, rng)
        parameters["n"] = 7  # type: ignore[index]
        return drafts


class ChangesNumbers(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question=example.question + " 3"),)


class DropsNegations(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question="- " + example.question.replace("never", "ever")),)


class SpacesOutLinks(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question="- " + example.question.replace("://", " : / / ")),)


class ShoutsCode(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", question="- " + example.question.upper()),)


class NoPermutation(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", permutation=(0,) * len(example.choices)),) if example.choices else ()


class OrdersWhatIsOpen(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", permutation=(1, 0)),) if not example.choices else ()


class UnknownLayout(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return (Draft("1", layout="json"),)


class WrongTypes(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return tuple(replace(draft, checks="by_construction") for draft in super().vary(example, parameters, rng))


class NoJson(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return tuple(replace(draft, parameters={"rate": {0.5}}) for draft in super().vary(example, parameters, rng))


class ChangesTheAnswer(Good):
    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Any:
        return tuple(replace(draft, answers=("x",)) for draft in super().vary(example, parameters, rng))


class Incomplete:
    name = "incomplete"

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        return ()


def test_a_sound_variation_passes() -> None:
    check_variation(Good())


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (Incomplete, "lacks description, control, equivalence, protects, parameters, applies"),
        (NoName, "has the name 'Wrapped Twice'"),
        (NoDescription, "no one-line text as its description"),
        (BadEquivalence, "has the equivalence 'surely'"),
        (BadDefault, "'n' with a default out of its limits; it has to be a whole number from 1 to 3"),
        (BadParameter, "'n' with a default out of its limits"),
        (HiddenControl, "not flagged as a control"),
        (TakesAControlsName, "not flagged as a control"),
        (AppliesWithoutAnAnswer, "answers applies with None"),
        (MakesNothing, "makes no draft of any of the examples"),
        (ReturnsTexts, "something else than a sequence of drafts"),
        (ChangesNothing, "returns a draft that changes nothing"),
        (SharesAName, "two drafts the same name"),
        (MakesTooMany, "returns 2 drafts where n is 1"),
        (DrawsElsewhere, "other drafts for the same seed"),
        (RemembersTheOrder, "other drafts for the same seed"),
        (AltersMetadata, "alters the example or the parameters"),
        (AltersParameters, "alters the example or the parameters"),
        (ChangesNumbers, "does not keep same_numbers"),
        (DropsNegations, "does not keep same_negations"),
        (SpacesOutLinks, "alters a protected span"),
        (ShoutsCode, "alters a protected span"),
        (NoPermutation, "no permutation of its 4 choices"),
        (OrdersWhatIsOpen, "orders or labels the choices of a question that has none"),
        (UnknownLayout, "sets layout to a value that does not fit"),
        (WrongTypes, "sets checks to a value that does not fit"),
        (NoJson, "parameters that are no JSON"),
        (ChangesTheAnswer, "changes the right answer but is no control"),
    ],
)
def test_a_broken_variation_is_refused_with_its_reason(broken: type, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        check_variation(broken())


def test_examples_of_ones_own_can_be_tried() -> None:
    with pytest.raises(PluginError, match="variation 'choice-order': makes no draft"):
        check_variation(registry.get("variations", "choice-order"), [Example("d", "1", "Who?")])
    check_variation(registry.get("variations", "choice-order"), [Example("d", "1", "Which?", choices=("x", "y"), task="choice")])
