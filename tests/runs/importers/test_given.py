"""Answers that came as read stay as they are, whatever other rows need."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.test_option_orders import read_of
from tests.runs.importers.written import answers_of, default_of, features_of, grid, scored_of, write_lines

from sago.axes import score
from sago.features import extract
from sago.runs.importers import Answers, read_answers


def _drawn(folder: Path, rows: list[dict[str, Any]], seed: int) -> list[str]:
    names: list[str] = answers_of(folder, rows, limit=1, seed=seed).examples["example"].to_list()
    return names


class TestBlank:
    """A blank answer among given ones says that none was found."""

    @pytest.mark.parametrize("blank", [None, "", " "])
    @pytest.mark.parametrize(
        ("others", "reading"),
        [
            ({}, "unparsed"),
            ({"finish_reason": "length"}, "truncated"),
            ({"status": "refusal"}, "<refusal>"),
            ({"response": ""}, "<empty>"),
            ({"response": None}, "not_recorded"),
        ],
    )
    def test_the_response_is_not_read_instead(self, tmp_path: Path, blank: str | None, others: dict[str, Any], reading: str) -> None:
        fields = {"choices": ["Mars", "Venus"], "target": "B", "response": "Answer: B"}
        rows = grid({("1", "0"): {**fields, "answer": "B"}, ("1", "x"): {**fields, "answer": blank, **others}})
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["Venus", reading]
        assert read_of(answers, "correct", "number") == [1.0, "not_recorded" if reading == "not_recorded" else 0.0]
        told = any("1 of 2 rows have no 'answer' (the first in line 2): unparsed" in note for note in answers.notes)
        assert told == (reading in ("unparsed", "truncated"))

    def test_a_key_that_is_not_there_is_blank_too(self, tmp_path: Path) -> None:
        rows = grid({("1", "0"): {"response": "8", "answer": "8", "target": "8"}, ("1", "x"): {"response": "8", "target": "8"}})
        assert read_of(answers_of(tmp_path, rows)) == ["8", "unparsed"]

    def test_a_verdict_of_its_own_stays(self, tmp_path: Path) -> None:
        rows = grid({("1", "0"): {"response": "8", "answer": "8", "correct": 1}, ("1", "x"): {"response": "8", "answer": "", "correct": 1}})
        answers = answers_of(tmp_path, rows)
        assert (read_of(answers), read_of(answers, "correct", "number")) == (["8", "unparsed"], [1.0, 1.0])

    def test_where_no_row_of_a_file_has_one_the_responses_are_read(self, tmp_path: Path) -> None:
        rows = grid({("1", name): {"choices": ["Mars", "Venus"], "response": "Answer: B", "answer": ""} for name in "0x"})
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["Venus", "Venus"]
        assert not any("have no 'answer'" in note for note in answers.notes)

    def test_it_goes_by_data_set_not_by_file(self, tmp_path: Path) -> None:
        rows = [
            {"dataset": dataset, **row}
            for dataset, answers in (("read", ("B", "")), ("unread", ("", "")))
            for row in grid(
                {
                    ("1", name): {"choices": ["Mars", "Venus"], "response": "Answer: B", "answer": answer}
                    for name, answer in zip("0x", answers, strict=True)
                }
            )
        ]
        in_one = answers_of(tmp_path, rows)
        assert read_of(in_one) == ["Venus", "unparsed", "Venus", "Venus"]
        told = [note for note in in_one.notes if "have no 'answer'" in note]
        assert len(told) == 1
        assert ", read: 1 of 2 rows have no 'answer' (the first in line 2)" in told[0]
        assert read_of(answers_of(tmp_path, [row for row in rows if row["dataset"] == "unread"])) == ["Venus", "Venus"]
        by_variant = [
            write_lines(
                tmp_path / f"{name}.jsonl", [{"model": "m", **row} for row in rows if row["dataset"] == "read" and row["variant"] == name]
            )
            for name in "0x"
        ]
        in_two = read_answers(*by_variant)
        assert read_of(in_two) == ["Venus", "unparsed"]
        assert any("x.jsonl: 1 of 1 rows have no 'answer'" in note for note in in_two.notes)

    def test_a_model_in_whose_responses_no_answer_was_found_is_not_read_by_another_reader(self, tmp_path: Path) -> None:
        rows = [
            {"model": model, "example": "1", "variant": name, "response": "Answer: 8", "answer": answer, "target": "8"}
            for model, answer in (("a", "8"), ("b", ""))
            for name in "0x"
        ]
        assert read_of(answers_of(tmp_path, rows)) == ["8", "8", "unparsed", "unparsed"]

    def test_a_draw_of_examples_changes_nothing(self, tmp_path: Path) -> None:
        rows = grid({(str(n), name): {"response": "8", "answer": "8" if n else ""} for n in range(3) for name in "0x"})
        kept = answers_of(tmp_path, rows, limit=1, seed=next(seed for seed in range(40) if _drawn(tmp_path, rows, seed) == ["0"]))
        assert read_of(kept) == ["unparsed", "unparsed"]

    def test_without_responses_it_is_unparsed(self, tmp_path: Path) -> None:
        assert read_of(answers_of(tmp_path, grid({("1", "0"): {"answer": "x"}, ("1", "y"): {"answer": None}}))) == ["x", "unparsed"]


class TestBlankCells:
    """A blank cell of a CSV is an empty reply, as ``""`` of JSON lines is, unless an answer stands beside it."""

    @staticmethod
    def table(folder: Path, head: str, *lines: str) -> Answers:
        path = folder / "a.csv"
        path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        return read_answers(path)

    def test_beside_a_verdict_the_reply_was_empty(self, tmp_path: Path) -> None:
        rows = [f"q{n},{v},{'' if v == 'x' and n < 2 else f'w{n}'},{int(v != 'x' or n >= 2)}" for n in range(4) for v in ("canonical", "x")]
        answers = self.table(tmp_path, "id,variant,response,correct", *rows)
        assert read_of(answers) == ["w0", "<empty>", "w1", "<empty>", "w2", "w2", "w3", "w3"]
        assert read_of(answers, "correct", "number") == [1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]
        row = default_of(scored_of(answers, generation_measure="answer_flip"), "generation")
        assert (row["n"], row["across"]) == (4, 0.5)
        assert any("2 blank cells of 'response' (the first in line 3)" in note for note in answers.notes)

    @pytest.mark.parametrize("verdict", ["0", "1"])
    def test_beside_a_blank_answer_and_a_verdict_nothing_was_found(self, tmp_path: Path, verdict: str) -> None:
        answers = self.table(tmp_path, "id,variant,response,answer,correct", "1,canonical,so it is w,w,1", f"1,x,,,{verdict}")
        assert read_of(answers) == ["w", "unparsed"]
        assert read_of(answers, "correct", "number") == [1.0, float(verdict)]
        assert any("1 of 2 rows have no 'answer' (the first in line 3): unparsed" in note for note in answers.notes)

    @pytest.mark.parametrize(
        ("head", "line", "readings"),
        [
            ("id,variant,response,answer,correct", "1,x,,w,1", ["w", "w"]),
            ("id,variant,response,answer,correct", "1,x,,,", ["w", "<empty>"]),
            ("id,variant,response,answer,correct,status", "1,x,,,0,refusal", ["w", "<refusal>"]),
            ("id,variant,response,answer,correct,error", "1,x,,,0,HTTP 500", ["w", "error"]),
            ("id,variant,response,answer,correct,finish_reason", "1,x,,,0,length", ["w", "truncated"]),
        ],
    )
    def test_what_else_is_said_counts(self, tmp_path: Path, head: str, line: str, readings: list[str]) -> None:
        answers = self.table(tmp_path, head, "1,canonical,so it is w,w,1" + "," * (head.count(",") - 4), line)
        assert read_of(answers) == readings

    def test_a_column_without_any_reply_says_nothing_about_verdicts(self, tmp_path: Path) -> None:
        answers = self.table(tmp_path, "id,variant,response,correct", "1,canonical,,1", "1,x,,0")
        assert read_of(answers) == ["correct", "incorrect"]


class TestBesideResponses:
    """Rows that have to be read change no given answer."""

    GIVEN = ("The Seine", "C#", "A+", "A-", "-1", "3.5 kg")

    def files(self, folder: Path, responses: dict[str, str]) -> tuple[Path, Path]:
        given = grid({(str(place), "0"): {"answer": answer, "target": answer} for place, answer in enumerate(self.GIVEN)})
        first = write_lines(folder / "a.jsonl", [{"dataset": "d", "model": "m", **row} for row in given])
        others = grid({(name, "x"): {"response": said, "target": self.GIVEN[int(name)]} for name, said in responses.items()})
        return first, write_lines(folder / "b.jsonl", [{"dataset": "d", "model": "m", **row} for row in others])

    def test_given_answers_are_the_same_with_and_without_them(self, tmp_path: Path) -> None:
        first, second = self.files(tmp_path, {"0": "The Seine.", "1": "The answer is C#", "3": "So: none", "4": ""})
        alone = read_answers(first)
        assert read_of(alone) == [answer.casefold() for answer in self.GIVEN]
        assert read_of(alone, "correct", "number") == [1.0] * 6
        both = read_answers(first, second)
        assert read_of(both)[:6] == read_of(alone)
        assert read_of(both, "correct", "number") == [1.0] * 6 + [1.0, 1.0, 0.0, 0.0]
        assert read_of(both)[6:] == ["the seine", "c#", "so none", "<empty>"]
        assert both.examples["task"].unique().to_list() == ["choice"]
        assert any("4 rows have no given answer though others have" in note for note in both.notes)


class TestForms:
    """Numbers, booleans and verdicts as they are given."""

    @pytest.mark.parametrize(
        ("answer", "category"),
        [
            *((5, "5"), ("5.0", "5"), ("5 legs", "5"), ("five", "5"), ("about 5", "5"), ("10^3", "1000"), ("2 million", "2000000")),
            ("none", "none"),
        ],
    )
    def test_a_given_answer_is_read_as_a_number_where_right_answers_are(self, tmp_path: Path, answer: Any, category: str) -> None:
        answers = answers_of(tmp_path, grid({("1", "0"): {"answer": answer, "target": "5"}}))
        assert (read_of(answers), read_of(answers, "correct", "number")) == ([category], [float(category == "5")])

    @pytest.mark.parametrize(
        ("target", "answer", "category"),
        [
            *((True, True, "true"), (True, "True", "true"), (True, 1, "true"), (True, "1", "true"), ("True", 1.0, "true")),
            *((False, 0, "false"), ("false", "0", "false"), (True, "yes", "yes"), (True, 2, "2"), ("yes", 1, "1")),
        ],
    )
    def test_booleans_have_one_spelling_where_right_answers_are_booleans(
        self, tmp_path: Path, target: Any, answer: Any, category: str
    ) -> None:
        answers = answers_of(tmp_path, grid({("1", "0"): {"answer": answer, "target": target}}))
        assert read_of(answers) == [category]
        assert read_of(answers, "correct", "number") == [float(category in ("true", "false"))]

    def test_shares_are_no_answers_but_they_are_told(self, tmp_path: Path) -> None:
        rows = grid({(name, variant): {"correct": value} for name in "abc" for variant, value in (("0", 1), ("x", 0.5), ("y", 0))})
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["correct", "partial_verdict", "incorrect"] * 3
        assert any("3 of 9 verdicts are shares between 0 and 1 (the first: 0.5, " in note for note in answers.notes)
        features = extract(answers.observations, answers.variants, answers.examples, known=answers.features)
        profiles = score(features, answers.states, answers.observations, answers.variants, answers.examples, axes=["generation"]).profiles
        assert profiles.filter("default").select("across", "n").row(0) == (1.0, 3)
        only = answers_of(tmp_path, grid({(name, variant): {"correct": 0.5} for name in "abc" for variant in "0x"}))
        features = extract(only.observations, only.variants, only.examples, known=only.features)
        profiles = score(features, only.states, only.observations, only.variants, only.examples, axes=["generation"]).profiles
        assert profiles.filter(pl.col("default")).select("n", "reason").row(0) == (0, "partial_verdict")


def test_a_given_answer_that_is_an_object_is_what_it_states(tmp_path: Path) -> None:
    given: list[Any] = ['{"answer": "Paris"}', {"answer": "Paris"}, "Paris", '{"answer": null}']
    rows = [{"id": 1, "variant": f"v{place}", "pred": answer, "target": "Paris"} for place, answer in enumerate(given)]
    found = features_of(answers_of(tmp_path, rows)).filter(feature="answer").sort("variant")
    assert found.select("category", "reason").rows() == [("paris", None)] * 3 + [(None, "unparsed")]


@pytest.mark.parametrize("spelled", ["nan", "NaN", "<NA>"])
def test_nan_among_numbers_is_no_answer_and_never_agrees_with_another(tmp_path: Path, spelled: str) -> None:
    answers = answers_of(
        tmp_path,
        [
            {"example": example, "variant": variant, "answer": answer, "target": "3"}
            for example in "ab"
            for variant, answer in (("canonical", spelled), ("v", spelled), ("w", "3.0"))
        ],
    )
    read = features_of(answers).filter(pl.col("feature") == "answer")
    assert read.select("category", "reason").unique().sort("category").rows() == [(None, "unparsed"), ("3", None)]


def test_nan_among_names_stays_a_name(tmp_path: Path) -> None:
    rows = [{"example": "a", "variant": variant, "answer": "nan", "target": "naan"} for variant in ("canonical", "v")]
    read = features_of(answers_of(tmp_path, rows)).filter(pl.col("feature") == "answer")
    assert read["category"].to_list() == ["nan", "nan"]
