"""What a feature reader is: the contract of the plug-in group ``sago.features``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import polars as pl

Encoder = Callable[[Sequence[str]], np.ndarray]
"""Texts -> float array (texts, dimensions) with unit rows. Handed in, never imported here."""


@dataclass(frozen=True)
class AnswerFormat:
    """In which form responses state their answers, where the user knows it.

    Attributes:
        pattern: Regular expression; the first group (or the whole) of its last match is the answer, and a response that it does not match
            states none. Null = no pattern.
        is_json: Whether only what stands in a JSON object (``{"answer": "B"}``) counts.
    """

    pattern: str | None = None
    is_json: bool = False


@dataclass(frozen=True)
class ReaderInput:
    """What a reader may look at.

    Attributes:
        observations: Table ``observations``.
        variants: Table ``variants``.
        examples: Table ``examples``.
        encoder: Sentence encoder with its name, or null: readers that need one return null with reason ``needs_encoder``.
        encoder_name: Name and version of the encoder; part of the reader's version.
        recorded: Rows of table ``features`` that came with the observations (reader ``recorded``); null = none. They win over what a
            reader would read.
        answer_format: How responses state their answers.
    """

    observations: pl.DataFrame
    variants: pl.DataFrame
    examples: pl.DataFrame
    encoder: Encoder | None = None
    encoder_name: str | None = None
    recorded: pl.DataFrame | None = None
    answer_format: AnswerFormat = AnswerFormat()


@runtime_checkable
class FeatureReader(Protocol):
    """One kind of reading of an observation.

    Attributes:
        name: Name of the feature, as registered.
        version: Raised whenever the same observation could be read differently.
        kind: ``category``, ``number`` or ``vector``.
    """

    name: str
    version: str
    kind: str

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation: a value, or null with a reason. Pure; never raises on odd text."""
        ...
