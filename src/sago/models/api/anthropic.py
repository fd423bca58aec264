"""Anthropic's API through the package ``anthropic``: messages. It gives no log-probabilities and takes no seed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from sago.models.api.dialect import Dialect
from sago.models.api.keys import Secret
from sago.models.api.provider import ApiReply, Raised, body_of, count_in, text_in
from sago.models.replies import ChatReply, reply_of
from sago.records import Message, ModelOptions, Request

OFFICIAL = "https://api.anthropic.com"
_NOTE = "this API takes no seed: drawn answers cannot be repeated"
_ENDS = {"end_turn": "stop", "stop_sequence": "stop"}


class AnthropicProvider:
    """Messages.

    Args:
        model: Name of the model.
        key: The key.
        options: How the model is opened.
    """

    def __init__(self, model: str, key: Secret, options: ModelOptions) -> None:
        import anthropic

        address = (options.api.base_url or OFFICIAL).rstrip("/")
        self.notes: list[str] = [_NOTE]
        self.server = f"{address} messages"
        self._model = model
        self._stop = options.stop
        self._dialect = Dialect(length="max_tokens", notes=self.notes)
        self._client = anthropic.AsyncAnthropic(api_key=key.value, base_url=address, max_retries=0, timeout=options.api.timeout)
        self._raised = Raised((anthropic.APIStatusError,), (anthropic.APIConnectionError,), (anthropic.APITimeoutError,))
        self._create: Callable[..., Awaitable[Any]] = self._client.messages.with_raw_response.create
        self._error: type[Exception] = anthropic.AnthropicError

    async def ask(self, request: Request, *, timeout: float) -> ApiReply:
        """Sends one call."""
        wanted = self._dialect.parameters(request, self._stop)
        sent: dict[str, Any] = {"max_tokens": request.max_new_tokens}
        if "temperature" in wanted:
            # The package knows it no more, since the newest models refuse it; the others take it still.
            sent["extra_body"] = {"temperature": wanted["temperature"]}
        if "stop" in wanted:
            sent["stop_sequences"] = wanted["stop"]
        system = "\n\n".join(message.content for message in request.messages if message.role == "system")
        if system:
            sent["system"] = system
        turns = [{"role": one.role, "content": one.content} for one in request.messages if one.role != "system"]
        try:
            raw = await self._create(model=self._model, messages=turns, timeout=timeout, **sent)
        except self._error as error:
            failed = self._raised.failure(error)
            self._dialect.learn(failed, request, wanted, self._stop)
            raise failed from None
        headers: Mapping[str, str] = raw.headers
        return message_reply(body_of(await raw.read(), headers), request.messages, headers.get("request-id"))

    async def close(self) -> None:
        """Closes connections."""
        await self._client.close()


def message_reply(body: Mapping[str, Any], messages: tuple[Message, ...], request_id: str | None) -> ApiReply:
    """Returns what a message says.

    Args:
        body: The body as parsed from JSON; no error.
        messages: What was sent.
        request_id: Name of the request, from the headers.

    >>> message_reply({"content": [{"type": "text", "text": "B"}], "stop_reason": "end_turn"}, (), None).said.response
    'B'
    >>> message_reply({"content": [], "stop_reason": "refusal"}, (), None).said.status
    'refusal'
    """
    blocks = body.get("content")
    parts = [block for block in blocks if isinstance(block, Mapping)] if isinstance(blocks, Sequence) else []
    texts = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    thoughts = [part["thinking"] for part in parts if part.get("type") == "thinking" and isinstance(part.get("thinking"), str)]
    reason = text_in(body, "stop_reason")
    said = reply_of("".join(texts) if texts else None, _ENDS.get(reason, reason) if reason else None)
    reasoning = "\n".join([*thoughts, *([said.reasoning] if said.reasoning else [])]) or None
    usage = body.get("usage")
    cached = sum(count_in(usage, name) or 0 for name in ("cache_creation_input_tokens", "cache_read_input_tokens"))
    prompt_tokens = count_in(usage, "input_tokens")
    return ApiReply(
        ChatReply(said.status, said.response, reasoning, reason),
        messages,
        prompt_tokens=None if prompt_tokens is None else prompt_tokens + cached,
        response_tokens=count_in(usage, "output_tokens"),
        model_version=text_in(body, "model"),
        request_id=request_id or text_in(body, "id"),
        reply_id=text_in(body, "id"),
    )
