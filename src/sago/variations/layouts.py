"""Prompt layouts: where question, context, options and instruction stand, and what is put around them.

Texts of the data are joined in as they are, byte for byte, in one pass: they are never a template, and nothing inside them is
escaped or filled in. There is no JSON layout for that reason: inside JSON a quotation mark or a backslash of the question would have
to be escaped, and the prompt would no longer hold the question as given.

Every layout works for options, numbers and free text, with and without a context, and any two differ in more than white space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sago.errors import UnknownNameError
from sago.records import Task

LabelStyle = Literal["letters", "numbers", "small_letters", "small_romans", "romans", "none"]
LABELS: tuple[LabelStyle, ...] = ("letters", "numbers", "small_letters", "small_romans", "romans", "none")
"""Styles of the labels in front of choices."""

PLAIN = "plain"
"""Name of the canonical layout."""


@dataclass(frozen=True, slots=True)
class Parts:
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


def get_layout(name: str) -> Layout:
    """Returns the layout of that name.

    Raises:
        UnknownNameError: If there is none.
    """
    if name not in LAYOUTS:
        raise UnknownNameError("layout", name, known=LAYOUTS)
    return LAYOUTS[name]


_CHOICE_INSTRUCTIONS: dict[LabelStyle, str] = {
    "letters": "Answer with the letter only.",
    "numbers": "Answer with the number of the option only.",
    "small_letters": "Answer with the letter only.",
    "small_romans": "Answer with the number of the option only.",
    "romans": "Answer with the number of the option only.",
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


def _blocks(*blocks: str | None) -> str:
    return "\n\n".join(block for block in blocks if block is not None)


def _lines(*lines: str | None) -> str:
    return "\n".join(line for line in lines if line is not None)


def _if(text: str | None, before: str, after: str = "") -> str | None:
    return None if text is None else before + text + after


def _listed(options: Sequence[str], separator: str = "\n") -> str | None:
    return separator.join(options) if options else None


def _plain(parts: Parts) -> str:
    return _blocks(parts.context, parts.question, _listed(parts.options("", ". ")), parts.instruction)


def _labelled(parts: Parts) -> str:
    options = _if(_listed(parts.options("(", ") ")), "Options:\n")
    return _lines(_if(parts.context, "Context: "), "Question: " + parts.question, options, parts.instruction, "Answer:")


def _inline(parts: Parts) -> str:
    options = _if(_listed(parts.options("", ") "), "; "), "Options: ", ".")
    pieces = (_if(parts.context, "Context: "), "Q: " + parts.question, options, parts.instruction, "Answer:")
    return " ".join(piece for piece in pieces if piece is not None)


def _numbered(parts: Parts) -> str:
    lead = "Here is a question with numbered options." if parts.choices else "Here is a question."
    return _blocks(lead, parts.context, parts.question, _listed(parts.options("", ". ")), parts.instruction)


def _bullets(parts: Parts) -> str:
    options = _if(_listed(["  - " + text for text in parts.choices]), "- Options:\n")
    return _lines(_if(parts.context, "- Context: "), "- Question: " + parts.question, options, "- Task: " + parts.instruction)


def _xml(parts: Parts) -> str:
    options = [f'<option id="{label}">' + text + "</option>" for label, text in zip(parts.labels, parts.choices, strict=True)]
    return _lines(
        _if(parts.context, "<context>\n", "\n</context>"),
        "<question>\n" + parts.question + "\n</question>",
        _if(_listed(options), "<options>\n", "\n</options>"),
        "<instruction>" + parts.instruction + "</instruction>",
    )


def _markdown(parts: Parts) -> str:
    return _blocks(
        _if(parts.context, "### Context\n\n"),
        "### Question\n\n" + parts.question,
        _if(_listed(parts.options("- **", "** ")), "### Options\n\n"),
        "### Answer\n\n" + parts.instruction,
    )


def _instruction_first(parts: Parts) -> str:
    return _blocks(parts.instruction, parts.context, parts.question, _listed(parts.options("", ". ")))


def _fields(parts: Parts) -> str:
    options = _if(_listed(parts.options("  ", ": ")), "options:\n")
    return _lines(_if(parts.context, "context: "), "question: " + parts.question, options, "instruction: " + parts.instruction, "answer:")


def _brackets(parts: Parts) -> str:
    return _lines(
        _if(parts.context, "[Context]\n"),
        "[Question]\n" + parts.question,
        _if(_listed(parts.options("[", "] ")), "[Options]\n"),
        "[Instruction]\n" + parts.instruction,
    )


def _question_last(parts: Parts) -> str:
    options = _if(_listed(parts.options("", ": ")), "Choose from these options.\n")
    return _blocks(options, _if(parts.context, "Text: "), "Question: " + parts.question + " " + parts.instruction)


LAYOUTS: dict[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout(PLAIN, "letters", _plain),
        Layout("labelled", "letters", _labelled),
        Layout("markdown", "letters", _markdown),
        Layout("xml", "letters", _xml),
        Layout("inline", "letters", _inline),
        Layout("numbered", "numbers", _numbered),
        Layout("bullets", "none", _bullets),
        Layout("instruction-first", "letters", _instruction_first),
        Layout("fields", "letters", _fields),
        Layout("brackets", "letters", _brackets),
        Layout("question-last", "letters", _question_last),
    )
}
"""Name -> layout. The order is that in which ``format`` takes them, so that all examples get the same ones (fully crossed)."""
