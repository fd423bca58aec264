"""The questions that come with the package: everyday knowledge, written for SAGO, that a small model gets partly right.

``choice.jsonl`` (30 questions with 3 to 5 options), ``numeric.jsonl`` (12) and ``text.jsonl`` (12, short answers) are package data in
the format of any other data file. Each question has three paraphrases that keep its meaning and one meaning-changed twin: a question in
nearly the same words whose right answer differs, and is another one of the same options where there are options.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import polars as pl

from sago.datasets.examples import examples_table
from sago.datasets.jsonlines import read_lines
from sago.datasets.protocol import LoadOptions
from sago.errors import DataError

_FILES = {"builtin-choice": "choice.jsonl", "builtin-numeric": "numeric.jsonl", "builtin-text": "text.jsonl"}

NAMES: tuple[str, ...] = tuple(_FILES)
"""Registered names of the built-in data sets."""


def load_builtin(source: str, options: LoadOptions) -> pl.DataFrame:
    """Returns the questions of one built-in data set as table ``examples``, in the order of its file.

    The dataset is called by its registered name, unless ``options.name`` says otherwise. A column mapping is for files and ignored.

    Args:
        source: One of :data:`NAMES`.
        options: How to call the dataset, and who hears of notes.

    Raises:
        DataError: If no built-in data set has that name.
    """
    if source not in _FILES:
        raise DataError("no built-in data set of that name", where=source, fix=f"Built in: {', '.join(NAMES)}")
    data = files(__name__).joinpath(_FILES[source]).read_bytes()
    return examples_table(read_lines(data, source), source, options.name or source, replace(options, columns={}))


__all__ = ["NAMES", "load_builtin"]
