"""The answer of a response as a category: the text of the original choice, a number in its normal spelling, or a normalised short text.

Behaviour without an answer is a category too (METRICS 1): ``<refusal>``, ``<filtered>``, ``<empty>``. An answer that could not be read
is null: ``unparsed``, or ``truncated`` where the response was cut off before it. Missing data is null with its status as the reason, and
so is a response of status ``ok`` that was not recorded: ``not_recorded``, which is no empty reply.

Only the model's own turn is read (``turns``). A response states its answer in plain words, or as a value of a JSON object. An answer
that came with the response, read by somebody else, wins over all of this.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from sago.features.choice_ratings import highest_rated, is_rating
from sago.features.choices import read_choice
from sago.features.numbers import ends_in_number, given_number
from sago.features.protocol import AnswerFormat, ReaderInput
from sago.features.statements import answers_in_a_row
from sago.features.structured import is_torn, json_answer, json_names, whole_json
from sago.features.table import KEYS, feature_rows, with_variants
from sago.features.texts import normal_category, normal_text, stated_text
from sago.features.turns import own_turn
from sago.records import MISSING_STATUSES

REFUSAL = "<refusal>"
FILTERED = "<filtered>"
EMPTY = "<empty>"

NOT_RECORDED = "not_recorded"
"""Reason where a response came but its text was not kept."""

NON_ANSWERS: dict[str, str] = {"refusal": REFUSAL, "filtered": FILTERED, "empty": EMPTY}
"""Status -> category of behaviour without an answer."""

_OF_BOOLEANS = {"true": "yes", "false": "no"}
"""What JSON's own values say where the options are yes and no."""


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


def read_answer(status: str, response: str | None, asked: Asked, answer_format: AnswerFormat | None = None) -> Reading:
    """Returns the answer that one response states.

    Args:
        status: Status of the observation.
        response: Its text; null = none came or, with status ``ok``, none was recorded.
        asked: What the reading depends on beside the response.
        answer_format: How responses state their answers; null = as they do.

    >>> read_answer("ok", "(B)", Asked("choice", ("A", "B"), ("Mars", "Venus"), ("Mars", "Venus")))
    Reading(category='Venus', reason=None)
    >>> read_answer("truncated", "Let me think about", Asked("numeric", None, None, None))
    Reading(category=None, reason='truncated')
    """
    if status in MISSING_STATUSES:
        return Reading(None, status)
    if status in NON_ANSWERS:
        return Reading(NON_ANSWERS[status], None)
    if response is None and status == "ok":
        return Reading(None, NOT_RECORDED)
    cut_off = status == "truncated"
    if response is None or not response.strip():
        return Reading(None, "truncated") if cut_off else Reading(EMPTY, None)
    turn = own_turn(response)
    cut_off = cut_off and not turn.went_on
    category = _stated(turn.text, asked, answer_format or AnswerFormat(), cut_off=cut_off)
    if category is None:
        return Reading(None, "truncated" if cut_off else "unparsed")
    return Reading(category, None)


def readings_of(inputs: ReaderInput) -> pl.DataFrame:
    """Returns ``category`` and ``reason`` beside the key of every observation, and ``status`` and ``task``.

    Where an answer was recorded with the response, it is that one.
    """
    rows = _read_all(inputs)
    if inputs.recorded is None or inputs.recorded.is_empty():
        return rows
    given = inputs.recorded.filter(pl.col("feature") == AnswerReader.name).select(
        *KEYS, _given="category", _why="reason", _is_given=pl.lit(value=True)
    )
    joined = rows.join(given, on=KEYS, how="left", maintain_order="left")
    is_given = pl.col("_is_given").is_not_null()
    return joined.with_columns(
        category=pl.when(is_given).then("_given").otherwise("category"), reason=pl.when(is_given).then("_why").otherwise("reason")
    ).drop("_given", "_why", "_is_given")


def _read_all(inputs: ReaderInput) -> pl.DataFrame:
    shown = ("task", "shown_labels", "shown_choices", "permutation", "choices")
    rows = with_variants(inputs, ["status", "response"], *[pl.col(name) for name in shown])
    prompts = rows.select("dataset", "example", "variant", *shown).unique(["dataset", "example", "variant"])
    asked = {row[:3]: _asked(*row[3:]) for row in prompts.iter_rows()}
    cells = rows.select("dataset", "example", "variant", "status", "response").iter_rows()
    how = inputs.answer_format
    readings = [
        _read_once(status, response, asked[dataset, example, variant], how) for dataset, example, variant, status, response in cells
    ]
    return rows.select(*KEYS, "status", "task").with_columns(
        category=pl.Series([reading.category for reading in readings], dtype=pl.String),
        reason=pl.Series([reading.reason for reading in readings], dtype=pl.String),
    )


class AnswerReader:
    """Reads the stated answer of every response."""

    name = "answer"
    version = "12"
    kind = "category"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        return feature_rows(self, inputs, readings_of(inputs).drop("status", "task"))


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


def _stated(response: str, asked: Asked, how: AnswerFormat, *, cut_off: bool) -> str | None:
    if how.pattern is not None:
        matches = list(_compiled(how.pattern).finditer(response))
        return _category_of((matches[-1][1] if matches[-1].re.groups else matches[-1][0]) or "", asked) if matches else None
    value = json_answer(response, cut_off=cut_off)
    if value is not None or how.is_json:
        return _category_of(value, asked) if value is not None else None
    if _wavers(response, asked):
        return None
    if asked.task == "choice":
        position = _position(response, asked.labels, asked.shown, cut_off=cut_off) if asked.shown is not None else None
        return None if position is None or asked.original is None else asked.original[position]
    if asked.task == "numeric":
        return None if cut_off and ends_in_number(response) else given_number(response)
    whole = None if cut_off else whole_json(response)
    torn = whole is None and is_torn(response)
    text = None if torn else whole if whole is not None else stated_text(response, cut_off=cut_off)
    return (normal_text(text) or None) if text is not None else None


def _position(response: str, labels: tuple[str, ...] | None, shown: tuple[str, ...], *, cut_off: bool) -> int | None:
    """Returns the place of the option that a response states, of rated ones the best; null where it states none."""
    if is_rating(response, labels, shown):
        return None if cut_off else highest_rated(response, labels, shown)
    options = {name.casefold() for name in (*(labels or ()), *shown)}
    if len(options & {name.casefold() for name in json_names(response)}) > 1:
        return None  # an object with a field for each of several options chooses none
    return read_choice(response, labels, shown, cut_off=cut_off)


def _wavers(response: str, asked: Asked) -> bool:
    """Returns whether the lines that end a response mark different answers in a row: ``Answer: yes``, ``Answer: no``."""
    said = {category for line in answers_in_a_row(response) if (category := _category_of(line, asked)) is not None}
    if asked.task == "text":  # of a name and its longer form neither is another answer
        said = {one for one in said if not any(one != other and one in other for other in said)}
    return len(said) > 1


def _category_of(value: str, asked: Asked) -> str | None:
    """Returns an answer that stands alone, without the words around it, in the form of its task."""
    if asked.task == "numeric":
        return given_number(value)
    if asked.task == "text":
        return normal_text(value) or None
    if asked.shown is None or asked.original is None:
        return normal_category(value) or None
    value = _OF_BOOLEANS.get(value, value) if set(map(str.casefold, asked.shown)) == {"yes", "no"} else value
    position = read_choice(value, asked.labels, asked.shown)
    return None if position is None else asked.original[position]


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
