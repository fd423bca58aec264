"""Rows of a source as table ``examples``: fields read, ids made, task decided, every problem collected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

import polars as pl

from sago import schemas
from sago.datasets.columns import find_columns
from sago.datasets.gold import NO_GOLD, Choices, Gold, read_choices, read_gold
from sago.datasets.places import Record, Records, RecordSource
from sago.datasets.protocol import LoadOptions
from sago.datasets.values import is_blank, is_unicode, items_of, metadata_json, text_of, texts_of
from sago.errors import DataError
from sago.features.numbers import normal_number
from sago.seeds import content_hash

_ID_DIGITS = 12
"""Hex digits of an id made from content: two of a million different rows share one with probability 0.002, and that is an error."""
_NOTES_SHOWN = 10


def examples_table(records: RecordSource, source: str, dataset: str, options: LoadOptions) -> pl.DataFrame:
    """Returns the rows of a source as table ``examples``.

    Rows become columns part by part, so that a large source is never held as Python objects.

    Args:
        records: Rows, and problems of rows, as read.
        source: Name of the source, for messages.
        dataset: Name of the dataset.
        options: Mapping of columns, and who hears of what is doubtful.

    Raises:
        DataError: If a row cannot be used, ids collide, or there is no row; it lists all problems, each with its line or item.
    """
    read = _first_reading(records, source, options) or _second_reading(records, source, options)
    if read.columns:
        _tell_columns(read.columns, dataset, options)
    table = _named(read.table())
    lines = [line for _, line in sorted(read.problems)] + _collisions(table, records.unit)
    if lines:
        raise DataError(f"{len(lines)} problem{'s' if len(lines) > 1 else ''}", where=source, problems=lines)
    if not table.height:
        raise DataError("no items", where=source, fix="Give a file with at least one question")
    _tell_items(table, read, dataset, options)
    return schemas.check(
        "examples",
        table.with_columns(
            dataset=pl.lit(dataset),
            example=pl.coalesce("given_id", "made_id"),
            task=pl.when(pl.col("choices").is_null()).then(pl.lit(read.open_task())).otherwise(pl.lit("choice")),
        ),
    )


def _first_reading(records: RecordSource, source: str, options: LoadOptions) -> _Reading | None:
    """Reads with the columns that have come so far; null where a column that comes later changes which field is which."""
    read = _Reading({}, records)
    present: dict[str, None] = {}
    for part in records.parts():
        names = part.columns()
        if any(name not in present for name in names):
            present.update(dict.fromkeys(names))
            try:
                columns = find_columns(present, options.columns, source)
            except DataError:
                return None
            if read.tables and columns != read.columns:
                return None
            read.columns = columns
        read.add(part)
    return read


def _second_reading(records: RecordSource, source: str, options: LoadOptions) -> _Reading:
    """Reads with the columns of all rows."""
    present: dict[str, None] = {}
    for part in records.parts():
        present.update(dict.fromkeys(part.columns()))
    read = _Reading(find_columns(present, options.columns, source), records)
    for part in records.parts():
        read.add(part)
    return read


_SCHEMA = {
    **{name: dtype for name, dtype in schemas.dtypes("examples").items() if name not in {"dataset", "example", "position", "task"}},
    "given_id": pl.String(),
    "number": pl.Int64(),
    "content": pl.String(),
}
"""Columns that a row gives by itself. ``number`` is its place, ``content`` a hash of all it holds, where it has no id."""


class _Reading:
    """What one way through the rows of a source gave."""

    def __init__(self, columns: dict[str, str], records: RecordSource) -> None:
        self.columns = columns
        self.tables: list[pl.DataFrame] = []
        self.problems: list[tuple[int, str]] = []
        self.doubtful: list[tuple[int, str, str]] = []
        """The first rows whose gold can be read in two ways: position, what is doubtful, why."""
        self.n_doubtful = 0
        self._unit, self._split = records.unit, records.split
        self._rows = 0
        self._open_answers = False
        self._are_numbers = True

    def add(self, part: Records) -> None:
        """Reads some rows."""
        self.problems += [(problem.number, f"{self._unit} {problem.number}: {problem.what}") for problem in part.problems]
        rows = []
        for record in part.rows:
            try:
                rows.append(self._row(record))
            except DataError as error:
                self.problems.append((record.number, f"{self._unit} {record.number}{_id_note(record, self.columns)}: {error.what}"))
        self.tables.append(self._columns(rows))

    def _columns(self, rows: list[tuple[Any, ...]]) -> pl.DataFrame:
        cells = dict(zip(_SCHEMA, zip(*rows, strict=True), strict=True)) if rows else {}
        try:
            return pl.DataFrame(cells, schema=_SCHEMA)
        except UnicodeEncodeError:  # files are searched for this as they are read; what code made is not
            bad = [row for row in rows if not is_unicode(row)]
            number = list(_SCHEMA).index("number")
            what = "holds half of a surrogate pair, which is no character"
            self.problems += [(row[number], f"{self._unit} {row[number]}: {what}") for row in bad]
            return self._columns([row for row in rows if row not in bad])

    def table(self) -> pl.DataFrame:
        """Returns all rows, with their positions."""
        tables = self.tables or [pl.DataFrame(schema=_SCHEMA)]
        return pl.concat(tables, rechunk=True).with_columns(position=pl.int_range(pl.len(), dtype=pl.Int64))

    def open_task(self) -> str:
        """Returns the task of the open questions: numeric where all their right answers are plain numbers and there is one."""
        return "numeric" if self._open_answers and self._are_numbers else "text"

    def _row(self, record: Record) -> tuple[Any, ...]:
        """Returns the cells of one row, in the order of the schema."""
        fields, columns = record.fields, self.columns
        values = {field: fields.get(column) for field, column in columns.items()}
        question = _text(values.get("question"), "question")
        if question is None:
            raise DataError("no question" if columns["question"] == "question" else f"no question in '{columns['question']}'")
        choices = read_choices(values.get("choices"), values.get("labels"))
        gold = read_gold(values.get("answer"), choices, split=self._split)
        context = _text(values.get("context"), "context")
        twin_question, twin = _twin(values.get("meaning_changed"), choices, split=self._split)
        used = {column for field, column in columns.items() if field != "labels"}  # labels have no column of their own: kept
        texts = None if choices is None else choices.texts
        paraphrases, given_id = _paraphrases(values.get("paraphrases")), _id(values.get("id"))
        metadata = metadata_json({name: value for name, value in fields.items() if name not in used})
        fingerprint = content_hash(question, context, texts, gold.answers)
        self._remember(gold, twin, is_open=choices is None)
        return (
            *(question, context, texts, gold.answers, gold.answer_index, paraphrases),
            *(twin_question, None if twin_question is None else twin.answers, twin.answer_index, metadata, fingerprint),
            *(given_id, record.number),
            None if given_id is not None else content_hash(fingerprint, paraphrases, twin_question, twin.answers, metadata),
        )

    def _remember(self, gold: Gold, twin: Gold, *, is_open: bool) -> None:
        """Keeps what is said of all rows together."""
        for one, what in ((gold, ""), (twin, " (meaning-changed)")):
            if one.note:
                self.n_doubtful += 1
                if len(self.doubtful) < _NOTES_SHOWN:
                    self.doubtful.append((self._rows, what, one.note))
        if is_open and gold.answers and self._are_numbers:
            self._open_answers = True
            self._are_numbers = all(normal_number(answer) is not None for answer in gold.answers)
        self._rows += 1


def _text(value: Any, what: str) -> str | None:
    """Returns a text exactly as given; null where it says nothing."""
    if is_blank(value):
        return None
    text = text_of(value)
    if text is None:
        raise DataError(f"its {what} is no text")
    return text


def _id(value: Any) -> str | None:
    text = _text(value, "id")
    return None if text is None else normalize("NFC", text.strip())  # two forms of one id look alike


def _paraphrases(value: Any) -> tuple[str, ...]:
    if is_blank(value):
        return ()
    listed = items_of(value, split=True)
    texts = texts_of([item for item in ([value] if listed is None else listed) if not is_blank(item)], "'paraphrases'")
    return tuple(dict.fromkeys(texts))


def _twin(value: Any, choices: Choices | None, *, split: bool) -> tuple[str | None, Gold]:
    """Returns question and gold of the meaning-changed twin; the twin has the choices of its example."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise DataError("'meaning_changed' is no JSON object") from error
    if is_blank(value):
        return None, NO_GOLD
    if not isinstance(value, Mapping) or is_blank(value.get("question")):
        raise DataError("'meaning_changed' is no object with a question")
    answer = value.get("answer", value.get("answers"))
    return _text(value["question"], "meaning-changed question"), read_gold(answer, choices, split=split)


