"""Rows as Python objects, for the places that handle one at a time: those of table ``examples`` as records, and how to hold many."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keeps the garbage collector from walking through many rows again and again: they hold no cycles, and it took a fifth of the time.

    What else leaves cycles meanwhile, a plug-in for instance, waits until the block ends: let it be of a bounded size.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
