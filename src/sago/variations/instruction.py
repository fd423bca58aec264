"""The task asked for in other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import polars as pl

from sago.records import Draft, Example
from sago.variations.given_rows import read_lines
from sago.variations.layouts import LABELS
from sago.variations.protocol import Outside, Parameter, Variation

WANTED: Mapping[str, str] = MappingProxyType(
    {
        "letters": "the letter of the right option",
        "small_letters": "the letter of the right option",
        "numbers": "the number of the right option",
        "romans": "the number of the right option",
        "small_romans": "the number of the right option",
        "none": "the text of the right option",
        "numeric": "the number",
        "text": "the answer in a few words",
    }
)
"""Label style, or task of an open question -> what is asked for."""

_PHRASINGS = {
    "give-only": ("Give only ", "."),
    "nothing-else": ("What is the right answer? Reply with ", " and nothing else."),
    "without-explanation": ("Write down ", ", without an explanation."),
    "your-task": ("Your task is to answer the question. Respond with ", " alone."),
    "whole-reply": ("Your whole reply should be ", "."),
    "no-other-words": ("Respond with ", "; add no other words."),
}


def in_words_for(example: Example, before: str, after: str, wanted: Mapping[str, str] = WANTED) -> str | dict[str, str]:
    """Returns an instruction for an example: one text for an open question, one for each label style for choices."""
    if not example.choices:
        return before + wanted["numeric" if example.task == "numeric" else "text"] + after
    return {style: before + wanted[style] + after for style in LABELS}


class Instruction:
    """Other phrasings of what the prompt asks for, the same for all examples; those of a file are taken as they are, all of them.

    The shipped ones say what the canonical instruction says (a letter, a number, a few words). Whether those of a file do is to be checked.
    """

    name: str = "instruction"
    description: str = "the task asked for in other words: shipped ones, or your own from a file, one a line"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte; the form of the answer that is asked for"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(3, "how many of the shipped phrasings, in their fixed order", minimum=1, maximum=len(_PHRASINGS)),
            "file": Parameter("", "file of phrasings, one a line; then n is not used", is_file=True),
        }
    )

    def __init__(self, own: tuple[str, ...] = ()) -> None:
        self._own = own
        if own:
            self.equivalence = "to_check"

    def applies(self, example: Example) -> bool:
        """Returns true: every prompt asks for something."""
        return True

    def check(self, parameters: Mapping[str, Any], examples: pl.DataFrame) -> Sequence[str]:
        """Reads the file, so that a bad one is told before anything is made."""
        if parameters["file"]:
            read_lines(parameters["file"])
        return ()

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the family with the phrasings of the file."""
        return Instruction(read_lines(parameters["file"])) if parameters["file"] else self

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of phrasings."""
        return len(self._own) or int(parameters["n"])

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each phrasing; nothing is drawn."""
        if self._own:
            return tuple(Draft(f"own-{place}", instruction=text) for place, text in enumerate(self._own, start=1))
        shipped = list(_PHRASINGS.items())[: parameters["n"]]
        return tuple(Draft(name, instruction=in_words_for(example, before, after)) for name, (before, after) in shipped)


instruction = Instruction()
