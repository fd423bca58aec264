from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.models.api.asking import by_example, model_at, requests

from sago.models.api.provider import folded
from sago.records import Message, Request
from sago.seeds import hash_of_messages
from sago.testing import check_model
from sago.testing.fault_server import Act, FaultServer, ServedCall, answer

BODIES = Path(__file__).parents[2] / "cases" / "data" / "12-responses.jsonl"
RIGHT = {
    "ok": "ok",
    "null_filter": "filtered",
    "refusal": "refusal",
    "reasoning_ate_budget": "truncated",
    "cut_before_answer": "truncated",
    "cut_after_answer": "truncated",
    "empty_stop": "empty",
    "spaces": "empty",
    "parts": "ok",
    "think_tags_only": "truncated",
    "tool_call": "empty",
}


def refused(message: str, **more: Any) -> Act:
    return Act(400, {"error": {"message": message, "type": "invalid_request_error", **more}})


def asked_with(
    behave: Callable[[ServedCall], Act], request: Request, *, probe: bool = False, **how: Any
) -> tuple[Any, Any, list[ServedCall]]:
    """Returns the observation of one request, the model (closed) and the calls."""
    with FaultServer(behave) as server, model_at(server.url, probe=probe, **how) as model:
        return next(iter(model.observe([request]))), model, server.calls


def test_case_12_replies_without_a_usable_text() -> None:
    bodies = [json.loads(line) for line in BODIES.read_text(encoding="utf-8").splitlines()]
    asked = requests(len(bodies))
    with FaultServer(lambda call: Act(200, bodies[int(call.prompt.split()[1])]["body"])) as server, model_at(server.url) as model:
        found = by_example(list(model.observe(asked)))
        assert len(server.calls) == len(bodies)  # none is asked again
    assert {body["name"]: found[f"e{number}"].status for number, body in enumerate(bodies)} == RIGHT
    ate = found[f"e{[body['name'] for body in bodies].index('reasoning_ate_budget')}"]
    assert (ate.response, ate.reasoning_tokens, ate.response_tokens) == (None, 64, 64)
    assert str(ate.reasoning).startswith("long thoughts")
    assert found["e1"].finish_reason == "content_filter"


def test_what_the_server_says_of_itself_is_kept() -> None:
    found, _, calls = asked_with(lambda call: answer("B", number=call.total), requests(1)[0])
    assert (found.model_version, found.server_fingerprint, found.request_id) == ("served-1", "fp-1", "req-1")
    assert (found.prompt_tokens, found.response_tokens, found.attempts) == (20, 4, 1)
    assert found.asked_at.endswith("+00:00")
    assert found.prompt_hash == hash_of_messages([("user", "question 0")])
    assert calls[0].path == "/v1/chat/completions"


def test_greedy_and_sampled_calls_as_they_are_sent() -> None:
    fine = lambda call: answer("B", number=call.total)  # noqa: E731
    _, _, calls = asked_with(fine, requests(1)[0], stop=("END",))
    body = calls[0].body
    assert {name: body[name] for name in ("model", "max_tokens", "temperature", "stop", "logprobs")} == {
        "model": "m",
        "max_tokens": 8,
        "temperature": 0.0,
        "stop": ["END"],
        "logprobs": True,
    }
    assert "seed" not in body
    assert "top_logprobs" not in body
    _, _, calls = asked_with(fine, requests(3, temperature=0.7)[2])
    assert (calls[0].body["temperature"], calls[0].body["seed"]) == (0.7, 2)


def test_case_14_options_are_read_from_the_most_likely_first_tokens() -> None:
    tops = [("A", 0.80), (" A", 0.05), ("B", 0.10), ("The", 0.02)]
    first = {"token": "A", "logprob": math.log(0.8), "top_logprobs": [{"token": one, "logprob": math.log(p)} for one, p in tops]}
    second = {"token": ".", "logprob": -9999.0, "top_logprobs": []}
    act = answer("A.", logprobs={"content": [first, second]})
    found, model, _ = asked_with(lambda _: act, requests(1, choices=("A", "B", "C", "D"))[0], probe=True)
    assert [None if one is None else round(math.exp(one), 6) for one in found.choice_logprobs] == [0.85, 0.1, None, None]
    assert found.token_logprobs == (math.log(0.8), None)
    assert found.error is None
    assert model.capabilities == {"generate", "token_logprobs", "choice_logprobs"}
    assert any("lower bound" in note for note in model.describe().notes)


def test_options_that_are_not_among_them_are_null_with_a_reason() -> None:
    first = {"token": "The", "logprob": -0.1, "top_logprobs": [{"token": "The", "logprob": -0.1}]}
    found, _, _ = asked_with(lambda _: answer("The", logprobs={"content": [first]}), requests(1, choices=("A", "B"))[0])
    assert found.choice_logprobs is None
    assert found.status == "ok"
    assert "none is among" in found.error


def test_a_model_without_log_probabilities_says_so_before_it_is_asked() -> None:
    _, model, calls = asked_with(lambda call: answer("B", number=call.total), requests(1)[0], probe=True)
    assert model.capabilities == {"generate"}
    assert calls[0].body["top_logprobs"] == 20  # the probe
    assert len(calls) == 2


