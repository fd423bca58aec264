"""Answers that a hasty reader gets wrong without a sign: each has the value that it states."""

from __future__ import annotations

import pytest

from sago.features.numbers import given_number, normal_number, stated_number
from sago.features.structured import json_answer
from sago.features.texts import normal_text


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(("The answer is minus 5", "-5"), ("The answer is –5.", "-5"), ("It is negative 5", "-5"), ("5 minus 3 = 2", "2"), ("5–7", "7")),
        *((r"\boxed{\frac{5}{2}}", "2.5"), (r"$\frac{7}{2}$", "3.5"), (r"\boxed{-\frac{7}{2}}", "-3.5"), (r"\dfrac{1}{3}", "1/3")),
        *(("12 345", "12345"), ("The answer is 1 000", "1000"), ("1'000", "1000"), ("1’000", "1000"), ("3 4", "4")),
        *(("3 1/2", "3.5"), ("The answer is 3 1/2", "3.5"), ("3½", "3.5"), ("½", "0.5"), ("-3 1/2", "-3.5"), ("2 and 4/5", "0.8")),
        *(("5k", "5000"), ("$5K", "5000"), ("1.5M", "1500000"), ("1.2bn", "1200000000"), ("5 kg", "5"), ("5m", "5")),
    ],
)
def test_the_whole_number_is_read(said: str, number: str) -> None:
    assert stated_number(said) == number
    assert given_number(said) == number


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
