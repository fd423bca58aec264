"""Rows of the ``examples`` table as records, for the places that handle one example at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from sago.records import Example, Twin


def example_of(row: Mapping[str, Any]) -> Example:
    """Returns one row of table ``examples`` as a record.

    Args:
        row: Column name -> value, as ``frame.iter_rows(named=True)`` gives it. ``metadata`` is the JSON text of the table.
    """
    twin = None
    if row["twin_question"] is not None:
        twin = Twin(row["twin_question"], tuple(row["twin_answers"] or ()), row["twin_answer_index"])
    return Example(
        dataset=row["dataset"],
        example=row["example"],
        question=row["question"],
        context=row["context"],
        choices=None if row["choices"] is None else tuple(row["choices"]),
        answers=tuple(row["answers"]),
        answer_index=row["answer_index"],
        task=row["task"],
        paraphrases=tuple(row["paraphrases"]),
        twin=twin,
        metadata=json.loads(row["metadata"]),
    )


def read_examples(examples: pl.DataFrame) -> Iterator[Example]:
    """Yields the rows of table ``examples`` as records, in the order of the table."""
    for row in examples.iter_rows(named=True):
        yield example_of(row)
