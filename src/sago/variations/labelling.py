"""Which styles of labels suit an example: choices that name each other follow their labels, and no label is mistaken for a choice."""

from __future__ import annotations

import re
from functools import lru_cache

from sago.records import Example
from sago.variations import references
from sago.variations.parts import LabelStyle, labels_of

_LETTERS = frozenset({"letters", "small_letters"})
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
_SPELT = {word: str(value) for value, word in enumerate(_COUNTED.split(), start=1)}
_WORD = re.compile(r"(?<![\w.,])\d+(?![.,]\d|\w)|[^\W\d_]+(?:['’-][^\W\d_]+)*")


def suits(example: Example, style: LabelStyle) -> bool:
    """Returns whether the choices of an example can be shown under labels of a style.

    Not where the question names them by letter ("Is option B right?"), where choices name letters in a way that cannot be rewritten or
    there are no labels to rewrite them to, or where a choice reads like a label itself: ``2`` or ``two`` among numbers, ``I don't know``
    among romans.
    """
    choices = example.choices
    if not choices or style == "letters":
        return True
    if references.question_names_letters(example.question):
        return False
    if style == "none":
        return not references.has_letters(choices)
    return references.letters_can_move(choices) and not _reads_like_a_label(choices, style)


def relabelled(example: Example, style: LabelStyle) -> tuple[str, ...] | None:
    """Returns the choices with "Both A and B" brought to the labels of a style; null where there is nothing to bring."""
    choices = example.choices
    if not choices or style in ("letters", "none"):
        return None
    return references.rewritten(choices, range(len(choices)), labels_of(style, len(choices)))


@lru_cache(maxsize=4096)
def _reads_like_a_label(choices: tuple[str, ...], style: LabelStyle) -> bool:
    labels = {label.casefold() for label in labels_of(style, len(choices))}
    if style in _LETTERS:  # "a" and "I" are words of any sentence, and the canonical labels are letters as well
        return any(choice.strip().casefold() in labels for choice in choices)
    if any(_SPELT.get(choice.strip().casefold()) in labels for choice in choices):
        return True  # "6" would say "six" as well as the sixth option
    return any(word.casefold() in labels for choice in choices for word in _WORD.findall(choice))
