"""Distinctive wording: worked examples, the exact null, words of every script."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sago.arrays import distinctive, mean_interval, uptake, uptake_matrix, words
from sago.arrays.uptake import pooled_mean

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "uptake.json").read_text(encoding="utf-8"))
PROMPTS = ["please give the capital of france", "kindly name the capital of france", "france has which capital city"]


def of_texts(prompts: list[str], replies: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    return uptake_matrix([words(text) for text in prompts], [[words(text) for text in own] for own in replies])


@pytest.mark.parametrize("name", sorted(GOLDEN["cases"]))
def test_golden_e29(name: str) -> None:
    case = GOLDEN["cases"][name]
    found = uptake(*of_texts(case["prompts"], [[reply] for reply in case["replies"]]))
    for field in ("own", "sibling", "gain"):
        expected = float("nan") if case[field] is None else case[field]
        assert getattr(found, field) == pytest.approx(expected, abs=GOLDEN["tolerance"], nan_ok=True)
    assert found.weight == case["weight"]


WORDS = st.lists(st.sampled_from("abcdef"), max_size=5).map(" ".join)


@given(st.integers(2, 4).flatmap(lambda count: st.tuples(*[st.lists(WORDS, min_size=count, max_size=count)] * 2)), st.integers(1, 2))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_the_mean_over_all_relabelings_is_zero(texts: tuple[list[str], list[str]], n: int) -> None:
    surfaces, replies = ([words(text, n) for text in side] for side in texts)
    assume(uptake_matrix(surfaces, [[reply] for reply in replies])[1].sum() > 0)
    gains = [uptake(*uptake_matrix(surfaces, [[replies[place]] for place in order])).gain for order in permutations(range(len(surfaces)))]
    assert np.mean(gains) == pytest.approx(0, abs=1e-12)
    assert -1 <= min(gains) <= max(gains) <= 1


@given(st.lists(WORDS, min_size=2, max_size=4), WORDS)
@settings(deadline=None, max_examples=50, derandomize=True)
def test_a_constant_reply_gains_nothing_and_an_echo_everything(prompts: list[str], reply: str) -> None:
    assume(of_texts(prompts, [[text] for text in prompts])[1].sum() > 0)
    assert uptake(*of_texts(prompts, [[reply]] * len(prompts))).gain == pytest.approx(0, abs=1e-12)
    assert uptake(*of_texts(prompts, [[text] for text in prompts])).gain == 1


def test_the_matrix_is_the_definition() -> None:
    replies = [["please give", ""], ["kindly, give a city"], ["which city has it"]]
    counts, sizes = of_texts(PROMPTS, replies)
    for mine, mark in enumerate(distinctive([words(prompt) for prompt in PROMPTS])):
        others = set().union(*(words(prompt) for place, prompt in enumerate(PROMPTS) if place != mine))
        assert mark == words(PROMPTS[mine]) - others
        assert sizes[mine] == len(mark)
        assert counts[mine].tolist() == [np.mean([len(mark & words(reply)) for reply in own]) for own in replies]


def test_only_what_is_marked_counts() -> None:
    surfaces = [words(prompt) for prompt in PROMPTS[:2]]
    counts, sizes = uptake_matrix(surfaces, [[words("please give it")], [words("kindly")]], [words("please the"), words("")])
    assert counts.tolist() == [[1, 0], [0, 0]]
    assert sizes.tolist() == [1, 0]


def test_sums_over_examples_weigh_examples_by_their_words() -> None:
    values, weights = np.array([0.0, 1.0, 0.5]), np.array([1.0, 3.0, 2.0])
    mean, interval = pooled_mean(values, weights)
    assert mean == pytest.approx(4 / 6)
    assert interval.se == pytest.approx(np.sqrt(1.5 * np.sum((weights * (values - mean)) ** 2)) / 6)
    plain, expected = pooled_mean(values, np.ones(3)), mean_interval(values)
    assert plain[0] == pytest.approx(expected[0])
    assert plain[1] == pytest.approx(expected[1])
    assert np.isnan(pooled_mean(np.empty(0), np.empty(0))[0])
    assert np.isnan(pooled_mean(values[:1], weights[:1])[1].se)


def test_reruns_are_averaged_and_an_empty_reply_takes_up_nothing() -> None:
    counts, sizes = of_texts(PROMPTS[:2], [["please give", ""], ["paris"]])
    assert counts.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert sizes.tolist() == [2, 2]


def test_families_are_parts_of_the_whole() -> None:
    counts, sizes = of_texts(PROMPTS, [["please"], ["kindly name"], ["a city"]])
    whole, first, rest = uptake(counts, sizes), uptake(counts, sizes, [0]), uptake(counts, sizes, [1, 2])
    assert first.weight + rest.weight == whole.weight
    assert first.own * first.weight + rest.own * rest.weight == pytest.approx(whole.own * whole.weight)


def test_one_variant_has_no_siblings() -> None:
    assert np.isnan(uptake(*of_texts(PROMPTS[:1], [["please"]])).gain)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't STOP, don't!", {"don't", "stop"}),
        ("O’Neil’s well", {"o'neil's", "well"}),
        ("Größe: 25 °C", {"größe", "25", "c"}),
        ("मेरा नाम क्या है?", {"मेरा", "नाम", "क्या", "है"}),
        ("東京はどこ？", {"東", "京", "は", "ど", "こ"}),
        ("ไทย abc", {"ไ", "ท", "ย", "abc"}),
        ("서울은 어디 입니까", {"서울은", "어디", "입니까"}),
        ("(A) snake_case **bold**", {"a", "snake", "case", "bold"}),
        ("?! …", set()),
        ("", set()),
    ],
)
def test_words_of_every_script(text: str, expected: set[str]) -> None:
    assert words(text) == expected


def test_equal_texts_in_other_normal_forms_have_equal_words() -> None:
    assert words("Caf\u00e9 na\u00efve") == words("Cafe\u0301 nai\u0308ve")


def test_n_grams() -> None:
    assert words("a b c", 2) == {"a b", "b c"}
    assert words("a", 2) == frozenset()
