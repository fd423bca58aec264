"""Readings of observations: categories, numbers and vectors, or null with a reason.

``extract.py`` is the stage; ``answers.py`` (with ``choices.py``, ``numbers.py`` and ``texts.py``) reads the stated answer,
``correctness.py`` judges it, ``confidence.py`` reads log-likelihoods and ``embeddings.py`` encodes responses. ``protocol.py`` is the
contract of other readers; ``table.py`` builds their rows.
"""

from __future__ import annotations

from sago.features.answers import Asked, Reading, read_answer
from sago.features.extract import extract
from sago.features.numbers import normal_number, stated_number
from sago.features.protocol import AnswerFormat, Encoder, FeatureReader, ReaderInput
from sago.features.structured import json_answer
from sago.features.table import feature_rows, with_variants
from sago.features.texts import normal_category, normal_text, stated_text

__all__ = [
    "AnswerFormat",
    "Asked",
    "Encoder",
    "FeatureReader",
    "ReaderInput",
    "Reading",
    "extract",
    "feature_rows",
    "json_answer",
    "normal_category",
    "normal_number",
    "normal_text",
    "read_answer",
    "stated_number",
    "stated_text",
    "with_variants",
]
