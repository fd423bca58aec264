from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.models.local.tiny import CHAT, CONFIGS, network, open_tiny, request

from sago.models.local import budget as module
from sago.models.local.budget import Budget, bytes_of_token, cut, is_out_of_memory, tokens_that_fit
from sago.models.local.continuations import Continuation
from sago.models.local.forward import Network
from sago.models.local.scoring import plain_log_likelihood

CPU = torch.device("cpu")


@pytest.mark.parametrize("kind", sorted(CONFIGS))
def test_a_token_takes_its_keys_and_what_a_block_holds(kind: str) -> None:
    config = network(kind).config
    key_heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    kept = 4 * 2 * key_heads * size * config.num_hidden_layers
    assert kept < bytes_of_token(network(kind)) < kept + 4 * 20 * (config.hidden_size + 4 * 32)
    assert bytes_of_token(network(kind, torch.bfloat16)) * 2 == bytes_of_token(network(kind))


def test_the_budget_follows_the_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    model = network("llama")
    monkeypatch.setattr(module, "free_memory", lambda device: 4000 * bytes_of_token(model))
    assert tokens_that_fit(model, CPU) == 1000
    monkeypatch.setattr(module, "free_memory", lambda device: 0)
    assert tokens_that_fit(model, CPU) == module.LEAST
    monkeypatch.setattr(module, "free_memory", lambda device: None)
    assert tokens_that_fit(model, CPU) == module.MOST_ON_CPU


def test_this_machine_tells_its_free_memory() -> None:
    free = module.free_memory(CPU)
    assert free is None or free > 1 << 20


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_what_is_out_of_memory(error: Exception) -> None:
    assert is_out_of_memory(error)
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


def test_out_of_memory_halves_the_budget_says_so_and_loses_nothing(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    model = open_tiny(batch_size=16, batch_tokens=400)
    asked = [request(f"{text} {text} {text}:", example=text) for text in "abcdefgh"]
    whole = {one.key: one.response for one in model.observe(asked)}
    read = Network.read

    def needs_memory(self: Network, prompts: Any, *given: Any) -> Any:
        if sum(map(len, prompts)) > 30:
            raise torch.OutOfMemoryError("out of memory")
        return read(self, prompts, *given)

    monkeypatch.setattr(Network, "read", needs_memory)
    assert {one.key: one.response for one in model.observe(asked)} == whole
    assert model._budget.tokens < 400
    assert "out of memory; from here on at most" in caplog.text


def test_a_budget_has_an_end() -> None:
    budget = Budget(2 * module.LEAST + 1)
    assert budget.halve("tiny")
    assert not budget.halve("tiny")
    assert budget.tokens == module.LEAST


@pytest.mark.parametrize(("where", "kept"), [("left", [3, 4, 5, 6]), ("middle", [1, 2, 5, 6])])
def test_cutting(where: str, kept: list[int]) -> None:
    assert cut([1, 2, 3, 4, 5, 6], 4, where) == kept
    assert cut([1, 2], 4, where) == [1, 2]


@pytest.mark.parametrize("template", [None, CHAT], ids=["plain", "chat"])
@pytest.mark.parametrize("where", ["left", "middle"])
def test_a_prompt_is_cut_only_where_that_was_asked_for_and_it_is_recorded(where: Any, template: str | None) -> None:
    long = request("b" * 300 + ":", choices=("A", "B and"), wants_anchor=True, anchor="C D")
    asked = [long, request("a:", example="2", choices=("A", "B"))]
    refused, short = sorted(open_tiny("llama", template).observe(asked), key=lambda one: one.key.example)
    assert (refused.status, short.status) == ("too_long", "truncated")
    model = open_tiny("llama", template, truncate=where)
    found, untouched = sorted(model.observe(asked), key=lambda one: one.key.example)
    assert found.prompt_tokens == 250
    whole = model._prompts.encode(model._prompts.render(long.messages))
    assert found.error == f"prompt cut ({where}): 250 of its {len(whole)} tokens were read"
    assert untouched.error is None
    assert untouched.choice_logprobs == pytest.approx(short.choice_logprobs, abs=1e-4)
    assert model._network is not None
    assert found.choice_token_ids is not None
    assert found.choice_logprobs is not None
    for tokens, value in zip(found.choice_token_ids, found.choice_logprobs, strict=True):
        alone = plain_log_likelihood(model._network, Continuation(tuple(cut(whole, 250, where)), tokens))
        assert value == pytest.approx(alone, abs=1e-4)
    assert found.anchor_logprob is not None
