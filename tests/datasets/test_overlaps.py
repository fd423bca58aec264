from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sago.datasets import load

BASE = {"question": "Hot planet?", "context": "Of the Sun.", "choices": ["Mars", "Venus"], "answer": "Venus"}


def _notes(tmp_path: Path, **files: list[dict[str, Any]]) -> list[str]:
    sources = []
    for name, rows in files.items():
        path = tmp_path / f"{name}.jsonl"
        numbered = [{"id": f"{name}{number}", **row} for number, row in enumerate(rows)]
        path.write_text("\n".join(map(json.dumps, numbered)), encoding="utf-8")
        sources.append(str(path))
    loaded = load(sources)
    assert loaded.examples.height == sum(map(len, files.values()))  # nothing is dropped
    return list(loaded.notes)


def test_shared_examples_are_counted_and_named(tmp_path: Path) -> None:
    other = {"question": "Legs of a spider?"}
    assert _notes(tmp_path, a=[{**other, "answer": 8}, BASE, {"question": "x", "answer": 1}], b=[BASE, {**other, "answer": 8}]) == [
        "a and b share 2 examples ('a0' = 'b1', 'a1' = 'b0'); all are kept"
    ]


def test_examples_that_stand_twice_in_one_set(tmp_path: Path) -> None:
    assert _notes(tmp_path, a=[BASE, {"question": "x", "answer": 1}, BASE, {**BASE, "answer": "Mars"}]) == [
        "a: 1 example stands more than once ('a0' = 'a2' = 'a3'), 2 more than they need; all are kept; "
        "1 of them with different right answers"
    ]


def test_only_the_first_are_named(tmp_path: Path) -> None:
    rows = [{"question": f"Q{number}?", "answer": 1} for number in range(5)]
    assert _notes(tmp_path, a=rows, b=rows)[0] == "a and b share 5 examples ('a0' = 'b0', 'a1' = 'b1', 'a2' = 'b2', ...); all are kept"
    assert "5 examples stand more than once ('a0' = 'a5'; 'a1' = 'a6'; 'a2' = 'a7'; ...), 5 more" in _notes(tmp_path, a=rows + rows)[0]


@pytest.mark.parametrize(
    "change",
    [
        {"question": " hot\u00a0 PLANET?\n"},
        {"choices": ["venus ", "MARS"], "answer": 0},
        {"context": "of  the sun."},
        {"answer": "Mars"},
        {"topic": "sky"},
    ],
)
def test_what_looks_the_same_is_the_same(change: dict[str, Any], tmp_path: Path) -> None:
    assert "share 1 example (" in _notes(tmp_path, a=[BASE], b=[{**BASE, **change}])[0]


@pytest.mark.parametrize(
    "change",
    [
        {"question": "Hot planet"},
        {"question": "Hot planet? Of the Sun.", "context": None},
        {"context": None},
        {"choices": ["Mars", "Venus", "Earth"]},
        {"choices": None},
    ],
)
def test_what_says_something_else_is_not(change: dict[str, Any], tmp_path: Path) -> None:
    assert _notes(tmp_path, a=[BASE], b=[{**BASE, **change}]) == []
