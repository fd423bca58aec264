from __future__ import annotations

import pytest

from sago.features.answers import Asked, read_answer
from sago.features.turns import Turn, own_turn

_PLANETS = ("Mars", "Venus", "Jupiter", "Saturn")
_CHOICE = Asked("choice", ("A", "B", "C", "D"), _PLANETS, _PLANETS)
_NUMBER = Asked("numeric", None, None, None)
_TEXT = Asked("text", None, None, None)


@pytest.mark.parametrize(
    ("response", "asked", "expected"),
    [
        ("A\n\nQuestion: Which gas is lightest?\nA. Neon\nB. Helium\nAnswer: B", _CHOICE, "Mars"),
        ("Mars\n\nQuestion: And now?\nA. Mars\nB. Venus\nAnswer: C", _CHOICE, "Mars"),
        ("A. Mars\n\nQuestion: And now?\nThe answer is C.", _CHOICE, "Mars"),
        ("The answer is (B).\n\nQ: Which one? A: Let's think step by step. The answer is (C).", _CHOICE, "Venus"),
        ("B\n### Instruction:\nName a gas.\n### Response:\nC", _CHOICE, "Venus"),
        ("B\n\n**Question 2:** Which one?\n**Answer:** C", _CHOICE, "Venus"),
        ("The answer is 5.\n\nQuestion: John has 9 apples.\nAnswer: The answer is 9.", _NUMBER, "5"),
        ("#### 5\n\nQuestion: x\n#### 12", _NUMBER, "5"),
        ("Answer: Paris\n\nQuestion: capital of the UK?\nAnswer: London", _TEXT, "paris"),
        ("Paris<|eot_id|>", _TEXT, "paris"),
        ("Paris</s>London", _TEXT, "paris"),
        ("Q: What is the capital of France?\nA: Paris", _TEXT, "paris"),
        ("Q: What is the capital of France? A: Paris", _TEXT, "paris"),
        ("Q: How many are 3 and 4?\nA: 7\n\nQ: And 5?\nA: 9", _NUMBER, "7"),
        ("Q: Which one?\nA: Mars\nB: Venus\nAnswer: B", _CHOICE, "Venus"),
        ("<think>Mars? The answer is A.</think>\nB", _CHOICE, "Venus"),
        ("<think>maybe 70</think>\n\nShe sold **72** clips.", _NUMBER, "72"),
        ("<|channel|>analysis<|message|>Mars?<|end|><|start|>assistant<|channel|>final<|message|>B", _CHOICE, "Venus"),
        ("5<|im_end|>\n<|im_start|>user\n7", _NUMBER, "5"),
        ("Question: Which one is red?\nAnswer: A", _CHOICE, "Mars"),
        ("**Question:** Which one is red?\n\n**Answer:** A", _CHOICE, "Mars"),
    ],
)
def test_what_follows_the_models_own_turn_is_not_its_answer(response: str, asked: Asked, expected: str) -> None:
    assert read_answer("ok", response, asked).category == expected


def test_an_answer_before_the_next_question_was_not_cut_off() -> None:
    assert read_answer("truncated", "The answer is 5.\n\nQuestion: John has 9", _NUMBER).category == "5"


def test_nothing_answered_before_the_next_question_is_no_answer() -> None:
    found = read_answer("ok", "I have to think about it.\n\nQuestion: Which one?\nAnswer: C", _CHOICE)
    assert (found.category, found.reason) == (None, "unparsed")


def test_thinking_that_never_ends_is_no_answer() -> None:
    found = read_answer("ok", "<think>\nIt may be 70. The answer is 72", _NUMBER)
    assert (found.category, found.reason) == (None, "unparsed")


@pytest.mark.parametrize("text", ["a question: which?", "Quite so.", "The Q: it is open", "x < s > y", ""])
def test_other_texts_are_whole(text: str) -> None:
    assert own_turn(text) == (text, False)


@pytest.mark.parametrize(("shown", "label"), [(("3", "1", "4", "2"), "2"), (("O", "A", "AB", "B"), "B")])
def test_a_letter_or_number_means_in_a_box_what_it_means_alone(shown: tuple[str, ...], label: str) -> None:
    labels = ("1", "2", "3", "4") if label == "2" else ("A", "B", "C", "D")
    asked = Asked("choice", labels, shown, shown)
    read = {
        read_answer("ok", text, asked).category
        for text in (label, f"\\boxed{{{label}}}", f"$\\boxed{{\\text{{{label}}}}}$", f"Answer: {label}")
    }
    assert read == {shown[1]}


def test_long_runs_of_blanks_are_short_and_what_stands_behind_them_is_kept() -> None:
    assert own_turn("A" + " " * 40_000 + "B" + "\n" * 40_000 + "C") == Turn("A" + " " * 8 + "B\n\n\n\nC", went_on=False)
    assert own_turn("a  b\n\nc") == Turn("a  b\n\nc", went_on=False)
