"""Replies as chat models write them: other answers are spoken of, options listed, answers headed, corrected and explained."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest

from sago.features.answers import Asked, read_answer
from sago.features.statements import stating

_PLANETS = ("Mars", "Venus", "Jupiter", "Mercury")
V = "Venus"
L = Asked("choice", ("A", "B", "C", "D"), _PLANETS, _PLANETS)
Y = Asked("choice", None, ("Yes", "No"), ("Yes", "No"))
T = Asked("choice", None, ("True", "False"), ("True", "False"))
N = Asked("numeric", None, None, None)
X = Asked("text", None, None, None)

# Nothing wrong may be read of these; what a person reads is given, and null is no error.
_CASES: list[tuple[Asked, str, str | None]] = [
    (L, "Let's evaluate each option:\nA. Mars: too cold.\nB. Venus: hot.\nC. Jupiter: gas.\nD. Mercury: near.\n\nSo, B is correct.", V),
    (L, "**Answer: B**\n\nLet's check each option:\nA. Mars: cold\nB. Venus: hot\nC. Jupiter: x\nD. Mercury: y", V),
    (L, "B. Venus\n\nHere is a breakdown of each choice:\n\nA. Mars: cold\nB. Venus: hot\nC. Jupiter: far\nD. Mercury: near", V),
    (L, "To find the correct answer:\nA. Mars is cold.\nB. Venus is hot.\n\nThus, Venus.", V),
    (L, "Let's evaluate each option:\nA. Mars: too cold.\nB. Venus: hot.", None),
    (L, "B\n\nExplanation: Venus is hot. A common wrong answer is D, because Mercury is nearest.", V),
    (L, "Venus. Many people think the answer is Mercury because it is nearest.", V),
    (L, "You might think the answer is Mercury, since it is near, but Venus is actually hotter.", V),
    (L, "At first glance the answer is D, but Venus is hotter due to its air.", V),
    (L, "The answer is B. If it asked for the closest planet, the answer would be D.", V),
    (L, "The best answer is B. The second best answer is D.", V),
    (L, "One possible answer is D, but the best one is B.", V),
    (L, "The wrong option is D. The right one is B.", V),
    (L, "**Correct answer:** B\n\n**Incorrect answers:**\n- A: cold\n- C: far\n- D: near", V),
    (L, "Most likely answer: B\nLeast likely answer: A", V),
    (Y, "Yes.\n\nPeople often assume the answer is no because whales look like fish.", "Yes"),
    (Y, "No.\n\nIf the question were about bats, the answer would be yes.", "No"),
    (Y, "You might think the answer is no, but it is actually yes.", "Yes"),
    (Y, "Answer: no\nAlternative answer: yes if fish count.", "No"),
    (T, "**True.**\n\nA common misconception is that the answer is false.", "True"),
    (N, "**12**\n\nA common wrong answer is 15, because people forget.", "12"),
    (N, "The answer is 12. Many people think the answer is 15.", "12"),
    (X, "Paris. A common wrong answer is Lyon.", "paris"),
    (N, "12.35\n\n(Note: the answer is rounded to 2 decimal places.)", "12.35"),
    (N, "The answer is 12.\n\nThis answer is based on 30 days per month.", "12"),
    (N, "The answer is 12.\n\n**Check your answer:** 12 × 30 = 360", "12"),
    (N, "Answer: 12\n\nThis answer is 100% correct.", "12"),
    (X, "Paris\n\nThis answer is based on general knowledge.", "paris"),
    (X, "Paris. I hope this answer is helpful!", "paris"),
    (Y, "Yes.\n\nThe answer is no longer debated: it was shown.", "Yes"),
    (Y, "Short answer: yes. Long answer: no one knows for sure.", "Yes"),
    (N, "**Answer:**\n- 12 apples", "12"),
    (N, "Answer:\n- 12", "12"),
    (N, "The answer is:\n\n- **12 apples**", "12"),
    (N, "**Final Answer**\n- 12", "12"),
    (N, "- 12 apples", "12"),
    (N, "**Answer:**\n1. Start: 15 apples\n2. Gave away: 3 apples\n3. Left: **12 apples**", "12"),
    (N, "To find the answer:\n1. Start with 15 apples\n2. Take 3\n\nSo he has **12** apples.", "12"),
    (N, "The total is $80, so each of the 4 friends pays $20.", "20"),
    (N, "The result is 20, which we then double to get 40.", "40"),
    (N, "Answer: Tom has 5 apples and gives 2 away. He has 3 apples left.", "3"),
    (N, "Answer: There are 15 trees originally. Then 21 after. So there must have been 21 - 15 = 6.", "6"),
    (N, "Answer: First, 5 + 2 = 7. Then 7 × 3 = 21.", "21"),
    (N, "The answer is half of 20, which is 10.", "10"),
    (N, "The answer is the square root of 144, which is 12.", "12"),
    (N, "The answer is 12, and indeed 12 + 3 = 15.", "12"),
    (N, "Therefore he has 12 apples, as 12 + 3 = 15.", "12"),
    (N, "The answer is 12 (since x + 3 = 15)", "12"),
    (N, "The minimum is -4, at x = 2.", "-4"),
    (N, "The answer is 60 minutes = 1 hour.", None),
    (N, "The answer is 300 cm (using 1 m = 100 cm).", "300"),
    (N, "Answer: 2.5 kg (= 2500 g)", "2.5"),
    (N, "12 months\n\nThis answer is correct for 2023.", "12"),
    (Y, "Yes — wait, actually no. Penguins cannot fly.", "No"),
    (Y, "Yes. Wait, no.", "No"),
    (Y, "Yes. Actually, no, since penguins cannot fly.", "No"),
    (Y, "I cannot answer yes or no.", None),
    (L, "Answer: D\n\nHmm, let me double-check. Venus's surface is hotter. So it should be B.", V),
    (X, "### Final answer\n\nParis", "paris"),
    (X, "**Answer**\n\nParis", "paris"),
    (X, "**Reasoning**\nIt lies there.\n\n**Final answer**\nParis", "paris"),
    (X, "Answer:\n1. Paris", "paris"),
    (X, "Vitamin C!", "vitamin c"),
    (X, "Apollo 11!", "apollo 11"),
    (X, "1969!", "1969"),
    (X, "Malcolm X!", "malcolm x"),
    (X, "5!", "5!"),
    (X, "Sure!\n\n**Question:** What is it?\n\n**Answer:** Paris", "paris"),
    (N, "I'll solve it in 2 steps.\n\n**Question:** How many?\n\n**Answer:** 12", "12"),
    (L, "B is correct.\n\n- Option A: cold\n- Option C: far\n- Option D: near", V),
    (L, '{"answer": "B", "alternative": {"answer": "D"}}', V),
    (L, '[{"option":"A","score":0.1},{"option":"B","score":0.8},{"option":"C","score":0.1}]', None),
    (L, "Answer: B", V),
    (L, "The correct answer is (B) Venus.", V),
    (N, "The answer is 3 + 5 = 8", "8"),
    (N, "Answer: x = 5", "5"),
    (L, "I think the answer is B", V),
    (L, "Choice: B", V),
    (L, "Your answer: B", V),
]


@pytest.mark.parametrize(("asked", "reply", "said"), _CASES, ids=[reply[:40] for _, reply, _ in _CASES])
def test_no_other_answer_is_read(asked: Asked, reply: str, said: str | None) -> None:
    assert read_answer("ok", reply, asked).category in {said, None}


_READ = [
    (L, "Let's evaluate each option:\nA. Mars: too cold.\nB. Venus: hot.\nC. Jupiter: gas.\nD. Mercury: near.\n\nSo, B is correct.", V),
    (L, "**Answer: B**\n\nLet's check each option:\nA. Mars: cold\nB. Venus: hot\nC. Jupiter: x\nD. Mercury: y", V),
    (L, "Venus. Many people think the answer is Mercury because it is nearest.", V),
    (L, "The answer is B. If it asked for the closest planet, the answer would be D.", V),
    (L, "The answer would be B.", V),
    (L, "I think the answer is B", V),
    (L, "Your answer: B", V),
    (L, "Answer: D\n\nHmm, let me double-check. Venus's surface is hotter. So it should be B.", V),
    (L, '{"answer": "B", "alternative": {"answer": "D"}}', V),
    (Y, "Yes.\n\nThe answer is no longer debated: it was shown.", "Yes"),
    (Y, "Short answer: yes. Long answer: no one knows for sure.", "Yes"),
    (Y, "Yes. Actually, no, since penguins cannot fly.", "No"),
    (N, "The answer is 12.\n\nThis answer is based on 30 days per month.", "12"),
    (N, "The answer is:\n\n- **12 apples**", "12"),
    (N, "The answer is 12, and indeed 12 + 3 = 15.", "12"),
    (N, "The answer is 300 cm (using 1 m = 100 cm).", "300"),
    (N, "The answer is 3 + 5 = 8", "8"),
    (X, "**Reasoning**\nIt lies there.\n\n**Final answer**\nParis", "paris"),
    (X, "Paris. A common wrong answer is Lyon.", "paris"),
    (X, "Vitamin C!", "vitamin c"),
    (X, "5!", "5!"),
    (X, "Sure!\n\n**Question:** What is it?\n\n**Answer:** Paris", "paris"),
]


@pytest.mark.parametrize(("asked", "reply", "said"), _READ, ids=[reply[:40] for _, reply, _ in _READ])
def test_the_answer_is_read(asked: Asked, reply: str, said: str) -> None:
    assert read_answer("ok", reply, asked).category == said


_OPENINGS = (
    "Let's evaluate each option:",
    "To find the correct answer, let's look at each option:",
    "Here is a breakdown of each choice:",
    "Options:",
    "To determine the answer:",
)
_ITEMS: tuple[Callable[[str, str, str], str], ...] = (
    lambda label, text, why: f"{label}. {text}: {why}",
    lambda label, _, why: f"- {label}: {why}",
    lambda label, text, why: f"**{label}. {text}** - {why}",
    lambda label, text, why: f"{label}) {text} is {why}.",
    lambda label, text, why: f"- **Option {label}:** {text} is {why}.",
)
_CLOSINGS = ("So, B is correct.", "Thus, Venus.", "Hence, B.", "**B**", "Therefore, option B is correct.", "Answer: B", "")
_WHY = ("too cold", "very hot", "a gas giant", "near the sun")


@pytest.mark.parametrize(("opening", "closing"), list(itertools.product(_OPENINGS, _CLOSINGS)))
def test_options_that_are_gone_through_are_not_chosen(opening: str, closing: str) -> None:
    for item in _ITEMS:
        listed = "\n".join(item(label, text, why) for label, text, why in zip("ABCD", _PLANETS, _WHY, strict=True))
        read = read_answer("ok", f"{opening}\n{listed}\n\n{closing}", L).category
        assert read in ({V, None} if closing else {None})
        if closing == "Answer: B":
            assert read == V


def test_marks_that_state() -> None:
    text = "The answer is 1. The wrong answer is 2. If so, the answer would be 3. You might think the answer is 4. My answer is 5."
    marks = list(re.finditer(r"answer (?:is|would be) ", text))
    assert [text[mark.end()] for mark in stating(marks)] == ["1", "5"]


_NO = [
    "It might seem like the answer is yes, but it is actually no.",
    "Many people would say yes, but the correct answer is no.",
    "Most people assume the answer is yes, but in fact the answer is no.",
    "It's tempting to answer yes, but actually no.",
    "The passage suggests yes at first, but the last line shows it is no.",
    "Answering yes would contradict the passage, so no.",
    "The band Yes formed in 1968, after the Beatles. So no.",
    "Answer (Yes/No): No",
    "**Yes/No:** No",
    "Fact 1: Gold is a metal - yes.\nFact 2: Gold rusts - no.\n\nSo does gold rust? No.",
    "No (though some would say yes).",
    "- Breathes air: Yes\n- Has gills: No\n\nConclusion: No, a whale is not a fish.",
]


@pytest.mark.parametrize("reply", _NO)
def test_no_is_a_mention_as_yes_is(reply: str) -> None:
    assert read_answer("ok", reply, Y).category in {"No", None}
    turned = reply.replace("yes", "@").replace("Yes", "%").replace("no.", "yes.").replace("No", "Yes").replace("@", "no").replace("%", "No")
    assert read_answer("ok", turned, Y).category in {"Yes", None}


@pytest.mark.parametrize("reply", ["So no.", "It is tempting to say yes, but the correct answer is no.", "Many say yes. So no."])
def test_what_a_reply_ends_with_is_concluded(reply: str) -> None:
    assert read_answer("ok", reply, Y).category == "No"


_NAMED = [
    "It's B. Mercury has no atmosphere to trap heat.",
    "I believe B is correct. Mercury is closer to the Sun but lacks an atmosphere.",
    "Mercury is the closest planet, but B is hotter.",
    "While A may seem right because Mercury is closest, B is correct.",
    "While many people think Mercury is the hottest, the correct answer is B.",
    "At first glance, Mercury seems right, but the answer is B.",
    "A) Mercury\n\nWait, that's not right. Venus is hotter because of its greenhouse effect, so it should be B.",
    "A. Wait, Mercury has no atmosphere, so it must be B.",
]


@pytest.mark.parametrize("reply", _NAMED)
def test_a_text_beside_the_letter_of_another_option_is_not_chosen(reply: str) -> None:
    planets = ("Mercury", "Venus", "Earth", "Mars")
    assert read_answer("ok", reply, Asked("choice", ("A", "B", "C", "D"), planets, planets)).category in {V, None}


@pytest.mark.parametrize(
    ("reply", "said"), [("The answer is 12 + 3 = 15.", "15"), ("21 − 6 = 15, so B.", "15"), ("The answer is 15.", "15")]
)
def test_the_first_number_of_a_calculation_is_no_option(reply: str, said: str) -> None:
    numbers = ("12", "15", "18", "21")
    assert read_answer("ok", reply, Asked("choice", ("A", "B", "C", "D"), numbers, numbers)).category in {said, None}


@pytest.mark.parametrize(
    "reply", ["Sure!\n\nParis", "Certainly!\n\n**Paris**", "Let's think step by step.\n\nParis", "Great question!\nParis"]
)
def test_an_opening_is_no_answer(reply: str) -> None:
    assert read_answer("ok", reply, X).category == "paris"
