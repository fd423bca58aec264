"""vLLM needs an accelerator, so what is tested is this side of it: a stand-in of its types on a tiny model, against the local engine."""

from __future__ import annotations

from typing import Any

import pytest
from tests.models.local.tiny import CHAT, network, open_tiny, request, tokenizer
from tests.models.vllm.stand_in import LLM, SamplingParams

from sago.errors import MissingExtraError, ModelError, StudyError
from sago.models import open_model
from sago.models.opening import check_model_spec
from sago.models.vllm.engine import VllmModel
from sago.records import ModelOptions, Observation, Request


def opened(template: str | None = None, **options: Any) -> VllmModel:
    return VllmModel(LLM(network("llama"), tokenizer(template)), SamplingParams, ModelOptions(**options), model_id="tiny")


def asked() -> list[Request]:
    every = []
    for number, text in enumerate(("a:", "a b c x:", "a longer prompt: ")):
        given: dict[str, Any] = {"example": str(number), "choices": ("A", "B and", "AB", ""), "wants_anchor": True}
        every += [request(text, **given), request(text + "b:", variant="typo-1", **given)]
        every.append(request(text, example=str(number), decoding="sampled", temperature=0.8, seed=number))
    return every


def by_key(model: Any, requests: list[Request]) -> dict[Any, Observation]:
    return {one.key: one for one in model.observe(requests)}


@pytest.mark.parametrize("template", [None, CHAT], ids=["plain", "chat"])
def test_it_gives_what_the_local_engine_gives(template: str | None) -> None:
    mine, theirs = by_key(opened(template), asked()), by_key(open_tiny("llama", template), asked())
    assert mine.keys() == theirs.keys()
    for key, one in mine.items():
        other = theirs[key]
        if key.decoding == "greedy":
            assert (one.response, one.response_token_ids, one.status) == (other.response, other.response_token_ids, other.status)
            assert one.finish_reason == other.finish_reason
            assert one.token_logprobs == pytest.approx(other.token_logprobs, abs=1e-4)
        assert (one.error, one.prompt_hash, one.prompt_tokens) == (other.error, other.prompt_hash, other.prompt_tokens)
        assert one.choice_token_ids == other.choice_token_ids
        assert one.anchor_tokens == other.anchor_tokens
        assert one.anchor_logprob == pytest.approx(other.anchor_logprob, abs=1e-4)
        assert one.states == ()


def test_options_are_scored_once_each_and_in_one_call() -> None:
    model = opened()
    llm: Any = model._llm
    twice = [request("a:", choices=("A", "B")), request("a:", variant="identity", choices=("A", "B"))]
    found = list(model.observe(twice))
    assert llm.calls == [2, 2]
    assert found[0].choice_logprobs == found[1].choice_logprobs


def test_what_does_not_fit_is_never_handed_over() -> None:
    long, short = sorted(opened().observe([request("b" * 300 + ":"), request("a:", example="2")]), key=lambda one: one.key.example)
    assert (long.status, short.status) == ("too_long", "truncated")


def test_states_cannot_be_seen() -> None:
    assert "states" not in opened().capabilities


def test_close_then_refuse() -> None:
    model = opened()
    model.close()
    with pytest.raises(ModelError, match="was closed"):
        list(model.observe([request("a:")]))


def test_without_the_package_the_install_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sago.models.vllm.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sago-eval\[vllm\]'"):
        open_model("vllm:somebody/model")
    with pytest.raises(StudyError, match="names no model"):
        check_model_spec("vllm:")
