"""What a provider's adapter is: one call, and how its reply reads; everything else is shared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sago.models.api.failures import CallFailed, failed_body, failed_status
from sago.models.replies import ChatReply
from sago.records import Message, Request


@dataclass(frozen=True, slots=True)
class ApiReply:
    """What one call brought.

    Attributes:
        said: Text, thinking, status.
        messages: What was sent, after everything that the server does not take was put otherwise.
        first: Log-probability (nats) of each of the most likely first tokens; null = the server gave none.
        prompt_tokens: As the server counted them; null = it did not.
        response_tokens: As the server counted them, thinking included; null = it did not.
        reasoning_tokens: Those of them that were thinking; null = not said.
        model_version: Model as the server names it.
        fingerprint: What the server says of its configuration.
        request_id: Name of the reply, for questions to the provider.
        reply_id: Name of the reply in its body; two replies with one name are one reply, from a cache.
    """

    said: ChatReply
    messages: tuple[Message, ...]
    first: tuple[tuple[str, float], ...] | None = None
    prompt_tokens: int | None = None
    response_tokens: int | None = None
    reasoning_tokens: int | None = None
    model_version: str | None = None
    fingerprint: str | None = None
    request_id: str | None = None
    reply_id: str | None = None


class Provider(Protocol):
    """One way to reach models behind an API.

    Attributes:
        server: Where, and by which kind of call; without any key.
        notes: What a reader of the numbers should know; grows while the server is got to know.
    """

    server: str
    notes: list[str]

    async def ask(self, request: Request, *, timeout: float) -> ApiReply:
        """Sends exactly one call.

        Raises:
            CallFailed: If it brought no reply.
        """
        ...

    async def close(self) -> None:
        """Closes connections."""
        ...


@dataclass(frozen=True, slots=True)
class Raised:
    """Exceptions of a provider's package: all such packages are made alike.

    Attributes:
        status: Raised for an HTTP status that is no success; carries the response, or the status alone.
        connection: Raised where no answer, or no whole answer, came.
        timeout: Raised after too long a time; may be one of ``connection``.
    """

    status: tuple[type[Exception], ...]
    connection: tuple[type[Exception], ...]
    timeout: tuple[type[Exception], ...] = field(default=())

    def failure(self, error: Exception) -> CallFailed:
        """Returns what an exception means."""
        if isinstance(error, self.timeout):
            return CallFailed("no reply in time", "again", is_charged=True)
        if isinstance(error, self.status):
            response = getattr(error, "response", None)
            status = getattr(error, "status_code", None) or getattr(error, "code", None) or getattr(response, "status_code", None)
            if isinstance(status, int):
                return failed_status(status, _content(error, response), getattr(response, "headers", None))
        if isinstance(error, self.connection):
            cause = error.__cause__ or error
            # A connection that was never made cost nothing; of one that broke nobody knows.
            is_charged = "connect" not in type(cause).__name__.lower()
            return CallFailed(f"no connection, or a reply that broke off: {told(cause)}", "again", is_charged=is_charged)
        return CallFailed(told(error), "leave")


def _content(error: Exception, response: Any) -> Any:
    try:
        content = response.content
    except Exception:  # noqa: BLE001 - a stream that was not read raises its package's own error; the exception still has a message
        content = None
    if not isinstance(content, bytes | str):
        content = None  # a stream of another package, which nobody has read
    return content or getattr(error, "body", None) or getattr(error, "details", None) or str(error)


def told(error: BaseException) -> str:
    r"""Returns an exception in one line.

    >>> told(ValueError("a\nb")), told(TimeoutError())
    ('ValueError: a b', 'TimeoutError')
    """
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def body_of(content: bytes, headers: Mapping[str, str]) -> Mapping[str, Any]:
    """Returns the body of a reply with status 200.

    Raises:
        CallFailed: If it is no JSON object (something between here and there answered in the server's place), or says that it is an error.
    """
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        shown = " ".join(content[:80].decode("utf-8", "replace").split())
        raise CallFailed(f"the reply is no JSON: {shown!r}", "again", is_charged=True) from None
    if not isinstance(body, Mapping):
        raise CallFailed("the reply is no JSON object", "again", is_charged=True)
    if failed := failed_body(body, headers):
        raise failed
    return body


def count_in(usage: Any, *names: str) -> int | None:
    """Returns the first of some counts that is there, nested names with dots; null where there is none.

    >>> count_in({"completion_tokens_details": {"reasoning_tokens": 3}}, "completion_tokens_details.reasoning_tokens")
    3
    """
    for name in names:
        found = usage
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
    return None


def text_in(body: Mapping[str, Any], name: str) -> str | None:
    """Returns a text of a body; null where it is none, or blank."""
    found = body.get(name)
    return found if isinstance(found, str) and found.strip() else None


def folded(messages: Sequence[Message]) -> tuple[Message, ...]:
    r"""Returns messages for a server that takes no system message: what it says stands in front of the first message of the user.

    >>> [message.content for message in folded([Message("system", "Be brief."), Message("user", "Why?")])]
    ['Be brief.\n\nWhy?']
    """
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    if not system:
        return tuple(messages)
    place = next((index for index, message in enumerate(rest) if message.role == "user"), None)
    if place is None:
        return (Message("user", system), *rest)
    return (*rest[:place], Message("user", f"{system}\n\n{rest[place].content}"), *rest[place + 1 :])
