from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
from tests.runs.importers.written import answers_of, features_of

from sago.errors import DataError
from sago.runs.importers import read_answers


def test_a_list_of_texts_and_objects_is_refused_with_file_line_and_column(tmp_path: Path) -> None:
    rows = [{"id": 1, "variant": "a", "output": "1"}, {"id": 1, "variant": "b", "output": ["1", {"type": "text", "text": "1"}]}]
    with pytest.raises(DataError, match=r"answers\.jsonl, line 2: its response is a list that mixes .*\(column 'output'\)"):
        answers_of(tmp_path, rows)
    rows[1]["output"] = [{"type": "text", "text": "1"}, {"type": "text", "text": "1"}]
    assert answers_of(tmp_path, rows).observations["response"].to_list() == ["1", "11"]


def test_two_answers_in_one_row_are_refused(tmp_path: Path) -> None:
    rows = [{"id": 1, "variant": "a", "pred": ["1"]}, {"id": 1, "variant": "b", "pred": ["1", "2"]}]
    with pytest.raises(DataError, match=r"line 2: its answer is a list of 2 values; .*as a rerun \(column 'pred'\)"):
        answers_of(tmp_path, rows)


@pytest.mark.parametrize(("forms", "told"), [(("caf\u00e9", "cafe\u0301"), True), (("cafe\u0301", "cafe\u0301"), False)])
def test_an_id_in_two_unicode_forms_is_one_example(tmp_path: Path, forms: tuple[str, str], told: bool) -> None:
    rows = [{"id": name, "variant": variant, "response": "1"} for name, variant in zip(forms, "ab", strict=True)]
    answers = answers_of(tmp_path, rows)
    assert answers.examples["example"].to_list() == ["caf\u00e9"]
    assert answers.variants.height == 2
    assert any("several Unicode forms" in note for note in answers.notes) == told


def test_the_same_row_in_two_unicode_forms_is_there_twice(tmp_path: Path) -> None:
    rows = [{"id": name, "variant": "a", "rerun": 0, "response": "1"} for name in ("caf\u00e9", "cafe\u0301")]
    with pytest.raises(DataError, match=r"line 2: model, example, variant and rerun of line 1 again"):
        answers_of(tmp_path, rows)


def test_a_decimal_of_parquet_is_the_option_of_that_number(tmp_path: Path) -> None:
    answers = [Decimal("1.50"), Decimal("2.50")]
    rows = {"id": ["1", "1"], "variant": ["a", "b"], "answer": answers, "choices": [["1.50", "2.5", "3"]] * 2, "target": [answers[0]] * 2}
    pl.DataFrame(rows).write_parquet(tmp_path / "answers.parquet")
    read = features_of(read_answers(tmp_path / "answers.parquet")).sort("variant")
    assert read.filter(feature="answer")["category"].to_list() == ["1.50", "2.5"]
    assert read.filter(feature="correct")["number"].to_list() == [1.0, 0.0]
