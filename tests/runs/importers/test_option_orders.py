"""Rows of one variant that show their options in orders of their own, and labels of the data's own."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import answers_of, grid

from sago.errors import DataError
from sago.features import extract
from sago.runs.importers import Answers

PLANETS = ["Mars", "Venus", "Earth"]
TURNED = PLANETS[::-1]


def read_of(answers: Answers, feature: str = "answer", column: str = "category") -> list[Any]:
    """Returns the readings of a feature in the order of the file, nulls as their reason."""
    features = extract(answers.observations, answers.variants, answers.examples, known=answers.features)
    rows = features.filter(pl.col("feature") == feature)
    keys = ["model", "dataset", "example", "variant", "decoding", "rerun"]
    ordered = answers.observations.select(keys).join(rows, on=keys, how="left", maintain_order="left")
    return [row[column] if row[column] is not None else row["reason"] for row in ordered.iter_rows(named=True)]


def shuffled(field: str, **others: Any) -> list[dict[str, Any]]:
    """Returns two reruns of one variant and two models that say Venus under the letter that each was shown."""
    orders = [("m", 0, PLANETS), ("m", 1, ["Venus", "Mars", "Earth"]), ("n", 0, TURNED), ("n", 1, ["Earth", "Mars", "Venus"])]
    return [
        {
            "model": model,
            "id": "q",
            "variant": "base",
            "rerun": rerun,
            "choices": order,
            field: "ABC"[order.index("Venus")],
            "target": "ABC"[order.index("Venus")],
            **others,
        }
        for model, rerun, order in orders
    ]


class TestOrders:
    """Every row's letters mean the options that it showed."""

    @pytest.mark.parametrize("field", ["answer", "response"])
    def test_letters_mean_the_options_of_their_own_row(self, tmp_path: Path, field: str) -> None:
        answers = answers_of(tmp_path, shuffled(field))
        assert read_of(answers) == ["Venus"] * 4
        assert read_of(answers, "correct", "number") == [1.0] * 4
        assert read_of(answers_of(tmp_path, shuffled(field)[::-1])) == ["Venus"] * 4

    def test_responses_in_another_order_are_read_here_and_a_note_says_so(self, tmp_path: Path) -> None:
        answers = answers_of(tmp_path, shuffled("response"))
        assert any("3 responses of 1 example ('q') answer options in another order" in note for note in answers.notes)
        cut = answers_of(tmp_path, [{**row, "response": "It is", "status": "truncated"} for row in shuffled("response")])
        assert read_of(cut) == ["truncated"] * 4

    def test_a_pattern_counts_for_them_too(self, tmp_path: Path) -> None:
        rows = [{**row, "response": f"A? [[{row['response']}]]"} for row in shuffled("response")]
        answers = answers_of(tmp_path, rows, answer_pattern=r"\[\[(\w)\]\]")
        assert [row["category"] for row in answers.features.iter_rows(named=True)] == ["Venus"] * 3

    @pytest.mark.parametrize("as_list", [True, False])
    def test_probabilities_are_those_of_the_contents(self, tmp_path: Path, as_list: bool) -> None:
        rows = shuffled("answer")
        for row in rows:
            values = {"Mars": 0.5, "Venus": 0.3, "Earth": 0.2}
            shown = [values[text] for text in row["choices"]]
            row["choice_probabilities"] = shown if as_list else dict(zip("ABC", shown, strict=True))
        answers = answers_of(tmp_path, rows)
        for vector in read_of(answers, "option_probabilities", "vector"):
            assert vector == pytest.approx([0.5, 0.3, 0.2])

    def test_prompts_of_two_models_may_list_the_options_in_two_orders(self, tmp_path: Path) -> None:
        rows = [
            {"model": model, "id": "q", "variant": variant, "response": letter, "gold": letter, "prompt": prompt}
            for variant in ("base", "x")
            for model, letter, prompt in (
                ("m", "B", f"{variant}: hot?\n(A) Mars. (B) Venus."),
                ("n", "A", f"{variant}: hot?\n(A) Venus. (B) Mars."),
            )
        ]
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["Venus"] * 4
        assert read_of(answers, "correct", "number") == [1.0] * 4

    def test_other_options_in_one_variant_are_refused(self, tmp_path: Path) -> None:
        rows = shuffled("answer")
        rows[2]["choices"] = ["Mars", "Venus", "Pluto"]
        with pytest.raises(DataError, match=r"line 3 \(example 'q'\): its options are not those of line 1, the same variant"):
            answers_of(tmp_path, rows)

    @pytest.mark.parametrize("sizes", [(2, 3), (3, 2)])
    def test_another_number_of_options_in_another_variant_is_refused(self, tmp_path: Path, sizes: tuple[int, int]) -> None:
        rows = grid(
            {
                ("q", name): {"choices": PLANETS[:size], "response": "B", "choice_probabilities": [1 / size] * size}
                for name, size in zip(("base", "x"), sizes, strict=True)
            }
        )
        with pytest.raises(DataError, match="its variants have different numbers of choices"):
            answers_of(tmp_path, rows)

    def test_another_right_answer_in_one_variant_is_refused(self, tmp_path: Path) -> None:
        rows = shuffled("answer")
        rows[1]["target"] = "B"
        with pytest.raises(DataError, match=r"line 2 .*its target is 'Mars', that of the same variant before it 'Venus'"):
            answers_of(tmp_path, rows)

    def test_a_prompt_that_lists_another_order_counts_where_the_options_are_not_given(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "base"): {"choices": ["Mars", "Venus"], "response": "B", "target": "Venus", "prompt": "Hot?\n(A) Mars (B) Venus"},
                ("1", "x"): {"response": "A", "target": "Venus", "prompt": "Which is hot?\n(A) Venus (B) Mars"},
                ("1", "y"): {"response": "B", "target": "Venus", "prompt": "Which one is hot?"},
            }
        )
        answers = answers_of(tmp_path, rows)
        assert answers.variants["permutation"].to_list() == [[0, 1], [1, 0], [0, 1]]
        assert read_of(answers) == ["Venus"] * 3

    def test_a_prompt_against_the_given_options_is_told(self, tmp_path: Path) -> None:
        rows = grid({("1", name): {"choices": PLANETS[:2], "response": "A", "prompt": f"{name}?\n(A) Venus (B) Mars"} for name in "0x"})
        assert any("2 rows list their options in the prompt in another order" in note for note in answers_of(tmp_path, rows).notes)

    @pytest.mark.parametrize(
        ("options", "order", "told"),
        [
            (["Planet Earth", "Venus", "Mars"], [2, 1, 0], True),
            (["venus", "Mars", "EARTH"], [1, 0, 2], False),
            (["Terre", "Vénus", "La Mars"], [0, 1, 2], True),
        ],
    )
    def test_options_that_are_worded_otherwise(self, tmp_path: Path, options: list[str], order: list[int], told: bool) -> None:
        rows = grid({("1", "0"): {"choices": PLANETS, "answer": "B"}, ("1", "x"): {"choices": options, "answer": "B"}})
        answers = answers_of(tmp_path, rows)
        assert answers.variants["permutation"].to_list()[1] == order
        assert any("word their options otherwise" in note for note in answers.notes) == told

    def test_options_that_differ_in_case_are_kept_apart(self, tmp_path: Path) -> None:
        rows = grid(
            {
                ("1", "0"): {"choices": ["Ra", "RA", "He"], "answer": "B", "target": "B"},
                ("1", "x"): {"choices": ["He", "Ra", "RA"], "answer": "C", "target": "C"},
            }
        )
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["RA", "RA"]
        assert read_of(answers, "correct", "number") == [1.0, 1.0]


