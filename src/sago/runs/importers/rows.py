"""One row of recorded answers at a time: every field read, every problem collected with its file and line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from unicodedata import normalize

from sago.datasets.gold import Choices, read_choices
from sago.datasets.places import Records
from sago.datasets.values import is_blank, text_of
from sago.errors import DataError
from sago.models.replies import ChatReply, read_chat_reply, reply_of
from sago.records import Decoding, Status
from sago.runs.importers import cells
from sago.runs.importers.columns import find_columns
from sago.runs.importers.options import SourceColumns

Messages = tuple[tuple[str, str], ...]
"""A prompt: role and content of each message; empty = not recorded."""

TASKS = {"choice": "choice", "multiple_choice": "choice", "mcq": "choice", "numeric": "numeric", "number": "numeric", "text": "text"}
"""Words of column ``task`` -> task; any other word is no task of ours and says nothing."""

DEFAULT_MODEL = "model"


@dataclass(slots=True)
class AnswerRow:
    """One recorded response, or what was made of it."""

    source: str
    number: int
    """Place in the source, in its unit."""
    unit: str
    model: str
    dataset: str
    example: str
    variant: str | None
    """Null where the source has no column for it."""
    rerun: int | None
    decoding: Decoding
    status: Status
    response: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    error: str | None = None
    answer: str | None = None
    given: Any = None
    """The answer with the type that the source gives it: a JSON number may be an index."""
    is_blank_cell: bool = False
    """Whether the response is a cell of a CSV that holds nothing: it cannot say whether the reply was empty or not recorded."""
    unread: bool = False
    """Whether somebody looked for an answer and found none: the row has none though its source has."""
    correct: float | None = None
    target: Any = None
    prompt: Messages = ()
    question: str | None = None
    choices: Choices | None = None
    task: str | None = None
    family: str | None = None
    temperature: float | None = None
    token_logprobs: list[float | None] | None = None
    """Minus infinity is a probability of 0."""
    choice_scores: Mapping[str, Any] | list[Any] | None = None
    are_probabilities: bool = False
    embedding: list[float] | None = None
    has_embedding: bool = False
    states: dict[int, list[float] | None] = field(default_factory=dict)
    split: bool = False
    """Whether ``|`` separates several right answers (CSV)."""

    @property
    def place(self) -> str:
        """Where the row stands, for messages."""
        return f"{self.source}, {self.unit} {self.number}"


@dataclass
class AnswerRows:
    """All rows of all sources, what is wrong with others, and what a person should know."""

    rows: list[AnswerRow] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sources: list[SourceColumns] = field(default_factory=list)


def add_rows(found: AnswerRows, records: Records, source: str, default_dataset: str, mapping: Mapping[str, str]) -> None:
    """Reads the rows of one source and adds them, or their problems, to what was found before.

    Raises:
        DataError: If the columns do not do.
        StudyError: If the mapping names a field that answers do not have.
    """
    found.problems += [f"{source}, {records.unit} {problem.number}: {problem.what}" for problem in records.problems]
    if not records.rows:
        return
    present = records.columns()
    columns = find_columns(present, mapping, source)
    unused = tuple(name for name in present if name not in columns.values())
    found.sources.append(SourceColumns(source, len(records.rows), columns, unused))
    reader = _Reader(records, source, default_dataset, columns)
    for record in records.rows:
        try:
            found.rows.append(reader.read(record.number, record.fields))
        except (DataError, ValueError) as error:
            what = error.what if isinstance(error, DataError) else str(error)
            found.problems.append(f"{source}, {records.unit} {record.number}: {what}")
    _tell_forms(found, source, reader.forms)


def _tell_forms(found: AnswerRows, source: str, forms: Mapping[str, set[str]]) -> None:
    several = [name for name, spelled in forms.items() if len(spelled) > 1]
    if several:
        found.notes.append(
            f"{source}: the ids of {len(several)} examples (the first: '{several[0]}') stand in several Unicode forms that look "
            "alike: each is one example, in form NFC"
        )


_UNSAID = ChatReply("ok")
"""Neither text nor status was recorded."""


class _Reader:
    """Reads the rows of one source."""

    def __init__(self, records: Records, source: str, default_dataset: str, columns: Mapping[str, str]) -> None:
        self._source, self._unit, self._split = source, records.unit, records.split
        self._columns = columns
        self.forms: dict[str, set[str]] = {}
        """Id of an example -> the Unicode forms in which it stands, where it is not of ASCII alone."""
        self._dataset = default_dataset
        others = {name: read for name, read in _OTHERS.items() if name in columns}
        self._others = [(name, columns[name], read) for name, read in others.items()]
        self._says_how = any(name in columns for name in ("response", "reply", "status", "error", "finish_reason", "reasoning"))
        self._says_decoding = "decoding" in columns or "temperature" in columns

    def read(self, number: int, fields: Mapping[str, Any]) -> AnswerRow:
        columns = self._columns

        def given(name: str) -> Any:
            return fields.get(columns[name]) if name in columns else None

        is_blank_cell = self._split and self._says_how and self._is_blank_cell(fields)
        said = self._said(fields, is_blank_cell=is_blank_cell) if self._says_how else _UNSAID
        heat = cells.temperature(given("temperature")) if "temperature" in columns else None
        row = AnswerRow(
            source=self._source,
            number=number,
            unit=self._unit,
            model=cells.key_text(given("model"), "model") if "model" in columns else DEFAULT_MODEL,
            dataset=cells.key_text(given("dataset"), "dataset") if "dataset" in columns else self._dataset,
            example=self._example(given("example")),
            variant=cells.key_text(given("variant"), "variant") if "variant" in columns else None,
            rerun=cells.whole_number(given("rerun"), "rerun") if "rerun" in columns else None,
            decoding=cells.decoding(given("decoding"), heat) if self._says_decoding else "recorded",
            status=said.status,
            response=said.response,
            is_blank_cell=is_blank_cell,
            reasoning=said.reasoning,
            finish_reason=said.finish_reason,
            error=said.error,
            token_logprobs=None if said.token_logprobs is None else cells.logprobs(said.token_logprobs),
            temperature=heat,
            target=cells.accepted(given("target")),
            split=self._split,
        )
        for name, column, read in self._others:
            value = fields.get(column)
            if not is_blank(value):
                try:
                    read(row, value)
                except DataError as error:
                    raise DataError(error.what + self._column_note(name)) from error
        return row

    def _example(self, value: Any) -> str:
        """Returns the id of an example in form NFC: two forms of one text look alike."""
        name = cells.key_text(value, "example")
        if name.isascii():
            return name
        composed = normalize("NFC", name)
        self.forms.setdefault(composed, set()).add(name)
        return composed

    def _text(self, fields: Mapping[str, Any], name: str) -> str | None:
        try:
            return cells.plain_text(fields.get(self._columns[name]), name) if name in self._columns else None
        except DataError as error:
            raise DataError(error.what + self._column_note(name)) from error

    def _column_note(self, name: str) -> str:
        return "" if self._columns[name] == name else f" (column '{self._columns[name]}')"

    def _said(self, fields: Mapping[str, Any], *, is_blank_cell: bool) -> ChatReply:
        """Returns response and status: the stated status, else what reply, finish reason, error and text say."""

        def given(name: str) -> Any:
            return fields.get(self._columns[name]) if name in self._columns else None

        reply = given("reply")
        said = ChatReply("ok") if is_blank(reply) else read_chat_reply(cells.mapping(reply, "reply"))
        stated, error = cells.status(given("status")), self._text(fields, "error")
        response = self._text(fields, "response")
        if is_blank_cell:
            response = ""
        finish = text_of(given("finish_reason")) or said.finish_reason
        if response is not None or finish != said.finish_reason:
            made = reply_of(said.response if response is None else response, finish)
            # No text and an ordinary finish: the text was not recorded; that is no empty reply.
            is_lost = response is None and is_blank(reply) and made.status == "empty"
            said = ChatReply("ok" if is_lost else made.status, made.response, made.reasoning or said.reasoning, finish, None)
        reasoning = self._text(fields, "reasoning") or said.reasoning
        status: Status = stated or ("error" if error and not (said.response or "").strip() else said.status)
        return ChatReply(status, said.response, reasoning, finish, error or said.error, said.token_logprobs)

    def _is_blank_cell(self, fields: Mapping[str, Any]) -> bool:
        """Returns whether the response of a CSV is blank, and nothing else says what the reply was."""
        others = (fields.get(self._columns[name]) for name in ("reply", "status", "error") if name in self._columns)
        column = self._columns.get("response")
        return column is not None and fields.get(column) is None and all(map(is_blank, others))


def _answer(row: AnswerRow, value: Any) -> None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    value = cells.stated(value)
    if is_blank(value):
        return  # an object that states no answer
    if isinstance(value, list) and len(value) > 1:
        raise DataError(f"its answer is a list of {len(value)} values; give the one answer, or each a row of its own, as a rerun")
    row.answer, row.given = text_of(value), value
    if row.answer is None:
        raise DataError("its answer is no text or number")


def _correct(row: AnswerRow, value: Any) -> None:
    row.correct = cells.verdict(value)


def _prompt(row: AnswerRow, value: Any) -> None:
    row.prompt = cells.prompt(value)


def _question(row: AnswerRow, value: Any) -> None:
    row.question = cells.plain_text(value, "question")


def _choices(row: AnswerRow, value: Any) -> None:
    row.choices = read_choices(value, None)


def _task(row: AnswerRow, value: Any) -> None:
    row.task = TASKS.get((text_of(value) or "").strip().casefold().replace("-", "_").replace(" ", "_"))


def _family(row: AnswerRow, value: Any) -> None:
    row.family = cells.key_text(value, "family")


def _token_logprobs(row: AnswerRow, value: Any) -> None:
    row.token_logprobs = cells.token_logprobs(value) or None


def _choice_probabilities(row: AnswerRow, value: Any) -> None:
    row.choice_scores, row.are_probabilities = cells.scores_of_choices(value, "choice_probabilities"), True


def _choice_logprobs(row: AnswerRow, value: Any) -> None:
    row.choice_scores, row.are_probabilities = cells.scores_of_choices(value, "choice_logprobs"), False


def _embedding(row: AnswerRow, value: Any) -> None:
    row.embedding, row.has_embedding = cells.vector(value, "embedding"), True


def _states(row: AnswerRow, value: Any) -> None:
    row.states = cells.layers(value)


_OTHERS: dict[str, Callable[[AnswerRow, Any], None]] = {
    "answer": _answer,
    "correct": _correct,
    "prompt": _prompt,
    "question": _question,
    "choices": _choices,
    "task": _task,
    "family": _family,
    "token_logprobs": _token_logprobs,
    "choice_probabilities": _choice_probabilities,
    "choice_logprobs": _choice_logprobs,
    "embedding": _embedding,
    "hidden_states": _states,
}
"""Field -> what its value changes in a row; it is called where the value says something."""
