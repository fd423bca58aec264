from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import torch
from tests.models.local.tiny import CHAT, CONFIGS, network, open_tiny, request, tokenizer

from sago.errors import ModelError
from sago.models.local.engine import LocalModel
from sago.models.local.forward import Network
from sago.records import Observation, Request
from sago.testing.model_check import check_model

KINDS = sorted(CONFIGS)
TEXTS = {3: "a:", 9: "a b c x:", 17: "a longer prompt: "}
"""Prompts of 3, 9 and 17 or so tokens; Gemma's window is 6, so the longer ones reach beyond it."""


def requests_of(texts: Iterable[str], **given: Any) -> list[Request]:
    asked = []
    for number, text in enumerate(texts):
        choices = ("A", "B and", "C", "AB", "A B C D")
        asked.append(request(text, example=str(number), choices=choices, wants_anchor=True, wants_states=True, **given))
        sampled: dict[str, Any] = {"example": str(number), "decoding": "sampled", "temperature": 0.8, **given}
        asked += [request(text, rerun=rerun, seed=100 * number + rerun, **sampled) for rerun in range(2)]
    return asked


def by_key(observations: Iterable[Observation]) -> dict[Any, Observation]:
    return {one.key: one for one in observations}


def known(value: float | None) -> float:
    """Returns a log-probability, which a local model always gives."""
    assert value is not None
    return value


def numbers_of(observation: Observation) -> list[float]:
    anchor = [] if observation.anchor_logprob is None else [observation.anchor_logprob]
    return [*map(known, observation.token_logprobs or ()), *map(known, observation.choice_logprobs or ()), *anchor]


def assert_same(one: dict[Any, Observation], other: dict[Any, Observation]) -> None:
    assert one.keys() == other.keys()
    for key, mine in one.items():
        theirs = other[key]
        assert (mine.status, mine.response, mine.response_token_ids) == (theirs.status, theirs.response, theirs.response_token_ids)
        assert numbers_of(mine) == pytest.approx(numbers_of(theirs), abs=1e-4)
        for state, twin in zip(mine.states, theirs.states, strict=True):
            vector = np.array(state.vector)
            assert state.tap == twin.tap
            assert np.abs(vector - twin.vector).max() <= 1e-4 * math.sqrt(float(np.mean(vector**2)))


def plain_logprob(kind: str, context: list[int], tokens: tuple[int, ...]) -> float:
    """The sum by the longest way round: one pass without kept keys for every token."""
    total, ids = 0.0, list(context)
    for token in tokens:
        with torch.inference_mode():
            logits = network(kind)(input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1]
        total += float(logits.float().log_softmax(-1)[token])
        ids.append(token)
    return total


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("template", [None, CHAT], ids=["plain", "chat"])
def test_batch_size_changes_no_number(kind: str, template: str | None) -> None:
    asked = requests_of(TEXTS.values())
    alone = by_key(open_tiny(kind, template, batch_size=1).observe(asked))
    together = by_key(open_tiny(kind, template, batch_size=3).observe(asked))
    assert {one.batch_size for one in together.values()} == {3}
    assert {one.batch_size for one in alone.values()} == {1}
    assert_same(alone, together)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("template", [None, CHAT], ids=["plain", "chat"])
def test_choices_anchor_and_tokens_equal_the_one_by_one_pass(kind: str, template: str | None) -> None:
    model = open_tiny(kind, template, batch_size=3)
    for text, observation in zip(TEXTS.values(), list(model.observe(requests_of(TEXTS.values())))[::3], strict=True):
        maker = model._prompts
        prompt = maker.render(request(text).messages)
        ids = maker.encode(prompt)
        assert observation.choice_token_ids is not None
        assert observation.choice_logprobs is not None
        for tokens, value in zip(observation.choice_token_ids, observation.choice_logprobs, strict=True):
            # The context of a plain prompt that ends in a space is the prompt without it.
            context = maker.encode(maker.stripped(prompt))
            assert value == pytest.approx(plain_logprob(kind, context, tokens), abs=1e-4)
        assert observation.token_logprobs is not None
        assert observation.response_token_ids is not None
        assert sum(map(known, observation.token_logprobs)) == pytest.approx(
            plain_logprob(kind, ids, observation.response_token_ids), abs=1e-4
        )


