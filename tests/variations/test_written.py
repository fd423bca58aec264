from __future__ import annotations

import pytest

from sago.records import Example
from sago.variations.written import cleaned, is_new, refusal

_QUESTION = "Which planet is known as the red planet?"


@pytest.mark.parametrize(
    ("reply", "wording"),
    [
        ("Which planet do people call red?", "Which planet do people call red?"),
        ('  "Which planet do people call red?"\n', "Which planet do people call red?"),
        (
            "Sure! Here is the rewritten question:\n\n1. Which planet do people call red?\n2. What is it?",
            "Which planet do people call red?",
        ),
        ("Rewritten question: Which planet do people call red?", "Which planet do people call red?"),
        ("**Rewritten question:** Which planet do people call red?", "Which planet do people call red?"),
        ("- “Which planet do people call red?”", "Which planet do people call red?"),
        ('Which planet is called "red" or "rusty"?', 'Which planet is called "red" or "rusty"?'),
        ("\n \n", ""),
        ("Here it is:", ""),
    ],
)
def test_of_a_reply_the_wording_is_left(reply: str, wording: str) -> None:
    assert cleaned(reply, _QUESTION) == wording


def test_a_question_of_several_lines_keeps_its_lines() -> None:
    assert cleaned("Look:\n  x = 1\nWhat is x?", "Read:\n  x = 1\nWhat is x?") == "Look:\n  x = 1\nWhat is x?"


def test_a_quotation_that_the_question_begins_with_stays() -> None:
    assert cleaned('"To be or not to be"', '"To be" is a quotation.') == '"To be or not to be"'


@pytest.mark.parametrize(
    ("question", "wording", "reason"),
    [
        ("Is 7 odd?", "Would you say that 7 is odd?", None),
        ("Is 7 odd?", "Is 8 odd?", "same_numbers"),
        ("Which animal never sleeps?", "Which animal sleeps?", "same_negations"),
        ("Which animal never sleeps?", "Which animal does not sleep?", None),
        ("Where did Natalia live?", "Where did she live?", "kept_names"),
        ("Where did she live?", "Where did Natalia live?", "kept_names"),
        ("Where did Natalia live?", "In which place was Natalia living?", None),
        ("During which year was Rome founded?", "In which year was Rome founded?", None),
        ("What does `f(x)` give?", "What does `g(x)` give?", "kept_spans"),
        ("How far is 12 km?", "How far is 12 miles?", "kept_spans"),
        ("What is red?", "What is Mars, which is red?", "kept_names"),
        ("What flows?", "What, like water, flows?", "nothing_given_away"),
        ("Is water wet?", "Is it wet?", "nothing_given_away"),
        ("What flows?", "It flows.", "asks"),
        ("The sea is", "What is the sea?", "asks"),
        ("What flows?", "Here is a question: what flows on?", "chatter"),
        ("What flows?", "What flows? " * 9, "too_long"),
        # What translators and small models really wrote.
        ("Jordan has a picnic to cheer them up. How would you describe Jordan?", "How would you describe Jordan?", "too_short"),
        ("Sandra has 3 eggs. What does Sandra need?", "Sedra has 3 eggs. What is it that Sandra needs?", "kept_names"),
        ("Carson shook her head. What will Carson do?", "Carson shook his head. What is Carson to do?", "kept_genders"),
        ("Austin moved their body. What is next?", "Austin moved his body. What comes next?", "kept_genders"),
        ("Was Moon Jae-in born there?", "Moon Jae was born there?", "kept_names"),
        ("A has 4 times as many sheep as B. How many?", "A has 4 times more sheep than B. How many?", "kept_scope"),
        ("She puts a quarter of the pieces on the board. Where?", "She puts a quarter of the non-board pieces. Where?", "kept_scope"),
        ("Did either king or his son marry?", "Or king or his son did marry?", "kept_scope"),
        ("How many yards are in one mile?", "How many meters are in a mile?", "kept_units"),
        ("How many inches are in one foot?", "How many centimeters are on one foot?", "kept_units"),
        ("How many kilometres is it in two hours?", "What number of kilometers is it in two hours?", None),
        ("Is it 30 percent of a century?", "Would it be 30 percent of two centuries?", "same_numbers"),
        ("How many cups does one day take?", "What number of cups is taken in one day?", None),
        ("How many days did it take?", "How long did it take?", "kept_units"),
        ("Which birds eat only fish?", "Which birds eat fish?", "kept_scope"),
        ("How many legs has each spider?", "How many legs has every spider?", None),
        ("What is a chicken hatched from?", 'The answer to "What is a chicken hatched from?" is an egg.', "chatter"),
    ],
)
def test_why_a_wording_is_refused(question: str, wording: str, reason: str | None) -> None:
    assert (
        refusal(Example("d", "1", question, choices=("Water", "Sand"), answers=("Water",), answer_index=0, task="choice"), wording)
        == reason
    )


def test_what_the_user_protects_has_to_stay() -> None:
    example = Example("d", "1", "Is green tea warm?", metadata={"protect": "green tea"})
    assert refusal(example, "Would green tea be warm?") is None
    assert refusal(example, "Is tea that is green warm?") == "nothing_given_away"


@pytest.mark.parametrize(
    ("wording", "expected"), [("is it  HOT", False), ("", False), ("?", False), ("Is it warm?", True), ("热吗？", True)]
)
def test_what_says_anything_new(wording: str, expected: bool) -> None:
    assert is_new(wording, "Is it hot?") is expected


@pytest.mark.parametrize(
    ("question", "wording", "reason"),
    [
        ("Would Ibn Saud tolerate salsa?", "What would Ibn Saud tolerate?", "asks"),
        ("Would Ibn Saud tolerate salsa?", "Is it so that Ibn Saud would tolerate salsa?", None),
        ("It rained. Did he go?", "It rained. Why did he go?", "asks"),
        ("Which is it, rain?", "What is it, rain?", None),
    ],
)
def test_a_yes_no_question_stays_one(question: str, wording: str, reason: str | None) -> None:
    assert refusal(Example("d", "1", question, choices=("Yes", "No"), answers=("Yes",), answer_index=0, task="choice"), wording) == reason
