"""What a prompt layout has to place, and the labels and instructions that go with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from sago.records import Task

LabelStyle = Literal["letters", "numbers", "small_letters", "small_romans", "romans", "none"]
LABELS: tuple[LabelStyle, ...] = ("letters", "numbers", "small_letters", "small_romans", "romans", "none")
"""Styles of the labels in front of choices."""

PLAIN = "plain"
"""Name of the canonical layout."""


class Parts(NamedTuple):  # made for every prompt, and a frozen record takes twice as long to make
    """What a layout has to place."""

    question: str
    instruction: str
    context: str | None = None
    choices: tuple[str, ...] = ()
    """Choice texts in shown order; empty = open question."""
    labels: tuple[str, ...] = ()
    """One label for each choice; empty where the layout shows none."""

    def options(self, before: str, after: str) -> list[str]:
        """Returns one text for each choice, its label between ``before`` and ``after``."""
        return [before + label + after + text for label, text in zip(self.labels, self.choices, strict=True)]


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to lay out a prompt.

    Attributes:
        name: Its name, shared by all examples.
        labels: What stands in front of the options.
        place: Parts -> prompt text.
    """

    name: str
    labels: LabelStyle
    place: Callable[[Parts], str]


@lru_cache(maxsize=256)
def labels_of(style: LabelStyle, count: int) -> tuple[str, ...]:
    """Returns the labels of ``count`` options: A to Z, then AA, AB; or 1, 2, 3; or i, ii, iii; or none.

    >>> labels_of("letters", 28)[-3:]
    ('Z', 'AA', 'AB')
    """
    if style == "none":
        return ()
    return tuple(_LABEL[style](index) for index in range(count))


def instruction_for(task: Task, style: LabelStyle | None) -> str:
    """Returns the instruction of a task; ``style`` is null for open questions."""
    if style is not None:
        return _CHOICE_INSTRUCTIONS[style]
    return "Answer with a number only." if task == "numeric" else "Answer in a few words."


_CHOICE_INSTRUCTIONS: dict[LabelStyle, str] = {
    "letters": "Answer with the letter only.",
    "numbers": "Answer with the number of the option only.",
    "small_letters": "Answer with the letter only.",
    "small_romans": "Answer with the roman numeral of the option only.",
    "romans": "Answer with the roman numeral of the option only.",
    "none": "Answer with the text of one option only.",
}


def _letters(index: int) -> str:
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _romans(index: int) -> str:
    number, digits = index + 1, ""
    for value, digit in ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        digits += digit * (number // value)
        number %= value
    return digits


_LABEL: dict[LabelStyle, Callable[[int], str]] = {
    "letters": _letters,
    "numbers": lambda index: str(index + 1),
    "small_letters": lambda index: _letters(index).lower(),
    "small_romans": lambda index: _romans(index).lower(),
    "romans": _romans,
}
