from __future__ import annotations

import re

import pytest
from tests.variations.tables import prompt_of, row, table

from sago.errors import StudyError
from sago.variations import vary
from sago.variations.equivalence import negations_in, numbers_in
from sago.variations.register import _OPENINGS


def test_openings_stand_in_front_and_are_the_same_for_all_examples() -> None:
    variants = vary(table(row("1", "Who?", context="A {text}."), row("2", "今年是哪一年？")), ["register"]).variants
    for example in ("1", "2"):
        rows = list(variants.filter(example=example).iter_rows(named=True))
        assert [one["variant"] for one in rows[1:]] == ["register-polite", "register-formal", "register-urgent"]
        for one in rows[1:]:
            name = one["variant"].removeprefix("register-")
            assert prompt_of(one) == _OPENINGS["en"][name] + "\n\n" + prompt_of(rows[0])
            assert one["question"] == rows[0]["question"]


@pytest.mark.parametrize("language", list(_OPENINGS))
def test_openings_hold_no_number_no_negation_and_one_line_each(language: str) -> None:
    openings = _OPENINGS[language]
    assert len(set(openings.values())) == len(openings)
    assert set(openings) <= set(_OPENINGS["en"])
    for text in openings.values():
        assert (numbers_in(text), negations_in(text), "\n" in text) == ((), 0, False)
        assert not re.search(r"[{}<>]", text)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("register:registers=rude", "unknown name 'rude'"),
        ("register:registers=hesitant,language=de", "unknown name 'hesitant'"),
        ("register:language=xx", "en or de or fr or es"),
    ],
)
def test_unknown_registers_are_refused(spec: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        vary(table(row("1", "Which?")), [spec])


def test_an_opening_that_names_an_answer_is_refused_and_counted() -> None:
    mood = row("1", "How is Kai?", choices=["Urgent", "Calm", "a", "I"], answer_index=0)
    varied = vary(table(mood, row("2", "Which?", choices=["a", "I"], answer_index=1)), ["register"])
    assert varied.counts.select("asked", "made", "dropped_unsafe").row(0) == (6, 5, 1)
    assert varied.variants.filter(example="1")["variant"].to_list() == ["canonical", "register-polite", "register-formal"]
