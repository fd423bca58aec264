"""Columns that many tables share, and what their names mean."""

from __future__ import annotations

import dataframely as dy


def text_column(description: str, *, nullable: bool = False, key: bool = False) -> dy.String:
    """Returns a column of text."""
    return dy.String(nullable=nullable, primary_key=key, description=description)


def texts_column(description: str, *, nullable: bool = False) -> dy.List:
    """Returns a column of lists of texts."""
    return dy.List(dy.String(), nullable=nullable, description=description)


def number_column(description: str, *, nullable: bool = True) -> dy.Float64:
    """Returns a column of real numbers."""
    return dy.Float64(nullable=nullable, description=description)


def count_column(description: str, *, nullable: bool = False, key: bool = False) -> dy.Int64:
    """Returns a column of whole numbers."""
    return dy.Int64(nullable=nullable, primary_key=key, description=description)


def counts_column(description: str, *, nullable: bool = True) -> dy.List:
    """Returns a column of lists of whole numbers."""
    return dy.List(dy.Int64(), nullable=nullable, description=description)


DATASET = "name of the dataset"
EXAMPLE = "id of the example within its dataset, as text"
VARIANT = "name of the variant; `canonical` is the original wording"
MODEL = "name of the model, as given"
DECODING = (
    "`greedy`, `sampled` (at the study's temperature), `audit` (greedy again, in another batch make-up) "
    "or `recorded` (as recorded; how it was decoded is not known)"
)
AXIS = "`generation`, `activations`, `confidence` or `mirroring`"
MEASURE = "name of the measure, for instance `answer_flip`"
FAMILY = "family of variants that the row is about; null = all families together, controls left out"
REASON = "why the values are null; null where nothing is missing"
