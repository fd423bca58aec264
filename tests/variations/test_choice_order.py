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


_MODES = ("random", "all", "cyclic", "reversed")


def _in_mode(mode: str, n: int = 0, seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    variants = vary(_case_table(), [f"choice-order:mode={mode},n={n}"], seed=seed).variants.filter(family="choice-order")
    return {str(name): group.to_dicts() for (name,), group in variants.group_by("example", maintain_order=True)}


@pytest.mark.parametrize(
    ("mode", "n", "made"),
    [
        ("random", 0, [1, 1, 1, 1, 1, 1]),
        ("random", 5, [5, 1, 5, 5, 5, 1]),
        ("all", 0, [5, 1, 5, 5, 23, 1]),
        ("all", 5, [5, 1, 5, 5, 5, 1]),
        ("cyclic", 0, [2, 1, 2, 2, 3, 1]),
        ("cyclic", 2, [2, 1, 2, 2, 2, 1]),
        ("reversed", 0, [1, 1, 1, 1, 1, 1]),
    ],
)
def test_case_11_in_every_mode(mode: str, n: int, made: list[int]) -> None:
    assert [len(found) for found in _in_mode(mode, n).values()] == made


@pytest.mark.parametrize("mode", _MODES)
def test_case_11_keeps_what_choices_say_in_every_mode(mode: str) -> None:
    given = {r["id"]: r for r in case_rows("11-all-of-the-above.jsonl")}
    for example, found in _in_mode(mode, 0 if mode != "random" else 5).items():
        choices = given[example]["choices"]
        gold = ord(given[example]["answer"]) - ord("A")
        for variant in found:
            shown, order, labels = variant["shown_choices"], variant["permutation"], variant["shown_labels"]
            assert order != list(range(len(choices)))
            assert variant["answer_index"] == gold
            assert shown[order.index(gold)].split()[-1] == choices[gold].split()[-1]
            if example in ("s1", "s2", "s4"):
                assert shown[-1] == choices[-1]
            for place, index in enumerate(order):
                if " and " not in choices[index]:
                    assert shown[place] == choices[index]
                    continue
                letters = [part for part in shown[place].split() if len(part) == 1]
                assert [order[labels.index(letter)] for letter in letters] in ([0, 1], [1, 0])
                assert letters == sorted(letters)


def test_turning_round_puts_each_choice_once_in_each_place() -> None:
    orders = [[0, 1, 2, 3], *(variant["permutation"] for variant in _in_mode("cyclic")["s5"])]
    assert all(sorted(places) == [0, 1, 2, 3] for places in zip(*orders, strict=True))
    assert [variant["variant"] for variant in _in_mode("cyclic")["s5"]] == [f"choice-order-cyclic-{by}" for by in (1, 2, 3)]


def test_orders_that_examples_share_have_one_name() -> None:
    assert [variant["variant"] for variant in _in_mode("reversed")["s5"]] == ["choice-order-reversed"]
    assert [variant["permutation"] for variant in _in_mode("reversed")["s1"]] == [[2, 1, 0, 3]]
    assert {variant["variant"] for variant in _in_mode("all")["s1"]} >= {"choice-order-2-1-3-4", "choice-order-3-2-1-4"}
    assert {variant["variant"] for variant in _in_mode("all", 5)["s5"]} == {f"choice-order-{number}" for number in range(1, 6)}


@pytest.mark.parametrize("mode", ["all", "cyclic", "reversed"])
def test_what_is_not_drawn_does_not_depend_on_the_seed(mode: str) -> None:
    first, second = (_in_mode(mode, seed=seed) for seed in (0, 1))
    assert [v["permutation"] for found in first.values() for v in found] == [v["permutation"] for found in second.values() for v in found]


def test_of_more_orders_than_the_limit_some_are_drawn() -> None:
    choices = [f"colour {word}" for word in ("red", "blue", "green", "white", "black", "brown")]
    made = vary(table(row("1", "Which?", choices=choices)), ["choice-order:mode=all"]).variants.filter(family="choice-order")
    assert made.height == len({tuple(order) for order in made["permutation"].to_list()}) == 119
    assert made["variant"].to_list()[0] == "choice-order-1"
