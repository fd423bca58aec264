from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sago.datasets import LoadOptions, load
from sago.datasets.hub import load_hub
from sago.errors import DataError, MissingExtraError
from sago.testing.dataset_check import check_dataset


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The library, with a cache of its own."""
    library = pytest.importorskip("datasets", reason="the extra 'datasets' is not installed")
    monkeypatch.setattr(library.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    return library


NESTED = {
    "id": ["a", "b"],
    "question": ["Hot planet?", "Red planet?"],
    "choices": [{"text": ["Mars", "Venus"], "label": ["1", "2"]}, {"text": ["Mars", "Venus", "Earth"], "label": ["1", "2", "3"]}],
    "answerKey": ["2", "1"],
}


def _folder(path: Path, **splits: list[dict[str, Any]]) -> str:
    path.mkdir(parents=True)
    for split, rows in splits.items():
        (path / f"{split}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


ROWS = [{"id": f"q{number}", "question": f"What is {number} + 1?", "answer": number + 1} for number in range(5)]


class TestFields:
    def test_nested_choices_and_their_labels(self, hub: Any, tmp_path: Path) -> None:
        hub.Dataset.from_dict(NESTED).save_to_disk(tmp_path / "planets")
        table = load([f"hf-dataset:{tmp_path}/planets"]).examples
        assert table["dataset"].unique().to_list() == ["planets"]
        assert table["example"].to_list() == ["a", "b"]
        assert table["choices"].to_list() == [["Mars", "Venus"], ["Mars", "Venus", "Earth"]]
        assert table["answer_index"].to_list() == [1, 0]

    def test_classes_of_the_answer_are_the_choices(self, hub: Any, tmp_path: Path) -> None:
        features = hub.Features({"text": hub.Value("string"), "label": hub.ClassLabel(names=["negative", "positive"])})
        hub.Dataset.from_dict({"text": ["Good.", "Bad.", "?"], "label": [1, 0, -1]}, features=features).save_to_disk(tmp_path / "mood")
        notes: list[str] = []
        table = load_hub(f"{tmp_path}/mood", LoadOptions(columns={"question": "text"}, note=notes.append))
        assert table["choices"].to_list() == [["negative", "positive"]] * 3
        assert table["answers"].to_list() == [["positive"], ["negative"], []]
        assert notes[0] == "mood: choices are the classes of 'label'"

    def test_classes_beside_choices_are_their_labels(self, hub: Any, tmp_path: Path) -> None:
        features = hub.Features(
            {
                "question": hub.Value("string"),
                "options": hub.Sequence(hub.Value("string")),
                "answer": hub.ClassLabel(names=["1", "2"]),
                "kind": hub.ClassLabel(names=["easy", "hard"]),
            }
        )
        data = {"question": ["Larger?"], "options": [["2 or 3", "1 or 0"]], "answer": [0], "kind": [1]}
        hub.Dataset.from_dict(data, features=features).save_to_disk(tmp_path / "d")
        row = load_hub(f"{tmp_path}/d", LoadOptions()).row(0, named=True)
        assert (row["answer_index"], json.loads(row["metadata"])) == (0, {"kind": "hard", "labels": ["1", "2"]})

    def test_lists_of_answers(self, hub: Any, tmp_path: Path) -> None:
        data = {"question": ["Who?"], "context": ["Ann, or Anna."], "answers": [{"text": ["Ann", "Anna"], "answer_start": [0, 8]}]}
        hub.Dataset.from_dict(data).save_to_disk(tmp_path / "d")
        assert load_hub(f"{tmp_path}/d", LoadOptions())["answers"].to_list() == [["Ann", "Anna"]]

    def test_a_bad_row_is_named(self, hub: Any, tmp_path: Path) -> None:
        hub.Dataset.from_dict({"id": ["a", "b"], "question": ["Q?", None]}).save_to_disk(tmp_path / "d")
        with pytest.raises(DataError, match=r"row 2 \(id 'b'\): no question"):
            load_hub(f"{tmp_path}/d", LoadOptions())

    def test_it_keeps_the_contract(self, hub: Any, tmp_path: Path) -> None:
        hub.Dataset.from_dict(NESTED).save_to_disk(tmp_path / "planets")
        check_dataset(load_hub, f"{tmp_path}/planets", rows=2)


class TestSplits:
    @pytest.mark.parametrize(
        ("splits", "behind", "read"),
        [
            (["train"], "", "train"),
            (["train", "test"], "", "test"),
            (["train", "validation"], "", "validation"),
            (["train", "test"], ":train", "train"),
            (["train", "test"], ":default:train", "train"),
            (["train", "test"], "::train", "train"),
        ],
    )
    def test_a_folder_of_data_files(self, hub: Any, splits: list[str], behind: str, read: str, tmp_path: Path) -> None:
        rows = {split: [{**row, "split": split} for row in ROWS] for split in splits}
        loaded = load([f"hf-dataset:{_folder(tmp_path / 'sums', **rows)}{behind}"])
        assert {json.loads(text)["split"] for text in loaded.examples["metadata"]} == {read}
        assert loaded.examples["task"].unique().to_list() == ["numeric"]
        assert (f": reads split '{read}'" in " ".join(loaded.notes)) == (not behind)

    def test_the_splits_of_a_saved_folder(self, hub: Any, tmp_path: Path) -> None:
        saved = hub.DatasetDict({name: hub.Dataset.from_list([{**ROWS[0], "split": name}]) for name in ("train", "test")})
        saved.save_to_disk(tmp_path / "d")
        tables = [load_hub(f"{tmp_path}/d{behind}", LoadOptions()) for behind in ("", ":train")]
        assert [json.loads(table["metadata"][0])["split"] for table in tables] == ["test", "train"]
        assert [table["dataset"][0] for table in tables] == ["d", "d-train"]

    @pytest.mark.parametrize(
        ("behind", "message"),
        [
            (":tset", "no split 'tset'. Did you mean test"),
            (":other:test", "no configuration 'other'"),
            (":default:tset", "no split 'tset'"),
            (":a:b:c", "names no data set"),
            (":", "names no data set"),
        ],
    )
    def test_a_wrong_name_is_told(self, hub: Any, behind: str, message: str, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=message):
            load_hub(_folder(tmp_path / "sums", train=ROWS, test=ROWS) + behind, LoadOptions())

    def test_several_splits_of_other_names_are_not_guessed_between(self, hub: Any, tmp_path: Path) -> None:
        hub.DatasetDict({name: hub.Dataset.from_list(ROWS) for name in ("easy", "hard")}).save_to_disk(tmp_path / "d")
        with pytest.raises(DataError, match=r"several splits\. Name one: easy, hard"):
            load_hub(f"{tmp_path}/d", LoadOptions())

    def test_a_name_that_is_not_there_without_a_network(self, hub: Any) -> None:
        with pytest.raises(DataError, match=r"nobody/nothing: cannot be loaded: .*Check the name and the network"):
            load_hub("nobody/nothing", LoadOptions())


def test_without_the_library_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sago-eval\[datasets\]'"):
        load(["hf-dataset:some/name"])


def test_a_name_is_needed() -> None:
    with pytest.raises(DataError, match="hf-dataset:NAME"):
        load(["hf-dataset"])


def test_a_large_set_is_read_in_parts(hub: Any, tmp_path: Path) -> None:
    count = 5000
    hub.Dataset.from_dict({"question": [f"Q{n}?" for n in range(count)], "answer": list(range(count))}).save_to_disk(tmp_path / "d")
    table = load_hub(f"{tmp_path}/d", LoadOptions())
    assert table["answers"].explode().to_list() == [str(n) for n in range(count)]
    assert isinstance(table, pl.DataFrame)
