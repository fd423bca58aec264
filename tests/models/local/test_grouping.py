from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tests.models.local.tiny import request

from sago.models.local.budget import Budget
from sago.models.local.grouping import PromptGroup, windows
from sago.models.local.grouping import batches as batches_of
from sago.records import Request


def group(example: str, length: int, variant: str = "canonical", batch_group: int = 0) -> PromptGroup:
    return PromptGroup([request("", example=example, variant=variant, batch_group=batch_group)], ids=[0] * length)


def batches(groups: Sequence[PromptGroup], size: int, tokens: int = 8192) -> list[list[PromptGroup]]:
    return list(batches_of(groups, size, Budget(tokens), shares_tokens=False))


def names(groups: Sequence[PromptGroup]) -> list[str]:
    return [f"{one.example[1]}/{one.requests[0].key.variant}" for one in groups]


def test_examples_of_similar_length_go_together_and_canonical_prompts_first() -> None:
    given = [group("long", 40), group("long", 50, "typo-1"), group("short", 5, "typo-1"), group("short", 4)]
    assert [names(batch) for batch in batches(given, 2)] == [["short/canonical", "short/typo-1"], ["long/canonical", "long/typo-1"]]


def test_padded_tokens_are_capped() -> None:
    given = [group(str(number), 50) for number in range(3)]
    assert [len(batch) for batch in batches(given, 16, 100)] == [2, 1]
    assert [len(batch) for batch in batches([group("1", 200)], 16, 100)] == [1]


def test_tokens_in_common_are_counted_once_where_they_are_shared() -> None:
    given = [PromptGroup([request("", variant=f"v{number}")], ids=[*range(80), 100 + number]) for number in range(30)]
    sizes = [len(batch) for batch in batches_of(given, 64, Budget(100), shares_tokens=True)]
    assert sizes == [20, 10]  # 81 tokens, and one for each prompt behind the first
    assert [len(batch) for batch in batches_of(given, 64, Budget(100), shares_tokens=False)] == [1] * 30


def test_a_budget_may_shrink_while_batches_are_taken() -> None:
    budget = Budget(400)
    sizes = []
    for batch in batches_of([group(str(number), 100) for number in range(6)], 16, budget, shares_tokens=False):
        sizes.append(len(batch))
        budget.halve("tiny")
    assert sizes == [4, 2]


def test_windows_hold_whole_examples() -> None:
    asked: list[Request] = []
    for number in range(12):
        asked += [request("", example=str(number)), request("", example=str(number), variant="typo-1")]
    found = [[one.example[1] for one in window] for window in windows(asked, 1)]
    assert [len(window) for window in found] == [8, 8, 8]
    assert not any(set(one) & set(other) for one, other in pairwise(found))


def test_the_decodings_of_a_variant_share_a_group_and_the_audit_has_its_own() -> None:
    asked = [request(""), request("", decoding="sampled"), request("", decoding="audit", batch_group=1)]
    ((first, second),) = windows(asked, 4)
    assert [len(first.requests), len(second.requests)] == [2, 1]
