"""What a planted model reads out of a prompt: the options as they are shown, and whether a number or a text is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sago.records import Request
from sago.testing.planted.base import user_text
from sago.variations.layouts import instruction_for, labels_of

TWIN = "meaning-changed"
"""Name of the control that asks another question of the same form."""
_SAME_PROMPT = "identity"

NUMBERS = tuple(str(1001 + 7 * place) for place in range(16))
"""Answers to questions that ask for a number."""
WORDS = ("amber", "basalt", "cedar", "delta", "ember", "falcon", "garnet", "harbour", "indigo", "juniper", "kestrel", "lagoon", "marble",
         "nectar", "onyx", "pepper")  # fmt: skip
"""Answers to questions that ask for a text."""

_LABEL = r"([A-Z]{1,2}|\d{1,2})"
_STYLES = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"^{_LABEL}\. (.+)$",
        rf"^\({_LABEL}\) (.+)$",
        rf'^<option id="{_LABEL}">(.+)</option>$',
        rf"^- \*\*{_LABEL}\*\* (.+)$",
        rf"^\[{_LABEL}\] (.+)$",
        rf"^ *{_LABEL}: (.+)$",
    )
)
"""One option a line, as the layouts of ``sago.variations`` show them."""
_INLINE = re.compile(r" Options: (A\) .+)\. " + re.escape(instruction_for("choice", "letters")))
_BULLET = re.compile(r"^  - (.+)$", re.MULTILINE)


class Option(NamedTuple):
    """One answer that a model may give: what it means, and how it is said in this prompt."""

    content: str
    said: str


def wording_of(request: Request) -> str:
    """Returns the name of the wording: the identity control is the canonical wording once more."""
    return "canonical" if request.key.variant == _SAME_PROMPT else request.key.variant


def question_of(request: Request) -> tuple[str, str]:
    """Returns data set and example; the meaning-changed twin of an example is a question of its own."""
    twin = f"/{TWIN}" if request.key.variant == TWIN else ""
    return request.key.dataset, request.key.example + twin


def options_of(request: Request, choices: Sequence[str] | None, answers: int) -> list[Option]:
    """Returns what may be answered, in shown order.

    Args:
        request: The request.
        choices: What is scored, in shown order; null where nothing is.
        answers: How many answers an open question has.
    """
    shown = shown_options(user_text(request))
    if not shown and choices:
        shown = [Option(choice, choice) for choice in choices]
    if shown:
        return shown
    pool = NUMBERS if instruction_for("numeric", None) in user_text(request) else WORDS
    return [Option(text, text) for text in pool[:answers]]


def shown_options(prompt: str) -> list[Option]:
    r"""Returns the options that a prompt shows, in shown order; none for an open question or a layout that is not known.

    >>> shown_options("Which?\n\nA. Mars\nB. Venus\n\nAnswer with the letter only.")
    [Option(content='Mars', said='A'), Option(content='Venus', said='B')]
    """
    if instruction_for("choice", "none") in prompt:
        return [Option(text, text) for text in _BULLET.findall(prompt)]
    if not any(instruction_for("choice", style) in prompt for style in ("letters", "numbers")):
        return []
    inline = _INLINE.search(prompt)
    if inline:
        texts = re.split(r"; [B-Z]\) ", inline[1].removeprefix("A) "))
        return [Option(text, label) for text, label in zip(texts, labels_of("letters", len(texts)), strict=True)]
    return max((_listed(style.findall(prompt)) for style in _STYLES), key=len)


def _listed(found: list[tuple[str, str]]) -> list[Option]:
    """Returns those of the lines that count up from the first label."""
    for style in ("letters", "numbers"):
        labels = iter(labels_of(style, len(found)))
        expected = next(labels, None)
        options = []
        for label, text in found:
            if label == expected:
                options.append(Option(text, label))
                expected = next(labels, None)
        if len(options) > 1:
            return options
    return []
