"""What was found out about a request, put together as an observation."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sago.models.local.generation import Row
from sago.models.local.grouping import PromptGroup
from sago.models.local.prompts import PromptMaker
from sago.models.local.replies import Reply
from sago.records import Observation, Request, StateVector

ANCHOR = -1
"""Slot of the anchor; slot k >= 0 is choice k."""


@dataclass(slots=True)
class Findings:
    """Everything about one request, while its batch is being worked on.

    Attributes:
        row: The response as tokens.
        reply: The response as text.
        states: Pooled hidden states.
        notes: Why something that was asked for is null.
        scores: Slot -> scored tokens and their log-likelihood.
    """

    row: Row
    reply: Reply
    states: tuple[StateVector, ...] = ()
    notes: list[str] = field(default_factory=list)
    scores: dict[int, tuple[tuple[int, ...], float]] = field(default_factory=dict)

    def wanted(self, canonical: str | None) -> Iterator[tuple[int, str]]:
        """Yields slot and text of everything to score.

        Args:
            canonical: The canonical response, where the request does not bring its anchor with it.
        """
        request = self.row.request
        yield from enumerate(request.choices or ())
        anchor = canonical if request.anchor is None else request.anchor
        if request.wants_anchor and anchor is not None and anchor.strip():
            yield ANCHOR, anchor

    def score(self, slot: int, tokens: tuple[int, ...], value: float) -> None:
        """Takes down a log-likelihood; one that is not finite is a reason, not a value."""
        if math.isfinite(value):
            self.scores[slot] = (tokens, value)
        else:
            self.miss(slot, "minus_inf" if value == -math.inf else "non_finite")

    def add_states(self, states: tuple[StateVector, ...], broken: Sequence[str]) -> None:
        """Takes down states, and which tap points had none that is finite."""
        self.states = (*self.states, *states)
        self.notes += [f"non_finite: {tap}" for tap in broken]

    def miss(self, slot: int, why: str) -> None:
        """Takes down why something has no log-likelihood."""
        self.notes.append(f"{'anchor' if slot == ANCHOR else f'choice {slot + 1}'}: {why}")


@dataclass(frozen=True, slots=True)
class Assembly:
    """What the observations of one batch have in common.

    Attributes:
        batch_size: Prompts that shared the pass.
        seconds: Wall time of the batch divided by its observations.
    """

    batch_size: int
    seconds: float

    def observation(self, group: PromptGroup, found: Findings) -> Observation:
        """Returns the observation of one request. Choices are null as a whole where one of them has no value: a share needs them all."""
        row, reply, request = found.row, found.reply, found.row.request
        choices = [found.scores[slot] for slot in range(len(request.choices or ())) if slot in found.scores]
        complete = bool(choices) and len(choices) == len(request.choices or ())
        anchor = found.scores.get(ANCHOR)
        logprobs = tuple(min(value, 0.0) for value in row.logprobs)
        return Observation(
            key=request.key,
            status=reply.status,
            response=reply.response,
            reasoning=reply.reasoning,
            finish_reason=row.finish_reason,
            error="; ".join(found.notes) or None,
            response_token_ids=tuple(row.tokens),
            token_logprobs=logprobs if all(map(math.isfinite, row.logprobs)) else None,
            # The two float32 terms of a log-probability of 1 may differ in their last digit.
            choice_logprobs=tuple(min(value, 0.0) for _, value in choices) if complete else None,
            choice_token_ids=tuple(tokens for tokens, _ in choices) if complete else None,
            anchor_logprob=None if anchor is None else min(anchor[1], 0.0),
            anchor_tokens=None if anchor is None else len(anchor[0]),
            prompt_tokens=len(group.ids),
            prompt_hash=prompt_hash(group.ids),
            batch_size=self.batch_size,
            seconds=self.seconds,
            states=found.states,
        )


def failed(request: Request, error: Exception) -> Observation:
    """Returns the observation of a request that raised."""
    message = str(error).strip().split("\n")[0]
    return Observation(key=request.key, status="error", error=f"{type(error).__name__}: {message}")


def encode(group: PromptGroup, prompts: PromptMaker) -> Iterator[Observation]:
    """Renders and encodes a group's prompt; where that fails, yields the observations of its requests and takes them out."""
    try:
        group.prompt = prompts.render(group.requests[0].messages)
        group.ids = group.whole = prompts.encode(group.prompt)
    except Exception as error:  # noqa: BLE001 - whatever a template or a tokenizer raises belongs to this prompt alone
        yield from (failed(request, error) for request in group.requests)
        group.requests = []


def too_long(request: Request, ids: Sequence[int], context: int) -> Observation:
    """Returns the observation of a request that does not fit into the context: never cut, never guessed."""
    return Observation(
        key=request.key,
        status="too_long",
        error=f"{len(ids)} prompt tokens and {request.max_new_tokens} new ones do not fit into a context of {context}",
        prompt_tokens=len(ids),
        prompt_hash=prompt_hash(ids),
    )


def prompt_hash(ids: Sequence[int]) -> str:
    """Returns the sha256 of some token ids."""
    return hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()
