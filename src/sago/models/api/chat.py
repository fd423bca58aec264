"""How the body of a chat or text completion in the form of OpenAI's API reads: what most servers and gateways send."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sago.arrays.logprobs import ROUNDING
from sago.models.api.provider import ApiReply, count_in, text_in
from sago.models.replies import ChatReply, read_chat_reply
from sago.records import Message

UNKNOWN_BELOW = -9998.0
"""Log-probabilities from here on down are a mark for "not known" of some servers, no value."""


def chat_reply(body: Mapping[str, Any], messages: tuple[Message, ...], request_id: str | None) -> ApiReply:
    """Returns what a completion says.

    Args:
        body: The body as parsed from JSON; no error.
        messages: What was sent.
        request_id: Name of the request, from the headers.
    """
    usage = body.get("usage")
    said = read_chat_reply(body)
    reply_id = text_in(body, "id")
    return ApiReply(
        replace(said, token_logprobs=known_logprobs(_tokens(body, said))),
        messages,
        first=_first(body),
        prompt_tokens=count_in(usage, "prompt_tokens"),
        response_tokens=count_in(usage, "completion_tokens"),
        reasoning_tokens=count_in(usage, "completion_tokens_details.reasoning_tokens"),
        model_version=text_in(body, "model"),
        fingerprint=text_in(body, "system_fingerprint"),
        request_id=request_id or reply_id,
        reply_id=reply_id,
    )


def known_logprobs(values: Sequence[float | None] | None) -> tuple[float | None, ...] | None:
    """Returns log-probabilities (nats) in which what is none is null: marks for "not known", and what is above 0.

    >>> known_logprobs([-0.5, 0.0, None, -9999.0, 0.3])
    (-0.5, 0.0, None, None, None)
    """
    if not values:
        return None
    found = tuple(_known(value) for value in values)
    return None if all(value is None for value in found) else found


def choice_logprobs(first: Sequence[tuple[str, float]], choices: Sequence[str]) -> tuple[float | None, ...] | None:
    """Returns the log-probability of each option as the first token, the spellings of an option added up.

    Each is a lower bound: only the most likely tokens are known. An option beyond them is null; null as a whole where every one is.

    Args:
        first: Most likely first tokens with their log-probabilities (nats).
        choices: Options, in shown order.

    >>> choice_logprobs([("A", math.log(0.80)), (" A", math.log(0.05)), ("B", math.log(0.10))], ["A", "B", "C"])[2] is None
    True
    >>> round(math.exp(choice_logprobs([("A", math.log(0.80)), (" A", math.log(0.05))], ["A"])[0]), 6)
    0.85
    """
    shares: dict[str, float] = {}
    for token, value in first:
        spelled = token.strip(" \t\n\u2581\u0120\u010a")
        shares[spelled] = shares.get(spelled, 0.0) + math.exp(value)
    found = tuple(min(math.log(shares[one.strip()]), 0.0) if shares.get(one.strip(), 0.0) > 0 else None for one in choices)
    return None if all(value is None for value in found) else found


def _known(value: float | None) -> float | None:
    if value is None or not math.isfinite(value) or value <= UNKNOWN_BELOW or value > ROUNDING:
        return None
    return min(float(value), 0.0)


def _choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, Sequence) and choices else None
    return first if isinstance(first, Mapping) else {}


def _tokens(body: Mapping[str, Any], said: ChatReply) -> Sequence[float | None] | None:
    """Returns log-probabilities of chat (already read), or of text completions, which have them in a list of their own."""
    given = _choice(body).get("logprobs")
    plain = given.get("token_logprobs") if isinstance(given, Mapping) else None
    if said.token_logprobs is not None or not isinstance(plain, Sequence):
        return said.token_logprobs
    return [float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None for value in plain]


def _first(body: Mapping[str, Any]) -> tuple[tuple[str, float], ...] | None:
    """Returns the most likely first tokens with their log-probabilities; null where there are none."""
    given = _choice(body).get("logprobs")
    if not isinstance(given, Mapping):
        return None
    pairs: list[tuple[Any, Any]] = []
    content, plain = given.get("content"), given.get("top_logprobs")
    if isinstance(content, Sequence) and content and isinstance(content[0], Mapping):
        tops = content[0].get("top_logprobs")
        pairs = [(one.get("token"), one.get("logprob")) for one in tops or () if isinstance(one, Mapping)]
    elif isinstance(plain, Sequence) and plain and isinstance(plain[0], Mapping):
        pairs = list(plain[0].items())
    found = [(token, _known(value)) for token, value in pairs if isinstance(token, str) and isinstance(value, int | float)]
    kept = tuple((token, value) for token, value in found if value is not None)
    return kept or None
