from __future__ import annotations

import pytest
import torch
from tests.models.local.tiny import CONFIGS, network

from sago.models.local.states import blocks_of, layers_at, state_vectors


@pytest.mark.parametrize(
    ("depths", "blocks", "expected"),
    [
        ((0.25, 0.5, 0.75, 1.0), 30, (8, 15, 23, 30)),
        ((0.25, 0.5, 0.75, 1.0), 2, (1, 2)),
        ((0.0, 1.0), 12, (0, 12)),
        ((1.0, 0.0), 4, (4, 0)),
    ],
)
def test_layers(depths: tuple[float, ...], blocks: int, expected: tuple[int, ...]) -> None:
    assert layers_at(depths, blocks) == expected


@pytest.mark.parametrize("kind", sorted(CONFIGS))
def test_blocks_are_found(kind: str) -> None:
    assert len(blocks_of(network(kind))) == 4


def test_a_state_that_is_not_finite_is_left_out_and_named() -> None:
    vectors, broken = state_vectors({1: torch.tensor([[1.0, 2.0]]), 2: torch.tensor([[float("nan"), 0.0]])}, 0, 4)
    assert [(one.tap, one.depth, one.vector) for one in vectors] == [("last_prompt_token/block_1", 0.25, (1.0, 2.0))]
    assert broken == ["last_prompt_token/block_2"]
