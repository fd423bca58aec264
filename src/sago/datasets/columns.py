"""Which column of a source holds which field of an example.

A column that is called like the field is that field. Where there is none, the other names below are understood, in any spelling of case,
``_`` and ``-``; two of them at once are not guessed between. A mapping given by the user comes before all of this.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from sago.errors import DataError, StudyError

OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("doc_id", "qid", "question_id", "example_id", "item_id", "sample_id", "uid", "uuid", "guid", "_id", "idx", "index"),
    "question": ("prompt", "input", "query", "problem", "question_text"),
    "context": ("passage", "paragraph", "article"),
    "choices": ("options", "answer_choices", "choice_list", "option_list"),
    "answer": (
        *("answers", "target", "targets", "gold", "gold_answer", "label", "answer_key", "correct_answer", "expected_answer"),
        *("reference_answer", "ideal", "answer_index", "answer_idx"),
    ),
    "labels": ("choice_labels", "option_labels"),
    "paraphrases": ("rewordings", "wordings"),
    "meaning_changed": (),
}
"""Field -> other names of columns that are understood by themselves."""


def find_columns(present: Iterable[str], mapping: Mapping[str, str], where: str) -> dict[str, str]:
    """Returns field -> column for every field that the source has; columns that serve no field are left for the metadata.

    Args:
        present: Columns of the source, over all its rows.
        mapping: Field -> column as the user gave it.
        where: Name of the source, for messages.

    Raises:
        StudyError: If the mapping names a field that examples do not have.
        DataError: If a mapped column is not there, two columns could be one field, or nothing holds the question.
    """
    columns = list(dict.fromkeys(present))
    there = ", ".join(columns) or "none"
    found: dict[str, str] = {}
    for field, column in mapping.items():
        if field not in OTHER_NAMES:
            raise StudyError(f"column mapping '{field}={column}': examples have no field '{field}'", fix=_fields(field))
        if column not in columns:
            raise DataError(f"no column '{column}' for {field}; columns there: {there}", where=where)
        found[field] = column
    free = [column for column in columns if column not in found.values()]
    for field in OTHER_NAMES:
        if field in found:
            continue
        candidates = _candidates(field, free)
        if len(candidates) > 1:
            raise DataError(
                f"{' and '.join(repr(name) for name in candidates)} could each be the {field}",
                where=where,
                fix=f"Say which with --columns {field}={candidates[0]}",
            )
        if candidates:
            found[field] = candidates[0]
    if "question" not in found:
        raise DataError(f"no column for the question; columns there: {there}", where=where, fix="Name it with --columns question=COLUMN")
    return found


def _candidates(field: str, columns: list[str]) -> list[str]:
    """Returns the columns that could be a field: the one of that very name, or all that go by another name of it."""
    if field in columns:
        return [field]
    same = [column for column in columns if _key(column) == _key(field)]
    others = {_key(name) for name in OTHER_NAMES[field]}
    return same or [column for column in columns if _key(column) in others]


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.casefold())


def _fields(wrong: str) -> str:
    near = difflib.get_close_matches(wrong, OTHER_NAMES, n=1)
    return f"Did you mean {near[0]}?" if near else f"Fields: {', '.join(OTHER_NAMES)}"
