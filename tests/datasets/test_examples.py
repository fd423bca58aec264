from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.datasets import LoadOptions, Records, examples_table
from sago.datasets.places import Stream
from sago.errors import DataError


def _table(rows: list[dict[str, Any]], *, notes: list[str] | None = None, name: str = "d", split: bool = False) -> pl.DataFrame:
    records = Records("line", split=split)
    for number, row in enumerate(rows, 1):
        records.add(number, row)
    heard: list[str] = [] if notes is None else notes
    return examples_table(records, "d.jsonl", name, LoadOptions(note=heard.append))


def _one(**fields: Any) -> dict[str, Any]:
    return _table([{"id": 1, "question": "Q?", **fields}]).row(0, named=True)


class TestFields:
    def test_texts_stay_as_given(self) -> None:
        row = _one(question="  Two\n words {x}\u2028 ", context=" c ", choices=[" a", "b "], answer="a")
        assert (row["question"], row["context"], row["choices"]) == ("  Two\n words {x}\u2028 ", " c ", [" a", "b "])
        assert row["answers"] == [" a"]

    def test_all_other_fields_are_metadata_in_their_own_types(self) -> None:
        row = _one(answer="x", level=3, tags=["a", None], source={"page": 1.5}, empty=None)
        assert json.loads(row["metadata"]) == {"level": 3, "tags": ["a", None], "source": {"page": 1.5}, "empty": None}

    def test_labels_are_kept_as_metadata(self) -> None:
        row = _one(choices=["x", "y"], labels=["1", "2"], answer="2")
        assert (row["answer_index"], json.loads(row["metadata"])) == (1, {"labels": ["1", "2"]})

    def test_twin_and_paraphrases(self) -> None:
        row = _one(
            choices=["x", "y"],
            answer="x",
            paraphrases=["P?", " ", "R?", "P?"],
            meaning_changed={"question": "Not Q?", "answer": "B"},
        )
        assert row["paraphrases"] == ["P?", "R?"]
        assert (row["twin_question"], row["twin_answers"], row["twin_answer_index"]) == ("Not Q?", ["y"], 1)

    @pytest.mark.parametrize("twin", [{"answer": "x"}, {"question": " "}, ["Q?"], "Q?"])
    def test_a_twin_without_a_question_is_an_error(self, twin: Any) -> None:
        with pytest.raises(DataError, match=r"line 1 \(id '1'\): 'meaning_changed'"):
            _one(meaning_changed=twin)

    @pytest.mark.parametrize("question", [None, "", " \n", [], {"text": "Q?"}])
    def test_a_row_without_a_question_is_an_error(self, question: Any) -> None:
        with pytest.raises(DataError, match="line 1"):
            _one(question=question)

    def test_problems_stand_in_the_order_of_the_lines(self) -> None:
        rows: list[dict[str, Any]] = [{"question": "a"}, {"question": None}, {"question": "b", "choices": ["x"]}, {"question": ""}]
        with pytest.raises(DataError) as caught:
            _table(rows)
        assert [problem.split(":")[0] for problem in caught.value.problems] == ["line 2", "line 3", "line 4"]

    def test_other_names_are_told(self) -> None:
        notes: list[str] = []
        _table([{"id": 1, "prompt": "Q?", "target": "x"}], notes=notes)
        assert notes == ["d: reads question from 'prompt', answer from 'target'"]


class TestTask:
    @pytest.mark.parametrize(
        ("answers", "task"),
        [
            ([8, "1,000", "-0.5"], "numeric"),
            ([8, None, "9"], "numeric"),
            ([8, "nine"], "text"),
            ([["8", "eight"]], "text"),
            ([None, ""], "text"),
        ],
    )
    def test_open_questions_are_numeric_if_all_answers_are_numbers(self, answers: list[Any], task: str) -> None:
        rows = [{"id": number, "question": "Q?", "answer": answer} for number, answer in enumerate(answers)]
        assert _table(rows)["task"].unique().to_list() == [task]

    def test_choices_do_not_decide_for_the_open_ones(self) -> None:
        rows: list[dict[str, Any]] = [
            {"id": 1, "question": "Q?", "choices": ["x", "y"], "answer": "x"},
            {"id": 2, "question": "Q?", "answer": 7},
        ]
        assert _table(rows)["task"].to_list() == ["choice", "numeric"]


class TestIds:
    def test_numbers_and_padding_become_text(self) -> None:
        rows = [{"id": value, "question": "Q?"} for value in (7, 8.0, " x ", "07")]
        assert _table(rows)["example"].to_list() == ["7", "8", "x", "07"]

    def test_identical_rows_without_id_get_a_number(self) -> None:
        names = _table([{"question": "Q?"}, {"question": "Other?"}, {"question": "Q?"}])["example"].to_list()
        assert names[2] == f"{names[0]}-2"
        assert names[1] not in names[2]

    def test_the_number_follows_all_that_a_row_holds(self) -> None:
        rows = [{"question": "Q?", "note": note} for note in ("a", "b", "c")]
        by_note = [
            {json.loads(meta)["note"]: name for meta, name in _table(order).select("metadata", "example").iter_rows()}
            for order in (rows, rows[::-1])
        ]
        assert by_note[0] == by_note[1]

    def test_made_ids_are_the_same_in_any_dataset_and_are_told(self) -> None:
        notes: list[str] = []
        first = _table([{"question": "Q?"}, {"id": 1, "question": "R?"}], notes=notes)
        assert "1 of 2 items without an id" in notes[0]
        assert _table([{"question": "Q?"}], name="other")["example"][0] == first["example"][0]

    def test_a_made_id_never_hides_a_given_one(self) -> None:
        made = _table([{"question": "Q?"}])["example"][0]
        with pytest.raises(DataError, match=f"id '{made}' stands 2 times: lines 1, 2"):
            _table([{"question": "Q?"}, {"id": made, "question": "R?"}])