@pytest.mark.parametrize("kind", KINDS)
def test_anchor_is_the_canonical_response_under_each_prompt(kind: str) -> None:
    model = open_tiny(kind, CHAT, batch_size=2)
    asked = [
        request("a b and", wants_anchor=True),
        request("a b and c", variant="typo-1", wants_anchor=True),
        request("a b and", variant="identity", wants_anchor=True, batch_group=1),
    ]
    found = {one.key.variant: one for one in model.observe(asked)}
    anchor = found["canonical"].response
    assert anchor is not None
    for variant, text in (("canonical", "a b and"), ("typo-1", "a b and c"), ("identity", "a b and")):
        prompt = model._prompts.render(request(text).messages)
        ids, whole = model._prompts.encode(prompt), model._prompts.encode(prompt, anchor)
        assert whole[: len(ids)] == ids
        assert found[variant].anchor_tokens == len(whole) - len(ids)
        assert found[variant].anchor_logprob == pytest.approx(plain_logprob(kind, ids, tuple(whole[len(ids) :])), abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_greedy_equals_generate(kind: str) -> None:
    model = open_tiny(kind, CHAT, batch_size=3)
    asked = [request(text, example=text, max_new_tokens=24) for text in TEXTS.values()]
    for text, observation in zip(TEXTS.values(), model.observe(asked), strict=True):
        ids = model._prompts.encode(model._prompts.render(request(text).messages))
        with torch.inference_mode():
            made = network(kind).generate(torch.tensor([ids]), max_new_tokens=24, do_sample=False, pad_token_id=0, eos_token_id=2)
        expected = [token for token in made[0, len(ids) :].tolist() if token != 2]
        assert list(observation.response_token_ids or ()) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_states_are_block_outputs_before_the_final_norm(kind: str) -> None:
    model = open_tiny(kind, CHAT, batch_size=3, depths=(0.0, 0.5, 1.0))
    seen: list[torch.Tensor] = []
    assert model._network is not None
    blocks = model._network.blocks
    asked = [request(text, example=text, wants_states=True) for text in TEXTS.values()]
    for text, observation in zip(TEXTS.values(), model.observe(asked), strict=True):
        ids = model._prompts.encode(model._prompts.render(request(text).messages))
        handle = blocks[-1].register_forward_hook(lambda m, a, out: seen.append(out[0] if isinstance(out, tuple) else out))
        with torch.inference_mode():
            hidden = network(kind)(input_ids=torch.tensor([ids]), output_hidden_states=True, use_cache=False).hidden_states
        handle.remove()
        expected = [hidden[0][0, -1], hidden[2][0, -1], seen.pop()[0, -1]]
        assert [(state.tap, state.layer, state.depth) for state in observation.states] == [
            ("last_prompt_token/embeddings", 0, 0.0),
            ("last_prompt_token/block_2", 2, 0.5),
            ("last_prompt_token/block_4", 4, 1.0),
        ]
        for state, vector in zip(observation.states, expected, strict=True):
            scale = float(vector.square().mean().sqrt())
            assert np.abs(np.array(state.vector) - vector.numpy()).max() <= 1e-4 * scale


@pytest.mark.parametrize("pad", [{}, {"pad_token": "</s>"}, {"pad_token": "<unk>"}], ids=["none", "eos", "unk"])
def test_the_pad_token_makes_no_difference(pad: dict[str, str]) -> None:
    asked = requests_of(["a a a </s> a:", "a:", "b"])
    reference = by_key(open_tiny("llama", None, tokenizer(None), batch_size=1).observe(asked))
    assert_same(reference, by_key(open_tiny("llama", None, tokenizer(None, **pad), batch_size=3).observe(asked)))


@pytest.mark.parametrize(("group", "expected"), [(0, 6), (1, 3), (2, 2), (9, 1)])
def test_the_batch_group_sets_the_batch_size(group: int, expected: int) -> None:
    model = open_tiny(batch_size=6)
    sizes = [one.batch_size for one in model.observe([request("a:", example=str(n), batch_group=group) for n in range(6)])]
    assert sizes == [expected] * 6


def test_groups_never_share_a_batch() -> None:
    model = open_tiny(batch_size=8)
    asked = [request("a:"), request("a:", decoding="audit", batch_group=1), request("a:", decoding="audit", rerun=1, batch_group=2)]
    assert [one.batch_size for one in model.observe(asked)] == [1, 1, 1]


def test_reruns_share_the_pass_of_their_greedy_request() -> None:
    model = open_tiny(batch_size=4)
    assert [one.batch_size for one in model.observe(requests_of(["a:", "b:"]))] == [2] * 6


def test_too_long_is_never_cut_and_costs_nobody_else() -> None:
    model = open_tiny(batch_size=4)
    asked = [request("a:", example="1"), request("x" * 300 + ":", example="2", choices=("A",), wants_anchor=True, wants_states=True)]
    short, long = sorted(model.observe(asked), key=lambda one: one.key.example)
    assert short.status == "truncated"
    assert (long.status, long.response, long.choice_logprobs, long.anchor_logprob, long.states) == ("too_long", None, None, None, ())
    assert long.prompt_tokens == 302
    assert "context of 256" in str(long.error)


def test_the_last_prompt_that_fits_is_observed() -> None:
    model = open_tiny()
    statuses = [next(iter(model.observe([request("x" * length + ":", max_new_tokens=6)]))).status for length in (248, 249)]
    assert statuses == ["truncated", "too_long"]


@pytest.mark.parametrize("bad", ["", "  "])
def test_an_empty_choice_empties_its_row_only(bad: str) -> None:
    model = open_tiny(batch_size=2)
    asked = [request("a:", example="1", choices=("A", bad)), request("a:", example="2", choices=("A", "B"))]
    one, other = sorted(model.observe(asked), key=lambda found: found.key.example)
    assert (one.choice_logprobs, one.choice_token_ids, one.error, one.status) == (None, None, "choice 2: is empty", "truncated")
    assert other.choice_logprobs is not None
    assert other.error is None


def test_no_anchor_without_a_canonical_response() -> None:
    model = open_tiny()
    (found,) = model.observe([request("a:", variant="typo-1", wants_anchor=True)])
    assert (found.anchor_logprob, found.anchor_tokens, found.error) == (None, None, None)


def test_a_given_anchor_is_used() -> None:
    model = open_tiny()
    anchored = request("a:", variant="typo-1", wants_anchor=True, anchor="A B")
    given, told = model.observe([anchored, request("a:", example="2", choices=("A B",))])
    assert told.choice_logprobs is not None
    assert given.anchor_logprob == pytest.approx(told.choice_logprobs[0], abs=1e-5)


def test_a_prompt_that_fails_is_an_error_and_the_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    model = open_tiny(batch_size=4)
    assert model._network is not None
    read = model._network.read

    def fails_on_z(prompts: Any, *rest: Any) -> Any:
        if any(prompt[1] == prompts_of_z[1] for prompt in prompts):
            raise RuntimeError("out of luck\nand a long tail")
        return read(prompts, *rest)

    prompts_of_z = model._prompts.encode(model._prompts.render(request("z:").messages))
    monkeypatch.setattr(model._network, "read", fails_on_z)
    found = {one.key.example: one for one in model.observe([request(text + ":", example=text) for text in "abzd"])}
    assert {name: one.status for name, one in found.items()} == {"a": "truncated", "b": "truncated", "z": "error", "d": "truncated"}
    assert found["z"].error == "RuntimeError: out of luck"


def test_half_a_surrogate_pair_is_an_error_of_its_own() -> None:
    found = {one.key.example: one for one in open_tiny().observe([request("\ud800:", example="1"), request("a:", example="2")])}
    assert (found["1"].status, found["2"].status) == ("error", "truncated")
    assert "surrogates not allowed" in str(found["1"].error)


@pytest.mark.parametrize("template", [None, CHAT], ids=["plain", "chat"])
def test_conforms(template: str | None) -> None:
    check_model(open_tiny("llama", template, batch_size=3))


def test_close_twice_then_refuse() -> None:
    model = open_tiny()
    model.close()
    model.close()
    with pytest.raises(ModelError, match="was closed"):
        list(model.observe([request("a:")]))


def test_padding_that_leaks_means_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Network, "_padding_is_harmless", lambda self: False)
    model: LocalModel = open_tiny(batch_size=8)
    assert [one.batch_size for one in model.observe([request("a:"), request("b:", example="2")])] == [1, 1]
    assert any("one by one" in note for note in model.describe().notes)


def test_the_same_prompt_has_the_same_hash_and_another_has_not() -> None:
    model = open_tiny()
    found = list(model.observe([request("a:"), request("a:", variant="identity"), request("b:", variant="typo-1")]))
    assert found[0].prompt_hash == found[1].prompt_hash != found[2].prompt_hash
