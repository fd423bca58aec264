"""Messages to the text and the token ids that the model really sees.

One rule for the begin-of-text token (BOS), the same for generation, log-likelihoods and hidden states: a text that came out of a chat
template is encoded as it is, since the template writes the BOS where the model wants one; plain text is encoded with the tokenizer's own
special tokens. Control tokens that stand in the user's text are encoded as ordinary characters and never read as control.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sago.records import Message

CUE = "\n\nAnswer:"
"""Put behind a plain-text prompt that does not end with a colon, so that a base model has something to complete."""

_log = logging.getLogger(__name__)
_PROBE = "sagoprobe"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt.

    Attributes:
        text: What is encoded.
        is_plain: True without a chat template.
        literals: Character spans that look like control tokens but are the user's own text.
        opens_thinking: True where the template has already opened a thinking section.
    """

    text: str
    is_plain: bool
    literals: tuple[tuple[int, int], ...] = ()
    opens_thinking: bool = False


class PromptMaker:
    """Renders and encodes prompts for one tokenizer.

    Args:
        tokenizer: A tokenizer of transformers.
        chat_template: Null: use the chat template where there is one; false: plain text.
        enable_thinking: Passed to the template; null leaves its default.

    Attributes:
        notes: What the template made necessary, for the model's description.
    """

    def __init__(self, tokenizer: Any, *, chat_template: bool | None = None, enable_thinking: bool | None = None) -> None:
        self._tokenizer = tokenizer
        self._template: str | None = None if chat_template is False else _template_of(tokenizer)
        self._arguments = {} if enable_thinking is None else {"enable_thinking": enable_thinking}
        control = {str(token) for token in tokenizer.added_tokens_decoder.values() if token.special} | set(tokenizer.all_special_tokens)
        ordered = sorted((token for token in control if token), key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, ordered))) if ordered else None
        self._plain_start = self._start_of_plain()
        self.folds_system = self._template is not None and not self._takes_system()
        self.joiner = " " if self._template is None else self._joiner()
        self._warned: set[str] = set()
        self.notes = self._notes(chat_template)

    @property
    def template(self) -> str | None:
        """The chat template in use, or null for plain text."""
        return self._template

    def render(self, messages: Sequence[Message]) -> Prompt:
        """Returns the prompt of some messages."""
        messages = self._fold_system(messages) if self.folds_system else list(messages)
        if self._template is None:
            return self._render_plain(messages)
        text = self._apply(messages)
        held = any(self._has_control(message.content) for message in messages)
        literals = self._literals(messages, text) if held else ()
        return Prompt(text, is_plain=False, literals=literals, opens_thinking=text.rstrip().endswith("<think>"))

    def encode(self, prompt: Prompt, continuation: str = "") -> list[int]:
        """Returns the token ids of the prompt with the continuation, encoded as one string.

        Raises:
            UnicodeError: If the text holds half of a surrogate pair.
        """
        text = prompt.text + continuation
        text.encode("utf-8")
        literals = [*prompt.literals, *self._control_spans(continuation, len(prompt.text))]
        ids: list[int] = []
        start = 0
        for first, last in literals:
            ids += self._ids(text[start:first]) + self._ids(text[first:last], split_special_tokens=True)
            start = last
        ids += self._ids(text[start:])
        return [*self._plain_start, *ids] if prompt.is_plain else ids

    def stripped(self, prompt: Prompt) -> Prompt:
        """Returns a plain prompt without its trailing spaces, which belong to what comes next; others unchanged."""
        return replace(prompt, text=prompt.text.rstrip(" ")) if prompt.is_plain else prompt

    def join(self, prompt: Prompt, continuation: str) -> str:
        """Returns the continuation with the space in front that belongs between it and this prompt, if one does."""
        if not continuation or continuation[0].isspace() or not prompt.text or prompt.text[-1].isspace():
            return continuation
        return self.joiner + continuation

    def _ids(self, text: str, **arguments: Any) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False, **arguments)["input_ids"]) if text else []

    def _start_of_plain(self) -> list[int]:
        """What the tokenizer itself puts in front of a text; what it puts behind would end the prompt and is left out."""
        bare, framed = (list(self._tokenizer("a", add_special_tokens=special)["input_ids"]) for special in (False, True))
        for start in range(len(framed) - len(bare) + 1 if bare else 0):
            if framed[start : start + len(bare)] == bare:
                return framed[:start]
        return framed[:1] if framed[:1] == [self._tokenizer.bos_token_id] else []

    def _render_plain(self, messages: Sequence[Message]) -> Prompt:
        text = "\n\n".join(message.content for message in messages)
        if not text.rstrip(" ").endswith(":"):
            text += CUE
        if text.endswith(" "):
            self._warn("space", "a prompt ends in a space; the space is scored with what comes next, as if it stood in front of it")
        literals = self._control_spans(text)
        if literals:
            self._warn("control", "a prompt holds control tokens as text; they are encoded as ordinary characters")
        return Prompt(text, is_plain=True, literals=tuple(literals))

    def _apply(self, messages: Sequence[Message], *, generate: bool = True) -> str:
        turns = [{"role": message.role, "content": message.content} for message in messages]
        rendered: str = self._tokenizer.apply_chat_template(
            turns, chat_template=self._template, tokenize=False, add_generation_prompt=generate, **self._arguments
        )
        return rendered

    def _literals(self, messages: Sequence[Message], text: str) -> tuple[tuple[int, int], ...]:
        """Where the user's own control tokens stand in a rendered prompt: found by rendering with marks in their place."""
        marks = [f"{_PROBE}{index}x" for index in range(len(messages))]
        marked = self._apply([Message(message.role, mark) for message, mark in zip(messages, marks, strict=True)])
        spans: list[tuple[int, int]] = []
        position = seen = 0
        for message, mark in zip(messages, marks, strict=True):
            at = marked.find(mark, seen)
            start = position + at - seen
            content = next((one for one in (message.content, message.content.strip()) if text.startswith(one, start)), None)
            if at < 0 or content is None or text[position:start] != marked[seen:at]:
                self._warn("control-read", "a prompt holds control tokens that its chat template rewrites; they are read as control")
                return ()
            spans += self._control_spans(content, start)
            position, seen = start + len(content), at + len(mark)
        self._warn("control", "a prompt holds control tokens as text; they are encoded as ordinary characters")
        return tuple(spans)

    def _has_control(self, text: str) -> bool:
        return self._control is not None and self._control.search(text) is not None

    def _control_spans(self, text: str, offset: int = 0) -> list[tuple[int, int]]:
        return [] if self._control is None else [(at.start() + offset, at.end() + offset) for at in self._control.finditer(text)]

    def _takes_system(self) -> bool:
        try:
            return _PROBE in self._apply([Message("system", _PROBE), Message("user", "Hi")])
        except Exception:  # noqa: BLE001 - a template may raise anything to refuse the role; that it did is recorded in the notes
            return False

    def _joiner(self) -> str:
        """The white space that the template itself would put between its generation prompt and an answer."""
        asked = Message("user", "Hi")
        try:
            opened, answered = self._apply([asked]), self._apply([asked, Message("assistant", _PROBE)], generate=False)
        except Exception:  # noqa: BLE001 - a template that cannot show an answer says nothing about the space in front of it
            return ""
        if not answered.startswith(opened):
            return ""
        between = answered[len(opened) :].partition(_PROBE)[0]
        return between if not between.strip() else ""

    def _fold_system(self, messages: Sequence[Message]) -> list[Message]:
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        rest = [message for message in messages if message.role != "system"]
        if not system or not rest:
            return rest or [Message("user", system)]
        return [replace(rest[0], content=f"{system}\n\n{rest[0].content}"), *rest[1:]]

    def _notes(self, wanted: bool | None) -> tuple[str, ...]:
        notes = []
        if self._template is None:
            notes.append("plain text prompts, " + ("as asked" if wanted is False else "the tokenizer has no chat template"))
        else:
            ids = self.encode(self.render([Message("user", "Hi")]))
            bos = self._tokenizer.bos_token_id
            if bos is not None and ids.count(bos) == 0:
                notes.append("the chat template writes no begin-of-text token, and none is added")
            if self.folds_system:
                notes.append("system message folded into the user turn: the chat template refuses it")
            if "strftime_now" in self._template:
                notes.append("the chat template writes today's date into the prompt")
        return tuple(notes)

    def _warn(self, kind: str, message: str) -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            _log.warning(message)


def _template_of(tokenizer: Any) -> str | None:
    template = getattr(tokenizer, "chat_template", None)
    if isinstance(template, dict):
        template = template.get("default") or next(iter(template.values()), None)
    return template or None