def _named(table: pl.DataFrame) -> pl.DataFrame:
    """Gives every row without an id one that is made from its content, whatever the order of the file: ``made_id``.

    Rows that are alike in question, context, choices and answers are told apart by a number, counted in the order of all that they hold.
    """
    made = (
        table.filter(pl.col("given_id").is_null())
        .select("position", "content", base=pl.col("fingerprint").str.head(_ID_DIGITS))
        .sort("base", "content", "position")
        .with_columns(count=pl.int_range(1, pl.len() + 1).over("base"))
    )
    first = pl.col("count") == 1
    name = pl.when(first).then(pl.col("base")).otherwise(pl.concat_str("base", pl.lit("-"), pl.col("count").cast(pl.String)))
    return table.join(made.select("position", made_id=name), on="position", how="left", maintain_order="left")


def _collisions(table: pl.DataFrame, unit: str) -> list[str]:
    names = table.select("number", name=pl.coalesce("given_id", "made_id"))
    several = names.group_by("name", maintain_order=True).agg("number").filter(pl.col("number").list.len() > 1)
    return [
        f"id '{name}' stands {len(numbers)} times: {unit}s {', '.join(map(str, numbers))} (ids are compared as text)"
        for name, numbers in several.iter_rows()
    ]


def _id_note(record: Record, columns: Mapping[str, str]) -> str:
    given = text_of(record.fields.get(columns.get("id", ""), None))
    return f" (id '{given.strip()}')" if given and given.strip() else ""


def _tell_columns(columns: Mapping[str, str], dataset: str, options: LoadOptions) -> None:
    taken = [f"{field} from '{column}'" for field, column in columns.items() if column != field and field not in options.columns]
    if taken:
        options.note(f"{dataset}: reads {', '.join(taken)}")


def _tell_items(table: pl.DataFrame, read: _Reading, dataset: str, options: LoadOptions) -> None:
    names = table.select(pl.coalesce("given_id", "made_id")).to_series()
    for position, what, note in read.doubtful:
        options.note(f"{dataset}, item '{names[position]}'{what}: {note}")
    if read.n_doubtful > len(read.doubtful):
        options.note(f"{dataset}: {read.n_doubtful - len(read.doubtful)} more answers could be read in two ways")
    without_id = table["given_id"].null_count()
    if without_id:
        options.note(f"{dataset}: {without_id} of {table.height} items without an id; one is made from the content")
    without_gold = names.filter(table["answers"].list.len() == 0)
    if len(without_gold):
        shown = ", ".join(without_gold[:5]) + (", ..." if len(without_gold) > 5 else "")
        options.note(f"{dataset}: {len(without_gold)} of {table.height} items without a gold answer ({shown}): not scored for correctness")
