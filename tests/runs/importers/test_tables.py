from __future__ import annotations

import csv
import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.runs.importers.written import answers_of, grid, write_lines

from sago import schemas
from sago.axes import score
from sago.errors import DataError, StudyError
from sago.features import extract
from sago.runs.importers import Answers, ReadOptions, read_answers

CHOICES = ["Mars", "Venus", "Earth"]


def one(table: pl.DataFrame) -> dict[str, Any]:
    assert table.height == 1
    return table.row(0, named=True)


def readings(answers: Answers, feature: str = "answer") -> dict[tuple[str, str], Any]:
    """Returns (example, variant) -> category or number, else the reason, after the readers."""
    rows = extract(answers.observations, answers.variants, answers.examples, known=answers.features).filter(pl.col("feature") == feature)
    return {
        (row["example"], row["variant"]): next(value for value in (row["category"], row["number"], row["reason"]) if value is not None)
        for row in rows.iter_rows(named=True)
    }


class TestSources:
    """Formats, several files, defaults."""

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"model": "m", "dataset": "d", "id": 1, "variant": variant, "repeat": repeat, "response": "B", "gold": "B"}
            for variant in ("base", "x")
            for repeat in (0, 1)
        ]

    def write(self, folder: Path, kind: str) -> Path:
        rows, text = self.rows(), "".join(json.dumps(row) + "\n" for row in self.rows())
        path = folder / f"answers.{kind}"
        if kind == "csv":
            with path.open("w", encoding="utf-8-sig", newline="") as file:
                writer = csv.DictWriter(file, rows[0])
                writer.writeheader()
                writer.writerows(rows)
        elif kind == "parquet":
            pl.DataFrame(rows).write_parquet(path)
        elif kind == "json":
            path.write_text(json.dumps(rows), encoding="utf-8")
        else:
            path.write_bytes(gzip.compress(text.encode()) if kind in ("jsonl.gz", "ndjson") else text.encode())
        return path

    @pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "ndjson", "json", "csv", "parquet"])
    def test_every_format_gives_the_same_tables(self, tmp_path: Path, kind: str) -> None:
        wanted, found = read_answers(self.write(tmp_path, "jsonl")), read_answers(self.write(tmp_path, kind))
        for name in ("examples", "variants", "observations", "features", "variation_counts"):
            assert getattr(found, name).equals(getattr(wanted, name)), name
        assert found.observations.select("example", "variant", "rerun").rows() == [
            ("1", "canonical", 0),
            ("1", "canonical", 1),
            ("1", "x", 0),
            ("1", "x", 1),
        ]
        assert found.sources[0].fields == {
            "model": "model",
            "dataset": "dataset",
            "example": "id",
            "variant": "variant",
            "rerun": "repeat",
            "response": "response",
            "target": "gold",
        }

    def test_several_files_are_one_table_and_a_row_in_both_is_an_error(self, tmp_path: Path) -> None:
        first = write_lines(tmp_path / "a.jsonl", self.rows()[:2])
        second = write_lines(tmp_path / "b.jsonl", self.rows()[2:])
        assert read_answers(first, second).observations.height == 4
        third = write_lines(tmp_path / "c.jsonl", self.rows()[1:2])
        with pytest.raises(DataError, match=r"c\.jsonl, line 1: .* of .*a\.jsonl, line 2 again"):
            read_answers(first, third)
        with pytest.raises(DataError, match="is given twice"):
            read_answers(first, tmp_path / "x" / ".." / "a.jsonl")

    def test_model_data_set_and_rerun_have_defaults_with_notes(self, tmp_path: Path) -> None:
        answers = answers_of(tmp_path, [{"id": 7, "variant": "base", "response": "A"}] * 2 + [{"id": 7, "variant": "x", "response": "A"}])
        assert answers.observations.select("model", "dataset", "decoding", "rerun").rows() == [
            ("model", "answers", "recorded", 0),
            ("model", "answers", "recorded", 1),
            ("model", "answers", "recorded", 0),
        ]
        for words in ("no column for the model", "called like the file", "1 rows that repeat", "'base'", "asked 1 to 2 times"):
            assert any(words in note for note in answers.notes), words

    def test_examples_that_ask_the_same_are_told(self, tmp_path: Path) -> None:
        """Four copies of an example are no four examples; where no text is known nothing is said."""
        asked = [("d", "1", "Is it  late?"), ("d", "2", "is it late?"), ("e", "1", "Is it late?"), ("e", "2", "Why?")]
        rows = [
            {"dataset": dataset, "id": name, "variant": variant, "answer": "yes", "question": text}
            for dataset, name, text in asked
            for variant in ("base", "x")
        ]
        notes = read_answers(write_lines(tmp_path / "asked.jsonl", rows)).notes
        assert "d: 1 example stands more than once ('1' = '2'), 1 more than they need; all are kept" in notes
        assert "d and e share 1 example ('1' = '1'); all are kept" in notes
        bare = [{name: value for name, value in row.items() if name != "question"} for row in rows]
        assert not any("more than once" in note for note in read_answers(write_lines(tmp_path / "bare.jsonl", bare)).notes)

    def test_a_draw_does_not_depend_on_the_order_of_the_rows(self, tmp_path: Path) -> None:
        rows = [{"id": number, "variant": "base", "response": "x"} for number in range(20)]
        drawn = [set(answers_of(tmp_path, part, limit=5, seed=1).examples["example"]) for part in (rows, rows[::-1])]
        assert drawn[0] == drawn[1]
        assert len(drawn[0]) == 5

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([{"id": 1, "variant": "x", "response": "a", "correct": 3}], "line 1: correct is 3"),
            ([{"id": 1, "variant": "x", "response": "a"}, {"id": None, "variant": "x", "response": "a"}], "line 2: no example"),
            ([{"id": 1, "variant": "x", "response": "a", "rerun": "b"}], "line 1: rerun"),
            ([{"id": 1, "variant": "x", "response": {"a": 1}}], "line 1: its response is no text"),
            ([{"id": 1, "variant": "x", "response": "a", "status": "lost"}], "line 1: status"),
            ([{"id": 1, "variant": "x", "response": "a", "choices": ["a"]}], "line 1: needs at least 2"),
            ([{"id": 1, "variant": "x", "rerun": 0, "response": "a"}] * 2, "line 2: .* of line 1 again"),
            ([{"id": "7", "variant": "x", "rerun": 0, "response": "a"}, {"id": 7, "variant": "x", "rerun": 0, "response": "a"}], "again"),
            ([], "no answers"),
        ],
    )
    def test_bad_rows_are_named_by_line(self, tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
        with pytest.raises(DataError, match=message):
            answers_of(tmp_path, rows)

    def test_all_bad_rows_are_named_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text(
            '{"id": 1, "response": "x"}\n{"id": 2, "resp\n[1]\n{"id": 3, "response": "x", "correct": "no idea"}\n', encoding="utf-8"
        )
        with pytest.raises(DataError) as caught:
            read_answers(path)
        assert [problem.split(": ")[0] for problem in caught.value.problems] == [f"{path}, line {number}" for number in (2, 3, 4)]


class TestTasks:
    """How answers are read."""

    @pytest.mark.parametrize(
        ("fields", "task", "category", "correct"),
        [
            ({"response": "It is (B).", "gold": "B", "choices": CHOICES}, "choice", "Venus", 1.0),
            ({"response": "mars", "gold": 1, "choices": CHOICES}, "choice", "Mars", 0.0),
            ({"response": "Answer: C", "gold": "B"}, "choice", "C", 0.0),
            ({"response": "A bus.", "gold": "B"}, "choice", "unparsed", 0.0),
            ({"response": "E", "gold": "B"}, "choice", "unparsed", 0.0),
            ({"response": "E", "gold": "E"}, "choice", "E", 1.0),
            ({"response": "about 1,000 legs", "gold": "1000"}, "numeric", "1000", 1.0),
            ({"response": "The Seine.", "gold": "seine"}, "text", "seine", 1.0),
            ({"response": "The Seine."}, "text", "seine", "no_gold"),
            ({"response": "x", "answer": "Mars", "gold": "B", "choices": CHOICES}, "choice", "Mars", 0.0),
            ({"response": "x", "answer": "(B)", "gold": "B", "choices": CHOICES}, "choice", "Venus", 1.0),
            ({"response": "x", "answer": 1, "gold": "B", "choices": CHOICES}, "choice", "Venus", 1.0),
            ({"response": "x", "answer": "none", "gold": "B", "choices": CHOICES}, "choice", "unparsed", 0.0),
            ({"answer": "b", "gold": "B"}, "choice", "B", 1.0),
            ({"answer": "8.0", "gold": 8}, "numeric", "8", 1.0),
            ({"answer": "Not  Attempted"}, "choice", "not attempted", "no_gold"),
            ({"answer": "paris", "gold": "Paris"}, "choice", "paris", 1.0),
            ({"answer": "T", "gold": "F"}, "choice", "t", 0.0),
            ({"answer": "x", "correct": 0.5}, "choice", "x", 0.5),
            ({"correct": True}, "choice", "correct", 1.0),
            ({"correct": "wrong"}, "choice", "incorrect", 0.0),
            ({"response": "8", "gold": "8", "task": "text"}, "text", "8", 1.0),
        ],
    )
    def test_the_task_follows_options_and_right_answers(
        self, tmp_path: Path, fields: dict[str, Any], task: str, category: str, correct: float | str
    ) -> None:
        answers = answers_of(tmp_path, grid({("1", "base"): fields}))
        assert one(answers.examples)["task"] == task
        assert readings(answers) == {("1", "canonical"): category}
        assert readings(answers, "correct") == {("1", "canonical"): correct}

    @pytest.mark.parametrize(("read_as", "category"), [("letter", "C"), ("number", "3"), ("text", "c3"), ("auto", "c3")])
    def test_the_user_may_say_how(self, tmp_path: Path, read_as: str, category: str) -> None:
        response = "C. 3" if read_as == "letter" else "3" if read_as == "number" else "C3"
        assert list(readings(answers_of(tmp_path, grid({("1", "base"): {"response": response}}), read_as=read_as)).values()) == [category]

    def test_options_in_another_order_are_compared_by_content(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "base"): {"response": "B", "gold": "B", "choices": CHOICES},
                ("1", "x"): {"response": "B", "gold": "C", "choices": ["Earth", "Mars", "venus"]},
            }
        )
        answers = answers_of(tmp_path, rows)
        assert answers.variants["permutation"].to_list() == [[0, 1, 2], [2, 0, 1]]
        assert answers.variants["answers"].to_list() == [["Venus"], ["Venus"]]
        assert readings(answers) == {("1", "canonical"): "Venus", ("1", "x"): "Mars"}

    @pytest.mark.parametrize("values", [{"model": "n"}, {"rerun": 1}])
    def test_other_options_under_one_name_are_refused_and_another_order_is_read(self, tmp_path: Path, values: dict[str, Any]) -> None:
        first = {"id": 1, "model": "m", "variant": "base", "rerun": 0, "answer": "B", "choices": CHOICES}
        assert answers_of(tmp_path, [first, {**first, **values, "choices": [" mars", "Venus", "Earth"]}]).observations.height == 2
        answers = answers_of(tmp_path, [first, {**first, **values, "choices": CHOICES[::-1], "answer": "A"}])
        assert set(answers.features.filter(pl.col("feature") == "answer")["category"]) == {CHOICES[1], CHOICES[-1]}
        with pytest.raises(DataError, match=r"line 2 \(example '1'\): its options are not those of line 1"):
            answers_of(tmp_path, [first, {**first, **values, "choices": [*CHOICES[:2], "Pluto"]}])

    def test_options_are_taken_from_the_prompts_that_list_them(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "base"): {"response": "B", "gold": "B", "prompt": "Hot?\n(A) Mars. (B) Venus."},
                ("1", "x"): {"response": "A", "gold": "A", "prompt": "Which is hot?\nA. Venus\nB. Mars"},
                ("2", "base"): {"response": "B", "gold": "B", "prompt": "Cold?"},
                ("2", "x"): {"response": "A", "gold": "B", "prompt": "Cold??"},
            }
        )
        answers = answers_of(tmp_path, rows)
        assert answers.examples["choices"].to_list() == [["Mars", "Venus"], ["A", "B", "C", "D"]]
        assert readings(answers) == {("1", "canonical"): "Venus", ("1", "x"): "Venus", ("2", "canonical"): "B", ("2", "x"): "A"}
        by_letter = answers_of(tmp_path, [row for row in rows if row["variant"] == "base"], read_as="letter")
        assert by_letter.examples["choices"].to_list() == [["A", "B", "C", "D"]] * 2
        assert any("options of 1 of 2 examples are listed in their prompts; letters alone in 1" in note for note in answers.notes)

    @pytest.mark.parametrize(
        ("golds", "message"),
        [(("A", "B"), "letters cannot be compared"), (("7", "8"), "have one right answer"), (("x", "y"), "one right answer")],
    )
    def test_a_right_answer_that_changes_with_the_wording_is_refused(self, tmp_path: Path, golds: tuple[str, str], message: str) -> None:
        rows = grid({("1", variant): {"response": "A", "gold": gold} for variant, gold in zip(("base", "x"), golds, strict=True)})
        with pytest.raises(DataError, match=message):
            answers_of(tmp_path, rows)
        rows[1]["family"] = "meaning-changed"
        assert answers_of(tmp_path, rows).variants["control"].to_list() == [False, True]

    def test_two_right_answers_for_one_variant_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=r"line 2 .*its target is not that of line 1"):
            answers_of(tmp_path, [{"id": 1, "variant": "x", "response": "A", "gold": gold} for gold in "AB"])

    @pytest.mark.parametrize(("gold", "doubted"), [(None, True), ("B", False)])
    def test_answers_that_look_like_the_right_ones_are_doubted(self, tmp_path: Path, gold: str | None, doubted: bool) -> None:
        rows = [
            {"id": name, "variant": variant, "response": f"{name} {variant}", "answer": name, **({"gold": gold} if gold else {})}
            for name in "AB"
            for variant in ("base", "x")
        ]
        notes = answers_of(tmp_path, rows).notes
        assert any("--columns target=answer" in note for note in notes) == doubted


