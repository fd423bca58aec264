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
        *(
            ("2020-12-25", None),
            ("12 345,67", "12345.67"),
            ("1.234,56", "1234.56"),
            ("2x", None),
            ("3x + 5", None),
            ("0x1F", None),
            ("log 5", None),
        ),
        *(("sin(30)", None), ("3+4i", None), ("1-1/2", None), ("8 minus 5", None), ("-five", "-5"), ("five", "5"), ("two hundred", "200")),
        *(("two thirds", "2/3"), ("one half", "0.5"), ("one-third", "1/3"), ("one hundred twenty", "120"), ("three point five", None)),
        *(("(3, 4)", None), ("between 3 and 5", None), ("3 hours 20 minutes", None), ("6'2\"", None), ("5 ± 2", None), ("5 apples", "5")),
        *(("5 million dollars", "5000000"), ("-5°C", "-5"), ("5 cm^2", "5"), ("$5$", "5"), ("2^10", "1024"), ("6.02e3", "6020")),
    ],
)
def test_no_part_of_an_answer_is_read_as_its_number(said: str, number: str | None) -> None:
    assert given_number(said) == number
    assert stated_number(f"The answer is {said}") == number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(("one hundred and twenty dollars", "120"), ("three and a half", "3.5"), ("2 and a half hours", "2.5"), ("2 thirds", "2/3")),
        *(("half", "0.5"), ("a quarter", "0.25"), ("two million five hundred thousand", "2500000"), ("minus two thirds", "-2/3")),
        *(("twenty-first", None), ("twenty fifth", None), ("third", None), ("five dozen", None), ("5 dozen", None), ("3 quarters", None)),
        *(("10 out of 12", None), ("10 of the 12 students", None), ("1 in 4", None), ("20% of 50", None), ("at least 5", None)),
        *(("more than $5", None), ("> 5", None), ("x ≤ 5", None), ("5+", None), (r"\boxed{5!}", None), ("5!", "5"), ("0.333...", None)),
        *((r"0.\overline{3}", None), (r"\boxed{5\text{ or }7}", None), (r"\boxed{18 \text{ dollars}}", "18"), ("x = 5, y = 3", None)),
        *(("5 apples and 3 oranges", None), (r"$\frac{3}{4}$ or 0.75", "0.75"), ("9 * 2 = $<<9*2=18>>18", "18"), ("<b>5</b>", "5")),
    ],
)
def test_words_parts_and_bounds_are_read_whole_or_not_at_all(said: str, number: str | None) -> None:
    assert given_number(said) == number
    assert given_number(f"The answer is {said}") == number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(("The answer is 5. Actually, it's 6.", "6"), ("The answer is 5. No, wait, it is 6.", "6"), ("Answer: 5, no wait, 6", "6")),
        *(
            ("I think the answer is 5. Wait, let me recheck. 3+4 = 7. So the answer is 7.", "7"),
            ("The answer is 5. Wait, 3 + 4 = 7.", None),
        ),
        *(("The answer is 7. Wait, let me check: 3 + 4 = 7. Yes.", "7"), ("Answer: 5. No, this is no trick.", "5")),
        *(("The answer is not 5.", None), ("The answer isn't 5", None), ("The answer is not 5 but 6.", "6"), ("It is not 5.", None)),
        *(("The answer is 6. The answer is not 5.", "6"), ("The answer is unknown. She has 3 apples.", None)),
        *(("I cannot determine this from 3 numbers.", None), ("There is not enough information: she has 5 apples.", None)),
    ],
)
def test_a_number_that_is_denied_or_taken_back_is_not_the_answer(said: str, number: str | None) -> None:
    assert given_number(said) == number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(("The answer is 18, because 20 - 2 = 18, and 3 + 4 = 7.", "18"), ("Answer:\n\n18\n\nShe has 16 - 7 = 9 eggs.", "18")),
        *(("La respuesta es 18 porque 16 - 3 = 13 y 4.", "18"), ("Die Antwort ist 18 Euro, weil 9 * 2 = 18 und 3 bleiben.", "18")),
        *(
            ("答案是5", "5"),
            ("答えは18です", "18"),
            ("답: 18", "18"),
            ("Ответ: 18", "18"),
            ("The answer to this 3-part question is 18.", "18"),
        ),
        *(("Final answer: 2,125 (3 x 4)", "2125"), ("The answer to the question is 18.", "18")),
        *(("16 eggs, 3 eaten, 9 left.\nTherefore, she makes $18 every day.", "18"), ("1 egg. So 3 are left, or 4.", None)),
        *(("The total is 12 apples. He gives 3 away, leaving 9.", "9"), ("3 and 9. The total is 12.", "12")),
        *(("She sells 9 eggs for $2, making $18. This is calculated as 16 - 7 = 9.", None), ("<answer>18</answer> of 20", "18")),
    ],
)
def test_the_number_that_a_longer_response_comes_to(said: str, number: str | None) -> None:
    assert given_number(said) == number


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
