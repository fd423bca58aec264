"""``constant``: nothing ever changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from sago.records import Capability, Request, StateVector
from sago.testing.planted.base import PlantedModel
from sago.variations import Parameter

_DIMENSIONS = 16


class ConstantModel(PlantedModel):
    """The same reply, the same state and the same certainty for everything: every distance is 0, no axis can be calibrated.

    Truth: B = W = N = 0 on every axis that is a distance, so S is 0/0: ``degenerate_null``, never "stable". (Probabilities of options
    are 1/K; where questions have different numbers of options they do differ between questions, and only then.)
    """

    name = "constant"
    capabilities: frozenset[Capability] = frozenset({"generate", "choice_logprobs", "anchor_logprobs", "states"})
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({"reply": Parameter("A", "what it always says")})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the one reply."""
        return str(self.given["reply"])

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns the one state."""
        return (StateVector("last_prompt_token/block_1", 1, 1.0, (1.0,) * _DIMENSIONS),)
