from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sago.datasets.gold import Choices, read_choices, read_gold
from sago.errors import DataError

PLANETS = Choices(("Mars", "Earth", "Venus"), None)
NUMBERS = Choices(("2", "3", "4", "5"), None)


@pytest.mark.parametrize(
    ("value", "texts", "labels"),
    [
        (["Mars", "Venus"], ("Mars", "Venus"), None),
        ([4, 0.5], ("4", "0.5"), None),
        ([True, False], ("true", "false"), None),
        ('["Mars", "Ve|nus"]', ("Mars", "Ve|nus"), None),
        ("Mars | Venus", ("Mars", "Venus"), None),
        ({"text": ["Mars", "Venus"], "label": ["1", "2"]}, ("Mars", "Venus"), ("1", "2")),
        ({"A": "Mars", "B": "Venus"}, ("Mars", "Venus"), ("A", "B")),
        ([{"label": "x", "text": "Mars"}, {"label": "y", "text": "Venus"}], ("Mars", "Venus"), ("x", "y")),
    ],
)
def test_choices_in_all_forms(value: Any, texts: tuple[str, ...], labels: tuple[str, ...] | None) -> None:
    assert read_choices(value, None) == Choices(texts, labels)


@pytest.mark.parametrize("value", [None, "", [], {}, float("nan")])
def test_no_choices_is_an_open_question(value: Any) -> None:
    assert read_choices(value, None) is None


@pytest.mark.parametrize(
    ("value", "labels", "message"),
    [
        (["Mars"], None, "at least 2 different"),
        (["Mars", "mars "], None, "at least 2 different"),
        (["Mars", " "], None, "blank"),
        (["Mars", None], None, "empty value"),
        (["Mars", ["Venus"]], None, "a list"),
        ("Mars", None, "no list"),
        (7, None, "no list"),
        (["Mars", "Venus"], ["1"], "2 choices need 2 different labels"),
        (["Mars", "Venus"], ["a", "(A)"], "different labels"),
    ],
)
def test_choices_that_are_none(value: Any, labels: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_choices(value, labels)


@pytest.mark.parametrize(
    ("value", "choices", "index"),
    [
        ("Venus", PLANETS, 2),
        ("[B]", PLANETS, 1),
        (["Venus"], PLANETS, 2),
        (["Venus", "C", 2], PLANETS, 2),
        ({"text": ["Venus"]}, PLANETS, 2),
        ("1", PLANETS, 1),
        ("1.0", PLANETS, 1),
        (5, NUMBERS, 3),
        (1, Choices(("x", "y"), ("1", "2")), 0),
        ("c", Choices(("x", "y", "z"), ("1", "2", "3")), 2),
        (True, Choices(("False", "True"), None), 1),
        (-1, Choices(("1", "-1"), None), 1),
        ("a|b", Choices(("a|b", "c"), None), 0),
    ],
)
def test_answers_that_name_one_choice(value: Any, choices: Choices, index: int) -> None:
    gold = read_gold(value, choices, split=True)
    assert (gold.answer_index, gold.answers, gold.note) == (index, (choices.texts[index],), None)


@pytest.mark.parametrize(
    ("value", "choices", "index", "words"),
    [
        ("3", NUMBERS, 1, "read as text ('3'), not as index ('5')"),
        (3, NUMBERS, 3, "read as index ('5'), not as text ('3')"),
        ("C", Choices(("B", "C", "D", "A"), None), 1, "read as text ('C'), not as letter ('D')"),
        ("2", Choices(("2", "1"), ("1", "2")), 0, "read as text ('2'), not as label ('1')"),
    ],
)
def test_doubt_is_noted(value: Any, choices: Choices, index: int, words: str) -> None:
    gold = read_gold(value, choices, split=False)
    assert gold.answer_index == index
    assert words in str(gold.note)


@pytest.mark.parametrize("value", ["D", "E", 3, -1, 1.5, True, "Mars and Venus", "Pluto", ["Mars", "Venus"], [["Mars"]], {"x": 1}])
def test_answers_that_name_no_single_choice(value: Any) -> None:
    with pytest.raises(DataError, match="answer"):
        read_gold(value, PLANETS, split=False)


def test_choices_that_differ_in_case_only_need_the_exact_text() -> None:
    choices = Choices(("us", "US"), None)
    assert read_gold("US", choices, split=False).answer_index == 1
    with pytest.raises(DataError, match="several choices"):
        read_gold("Us", choices, split=False)


@pytest.mark.parametrize(
    ("value", "split", "answers"),
    [
        (8, False, ("8",)),
        (8.0, False, ("8",)),
        (0.5, False, ("0.5",)),
        (" Paris ", False, ("Paris",)),
        ("a|b", True, ("a", "b")),
        ("a|b", False, ("a|b",)),
        ('["a", 1]', True, ("a", "1")),
        (["a", "", None, "a"], False, ("a",)),
        ({"text": ["a", "b"], "answer_start": [1, 2]}, False, ("a", "b")),
        (True, False, ("true",)),
        (None, False, ()),
        (" ", False, ()),
        ([], False, ()),
        (10**40, False, (str(10**40),)),
    ],
)
def test_open_answers_become_text(value: Any, split: bool, answers: tuple[str, ...]) -> None:
    gold = read_gold(value, None, split=split)
    assert (gold.answers, gold.answer_index) == (answers, None)


@pytest.mark.parametrize(
    ("value", "names_first", "index"),
    [
        *(("1", None, 2), (1, None, 1), ("1", True, 1), (1, True, 1), ("1", False, 2), (1, False, 2)),
        *(("B", True, 1), ("3", True, 3), ("3", False, 0), ("0", True, 0)),
    ],
)
def test_who_knows_what_numbers_mean_may_say_so(value: str | int, names_first: bool | None, index: int) -> None:
    gold = read_gold(value, Choices(("3", "0", "1", "2"), None), split=False, names_first=names_first)
    assert gold.answer_index == index
    assert (gold.note is not None) == (value != "B")


def test_options_spelled_as_a_json_object_have_labels() -> None:
    assert read_choices('{"1": "x", "2": "y"}', None) == Choices(("x", "y"), ("1", "2"))
    assert read_choices("{1, 2}|{3}", None) == Choices(("{1, 2}", "{3}"), None)


@pytest.mark.parametrize(
    ("value", "texts", "index"),
    [
        (Decimal("1.50"), ("1.50", "2.5", "3"), 0),
        (Decimal("1.50"), ("2.5", "1.5"), 1),
        (1.5, ("2.5", "1.50"), 1),
        (Decimal("1.50"), ("1.500", "1.50"), 1),
        (Decimal("-0.5"), ("-.50", "0.5"), 0),
    ],
)
def test_a_number_is_the_option_that_spells_it_otherwise(value: float | Decimal, texts: tuple[str, ...], index: int) -> None:
    assert read_gold(value, Choices(texts, None), split=False).answer_index == index


def test_a_number_that_several_options_spell_is_refused() -> None:
    with pytest.raises(DataError, match="spell one number in different ways"):
        read_gold(1.5, Choices(("1.50", "1.500"), None), split=False)
