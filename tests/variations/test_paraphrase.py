from __future__ import annotations

from pathlib import Path

import pytest
from tests.variations.tables import row, table

from sago.errors import DataError
from sago.variations import vary

_WORDINGS = ["Name 3 fish.", "Name three fish.", "Name 4 fish."]
_EXAMPLES = table(row("1", "List 3 fish.", paraphrases=_WORDINGS), row("2", "Who?"))


@pytest.mark.parametrize(("n", "made"), [(1, 1), (2, 2), (3, 3), (9, 3)])
def test_the_first_wordings_of_the_data_are_taken(n: int, made: int) -> None:
    varied = vary(_EXAMPLES, [f"paraphrase:n={n}"])
    given = varied.variants.filter(family="paraphrase")
    assert given["question"].to_list() == _WORDINGS[:made]
    assert given["variant"].to_list() == [f"paraphrase-{place}" for place in range(1, made + 1)]
    assert varied.counts.select("examples", "asked", "made", "not_applicable").rows() == [(2, made, made, 1)]


def test_rules_are_recorded_but_never_drop_a_wording_of_the_data() -> None:
    checks = vary(_EXAMPLES, ["paraphrase"]).variants.filter(family="paraphrase")["checks"].to_list()
    assert checks == [["same_numbers", "same_negations"], ["same_numbers", "same_negations"], ["same_negations"]]


def test_a_wording_that_changes_nothing_keeps_its_place_in_the_numbering() -> None:
    varied = vary(table(row("1", "Who?", paraphrases=["Who? ", "Who then?", " "])), ["paraphrase"])
    assert varied.variants["variant"].to_list() == ["canonical", "paraphrase-2"]
    assert varied.counts.select("asked", "made", "dropped_same").rows() == [(3, 1, 2)]


def _file(folder: Path, content: str, name: str = "p.jsonl") -> str:
    (folder / name).write_text(content, encoding="utf-8")
    return str(folder / name)


def test_wordings_of_a_file_stand_before_those_of_the_data(tmp_path: Path) -> None:
    path = _file(tmp_path, '{"id": "1", "paraphrase": "Give 3 fish."}\n{"question": "Who? ", "paraphrases": ["Who then?", "And who?"]}\n')
    varied = vary(_EXAMPLES, [f"paraphrase:n=2,file={path}"])
    assert varied.variants.filter(family="paraphrase").select("variant", "question").rows() == [
        ("paraphrase-1", "Give 3 fish."),
        ("paraphrase-2", "Name 3 fish."),
        ("paraphrase-1", "Who then?"),
        ("paraphrase-2", "And who?"),
    ]
    assert str(tmp_path) not in varied.variants.write_json()


def test_a_table_does_as_well_and_a_row_of_nobody_is_told(tmp_path: Path) -> None:
    rows = ["id,question,paraphrase", '1,,"Give {question}, 3 fish."', "2,Whom?,Who is it?", ",Who?,Who is he?", "7,,Nobody?"]
    notes: list[str] = []
    varied = vary(_EXAMPLES, [f"paraphrase:n=1,file={_file(tmp_path, chr(10).join(rows), 'p.csv')}"], note=notes.append)
    assert varied.variants.filter(family="paraphrase")["question"].to_list() == ["Give {question}, 3 fish.", "Who is he?"]
    assert notes == ["paraphrase: 2 rows of the file match no example (line 3, 5)"]


def test_under_a_stack_wordings_are_still_found_by_the_question_as_given(tmp_path: Path) -> None:
    path = _file(tmp_path, '{"question": "List 3 fish.", "paraphrase": "Give 3 fish."}\n')
    made = vary(_EXAMPLES, [f"case+paraphrase:case.styles=upper,paraphrase.n=1,paraphrase.file={path}"]).variants
    assert made.filter(family="case+paraphrase")["question"].to_list() == ["Give 3 fish."]


def test_bad_rows_are_told_before_a_model_is_asked(tmp_path: Path) -> None:
    path = _file(tmp_path, '{"id": "1"}\n{"paraphrase": "x"}\n{"question": "Who?", "paraphrase": "Who? "}\n{"id": 1, "paraphrases": [3]}\n')
    with pytest.raises(DataError) as raised:
        vary(_EXAMPLES, ["paraphrase:file=" + path], write=lambda *_: pytest.fail("asked a model"))
    assert raised.value.where == path
    assert [line.partition(":")[0] for line in raised.value.problems] == ["line 1", "line 2", "line 3", "line 4"]
