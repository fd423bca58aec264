"""What is asked: every variant in every way of decoding, the canonical greedy request first."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sago.records import ObserveOptions, Request
from sago.runs import make_plan
from sago.runs.plan import audit_sample, calls_per_model, request_key, requests_of_example

EVERYTHING: Any = frozenset({"generate", "choice_logprobs", "anchor_logprobs", "states"})


def requests(variants: pl.DataFrame, options: ObserveOptions, capabilities: Any = EVERYTHING, audited: bool = True) -> list[Request]:
    rows = variants.filter(pl.col("example") == "e1").sort("position").to_dicts()
    return list(requests_of_example(rows, "m", options, capabilities, audited=audited))


def test_canonical_greedy_comes_first_and_keys_are_unique(variants: pl.DataFrame) -> None:
    asked = requests(variants, ObserveOptions(reruns=2))
    assert (asked[0].is_canonical, asked[0].key.decoding, asked[0].temperature) == (True, "greedy", 0.0)
    assert len({request.key for request in asked}) == len(asked) == 3 * (1 + 2) + 2


def test_audit_asks_only_the_canonical_prompt_in_its_own_batches(variants: pl.DataFrame) -> None:
    audits = [request for request in requests(variants, ObserveOptions(audit_reruns=3)) if request.key.decoding == "audit"]
    assert {request.key.variant for request in audits} == {"canonical"}
    assert [request.batch_group for request in audits] == [1, 2, 3]
    assert not [r for r in requests(variants, ObserveOptions(), audited=False) if r.key.decoding == "audit"]


def test_identity_never_shares_a_batch_with_the_wordings(variants: pl.DataFrame) -> None:
    groups = {
        request.key.variant: request.batch_group for request in requests(variants, ObserveOptions()) if request.key.decoding == "greedy"
    }
    assert groups == {"canonical": 0, "typo-1": 0, "identity": 1}


@pytest.mark.parametrize("capability", ["choice_logprobs", "anchor_logprobs", "states"])
def test_nothing_is_asked_that_the_model_did_not_declare(variants: pl.DataFrame, capability: str) -> None:
    asked = requests(variants, ObserveOptions(), EVERYTHING - {capability})
    field = {"choice_logprobs": "choices", "anchor_logprobs": "wants_anchor", "states": "wants_states"}[capability]
    assert not any(getattr(request, field) for request in asked)


def test_every_sampled_request_has_its_own_seed_from_content(variants: pl.DataFrame) -> None:
    sampled = [request for request in requests(variants, ObserveOptions(reruns=3)) if request.key.decoding == "sampled"]
    assert len({request.seed for request in sampled}) == len(sampled) == 9
    assert sampled == [request for request in requests(variants.reverse(), ObserveOptions(reruns=3)) if request.key.decoding == "sampled"]


@pytest.mark.parametrize(("wanted", "drawn"), [(0, 0), (2, 2), (50, 3)])
def test_audit_sample_is_drawn_from_content(variants: pl.DataFrame, wanted: int, drawn: int) -> None:
    options = ObserveOptions(audit_examples=wanted)
    assert len(audit_sample(variants, options)) == drawn
    assert audit_sample(variants, options) == audit_sample(variants.reverse(), options)


def test_plan_counts_calls(variants: pl.DataFrame) -> None:
    options = ObserveOptions(reruns=2, audit_examples=1, audit_reruns=2, max_new_tokens=10)
    assert calls_per_model(variants, options) == 9 * 3 + 2
    plan = make_plan(variants, pl.DataFrame(), options, models=2)
    assert (plan.examples, plan.wordings, plan.calls, plan.new_tokens) == (3, 9, 58, 580)
    assert (plan.models, plan.sizes, plan.wordings_of_each) == (2, {"d": 3}, 2)


def test_plan_counts_a_prompt_each_time_it_is_sent(variants: pl.DataFrame) -> None:
    lengths = {variant: len(messages[0]["content"]) for variant, messages in variants.select("variant", "messages").iter_rows()}
    plan = make_plan(variants, pl.DataFrame(), ObserveOptions(reruns=2, audit_examples=1, audit_reruns=2), models=2)
    assert plan.prompt_characters == 2 * 3 * sum(lengths.values())
    assert plan.sent_characters == 2 * (3 * 3 * sum(lengths.values()) + 2 * lengths["canonical"])


@pytest.mark.parametrize("change", ["max_new_tokens", "temperature", "messages", "choices"])
def test_request_key_changes_with_whatever_could_change_the_answer(variants: pl.DataFrame, change: str) -> None:
    request = requests(variants, ObserveOptions())[0]
    fields = {name: getattr(request, name) for name in Request.__slots__}
    other = {"max_new_tokens": 99, "temperature": 0.3, "messages": (), "choices": ("A", "B")}[change]
    assert request_key(request, {"model": "a"}) != request_key(Request(**{**fields, change: other}), {"model": "a"})
    assert request_key(request, {"model": "a"}) != request_key(request, {"model": "b"})
    assert request_key(request, {"model": "a"}) == request_key(Request(**{**fields, "batch_group": 3}), {"model": "a"})
