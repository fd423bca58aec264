"""The answer asked for in another form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.instruction import WANTED, in_words_for
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_BOTH = MappingProxyType({style: "" if style == "none" else wanted + " and its text" for style, wanted in WANTED.items()})


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of answer.

    Attributes:
        before: What stands in front of what is wanted.
        after: What stands behind it.
        tasks: Tasks whose answers can have this form and be read again.
        wanted: Label style or task -> what is wanted.
    """

    before: str
    after: str
    tasks: tuple[str, ...] = ("choice", "numeric", "text")
    wanted: Mapping[str, str] = field(default_factory=lambda: WANTED)


FORMS: Mapping[str, _Form] = MappingProxyType(
    {
        "json": _Form('Answer with a JSON object that has one field, "answer", which holds ', "."),
        "marked": _Form('Answer in one line that starts with "Answer:", followed by ', "."),
        "sentence": _Form('Answer in a full sentence that starts with "The answer is", followed by ', "."),
        "boxed": _Form("Answer in the form \\boxed{...}, with ", " in the braces.", ("choice", "numeric")),
        "label-and-text": _Form("Answer with ", ".", ("choice",), _BOTH),
        "label": _Form("Answer with ", " and leave out everything else.", ("choice",), WANTED),
    }
)
"""Name -> form, in the order in which they are taken; the readers of :mod:`sago.features` read each of them."""


class AnswerFormat:
    """Requests for another form of answer, the same for all examples of a task.

    What is asked does not change, and the same answer is read from a reply in each form: a box is not asked of free text, whose reader does
    not open it. A long reply takes more tokens: look at the share of truncated replies before taking a form as unstable.
    """

    name: str = "answer-format"
    description: str = f"the answer asked for in another form: {', '.join(FORMS)}"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(3, "how many forms, in their fixed order", minimum=1, maximum=len(FORMS)),
            "forms": Parameter("", "which forms, joined by +; then n is not used"),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns true: every prompt asks for some form."""
        return True

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of forms that suit the task."""
        return len(_suited(example, parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each form; nothing is drawn."""
        return tuple(Draft(name, instruction=_asked_for(example, FORMS[name])) for name in _suited(example, parameters))


def _suited(example: Example, parameters: Mapping[str, Any]) -> list[str]:
    names = names_in(parameters["forms"], tuple(FORMS), "variation 'answer-format': forms") if parameters["forms"] else tuple(FORMS)
    task = "choice" if example.choices else example.task
    suited = [name for name in names if task in FORMS[name].tasks]
    return suited if parameters["forms"] else suited[: parameters["n"]]


def _asked_for(example: Example, form: _Form) -> str | dict[str, str]:
    """Returns the request; where there is nothing to ask for, such as a label that is not shown, the style is left to the task's own."""
    asked = in_words_for(example, form.before, form.after, form.wanted)
    return asked if isinstance(asked, str) else {style: text for style, text in asked.items() if form.wanted[style]}


answer_format = AnswerFormat()
