"""Mirroring by a similarity: worked examples, the exact null, and the sets that texts become."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sago.arrays import words
from sago.arrays.similarity import characters, containment, jaccard, mirror_gain, overlap_f, similarities

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "mirroring.json").read_text(encoding="utf-8"))
SIMILARITIES = [jaccard, containment, overlap_f]


def matrices(prompts: list[str], replies: list[str], similarity: Callable[..., float] = jaccard) -> tuple[np.ndarray, np.ndarray]:
    return similarities([words(text) for text in prompts], [[words(text)] for text in replies], similarity)


def test_golden_e30_the_gain_in_jaccard() -> None:
    case = GOLDEN["E30"]
    of_replies, of_wordings = matrices(case["prompts"], case["replies"])
    found = mirror_gain(of_replies, of_wordings)
    assert of_wordings[0, 1] == pytest.approx(case["between_wordings"], abs=1e-12)
    assert tuple(found) == pytest.approx((case["own"], case["sibling"], case["gain"]), abs=1e-12)


def test_golden_e32_a_constant_reply_overlaps_unequally_and_gains_nothing() -> None:
    case = GOLDEN["E32"]
    of_replies, of_wordings = matrices(case["prompts"], [case["reply"]] * 2)
    assert of_replies[:, 0].tolist() == pytest.approx(case["overlaps"], abs=1e-12)
    assert mirror_gain(of_replies, of_wordings).gain == pytest.approx(case["gain"], abs=1e-12)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("prompts", [["a b c", "a d e", "f"], ["one two", "two three"]])
def test_an_echo_is_1_and_a_swapped_echo_of_two_minus_1(similarity: Callable[..., float], prompts: list[str]) -> None:
    assert mirror_gain(*matrices(prompts, prompts, similarity)).gain == pytest.approx(1, abs=1e-12)
    if len(prompts) == 2 and similarity is not containment:
        assert mirror_gain(*matrices(prompts, prompts[::-1], similarity)).gain == pytest.approx(-1, abs=1e-12)


@given(arrays(np.float64, (3, 3), elements=st.floats(0, 1)), st.floats(0, 0.9))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_the_mean_over_all_relabelings_is_zero(of_replies: np.ndarray, shared: float) -> None:
    of_wordings = np.where(np.eye(3) == 1, 1.0, shared)
    gains = [mirror_gain(of_replies[:, list(order)], of_wordings).gain for order in permutations(range(3))]
    assert np.mean(gains) == pytest.approx(0, abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_a_constant_reply_gains_nothing(column: list[float]) -> None:
    assert mirror_gain(np.tile(np.array(column)[:, None], (1, len(column)))).gain == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("prompts", [["a b"], ["a b", "B, a!"]], ids=["one wording", "equal words"])
def test_nothing_to_tell_apart_is_no_number(prompts: list[str]) -> None:
    found = mirror_gain(*matrices(prompts, ["a"] * len(prompts)))
    assert np.isnan(found.gain)
    assert np.isnan(found.own)


def test_reruns_are_averaged() -> None:
    of_replies, _ = similarities([{"a"}, {"b"}], [[{"a"}, {"c"}], [{"a"}]], jaccard)
    assert of_replies.tolist() == [[0.5, 1.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (set(), set(), (1, 1, 1)),
        ({"a"}, set(), (0, 0, 0)),
        (set(), {"a"}, (0, 1, 0)),
        ({"a", "b"}, {"b", "c", "d"}, (1 / 4, 1 / 2, 2 / 5)),
    ],
)
def test_similarities_of_sets(one: set[str], other: set[str], expected: tuple[float, ...]) -> None:
    assert [similarity(one, other) for similarity in SIMILARITIES] == pytest.approx(list(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", set()), ("  ", set()), ("Ab", {"ab"}), ("ab\n cd", {"ab ", "b c", " cd"}), ("東京都庁", {"東京都", "京都庁"})],
)
def test_characters(text: str, expected: set[str]) -> None:
    assert characters(text) == expected
