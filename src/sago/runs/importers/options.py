"""How recorded answers are to be read, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

import polars as pl

from sago.errors import StudyError

ReadAs = Literal["auto", "letter", "number", "text", "json"]
READ_AS: tuple[str, ...] = get_args(ReadAs)
"""Ways of reading an answer out of a response."""


@dataclass(frozen=True)
class ReadOptions:
    """How to read recorded answers.

    Attributes:
        columns: Field -> column, as in ``{"target": "gold_letter"}``; wins over the names that are understood by themselves.
        canonical: Name of the variant that is the original wording; null = the one called canonical, original, base, baseline or 0.
        read_as: ``letter``, ``number`` and ``text`` read every response in this way; ``json`` takes what stands in a JSON object and
            nothing else; ``auto`` decides by the options and right answers of each data set.
        answer_pattern: Regular expression; the first group of its last match is the answer, and what it does not match is unparsed.
        limit: Draw this many examples of each data set at random; null = all.
        seed: Seed of the draw.
        format: What the files are: ``table``, or a tool whose logs they are; null = as their content says.
        metric: Logs: the score that says whether an answer is right; null = the first that the log names.
        filter: Logs of lm-eval: the filter whose reading of a response is taken; null = the first.
        trust_ids: Logs: whether an id is the same question in all of them, although they hold it in other words.

    Raises:
        StudyError: If an option has a value that cannot be used.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    canonical: str | None = None
    read_as: ReadAs = "auto"
    answer_pattern: str | None = None
    limit: int | None = None
    seed: int = 0
    format: str | None = None
    metric: str | None = None
    filter: str | None = None
    trust_ids: bool = False

    def __post_init__(self) -> None:
        if self.read_as not in READ_AS:
            raise StudyError(f"answers cannot be read as '{self.read_as}'", where="--read-as", fix=f"Use one of {', '.join(READ_AS)}")
        if self.limit is not None and self.limit < 1:
            raise StudyError(f"limit {self.limit} would leave no examples", fix="Give a number of at least 1, or leave it out for all")
        if self.answer_pattern is not None:
            try:
                re.compile(self.answer_pattern)
            except re.error as error:
                raise StudyError(f"no regular expression: {error}", where="--answer-pattern") from error


class SourceColumns(NamedTuple):
    """What was understood of one source."""

    source: str
    rows: int
    fields: Mapping[str, str]
    """Field -> column."""
    unused: tuple[str, ...]
    """Columns that serve no field."""


class Answers(NamedTuple):
    """Recorded answers as the tables that ``extract`` and ``score`` take."""

    examples: pl.DataFrame
    """Table ``examples``."""
    variants: pl.DataFrame
    """Table ``variants``."""
    variation_counts: pl.DataFrame
    """Table ``variation_counts``."""
    observations: pl.DataFrame
    """Table ``observations``."""
    states: pl.DataFrame
    """Table ``states``; empty where no hidden states were recorded."""
    features: pl.DataFrame
    """Table ``features`` with what was given as read (reader ``recorded``): hand it to ``extract`` as ``known``."""
    sources: tuple[SourceColumns, ...]
    """What was understood of each source."""
    notes: tuple[str, ...]
    """What a reader of the numbers should know, one line each."""
