from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sago.datasets import LoadOptions, load
from sago.datasets.lm_eval_tasks import load_task
from sago.errors import DataError, MissingExtraError
from sago.testing.dataset_check import check_dataset

CHOICE = """
task: planets
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
description: "Answer well."
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_choice: "{{{{options}}}}"
doc_to_target: "{{{{options.index(right)}}}}"
metric_list: [{{metric: acc}}]
"""
OPEN = """
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: question
doc_to_target: "{{{{right}}}}"
metric_list: [{{metric: exact_match}}]
"""
PLANETS = [
    {"id": "hot", "question": "Hot planet?", "options": ["Mars", "Venus"], "right": "Venus"},
    {"id": "red", "question": "Red {planet}?", "options": ["Mars", "Venus", "B"], "right": "Mars"},
]
SUMS = [{"question": "1 + 1?", "right": "2"}, {"question": "2 + 2?", "right": "4"}]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder of two tasks with their data, and a group of both."""
    library = pytest.importorskip("datasets", reason="the extra 'lm-eval' is not installed")
    pytest.importorskip("lm_eval", reason="the extra 'lm-eval' is not installed")
    monkeypatch.setattr(library.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    for name, text, rows in (("planets", CHOICE, PLANETS), ("sums", OPEN, SUMS)):
        data = tmp_path / "data" / f"{name}.jsonl"
        data.parent.mkdir(exist_ok=True)
        data.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        tasks = tmp_path / "tasks"
        tasks.mkdir(exist_ok=True)
        (tasks / f"{name}.yaml").write_text(text.format(data=data), encoding="utf-8")
    (tmp_path / "tasks" / "both.yaml").write_text("group: both\ntask: [planets, sums]\n", encoding="utf-8")
    return str(tmp_path / "tasks")


def test_a_task_of_choices(folder: str) -> None:
    row = load([f"lm-eval:{folder}:planets"]).examples.row(1, named=True)
    assert (row["dataset"], row["example"], row["task"]) == ("planets", "red", "choice")
    assert row["question"] == "Question: Red {planet}?\nAnswer:"
    assert (row["choices"], row["answer_index"], row["answers"]) == (["Mars", "Venus", "B"], 0, ["Mars"])
    assert json.loads(row["metadata"])["document"] == PLANETS[1]


def test_a_task_of_open_answers(folder: str) -> None:
    table = load_task(f"{folder}/sums.yaml", LoadOptions())
    assert table["question"].to_list() == ["1 + 1?", "2 + 2?"]
    assert table["answers"].to_list() == [["2"], ["4"]]
    assert table["task"].unique().to_list() == ["numeric"]


def test_it_keeps_the_contract(folder: str) -> None:
    check_dataset(load_task, f"{folder}:planets", rows=2)


@pytest.mark.parametrize(
    ("name", "message"),
    [(":both", "'both' is a group of tasks"), (":planet", "no task 'planet'. Did you mean planets"), ("-x:planets", "no such folder")],
)
def test_what_is_no_task_is_told(folder: str, name: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_task(folder + name, LoadOptions())


def test_a_task_whose_data_are_not_there_is_told(folder: str) -> None:
    (Path(folder).parent / "data" / "sums.jsonl").unlink()
    with pytest.raises(DataError, match="the harness cannot load it"):
        load_task(f"{folder}:sums", LoadOptions())


def test_choices_inside_the_question_are_refused(folder: str) -> None:
    task = Path(folder) / "planets.yaml"
    task.write_text(task.read_text(encoding="utf-8").replace('"Question: {{question}}\\nAnswer:"', "0"), encoding="utf-8")
    with pytest.raises(DataError, match="row 1: the task puts its choices into the question"):
        load_task(f"{folder}:planets", LoadOptions())


def test_without_the_library_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lm_eval.tasks", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sago-eval\[lm-eval\]'"):
        load(["lm-eval:arc_easy"])


class _Task:
    """A task as far as the loader knows one, for what no YAML file is needed."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def doc_to_text(self, document: dict[str, Any]) -> str:
        return str(document["q"])

    def doc_to_choice(self, document: dict[str, Any]) -> list[str]:
        return list(document["c"])

    def doc_to_target(self, document: dict[str, Any]) -> Any:
        return self.target


@pytest.mark.parametrize(("target", "answer"), [(1, "0"), ("0", "0"), (True, "0"), ([1], ["0"]), ("z", "z")])
def test_a_target_is_an_index_or_a_text(target: Any, answer: Any) -> None:
    from sago.datasets.lm_eval_tasks import _fields

    document = {"q": "Q?", "c": ["1", "0"], "doc_id": 7}
    assert _fields(_Task(target), document, has_choices=True) == {
        "question": "Q?",
        "choices": ["1", "0"],
        "answer": answer,
        "id": 7,
        "document": document,
    }
