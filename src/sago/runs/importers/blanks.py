"""What it says that an answer, or a cell of a CSV, is blank: decided once for each data set, over all its files and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sago.runs.importers.kinds import is_number, texts_of
from sago.runs.importers.rows import AnswerRow, AnswerRows

_NO_NUMBER = frozenset({"nan", "+nan", "-nan", "<na>"})
"""How tables of numbers spell that there is none."""


def settle_blanks(found: AnswerRows) -> None:
    """Decides what blank cells and blank answers mean, and tells it.

    The files of one data set are one record of it, and two data sets in one file are not: what was kept of one says nothing of the other.
    Models are not told apart, for they are compared on the data set. If nobody could find an answer in any response of one model, to
    read these responses by another reader would judge that model by a kinder one.
    """
    columns = {source.source: source.fields for source in found.sources}
    parts: dict[tuple[str, str], list[AnswerRow]] = {}
    _drop_no_numbers(found.rows)
    for row in found.rows:
        parts.setdefault((row.dataset, row.source), []).append(row)
    held = Counter(source for _, source in parts)
    files: dict[str, list[_Part]] = {}
    for (dataset, source), rows in parts.items():
        name = source if held[source] == 1 else f"{source}, {dataset}"
        files.setdefault(dataset, []).append(_Part(name, rows, columns[source]))
    for of_dataset in files.values():
        _settle_blank_cells(of_dataset, found.notes)
        _mark_unread([part for part in of_dataset if "answer" in part.columns], found.notes)


def _drop_no_numbers(rows: Sequence[AnswerRow]) -> None:
    """Takes ``nan`` among numbers for a blank answer, as which a table of floats writes one; two of them are no agreement.

    Numbers are meant where all right answers of a data set are, or without any all other answers. Among names, ``nan`` may be one.
    """
    by_dataset: dict[str, list[AnswerRow]] = {}
    for row in rows:
        by_dataset.setdefault(row.dataset, []).append(row)
    for of_dataset in by_dataset.values():
        given = [row for row in of_dataset if row.answer is not None]
        lacking = [row for row in given if _is_no_number(row.answer)]
        targets = [text for row in of_dataset for text in texts_of(row.target)] if lacking else []
        others = [row.answer or "" for row in given if not _is_no_number(row.answer)] if lacking and not targets else []
        if (targets or others) and all(map(is_number, targets or others)):
            for row in lacking:
                row.answer = None


def _is_no_number(answer: str | None) -> bool:
    return answer is not None and answer.strip().casefold() in _NO_NUMBER


class _Part(NamedTuple):
    """What one file holds of one data set."""

    name: str
    rows: list[AnswerRow]
    columns: Mapping[str, str]


def _settle_blank_cells(parts: Sequence[_Part], notes: list[str]) -> None:
    """A blank cell of a CSV was not recorded beside an answer, nor beside a verdict where no reply was kept at all; else it was empty.

    Among given answers, a row that was judged with neither is left to the rule for blank answers.
    """
    are_given = any(row.answer is not None for part in parts for row in part.rows)
    was_kept = any(row.response is not None and not row.is_blank_cell for part in parts for row in part.rows)
    for part in parts:
        is_left = are_given and "answer" in part.columns
        empty = []
        for row in part.rows:
            if row.is_blank_cell and row.answer is None and (row.correct is None or (was_kept and not is_left)):
                empty.append(row)
            elif row.is_blank_cell:
                row.status, row.response = "ok" if row.status == "empty" else row.status, None
        if empty:
            notes.append(
                f"{part.name}: {len(empty)} blank cells of '{part.columns['response']}' (the first in {empty[0].unit} {empty[0].number}) "
                "are taken as empty replies; a column status, or JSON lines, could say that they were not recorded"
            )


def _mark_unread(parts: Sequence[_Part], notes: list[str]) -> None:
    """A blank answer among given ones says that none was found; to read the response by another reader would mix two of them.

    Where no response was kept though there is a column for it, nothing was recorded that could have been read.
    """
    if all(row.answer is None for part in parts for row in part.rows):
        return
    for part in parts:
        keeps_responses = "response" in part.columns or "reply" in part.columns
        unread = [row for row in part.rows if row.answer is None and _is_unread(row, keeps_responses=keeps_responses)]
        for row in unread:
            row.unread = True
        if unread:
            notes.append(
                f"{part.name}: {len(unread)} of {len(part.rows)} rows have no '{part.columns['answer']}' (the first in {unread[0].unit} "
                f"{unread[0].number}): unparsed, their responses are not read"
            )


def _is_unread(row: AnswerRow, *, keeps_responses: bool) -> bool:
    is_kept = row.is_blank_cell or not (keeps_responses and row.response is None)
    return row.status == "truncated" or (row.status == "ok" and is_kept)
