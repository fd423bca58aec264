"""From an example and a draft to the prompt that a model is given."""

from __future__ import annotations

from dataclasses import dataclass

from sago.errors import PluginError
from sago.records import Draft, Example
from sago.variations.layouts import PLAIN, Parts, get_layout, instruction_for, labels_of


@dataclass(frozen=True, slots=True)
class Prompt:
    """One rendered prompt, with what the stages after it need to know about it."""

    text: str
    question: str
    layout: str
    choices: tuple[str, ...] | None
    """Choice texts in shown order; null = open question."""
    labels: tuple[str, ...] | None
    """Labels in shown order; null = open question, or a layout without labels."""
    permutation: tuple[int, ...] | None
    """Original choice index at each shown position."""
    scored: tuple[str, ...] | None
    """Continuations to score, shown order: the labels, or the texts where there are none."""


def render(example: Example, draft: Draft | None = None) -> Prompt:
    """Returns the prompt of one draft, or of the canonical wording where there is none.

    Raises:
        PluginError: If the draft's permutation, choices or layout do not fit the example.
    """
    draft = draft or Draft("canonical")
    layout_name = draft.layout or PLAIN
    layout = get_layout(layout_name)
    question = example.question if draft.question is None else draft.question
    context = example.context if draft.context is None else draft.context
    if not example.choices:
        if draft.permutation is not None or draft.choices is not None:
            raise PluginError(f"draft '{draft.name}' orders the choices of a question that has none", where=f"example '{example.example}'")
        instruction = instruction_for(example.task, None)
        text = layout.place(Parts(question, instruction, context or None))
        return Prompt(text, question, layout_name, None, None, None, None)
    permutation = _permutation(example, draft)
    choices = draft.choices or tuple(example.choices[index] for index in permutation)
    if len(choices) != len(permutation):
        raise PluginError(f"draft '{draft.name}' shows {len(choices)} of {len(permutation)} choices", where=f"example '{example.example}'")
    labels = labels_of(layout.labels, len(choices))
    text = layout.place(Parts(question, instruction_for(example.task, layout.labels), context or None, choices, labels))
    return Prompt(text, question, layout_name, choices, labels or None, permutation, labels or choices)


def _permutation(example: Example, draft: Draft) -> tuple[int, ...]:
    natural = tuple(range(len(example.choices or ())))
    if draft.permutation is None:
        return natural
    if tuple(sorted(draft.permutation)) != natural:
        raise PluginError(
            f"draft '{draft.name}' has {list(draft.permutation)}, no permutation of its {len(natural)} choices",
            where=f"example '{example.example}'",
            fix="Name every original index exactly once",
        )
    return draft.permutation
