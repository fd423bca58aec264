"""What a chat-completion reply body says: text, thinking, status. Pure; whoever called the server, or recorded the call, hands it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sago.models.local.replies import read_reply
from sago.records import Status

FILTER_REASONS = frozenset(
    {"content_filter", "content_filtered", "safety", "blocked", "prohibited_content", "recitation", "blocklist", "spii", "language"}
)
"""Finish reasons (lower case) that mean: held back by a filter."""

LENGTH_REASONS = frozenset({"length", "max_tokens", "max_output_tokens", "max_length", "model_length", "model_context_window_exceeded"})
"""Finish reasons (lower case) that mean: cut off at the token limit."""

REFUSAL_REASONS = frozenset({"refusal", "refused"})
"""Finish reasons (lower case) that mean: the model refused."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One reply as the fields of an observation.

    Attributes:
        status: Status of the observation; never ``too_long``.
        response: The text; null where none came.
        reasoning: Thinking text, kept apart; null = none.
        finish_reason: As the server said; null = it did not say.
        error: Message of the error; null = none.
        token_logprobs: Log-probability of each token (nats), as sent; null = none were sent.
    """

    status: Status
    response: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    error: str | None = None
    token_logprobs: tuple[float | None, ...] | None = None


def read_chat_reply(body: Mapping[str, Any]) -> ChatReply:
    """Returns what the first choice of a chat-completion body says; never raises on an odd body.

    A reply without any text is ``filtered``, ``truncated``, ``refusal`` or ``empty`` by its finish reason and its refusal field: none of
    them is a wrong answer. Text parts are joined, thinking is kept apart, a refusal's text is kept as the response.

    Args:
        body: The body as parsed from JSON.

    >>> read_chat_reply({"choices": [{"finish_reason": "content_filter", "message": {"content": None}}]}).status
    'filtered'
    >>> read_chat_reply({"choices": [{"finish_reason": "stop", "message": {"content": "ANSWER: B"}}]}).response
    'ANSWER: B'
    """
    choices = body.get("choices")
    if not (isinstance(choices, Sequence) and choices and isinstance(choices[0], Mapping)):
        return ChatReply("error", error=_message(body.get("error")) or "the reply holds no choice")
    choice = choices[0]
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {"content": choice.get("text")}
    finish = choice.get("finish_reason")
    finish = None if finish is None else str(finish)
    thought = message.get("reasoning_content") or message.get("reasoning")
    said = reply_of(joined_text(message.get("content")), finish, refusal=joined_text(message.get("refusal")))
    reasoning = "\n".join(part for part in (joined_text(thought), said.reasoning) if part) or None
    return ChatReply(said.status, said.response, reasoning, finish, token_logprobs=_logprobs(choice.get("logprobs")))


def reply_of(text: str | None, finish_reason: str | None, *, refusal: str | None = None) -> ChatReply:
    """Returns the status of a text, its thinking split off.

    Args:
        text: What came; null = no text came.
        finish_reason: As the server said; null = not known.
        refusal: Text of a refusal that came apart from the content; null = none.

    >>> reply_of("<think>maybe A", "length").status, reply_of(" ", "stop").status, reply_of("B", None).status
    ('truncated', 'empty', 'ok')
    """
    finish = (finish_reason or "stop").lower()
    if refusal and not (text or "").strip():
        return ChatReply("refusal", refusal, finish_reason=finish_reason)
    if finish in FILTER_REASONS:
        return ChatReply("filtered", text, finish_reason=finish_reason)
    if finish in REFUSAL_REASONS:
        return ChatReply("refusal", text, finish_reason=finish_reason)
    cut_off = finish in LENGTH_REASONS
    if text is None:
        return ChatReply("truncated" if cut_off else "empty", None, finish_reason=finish_reason)
    read = read_reply(text, "length" if cut_off else "stop")
    status: Status = "truncated" if cut_off else read.status
    return ChatReply(status, read.response, read.reasoning, finish_reason)


def joined_text(content: Any) -> str | None:
    """Returns message content as one text: a text as it is, the text parts of a list joined; null where there is no text.

    >>> joined_text([{"type": "text", "text": "ANSWER: "}, {"type": "text", "text": "D"}]), joined_text(None)
    ('ANSWER: D', None)
    """
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = [part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, str | Mapping)]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return None


def _message(error: Any) -> str | None:
    if isinstance(error, Mapping):
        error = error.get("message")
    return None if error is None else str(error)


def _logprobs(given: Any) -> tuple[float | None, ...] | None:
    tokens = given.get("content") if isinstance(given, Mapping) else None
    if not isinstance(tokens, Sequence) or isinstance(tokens, str) or not tokens:
        return None
    found = [token.get("logprob") if isinstance(token, Mapping) else None for token in tokens]
    return tuple(float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None for value in found)
