from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sago.datasets import LoadOptions, load
from sago.datasets.inspect_samples import load_inspect
from sago.errors import DataError, MissingExtraError
from sago.testing.dataset_check import check_dataset

SAMPLES = """
from types import SimpleNamespace as S
def message(role, text): return S(role=role, text=text)
many = [
    S(input="Hot planet?", choices=["Mars", "Venus"], target="B", id=1, metadata={"level": 2}),
    S(input=[message("system", "Be brief."), message("user", "Red planet?")], choices=["A", "Mars", "B"], target=["B"], id=2),
    S(input="1 + 1?", choices=None, target=["2", "two"], id=None, metadata={}),
]
def made(): return many
def task(): return S(dataset=many)
talk = [S(input=[message("user", "a"), message("assistant", "b"), message("user", "c")], target="x", choices=None)]
both = [S(input="Which?", choices=["x", "y", "z"], target="AC", id=1)]
none = [3]
def broken(): raise ValueError("no luck")
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "samples.py"
    path.write_text(SAMPLES, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["many", "made", "task"])
def test_samples_of_a_module(name: str, file: str) -> None:
    loaded = load([f"inspect:{file}:{name}"])
    table = loaded.examples
    assert table["dataset"].unique().to_list() == [name]
    assert table["question"].to_list() == ["Hot planet?", "Red planet?", "1 + 1?"]
    assert table["example"].to_list()[:2] == ["1", "2"]
    assert table["answers"].to_list() == [["Venus"], ["B"], ["2", "two"]]
    assert json.loads(table["metadata"][1])["system"] == "Be brief."
    assert f"{name}: 1 samples have a system message, kept as metadata and not asked (--system asks one)" in loaded.notes


def test_a_letter_names_a_place_and_a_doubt_is_told(file: str) -> None:
    notes: list[str] = []
    load_inspect(f"{file}:many", LoadOptions(note=notes.append))
    assert any("answer \"B\" was read as text ('B'), not as label ('Mars')" in note for note in notes)


def test_it_keeps_the_contract(file: str) -> None:
    check_dataset(load_inspect, f"{file}:many", rows=3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("talk", "row 1: its input is a conversation of 3 turns"),
        ("both", "names 2 different choices"),
        ("none", "row 1: is int, no sample"),
        ("broken", "gave no samples: ValueError"),
        ("maide", "holds no 'maide'. Did you mean made"),
    ],
)
def test_what_is_no_question_is_refused(name: str, message: str, file: str) -> None:
    with pytest.raises(DataError, match=message):
        load_inspect(f"{file}:{name}", LoadOptions())


def test_a_file_of_samples(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'inspect' is not installed")
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps({"input": "Hot planet?", "choices": ["Mars", "Venus"], "target": "B", "id": 7}), encoding="utf-8")
    row = load([f"inspect:{path}"]).examples.row(0, named=True)
    assert (row["dataset"], row["example"], row["answers"]) == ("samples", "7", ["Venus"])


def test_samples_of_the_framework_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    library = pytest.importorskip("inspect_ai", reason="the extra 'inspect' is not installed")
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser

    messages: list[Any] = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content="Red planet?")]
    data = MemoryDataset([Sample(input="Hot planet?", choices=["Mars", "Venus"], target="B"), Sample(input=messages, target="Mars")])
    monkeypatch.setitem(sys.modules, "own_samples", SimpleNamespace(data=data, task=lambda: library.Task(dataset=data)))
    for name in ("data", "task"):
        table = load_inspect(f"own_samples:{name}", LoadOptions())
        assert table["answers"].to_list() == [["Venus"], ["Mars"]]
        assert table["question"].to_list() == ["Hot planet?", "Red planet?"]


def test_without_the_framework_a_file_tells_the_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text("{}", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sago-eval\[inspect\]'"):
        load([f"inspect:{path}"])


def test_the_samples_that_are_no_list_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    holder: Any = SimpleNamespace(number=3)
    monkeypatch.setitem(sys.modules, "own_samples", holder)
    with pytest.raises(DataError, match="gave no samples"):
        load_inspect("own_samples:number", LoadOptions())
