from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tests.models.local.tiny import request

from sago.models.local.grouping import PADDED_TOKENS, PromptGroup, batches, windows
from sago.records import Request


def group(example: str, length: int, variant: str = "canonical", batch_group: int = 0) -> PromptGroup:
    return PromptGroup([request("", example=example, variant=variant, batch_group=batch_group)], ids=[0] * length)


def names(groups: Sequence[PromptGroup]) -> list[str]:
    return [f"{one.example[1]}/{one.requests[0].key.variant}" for one in groups]


def test_examples_of_similar_length_go_together_and_canonical_prompts_first() -> None:
    given = [group("long", 40), group("long", 50, "typo-1"), group("short", 5, "typo-1"), group("short", 4)]
    assert [names(batch) for batch in batches(given, 2)] == [["short/canonical", "short/typo-1"], ["long/canonical", "long/typo-1"]]


def test_padded_tokens_are_capped() -> None:
    given = [group(str(number), PADDED_TOKENS // 2) for number in range(3)]
    assert [len(batch) for batch in batches(given, 16)] == [2, 1]
    assert [len(batch) for batch in batches([group("1", 2 * PADDED_TOKENS)], 16)] == [1]


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
