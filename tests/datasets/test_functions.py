from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sago import registry
from sago.datasets import LoadOptions, load, rows_table
from sago.datasets.functions import load_function
from sago.errors import DataError
from sago.testing.dataset_check import check_dataset

ROWS: list[dict[str, Any]] = [
    {"id": "a", "question": "Hot planet?", "choices": ["Mars", "Venus"], "answer": "Venus"},
    {"id": "b", "question": "Red planet?", "choices": ["Mars", "Venus"], "answer": "A", "topic": "sky"},
]
FILE = f"""
def planets():
    yield from {ROWS!r}

class Kept:
    rows = staticmethod(planets)

def fails():
    yield {{"question": "Q?"}}
    raise RuntimeError("no luck")

number = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def _given(value: Any, monkeypatch: pytest.MonkeyPatch, **how: Any) -> pl.DataFrame:
    module: Any = SimpleNamespace(rows=lambda: value)
    monkeypatch.setitem(sys.modules, "own_rows", module)
    return load_function("own_rows:rows", LoadOptions(**how))


@pytest.mark.parametrize("name", ["planets", "Kept.rows"])
def test_a_function_of_a_file(name: str, file: str) -> None:
    table = load([f"python:{file}:{name}"]).examples
    assert table["dataset"].unique().to_list() == [name]
    assert (table["example"].to_list(), table["answer_index"].to_list()) == (["a", "b"], [1, 0])
    assert json.loads(table["metadata"][1]) == {"topic": "sky"}


def test_it_keeps_the_contract(file: str) -> None:
    check_dataset(load_function, f"{file}:planets", rows=2)


@pytest.mark.parametrize("kind", [list, iter, tuple, pl.DataFrame, pd.DataFrame, pa.Table.from_pylist, pl.LazyFrame])
def test_rows_or_a_table(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _given(kind([{key: row[key] for key in ("id", "question", "choices", "answer")} for row in ROWS]), monkeypatch)
    assert (table["example"].to_list(), table["answer_index"].to_list()) == (["a", "b"], [1, 0])


def test_columns_are_mapped_as_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    table = _given([{"text": "Q?", "solution": 3}], monkeypatch, columns={"question": "text", "answer": "solution"})
    assert table["answers"].to_list() == [["3"]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"question": "Q?"}, "gave dict, neither dictionaries nor a table"),
        ("text", "gave str"),
        (3, "gave int"),
        ([{"question": "Q?"}, "text"], "row 2: is str, not a dictionary"),
        ([{"question": "Q?"}, None], "row 2: is NoneType"),
        ([{1: "Q?"}], "row 1: is dict"),
        ([{"question": "Q?"}, {"question": ""}], "row 2: no question"),
        ([{"question": "half \ud83d"}], "row 1: .*surrogate"),
        ([], "no items"),
    ],
)
def test_what_is_no_row_is_told(value: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match=message):
        _given(value, monkeypatch)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{file}:fails", r"row 2: raised RuntimeError\('no luck'\)"),
        ("{file}:number", "is no function but int"),
        ("{file}:planet", "holds no 'planet'. Did you mean planets"),
        ("nowhere.py:rows", "no such file: nowhere.py"),
        ("no_such_package.rows:rows", "there is no module 'no_such_package'"),
        ("own", "names no module"),
        ("", "names no module"),
    ],
)
def test_what_is_no_function_is_told(source: str, message: str, file: str) -> None:
    with pytest.raises(DataError, match=message):
        load_function(source.format(file=file), LoadOptions())


def test_a_file_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("import no_such_thing", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be imported: ModuleNotFoundError"):
        load_function(f"{path}:rows", LoadOptions())


def test_a_loader_of_ones_own_behind_an_entry_point() -> None:
    def loader(source: str, options: LoadOptions) -> pl.DataFrame:
        return rows_table(lambda: ROWS, source, options.name or "mine", options)

    registry.register("datasets", "planted-rows", loader)
    try:
        assert load(["planted-rows"]).examples["dataset"].to_list() == ["mine"] * 2
    finally:
        registry.unregister("datasets", "planted-rows")
