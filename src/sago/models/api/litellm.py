"""Every other provider through the package ``litellm``, which puts all of them into the form of OpenAI's chat completions."""

from __future__ import annotations

import os
from typing import Any

from sago.models.api.chat import chat_reply
from sago.models.api.dialect import Dialect
from sago.models.api.failures import CallFailed, failed_body
from sago.models.api.keys import NO_KEY, Secret
from sago.models.api.provider import ApiReply, Raised
from sago.records import ModelOptions, Request


class LiteLlmProvider:
    """``acompletion``.

    Args:
        model: Name of the model as the package knows it, its provider in front: ``mistral/mistral-small-latest``.
        key: The key; the placeholder leaves it to the package to find the provider's own environment variable.
        options: How the model is opened.
    """

    def __init__(self, model: str, key: Secret, options: ModelOptions) -> None:
        # Else it fetches a list of prices from a site of its own at the very import.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm
        import openai

        litellm.suppress_debug_info = True  # else it prints advertisements for itself at every error
        self.notes: list[str] = []
        self.server = f"{(options.api.base_url or 'litellm').rstrip('/')} {model.partition('/')[0]}"
        self._model = model
        self._stop = options.stop
        self._fixed: dict[str, Any] = {"num_retries": 0, "max_retries": 0, "no-log": True}
        if key.value != NO_KEY:
            self._fixed["api_key"] = key.value
        if options.api.base_url:
            self._fixed["api_base"] = options.api.base_url
        self._complete = litellm.acompletion
        self._dialect = Dialect(length="max_tokens", notes=self.notes)
        # Its errors are OpenAI's own; those of connections have a status that was made up.
        self._raised = Raised((openai.APIStatusError,), (openai.APIConnectionError,), (openai.APITimeoutError,))

    async def ask(self, request: Request, *, timeout: float) -> ApiReply:
        """Sends one call."""
        sent = self._dialect.parameters(request, self._stop)
        messages = self._dialect.messages(request)
        body = [{"role": message.role, "content": message.content} for message in messages]
        try:
            reply = await self._complete(model=self._model, messages=body, timeout=timeout, **sent, **self._fixed)
        except Exception as error:  # noqa: BLE001 - it lets errors of many packages through; each becomes a status
            failed = self._raised.failure(error)
            if type(error).__name__ == "UnsupportedParamsError":
                failed.status = 400
            self._dialect.learn(failed, request, sent, self._stop)
            raise failed from None
        found = reply.model_dump(mode="json")
        if failed_reply := failed_body(found):
            raise failed_reply
        if not found.get("choices"):
            raise CallFailed("the reply holds no choice", "again", is_charged=True)
        return chat_reply(found, messages, None)

    async def close(self) -> None:
        """Does nothing: the package keeps its connections itself."""
