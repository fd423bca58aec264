"""Models with a planted truth: what the axes must say of them is known beforehand. No weights, no torch, no chance.

``constant`` gives the same reply to everything: nothing it says, feels or is sure of ever changes. ``echo`` gives the user's text again: it
mirrors everything, and its words change with every wording of the question. ``always-first-option`` takes the first option shown, whatever
it says: unstable under another order of the options, stable otherwise.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from sago.errors import UnknownNameError
from sago.models.opening import Opener
from sago.models.protocol import Model
from sago.records import Capability, ModelDescription, ModelOptions, Observation, Request, StateVector
from sago.seeds import content_hash, seed_of

_OPTION = re.compile(r"^[^\w\n]*([A-Z]|\d{1,2})[^\w\s]+[ \t]*\S", re.MULTILINE)
_DIMENSIONS = 16


class PlantedModel:
    """What the planted models have in common: one observation per request, in order, from the request alone."""

    name = "planted"
    capabilities: frozenset[Capability] = frozenset({"generate"})

    def __init__(self) -> None:
        self.id = f"planted-{self.name}"

    def describe(self) -> ModelDescription:
        """Returns what the model is; the truth it was made with stands in the notes."""
        truth = (self.__doc__ or "").split("\n")[0]
        return ModelDescription(id=self.id, source=f"planted:{self.name}", weights_hash=content_hash(self.name, 1), notes=(truth,))

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
            can_score = request.choices and "choice_logprobs" in self.capabilities
            has_anchor = request.wants_anchor and "anchor_logprobs" in self.capabilities and anchor is not None and anchor.strip()
            yield Observation(
                key=request.key,
                status="ok" if text.strip() else "empty",
                response=text,
                finish_reason="stop",
                choice_logprobs=_logarithms(self.shares(request.choices)) if can_score and request.choices else None,
                anchor_logprob=self.anchor_logprob(text, anchor) if has_anchor and anchor else None,
                anchor_tokens=len(anchor.split()) if has_anchor and anchor else None,
                prompt_hash=content_hash([[message.role, message.content] for message in request.messages]),
                states=self.states(request) if request.wants_states and "states" in self.capabilities else (),
            )

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the response."""
        raise NotImplementedError

    def shares(self, choices: Sequence[str]) -> Sequence[float]:
        """Returns the probability of each choice, in shown order."""
        return [1 / len(choices)] * len(choices)

    def anchor_logprob(self, reply: str, anchor: str) -> float:
        """Returns the summed log-probability of the anchor (nats), one token a word."""
        likeness = Levenshtein.normalized_similarity(reply, anchor)
        return len(anchor.split()) * math.log(0.01 + 0.98 * likeness)

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns the pooled hidden states."""
        return ()


class ConstantModel(PlantedModel):
    """The same reply, the same state and the same certainty for everything: every distance is 0, no axis can be calibrated.

    Args:
        reply: What it always says.
    """

    name = "constant"
    capabilities: frozenset[Capability] = frozenset({"generate", "choice_logprobs", "anchor_logprobs", "states"})

    def __init__(self, reply: str = "A") -> None:
        super().__init__()
        self._reply = reply

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the one reply."""
        return self._reply

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns the one state."""
        return (StateVector("last_prompt_token/block_1", 1, 1.0, (1.0,) * _DIMENSIONS),)


class EchoModel(PlantedModel):
    """Replies with the user's text: mirroring is 1, and its words change exactly as the question's do."""

    name = "echo"
    capabilities: frozenset[Capability] = frozenset({"generate", "anchor_logprobs", "states"})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the user's text."""
        return _user_text(request)

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns a bag of the prompt's words, hashed: like wordings are near each other, unrelated ones are not."""
        counts = [0.0] * _DIMENSIONS
        for word in _user_text(request).lower().split():
            counts[seed_of("echo", word) % _DIMENSIONS] += 1.0
        return (StateVector("last_prompt_token/block_1", 1, 1.0, tuple(counts)),)


class FirstOptionModel(PlantedModel):
    """Takes the first option shown, whatever it says: its choice flips with the order of the options and with nothing else."""

    name = "always-first-option"
    capabilities: frozenset[Capability] = frozenset({"generate", "choice_logprobs"})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the first choice as it is scored: its label, or its text."""
        if choices:
            return choices[0]
        found = _OPTION.search(_user_text(request))
        return found.group(1) if found else "A"

    def shares(self, choices: Sequence[str]) -> Sequence[float]:
        """Returns 0.9 for the first choice and equal parts of the rest for the others."""
        if len(choices) == 1:
            return [1.0]
        return [0.9, *[0.1 / (len(choices) - 1)] * (len(choices) - 1)]


PLANTED: Mapping[str, Callable[[], Model]] = {"constant": ConstantModel, "echo": EchoModel, "always-first-option": FirstOptionModel}
"""Name behind ``planted:`` -> model."""


def _check(argument: str) -> None:
    if argument not in PLANTED:
        near = difflib.get_close_matches(argument, PLANTED, n=2)
        raise UnknownNameError("planted model", argument, known=PLANTED, neighbours=[f"planted:{name}" for name in near])


def _open(argument: str, options: ModelOptions) -> Model:
    _check(argument)
    return PLANTED[argument]()


open_planted = Opener("Models with a planted truth, for tests: " + ", ".join(PLANTED), _open, _check)
"""The plug-in ``planted``."""


def _variant(request: Request) -> tuple[str, str, str]:
    return request.key.dataset, request.key.example, request.key.variant


def _user_text(request: Request) -> str:
    return "\n\n".join(message.content for message in request.messages if message.role == "user")


def _logarithms(shares: Sequence[float]) -> tuple[float, ...]:
    return tuple(math.log(share) for share in shares)
