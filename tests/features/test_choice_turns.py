"""Replies that open with one option and turn to another, waver between two, or split by cases."""

from __future__ import annotations

import pytest

from sago.features.choice_assertions import assertions
from sago.features.choice_judgements import turned
from sago.features.choices import read_choice

ABCD = ("A", "B", "C", "D")
TEXTS = ("Mars", "Venus", "Jupiter", "Mercury")


def _read(reply: str, texts: tuple[str, ...] = TEXTS, labels: tuple[str, ...] | None = ABCD) -> str | None:
    option = read_choice(reply, labels, texts)
    return None if option is None else ABCD[option]


@pytest.mark.parametrize("texts", [TEXTS, ABCD], ids=["texts", "letters"])
@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ("B is tempting, but I'd go with D.", "D"),
        ("B looks right, but D is correct.", "D"),
        ("A is the answer most people give, but B is right.", "B"),
        ("D would be the obvious pick; the right one, though, is B.", "B"),
        ("B is the most popular answer, but it's wrong. D is right.", "D"),
        ("C is close, however D is more precise. D", "D"),
        ("A. However, since that is too cold, the answer is B.", "B"),
        ("The answer is B. However, since the nearest one is asked for, D is correct.", "D"),
        ("I'm not sure, but my best guess is C.", "C"),
        ("Not A. Not C. Not D. It must be B.", "B"),
        ("A is incorrect because it is cold. D is the best answer.", "D"),
        ("A: ❌\nB: ✅\nC: ❌\nD: ❌", "B"),
        ("✅ B", "B"),
        ("Answer: B\n\nOn second thought, the nearest one is asked for, so D.", "D"),
        ("While D might seem like the logical choice, the actual answer is B.", "B"),
        ("The best answer is B. The best answer is not D.", "B"),
        ("A is wrong, B is correct.", "B"),
        ("因此选择B。", "B"),
        ("→ B", "B"),
        ("我认为答案是D,不对,应该是B。", "B"),
    ],
)
def test_what_a_reply_turns_to_counts(reply: str, option: str, texts: tuple[str, ...]) -> None:
    assert _read(reply, texts) == option


@pytest.mark.parametrize("texts", [TEXTS, ABCD], ids=["texts", "letters"])
@pytest.mark.parametrize(
    "reply",
    [
        "B for rocky planets, C for gas giants.",
        "B for rocky planets, but C for gas giants.",
        "The answer is B if air counts, D otherwise.",
        "B > D > A > C",
        "Both A and B are correct.",
        "B is tempting, but it is too hot.",
        "B. But on closer inspection something else fits.",
        "It's A, B or C.",
        "If it rained, D is right.",
        "Some would go with D.",
        "B - 80%, D - 20%",
        "Mars is cold. The answer is not D.",
    ],
)
def test_where_a_reply_wavers_or_splits_nothing_is_chosen(reply: str, texts: tuple[str, ...]) -> None:
    assert _read(reply, texts) is None


@pytest.mark.parametrize("texts", [TEXTS, ABCD], ids=["texts", "letters"])
@pytest.mark.parametrize(
    "reply",
    [
        "B is correct, but D is also partly true.",
        "B is correct, but only for daytime temperatures.",
        "B. However, D is the closest to the Sun.",
        "B is the best answer, although D is close.",
        "B is right, but A is the answer most people give.",
        "B. It might look like A, but the text says otherwise.",
        "Answer: B\n\nMany would go with D, but that one is cold at night.",
        "Answer: B\n\nIf nearness were asked for, D is right.",
        "B is the most likely answer.",
        "Answer: B\n\nActually, A is also defensible, but B is better.",
        "Answer: B\nWhy not D? While D is the most likely guess, it is cold.",
        "The correct answer is B. Students often pick D, but D is the best answer only for distance.",
        "The answer is B. However, many textbooks say the correct answer is D.",
        "The answer is B for this reason: D, for example, is cold.",
    ],
)
def test_a_remark_on_another_option_changes_nothing(reply: str, texts: tuple[str, ...]) -> None:
    assert _read(reply, texts) == "B"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Yes, X did. But the record shows he resigned before, so no.", "no"),
        ("Yes! However, this was disproved in 1998, so the answer today is no.", "no"),
        ("Yes, they did. However, the law was repealed. So the answer is no.", "no"),
        ("Yes for mammals, but no for birds.", None),
        ("No for adults; yes for children.", None),
        ("Yes if it is a mammal, no otherwise.", None),
        ("Yes in theory. In practice, no.", None),
        ("Yes. They have lungs, so no, they do not have gills.", None),
        ("Yes. No. Yes. No.", None),
        ("Yes, but not always.", "yes"),
        ("Yes, he did, but no one noticed.", "yes"),
        ("Yes, if it rains.", "yes"),
        ("Yes, so no further steps are needed.", "yes"),
        ("No, but yes if you count tomatoes as fruit.", "no"),
        ("No, but there is no rule against it.", "no"),
        ("No, although it may seem that the answer is yes.", "no"),
        ("Yes. Is there an exception? No.", "yes"),
        ("Yes, but is it safe? No.", None),
        ("No. In 1998, yes-men were many.", "no"),
    ],
)
def test_yes_and_no(reply: str, said: str | None) -> None:
    option = read_choice(reply, None, ("yes", "no"))
    assert (None if option is None else ("yes", "no")[option]) == said


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("True for even numbers, false for odd ones.", None),
        ("True, but the second half is false.", None),
        ("The claim is partially true.", None),
        ("It is not entirely true.", None),
        ("False. It is true, however, that whales live in water.", "false"),
        ("True. It's not false that water is wet.", "true"),
        ("True.\n\nA common misconception is that the answer is false.", "true"),
        ("The claim is true.", "true"),
    ],
)
def test_true_and_false(reply: str, said: str | None) -> None:
    option = read_choice(reply, None, ("true", "false"))
    assert (None if option is None else ("true", "false")[option]) == said


@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ("Option (B) Venus is correct because of its air. Option (D) Mercury is closer but has no air.", "B"),
        ("The hottest planet is **B. Venus**. Although Mercury is closer, it has no air.", "B"),
        ("The right option here is B: Venus.", "B"),
        ("Is it A. Mars or B. Venus?", None),
        ("a. Venus", None),
        ("Answer: A. Venus", None),
        ("Answer: B. Mars is too cold.", "B"),
    ],
)
def test_a_label_with_its_own_text_is_chosen_and_with_another_text_is_not(reply: str, option: str | None) -> None:
    assert _read(reply) == option


def test_an_exception_to_none_of_them_is_no_none_of_them() -> None:
    texts = ("Ice melts", "Ice boils", "None of the above")
    assert read_choice("None of the above is correct except A.", ("A", "B", "C"), texts) is None
    assert read_choice("None of the above is correct.", ("A", "B", "C"), texts) == 2


def test_assertions_and_their_contrast() -> None:
    assert [tuple(each) for each in assertions("D is right. But wait, it's B.", ABCD, TEXTS)] == [(3, False), (1, True)]
    assert assertions("so A, B and C lie on a line; I wouldn't go with D", ABCD, TEXTS) == []
    assert turned(" and so on", ("Mars", "Venus"), 0) == (False, None)
