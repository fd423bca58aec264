"""Distinctive wording: worked examples, the exact null, words of every script."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sago.arrays import uptake, uptake_matrix, words

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


def test_the_mean_over_all_relabelings_is_zero() -> None:
    replies = ["please, the city is paris", "paris", "kindly: paris it has"]
    gains = [uptake(*of_texts(PROMPTS, [[replies[place]] for place in order])).gain for order in permutations(range(3))]
    assert np.mean(gains) == pytest.approx(0, abs=1e-12)
    assert np.ptp(gains) > 0


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
