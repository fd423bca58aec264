from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.features import normal_text, stated_text


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Eiffel Tower", "eiffel tower."),
        ("  Robert   Guiscard ", "robert guiscard"),
        ("caf\u00e9", "cafe\u0301"),
        ("Straße", "STRASSE"),
        ("«Paris»", "Paris"),
        ("a 12th-century castle", "12thcentury castle"),
        ("北京。", "北京"),
    ],
)
def test_equal_answers(left: str, right: str) -> None:
    assert normal_text(left) == normal_text(right)


@pytest.mark.parametrize(
    ("left", "right"), [("A", "B"), ("The", "A"), ("?", "!"), ("Paris", "Pari"), ("5 °C", "5"), ("theory", "ory"), ("हिन्दी", "हिन्द")]
)
def test_different_answers(left: str, right: str) -> None:
    assert normal_text(left) != normal_text(right)


@given(st.text())
def test_normalising_twice_changes_nothing_and_form_does_not_matter(text: str) -> None:
    once = normal_text(text)
    assert normal_text(unicodedata.normalize("NFD", text)) == once
    assert bool(once) == bool(text.split())


@pytest.mark.parametrize(
    ("response", "whole", "cut"),
    [
        ("Paris", "Paris", None),
        ("Paris.", "Paris.", "Paris."),
        ("\n Paris \nIt lies on the Seine", "Paris", "Paris"),
        ("Answer: **Paris**", "Paris", None),
        ("I think hard.\nThe answer is: Paris\nBecause", "Paris", "Paris"),
        ("Answer: Rome\nNo.\nAnswer: Paris", "Paris", "Rome"),
        ("答案是巴黎", "巴黎", None),
        ("", None, None),
        ("  ** \n", None, None),
    ],
)
def test_the_short_answer(response: str, whole: str | None, cut: str | None) -> None:
    assert stated_text(response) == whole
    assert stated_text(response, cut_off=True) == cut


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-5 degrees", "5 degrees"),
        ("3.5 million", "35 million"),
        ("1/2 cup", "12 cup"),
        ("C#", "C"),
        ("10:30", "1030"),
        (".5", "5"),
        ("2,5", "25"),
    ],
)
def test_another_number_or_name_is_another_answer(one: str, other: str) -> None:
    assert normal_text(one) != normal_text(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("well-known", "well known".replace(" ", "")),
        ("Paris.", "paris"),
        ("5.", "5"),
        ("(5)", "5"),
        ("it's", "its"),
        ("U.S.", "us"),
    ],
)
def test_decoration_is_no_other_answer(one: str, other: str) -> None:
    assert normal_text(one) == normal_text(other)
