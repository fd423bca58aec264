"""What a chat server takes, learned from what it refuses: parameters of other names, none at all, no system message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sago.models.api.failures import CallFailed
from sago.models.api.provider import folded
from sago.records import Message, Request

TOP = (20, 5)
"""How many of the most likely tokens are asked for, most first; a server that refuses the first is asked for the next."""

_LENGTH = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_TOLD = {
    "temperature": "the server takes no temperature: greedy answers were drawn as the model draws them, like the reruns",
    "seed": "the server takes no seed: drawn answers cannot be repeated",
    "stop": "the server takes no stop texts: responses end where the model ends them",
    "logprobs": "the server gives no log-probabilities",
}
_SYSTEM_NOTE = "the server takes no system message: it was put in front of the user's"
_NO_SYSTEM = re.compile(r"(system|developer)['\"` ]*(role|message|prompt|instruction)|role['\"` :]*(system|developer)|roles must alternate")
_AMOUNT = re.compile(r"less than|at most|maximum|between|exceed|<=|greater than|minimum|at least|invalid value")


class Dialect:
    """Builds the parameters of chat calls, and learns.

    Args:
        length: Parameter for the most tokens of a response.
        notes: Where what was learned is told.
    """

    def __init__(self, *, length: str, notes: list[str]) -> None:
        self._length = length
        self._tried_lengths = {length}
        self._dropped: set[str] = set()
        self._folds = False
        self._top = 0
        self._notes = notes

    def messages(self, request: Request) -> tuple[Message, ...]:
        """Returns the messages as they are sent."""
        return folded(request.messages) if self._folds else request.messages

    def parameters(self, request: Request, stop: tuple[str, ...]) -> dict[str, Any]:
        """Returns the parameters of one call beside model and messages."""
        wanted: dict[str, Any] = {self._length: request.max_new_tokens, "temperature": request.temperature, "logprobs": True}
        if request.choices:
            wanted["top_logprobs"] = TOP[self._top]
        if request.temperature:
            # Beyond 31 bits some servers refuse a seed.
            wanted["seed"] = request.seed % 2**31
        if stop:
            wanted["stop"] = list(stop)
        return {name: value for name, value in wanted.items() if name not in self._dropped}

    def learn(self, failed: CallFailed, request: Request, sent: Mapping[str, Any], stop: tuple[str, ...]) -> None:
        """Learns what the server does not take, and marks the call as one to be sent otherwise where that is possible now.

        Args:
            failed: What the server refused.
            request: The question.
            sent: Parameters that were sent.
            stop: Texts at which a response ends.
        """
        if self._can_ask_otherwise(failed, request, sent, stop):
            failed.remedy = "otherwise"

    def _can_ask_otherwise(self, failed: CallFailed, request: Request, sent: Mapping[str, Any], stop: tuple[str, ...]) -> bool:
        if failed.status not in (400, 422) or failed.outcome != "error":
            return False
        if dict(sent) != self.parameters(request, stop):
            return True  # another call has brought the same news
        said = failed.message.lower()
        name = failed.named if failed.named in sent else next((one for one in sent if re.search(rf"\b{one}\b", said)), None)
        if name is not None:
            return self._without(name, said)
        has_system = any(message.role == "system" for message in request.messages)
        if has_system and not self._folds and _NO_SYSTEM.search(said):
            self._folds = True
            self._note(_SYSTEM_NOTE)
            return True
        return False

    def _without(self, name: str, said: str) -> bool:
        if name in _LENGTH:
            other = _LENGTH[name]
            if other in self._tried_lengths or (other not in said and _AMOUNT.search(said)):
                return False
            self._length = other
            self._tried_lengths.add(other)
            return True
        if name == "top_logprobs" and self._top + 1 < len(TOP) and _AMOUNT.search(said):
            self._top += 1
            return True
        if name in ("logprobs", "top_logprobs"):
            self._dropped |= {"logprobs", "top_logprobs"}
            self._note(_TOLD["logprobs"])
            return True
        if name == "temperature" and _AMOUNT.search(said) and "only the default" not in said and "unsupported" not in said:
            return False  # a temperature that is out of its limits is the person's to change
        self._dropped.add(name)
        self._note(_TOLD[name])
        return True

    def _note(self, text: str) -> None:
        if text not in self._notes:
            self._notes.append(text)