class TestStatuses:
    """Not recorded is not empty."""

    @pytest.mark.parametrize(
        ("fields", "status", "reading"),
        [
            ({"response": None}, "ok", "not_recorded"),
            ({"response": ""}, "empty", "<empty>"),
            ({"response": " \n"}, "empty", "<empty>"),
            ({"response": "So A", "finish_reason": "length"}, "truncated", "truncated"),
            ({"response": "Answer: A\nas", "finish_reason": "length"}, "truncated", "A"),
            ({"response": None, "finish_reason": "content_filter"}, "filtered", "<filtered>"),
            ({"response": None, "finish_reason": "length"}, "truncated", "truncated"),
            ({"response": None, "finish_reason": "stop"}, "ok", "not_recorded"),
            ({"response": None, "status": "refusal"}, "refusal", "<refusal>"),
            ({"response": "I will not.", "status": "refusal"}, "refusal", "<refusal>"),
            ({"response": None, "error": "HTTP 500"}, "error", "error"),
            ({"response": "<think>hm</think>B"}, "ok", "B"),
        ],
    )
    def test_what_became_of_a_call(self, tmp_path: Path, fields: dict[str, Any], status: str, reading: str) -> None:
        rows = grid({("1", "base"): {"gold": "A", **fields}, ("1", "x"): {"gold": "A", "response": "A"}})
        answers = answers_of(tmp_path, rows)
        assert answers.observations["status"].to_list()[0] == status
        assert readings(answers)["1", "canonical"] == reading

    def test_a_blank_cell_of_a_csv_is_empty_alone_and_not_recorded_beside_an_answer(self, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("id,variant,response,answer\n1,base,,\n1,x,,B\n1,y,Answer: A,\n", encoding="utf-8")
        answers = read_answers(path)
        assert answers.observations["response"].to_list() == ["", None, "Answer: A"]
        assert any("1 blank cells of 'response' (the first in line 2)" in note for note in answers.notes)


class TestOtherReadings:
    """Log-probabilities, embeddings, hidden states, and axes that cannot run."""

    def test_probabilities_are_put_in_shown_order(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "base"): {"choices": CHOICES, "choice_probabilities": {"A": 0.5, "Venus": 0.5, "c": 0}},
                ("1", "x"): {"choices": CHOICES[::-1], "choice_probabilities": [0.25, 0.25, 0.5]},
            }
        )
        answers = answers_of(tmp_path, rows)
        assert answers.observations["choice_logprobs"].to_list() == [
            [math.log(0.5), math.log(0.5), None],
            [math.log(0.25)] * 2 + [math.log(0.5)],
        ]
        features = extract(answers.observations, answers.variants, answers.examples, known=answers.features)
        vectors = features.filter(pl.col("feature") == "option_probabilities")["vector"].to_list()
        assert vectors[0] == pytest.approx([0.5, 0.5, 0.0], abs=1e-9)
        assert vectors[1] == pytest.approx([0.5, 0.25, 0.25])

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"choice_probabilities": [0.5, 0.5]}, "2 probabilities for 3 options"),
            ({"choice_probabilities": {"D": 1}}, r"1 name \('D'\), none of which is an option"),
            ({"choice_logprobs": [0.5, -1, -1]}, "above 0"),
        ],
    )
    def test_probabilities_that_fit_no_option_are_refused(self, tmp_path: Path, fields: dict[str, Any], message: str) -> None:
        with pytest.raises(DataError, match=f"line 1: .*{message}"):
            answers_of(tmp_path, grid({("1", "base"): {"choices": CHOICES, **fields}}))

    def test_embeddings_and_states(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "base"): {"response": "x", "embedding": [1, 0], "hidden_states": {"4": [1, 2], "8": [1, None]}},
                ("1", "x"): {"response": "y", "embedding": [0, math.nan], "hidden_states": {"4": [1, 3], "8": [1, 4]}},
            }
        )
        answers = answers_of(tmp_path, rows)
        assert answers.features.select("feature", "vector", "reason").rows() == [
            ("embedding", [1.0, 0.0], None),
            ("embedding", None, "non_finite"),
        ]
        assert answers.states.select("layer", "depth", "vector").rows() == [
            (4, 0.5, [1, 2]),
            (8, 1.0, None),
            (4, 0.5, [1, 3]),
            (8, 1.0, [1, 4]),
        ]

    @pytest.mark.parametrize(
        ("field", "message"),
        [("embedding", "line 2: embedding with 3 numbers, 2 in line 1"), ("hidden_states", "line 2: states of layer 1 with 3 numbers")],
    )
    def test_vectors_of_two_lengths_are_refused(self, tmp_path: Path, field: str, message: str) -> None:
        rows = grid({("1", "base"): {"response": "x", field: [1, 2]}, ("1", "x"): {"response": "x", field: [1, 2, 3]}})
        with pytest.raises(DataError, match=message):
            answers_of(tmp_path, rows)

    def test_axes_without_data_say_why(self, tmp_path: Path) -> None:
        rows = [
            {"id": number, "variant": variant, "answer": "ab"[(number + place) % 2]}
            for number in range(4)
            for place, variant in enumerate("0xy")
        ]
        answers = answers_of(tmp_path, rows)
        features = extract(answers.observations, answers.variants, answers.examples, known=answers.features)
        scored = score(features, answers.states, answers.observations, answers.variants, answers.examples)
        found = {row["axis"]: (row["n"], row["reason"] is None) for row in scored.profiles.filter("default").iter_rows(named=True)}
        assert found == {"generation": (4, True), "activations": (0, False), "confidence": (0, False), "mirroring": (0, False)}
        assert scored.profiles["decoding"].unique().to_list() == ["recorded"]


