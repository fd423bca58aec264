"""``icc``: states and certainty with known variance components."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sago.errors import StudyError
from sago.records import Capability, Request, StateVector
from sago.seeds import generator
from sago.testing.planted.answers import SEED, DrawingModel
from sago.testing.planted.parameters import Value
from sago.testing.planted.prompts import question_of, wording_of
from sago.variations import Parameter

DIMENSIONS = 64
"""Dimensions of each of its layers."""
LAYERS = 2
CENTRE, SPREAD = 0.75, 0.05
"""Mean and standard deviation of its certainty; 5 standard deviations from 1/2 and from 1."""

COMPONENTS = ("example", "variant", "interaction", "rerun")


class IccModel(DrawingModel):
    """Every state dimension and the certainty are normal, with the given shares of variance; answers are the example's own.

    Truth: x = example + variant + interaction + rerun, independent and normal, of variances a, b, c, e that sum to 1. With squared
    distances B = 2(b + c + e), W = 2e, N = 2, hence S = (b + c) / (a + b + c) (METRICS 2.1). With absolute differences of a normal
    scalar E|x - x'| is sqrt(variance of the difference * 2 / pi): S = (sqrt(b + c + e) - sqrt(e)) / (1 - sqrt(e)). With 1 - cosine of
    z-scored vectors of many dimensions the cosine is the correlation: B = 1 - a, W = 1 - (a + b + c), N = 1, the same S as squared.
    The variant effects of a run are a few draws that all examples share: with b above 0 a run's own truth has in place of b the
    variance of those few (``effect`` gives them), which is b on average over seeds.

    Raises:
        StudyError: If the shares do not sum to 1.
    """

    name = "icc"
    capabilities: frozenset[Capability] = frozenset({"generate", "choice_logprobs", "anchor_logprobs", "states"})
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType(
        {
            "example": Parameter(0.6, "share of variance between examples", minimum=0.0, maximum=1.0),
            "variant": Parameter(0.0, "share of a wording's effect on all examples alike", minimum=0.0, maximum=1.0),
            "interaction": Parameter(0.2, "share of a wording's effect on one example", minimum=0.0, maximum=1.0),
            "rerun": Parameter(0.2, "share of asking again", minimum=0.0, maximum=1.0),
            "seed": SEED,
        }
    )

    def __init__(self, **parameters: Value) -> None:
        super().__init__(**parameters)
        total = sum(float(self.given[name]) for name in COMPONENTS)
        if abs(total - 1) > 1e-6:
            raise StudyError(
                f"the shares {', '.join(COMPONENTS)} sum to {total:g}, not 1",
                where=f"model 'planted:{self.name}'",
                fix="Give all four: example=0.5,variant=0.1,interaction=0.2,rerun=0.2",
            )

    def effect(self, component: str, *of: Any) -> NDArray[np.float64]:
        """Returns one effect: the certainty first, then all dimensions of all layers."""
        return math.sqrt(float(self.given[component])) * _normal(int(self.given["seed"]), component, of)

    def values(self, request: Request) -> NDArray[np.float64]:
        """Returns the sum of the effects on one request."""
        question, wording = question_of(request), wording_of(request)
        # The identity control shares all effects but this one with the canonical wording: it is asked again.
        again = (*question, request.key.variant, request.key.decoding, request.key.rerun)
        fixed = self.effect("example", *question) + self.effect("variant", wording)
        return fixed + self.effect("interaction", *question, wording) + self.effect("rerun", *again)

    def certainty(self, request: Request) -> float:
        """Returns the probability of the anchor's token, and of the option that comes first by content."""
        return float(np.clip(CENTRE + SPREAD * self.values(request)[0], 0.001, 0.999))

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the example's own answer."""
        options = self.options(request, choices)
        return options[self.own(request, options)].said

    def shares(self, request: Request, choices: Sequence[str]) -> Sequence[float]:
        """Returns the certainty for the option that comes first by content, and equal parts of the rest for the others."""
        favourite = choices.index(self.options(request, choices)[0].said)
        certainty = self.certainty(request)
        rest = (1 - certainty) / max(len(choices) - 1, 1)
        return [certainty if place == favourite else rest for place in range(len(choices))]

    def anchor_logprob(self, request: Request, reply: str, anchor: str) -> float:
        """Returns the summed log-probability of the anchor."""
        return len(anchor.split()) * math.log(self.certainty(request))

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns its layers."""
        layers = self.values(request)[1:].reshape(LAYERS, DIMENSIONS)
        return tuple(
            StateVector(f"last_prompt_token/block_{number}", number, number / LAYERS, tuple(vector.tolist()))
            for number, vector in enumerate(layers, 1)
        )


@lru_cache(maxsize=4096)
def _normal(seed: int, component: str, of: tuple[Any, ...]) -> NDArray[np.float64]:
    drawn = generator("icc", seed, component, *of).standard_normal(1 + LAYERS * DIMENSIONS)
    drawn.flags.writeable = False
    return drawn
