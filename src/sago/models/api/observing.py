"""From a reply, or its failure, to an observation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from sago.models.api.chat import choice_logprobs
from sago.models.api.failures import CallFailed
from sago.models.api.provider import ApiReply
from sago.records import Observation, Request
from sago.seeds import hash_of_messages

Hide = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that brought a reply.

    Attributes:
        reply: What it brought.
        attempts: Requests that were sent for it.
        seconds: Its time divided by the calls that were in flight when it began.
    """

    reply: ApiReply
    attempts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A call that brought none.

    Attributes:
        failed: Why.
        attempts: Requests that were sent for it.
    """

    failed: CallFailed
    attempts: int


def observation(request: Request, call: Call, hide: Hide) -> Observation:
    """Returns the observation of a reply.

    Args:
        request: What was asked.
        call: What came.
        hide: Takes the key out of a text.
    """
    reply, said = call.reply, call.reply.said
    options, why = None, None
    if request.choices:
        options = choice_logprobs(reply.first, request.choices) if reply.first else None
        missed = "none is among the most likely first tokens" if reply.first else "no log-probabilities came"
        why = None if options else f"options: {missed}"
    return Observation(
        key=request.key,
        status=said.status,
        response=_hidden(said.response, hide),
        reasoning=_hidden(said.reasoning, hide),
        finish_reason=_hidden(said.finish_reason, hide),
        error=_hidden(said.error or why, hide),
        token_logprobs=said.token_logprobs,
        choice_logprobs=options,
        prompt_tokens=reply.prompt_tokens,
        prompt_hash=hash_of_messages([(message.role, message.content) for message in reply.messages]),
        seconds=call.seconds,
        response_tokens=reply.response_tokens,
        reasoning_tokens=reply.reasoning_tokens,
        attempts=call.attempts,
        model_version=_hidden(reply.model_version, hide),
        server_fingerprint=_hidden(reply.fingerprint, hide),
        request_id=_hidden(reply.request_id, hide),
        asked_at=_now(),
    )


def failed_observation(request: Request, call: FailedCall, hide: Hide) -> Observation:
    """Returns the observation of a call that brought no reply: missing data, or behaviour where a filter held the question back."""
    failed = call.failed
    message = hide(failed.message)
    return Observation(
        key=request.key,
        status=failed.outcome,
        finish_reason="content_filter" if failed.outcome == "filtered" else None,
        error=f"{message} (sent {call.attempts} times)" if call.attempts > 1 else message,
        prompt_hash=hash_of_messages([(message.role, message.content) for message in request.messages]),
        attempts=call.attempts,
        asked_at=_now(),
    )


def _hidden(text: str | None, hide: Hide) -> str | None:
    return None if text is None else hide(text)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
