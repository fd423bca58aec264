"""Answers that a hasty reader gets wrong without a sign: each has the value that it states."""

from __future__ import annotations

import pytest

from sago.features.numbers import given_number, normal_number, stated_number
from sago.features.structured import json_answer
from sago.features.texts import normal_text


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(("The answer is minus 5", "-5"), ("The answer is –5.", "-5"), ("It is negative 5", "-5"), ("5 minus 3 = 2", "2"), ("5–7", None)),
        *((r"\boxed{\frac{5}{2}}", "2.5"), (r"$\frac{7}{2}$", "3.5"), (r"\boxed{-\frac{7}{2}}", "-3.5"), (r"\dfrac{1}{3}", "1/3")),
        *(("12 345", "12345"), ("The answer is 1 000", "1000"), ("1'000", "1000"), ("1’000", "1000")),
        *(("3 1/2", "3.5"), ("The answer is 3 1/2", "3.5"), ("3½", "3.5"), ("½", "0.5"), ("-3 1/2", "-3.5")),
        *(("5k", "5000"), ("$5K", "5000"), ("1.5M", "1500000"), ("1.2bn", "1200000000"), ("5 kg", "5"), ("5m", "5")),
    ],
)
def test_the_whole_number_is_read(said: str, number: str | None) -> None:
    assert stated_number(said) == number
    assert given_number(said) == number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *((r"2\sqrt{3}", None), (r"12\pi", None), (r"\frac{x}{2}", None), ("5B", None), ("5^{1/2}", None), ("$300K$", None)),
        *((r"\boxed{\text{-5}}", "-5"), (r"\dfrac{-7}{2}", "-3.5"), ("1{,}000", "1000"), ("1⁄2", "0.5"), ("$1.2 bn", "1200000000")),
        *(("**2*3**", None), ("**5**", "5"), ("2*3", None), ("3-5", None), ("3–5", None), ("10:30", None), ("3:2", None)),
        *(("2020-12-25", None), ("12 345,67", None), ("1.234,56", None), ("2x", None), ("3x + 5", None), ("0x1F", None), ("log 5", None)),
        *(("sin(30)", None), ("3+4i", None), ("1-1/2", None), ("8 minus 5", None), ("-five", "-5"), ("five", "5"), ("two hundred", "200")),
        *(("two thirds", None), ("one half", None), ("one-third", None), ("one hundred twenty", None), ("three point five", None)),
        *(("(3, 4)", None), ("between 3 and 5", None), ("3 hours 20 minutes", None), ("6'2\"", None), ("5 ± 2", None), ("5 apples", "5")),
        *(("5 million dollars", "5000000"), ("-5°C", "-5"), ("5 cm^2", "5"), ("$5$", "5"), ("2^10", "1024"), ("6.02e3", "6020")),
    ],
)
def test_no_part_of_an_answer_is_read_as_its_number(said: str, number: str | None) -> None:
    assert given_number(said) == number
    assert stated_number(f"The answer is {said}") == number


def test_a_given_text_of_several_numbers_is_none_of_them() -> None:
    assert [given_number(said) for said in ("3 4", "2 and 4/5", "pages 3, 4 and 9", "5 (5)")] == [None, None, None, "5"]


def test_a_number_beyond_all_sense_is_none() -> None:
    assert normal_number("1E8³8") is None


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        *(('{"answer": 1/2}', "1/2"), ('{"answer": 1,000}', "1,000"), ('{"answer": 1, "b": 2}', "1")),
        *(('{"answer": 12, "solution": "add 5 and 7 in 2 steps"}', "12"), ('{"answer": "B", "label": "hard"}', "B")),
        *(('{"final_answer": 3, "option": "x"}', "3"), ('{"solution": "x", "result": 4}', "4")),
    ],
)
def test_the_answer_of_an_object_is_its_answer(said: str, answer: str) -> None:
    assert json_answer(said) == answer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((r"-\frac{1}{2}", r"\frac{1}{2}"), (r"\frac{1}{12}", r"\frac{11}{2}"), ("-x", "x"), ("2-1", "21"), ("10-2", "102")),
        *(("1;2", "12"), ("B-", "B"), ("Vitamin A", "Vitamin"), ("x^2+1", "x^2 1"), ("3,5", "35"), ("Model A wins", "Model wins")),
    ],
)
def test_different_answers_stay_different(one: str, other: str) -> None:
    assert normal_text(one) != normal_text(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("−5", "-5"),
        ("The Nile.", "nile"),
        ("An apple", "apple"),
        ("a dog", "Dog"),
        ("1,000", "1000"),
        ("Jean-Paul!", "jean-paul"),
        ("- Rome", "Rome"),
    ],
)
def test_the_same_answer_stays_the_same(one: str, other: str) -> None:
    assert normal_text(one) == normal_text(other)
