"""What went wrong with one call, and what is to be done about it: send it again, leave it out, or stop."""

from __future__ import annotations

import email.utils
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sago.models.replies import FILTER_REASONS

Remedy = Literal["again", "slower", "otherwise", "leave", "stop"]
"""``again``: it failed in passing; ``slower``: the same, and the rate is too high; ``otherwise``: it will be asked in another way, so
again at once; ``leave``: this call alone cannot succeed; ``stop``: no call can."""

_IN_PASSING = frozenset({408, 409, 423, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_RATE = frozenset({429})
_BUSY = frozenset({503, 529})
"""Statuses that say, like a rate limit, that less should be asked."""
_NOBODY = frozenset({401, 402, 403, 404})
"""Statuses that every other call would get as well: key, payment, permission, address or name of the model."""

_QUOTA_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error", "quota_exceeded", "account_deactivated"}
)
_QUOTA_WORDS = ("exceeded your current quota", "credit balance is too low", "insufficient credit", "insufficient balance", "out of credits")
_LENGTH_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_LENGTH_WORDS = ("prompt is too long",)
_FILTER_CODES = FILTER_REASONS | {"content_policy_violation", "responsibleaipolicyviolation"}
_FILTER_WORDS = ("flagged", "moderation")
_KEY_WORDS = ("api key not valid", "invalid api key", "incorrect api key")
_LONGEST = 500
"""Characters of a server's message that are kept."""


class CallFailed(Exception):  # noqa: N818 - it is no error of the program, but what became of one call
    """One call that brought no reply.

    Args:
        message: What the server said, or what happened.
        remedy: What is to be done.
        retry_after: How long the server asks to wait (s); null = it does not say.
        outcome: Status of the observation where the call is left out.
        is_charged: Whether the server may have worked on it, and charge for that.
        named: What the server says is wrong with the call: a parameter, for whoever can ask without it.
        status: HTTP status; null = there was no answer at all.
    """

    def __init__(
        self,
        message: str,
        remedy: Remedy,
        *,
        retry_after: float | None = None,
        outcome: Literal["error", "too_long", "filtered"] = "error",
        is_charged: bool = False,
        named: str | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedy: Remedy = remedy
        self.retry_after = retry_after
        self.outcome = outcome
        self.is_charged = is_charged
        self.named = named
        self.status = status


@dataclass(frozen=True, slots=True)
class _Told:
    """What the body of an error says."""

    message: str
    codes: frozenset[str]
    parameter: str | None


def failed_status(status: int, body: Any, headers: Mapping[str, str] | None = None) -> CallFailed:
    """Returns what an HTTP status with its body means.

    Args:
        status: HTTP status, or the code that stands for one in an error body.
        body: Parsed JSON, or text, or null.
        headers: Headers of the response.

    >>> failed_status(429, {"error": {"code": "insufficient_quota", "message": "no credit left"}}).remedy
    'stop'
    >>> failed_status(429, None, {"retry-after": "2"}).remedy, failed_status(400, {"error": {"message": "no"}}).remedy
    ('slower', 'leave')
    """
    told = _told(body)
    message = f"HTTP {status}: {told.message}" if told.message else f"HTTP {status} without a message"
    low = told.message.lower()
    if told.codes & _QUOTA_CODES or any(words in low for words in _QUOTA_WORDS):
        return CallFailed(message, "stop", status=status)
    if told.codes & _FILTER_CODES or (status == 403 and any(words in low for words in _FILTER_WORDS)):
        return CallFailed(message, "leave", outcome="filtered", status=status)
    if told.codes & _LENGTH_CODES or (status in (400, 413) and any(words in low for words in _LENGTH_WORDS)):
        return CallFailed(message, "leave", outcome="too_long", status=status)
    if status in _NOBODY or (status == 400 and any(words in low for words in _KEY_WORDS)):
        return CallFailed(message, "stop", status=status)
    if status in _RATE or status in _BUSY:
        return CallFailed(message, "slower", retry_after=retry_after(headers or {}), status=status)
    if status in _IN_PASSING or status > 500:
        return CallFailed(message, "again", retry_after=retry_after(headers or {}), status=status)
    return CallFailed(message, "leave", named=told.parameter, status=status)


def failed_body(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> CallFailed | None:
    """Returns what the body of a reply with HTTP status 200 says is wrong; null for an ordinary reply.

    An error in such a body is an error like any other: with a code that is an HTTP status it means what that status means.

    >>> failed_body({"choices": []}) is None, failed_body({"error": {"code": 502, "message": "upstream"}}).remedy
    (True, 'again')
    """
    error = body.get("error")
    if not error and body.get("type") != "error":
        return None
    if error == {} or error is False:
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    status = int(str(code)) if str(code).isdigit() else None
    if status is None or not 400 <= status <= 599:
        kind = " ".join(sorted(_told(body).codes))
        status = 429 if "rate_limit" in kind else 500 if "overloaded" in kind or "server_error" in kind or "api_error" in kind else 400
    found = failed_status(status, body, headers)
    found.message = f"an error in a reply with status 200: {found.message}"
    return found


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Returns how long a server asks to wait (s, at least 0); null where it does not say, or says nothing that can be understood.

    >>> retry_after({"retry-after": "1.5"}), retry_after({"retry-after-ms": "20"}), retry_after({"retry-after": "soon"})
    (1.5, 0.02, None)
    >>> retry_after({"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}, datetime(2099, 10, 21, 7, 27, 30, tzinfo=UTC))
    30.0
    """
    known = {name.lower(): value for name, value in headers.items()}
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(known[name]) * scale
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds):
            return max(seconds, 0.0)
    try:
        date = email.utils.parsedate_to_datetime(known["retry-after"])
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max((date - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _told(body: Any) -> _Told:
    """Returns message, codes and parameter of an error body: texts, JSON in texts, lists, and the nested objects that providers send."""
    if isinstance(body, str | bytes):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            text = body if isinstance(body, str) else body.decode("utf-8", "replace")
            return _Told(_line(text), frozenset(), None)
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return _Told("" if body is None else _line(str(body)), frozenset(), None)
    error = body.get("error", body)
    if not isinstance(error, Mapping):
        return _Told(_line(str(error)), frozenset(), None)
    inner = error.get("innererror")
    values = [error.get("code"), error.get("type"), error.get("status"), inner.get("code") if isinstance(inner, Mapping) else None]
    parameter = error.get("param")
    message = error.get("message") or error.get("detail") or body.get("message") or body.get("detail")
    said = _line(message if isinstance(message, str) else json.dumps(message or dict(error), default=str))
    return _Told(said, _codes(values), parameter if isinstance(parameter, str) else None)


def _codes(values: Iterable[Any]) -> frozenset[str]:
    return frozenset(value.lower() for value in values if isinstance(value, str) and value)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
