"""Google's Gemini API through the package ``google-genai``. Only what it answers is observed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from sago.models.api.dialect import Dialect
from sago.models.api.keys import Secret
from sago.models.api.provider import ApiReply, Raised, count_in, text_in
from sago.models.replies import ChatReply, reply_of
from sago.records import Message, ModelOptions, Request

OFFICIAL = "https://generativelanguage.googleapis.com"


class GoogleProvider:
    """``generate_content``.

    Args:
        model: Name of the model.
        key: The key.
        options: How the model is opened.
    """

    def __init__(self, model: str, key: Secret, options: ModelOptions) -> None:
        from google import genai
        from google.genai import errors

        address = (options.api.base_url or OFFICIAL).rstrip("/")
        self.notes: list[str] = []
        self.server = f"{address} generate_content"
        self._model = model
        self._stop = options.stop
        self._dialect = Dialect(length="max_tokens", notes=self.notes)
        # Its time-outs are milliseconds; one attempt, since the shared loop decides what is sent again.
        http = {"timeout": int(options.api.timeout * 1000), "retry_options": {"attempts": 1}, "base_url": address}
        self._client = genai.Client(api_key=key.value, vertexai=False, http_options=http)
        # What lies beneath (httpx or aiohttp) raises errors of its own for connections that break.
        connection = _network_errors()
        self._raised = Raised((errors.APIError,), connection, (TimeoutError,))

    async def ask(self, request: Request, *, timeout: float) -> ApiReply:
        """Sends one call; the shared loop ends it after ``timeout``."""
        del timeout
        wanted = self._dialect.parameters(request, self._stop)
        settings: dict[str, Any] = {"max_output_tokens": request.max_new_tokens}
        settings |= {name: wanted[name] for name in ("temperature", "seed") if name in wanted}
        if "stop" in wanted:
            settings["stop_sequences"] = wanted["stop"]
        messages = self._dialect.messages(request)
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        if system:
            settings["system_instruction"] = system
        roles = {"user": "user", "assistant": "model"}
        turns = [{"role": roles[one.role], "parts": [{"text": one.content}]} for one in messages if one.role != "system"]
        try:
            reply = await self._client.aio.models.generate_content(model=self._model, contents=turns, config=settings)
        except Exception as error:  # noqa: BLE001 - the package lets errors of two other packages through; each becomes a status
            failed = self._raised.failure(error)
            self._dialect.learn(failed, request, wanted, self._stop)
            raise failed from None
        return content_reply(reply.model_dump(mode="json", exclude_none=True), messages)

    async def close(self) -> None:
        """Closes connections."""
        await self._client.aio.aclose()


def content_reply(body: Mapping[str, Any], messages: tuple[Message, ...]) -> ApiReply:
    """Returns what a reply of ``generate_content`` says.

    Args:
        body: The reply, in the package's names.
        messages: What was sent.

    >>> body = {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}, {"text": "B"}]}, "finish_reason": "STOP"}]}
    >>> content_reply(body, ()).said.response, content_reply(body, ()).said.reasoning
    ('B', 'hm')
    >>> content_reply({"prompt_feedback": {"block_reason": "SAFETY"}}, ()).said.status
    'filtered'
    """
    candidates = body.get("candidates")
    first = candidates[0] if isinstance(candidates, Sequence) and candidates else {}
    feedback = body.get("prompt_feedback")
    blocked = feedback.get("block_reason") if isinstance(feedback, Mapping) else None
    reason = None if first.get("finish_reason") is None else str(first["finish_reason"])
    content = first.get("content")
    parts = content.get("parts") if isinstance(content, Mapping) else None
    known = [part for part in parts or () if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
    texts = [part["text"] for part in known if not part.get("thought")]
    thoughts = [part["text"] for part in known if part.get("thought")]
    if blocked and not texts:
        said = ChatReply("filtered", None, finish_reason=str(blocked))
    else:
        said = reply_of("".join(texts) if texts else None, reason)
    usage = body.get("usage_metadata")
    thought = count_in(usage, "thoughts_token_count")
    answered = count_in(usage, "candidates_token_count")
    spent = None if thought is None and answered is None else (thought or 0) + (answered or 0)
    return ApiReply(
        ChatReply(said.status, said.response, "\n".join([*thoughts, *filter(None, [said.reasoning])]) or None, said.finish_reason),
        messages,
        prompt_tokens=count_in(usage, "prompt_token_count"),
        response_tokens=spent,
        reasoning_tokens=thought,
        model_version=text_in(body, "model_version"),
        request_id=text_in(body, "response_id"),
        reply_id=text_in(body, "response_id"),
    )


def _network_errors() -> tuple[type[Exception], ...]:
    """Returns the base errors of the packages that may carry the calls, as far as they are installed."""
    found: list[type[Exception]] = [ConnectionError]
    for package, name in (("httpx", "TransportError"), ("httpx2", "TransportError"), ("aiohttp", "ClientError")):
        try:
            found.append(getattr(import_module(package), name))
        except (ImportError, AttributeError):
            continue
    return tuple(found)
