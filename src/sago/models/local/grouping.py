"""Requests to batches: which calls share one pass over their prompt, and which prompts go through together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sago.models.local.budget import Budget
from sago.models.local.continuations import Continuation
from sago.models.local.prompts import Prompt
from sago.models.local.tree import common_length
from sago.records import Request

BATCHES_AHEAD = 8
"""Prompts are sorted by length within about this many batches: less padding, bounded memory."""


@dataclass(slots=True)
class PromptGroup:
    """All requests that put the same variant to the model in the same batch make-up: one prompt, one pass."""

    requests: list[Request]
    prompt: Prompt | None = None
    ids: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    """Token ids before the prompt was cut to fit; the same list as ``ids`` where it was not."""
    continuations: dict[str, Continuation | str] = field(default_factory=dict)
    """Text to be scored -> its tokens, or why it has none."""

    @property
    def example(self) -> tuple[str, str]:
        """Dataset and example."""
        key = self.requests[0].key
        return key.dataset, key.example

    @property
    def is_plain(self) -> bool:
        """Whether the prompt is plain text, without a chat template."""
        return self.prompt is not None and self.prompt.is_plain

    @property
    def batch_group(self) -> int:
        """Groups of different numbers never share a batch."""
        return self.requests[0].batch_group


def windows(requests: Sequence[Request], batch_size: int) -> Iterator[list[PromptGroup]]:
    """Yields groups of whole examples, about ``BATCHES_AHEAD`` batches at a time."""
    groups: dict[tuple[str, str, str, int], PromptGroup] = {}
    example: tuple[str, str] | None = None
    for request in requests:
        mine = (request.key.dataset, request.key.example)
        if mine != example and len(groups) >= BATCHES_AHEAD * batch_size:
            yield list(groups.values())
            groups = {}
        example = mine
        groups.setdefault((*mine, request.key.variant, request.batch_group), PromptGroup([])).requests.append(request)
    if groups:
        yield list(groups.values())


def batches(groups: Sequence[PromptGroup], batch_size: int, budget: Budget, *, shares_tokens: bool) -> Iterator[list[PromptGroup]]:
    """Yields batches: examples of similar length side by side, each example's canonical prompt before or among its others.

    Group 0 comes first, since the canonical response is the anchor of the others; group g has batches of ``batch_size / (g + 1)``.

    Args:
        groups: What is to be read.
        batch_size: Most prompts of a batch.
        budget: Most tokens of a batch; may shrink while batches are taken.
        shares_tokens: Whether tokens that a prompt has in common with the one before it cost nothing; else padding costs as well.
    """
    longest: dict[tuple[str, str], int] = {}
    for group in groups:
        longest[group.example] = max(longest.get(group.example, 0), len(group.ids))
    ordered = sorted(groups, key=lambda group: (group.batch_group, longest[group.example], group.example, not _has_canonical(group)))
    batch: list[PromptGroup] = []
    tokens = width = 0
    for group in ordered:
        width = max(width, len(group.ids))
        added = len(group.ids) - (common_length(batch[-1].ids, group.ids) if batch else 0)
        cost = tokens + added if shares_tokens else (len(batch) + 1) * width
        full = len(batch) >= max(1, batch_size // (group.batch_group + 1)) or cost > budget.tokens
        if batch and (full or batch[0].batch_group != group.batch_group):
            yield batch
            batch = []
            tokens, width, added = 0, len(group.ids), len(group.ids)
        batch.append(group)
        tokens += added
    if batch:
        yield batch


def _has_canonical(group: PromptGroup) -> bool:
    return any(request.is_canonical for request in group.requests)
