from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sago.datasets import LoadOptions, load_file
from sago.datasets.places import ROWS_A_PART
from sago.datasets.reading import open_records, read_records, stem
from sago.errors import DataError
from sago.seeds import content_hash

ROWS: list[dict[str, Any]] = [
    {"id": "a", "question": "Hot planet?", "choices": ["Mars", "Venus"], "answer": "Venus"},
    {"id": "b", "question": "Big, red\nplanet?", "choices": ["Mars", "Jupiter"], "answer": "B"},
]
LINES = "\n".join(json.dumps(row) for row in ROWS)
CSV = 'id,question,choices,answer\na,Hot planet?,Mars|Venus,Venus\nb,"Big, red\nplanet?","[""Mars"", ""Jupiter""]",B\n'


def _parquet() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(ROWS).write_parquet(buffer)
    return buffer.getvalue()


def _read(tmp_path: Path, name: str, data: bytes | str) -> pl.DataFrame:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return load_file(str(path), LoadOptions(name="d"))


EXPECTED = (["a", "b"], ["Hot planet?", "Big, red\nplanet?"], [["Mars", "Venus"], ["Mars", "Jupiter"]], [1, 1])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("f.jsonl", LINES),
        ("f.ndjson", LINES + "\n"),
        ("f.json", json.dumps(ROWS, indent=2)),
        ("f.json", LINES),
        ("f.jsonl", json.dumps(ROWS)),
        ("f.csv", CSV),
        ("f.csv", CSV.replace("\n", "\r\n")),
        ("f.csv", CSV.replace("Big, red", "Big# red").replace(",", ";").replace('"";', '"",').replace("Big# red", "Big, red")),
        ("f.tsv", CSV.replace("Big, red", "Big# red").replace(",", "\t").replace('""\t', '"",').replace("Big# red", "Big, red")),
        ("f.parquet", _parquet()),
        ("f.jsonl.gz", gzip.compress(LINES.encode())),
        ("f.csv.gz", gzip.compress(CSV.encode())),
        ("f.parquet.gz", gzip.compress(_parquet())),
        ("F.JSONL.GZ", gzip.compress(LINES.encode())),
        ("f.jsonl", _parquet()),
        ("f.txt", LINES),
        ("f", CSV),
    ],
)
def test_every_format_holds_the_same_questions(name: str, data: bytes | str, tmp_path: Path) -> None:
    table = _read(tmp_path, name, data)
    columns = ("example", "question", "choices", "answer_index")
    assert tuple(table[column].to_list() for column in columns) == EXPECTED


@pytest.mark.parametrize("text", [LINES, CSV, json.dumps(ROWS)])
def test_standard_input_is_sniffed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    table = load_file("-", LoadOptions())
    assert (table["example"].to_list(), table["dataset"][0]) == (["a", "b"], "stdin")


@pytest.mark.parametrize(
    ("source", "name"),
    [("x/q.jsonl", "q"), ("q.csv.gz", "q"), ("q.v1.2.parquet", "q.v1.2"), ("q", "q"), ("q.GZ", "q"), (".jsonl", ".jsonl")],
)
def test_the_stem_is_the_name_without_known_endings(source: str, name: str) -> None:
    assert stem(source) == name


class TestBrokenFiles:
    @pytest.mark.parametrize(
        ("name", "data", "message"),
        [
            ("f.jsonl.gz", gzip.compress(LINES.encode())[:-12], "gzip content is damaged"),
            ("f.jsonl", LINES.encode("utf-16"), "UTF-16"),
            ("f.csv", b"id,question\n1,caf\xe9", r"f\.csv, line 2: not UTF-8"),
            ("f.json", b'[{"question": "caf\xe9"}]', r"line 1: not UTF-8"),
            ("f.json", b'[{"question": "a"},\n {"question": }]', r"f\.json, line 2: bad JSON"),
            ("f.parquet", b"id,question\n", "no Parquet file"),
            ("f.parquet", _parquet()[:-20], "Parquet file cannot be read"),
            ("f.csv", b"question,question\na,b", "'question' twice"),
            ("f.csv", b"id,question\n", "no items"),
            ("f.json", b"[]", "no items"),
        ],
    )
    def test_the_message_says_what_is_wrong(self, name: str, data: bytes, message: str, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=message):
            _read(tmp_path, name, data)

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (b'{"question": "caf\xe9"}', "not UTF-8 (byte 0xe9"),
            (b'{"question": "\\ud83d"}', "surrogate"),
            (b'{"question": "q", "question": "r"}', "'question' stands twice"),
            (b'{"question": "q", "x": Infinity}', "Infinity"),
            (b'{"question": "q", "x": -Infinity, "y": Infinity}', "Infinity"),
            (b"[" * 100_000, "nested too deeply"),
            (b"null", "row is null"),
            (b"3", "row is a number"),
            (b'"text"', "row is a text"),
            (b"{'question': 'q'}", "bad JSON"),
        ],
    )
    def test_a_bad_line_is_named_among_good_ones(self, line: bytes, message: str, tmp_path: Path) -> None:
        with pytest.raises(DataError) as caught:
            _read(tmp_path, "f.jsonl", b'{"question": "good"}\n\n' + line + b'\n{"question": "fine"}')
        (problem,) = caught.value.problems
        assert problem.startswith("line 3: ")
        assert message in problem

    def test_surrogate_pairs_are_characters(self, tmp_path: Path) -> None:
        assert _read(tmp_path, "f.jsonl", '{"question": "\\ud83d\\ude00"}')["question"].to_list() == ["😀"]

    def test_not_a_number_is_nothing(self, tmp_path: Path) -> None:
        assert _read(tmp_path, "f.jsonl", '{"question": "q", "answer": NaN}')["answers"].to_list() == [[]]

    def test_csv_rows_are_named_by_the_line_where_they_start(self, tmp_path: Path) -> None:
        text = 'id,question\n1,"two\nlines"\n\n2,fine,too many\n3,\n4,good\n'
        with pytest.raises(DataError) as caught:
            _read(tmp_path, "f.csv", text)
        assert [problem.split(":")[0] for problem in caught.value.problems] == ["line 5", "line 6 (id '3')"]

    def test_a_quote_that_never_closes_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=r"line 3: bad CSV"):
            _read(tmp_path, "f.csv", 'id,question\n1,fine\n2,"never closed\n')

    def test_a_long_cell_is_read_and_the_limit_left_alone(self, tmp_path: Path) -> None:
        before = csv.field_size_limit()
        table = _read(tmp_path, "f.csv", f"question,context\nq,{'x' * 200_000}\n")
        assert len(table["context"][0]) == 200_000
        assert csv.field_size_limit() == before

    def test_a_missing_file_is_an_error_of_the_data(self) -> None:
        with pytest.raises(DataError, match=r"nowhere\.jsonl: cannot be read"):
            load_file("nowhere.jsonl", LoadOptions())


