"""The answer of a response as a category: the text of the original choice, a number in its normal spelling, or a normalised short text.

Behaviour without an answer is a category too (METRICS 1): ``<refusal>``, ``<filtered>``, ``<empty>``. An answer that could not be read
is null: ``unparsed``, or ``truncated`` where the response was cut off before it. Missing data is null with its status as the reason.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import polars as pl

from sago.features.choices import read_choice
from sago.features.numbers import ends_in_number, stated_number
from sago.features.protocol import ReaderInput
from sago.features.table import KEYS, feature_rows, with_variants
from sago.features.texts import normal_text, stated_text
from sago.records import MISSING_STATUSES

REFUSAL = "<refusal>"
FILTERED = "<filtered>"
EMPTY = "<empty>"

NON_ANSWERS: dict[str, str] = {"refusal": REFUSAL, "filtered": FILTERED, "empty": EMPTY}
"""Status -> category of behaviour without an answer."""


class Reading(NamedTuple):
    """A category, or null with a reason."""

    category: str | None
    reason: str | None


class Asked(NamedTuple):
    """What the reading of a response depends on beside the response."""

    task: str
    labels: tuple[str, ...] | None
    """Labels as shown; null where none were."""
    shown: tuple[str, ...] | None
    """Choice texts as shown; null = open question."""
    original: tuple[str, ...] | None
    """Original choice text at each shown position."""


def read_answer(status: str, response: str | None, asked: Asked) -> Reading:
    """Returns the answer that one response states.

    >>> read_answer("ok", "(B)", Asked("choice", ("A", "B"), ("Mars", "Venus"), ("Mars", "Venus")))
    Reading(category='Venus', reason=None)
    >>> read_answer("truncated", "Let me think about", Asked("numeric", None, None, None))
    Reading(category=None, reason='truncated')
    """
    if status in MISSING_STATUSES:
        return Reading(None, status)
    if status in NON_ANSWERS:
        return Reading(NON_ANSWERS[status], None)
    cut_off = status == "truncated"
    if response is None or not response.strip():
        return Reading(None, "truncated") if cut_off else Reading(EMPTY, None)
    category = _stated(response, asked, cut_off=cut_off)
    if category is None:
        return Reading(None, "truncated" if cut_off else "unparsed")
    return Reading(category, None)


def read_answers(inputs: ReaderInput) -> pl.DataFrame:
    """Returns ``category`` and ``reason`` beside the key of every observation, and ``status`` and ``task``."""
    shown = ("task", "shown_labels", "shown_choices", "permutation", "choices")
    rows = with_variants(inputs, ["status", "response"], *[pl.col(name) for name in shown])
    prompts = rows.select("dataset", "example", "variant", *shown).unique(["dataset", "example", "variant"])
    asked = {row[:3]: _asked(*row[3:]) for row in prompts.iter_rows()}
    cells = rows.select("dataset", "example", "variant", "status", "response").iter_rows()
    readings = [_read_once(status, response, asked[dataset, example, variant]) for dataset, example, variant, status, response in cells]
    return rows.select(*KEYS, "status", "task").with_columns(
        category=pl.Series([reading.category for reading in readings], dtype=pl.String),
        reason=pl.Series([reading.reason for reading in readings], dtype=pl.String),
    )


class AnswerReader:
    """Reads the stated answer of every response."""

    name = "answer"
    version = "1"
    kind = "category"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        return feature_rows(self, inputs, read_answers(inputs).drop("status", "task"))


answer_reader = AnswerReader()
"""The registered reader of answers."""

_read_once = lru_cache(maxsize=2**16)(read_answer)


def _asked(
    task: str,
    labels: list[str] | None,
    shown: list[str] | None,
    permutation: list[int] | None,
    choices: list[str] | None,
) -> Asked:
    original = tuple(choices[index] for index in permutation) if choices is not None and permutation is not None else None
    return Asked(task, tuple(labels) if labels else None, None if shown is None else tuple(shown), original)


def _stated(response: str, asked: Asked, *, cut_off: bool) -> str | None:
    if asked.task == "choice":
        if asked.shown is None or asked.original is None:
            return None
        position = read_choice(response, asked.labels, asked.shown, cut_off=cut_off)
        return None if position is None else asked.original[position]
    if asked.task == "numeric":
        return None if cut_off and ends_in_number(response) else stated_number(response)
    text = stated_text(response, cut_off=cut_off)
    return (normal_text(text) or None) if text is not None else None
