from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variations.tables import case_rows, prompt_of, row, table

from sago.variations import vary


def _case_table() -> Any:
    rows = case_rows("11-all-of-the-above.jsonl")
    return table(*(row(r["id"], r["question"], choices=r["choices"], answer_index=ord(r["answer"]) - ord("A")) for r in rows))


def _orders(n: int, seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    variants = vary(_case_table(), [f"choice-order:n={n}"], seed=seed).variants
    found: dict[str, list[dict[str, Any]]] = {}
    for variant in variants.iter_rows(named=True):
        if variant["family"] == "choice-order":
            found.setdefault(variant["example"], []).append(variant)
    return found


@pytest.mark.parametrize(("example", "orders"), [("s1", 5), ("s2", 1), ("s3", 5), ("s4", 5), ("s5", 23), ("s6", 1)])
def test_case_11_has_every_order_that_makes_sense_and_no_more(example: str, orders: int) -> None:
    found = _orders(30)[example]
    assert len(found) == len({tuple(variant["permutation"]) for variant in found}) == orders
    assert list(range(len(found[0]["permutation"]))) not in [variant["permutation"] for variant in found]


@pytest.mark.parametrize(("example", "last"), [("s1", "All of the above"), ("s2", "None of these"), ("s4", "以上皆是")])
@pytest.mark.parametrize("seed", range(5))
def test_case_11_keeps_the_last_choice_last(example: str, last: str, seed: int) -> None:
    assert {variant["shown_choices"][-1] for variant in _orders(30, seed)[example]} == {last}


@pytest.mark.parametrize(("example", "named"), [("s2", {"Apple", "Brick"}), ("s3", {"Iron", "Copper"})])
def test_case_11_letters_name_the_same_choices_as_before(example: str, named: set[str]) -> None:
    for variant in _orders(30)[example]:
        (naming,) = (text for text in variant["shown_choices"] if " and " in text)
        letters = [part for part in naming.split() if len(part) == 1]
        assert {variant["shown_choices"][variant["shown_labels"].index(letter)] for letter in letters} == named
        assert f"{naming}" in prompt_of(variant)


@pytest.mark.parametrize("example", ["s1", "s2", "s3", "s4", "s5", "s6"])
def test_case_11_the_gold_label_points_to_the_same_choice(example: str) -> None:
    original = {r["id"]: r for r in case_rows("11-all-of-the-above.jsonl")}[example]
    for variant in _orders(30)[example]:
        place = variant["permutation"].index(variant["answer_index"])
        gold = original["choices"][variant["answer_index"]]
        assert gold == original["choices"][ord(original["answer"]) - ord("A")]
        assert variant["shown_choices"][place].split()[-1] == gold.split()[-1]
        assert f"{variant['shown_labels'][place]}. {variant['shown_choices'][place]}" in prompt_of(variant)


@pytest.mark.parametrize(
    ("question", "choices"),
    [("Is option B right?", ["x", "y"]), ("Which?", ["x", "y", "A and B but not C"]), ("Which letter?", ["A", "B"]), ("Which?", ["x"])],
)
def test_what_cannot_be_ordered_safely_is_counted(question: str, choices: list[str]) -> None:
    varied = vary(table(row("1", question, choices=choices)), ["choice-order"])
    assert varied.variants["variant"].to_list() == ["canonical"]
    assert varied.counts.select("asked", "made", "not_applicable").rows() == [(0, 0, 1)]


def test_open_questions_are_not_applicable() -> None:
    counts = vary(table(row("1", "Who?")), ["choice-order"]).counts
    assert counts["not_applicable"].to_list() == [1]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(["red", "blue", "green", "None of these", "Both A and B", "All of the above", "Only A"]), min_size=2, max_size=6
    ),
    st.integers(0, 50),
    st.integers(1, 8),
)
def test_a_permutation_maps_the_answer_back(choices: list[str], seed: int, n: int) -> None:
    gold = seed % len(choices)
    variants = vary(table(row("1", "Which?", choices=choices, answer_index=gold)), [f"choice-order:n={n}"], seed=seed).variants
    for variant in variants.iter_rows(named=True):
        permutation = variant["permutation"]
        assert sorted(permutation) == list(range(len(choices)))
        place = permutation.index(gold)
        shown = variant["shown_choices"][place]
        assert shown == choices[gold] or " A" in choices[gold]
        assert variant["answers"] == [choices[gold]]


def test_orders_are_spread_evenly() -> None:
    seen = {order: 0 for order in itertools.permutations(range(3)) if order != (0, 1, 2)}
    examples = table(*(row(str(number), "Which?", choices=["x", "y", "z"]) for number in range(1000)))
    for permutation in vary(examples, ["choice-order"]).variants.filter(family="choice-order")["permutation"].to_list():
        seen[tuple(permutation)] += 1
    assert min(seen.values()) > 150  # 200 expected of each of 5; 150 is 4 standard deviations below
