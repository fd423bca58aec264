"""Models whose answers are drawn: from the example, the wording or the rerun alone, or with a known chance.

All seeds come from content (data set, example, wording, rerun), so an answer depends on nothing that was asked beside it. With K answers
to choose from, two answers of which each is the own one with probability 1 - p, and else one of the K - 1 others, differ with probability

    F(p, K) = 1 - (1 - p)^2 - p^2 / (K - 1) = 2p - p^2 K / (K - 1)

and two answers of unrelated questions with probability 1 - 1/K where all questions share the answers, 1 where each has its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from sago.records import Capability, Request, StateVector
from sago.seeds import generator, seed_of
from sago.testing.planted.base import PlantedModel
from sago.testing.planted.prompts import Option, options_of, question_of, wording_of
from sago.variations import Parameter

SEED = Parameter(0, "seed of its draws", minimum=0)
ANSWERS = Parameter(4, "how many answers an open question has", minimum=2, maximum=16)
RATE = Parameter(0.2, "how often another answer than the own one is given", minimum=0.0, maximum=1.0)

DIMENSIONS = 32
"""Dimensions of drawn states."""


class DrawingModel(PlantedModel):
    """What the models that draw their answers have in common."""

    def options(self, request: Request, choices: Sequence[str] | None) -> list[Option]:
        """Returns what may be answered, sorted by content: the order in which options are shown makes no difference."""
        return sorted(options_of(request, choices, int(self.given.get("answers", 4))))

    def draw(self, count: int, *of: Any) -> int:
        """Returns one of ``count`` places, each as likely as another, the same for the same content."""
        return seed_of(self.name, self.given["seed"], *of) % count

    def chance(self, *of: Any) -> float:
        """Returns a uniform number in [0, 1), the same for the same content."""
        return seed_of(self.name, self.given["seed"], *of) / 2**63

    def own(self, request: Request, options: Sequence[Option]) -> int:
        """Returns the place of the example's own answer."""
        return self.draw(len(options), "own", *question_of(request))

    def rate_on(self, dataset: str) -> float:
        """Returns how often another answer than the own one is given on a data set."""
        return float(self.given["rate"])

    def slipped(self, own: int, count: int, *of: Any) -> int:
        """Returns the own place, or with probability ``rate`` one of the others; the data set comes first in ``of``."""
        if count < 2 or self.chance("slip", *of) >= self.rate_on(str(of[0])):
            return own
        return (own + 1 + self.draw(count - 1, "other", *of)) % count


class CoinFlipModel(DrawingModel):
    """Every example has an answer of its own; each wording replaces it by another with probability ``rate``, reruns repeat it.

    Truth: W = 0, B = F(rate, K) (see the module), N = 1 - 1/K or 1. Where all questions share the K answers,
    S = F / (1 - 1/K) = 1 - (1 - rate K / (K - 1))^2; where each has its own options, S = F.
    """

    name = "coin-flip"
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({"rate": RATE, "answers": ANSWERS, "seed": SEED})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the answer of this wording."""
        options = self.options(request, choices)
        return options[self.slipped(self.own(request, options), len(options), *question_of(request), wording_of(request))].said


class ByDatasetModel(CoinFlipModel):
    """A coin flip whose rate is another on data sets that are called ``..-b``.

    Truth: as for the coin flip, with ``rate`` or ``rate_b``. Two such models with rates the other way round change places between data
    sets; with the same rates on both they do not.
    """

    name = "by-dataset"
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType(
        {
            "rate": RATE,
            "rate_b": Parameter(0.2, "the rate on data sets that are called ..-b", minimum=0.0, maximum=1.0),
            "answers": ANSWERS,
            "seed": SEED,
        }
    )

    def rate_on(self, dataset: str) -> float:
        """Returns the rate on a data set."""
        return float(self.given["rate_b" if dataset.endswith("-b") else "rate"])


class RerunNoiseModel(DrawingModel):
    """Every sampled rerun replaces the example's own answer by another with probability ``rate``; wordings make no difference.

    Truth: sampled W = B = F(rate, K) in expectation, so S = 0 and wordings differ no more than reruns do. Greedy B = W = 0, S = 0.
    """

    name = "rerun-noise"
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({"rate": RATE, "answers": ANSWERS, "seed": SEED})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the answer of this rerun."""
        options = self.options(request, choices)
        own = self.own(request, options)
        if not request.temperature:
            return options[own].said
        rerun = (*question_of(request), wording_of(request), request.key.rerun, request.seed)
        return options[self.slipped(own, len(options), *rerun)].said


class _SteeredModel(DrawingModel):
    """Answer, state and certainty all follow from one content and nothing else."""

    capabilities: frozenset[Capability] = frozenset({"generate", "anchor_logprobs", "states"})
    parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({"answers": ANSWERS, "seed": SEED})

    def content(self, request: Request) -> tuple[str, ...]:
        """Returns what everything follows from."""
        raise NotImplementedError

    def certainty(self, request: Request) -> float:
        """Returns the probability of the anchor, a token."""
        return 0.1 + 0.8 * self.chance("certainty", *self.content(request))

    def anchor_logprob(self, request: Request, reply: str, anchor: str) -> float:
        """Returns the summed log-probability of the anchor."""
        return len(anchor.split()) * math.log(self.certainty(request))

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns one normal vector."""
        vector = generator(self.name, self.given["seed"], "state", *self.content(request)).standard_normal(DIMENSIONS)
        return (StateVector("last_prompt_token/block_1", 1, 1.0, tuple(vector.tolist())),)


class ExampleDrivenModel(_SteeredModel):
    """Answer, state and certainty depend on the example alone: no wording and no rerun makes a difference.

    Truth: B = W = 0 and N > 0 on every axis that is a distance, so S = 0 (N = 1 - 1/K or 1 for answers).
    """

    name = "example-driven"

    def content(self, request: Request) -> tuple[str, ...]:
        """Returns data set and example."""
        return question_of(request)

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the example's own answer."""
        options = self.options(request, choices)
        return options[self.own(request, options)].said


class TemplateDrivenModel(_SteeredModel):
    """Answer, state and certainty depend on the name of the wording alone (``format-xml``), not on the example.

    Truth: the null pairs responses of different examples under different wordings (METRICS 2.1). As all examples answer alike, each such
    pair is a pair of wordings as it stands in B too: N = B whatever the answers are, W = 0, and S = T = 1 exactly where every example has
    the same wordings: as different as unrelated questions. (A null within the same wording would be 0, one over all pairs B (V-1)/V, and
    B/N = V/(V-1) above 1.) If all wordings happen to agree it is the constant model: ``degenerate_null``.

    Options are chosen by their shown place. Where each question has options of its own, answers of different questions differ whatever
    the place: N = 1, and S = B, the share of pairs of wordings with different places.
    """

    name = "template-driven"

    def content(self, request: Request) -> tuple[str, ...]:
        """Returns the name of the wording."""
        return (wording_of(request),)

    def place(self, wording: str, count: int) -> int:
        """Returns which of ``count`` answers a wording gets."""
        return self.draw(count, "place", wording)

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the wording's answer."""
        options = options_of(request, choices, int(self.given["answers"]))
        return options[self.place(wording_of(request), len(options))].said
