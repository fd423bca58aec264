"""Files of recorded answers for tests, and the tables that are read of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
