from __future__ import annotations

import pytest

from sago.features import AnswerFormat, Asked, Reading, json_answer, read_answer

PLANETS = ("Mars", "Venus", "Earth")
CHOICE = Asked("choice", ("A", "B", "C"), PLANETS, PLANETS)
NUMBER = Asked("numeric", None, None, None)
TEXT = Asked("text", None, None, None)


@pytest.mark.parametrize(
    ("response", "value"),
    [
        ('{"Answer": "B"}', "B"),
        ('```json\n{\n  "Answer": "B"\n}\n```', "B"),
        ('{"reason": "\\"A\\" is wrong", "final_answer": "B"}', "B"),
        ("{'answer': 'B'}", "B"),
        ('{"answer": 42}', "42"),
        ('{"answer": -1.5}', "-1.5"),
        ('{"answer": ["B", "C"]}', "B, C"),
        ('{"answer": ["B", "B"]}', "B"),
        ('{"answer": {"unit": "kg", "value": 5}}', "5"),
        ('{"answer": {"letter": "B", "text": "Venus"}}', "B"),
        ('{"answer": {"x": 3, "y": 4}}', "3, 4"),
        ('{"steps": 3, "answer": null}', ""),
        ('{"answer": null, "final_answer": 5}', "5"),
        ('{"selected_option": "B"}', "B"),
        ('{"answer": {"letter": "B"}}', "B"),
        ('{"answer": true}', "true"),
        ('{"CORRECT_CHOICE": "Venus"}', "Venus"),
        ('First {"answer": "A"}, no: {"answer": "B"}', "B"),
        ('{"answer": "a \\u00e9"}', "a é"),
        ('{"answer": "B", "reason": "because it', "B"),
        ('{"answer": null}', ""),
        ('{"answer": 1/2}', "1/2"),
        ('{"answer": 1,000}', "1,000"),
        ('{"answer": 1,000, "unit": 5}', "1,000"),
        ('{"answer": 12, "unit": 5}', "12"),
        ('{"answer": [1,200]}', "1, 200"),
        ('{"answer": 12 // 5 + 7\n}', "12"),
        ('{"answer": 12, "solution": "add 5 and 7 in 2 steps"}', "12"),
        ('{"solution": "5 + 7", "answer": 12, "final_answer": 13, "label": "x"}', "12"),
        ('{"final_answer": 13, "result": 2}', "13"),
        ('{"choice": "B", "label": "x"}', "B"),
        ('{"answer": "\\frac{1}{2}"}', "\\frac{1}{2}"),
        ('{"answer": "\\\\frac{1}{2}"}', "\\frac{1}{2}"),
        ('{"question": "the answer"}', None),
        ("Answer: B", None),
        ('The schema is {"properties": {"answers": 3}}', None),
    ],
)
def test_the_value_of_an_answer_field(response: str, value: str | None) -> None:
    assert json_answer(response) == value


def test_a_number_at_the_cut_is_not_read() -> None:
    assert json_answer('{"answer": 4', cut_off=True) is None
    assert json_answer('{"answer": 4', cut_off=False) == "4"
    assert json_answer('{"answer": 4}', cut_off=True) == "4"
    assert json_answer('{"answer": 4,', cut_off=True) is None
    assert json_answer('{"answer": "4",', cut_off=True) == "4"
    assert json_answer('{"answer": 4, "re', cut_off=True) == "4"


@pytest.mark.parametrize(
    ("response", "asked", "category"),
    [
        ('{"Answer": "B"}', CHOICE, "Venus"),
        ('{"answer": "venus"}', CHOICE, "Venus"),
        ('{"answer": "E"}', CHOICE, None),
        ('{"result": 1000.0, "unit": "m 7"}', NUMBER, "1000"),
        ('{"answer": "1,000 legs"}', NUMBER, "1000"),
        ('{"answer": 1/2}', NUMBER, "0.5"),
        ('{"answer": 1,000}', NUMBER, "1000"),
        ('{"answer": 1 000}', NUMBER, "1000"),
        ('{"answer": 3½}', NUMBER, "3.5"),
        ('{"answer": –5}', NUMBER, "-5"),
        ('{"answer": $1.5M}', NUMBER, "1500000"),
        ('{"answer": 300K}', NUMBER, None),
        ('{"answer": "-\\frac{7}{2}"}', NUMBER, "-3.5"),
        ('{"answer": 12, "solution": "add 5 and 7 in 2 steps"}', NUMBER, "12"),
        ('{"answer": "The Eiffel Tower"}', TEXT, "eiffel tower"),
    ],
)
def test_it_is_read_for_every_task(response: str, asked: Asked, category: str | None) -> None:
    assert read_answer("ok", response, asked) == Reading(category, None if category else "unparsed")


def test_where_only_json_counts_plain_words_are_unparsed() -> None:
    assert read_answer("ok", "B", CHOICE, AnswerFormat(is_json=True)) == Reading(None, "unparsed")
    assert read_answer("ok", '{"answer": "B"}', CHOICE, AnswerFormat(is_json=True)).category == "Venus"


@pytest.mark.parametrize(
    ("pattern", "response", "asked", "category"),
    [
        (r"<ans>(.*?)</ans>", "<ans>A</ans> or rather <ans>B</ans>", CHOICE, "Venus"),
        (r"<ans>(.*?)</ans>", "Answer: B", CHOICE, None),
        (r"\d+", "12 legs", NUMBER, "12"),
        (r"=> (.*)", "so => The Seine.", TEXT, "seine"),
        (r"=> (\w+)?", "=> ", TEXT, None),
    ],
)
def test_a_pattern_comes_before_everything(pattern: str, response: str, asked: Asked, category: str | None) -> None:
    assert read_answer("ok", response, asked, AnswerFormat(pattern)).category == category


@pytest.mark.parametrize(
    ("reply", "want"),
    [
        ('{"answer": "Paris"}\n\n{"answer": "Lyon"}', ""),
        ('```json\n{"answer": "Paris"}\n```\n```json\n{"answer": "Lyon"}\n```', ""),
        ('{"answer": "Paris"}\n{"answer": "paris"}', "paris"),
        ('{"answer": "Paris"}\nOn second thought:\n{"answer": "Lyon"}', "Lyon"),
        ('{"thought": "Lyon?"}\n{"answer": "Paris"}', "Paris"),
    ],
)
def test_objects_in_a_row_that_differ_state_no_answer(reply: str, want: str) -> None:
    assert json_answer(reply) == want
