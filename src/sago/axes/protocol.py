"""What an axis is: the contract of the plug-in group ``sago.axes``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import polars as pl

from sago import schemas

Made = TypeVar("Made")

Entails = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Pairs (premise, hypothesis) -> probability of entailment of each, in [0, 1]. Handed in, never imported here."""


@dataclass(frozen=True)
class AxisInput:
    """Everything that an axis may look at.

    Attributes:
        features: Table ``features``.
        states: Table ``states``.
        observations: Table ``observations``.
        variants: Table ``variants``.
        examples: Table ``examples``.
        generation_measure: Default measure of the generation axis: ``auto``, ``answer_flip`` or ``embedding``.
        non_answers: How refusals and empty replies count: ``category``, ``unknown`` or ``missing`` (METRICS 1).
        seed: Study seed, for permutations.
        entails: A model of entailment, or null: measures that need one are null with reason ``needs_nli``.
        shared: What :meth:`once` has made already.
    """

    features: pl.DataFrame
    states: pl.DataFrame
    observations: pl.DataFrame
    variants: pl.DataFrame
    examples: pl.DataFrame
    generation_measure: str = "auto"
    non_answers: str = "category"
    seed: int = 0
    entails: Entails | None = None
    # Not handed on by dataclasses.replace: what was made of other tables would be wrong.
    shared: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """Returns what ``make`` makes, made once for all measures that ask for it by this name: costly inputs are shared."""
        if name not in self.shared:
            self.shared[name] = make()
        made: Made = self.shared[name]
        return made


class Scored(NamedTuple):
    """What scoring makes."""

    scores: pl.DataFrame
    """Table ``scores``."""
    profiles: pl.DataFrame
    """Table ``profiles``."""
    controls: pl.DataFrame
    """Table ``controls``."""
    halves: pl.DataFrame = schemas.empty("halves")
    """Table ``halves``: of default measures alone."""


@runtime_checkable
class Axis(Protocol):
    """One kind of behaviour.

    Attributes:
        name: Name of the axis, as registered.
        description: One line for ``sago list axes``.
        measures: Names of its measures.

    An axis may have an attribute ``needs``, a mapping: measure -> capability without which a model cannot be measured on it. It is told
    before anything is asked.
    """

    name: str
    description: str
    measures: tuple[str, ...]

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls of every model, data set and way of decoding. Pure; never alters its input.

        Exactly one measure of each model, data set and decoding has ``default`` true at family and layer null. A measure that cannot be
        observed is one profile row with a reason.
        """
        ...
