from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.local.tiny import CONFIGS, network
from transformers import AttentionInterface, AutoModelForCausalLM

from sago.models.local import attention
from sago.models.local.continuations import Continuation
from sago.models.local.forward import Network
from sago.models.local.scoring import log_likelihoods, plain_log_likelihood
from sago.models.local.tree import distinct_tokens, tree_of

KINDS = sorted(CONFIGS)
_PROMPTS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=1, max_size=6)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(_PROMPTS)
def test_a_tree_holds_every_beginning_once(prompts: list[list[int]]) -> None:
    tree = tree_of(prompts)
    assert len(tree) == distinct_tokens(prompts) == len({tuple(prompt[:end]) for prompt in prompts for end in range(1, len(prompt) + 1)})
    for prompt, path in zip(prompts, tree.paths, strict=True):
        assert tree.tokens[path].tolist() == prompt
        assert tree.positions[path].tolist() == list(range(len(prompt)))
        assert tree.parents[path].tolist() == [-1, *path[:-1].tolist()]


def _texts(kind: str) -> list[list[int]]:
    """Prompts of 5 to 30 tokens with beginnings in common, longer than the window of Gemma (6); one is another's beginning, one alone."""
    rng = np.random.default_rng(5)
    head = rng.integers(3, 200, 18).tolist()
    tails = [rng.integers(3, 200, size).tolist() for size in (1, 7, 12)]
    return [head, head[:5], *[head + tail for tail in tails], head[:9] + tails[1], tails[2]]


@pytest.mark.parametrize("kind", KINDS)
class TestNumbers:
    def test_prompts_choices_and_states_are_those_of_each_prompt_alone(self, kind: str) -> None:
        net = Network(network(kind))
        assert net.shares_tokens
        texts = _texts(kind)
        behind = [(row, tokens) for row in range(len(texts)) for tokens in ((7,), (7, 9), (7, 9, 11), (8, 8, 8, 8))]
        layers = (0, 1, 3, 4)
        prefix = net.read(texts, layers, behind)
        assert set(prefix.scored) == set(behind), "read as a tree"
        for row, text in enumerate(texts):
            assert prefix.logits[row].log_softmax(-1).numpy() == pytest.approx(net.plain(text)[-1].log_softmax(-1).numpy(), abs=1e-4)
            alone = net.read_rows([text], layers)
            for layer in layers:
                mine, theirs = prefix.pooled[layer][row], alone.pooled[layer][0]
                assert float((mine - theirs).abs().max()) <= 1e-4 * math.sqrt(float((theirs**2).mean()))
        for (row, tokens), value in prefix.scored.items():
            assert value == pytest.approx(plain_log_likelihood(net, Continuation(tuple(texts[row]), tokens)), abs=1e-4)

    def test_what_follows_is_that_of_each_prompt_alone(self, kind: str) -> None:
        """Ten tokens go on behind each row: beyond the window, from keys that were laid out anew."""
        net = Network(network(kind))
        texts = _texts(kind)
        prefix = net.read(texts).select(range(len(texts)))
        more = np.random.default_rng(6).integers(3, 200, 10).tolist()
        for step, token in enumerate(more, start=1):
            ids = torch.full((len(texts), 1), token)
            logits = net.extend(prefix, ids, torch.ones_like(ids))[:, -1].float().log_softmax(-1)
            for row, text in enumerate(texts):
                assert logits[row].numpy() == pytest.approx(net.plain([*text, *more[:step]])[-1].log_softmax(-1).numpy(), abs=1e-4)

    def test_it_gives_what_padded_rows_give(self, kind: str) -> None:
        net = Network(network(kind))
        texts = _texts(kind)
        tree, rows = net.read(texts), net.read_rows(texts)
        items = [Continuation(tuple(text), (7, 9, 11)) for text in texts]
        one, other = (log_likelihoods(net, prefix, range(len(texts)), items) for prefix in (tree, rows))
        assert one == pytest.approx(other, abs=1e-4)


def test_a_window_that_no_layer_uses_hides_nothing() -> None:
    config = CONFIGS["gemma3"]()
    config.layer_types = ["full_attention"] * config.num_hidden_layers
    torch.manual_seed(7)
    net = Network(AutoModelForCausalLM.from_config(config).eval())
    texts = _texts("gemma3")
    logits = net.read_tree(tree_of(texts), len(texts)).logits
    for row, text in enumerate(texts):
        assert logits[row].log_softmax(-1).numpy() == pytest.approx(net.plain(text)[-1].log_softmax(-1).numpy(), abs=1e-4)


def test_prompts_with_nothing_in_common_are_read_as_rows() -> None:
    net = Network(network("llama"))
    prefix = net.read([[5, 6, 7, 8], [9, 10, 11, 12]], (), [(0, (7, 9))])
    assert prefix.scored == {}


def test_an_architecture_that_takes_no_plan_is_read_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise NotImplementedError("no such attention")

    monkeypatch.setitem(AttentionInterface._global_mapping, attention.NAME, refuses)
    net = Network(network("llama"))
    assert not net.shares_tokens
    assert net.read([[5, 6, 7], [5, 6, 8]]).logits.shape[0] == 2
    assert net._model.config._attn_implementation == "sdpa"


@pytest.mark.parametrize("wrong", [attention._read, attention._go_on], ids=["reading", "going on"])
def test_an_architecture_whose_numbers_a_tree_would_change_is_read_row_by_row(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, wrong.__name__, lambda *given: wrong(*given) * 1.01)
    assert not Network(network("llama")).shares_tokens


def test_more_logits_than_memory_allows_are_scored_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sago.models.local.forward.LOGIT_BYTES", 4 * network("llama").config.vocab_size * 4)
    net = Network(network("llama"))
    prefix = net.read([[5, 6, 7], [5, 6, 8]], (), [(0, (7, 9)), (1, (7, 9, 11))])
    assert prefix.scored == {}
