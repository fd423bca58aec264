"""What the tokens of a response say: text, thinking, status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sago.records import Status

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Reply:
    """A response as text.

    Attributes:
        response: The answer; empty where the model only thought.
        reasoning: The thinking, apart; null = none.
        status: ``ok``, ``empty`` or ``truncated``.
    """

    response: str
    reasoning: str | None
    status: Status


class ReplyReader:
    """Turns token ids into texts for one tokenizer."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        marks = (THINK_OPEN, THINK_CLOSE)
        self._hidden = {tokenizer.convert_tokens_to_ids(mark): mark for mark in marks if mark in tokenizer.all_special_tokens}

    def decode(self, ids: list[int]) -> str:
        """Returns the text of some tokens; control tokens are left out, marks of thinking are kept."""
        text = ""
        start = 0
        for index, token in enumerate(ids):
            # Some tokenizers count the marks of thinking among the control tokens and would drop them.
            if token in self._hidden:
                text += self._plain(ids[start:index]) + self._hidden[token]
                start = index + 1
        return text + self._plain(ids[start:])

    def _plain(self, ids: list[int]) -> str:
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text


def read_reply(text: str, finish_reason: str, *, opens_thinking: bool = False) -> Reply:
    """Splits the thinking from the answer and says how the response ended.

    Thinking that was never closed left no answer: ``truncated``, whatever the finish reason.

    Args:
        text: The response, stop texts cut off.
        finish_reason: ``stop`` or ``length``.
        opens_thinking: Whether the prompt itself ended with an opened thinking section.
    """
    reasoning: str | None = None
    thought = opens_thinking or text.lstrip().startswith(THINK_OPEN)
    if thought or THINK_CLOSE in text:
        before, closed, after = text.rpartition(THINK_CLOSE)
        reasoning = (before if closed else text).strip().removeprefix(THINK_OPEN).strip() or None
        text = after if closed else ""
        if not text.strip():
            return Reply("", reasoning, "truncated")
    if not text.strip():
        return Reply(text, reasoning, "empty")
    return Reply(text, reasoning, "truncated" if finish_reason == "length" else "ok")


def cut_at_stop(text: str, stops: tuple[str, ...], *, at_line_break: bool) -> str | None:
    """Returns the text before its first stop text, or null where there is none.

    Args:
        text: The response so far.
        stops: Stop texts.
        at_line_break: Whether the first line break behind some text ends it as well.
    """
    ends = [found for stop in stops if stop and (found := text.find(stop)) >= 0]
    if at_line_break:
        lead = len(text) - len(text.lstrip())
        found = text.find("\n", lead)
        if lead < len(text) and found >= 0:
            ends.append(found)
    return text[: min(ends)] if ends else None