class TestFingerprint:
    def test_it_knows_neither_dataset_nor_id_nor_metadata(self) -> None:
        first = _table([{"id": 1, "question": "Q?", "answer": 8, "x": 1}])
        second = _table([{"id": 2, "question": "Q?", "answer": "8"}], name="other")
        assert first["fingerprint"].to_list() == second["fingerprint"].to_list()

    @pytest.mark.parametrize(
        "change", [{"question": "Q!"}, {"context": "c"}, {"choices": ["y", "x"]}, {"answer": "y"}, {"question": "Q?\u0301"}]
    )
    def test_any_content_changes_it(self, change: dict[str, Any]) -> None:
        base = {"question": "Q?", "choices": ["x", "y"], "answer": "x"}
        assert _one(**base)["fingerprint"] != _one(**{**base, **change})["fingerprint"]


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: bool(text.strip()))


@given(st.lists(st.tuples(_TEXT, st.none() | _TEXT, st.none() | _TEXT), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_json_lines_give_back_what_was_written(rows: list[tuple[str, str | None, str | None]]) -> None:
    from sago.datasets.jsonlines import read_lines

    written = [
        {"id": f"i{number}", "question": question, "context": context, "extra": extra}
        for number, (question, context, extra) in enumerate(rows)
    ]
    data = "\r\n\n".join(json.dumps(row, ensure_ascii=False) for row in written).encode()
    table = examples_table(read_lines(data, "f"), "f", "d", LoadOptions())
    assert table["question"].to_list() == [question for question, _, _ in rows]
    assert table["context"].to_list() == [context if context and context.strip() else None for _, context, _ in rows]
    assert [json.loads(text)["extra"] for text in table["metadata"]] == [extra for _, _, extra in rows]


def test_more_doubtful_answers_than_ten_are_counted() -> None:
    notes: list[str] = []
    _table([{"id": number, "question": "Q?", "choices": ["2", "3", "4", "5"], "answer": "3"} for number in range(13)], notes=notes)
    assert len(notes) == 11
    assert notes[-1] == "d: 3 more answers could be read in two ways"


def test_ids_in_two_unicode_forms_are_one_id() -> None:
    with pytest.raises(DataError, match="id 'caf\u00e9' stands 2 times: lines 1, 2"):
        _table([{"id": name, "question": name} for name in ("caf\u00e9", "cafe\u0301")])
    assert _table([{"id": "cafe\u0301", "question": "Q?"}])["example"].to_list() == ["caf\u00e9"]


class TestParts:
    """A source that comes in several parts gives the table that it gives as a whole."""

    ROWS = (
        {"id": "a", "question": "Q?", "answer": 1},
        {"question": "R?", "answer": 2},
        {"question": "R?", "answer": 2, "note": "x"},
        {"id": "b", "question": "S?", "target": 3, "level": 2},
        {"question": "R?", "answer": 2},
    )

    @staticmethod
    def _parts(rows: Sequence[dict[str, Any]], size: int) -> Stream:
        def start() -> Iterator[Records]:
            for first in range(0, len(rows), size):
                part = Records("line")
                for number, row in enumerate(rows[first : first + size], first + 1):
                    part.add(number, row)
                yield part

        return Stream("line", start)

    @pytest.mark.parametrize("size", [1, 2, 3, 5])
    def test_ids_notes_and_tasks_are_those_of_the_whole(self, size: int) -> None:
        notes: list[str] = []
        whole: list[str] = []
        table = examples_table(self._parts(self.ROWS, size), "d.jsonl", "d", LoadOptions(note=notes.append))
        assert table.equals(_table(list(self.ROWS), notes=whole))
        assert notes == whole
        assert table["task"].unique().to_list() == ["numeric"]

    def test_a_column_that_comes_late_changes_what_the_columns_mean(self) -> None:
        rows: list[dict[str, Any]] = [{"prompt": "P?", "target": 1}, {"prompt": "x", "question": "Q?", "answer": 2}]
        with pytest.raises(DataError) as caught:
            examples_table(self._parts(rows, 1), "d.jsonl", "d", LoadOptions())
        assert caught.value.problems == ("line 1: no question",)

    def test_a_mapped_column_may_come_late(self) -> None:
        rows = [{"q": "P?"}, {"q": "Q?", "key": "x"}]
        options = LoadOptions(columns={"question": "q", "answer": "key"})
        assert examples_table(self._parts(rows, 1), "d.jsonl", "d", options)["answers"].to_list() == [[], ["x"]]

    def test_problems_and_collisions_span_parts(self) -> None:
        rows: list[dict[str, Any]] = [{"id": 1, "question": "Q?"}, {"id": 2, "question": ""}, {"id": "1", "question": "R?"}]
        with pytest.raises(DataError) as caught:
            examples_table(self._parts(rows, 1), "d.jsonl", "d", LoadOptions())
        assert [problem.split(":")[0] for problem in caught.value.problems] == ["line 2 (id '2')", "id '1' stands 2 times"]
