"""Prompt layouts: where question, context, options and instruction stand, and what is put around them.

Texts of the data are joined in as they are, byte for byte, in one pass: they are never a template, and nothing inside them is
escaped or filled in. There is no JSON layout for that reason: inside JSON a quotation mark or a backslash of the question would have
to be escaped, and the prompt would no longer hold the question as given.

Every one of ``LAYOUTS`` works for options, numbers and free text, with and without a context, and any two differ in more than white
space. ``POSITIONS`` are those that only put the parts in another order; ``grammar`` makes layouts out of field names and separators.
"""

from __future__ import annotations

from collections.abc import Sequence

from sago.errors import UnknownNameError
from sago.variations import grammar
from sago.variations.parts import LABELS, PLAIN, LabelStyle, Layout, Parts, instruction_for, labels_of

__all__ = [
    "LABELS",
    "LAYOUTS",
    "PLAIN",
    "POSITIONS",
    "LabelStyle",
    "Layout",
    "Parts",
    "get_layout",
    "instruction_for",
    "labels_of",
]


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


def _question_before_context(parts: Parts) -> str:
    return _blocks(parts.question, parts.context, _listed(parts.options("", ". ")), parts.instruction)


def _question_around_context(parts: Parts) -> str:
    return _blocks(parts.question, parts.context, parts.question, _listed(parts.options("", ". ")), parts.instruction)


def _choices_before_question(parts: Parts) -> str:
    return _blocks(parts.context, _listed(parts.options("", ". ")), parts.question, parts.instruction)


POSITIONS: dict[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout("question-before-context", "letters", _question_before_context),
        Layout("question-around-context", "letters", _question_around_context),
        LAYOUTS["instruction-first"],
        Layout("choices-before-question", "letters", _choices_before_question),
    )
}
"""Name -> layout that looks like the canonical one and has its parts in another order."""


def get_layout(name: str) -> Layout:
    """Returns the layout of that name: a fixed one, or one of the grammar.

    Raises:
        UnknownNameError: If there is none.
    """
    layout = LAYOUTS.get(name) or POSITIONS.get(name) or grammar.layout_named(name)
    if layout is None:
        raise UnknownNameError("layout", name, known={**LAYOUTS, **POSITIONS})
    return layout
