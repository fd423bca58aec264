"""Cases 1 to 5 of the inputs that break tools of this kind: loading, ids, gold answers, reading of letters.

The inputs in ``data/`` are made for this project; each began as a public bug report about another tool.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import polars as pl
import pytest

from sago.datasets import load
from sago.errors import DataError
from sago.features.choices import read_choice

DATA = Path(__file__).parent / "data"


def _load(name: str) -> pl.DataFrame:
    return load([str(DATA / name)]).examples


def _without_name(table: pl.DataFrame) -> pl.DataFrame:
    return table.drop("dataset")


def _choices(name: str) -> list[dict[str, object]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


class TestCase1:
    """BOM, CRLF and blank lines change nothing."""

    def test_both_twins_are_the_same_three_items(self) -> None:
        clean = _load("01-clean.jsonl")
        assert clean["example"].to_list() == ["q1", "q2", "q3"]
        assert clean["question"][1] == "Wie heißt die Hauptstadt von Österreich?"
        assert _without_name(_load("01-bom-crlf-blank.jsonl")).equals(_without_name(clean))

    def test_a_csv_with_bom_has_its_first_column(self, tmp_path: Path) -> None:
        text = 'id,question,choices,answer\r\nq1,Which river runs through Cairo?,"[""Nile"", ""Danube""]",0\r\n\r\n'
        text += "q2,Wie heißt die Hauptstadt von Österreich?,Graz|Wien,1\r\nq3,2 + 2 = ?,4|5,4\r\n"
        path = tmp_path / "saved.csv"
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert _without_name(load([str(path)]).examples).equals(_without_name(_load("01-clean.jsonl")))


class TestCase2:
    """Ids that repeat, or would as text."""

    def test_both_collisions_are_listed_with_their_lines(self) -> None:
        with pytest.raises(DataError) as caught:
            _load("02-duplicate-ids.jsonl")
        first, second = caught.value.problems
        assert "'7'" in first
        assert "lines 1, 2" in first
        assert "'a'" in second
        assert "lines 4, 5" in second
        assert "07" not in str(caught.value)
        assert "02-duplicate-ids.jsonl" in str(caught.value)

    def test_made_ids_do_not_depend_on_the_order_of_the_file(self, tmp_path: Path) -> None:
        rows = [{"question": f"Question {number}?", "answer": str(number)} for number in range(6)]
        tables = []
        for order in (rows, rows[::-1]):
            path = tmp_path / "made.jsonl"
            path.write_text("\n".join(json.dumps(row) for row in order), encoding="utf-8")
            tables.append(load([str(path)]).examples)
        by_question = [dict(table.select("question", "example").iter_rows()) for table in tables]
        assert by_question[0] == by_question[1]
        assert len(set(by_question[0].values())) == 6


class TestCase3:
    """Broken rows, empty files, gzip, mixed types, no answers."""

    def test_all_broken_rows_are_named_by_their_physical_line(self) -> None:
        with pytest.raises(DataError) as caught:
            _load("03-malformed.jsonl")
        problems = caught.value.problems
        assert [problem.split(":")[0].split(" (")[0] for problem in problems] == ["line 4", "line 5", "line 6"]
        for problem, word in zip(problems, ("bad JSON", "list", "no question"), strict=True):
            assert word in problem

    @pytest.mark.parametrize("name", ["03-empty.jsonl", "03-only-blank.jsonl"])
    def test_an_empty_file_says_so(self, name: str) -> None:
        with pytest.raises(DataError, match=rf"{name}: no items"):
            _load(name)

    @pytest.mark.parametrize("name", ["03-good.jsonl.gz", "03-gzip-bytes.jsonl"])
    def test_gzip_is_read_under_either_name(self, name: str) -> None:
        assert _without_name(_load(name)).equals(_without_name(_load("01-clean.jsonl")))

    def test_mixed_types_become_text_and_missing_answers_are_flagged(self) -> None:
        loaded = load([str(DATA / "03-mixed-types.jsonl")])
        answers = dict(loaded.examples.select("example", "answers").iter_rows())
        assert answers == {"t1": ["8"], "t2": ["6"], "t3": ["0.5"], "t4": ["Ann", "Anna"], "t5": [], "t6": [], "t7": []}
        metadata = [json.loads(text) for text in loaded.examples["metadata"]]
        assert [entry.get("meta", "absent") for entry in metadata[:4]] == [{"year": 1999}, {"year": "n/a"}, None, "absent"]
        (note,) = [note for note in loaded.notes if "without a gold answer" in note]
        assert "3 of 7" in note
        assert all(name in note for name in ("t5", "t6", "t7"))


class TestCase4:
    """Gold answers as letter, index, label or text."""

    @staticmethod
    def _one(tmp_path: Path, name: str) -> tuple[dict[str, object], tuple[str, ...]]:
        (row,) = [row for row in _choices("04-answer-forms.jsonl") if row["id"] == name]
        path = tmp_path / "one.jsonl"
        path.write_text(json.dumps(row), encoding="utf-8")
        loaded = load([str(path)])
        return loaded.examples.row(0, named=True), loaded.notes

    @pytest.mark.parametrize("name", ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "x7"])
    def test_every_form_means_venus(self, name: str, tmp_path: Path) -> None:
        row, notes = self._one(tmp_path, name)
        assert (row["answer_index"], row["answers"], notes) == (2, ["Venus"], ())

    @pytest.mark.parametrize(("name", "index", "text", "other"), [("x1", 1, "3", "5"), ("x2", 1, "C", "D")])
    def test_two_readings_take_the_text_and_say_so(self, name: str, index: int, text: str, other: str, tmp_path: Path) -> None:
        row, notes = self._one(tmp_path, name)
        assert (row["answer_index"], row["answers"]) == (index, [text])
        (note,) = notes
        assert f"'{name}'" in note
        assert repr(other) in note

    @pytest.mark.parametrize("name", ["x3", "x4", "x5", "x6"])
    def test_what_cannot_be_an_answer_is_an_error_with_the_item(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=rf"line 1 \(id '{name}'\)"):
            self._one(tmp_path, name)

    def test_all_bad_items_of_the_file_are_named_at_once(self) -> None:
        with pytest.raises(DataError) as caught:
            _load("04-answer-forms.jsonl")
        assert [problem.split("'")[1] for problem in caught.value.problems] == ["x3", "x4", "x5", "x6"]


LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class TestCase5:
    """The chosen letter of a generation."""

    @pytest.mark.parametrize("row", _choices("05-extraction.jsonl"), ids=lambda row: str(row["id"]))
    def test_the_stated_letter_is_read(self, row: dict[str, object]) -> None:
        count = int(str(row["n_choices"]))
        labels = LETTERS[:count] if count <= 26 else (*LETTERS, *(str(number) for number in range(27, count + 1)))
        position = read_choice(str(row["output"]), labels, tuple(f"option text {number}" for number in range(count)))
        assert (None if position is None else labels[position]) == row["expect"]

    def test_a_label_of_two_letters_is_read_where_the_scheme_has_it(self) -> None:
        labels = (*LETTERS, "AA", "AB", "AC", "AD")
        assert read_choice("ANSWER: AB", labels, tuple(f"option text {number}" for number in range(30))) == 27


def test_standard_input_is_read_like_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((DATA / "01-bom-crlf-blank.jsonl").read_bytes())))
    table = load(["-"]).examples
    assert table["dataset"].unique().to_list() == ["stdin"]
    assert _without_name(table).equals(_without_name(_load("01-clean.jsonl")))
