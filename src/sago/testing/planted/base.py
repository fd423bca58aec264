"""What the planted models have in common: one observation per request, in order, from the request and the parameters alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from rapidfuzz.distance import Levenshtein

from sago.records import Capability, ModelDescription, Observation, Request, StateVector
from sago.seeds import content_hash
from sago.testing.planted.parameters import Value, complete, spelled
from sago.variations import Parameter

NO_PARAMETERS: Mapping[str, Parameter] = MappingProxyType({})


class PlantedModel:
    """A model whose truth follows from its parameters.

    A subclass says what it replies, and where it can be asked for more than text, how sure it is and what its states are.

    Args:
        parameters: Values of the class's ``parameters``; those left out are at their default.

    Raises:
        StudyError: If a parameter is unknown or out of its limits.
    """

    name = "planted"
    capabilities: frozenset[Capability] = frozenset({"generate"})
    parameters: ClassVar[Mapping[str, Parameter]] = NO_PARAMETERS

    def __init__(self, **parameters: Value) -> None:
        self.given = complete(parameters, self.parameters, f"model 'planted:{self.name}'")
        # Two settings of one model may stand in one run, so what was given is part of the name.
        named = {name: value for name, value in self.given.items() if name in parameters}
        self._spec = self.name + (f":{spelled(named)}" if named else "")
        self.id = f"planted-{self._spec}"

    def describe(self) -> ModelDescription:
        """Returns what the model is; the truth it was made with stands in the notes."""
        truth = (self.__doc__ or "").split("\n")[0]
        notes = (truth, spelled(self.given)) if self.given else (truth,)
        identity = content_hash(self.name, 2, self.given)
        return ModelDescription(id=self.id, source=f"planted:{self._spec}", weights_hash=identity, notes=notes)

    def close(self) -> None:
        """Does nothing: there is nothing to free."""

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Yields one observation per request."""
        known = {_variant(request): request.choices for request in requests if request.choices}
        canonical = {request.key.example: request for request in requests if request.is_canonical}
        for request in requests:
            # Sampled requests bring no choices with them; those of their greedy request are the ones shown.
            choices = request.choices or known.get(_variant(request))
            text = self.reply(request, choices)
            anchor = request.anchor
            if anchor is None and request.key.example in canonical:
                first = canonical[request.key.example]
                anchor = self.reply(first, first.choices or known.get(_variant(first)))
            has_choices = request.choices and "choice_logprobs" in self.capabilities
            has_anchor = request.wants_anchor and "anchor_logprobs" in self.capabilities and anchor is not None and anchor.strip()
            yield Observation(
                key=request.key,
                status="ok" if text.strip() else "empty",
                response=text,
                finish_reason="stop",
                choice_logprobs=_logarithms(self.shares(request, request.choices)) if has_choices and request.choices else None,
                anchor_logprob=self.anchor_logprob(request, text, anchor) if has_anchor and anchor else None,
                anchor_tokens=len(anchor.split()) if has_anchor and anchor else None,
                prompt_hash=content_hash([[message.role, message.content] for message in request.messages]),
                states=self.states(request) if request.wants_states and "states" in self.capabilities else (),
            )

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the response."""
        raise NotImplementedError

    def shares(self, request: Request, choices: Sequence[str]) -> Sequence[float]:
        """Returns the probability of each choice, in shown order."""
        return [1 / len(choices)] * len(choices)

    def anchor_logprob(self, request: Request, reply: str, anchor: str) -> float:
        """Returns the summed log-probability of the anchor (nats), one token a word."""
        likeness = Levenshtein.normalized_similarity(reply, anchor)
        return len(anchor.split()) * math.log(0.01 + 0.98 * likeness)

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns the pooled hidden states."""
        return ()


def user_text(request: Request) -> str:
    """Returns what the user says."""
    return "\n\n".join(message.content for message in request.messages if message.role == "user")


def _variant(request: Request) -> tuple[str, str, str]:
    return request.key.dataset, request.key.example, request.key.variant


def _logarithms(shares: Sequence[float]) -> tuple[float, ...]:
    return tuple(math.log(share) for share in shares)
