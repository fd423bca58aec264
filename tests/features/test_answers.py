from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.features.hand_made import PLANETS, example, inputs, observation, tables, variant

from sago import schemas
from sago.errors import SchemaError
from sago.features import ReaderInput, read_answer
from sago.features.answers import Asked, Reading, answer_reader

CHOICE = Asked("choice", ("A", "B"), ("Mars", "Venus"), ("Mars", "Venus"))
NUMBER = Asked("numeric", None, None, None)
TEXT = Asked("text", None, None, None)


@pytest.mark.parametrize(
    ("status", "response", "asked", "category", "reason"),
    [
        ("ok", "B", CHOICE, "Venus", None),
        ("ok", "maybe", CHOICE, None, "unparsed"),
        ("truncated", "The answer is B, for", CHOICE, "Venus", None),
        ("truncated", "Let me think", CHOICE, None, "truncated"),
        ("truncated", None, CHOICE, None, "truncated"),
        ("refusal", "I cannot help with A.", CHOICE, "<refusal>", None),
        ("filtered", None, CHOICE, "<filtered>", None),
        ("empty", "", CHOICE, "<empty>", None),
        ("ok", "  \n", CHOICE, "<empty>", None),
        ("error", None, CHOICE, None, "error"),
        ("too_long", None, CHOICE, None, "too_long"),
        ("ok", "It has 8.0 legs", NUMBER, "8", None),
        ("ok", "many", NUMBER, None, "unparsed"),
        ("truncated", "It costs 12", NUMBER, None, "truncated"),
        ("truncated", "It costs 12 euros and", NUMBER, "12", None),
        ("truncated", "Of 3 and 5 the answer is", NUMBER, None, "truncated"),
        ("truncated", "(A) may be it. But the answer is", CHOICE, None, "truncated"),
        ("truncated", "The answer is B. Again: my answer is", CHOICE, "Venus", None),
        ("ok", "Five.", NUMBER, "5", None),
        ("ok", "The Eiffel Tower.", TEXT, "eiffel tower", None),
        ("ok", "**", TEXT, None, "unparsed"),
        ("truncated", "The tower that stands in", TEXT, None, "truncated"),
        ("truncated", "Paris\nIt lies on", TEXT, "paris", None),
    ],
)
def test_every_status_and_task(status: str, response: str | None, asked: Asked, category: str | None, reason: str | None) -> None:
    assert read_answer(status, response, asked) == Reading(category, reason)


@pytest.mark.parametrize(
    ("permutation", "labels", "response", "category"),
    [
        ([0, 1, 2], ["A", "B", "C"], "B", "Venus"),
        ([2, 0, 1], ["A", "B", "C"], "A", "Earth"),
        ([2, 0, 1], ["A", "B", "C"], "(C)", "Venus"),
        ([2, 0, 1], ["1", "2", "3"], "2", "Mars"),
        ([2, 0, 1], ["(A)", "(B)", "(C)"], "c.", "Venus"),
        ([2, 0, 1], None, "venus", "Venus"),
        ([2, 0, 1], ["A", "B", "C"], "It is Earth.", "Earth"),
    ],
)
def test_the_category_is_the_original_choice(permutation: list[int], labels: list[str] | None, response: str, category: str) -> None:
    given_in = inputs({"response": response}, permutation=permutation, shown_labels=labels)
    assert answer_reader.read(given_in)["category"].to_list() == [category]


def test_a_rewritten_choice_is_mapped_to_its_original_text() -> None:
    of = example(choices=["x", "y", "Both A and B"], answers=["Both A and B"], answer_index=2)
    given_in = inputs(
        {"response": "C"}, {"response": "Both B and A"}, of=of, permutation=[1, 0, 2], shown_choices=["y", "x", "Both B and A"]
    )
    assert answer_reader.read(given_in)["category"].to_list() == ["Both A and B"] * 2


def test_rows_come_in_the_order_of_the_observations_with_key_and_version() -> None:
    one, two = example("1"), example("2", task="numeric")
    variants = [variant(one), variant(one, "format-1"), variant(two)]
    rows = [
        observation(variants[2], "8"),
        observation(variants[0], "A"),
        observation(variants[1], "B"),
        observation(variants[0], "C", rerun=1),
    ]
    read = schemas.check("features", answer_reader.read(ReaderInput(*tables([one, two], variants, rows))))
    assert read["category"].to_list() == ["8", "Mars", "Venus", "Earth"]
    assert read.select(schemas.KEYS).rows() == [tuple(row[name] for name in schemas.KEYS) for row in rows]
    assert read.select("feature", "reader", "version").unique().rows() == [("answer", "answer", "12")]


def test_an_observation_without_its_variant_is_named() -> None:
    of = example()
    orphan = observation(variant(of, "format-9"), "A")
    with pytest.raises(SchemaError, match="d/1/format-9"):
        answer_reader.read(ReaderInput(*tables([of], [variant(of)], [orphan])))


@given(
    st.text(),
    st.sampled_from(["ok", "truncated"]),
    st.sampled_from([CHOICE, NUMBER, TEXT, Asked("choice", None, tuple(PLANETS), tuple(PLANETS))]),
)
def test_odd_text_never_raises_and_has_a_category_or_a_reason(response: str, status: str, asked: Asked) -> None:
    reading = read_answer(status, response, asked)
    assert (reading.category is None) != (reading.reason is None)
    if asked.task == "choice" and reading.category not in {None, "<empty>"}:
        assert asked.original is not None
        assert reading.category in asked.original
