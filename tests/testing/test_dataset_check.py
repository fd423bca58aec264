"""The conformance check accepts every loader that is registered and refuses broken ones, each for its own fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from sago import registry
from sago.datasets import DatasetLoader, LoadOptions, load_file
from sago.errors import DataError, PluginError
from sago.testing.dataset_check import check_dataset

ROWS = [
    {"id": "a", "question": "Hot planet?", "choices": ["Mars", "Venus"], "answer": "Venus", "paraphrases": ["Which planet is hot?"]},
    {
        "id": "b",
        "question": "Red planet?",
        "choices": ["Mars", "Venus"],
        "answer": 0,
        "meaning_changed": {"question": "Hot planet?", "answer": 1},
    },
    {"id": "c", "question": "Legs of a spider?", "answer": 8, "topic": "animals"},
    {"id": "d", "question": "Favourite colour?", "context": "Mine is blue."},
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return str(path)


NEED_A_SOURCE = {"file", "hf-dataset", "inspect", "lm-eval", "python"}
"""Loaders that load nothing by their name alone; each is checked in its own tests."""


@pytest.mark.parametrize("name", [name for name in registry.names("datasets") if name not in NEED_A_SOURCE])
def test_every_registered_loader_keeps_the_contract(name: str) -> None:
    check_dataset(registry.get("datasets", name), name)


def test_the_loader_of_files_keeps_the_contract(file: str) -> None:
    check_dataset(registry.get("datasets", "file"), file, rows=len(ROWS))


def test_a_table_can_be_checked_without_its_loader(file: str) -> None:
    check_dataset(load_file(file, LoadOptions()), rows=4)


def _set(column: str, value: object, row: int) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Returns a change of one cell."""

    def change(table: pl.DataFrame) -> pl.DataFrame:
        cells = table[column].to_list()
        cells[row] = value
        return table.with_columns(pl.Series(column, cells, dtype=table.schema[column]))

    return change


BROKEN: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], str]] = {
    "duplicate id": (_set("example", "a", 1), "do not fit table examples"),
    "blank id": (_set("example", " ", 1), "blank id"),
    "blank question": (_set("question", " ", 2), "example 'c' has a blank question"),
    "blank context": (_set("context", "", 3), "blank context"),
    "blank paraphrase": (_set("paraphrases", ["", "x"], 0), "blank paraphrase"),
    "index out of range": (_set("answer_index", 2, 0), "gold index 2 out of range for 2 choices"),
    "negative index": (_set("answer_index", -1, 0), "gold index -1 out of range"),
    "answers are the letter": (_set("answers", ["B"], 0), "not the text of the choice"),
    "index without choices": (_set("answer_index", 0, 2), "gold index without choices"),
    "one choice": (_set("choices", ["Venus"], 0), "fewer than 2"),
    "blank choice": (_set("choices", ["Venus", "Mars", " "], 0), "blank choices"),
    "choice task without choices": (_set("task", "choice", 2), "task 'choice' without choices"),
    "unknown task": (_set("task", "essay", 2), "unknown task 'essay'"),
    "numeric with words": (lambda table: _set("answers", ["eight"], 2)(_set("task", "numeric", 2)(table)), "no number"),
    "twin index out of range": (_set("twin_answer_index", 5, 1), "meaning-changed gold index 5"),
    "answers of no twin": (_set("twin_answers", ["x"], 0), "has not"),
    "metadata is a list": (_set("metadata", "[]", 2), "no JSON object"),
    "constant fingerprint": (lambda table: table.with_columns(fingerprint=pl.lit("f")), "one fingerprint"),
    "two data sets": (_set("dataset", "other", 0), "2 data sets"),
    "positions repeat": (_set("position", 0, 1), "positions"),
    "column missing": (lambda table: table.drop("context"), "context"),
    "no rows": (lambda table: table.clear(), "0 examples"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_table_is_refused_for_its_fault(fault: str, file: str) -> None:
    change, message = BROKEN[fault]
    with pytest.raises(PluginError, match=message):
        check_dataset(change(load_file(file, LoadOptions())))


@pytest.mark.parametrize("fault", ["duplicate id", "blank question", "index out of range"])
def test_a_loader_is_refused_for_the_faults_of_its_table(fault: str, file: str) -> None:
    change, message = BROKEN[fault]
    with pytest.raises(PluginError, match=message):
        check_dataset(lambda source, options: change(load_file(source, options)), file)


class _Shuffles:
    """A loader whose order depends on how often it was called."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, source: str, options: LoadOptions) -> pl.DataFrame:
        self.calls += 1
        table = load_file(source, options)
        moved = table.reverse() if self.calls % 2 else table
        return moved.with_columns(position=pl.int_range(table.height, dtype=pl.Int64))


def _loses_a_row(source: str, options: LoadOptions) -> pl.DataFrame:
    return load_file(source, options).head(3)


def _ignores_the_name(source: str, options: LoadOptions) -> pl.DataFrame:
    return load_file(source, LoadOptions(name="mine"))


def _names_in_ids(source: str, options: LoadOptions) -> pl.DataFrame:
    table = load_file(source, options)
    return table.with_columns(example=pl.concat_str("dataset", "example"))


def _raises_what_it_likes(source: str, options: LoadOptions) -> pl.DataFrame:
    raise KeyError(source)


def _returns_rows(source: str, options: LoadOptions) -> pl.DataFrame:
    return load_file(source, options).to_dicts()  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("loader", "message"),
    [
        (_Shuffles(), "second call"),
        (_loses_a_row, "3 examples, expected 4"),
        (_ignores_the_name, "options.name"),
        (_names_in_ids, "changed more than the name"),
        (_raises_what_it_likes, "KeyError"),
        (_returns_rows, "returned list"),
    ],
)
def test_a_broken_loader_is_refused(loader: DatasetLoader, message: str, file: str) -> None:
    with pytest.raises(PluginError, match=message):
        check_dataset(loader, file, rows=4)


def test_a_data_error_of_the_loader_is_passed_on() -> None:
    with pytest.raises(DataError, match="cannot be read"):
        check_dataset(load_file, "not-there.jsonl")