LABELLED = [
    pytest.param({"1": "Mars", "2": "Venus", "3": "Earth"}, "2", id="object"),
    pytest.param([{"label": "i", "text": "Mars"}, {"label": "ii", "text": "Venus"}, {"label": "iii", "text": "Earth"}], "ii", id="pairs"),
    pytest.param({"text": PLANETS, "label": ["C", "B", "A"]}, "B", id="lists"),
    pytest.param({"text": ["Earth", "Venus", "Mars"], "label": ["C", "A", "B"]}, "A", id="letters in disorder"),
    pytest.param('{"1": "Mars", "2": "Venus", "3": "Earth"}', "2", id="spelled as JSON"),
    pytest.param({"text": PLANETS, "label": ["1", "2", "3"]}, 2, id="a number"),
]


class TestLabels:
    """Labels of the data name its options, in right answers, answers, responses and probabilities."""

    @pytest.mark.parametrize(("choices", "name"), LABELLED)
    def test_an_answer_is_read_by_the_labels_of_its_row(self, tmp_path: Path, choices: Any, name: Any) -> None:
        answers = answers_of(tmp_path, grid({("1", "0"): {"choices": choices, "answer": name, "target": name}}))
        assert (read_of(answers), read_of(answers, "correct", "number")) == (["Venus"], [1.0])

    @pytest.mark.parametrize("said", ["{}", "Answer: {}", "({})", "The answer is {}, because it is hot."])
    @pytest.mark.parametrize(("choices", "name"), LABELLED)
    def test_a_response_is_read_by_the_labels_of_its_row(self, tmp_path: Path, choices: Any, name: Any, said: str) -> None:
        answers = answers_of(tmp_path, grid({("1", "0"): {"choices": choices, "response": said.format(name), "target": name}}))
        assert (read_of(answers), read_of(answers, "correct", "number")) == (["Venus"], [1.0])

    def test_labels_win_over_texts_that_look_like_them(self, tmp_path: Path) -> None:
        fields = {"choices": {"1": "3", "2": "1", "3": "2"}, "target": "1", "choice_probabilities": {"1": 0.7, "2": 0.2, "3": 0.1}}
        rows = grid({("1", "0"): {**fields, "answer": "1"}, ("2", "0"): {**fields, "response": "1", "answer": "1"}})
        answers = answers_of(tmp_path, rows)
        assert read_of(answers) == ["3", "3"]
        assert answers.observations["choice_logprobs"].to_list()[0] == pytest.approx([math.log(0.7), math.log(0.2), math.log(0.1)])
        assert any("right answers of 2 examples ('1', '2') could be read in two ways" in note for note in answers.notes)

    def test_rows_of_one_variant_may_have_other_labels(self, tmp_path: Path) -> None:
        rows = [
            {"model": model, "id": "q", "variant": "0", "choices": dict(zip(labels, PLANETS, strict=True)), "response": labels[1]}
            for model, labels in (("m", "123"), ("n", "xyz"), ("o", "ABC"))
        ]
        assert read_of(answers_of(tmp_path, rows)) == ["Venus"] * 3
