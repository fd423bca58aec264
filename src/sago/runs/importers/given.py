"""Answers that came as read, and those that have to be read here: the rows of feature ``answer`` that no reader makes again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sago.datasets.gold import read_gold
from sago.errors import DataError
from sago.features.answers import Asked, Reading, read_answer
from sago.features.choices import read_choice
from sago.features.numbers import given_number
from sago.features.protocol import AnswerFormat
from sago.features.texts import normal_category, normal_text
from sago.runs.importers.questions import Question, Questions, Shown, in_doubt, some
from sago.runs.importers.rows import AnswerRow

PARTIAL = "partial_verdict"
"""Reason where a verdict between right and wrong is all that was recorded of an answer."""

_VERDICTS = {1.0: "correct", 0.0: "incorrect"}
_BOOLEANS = {"1": "true", "0": "false"}


class Recorded(NamedTuple):
    """What is known of the answers of some rows."""

    places: list[int]
    categories: list[str | None]
    reasons: list[str | None]


def recorded_answers(
    rows: Sequence[AnswerRow], places: Sequence[int], questions: Questions, how: AnswerFormat, notes: list[str]
) -> Recorded | None:
    """Returns the answers of rows that came as read, and of those whose responses no reader of whole variants could read.

    The latter are responses of a closed set of answers, which is known by the given ones alone, and responses of rows that showed their
    options otherwise than the first row of their variant. Null where all answers are left to the readers.

    Args:
        rows: All rows of a data set.
        places: Those that are no missing data.
        questions: Its questions.
        how: How responses state their answers.
        notes: Where notes go.
    """
    if not any(rows[place].answer is not None for place in places):
        judged = _verdicts_as_answers(rows, places, questions.dataset, notes)
        if judged is not None:
            return judged
    given = _Given(rows, questions)
    found = [(place, reading) for place in places if (reading := given.of(rows[place], how)) is not None]
    notes += given.notes()
    if not found:
        return None
    return Recorded([place for place, _ in found], [reading.category for _, reading in found], [reading.reason for _, reading in found])


def given_category(answer: str, value: Any, question: Question, shown: Shown) -> tuple[str | None, str | None]:
    """Returns an answer that was given as read in the form of the categories of its task, and what is doubtful about it.

    The category is null where the answer names no option.

    Args:
        answer: As recorded.
        value: The same with the type that the source gives it.
        question: The example.
        shown: How the row put its options; letters and numbers mean those.
    """
    if question.task == "numeric":
        return given_number(answer) or normal_text(answer) or None, None
    if question.task == "text":
        return normal_text(answer) or None, None
    if question.choices is None:
        category = normal_category(answer) or None
        return (_BOOLEANS.get(given_number(answer) or "", category) if question.are_booleans else category), None
    if shown.options is None or shown.permutation is None:
        return None, None
    try:
        read = read_gold(value, shown.options, split=False, names_first=shown.names_first)
        position, note = read.answer_index, read.note
    except DataError:
        position, note = read_choice(answer, shown.read_labels, shown.options.texts), None
    is_known = position is not None and position < len(shown.permutation)
    return (question.choices[shown.permutation[position]] if is_known and position is not None else None), note


class _Given:
    """Reads the rows of one data set, each distinct answer once."""

    def __init__(self, rows: Sequence[AnswerRow], questions: Questions) -> None:
        self._questions = questions
        self._dataset = questions.dataset
        self._known: dict[tuple[object, ...], tuple[str | None, str | None]] = {}
        self._unread: list[AnswerRow] = []
        self._doubts: list[tuple[str, str]] = []
        self._otherwise: list[AnswerRow] = []
        self._beside: list[AnswerRow] = []
        self._forms: dict[str, dict[str, str]] = {}
        if any(self._is_beside(row) for row in rows):
            for row in rows:
                if row.answer is not None and self._is_closed(row) and (category := self._category(row)) is not None:
                    self._forms.setdefault(row.example, {}).setdefault(normal_text(category), category)

    def of(self, row: AnswerRow, how: AnswerFormat) -> Reading | None:
        """Returns what a row says; null = it is left to the readers."""
        if row.answer is not None:
            category = self._category(row)
            if category is None:
                self._unread.append(row)
            return Reading(category, "unparsed" if category is None else None)
        if row.unread:
            return Reading(None, "truncated" if row.status == "truncated" else "unparsed")
        if row.response is None:
            return None
        if self._is_beside(row):
            self._beside.append(row)
            reading = read_answer(row.status, row.response, Asked("text", None, None, None), how)
            return Reading(self._forms.get(row.example, {}).get(reading.category or "", reading.category), reading.reason)
        question = self._questions.of[row.example]
        if question.choices is None or not question.is_otherwise(row):
            return None
        self._otherwise.append(row)
        return read_answer(row.status, row.response, _asked(question, question.shown_to(row)), how)

    def notes(self) -> list[str]:
        """Returns what a reader of the numbers should know."""
        found = []
        if self._unread:
            first = self._unread[0]
            found.append(f"{len(self._unread)} given answers name no option (the first: {first.answer!r}, {first.place}): unparsed")
        if self._doubts:
            found.append(in_doubt("given answers", self._doubts))
        if self._otherwise:
            found.append(
                f"{len(self._otherwise)} responses of {some(dict.fromkeys(row.example for row in self._otherwise))} answer options in "
                "another order than the first row of their variant: each is read by its own"
            )
        if self._beside:
            found.append(
                f"{len(self._beside)} rows have no given answer though others have (the first: {self._beside[0].place}): read as short "
                "text, so answers of two readers are compared"
            )
        return [f"{self._dataset}: {line}" for line in found]

    def _is_beside(self, row: AnswerRow) -> bool:
        """Returns whether a response has to be read where others came with an answer."""
        return row.answer is None and not row.unread and row.response is not None and self._is_closed(row)

    def _is_closed(self, row: AnswerRow) -> bool:
        question = self._questions.of[row.example]
        return question.task == "choice" and question.choices is None

    def _category(self, row: AnswerRow) -> str | None:
        key = (type(row.given), row.answer, row.example, row.variant, row.choices)
        found = self._known.get(key)
        if found is None:
            question = self._questions.of[row.example]
            found = self._known[key] = given_category(str(row.answer), row.given, question, question.shown_to(row))
            if found[1] is not None:
                self._doubts.append((row.example, found[1]))
        return found[0]


def _asked(question: Question, shown: Shown) -> Asked:
    original = None if question.choices is None or shown.permutation is None else tuple(question.choices[at] for at in shown.permutation)
    return Asked(question.task, shown.read_labels, shown.texts, original)


def _verdicts_as_answers(rows: Sequence[AnswerRow], places: Sequence[int], dataset: str, notes: list[str]) -> Recorded | None:
    """Where verdicts are all there is, the verdict is the answer; a share between 0 and 1 is none."""
    judged = [place for place in places if rows[place].correct is not None]
    if not judged or any(rows[place].response is not None for place in places):
        return None
    notes.append(f"{dataset}: nothing but verdicts were recorded: two different wrong answers count as the same")
    categories = [_VERDICTS.get(rows[place].correct or 0.0) for place in judged]
    shares = [rows[place] for place, category in zip(judged, categories, strict=True) if category is None]
    if shares:
        notes.append(
            f"{dataset}: {len(shares)} of {len(judged)} verdicts are shares between 0 and 1 (the first: {shares[0].correct:g}, "
            f"{shares[0].place}): no answers, so generation leaves them out; accuracy keeps them"
        )
    return Recorded(judged, categories, [PARTIAL if category is None else None for category in categories])
