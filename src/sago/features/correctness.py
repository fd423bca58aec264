"""Whether a response is right by the gold answer of its own variant (METRICS 7).

A choice is the gold choice, a number equals the gold value, a short text matches an accepted answer after normalisation. Behaviour without
an answer (refused, filtered, empty, unreadable, cut off) is not right: 0. Without a gold answer the reading is null, ``no_gold``; of a
response that was not recorded, ``not_recorded``.
"""

from __future__ import annotations

import polars as pl

from sago.features.answers import NOT_RECORDED, readings_of
from sago.features.numbers import given_number
from sago.features.protocol import ReaderInput
from sago.features.structured import json_answer, whole_json
from sago.features.table import KEYS, feature_rows, missing_reason
from sago.features.texts import normal_category, normal_text


class CorrectnessReader:
    """Reads 1.0 for a right response and 0.0 for any other."""

    name = "correct"
    version = "11"
    kind = "number"

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        """Returns one row of table ``features`` per observation."""
        golds = _golds(inputs)
        rows = readings_of(inputs).rename({"reason": "unread"}).join(golds, on=["dataset", "example", "variant"], how="left")
        right = pl.col("gold").list.contains(pl.col("category")).fill_null(value=False)
        lost = pl.when(pl.col("unread") == NOT_RECORDED).then(pl.col("unread"))
        reason = pl.coalesce(missing_reason(), pl.when(pl.col("gold").list.len() == 0).then(pl.lit("no_gold")), lost)
        read = rows.with_columns(reason=reason).select(
            *KEYS, "reason", number=pl.when(pl.col("reason").is_null()).then(right.cast(pl.Float64))
        )
        return feature_rows(self, inputs, read)


correctness_reader = CorrectnessReader()
"""The registered reader of correctness."""


def accepted(task: str, answers: list[str], *, has_choices: bool = True) -> list[str]:
    """Returns accepted answers in the form of the categories that the answer reader returns for that task.

    One that is a JSON object with a field ``answer`` is its value, as in a response. Without choices, a closed set of answers is known by
    what was recorded alone, in the form of ``normal_category``.
    """
    if task == "choice":
        return answers if has_choices else [normal_category(answer) for answer in answers]
    stated = [json_answer(answer) or answer for answer in answers]
    if task == "numeric":
        return [given_number(answer) or normal_text(answer) for answer in stated]
    return [normal_text(whole_json(answer) or answer) for answer in stated]


def _golds(inputs: ReaderInput) -> pl.DataFrame:
    """Returns the accepted categories of every variant."""
    examples = inputs.examples.select("dataset", "example", "task", "choices")
    rows = inputs.variants.select("dataset", "example", "variant", "answers", "answer_index").join(
        examples, on=["dataset", "example"], how="left"
    )
    golds = [
        accepted(task, answers if index is None or choices is None else [choices[index]], has_choices=choices is not None)
        for task, answers, index, choices in rows.select("task", "answers", "answer_index", "choices").iter_rows()
    ]
    return rows.select("dataset", "example", "variant", gold=pl.Series(golds, dtype=pl.List(pl.String)))
