from __future__ import annotations

from typing import Any

import pytest

from sago.models.replies import read_chat_reply, reply_of


def body(content: Any, finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}]}


@pytest.mark.parametrize(
    ("given", "status", "response"),
    [
        (body("ANSWER: B"), "ok", "ANSWER: B"),
        (body("ANSWER: B", None), "ok", "ANSWER: B"),
        (body(None, "content_filter"), "filtered", None),
        (body("half a sen", "content_filter"), "filtered", "half a sen"),
        (body(None, refusal="I won't."), "refusal", "I won't."),
        (body(None, "length", reasoning_content="long thoughts"), "truncated", None),
        (body("<think>maybe A", "length"), "truncated", ""),
        (body("<think>A or B</think>B", "stop"), "ok", "B"),
        (body(""), "empty", ""),
        (body(" \n"), "empty", " \n"),
        (body(None, "tool_calls", tool_calls=[{"id": "1"}]), "empty", None),
        (body([{"type": "text", "text": "ANSWER: "}, {"type": "image_url"}, {"type": "text", "text": "D"}]), "ok", "ANSWER: D"),
        ({"choices": [{"text": "B", "finish_reason": "stop"}]}, "ok", "B"),
        ({"choices": []}, "error", None),
        ({}, "error", None),
        ({"choices": [None]}, "error", None),
        ({"error": {"message": "no quota left"}}, "error", None),
    ],
)
def test_every_odd_reply_has_its_status(given: dict[str, Any], status: str, response: str | None) -> None:
    said = read_chat_reply(given)
    assert (said.status, said.response) == (status, response)


def test_thinking_the_servers_message_and_log_probabilities_are_kept() -> None:
    assert read_chat_reply(body("B", reasoning_content="because")).reasoning == "because"
    assert read_chat_reply({"error": {"message": "no quota left"}}).error == "no quota left"
    logged = body("B")
    logged["choices"][0]["logprobs"] = {"content": [{"token": "B", "logprob": -0.5}, {"token": "."}]}
    assert read_chat_reply(logged).token_logprobs == (-0.5, None)


@pytest.mark.parametrize(
    ("finish", "status"), [("max_tokens", "truncated"), ("SAFETY", "filtered"), ("refusal", "refusal"), ("end_turn", "ok")]
)
def test_other_servers_words_are_understood(finish: str, status: str) -> None:
    assert reply_of("B", finish).status == status
