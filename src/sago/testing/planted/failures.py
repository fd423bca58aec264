"""``failures``: known examples fail on known axes, independently or all together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from sago.records import AXES, Capability, Request, StateVector
from sago.seeds import generator
from sago.testing.planted.answers import DIMENSIONS, SEED, DrawingModel
from sago.testing.planted.base import user_text
from sago.testing.planted.prompts import question_of, wording_of
from sago.variations import Parameter

__all__ = ["AXES", "FailuresModel"]


class FailuresModel(DrawingModel):
    """Each example fails on each axis with probability ``rate``; with probability ``shared`` one draw decides for all four axes.

    Made for questions that ask for a number. Truth: the indicators of failure of two axes correlate by ``shared`` (0 = independent,
    1 = the same examples): with one draw for all with probability d, P(both) = d r + (1 - d) r^2, so the covariance is d r (1 - r).

    * generation fails: another number for every wording (B_i = 1); else the example's own (0). N = 1, so S is the share that failed.
    * activations: an independent state for every wording; else the example's own (B_i = 0).
    * confidence: a certainty for each name of a wording, the same for all that fail; else one certainty for everything (B_i = 0).
    * mirroring: the reply repeats the prompt in front of the number (D_i = 1); else it is the number alone (D_i = 0).
    """

    name = "failures"
    capabilities: frozenset[Capability] = frozenset({"generate", "anchor_logprobs", "states"})
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType(
        {
            "rate": Parameter(0.3, "how often an example fails on an axis", minimum=0.0, maximum=1.0),
            "shared": Parameter(0.0, "how often one draw decides for all axes", minimum=0.0, maximum=1.0),
            "seed": SEED,
        }
    )

    def fails(self, axis: str, dataset: str, example: str) -> bool:
        """Returns whether an example fails on an axis."""
        together = self.chance("together", dataset, example) < float(self.given["shared"])
        return self.chance("all" if together else axis, dataset, example) < float(self.given["rate"])

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns a number, after the prompt where the example fails at mirroring."""
        question = question_of(request)
        of = (*question, wording_of(request)) if self.fails("generation", *question) else question
        # So many numbers that no two of them are the same.
        number = 10**12 + self.draw(10**12, "number", *of)
        return f"{user_text(request)}\nAnswer: {number}" if self.fails("mirroring", *question) else str(number)

    def anchor_logprob(self, request: Request, reply: str, anchor: str) -> float:
        """Returns the summed log-probability of the anchor."""
        certainty = 0.5
        if self.fails("confidence", *question_of(request)):
            certainty = 0.1 + 0.8 * self.chance("certainty", wording_of(request))
        return len(anchor.split()) * math.log(certainty)

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns one normal vector."""
        question = question_of(request)
        of = (*question, wording_of(request)) if self.fails("activations", *question) else question
        vector: np.ndarray = generator(self.name, self.given["seed"], "state", *of).standard_normal(DIMENSIONS)
        return (StateVector("last_prompt_token/block_1", 1, 1.0, tuple(vector.tolist())),)
