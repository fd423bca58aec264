"""OpenAI's API, and every server that speaks its protocol, through the package ``openai``: chat and text completions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sago.models.api.chat import chat_reply
from sago.models.api.dialect import Dialect
from sago.models.api.failures import CallFailed
from sago.models.api.keys import NO_KEY, Secret
from sago.models.api.provider import ApiReply, Raised, body_of
from sago.models.local.prompts import CUE
from sago.records import ModelOptions, Request

OFFICIAL = "https://api.openai.com/v1"
_TOP = 5
"""How many of the most likely tokens text completions are asked for; the protocol allows no more."""


class OpenAiProvider:
    """Chat or text completions.

    Args:
        model: Name of the model at the server.
        key: The key.
        options: How the model is opened; ``api.base_url`` says which server.
    """

    def __init__(self, model: str, key: Secret, options: ModelOptions) -> None:
        import openai

        api = options.api
        address = (api.base_url or OFFICIAL).rstrip("/")
        self.notes: list[str] = []
        self.server = f"{address} {api.endpoint}"
        self._has_no_path = "/" not in address.split("://", 1)[-1]
        self._model = model
        self._endpoint = api.endpoint
        self._stop = options.stop
        # What is sent beside the protocol goes only to servers of one's own; the official one refuses it.
        thinks = options.enable_thinking
        self._extra = {} if thinks is None or api.base_url is None else {"chat_template_kwargs": {"enable_thinking": thinks}}
        # Newer models of the official server take the new name alone, older servers the old name alone.
        self._dialect = Dialect(length="max_tokens" if api.base_url else "max_completion_tokens", notes=self.notes)
        # The shared loop decides what is sent again, and how long a call may take.
        self._client = openai.AsyncOpenAI(api_key=key.value or NO_KEY, base_url=address, max_retries=0, timeout=api.timeout)
        self._raised = Raised((openai.APIStatusError,), (openai.APIConnectionError,), (openai.APITimeoutError,))
        self._chat: Callable[..., Awaitable[Any]] = self._client.chat.completions.with_raw_response.create
        self._error: type[Exception] = openai.OpenAIError

    async def ask(self, request: Request, *, timeout: float) -> ApiReply:
        """Sends one call."""
        if self._endpoint == "completions":
            return await self._complete(request, timeout)
        sent = self._dialect.parameters(request, self._stop)
        messages = self._dialect.messages(request)
        body = [{"role": message.role, "content": message.content} for message in messages]
        extra = {"extra_body": self._extra} if self._extra else {}
        try:
            raw = await self._chat(model=self._model, messages=body, timeout=timeout, **sent, **extra)
        except self._error as error:
            failed = self._failure(error)
            self._dialect.learn(failed, request, sent, self._stop)
            raise failed from None
        return self._read(raw, messages)

    async def _complete(self, request: Request, timeout: float) -> ApiReply:
        text = "\n\n".join(message.content for message in request.messages)
        text = text if text.rstrip(" ").endswith(":") else text + CUE
        # Plain text goes on for ever: like that of a local model it ends at a line break.
        sent: dict[str, Any] = {"max_tokens": request.max_new_tokens, "temperature": request.temperature, "logprobs": _TOP}
        sent |= {"stop": ["\n", *self._stop][:4]} | ({"seed": request.seed % 2**31} if request.temperature else {})
        try:
            raw = await self._client.completions.with_raw_response.create(model=self._model, prompt=text, timeout=timeout, **sent)
        except self._error as error:
            raise self._failure(error) from None
        return self._read(raw, request.messages)

    def _failure(self, error: Exception) -> CallFailed:
        failed = self._raised.failure(error)
        if failed.status == 404 and self._has_no_path:
            failed.message += " (the address of such a server mostly ends in /v1; this one does not)"
        return failed

    def _read(self, raw: Any, messages: tuple[Any, ...]) -> ApiReply:
        headers: Mapping[str, str] = raw.headers
        body = body_of(raw.content, headers)
        if not body.get("choices"):
            raise CallFailed("the reply holds no choice", "again", is_charged=True)
        return chat_reply(body, messages, headers.get("x-request-id"))

    async def close(self) -> None:
        """Closes connections."""
        await self._client.close()
