from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from sago.errors import PluginError
from sago.records import ModelDescription, Observation, Request, StateVector
from sago.testing.model_check import check_model, sample_requests
from sago.testing.planted import ConstantModel, FirstOptionModel

Change = Callable[[Observation, int], Observation]


class Altered(ConstantModel):
    """The constant model with one thing done wrong to every observation."""

    def __init__(self, change: Change) -> None:
        super().__init__()
        self.change = change

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        for place, observation in enumerate(super().observe(requests)):
            yield self.change(observation, place)


def jitter(observation: Observation, place: int) -> Observation:
    """As padding would: the place in the batch moves the numbers."""
    if observation.choice_logprobs is None:
        return observation
    return replace(observation, choice_logprobs=tuple((value or 0.0) - 0.001 * place for value in observation.choice_logprobs))


def drifting_state(observation: Observation, place: int) -> Observation:
    moved = tuple(replace(state, vector=tuple(value + 0.01 * place for value in state.vector)) for state in observation.states)
    return replace(observation, states=moved)


_dice = random.Random(0)
_counter = itertools.count()
BROKEN: dict[str, tuple[Change, str]] = {
    "foreign key": (lambda one, _: replace(one, key=replace(one.key, rerun=99)), "foreign key"),
    "unknown status": (lambda one, _: replace(one, status="fine"), "status 'fine'"),  # type: ignore[arg-type]
    "log-prob above 0": (lambda one, _: replace(one, choice_logprobs=one.choice_logprobs and (0.3,) * len(one.choice_logprobs)), "above 0"),
    "log-prob not a number": (lambda one, _: replace(one, anchor_logprob=one.anchor_logprob and math.nan), "not finite"),
    "sentinel infinity": (lambda one, _: replace(one, anchor_logprob=one.anchor_logprob and -math.inf), "not finite"),
    "one choice short": (lambda one, _: replace(one, choice_logprobs=one.choice_logprobs and one.choice_logprobs[1:]), "not one for each"),
    "undeclared": (lambda one, _: replace(one, token_logprobs=(-1.0,)), "not declared"),
    "batch moves numbers": (jitter, "choice_logprobs differ"),
    "batch moves states": (drifting_state, "root mean square"),
    "greedy is random": (lambda one, _: replace(one, response=f"{next(_counter)}"), "it answers"),
    "ok without text": (lambda one, _: replace(one, response=" "), "status ok without text"),
    "error without message": (lambda one, _: Observation(key=one.key, status="error"), "without a message"),
    "error with values": (lambda one, _: replace(one, status="error", error="x"), "with values"),
    "same tap twice": (lambda one, _: replace(one, states=one.states * 2), "occurs twice"),
    "empty state": (lambda one, _: replace(one, states=tuple(replace(state, vector=()) for state in one.states)), "empty or not finite"),
    "declared, never given": (lambda one, _: replace(one, states=()), "declares states and gives none"),
    "silent null": (lambda one, _: replace(one, choice_logprobs=None), "null without a reason"),
    "anchor without tokens": (lambda one, _: replace(one, anchor_tokens=None), "go together"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_rejects(name: str) -> None:
    change, message = BROKEN[name]
    with pytest.raises(PluginError, match=message):
        check_model(Altered(change))


def test_the_unaltered_one_passes() -> None:
    check_model(Altered(lambda one, _: one))


class Raises(ConstantModel):
    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        for request in requests:
            request.messages[-1].content.encode("utf-8")
            yield from super().observe([request])


class Skips(ConstantModel):
    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        yield from super().observe(requests[1:])


class Doubles(ConstantModel):
    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        yield from super().observe([*requests, requests[0]])


class Empties(ConstantModel):
    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        yield from super().observe(list(requests))
        requests.clear()  # type: ignore[attr-defined]


class Unseeded(FirstOptionModel):
    """Samples without looking at the request's seed."""

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        return str(_dice.random()) if request.temperature else super().reply(request, choices)


class Undescribed(ConstantModel):
    def describe(self) -> ModelDescription:
        return replace(super().describe(), id="somebody else")


class Forgetful(ConstantModel):
    def describe(self) -> ModelDescription:
        return replace(super().describe(), weights_hash=str(next(_counter)))


class Nameless(ConstantModel):
    def __init__(self) -> None:
        super().__init__()
        self.id = " "


class Boasts(ConstantModel):
    capabilities = frozenset({"generate", "telepathy"})  # type: ignore[arg-type]


class FarState(ConstantModel):
    def states(self, request: Request) -> tuple[StateVector, ...]:
        return (StateVector("x", 3, 1.5, (1.0,)),)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Raises, "raised UnicodeEncodeError"),
        (Skips, "1 missing"),
        (Doubles, "1 double"),
        (Empties, "changed the requests"),
        (Unseeded, "it answers"),
        (Undescribed, "no ModelDescription with the model's id"),
        (Forgetful, "the second time"),
        (Nameless, "has no id"),
        (Boasts, "telepathy"),
        (FarState, "not in"),
        (dict, "lacks one of"),
    ],
)
def test_rejects_models(model: Callable[[], Any], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        check_model(model())


def test_own_requests_are_used() -> None:
    asked = sample_requests(ConstantModel())[:8]
    seen: list[int] = []

    class Counts(ConstantModel):
        def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
            seen.append(len(requests))
            yield from super().observe(requests)

    check_model(Counts(), asked)
    assert seen[0] == 8


def test_only_what_was_declared_is_asked_for() -> None:
    asked = sample_requests(FirstOptionModel())
    assert any(request.choices for request in asked)
    assert not any(request.wants_states or request.wants_anchor for request in asked)