_OTHER_NAME = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
_NO_TEMPERATURE = "'temperature' does not support 0.0 with this model. Only the default (1) value is supported."


@pytest.mark.parametrize(
    ("act", "forbidden", "wanted", "note"),
    [
        (refused(_OTHER_NAME, param="max_tokens"), "max_tokens", {"max_completion_tokens": 8}, None),
        (refused(_NO_TEMPERATURE, param="temperature"), "temperature", {}, "no temperature"),
        (refused("logprobs are not supported with reasoning models", param="logprobs"), "logprobs", {}, "no log-probabilities"),
        (refused("Unrecognized request argument supplied: seed"), "seed", {}, "no seed"),
        (refused("Unsupported parameter: 'stop'", param="stop"), "stop", {}, "no stop texts"),
    ],
)
def test_a_parameter_that_is_refused_is_left_out_and_that_is_told(
    act: Act, forbidden: str, wanted: dict[str, Any], note: str | None
) -> None:
    def behave(call: ServedCall) -> Act:
        return act if forbidden in call.body else answer("B", number=call.total)

    found, model, calls = asked_with(behave, requests(1, temperature=0.5)[0], stop=("END",))
    assert (found.status, found.attempts) == ("ok", 2)
    assert forbidden not in calls[1].body
    assert wanted.items() <= calls[1].body.items()
    notes = model.describe().notes
    assert (not notes) if note is None else any(note in one for one in notes)


def test_a_system_message_that_is_refused_goes_in_front_of_the_question() -> None:
    def behave(call: ServedCall) -> Act:
        has_system = any(message["role"] == "system" for message in call.body["messages"])
        return refused("System role not supported") if has_system else answer("B", number=call.total)

    from dataclasses import replace

    one = requests(1)[0]
    messages = (Message("system", "Be brief."), *one.messages)
    found, model, calls = asked_with(behave, replace(one, messages=messages))
    assert found.status == "ok"
    assert calls[1].body["messages"] == [{"role": "user", "content": "Be brief.\n\nquestion 0"}]
    assert found.prompt_hash == hash_of_messages([("user", "Be brief.\n\nquestion 0")])
    assert any("no system message" in note for note in model.describe().notes)


def test_fewer_likely_tokens_where_twenty_are_too_many() -> None:
    def behave(call: ServedCall) -> Act:
        tops = call.body.get("top_logprobs", 0)
        return refused("top_logprobs must be less than or equal to 5", param="top_logprobs") if tops > 5 else answer("A", number=call.total)

    found, _, calls = asked_with(behave, requests(1, choices=("A", "B"))[0])
    assert [call.body["top_logprobs"] for call in calls] == [20, 5]
    assert found.status == "ok"


def test_a_limit_that_is_the_persons_to_change_is_an_error() -> None:
    act = refused("max_tokens is too large: the maximum is 4", param="max_tokens")
    found, _, calls = asked_with(lambda _: act, requests(1)[0])
    assert (found.status, len(calls)) == ("error", 1)
    assert "too large" in found.error


def test_a_server_that_refuses_everything_is_not_asked_for_ever() -> None:
    found, _, calls = asked_with(lambda _: refused("seed stop logprobs temperature max_tokens system"), requests(1, temperature=0.5)[0])
    assert found.status == "error"
    assert len(calls) < 8


def test_text_completions() -> None:
    logprobs = {"tokens": ["A"], "token_logprobs": [-0.2], "top_logprobs": [{"A": -0.2, "B": -2.0}]}
    act = Act(200, {"id": "c", "model": "base", "choices": [{"text": "A", "finish_reason": "stop", "logprobs": logprobs}]})
    found, _, calls = asked_with(lambda _: act, requests(1, choices=("A", "B"))[0], endpoint="completions")
    assert (found.status, found.response, found.token_logprobs) == ("ok", "A", (-0.2,))
    assert found.choice_logprobs == pytest.approx((-0.2, -2.0))
    assert (calls[0].path, calls[0].body["prompt"], calls[0].body["stop"]) == ("/v1/completions", "question 0\n\nAnswer:", ["\n"])


def test_the_protocol_of_models_is_kept() -> None:
    tops = [{"token": one, "logprob": math.log(p)} for one, p in (("A", 0.5), ("B", 0.3), ("C", 0.1))]
    logprobs = {"content": [{"token": "A", "logprob": math.log(0.5), "top_logprobs": tops}]}

    def behave(call: ServedCall) -> Act:
        return answer("A", number=call.total, logprobs=logprobs)

    with FaultServer(behave) as server, model_at(server.url, probe=True) as model:
        check_model(model)


def test_folding_keeps_turns_and_order() -> None:
    turns = [Message("user", "a"), Message("assistant", "b"), Message("user", "c")]
    assert folded([Message("system", "s"), *turns]) == (Message("user", "s\n\na"), *turns[1:])
    assert folded(turns) == tuple(turns)
    assert folded([Message("system", "s")]) == (Message("user", "s"),)
