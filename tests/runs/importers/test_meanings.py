"""Options that are letters or numbers themselves: one meaning for right answers, answers, responses and names of probabilities."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.runs.importers.test_option_orders import read_of
from tests.runs.importers.written import answers_of, grid

from sago.runs.importers import read_answers

BLOOD = ["O", "A", "B", "AB"]
COUNTS = ["3", "0", "1", "2"]


def noted(notes: tuple[str, ...], *words: str) -> bool:
    return any(all(word in note for word in words) for note in notes)


class TestNumbers:
    """Options that are numbers."""

    @pytest.mark.parametrize(
        ("target", "answer", "category"),
        [
            *((1, 1, "0"), (1, "1", "0"), ("1", "1", "1"), ("1", 1, "1"), ("3", "3", "3"), ("B", "1", "1"), ("B", "C", "1")),
        ],
    )
    def test_right_answer_and_answer_are_read_by_one_rule(self, tmp_path: Path, target: Any, answer: Any, category: str) -> None:
        fields = {"choices": COUNTS, "target": target, "answer": answer}
        answers = answers_of(tmp_path, grid({("q7", "0"): fields, ("q7", "x"): fields}))
        assert read_of(answers) == [category] * 2
        assert read_of(answers, "correct", "number") == [float(str(target) == str(answer))] * 2
        doubtful = str(answer).isdigit()
        assert noted(answers.notes, "given answers of 1 example ('q7') could be read in two ways") == doubtful
        assert noted(answers.notes, "right answers of 1 example ('q7')", "not as") == str(target).isdigit()

    @pytest.mark.parametrize(("other", "category"), [(2, "2"), ("2", "2"), ("Venus", "1"), ("B", "1")])
    def test_the_other_items_tell_what_a_number_means(self, tmp_path: Path, other: Any, category: str) -> None:
        # Of Mars, Earth and Venus, 2 and "2" can only be an index, Venus only a text; B says nothing about numbers.
        clear = {"choices": ["Mars", "Earth", "Venus"], "target": other, "answer": other}
        doubtful = {"choices": ["0", "3", "1", "2"], "target": "3" if category == "2" else "1", "answer": "3" if category == "2" else "1"}
        answers = answers_of(tmp_path, grid({("1", "0"): clear, ("2", "0"): doubtful}))
        assert read_of(answers)[1] == category
        assert read_of(answers, "correct", "number") == [1.0, 1.0]

    def test_a_table_of_text_gives_what_json_gives_where_other_items_tell(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "0"): {"choices": ["Mars", "Venus"], "target": 1, "answer": 1},
                ("2", "0"): {"choices": ["2", "0", "1"], "target": 1, "answer": 1},
            }
        )
        path = tmp_path / "a.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows({**row, "choices": json.dumps(row["choices"])} for row in rows)
        assert read_of(read_answers(path)) == read_of(answers_of(tmp_path, rows)) == ["Venus", "0"]


class TestLetters:
    """Options that are letters."""

    def rows(self, field: str, **others: Any) -> list[dict[str, Any]]:
        return grid(
            {(f"q{place}", variant): {"choices": BLOOD, "target": "A", field: "A", **others} for place in (1, 2) for variant in ("0", "x")}
        )

    @pytest.mark.parametrize("field", ["answer", "response"])
    def test_a_letter_is_the_text_of_an_option_in_all_places(self, tmp_path: Path, field: str) -> None:
        rows = self.rows(field, choice_probabilities={"O": 0.05, "A": 0.85, "B": 0.05, "AB": 0.05})
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["A"] * 4
        assert read_of(answers, "correct", "number") == [1.0] * 4
        assert read_of(answers, "option_probabilities", "vector")[0] == pytest.approx([0.05, 0.85, 0.05, 0.05])
        assert noted(answers.notes, "options of 2 examples ('q1', 'q2') are labels of other options", "its text")
        assert noted(answers.notes, "right answers of 2 examples", "read as text ('A'), not as letter ('O')")

    def test_letters_that_only_name_make_the_others_names(self, tmp_path: Path) -> None:
        clear = {"choices": ["Mars", "Venus"], "target": "B", "response": "B", "choice_probabilities": {"A": 0.1, "B": 0.9}}
        doubtful = {"choices": BLOOD, "target": "B", "response": "B", "choice_probabilities": {"A": 0.1, "B": 0.9}}
        answers = answers_of(tmp_path, grid({("1", "0"): clear, ("2", "0"): doubtful}))
        assert read_of(answers) == ["Venus", "A"]
        assert read_of(answers, "correct", "number") == [1.0, 1.0]
        assert read_of(answers, "option_probabilities", "vector")[1] == pytest.approx([0.1, 0.9, 0, 0], abs=1e-9)
        assert noted(answers.notes, "names of probabilities of 1 example ('2')", "read as labels")

    def test_prompts_that_list_letters_make_letters_of_responses_names(self, tmp_path: Path) -> None:
        prompt = "Which group?\n(A) O (B) A (C) B (D) AB"
        rows = [{**row, "target": "AB", "prompt": prompt + " " * (row["variant"] == "x")} for row in self.rows("response")]
        rows = [{**row, "prompt": row["variant"] + prompt} for row in rows]
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["O"] * 4
        assert answers.variants["answers"].to_list() == [["AB"]] * 4

    @pytest.mark.parametrize(
        ("names", "vector"),
        [
            ({"O": 0.1, "A": 0.2, "B": 0.3, "AB": 0.4}, [0.1, 0.2, 0.3, 0.4]),
            ({"A": 0.1, "B": 0.2, "C": 0.3, "D": 0.4}, [0.1, 0.2, 0.3, 0.4]),
            ({"A": 0.4, "B": 0.6}, [0.0, 0.4, 0.6, 0.0]),
            ({"a": 0.4, "A": 0.3, "b": 0.3}, [0.0, 0.7, 0.3, 0.0]),
        ],
    )
    def test_names_of_probabilities_are_all_of_one_kind(self, tmp_path: Path, names: dict[str, float], vector: list[float]) -> None:
        answers = answers_of(tmp_path, grid({("q", "0"): {"choices": BLOOD, "choice_probabilities": names}}))
        assert read_of(answers, "option_probabilities", "vector")[0] == pytest.approx(vector, abs=1e-9)
        assert noted(answers.notes, "names of probabilities of 1 example ('q')") == (set(names) <= {"a", "A", "b", "B"})

    @pytest.mark.parametrize("field", ["choice_probabilities", "choice_logprobs"])
    def test_names_that_differ_in_case_add_up(self, tmp_path: Path, field: str) -> None:
        values: dict[str, float] = {"A": 0.5, "a": 0.25, "b": 0.25}
        if field == "choice_logprobs":
            values = {"A": -0.6931471805599453, "a": -1.3862943611198906, "b": -1.3862943611198906}
        answers = answers_of(tmp_path, grid({("q", "0"): {"choices": ["Mars", "Venus"], field: values}}))
        assert read_of(answers, "option_probabilities", "vector")[0] == pytest.approx([0.75, 0.25])
