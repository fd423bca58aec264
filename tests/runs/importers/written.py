"""Files of recorded answers for tests, and the tables that are read of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from sago.axes import Scored, score
from sago.features import extract
from sago.runs.importers import Answers, ReadOptions, read_answers


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Writes JSON lines and returns their path."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def answers_of(folder: Path, rows: Iterable[Mapping[str, Any]], **options: Any) -> Answers:
    """Returns what is read of rows."""
    return read_answers(write_lines(folder / "answers.jsonl", rows), options=ReadOptions(**options))


def grid(values: Mapping[tuple[str, str], Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns rows from (example, variant) -> other fields."""
    return [{"example": example, "variant": variant, **fields} for (example, variant), fields in values.items()]


def features_of(answers: Answers) -> pl.DataFrame:
    """Returns everything that is read of recorded answers."""
    return extract(answers.observations, answers.variants, answers.examples, known=answers.features)


def scored_of(answers: Answers, **options: Any) -> Scored:
    """Returns the scores of recorded answers."""
    return score(features_of(answers), answers.states, answers.observations, answers.variants, answers.examples, **options)


def default_of(scored: Scored, axis: str, model: str = "model") -> dict[str, Any]:
    """Returns the default row of a model on an axis."""
    is_row = pl.col("default") & (pl.col("axis") == axis) & (pl.col("model") == model) & pl.col("family").is_null()
    rows = scored.profiles.filter(is_row & pl.col("layer").is_null())
    assert rows.height == 1
    return rows.row(0, named=True)
