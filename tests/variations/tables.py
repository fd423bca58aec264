"""Small tables for the tests of variations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from sago import schemas

CASES = Path(__file__).parents[1] / "cases" / "data"


def row(example: str, question: str, **fields: Any) -> dict[str, Any]:
    """Returns one row of table ``examples``; the gold answer of a choice is given as ``answer_index``."""
    choices = fields.get("choices")
    index = fields.get("answer_index")
    answers = [choices[index]] if choices and index is not None else []
    return {
        "dataset": "d",
        "example": example,
        "position": 0,
        "task": "choice" if choices else "text",
        "question": question,
        "answers": answers,
        "paraphrases": [],
        "metadata": "{}",
        "fingerprint": "f",
        **fields,
    }


def table(*rows: dict[str, Any]) -> pl.DataFrame:
    """Returns table ``examples`` with the rows in their order."""
    return schemas.frame("examples", [{**given, "position": position} for position, given in enumerate(rows)])


def case_rows(name: str) -> list[dict[str, Any]]:
    """Returns the rows of one case file."""
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def prompt_of(variant: dict[str, Any]) -> str:
    """Returns the user message of a row of table ``variants``."""
    content: str = variant["messages"][-1]["content"]
    return content
