"""What a variation is: the contract of the plug-in group ``sago.variations``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import polars as pl

from sago.records import Draft, Example


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a variation, with its limits.

    Args:
        default: Value where the user gives none; its type is the parameter's type.
        description: One line for ``sago list variations``.
        minimum: Smallest value allowed, for numbers.
        maximum: Largest value allowed, for numbers.
        options: Allowed values, for texts; empty = any.
        is_file: Whether a text names a file. What is recorded of it, and what is drawn, depend on its content and not on its name.
        is_model: Whether a text names a model. Of one in a folder only the folder's own name is recorded, not its place.
    """

    default: int | float | str
    description: str
    minimum: float | None = None
    maximum: float | None = None
    options: tuple[str, ...] = ()
    is_file: bool = False
    is_model: bool = False


@runtime_checkable
class Variation(Protocol):
    """One family of ways to say an example differently.

    Attributes:
        name: Name under which it is registered, and the family of its variants.
        description: One line for ``sago list variations``.
        control: True for controls, which never count as wordings of the question.
        equivalence: Whether the meaning is kept by construction, has to be checked, or is meant to change.
        protects: What it must not touch, in words.
        parameters: Its parameters with their limits.
    """

    name: str
    description: str
    control: bool
    equivalence: Literal["by_construction", "to_check", "changed"]
    protects: str
    parameters: Mapping[str, Parameter]

    def applies(self, example: Example) -> bool:
        """Returns whether the family has anything to do for this example (a choice order needs choices)."""
        ...

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns drafts of one example; fewer than asked, or none, rather than a draft that changes nothing.

        Args:
            example: The example; never altered.
            parameters: A complete set of parameters within their limits.
            rng: Generator seeded from content; the only source of randomness allowed.
        """
        ...


@runtime_checkable
class HasIntensity(Protocol):
    """Optional part of a variation that can be done more or less strongly.

    Attributes:
        intensity: Name of the parameter that says how strongly; a user sets it with ``name@value``, several times for a dose-response.
    """

    intensity: str


class Draws(Protocol):
    """Optional part of a variation that never draws: it is given no generator that works, which saves making one for every example.

    Attributes:
        draws: False = ``vary`` leaves its generator alone. A variation without it may draw.
    """

    draws: bool


@runtime_checkable
class CountsAsked(Protocol):
    """Optional part of a variation: how many drafts it is asked for. Without it that is its parameter ``n``, or what it returns."""

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns how many drafts one example is asked for; what falls short is counted as dropped: it would have changed nothing."""
        ...


@runtime_checkable
class Checks(Protocol):
    """Optional part of a variation whose parameters can be wrong in ways that limits do not show, such as a file with a bad row."""

    def check(self, parameters: Mapping[str, Any], examples: pl.DataFrame) -> Sequence[str]:
        """Returns what a person should know, a line each; called once, before anything is made or a model is asked.

        Args:
            parameters: A complete set of parameters within their limits.
            examples: Table ``examples``, all of it.

        Raises:
            SagoError: If the parameters cannot be used.
        """
        ...


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to be translated.

    Attributes:
        text: The text.
        source: Code of its language, for instance ``en``.
        target: Code of the language wanted.
    """

    text: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Request:
    """A text to be written by a model: a wording, a translation, or a judgement.

    Attributes:
        prompt: What the model is asked.
        seed: Seed of the draw, from content.
        temperature: 0 = greedy, the seed then does not count.
        max_new_tokens: Longest text, in tokens.
        is_whole: Whether a text that was cut off there is of no use, and counts as none.
        purpose: What the text is for, one word for the notes.
        passage: What is to be translated, for a translator that is no chat model; it is given this in place of the prompt.
        followed_by: How many requests will follow from this one's text; only for counting before anything is asked.
    """

    prompt: str
    seed: int
    temperature: float = 0.0
    max_new_tokens: int = 256
    is_whole: bool = True
    purpose: str = "wordings"
    passage: Passage | None = None
    followed_by: int = 0


class Outside(Protocol):
    """What a variation may use beyond the one example: other examples of the data set, and models that write."""

    def pool(self, dataset: str) -> Sequence[Example]:
        """Returns some examples of a data set, the same whatever the order of its rows."""
        ...

    def write(self, model: str, requests: Sequence[Request]) -> Sequence[str | None]:
        """Returns what a model writes, one text a request; null where it wrote nothing.

        Raises:
            StudyError: If no model can be asked here.
        """
        ...


@runtime_checkable
class Prepared(Protocol):
    """Optional part of a variation that needs more than one example: it is asked for a variation that has what it needs."""

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the variation to use for these examples of one data set.

        Args:
            examples: Examples to which the family applies.
            parameters: A complete set of parameters within their limits.
            outside: Other examples, and models that write.
        """
        ...
