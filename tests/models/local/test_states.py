from __future__ import annotations

import pytest
import torch
from tests.models.local.tiny import CHAT, CONFIGS, network, open_tiny, request

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


ASKED = [("a:", "1"), ("a b c x:", "2"), ("a b c y and:", "3")]


@pytest.mark.parametrize("kind", sorted(CONFIGS))
def test_taps_are_what_plain_passes_give(kind: str) -> None:
    """The mean over a response, and the state behind the final norm, against ``output_hidden_states`` of each text alone."""
    model = open_tiny(kind, CHAT, batch_size=3, taps=("last_prompt_token", "final", "response_mean"), depths=(0.5, 1.0))
    assert model._network is not None
    assert model._network.shares_tokens
    for one in model.observe([request(text, example=name, wants_states=True) for text, name in ASKED]):
        text = next(text for text, name in ASKED if name == one.key.example)
        ids = model._prompts.encode(model._prompts.render(request(text).messages))
        said = list(one.response_token_ids or ())
        assert said
        with torch.inference_mode():
            hidden = network(kind)(input_ids=torch.tensor([[*ids, *said]]), output_hidden_states=True, use_cache=False).hidden_states
        found = {state.tap: torch.tensor(state.vector) for state in one.states}
        expected = {
            "last_prompt_token/block_2": hidden[2][0, len(ids) - 1],
            "last_prompt_token/final": hidden[4][0, len(ids) - 1],  # transformers gives the last block's output behind the norm
            "response_mean/block_2": hidden[2][0, len(ids) :].mean(0),
        }
        assert found.keys() == {*expected, "last_prompt_token/block_4", "response_mean/block_4"}
        for tap, vector in expected.items():
            assert float((found[tap] - vector).abs().max()) <= 1e-4 * float((vector**2).mean().sqrt()), tap


def test_a_response_without_a_token_has_no_mean_and_says_so() -> None:
    model = open_tiny("llama", CHAT, taps=("response_mean",))
    asked = request("a:", wants_states=True, max_new_tokens=6)
    assert model._network is not None
    model._generator._ends = frozenset(range(model._network.vocabulary))
    (found,) = model.observe([asked])
    assert found.states == ()
    assert "response_mean: the response has no token" in str(found.error)
