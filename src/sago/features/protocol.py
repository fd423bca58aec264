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
class ReaderInput:
    """What a reader may look at.

    Attributes:
        observations: Table ``observations``.
        variants: Table ``variants``.
        examples: Table ``examples``.
        encoder: Sentence encoder with its name, or null: readers that need one return null with reason ``needs_encoder``.
        encoder_name: Name and version of the encoder; part of the reader's version.
    """

    observations: pl.DataFrame
    variants: pl.DataFrame
    examples: pl.DataFrame
    encoder: Encoder | None = None
    encoder_name: str | None = None


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