def test_csv_cells_hold_lists(tmp_path: Path) -> None:
    text = 'id,question,answer,paraphrases,meaning_changed\n1,Q?,Ann|Anna,"[""P?"", ""R?""]","{""question"": ""T?"", ""answer"": ""Bo""}"\n'
    row = _read(tmp_path, "f.csv", text).row(0, named=True)
    assert (row["answers"], row["paraphrases"]) == (["Ann", "Anna"], ["P?", "R?"])
    assert (row["twin_question"], row["twin_answers"]) == ("T?", ["Bo"])


def test_parquet_types_become_text_and_metadata(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    frame = pl.DataFrame(
        {
            "id": [1, 2],
            "question": ["When?", "How much?"],
            "answer": [date(2020, 1, 2), None],
            "score": [float("nan"), 0.5],
            "nested": [{"a": [1, 2]}, {"a": []}],
        }
    )
    frame.write_parquet(buffer)
    table = _read(tmp_path, "f.parquet", buffer.getvalue())
    assert table["answers"].to_list() == [["2020-01-02"], []]
    assert [json.loads(text) for text in table["metadata"]] == [
        {"score": None, "nested": {"a": [1, 2]}},
        {"score": 0.5, "nested": {"a": []}},
    ]


class TestLargeFiles:
    """A file of more rows than are read at a time."""

    COUNT = 5001

    def _rows(self) -> list[dict[str, Any]]:
        return [{"id": f"q{number}", "question": f"What is\n{number}?", "answer": str(number)} for number in range(self.COUNT)]

    def _csv(self, end: str) -> bytes:
        lines = [f'{row["id"]},"{row["question"]}",{row["answer"]}' for row in self._rows()]
        return ("\ufeff\n\n" + "id,question,answer\n" + "\n".join(lines)).replace("\n", end).encode()

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_every_row_is_read_once(self, end: str, tmp_path: Path) -> None:
        lines = "\n".join(map(json.dumps, self._rows())).encode()
        tables = [
            _read(tmp_path, "f.csv", self._csv(end)),
            _read(tmp_path, "f.jsonl", lines),
            _read(tmp_path, "f.jsonl.gz", gzip.compress(lines)),
        ]
        assert tables[0].drop("metadata").equals(tables[1].drop("metadata"))
        assert tables[1].equals(tables[2])
        assert tables[0]["answers"].explode().to_list() == [str(number) for number in range(self.COUNT)]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_the_physical_line_of_a_late_row(self, end: str, tmp_path: Path) -> None:
        data = self._csv(end) + f"{end}late,,x{end}".encode()
        with pytest.raises(DataError) as caught:
            _read(tmp_path, "f.csv", data)
        assert caught.value.problems == (f"line {2 + 1 + 2 * self.COUNT + 1} (id 'late'): no question",)

    def test_a_late_byte_that_is_no_text(self, tmp_path: Path) -> None:
        lines = "\n".join(map(json.dumps, self._rows())).encode()
        with pytest.raises(DataError, match=rf"f\.csv, line {2 + 1 + 2 * self.COUNT + 1}: not UTF-8"):
            _read(tmp_path, "f.csv", self._csv("\n") + b"\nx,caf\xe9,x\n")
        with pytest.raises(DataError) as caught:
            _read(tmp_path, "f.jsonl", lines + b'\n{"question": "caf\xe9"}')
        assert caught.value.problems == (f"line {self.COUNT + 1}: not UTF-8 (byte 0xe9 at column 18)",)

    def test_a_file_that_is_cut_off_late(self, tmp_path: Path) -> None:
        lines = "\n".join(json.dumps({**row, "noise": content_hash(row)}) for row in self._rows()).encode()
        with pytest.raises(DataError, match=r"f\.jsonl\.gz: gzip content is damaged or cut off"):
            _read(tmp_path, "f.jsonl.gz", gzip.compress(lines)[:-2000])

    def test_no_more_rows_are_held_than_one_part(self, tmp_path: Path) -> None:
        path = tmp_path / "f.jsonl"
        path.write_text("\n".join(map(json.dumps, self._rows())), encoding="utf-8")
        sizes = [len(part.rows) for part in open_records(str(path)).parts()]
        assert (max(sizes), sum(sizes)) == (ROWS_A_PART, self.COUNT)
        assert len(read_records(str(path)).rows) == self.COUNT
