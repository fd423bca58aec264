"""From an example and a draft to the prompt that a model is given."""

from __future__ import annotations

from typing import NamedTuple

from sago.errors import PluginError
from sago.records import Draft, Example, Message
from sago.variations.layouts import LABELS, PLAIN, LabelStyle, Parts, get_layout, instruction_for, labels_of


class Prompt(NamedTuple):  # made for every variant, and a frozen record takes three times as long to make
    """One rendered prompt, with what the stages after it need to know about it."""

    text: str
    """What the user says last."""
    before: tuple[Message, ...]
    """The messages before it: a system message, turns that were answered already."""
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

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Role and content of each message, in order."""
        return [*((message.role, message.content) for message in self.before), ("user", self.text)]

    @property
    def whole(self) -> str:
        """All that the model is given, a blank line between messages."""
        return self.text if not self.before else "\n\n".join([*(message.content for message in self.before), self.text])


def render(example: Example, draft: Draft | None = None, system: str | None = None) -> Prompt:
    """Returns the prompt of one draft, or of the canonical wording where there is none.

    Args:
        example: The example.
        draft: What is said otherwise.
        system: System message of the study; that of the draft stands behind it.

    Raises:
        PluginError: If the draft's permutation, choices, labels or layout do not fit the example.
    """
    draft = draft or Draft("canonical")
    layout_name = draft.layout or PLAIN
    layout = get_layout(layout_name)
    question = example.question if draft.question is None else draft.question
    context = (example.context if draft.context is None else draft.context) or None
    before = _before(draft, system)
    if not example.choices:
        if draft.permutation is not None or draft.choices is not None or draft.labels is not None:
            raise PluginError(
                f"draft '{draft.name}' orders or labels the choices of a question that has none", where=f"example '{example.example}'"
            )
        text = layout.place(Parts(question, _instruction(draft, example, None), context))
        return Prompt(_led(draft, text), before, question, layout_name, None, None, None, None)
    permutation = _permutation(example, draft)
    choices = draft.choices or tuple(example.choices[index] for index in permutation)
    if len(choices) != len(permutation):
        raise PluginError(f"draft '{draft.name}' shows {len(choices)} of {len(permutation)} choices", where=f"example '{example.example}'")
    style = _style(draft, layout.labels)
    labels = labels_of(style, len(choices))
    text = layout.place(Parts(question, _instruction(draft, example, style), context, choices, labels))
    return Prompt(_led(draft, text), before, question, layout_name, choices, labels or None, permutation, labels or choices)


def _before(draft: Draft, system: str | None) -> tuple[Message, ...]:
    said = "\n\n".join(text for text in (system, draft.system) if text is not None)
    return (*((Message("system", said),) if said else ()), *draft.turns)


def _led(draft: Draft, text: str) -> str:
    return text if draft.lead is None else draft.lead + "\n\n" + text


def _instruction(draft: Draft, example: Example, style: LabelStyle | None) -> str:
    """Returns what the draft asks for, in the words for these labels; the task's own where it says nothing about them."""
    asked = draft.instruction
    if asked is not None and not isinstance(asked, str):
        asked = asked.get(style or "")
    return asked or instruction_for(example.task, style)


def _style(draft: Draft, own: LabelStyle) -> LabelStyle:
    """Returns the style of the draft; a layout without labels has no place for any."""
    if draft.labels is None:
        return own
    style = next((style for style in LABELS if style == draft.labels), None)
    if style is None or (own == "none") != (style == "none"):
        raise PluginError(f"draft '{draft.name}' asks for labels '{draft.labels}', which its layout cannot show")
    return style


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