def test_every_table_is_checked_and_the_order_of_rows_changes_no_number(tmp_path: Path) -> None:
    rows = [
        {"id": number, "variant": variant, "temperature": heat, "response": "AB"[(number * place) % 2], "gold": "A"}
        for number in range(5)
        for place, variant in enumerate("0xy")
        for heat in (0, 0.7)
    ]
    tables = []
    for order in (rows, rows[::-1]):
        answers = answers_of(tmp_path, order)
        features = extract(answers.observations, answers.variants, answers.examples, known=answers.features)
        for name, table in (("observations", answers.observations), ("features", features), ("variants", answers.variants)):
            schemas.check(name, table)
        tables.append(
            score(features, answers.states, answers.observations, answers.variants, answers.examples, axes=["generation"]).profiles
        )
    assert tables[0].equals(tables[1])
    assert tables[0]["decoding"].unique().sort().to_list() == ["greedy", "sampled"]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"read_as": "roman"}, "cannot be read as 'roman'"), ({"answer_pattern": "("}, "no regular expression"), ({"limit": 0}, "limit 0")],
)
def test_options_have_limits(options: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        ReadOptions(**options)


class TestOddCells:
    def test_options_in_two_unicode_forms_are_the_same(self, tmp_path: Path) -> None:
        decomposed, composed = ["the\u0301", "cafe\u0301"], ["caf\u00e9", "th\u00e9"]
        rows = [
            {"id": 1, "variant": "canonical", "response": "B", "choices": decomposed},
            {"id": 1, "variant": "p", "response": "A", "choices": composed},
        ]
        assert len(set(readings(answers_of(tmp_path, rows)).values())) == 1

    def test_names_of_probabilities_in_another_unicode_form_are_the_options(self, tmp_path: Path) -> None:
        given = {"id": 1, "choices": ["caf\u00e9", "th\u00e9"], "choice_probabilities": {"cafe\u0301": 0.75, "the\u0301": 0.25}}
        answers = answers_of(tmp_path, [{**given, "variant": "a"}, {**given, "variant": "b"}])
        assert [np.exp(row).tolist() for row in answers.observations["choice_logprobs"].to_list()] == [pytest.approx([0.75, 0.25])] * 2

    def test_several_replies_in_one_row_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="a list of 2 texts; give each a row of its own"):
            answers_of(tmp_path, [{"id": 1, "variant": "a", "response": ["1", "1"]}, {"id": 1, "variant": "b", "response": "1"}])
