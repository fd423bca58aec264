"""``echo``: it says what it was told."""

from __future__ import annotations

from collections.abc import Sequence

from sago.records import Capability, Request, StateVector
from sago.seeds import seed_of
from sago.testing.planted.base import PlantedModel, user_text

_DIMENSIONS = 16


class EchoModel(PlantedModel):
    """Replies with the user's text: mirroring is 1, and its words change exactly as the question's do.

    Truth: every distinctive word of a wording stands in its own reply (own = 1) and, being distinctive, in no other reply (sibling = 0).
    """

    name = "echo"
    capabilities: frozenset[Capability] = frozenset({"generate", "anchor_logprobs", "states"})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the user's text."""
        return user_text(request)

    def states(self, request: Request) -> tuple[StateVector, ...]:
        """Returns a bag of the prompt's words, hashed: like wordings are near each other, unrelated ones are not."""
        counts = [0.0] * _DIMENSIONS
        for word in user_text(request).lower().split():
            counts[seed_of("echo", word) % _DIMENSIONS] += 1.0
        return (StateVector("last_prompt_token/block_1", 1, 1.0, tuple(counts)),)
