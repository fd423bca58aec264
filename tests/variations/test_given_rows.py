from __future__ import annotations

from pathlib import Path

import pytest
from tests.variations.tables import row, table

from sago.errors import DataError
from sago.records import Example
from sago.variations.given_rows import Given, Matches, Row, key_of, read_lines, read_rows


def _file(folder: Path, content: str | bytes, name: str = "w.jsonl") -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_lines_are_taken_as_they_are(tmp_path: Path) -> None:
    path = _file(tmp_path, "\ufeffReply {question}.\r\n\r\n  {{ 7*7 }} %s \r\n# no comment")
    assert read_lines(path) == ("Reply {question}.", "{{ 7*7 }} %s", "# no comment")


def test_rows_of_json_and_of_tables_have_their_lines(tmp_path: Path) -> None:
    json_path = _file(tmp_path, '\n{"id": 1, "text": "a"}\n\n{"id": "x"}\n')
    assert read_rows(json_path) == (Row(2, {"id": 1, "text": "a"}), Row(4, {"id": "x"}))
    csv_path = _file(tmp_path, '\ufeffid;text\r\n1;"a\nb"\r\n\r\n2;c\r\n', "w.CSV")
    assert read_rows(csv_path) == (Row(2, {"id": "1", "text": "a\nb"}), Row(5, {"id": "2", "text": "c"}))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("w.jsonl", "", "w.jsonl: no rows"),
        ("w.jsonl", " \n\n", "w.jsonl: no rows"),
        ("w.jsonl", '{"id": 1}\n{"id" 2}\n[3]\n', "w.jsonl: 2 problems:\n  line 2: bad JSON .* column 7.\n  line 3: no JSON object"),
        ("w.jsonl", '{"id": "\\ud83d"}', "line 1: holds half of a surrogate pair"),
        ("w.jsonl", "{}\n" + "[" * 100000, "line 2: bad JSON"),
        ("w.jsonl", b'{"id": 1}\n{"id": "\xff"}', "w.jsonl, line 2: not UTF-8 .byte 0xff.. Save it as UTF-8"),
        ("w.jsonl", b"\x1f\x8b\x08\x00", "line 1: not UTF-8 .byte 0x8b.. Unpack it first"),
        ("w.csv", "id,text\n1,a\n2\n", "w.csv: 1 problem:\n  line 3: 1 cells, the header has 2"),
        ("w.csv", "id,id\n1,a\n", "w.csv, line 1: the header has a name twice"),
        ("w.csv", 'id,text\n1,"a\n', "line 2: bad CSV"),
    ],
)
def test_a_bad_file_is_told_with_its_lines(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_rows(_file(tmp_path, content, name))


@pytest.mark.parametrize(("content", "message"), [("\n \n", "no line that says something"), ("a\nb\n a", "line 3: the same as line 1")])
def test_bad_lines_are_told(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_lines(_file(tmp_path, content))


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(DataError, match=r"nowhere\.jsonl: cannot be read \(No such file"):
        read_rows("nowhere.jsonl")


def test_rows_belong_to_examples_by_id_by_question_or_both() -> None:
    matches = Matches(
        [
            Given(1, "x", None, None, "by id"),
            Given(2, None, key_of("Who cafe\u0301? "), None, "by question"),
            Given(3, "x", "Other?", None, "id of another question"),
            Given(4, "x", None, "e", "of another data set"),
            Given(5, "nobody", None, None, "of nobody"),
        ]
    )
    assert matches.of(Example("d", "x", "Who café?")) == ("by id", "by question")
    assert matches.of(Example("e", "x", "Other?")) == ("by id", "id of another question", "of another data set")
    assert matches.unmatched(table(row("x", "Who café?"))) == (3, 4, 5)
