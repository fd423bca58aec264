from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from tests.models.api.asking import SECRET, requests

from sago.errors import StoppedError
from sago.models.api.anthropic import AnthropicProvider
from sago.models.api.keys import Secret
from sago.models.api.model import ApiModel
from sago.records import ApiOptions, Message, ModelOptions
from sago.testing.fault_server import Act, FaultServer, ServedCall


@contextmanager
def served(behave: Callable[[ServedCall], Act], **api: Any) -> Iterator[tuple[ApiModel, list[ServedCall]]]:
    with FaultServer(behave) as server:
        options = ModelOptions(api=ApiOptions(base_url=server.url.removesuffix("/v1"), **api), stop=("END",))
        key = Secret(SECRET)
        provider = AnthropicProvider("claude", key, options)
        model = ApiModel("claude", source="anthropic:claude", provider=provider, key=key, options=options.api, probe=False)
        model._asking._first_pause = 0.01
        try:
            yield model, server.calls
        finally:
            model.close()


def message(*blocks: dict[str, Any], reason: str = "end_turn", number: int = 0) -> Act:
    body = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "claude-1",
        "content": list(blocks),
        "stop_reason": reason,
    }
    usage = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 3}
    return Act(200, {**body, "usage": usage}, {"request-id": f"req_{number}"})


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def test_a_call_and_its_reply() -> None:
    one = requests(1, temperature=0.7)[0]
    asked = replace(one, messages=(Message("system", "Be brief."), *one.messages))
    reply = message({"type": "thinking", "thinking": "hm", "signature": "s"}, text("ANSWER: "), text("B"))
    with served(lambda _: reply) as (model, calls):
        found = next(iter(model.observe([asked])))
    body = calls[0].body
    assert calls[0].path == "/v1/messages"
    assert (body["model"], body["max_tokens"], body["temperature"], body["stop_sequences"]) == ("claude", 8, 0.7, ["END"])
    assert (body["system"], body["messages"]) == ("Be brief.", [{"role": "user", "content": "question 0"}])
    assert not {"seed", "logprobs", "top_logprobs"} & set(body)
    assert (found.status, found.response, found.reasoning, found.finish_reason) == ("ok", "ANSWER: B", "hm", "end_turn")
    assert (found.prompt_tokens, found.response_tokens, found.model_version, found.request_id) == (15, 3, "claude-1", "req_0")
    assert model.capabilities == {"generate"}


@pytest.mark.parametrize(
    ("reply", "status", "response"),
    [
        (message(reason="refusal"), "refusal", None),
        (message(text("Half"), reason="max_tokens"), "truncated", "Half"),
        (message(text("Half"), reason="model_context_window_exceeded"), "truncated", "Half"),
        (message({"type": "thinking", "thinking": "hm", "signature": "s"}, reason="max_tokens"), "truncated", None),
        (message(text("B"), reason="stop_sequence"), "ok", "B"),
        (message(), "empty", None),
        (message({"type": "tool_use", "id": "1", "name": "f", "input": {}}, reason="tool_use"), "empty", None),
    ],
)
def test_statuses(reply: Act, status: str, response: str | None) -> None:
    with served(lambda _: reply) as (model, _):
        found = next(iter(model.observe(requests(1))))
    assert (found.status, found.response) == (status, response)


def test_overload_passes_and_a_wrong_key_stops() -> None:
    overloaded = Act(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    with served(lambda call: overloaded if call.number == 1 else message(text("B"), number=call.total)) as (model, _):
        assert [(one.status, one.attempts) for one in model.observe(requests(1))] == [("ok", 2)]
    wrong = Act(401, {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}})
    with served(lambda _: wrong) as (model, calls):
        with pytest.raises(StoppedError, match="invalid x-api-key"):
            list(model.observe(requests(1)))
        assert len(calls) == 1


def test_a_model_that_takes_no_temperature() -> None:
    refused = Act(
        400, {"type": "error", "error": {"type": "invalid_request_error", "message": "`temperature` is deprecated for this model"}}
    )
    with served(lambda call: refused if "temperature" in call.body else message(text("B"))) as (model, calls):
        assert [one.status for one in model.observe(requests(1))] == ["ok"]
        assert len(calls) == 2
        assert any("no temperature" in note for note in model.describe().notes)
