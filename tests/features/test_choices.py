from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.features.choices import read_choice

ABCD = ("A", "B", "C", "D")
NUMBERS = ("1", "2", "3", "4")
PLANETS = ("Mars", "Earth", "Venus", "Neptune")


def _text(response: str, labels: tuple[str, ...] | None, texts: tuple[str, ...], *, cut_off: bool = False) -> str | None:
    position = read_choice(response, labels, texts, cut_off=cut_off)
    return None if position is None else texts[position]


@pytest.mark.parametrize(
    "response",
    [
        *(
            "C",
            "c",
            "C.",
            "(C)",
            "[C]",
            "**C**",
            "`C`",
            "$C$",
            r"\boxed{\text{C}}",
            "C) Venus",
            "c) venus",
            "C. Venus",
            "C Venus",
            "C - Venus",
        ),
        *("Ｃ", "C\n\nIt is very hot there.", "C, because Mars is cold.", "C is the correct answer", "Option C: Venus"),
        *(
            "Venus",
            "venus.",
            "**Venus**",
            "Venus, of course",
            "The hottest planet is Venus.",
            "I would say Venus",
            "It is not Mars but Venus.",
        ),
        *(
            "Answer: C",
            "Answer:\nC",
            "The answer is (C) Venus.",
            "Final answer: C) Venus",
            "The answer is: the letter C",
            '{"answer": "C"}',
        ),
        *(
            "<answer>C</answer>",
            "The answer to the question is C",
            "The correct option is (C).",
            "Answer: Venus",
            "Answer: the planet Venus? No.\nAnswer: C",
        ),
        *("I think option C is right.", "Mars is cold, so (C) it is.", "Let me see.\n\nC", "答案是C"),
        "A. Mars\nB. Earth\nC. Venus\nD. Neptune\nAnswer: C",
    ],
)
def test_the_third_planet_is_read(response: str) -> None:
    assert _text(response, ABCD, PLANETS) == "Venus"


@pytest.mark.parametrize(
    "response",
    [
        *("", "I do not know", "A or B", "A, B", "A/C", "Mars or Venus", "Answer: Mars and Venus", "Answer: Pluto", "E", "Answer: E"),
        *("The answer is not Mars.", "The answer is a planet", "A planet is hard to choose", "I'd say it's hard", "C-3PO", "C's"),
        *(
            "A. Mars\nB. Earth\nC. Venus\nD. Neptune",
            "(A) Mars; (B) Earth; (C) Venus",
            "Mars and Venus are hot",
            "Mars is colder than Venus",
            "Answer: A. Answer: none of these",
        ),
    ],
)
def test_no_option_is_read_where_none_is_stated(response: str) -> None:
    assert _text(response, ABCD, PLANETS) is None


@pytest.mark.parametrize(
    ("response", "labels", "texts", "expected"),
    [
        ("3", NUMBERS, PLANETS, "Venus"),
        ("Answer: 3", NUMBERS, ("1", "3", "2", "4"), "2"),
        ("Answer: 10", NUMBERS, ("1,000", "100", "10", "1"), "10"),
        ("1,000", NUMBERS, ("1,000", "100", "10", "1"), "1,000"),
        ("It has 1,000 parts", None, ("1", "1,000", "000"), "1,000"),
        ("3 apples", NUMBERS, ("2 apples", "3 apples", "4 apples", "5 apples"), "3 apples"),
        ("2.5", NUMBERS, ("1.5", "2.5", "3.5", "4.5"), "2.5"),
        ("New York City", ABCD, ("New York", "New York City"), "New York City"),
        ("It is New York City.", ABCD, ("New York", "New York City"), "New York City"),
        ("Answer: The Beatles", ABCD, ("The Beatles", "Queen"), "The Beatles"),
        ("Nile", None, ("The Nile", "The Danube"), "The Nile"),
        ("The Nile", None, ("Nile", "Danube"), "Nile"),
        ("A bus", ABCD, ("bike", "bus"), "bus"),
        ("Yes, because it is.", ABCD, ("Yes", "No"), "Yes"),
        ("There is no doubt. Yes.", ABCD, ("Yes", "No"), "Yes"),
        ("答案是金星", None, ("火星", "金星"), "金星"),
        ("我认为是金星。", None, ("火星", "金星"), "金星"),
        ("B", ABCD, ("B", "C", "D", "A"), "C"),
        ("Strasse", None, ("Straße", "Weg"), "Straße"),
        ("All of the above", ABCD, ("x", "y", "All of the above"), "All of the above"),
        ("cat", None, ("category", "dog"), None),
        ("A bus moves faster than a bike.", ABCD, ("bus", "bike"), None),
    ],
)
def test_labels_and_texts_of_other_kinds(
    response: str, labels: tuple[str, ...] | None, texts: tuple[str, ...], expected: str | None
) -> None:
    assert _text(response, labels, texts) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("C", "Venus"),
        ("C. Venus is", "Venus"),
        ("The answer is C", "Venus"),
        ("The hottest planet is Venus, with a", "Venus"),
        ("The hottest planet is Venus", None),
        ("Let us look at Mars. It", None),
        ("The answer is", None),
        ("The answer is a", None),
        ("A. Mars\nB. Earth", None),
        ("Venus has", None),
    ],
)
def test_of_a_cut_response_only_what_was_clearly_stated_is_read(response: str, expected: str | None) -> None:
    assert _text(response, ABCD, PLANETS, cut_off=True) == expected


@given(st.permutations(range(4)), st.sampled_from(["{}", "({})", "**{}**", "Answer: {}", "The answer is {}.", "{})", "{}\n"]))
def test_a_label_names_its_position_whatever_the_order(order: list[int], form: str) -> None:
    texts = tuple(PLANETS[index] for index in order)
    assert [_text(form.format(label), ABCD, texts) for label in ABCD] == list(texts)
