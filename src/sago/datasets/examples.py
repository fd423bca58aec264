"""Rows of a source as table ``examples``: fields read, ids made, task decided, every problem collected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

import polars as pl

from sago import schemas
from sago.datasets.columns import find_columns
from sago.datasets.gold import NO_GOLD, Choices, Gold, read_choices, read_gold
from sago.datasets.places import Record, Records
from sago.datasets.protocol import LoadOptions
from sago.datasets.values import is_blank, items_of, metadata_json, text_of, texts_of
from sago.errors import DataError
from sago.features.numbers import normal_number
from sago.seeds import content_hash

_ID_DIGITS = 12
"""Hex digits of an id made from content: two of a million different rows share one with probability 0.002, and that is an error."""
_NOTES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class _Item:
    """One row, read."""

    record: Record
    given_id: str | None
    question: str
    context: str | None
    choices: Choices | None
    gold: Gold
    paraphrases: tuple[str, ...]
    twin_question: str | None
    twin: Gold
    metadata: str
    fingerprint: str


def examples_table(records: Records, source: str, dataset: str, options: LoadOptions) -> pl.DataFrame:
    """Returns the rows of a source as table ``examples``.

    Args:
        records: Rows, and problems of rows, as read.
        source: Name of the source, for messages.
        dataset: Name of the dataset.
        options: Mapping of columns, and who hears of what is doubtful.

    Raises:
        DataError: If a row cannot be used, ids collide, or there is no row; it lists all problems, each with its line or item.
    """
    problems = [(problem.number, f"{records.unit} {problem.number}: {problem.what}") for problem in records.problems]
    items: list[_Item] = []
    if records.rows:
        columns = find_columns(records.columns(), options.columns, source)
        _tell_columns(columns, dataset, options)
        for record in records.rows:
            try:
                items.append(_read(record, columns, split=records.split))
            except DataError as error:
                problems.append((record.number, f"{records.unit} {record.number}{_id_note(record, columns)}: {error.what}"))
    lines = [line for _, line in sorted(problems)]
    ids = _ids(items)
    lines += _collisions(items, ids, records.unit)
    if lines:
        raise DataError(f"{len(lines)} problem{'s' if len(lines) > 1 else ''}", where=source, problems=lines)
    if not items:
        raise DataError("no items", where=source, fix="Give a file with at least one question")
    _tell_items(items, ids, dataset, options)
    open_task = _open_task(items)
    return schemas.frame(
        "examples",
        [_row(item, ids[position], position, dataset, open_task) for position, item in enumerate(items)],
    )


def _read(record: Record, columns: Mapping[str, str], *, split: bool) -> _Item:
    fields = record.fields
    values = {field: fields.get(column) for field, column in columns.items()}
    question = _text(values.get("question"), "question")
    if question is None:
        raise DataError("no question" if columns["question"] == "question" else f"no question in '{columns['question']}'")
    choices = read_choices(values.get("choices"), values.get("labels"))
    gold = read_gold(values.get("answer"), choices, split=split)
    context = _text(values.get("context"), "context")
    twin_question, twin = _twin(values.get("meaning_changed"), choices, split=split)
    used = {column for field, column in columns.items() if field != "labels"}  # labels have no column of their own: kept
    return _Item(
        record=record,
        given_id=_id(values.get("id")),
        question=question,
        context=context,
        choices=choices,
        gold=gold,
        paraphrases=_paraphrases(values.get("paraphrases")),
        twin_question=twin_question,
        twin=twin,
        metadata=metadata_json({name: value for name, value in fields.items() if name not in used}),
        fingerprint=content_hash(question, context, None if choices is None else choices.texts, gold.answers),
    )


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
        except ValueError as error:
            raise DataError("'meaning_changed' is no JSON object") from error
    if is_blank(value):
        return None, NO_GOLD
    if not isinstance(value, Mapping) or is_blank(value.get("question")):
        raise DataError("'meaning_changed' is no object with a question")
    answer = value.get("answer", value.get("answers"))
    return _text(value["question"], "meaning-changed question"), read_gold(answer, choices, split=split)


def _ids(items: list[_Item]) -> list[str]:
    """Returns an id for every item: the given one, else one made from content, whatever the order of the file.

    Rows that are alike in question, context, choices and answers are told apart by a number, counted in the order of all that they hold.
    """
    made: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        if item.given_id is None:
            made.setdefault(item.fingerprint[:_ID_DIGITS], []).append(position)
    ids = [item.given_id or "" for item in items]
    for base, positions in made.items():
        ordered = sorted(positions, key=lambda position: (_full_content(items[position]), position))
        for number, position in enumerate(ordered, 1):
            ids[position] = base if number == 1 else f"{base}-{number}"
    return ids


def _full_content(item: _Item) -> str:
    return content_hash(item.fingerprint, item.paraphrases, item.twin_question, item.twin.answers, item.metadata)


def _collisions(items: list[_Item], ids: list[str], unit: str) -> list[str]:
    places: dict[str, list[Record]] = {}
    for item, name in zip(items, ids, strict=True):
        places.setdefault(name, []).append(item.record)
    lines = []
    for name, records in places.items():
        if len(records) > 1:
            numbers = ", ".join(str(record.number) for record in records)
            lines.append(f"id '{name}' stands {len(records)} times: {unit}s {numbers} (ids are compared as text)")
    return lines


def _open_task(items: list[_Item]) -> str:
    """Returns the task of the open questions: numeric where all their right answers are plain numbers and there is one."""
    answers = [answer for item in items if item.choices is None for answer in item.gold.answers]
    return "numeric" if answers and all(normal_number(answer) is not None for answer in answers) else "text"


def _row(item: _Item, name: str, position: int, dataset: str, open_task: str) -> dict[str, Any]:
    has_twin = item.twin_question is not None
    return {
        "dataset": dataset,
        "example": name,
        "position": position,
        "task": open_task if item.choices is None else "choice",
        "question": item.question,
        "context": item.context,
        "choices": None if item.choices is None else list(item.choices.texts),
        "answers": list(item.gold.answers),
        "answer_index": item.gold.answer_index,
        "paraphrases": list(item.paraphrases),
        "twin_question": item.twin_question,
        "twin_answers": list(item.twin.answers) if has_twin else None,
        "twin_answer_index": item.twin.answer_index,
        "metadata": item.metadata,
        "fingerprint": item.fingerprint,
    }


def _id_note(record: Record, columns: Mapping[str, str]) -> str:
    given = text_of(record.fields.get(columns.get("id", ""), None))
    return f" (id '{given.strip()}')" if given and given.strip() else ""


def _tell_columns(columns: Mapping[str, str], dataset: str, options: LoadOptions) -> None:
    taken = [f"{field} from '{column}'" for field, column in columns.items() if column != field and field not in options.columns]
    if taken:
        options.note(f"{dataset}: reads {', '.join(taken)}")


def _tell_items(items: list[_Item], ids: list[str], dataset: str, options: LoadOptions) -> None:
    doubtful = [
        f"{dataset}, item '{name}'{'' if gold is item.gold else ' (meaning-changed)'}: {gold.note}"
        for item, name in zip(items, ids, strict=True)
        for gold in (item.gold, item.twin)
        if gold.note
    ]
    for line in doubtful[:_NOTES_SHOWN]:
        options.note(line)
    if len(doubtful) > _NOTES_SHOWN:
        options.note(f"{dataset}: {len(doubtful) - _NOTES_SHOWN} more answers could be read in two ways")
    without_id = sum(item.given_id is None for item in items)
    if without_id:
        options.note(f"{dataset}: {without_id} of {len(items)} items have no id; theirs are made from their content")
    without_gold = [name for item, name in zip(items, ids, strict=True) if not item.gold.answers]
    if without_gold:
        shown = ", ".join(without_gold[:5]) + (", ..." if len(without_gold) > 5 else "")
        options.note(f"{dataset}: {len(without_gold)} of {len(items)} items have no gold answer ({shown}): not scored for correctness")
