"""The adapters of ``google-genai`` and ``litellm`` at stand-ins of their packages, which are too heavy to be installed for tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tests.models.api.asking import SECRET, requests

from sago.models.api.keys import Secret
from sago.models.api.model import ApiModel
from sago.models.api.provider import Provider
from sago.records import ApiOptions, Message, ModelOptions, Observation, Request

Behave = Callable[[dict[str, Any]], Any]


class GoogleError(Exception):
    """As ``google.genai.errors.APIError``."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}. {message}")
        self.code = code
        self.details = {"error": {"code": code, "message": message}}
        self.response = SimpleNamespace(headers={"retry-after": "0.01"})


class Body(dict[str, Any]):
    """As a model of pydantic."""

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return dict(self)


def observed(provider: Provider, asked: list[Request]) -> list[Observation]:
    model = ApiModel("m", source="x:m", provider=provider, key=Secret(SECRET), options=ApiOptions(timeout=0.3), probe=False)
    model._asking._first_pause = 0.01
    try:
        return sorted(model.observe(asked), key=lambda one: one.key.example)
    finally:
        model.close()


def google(monkeypatch: pytest.MonkeyPatch, behave: Behave) -> tuple[Provider, list[dict[str, Any]], dict[str, Any]]:
    calls: list[dict[str, Any]] = []
    opened: dict[str, Any] = {}

    async def generate_content(**call: Any) -> Any:
        calls.append(call)
        return behave(call)

    async def aclose() -> None:
        return None

    def client(**how: Any) -> Any:
        opened.update(how)
        return SimpleNamespace(aio=SimpleNamespace(models=SimpleNamespace(generate_content=generate_content), aclose=aclose))

    package, genai, errors = ModuleType("google"), ModuleType("google.genai"), ModuleType("google.genai.errors")
    errors.APIError = GoogleError  # type: ignore[attr-defined]
    genai.Client, genai.errors = client, errors  # type: ignore[attr-defined]
    package.genai = genai  # type: ignore[attr-defined]
    for module in (package, genai, errors):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    from sago.models.api.google import GoogleProvider

    return GoogleProvider("gemini", Secret(SECRET), ModelOptions(stop=("END",))), calls, opened


def said(text: str, reason: str = "STOP") -> Body:
    usage = {"prompt_token_count": 7, "candidates_token_count": 2, "thoughts_token_count": 3}
    candidate = {"content": {"parts": [{"text": text}]}, "finish_reason": reason}
    return Body(candidates=[candidate], usage_metadata=usage, model_version="gem-1", response_id=f"r-{text}")


def test_google_as_it_is_sent_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    provider, calls, opened = google(monkeypatch, lambda _: said("B"))
    one = requests(1, temperature=0.5)[0]
    turns = (Message("system", "S"), Message("user", "a"), Message("assistant", "b"), *one.messages)
    found = observed(provider, [replace(one, messages=turns)])[0]
    assert calls[0]["config"] == {
        "max_output_tokens": 8,
        "temperature": 0.5,
        "seed": 0,
        "stop_sequences": ["END"],
        "system_instruction": "S",
    }
    assert [turn["role"] for turn in calls[0]["contents"]] == ["user", "model", "user"]
    assert (opened["api_key"], opened["http_options"]["retry_options"]) == (SECRET, {"attempts": 1})
    assert (found.status, found.response, found.prompt_tokens, found.response_tokens, found.reasoning_tokens) == ("ok", "B", 7, 5, 3)
    assert (found.model_version, found.request_id, found.finish_reason) == ("gem-1", "r-B", "STOP")


def test_google_statuses_and_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def behave(call: dict[str, Any]) -> Any:
        question = call["contents"][-1]["parts"][0]["text"]
        seen.append(question)
        first = seen.count(question) == 1
        number = int(question.split()[1])
        if number == 0 and first:
            raise GoogleError(429, "slow down")
        if number == 1:
            raise GoogleError(400, f"bad thing {SECRET}")
        if number == 2 and first:
            raise TimeoutError
        if number == 3 and first:
            raise ConnectionResetError("gone")
        if number == 4:
            return Body(prompt_feedback={"block_reason": "SAFETY"})
        return said(question, "RECITATION" if number == 5 else "MAX_TOKENS" if number == 6 else "STOP")

    provider, _, _ = google(monkeypatch, behave)
    found = observed(provider, requests(7))
    assert [one.status for one in found] == ["ok", "error", "ok", "ok", "filtered", "filtered", "truncated"]
    assert [one.attempts for one in found] == [2, 1, 2, 2, 1, 1, 1]
    assert found[1].error == "HTTP 400: bad thing [key]"
    assert found[4].finish_reason == "SAFETY"


def litellm(monkeypatch: pytest.MonkeyPatch, behave: Behave) -> tuple[Provider, list[dict[str, Any]]]:
    calls: list[dict[str, Any]] = []

    async def acompletion(**call: Any) -> Any:
        calls.append(call)
        return behave(call)

    package = ModuleType("litellm")
    package.acompletion = acompletion  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "litellm", package)
    from sago.models.api.litellm import LiteLlmProvider

    options = ModelOptions(api=ApiOptions(base_url="http://127.0.0.1:1"))
    return LiteLlmProvider("mistral/small", Secret(SECRET), options), calls


def test_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    class UnsupportedParamsError(Exception):
        """As the package raises it where it knows beforehand that a provider refuses a parameter."""

    def behave(call: dict[str, Any]) -> Any:
        if "logprobs" in call:
            raise UnsupportedParamsError("mistral does not support parameters: ['logprobs']")
        choice = {"finish_reason": "stop", "message": {"content": "B"}, "logprobs": None}
        return Body(id=f"x{len(calls)}", model="small-1", choices=[choice], usage={"prompt_tokens": 3, "completion_tokens": 1}, error=None)

    provider, calls = litellm(monkeypatch, behave)
    found = observed(provider, requests(1))[0]
    assert (found.status, found.response, found.attempts, found.model_version, found.prompt_tokens) == ("ok", "B", 2, "small-1", 3)
    assert (calls[1]["api_key"], calls[1]["api_base"], calls[1]["num_retries"]) == (SECRET, "http://127.0.0.1:1", 0)
    assert "logprobs" not in calls[1]
    assert any("no log-probabilities" in note for note in provider.notes)
