"""Closed forms against the definition, pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arrays.naive import DEFINITIONS

from sago.arrays import DISTANCES, UNKNOWN, Rows, beside_texts, parts_of
from sago.arrays.distances import nominal_codes
from sago.arrays.grouping import coded
from sago.arrays.vectors import unit_rows


def drawn(distance: str, count: int, rng: np.random.Generator) -> np.ndarray:
    if distance == "nominal":
        return rng.integers(-1, 4, count)
    if distance == "absolute":
        return rng.random(count)
    if distance == "inner":
        return beside_texts(rng.normal(size=(count, 3)), rng.integers(-2, 2, count), 1.25)
    return rng.normal(size=(count, 4)) + 5


def differ(distance: str, values: np.ndarray, one: int, two: int) -> float:
    return DEFINITIONS[distance](values[one], values[two])


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_distances_between_rows_are_the_definition(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = drawn(name, 12, rng)
    left, right = rng.integers(0, 12, 30), rng.integers(0, 12, 30)
    found = DISTANCES[name].between(DISTANCES[name].prepare(values), left, right)
    np.testing.assert_allclose(found, [differ(name, values, one, two) for one, two in zip(left, right, strict=True)], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["b", "a", "b"], [1, 0, 1]),
        ([None, "a", None, "c"], [UNKNOWN, 0, UNKNOWN, 1]),
        ([3, -1, 3], [3, UNKNOWN, 3]),
        ([10**9, -1, 5], [1, UNKNOWN, 0]),
        ([0.5, np.nan, 0.25], [1, UNKNOWN, 0]),
    ],
)
def test_categories_become_codes_and_null_is_unknown(labels: list[Any], expected: list[int]) -> None:
    array = np.array(labels, dtype=object) if any(label is None for label in labels) else np.array(labels)
    assert nominal_codes(array).tolist() == expected


def test_unknown_answers_never_agree() -> None:
    answers = np.array([UNKNOWN, UNKNOWN, 0, 0])
    found = DISTANCES["nominal"].between(answers, np.array([0, 0, 0, 2]), np.array([0, 1, 2, 3]))
    assert found.tolist() == [1, 1, 1, 0]
    cell = parts_of(Rows(answers, np.zeros(4, np.int64), np.array([0, 0, 1, 1])), "nominal")
    assert (cell.across.tolist(), cell.rerun.tolist()) == ([1], [0.5])


def test_zero_has_no_direction() -> None:
    assert unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])) == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))


@pytest.mark.parametrize("far", [1.0, 1.5])
def test_replies_without_text_are_alike_by_kind_and_far_from_the_rest(far: float) -> None:
    kinds = np.array([-1, -1, 0, 0, 1, -2, -2])
    rows = beside_texts(np.array([[1.0, 0], [0, 2.0], *[[9.0, 9.0]] * 5]), kinds, far)
    left, right = np.indices((7, 7)).reshape(2, -1)
    found = DISTANCES["inner"].between(rows, left, right).reshape(7, 7)
    text, empty, refused, unread = (0, 1), (2, 3), 4, (5, 6)
    assert found[text] == pytest.approx(1)
    assert found[empty] == pytest.approx(0, abs=1e-12)
    for pair in [(0, 2), (2, 4), (0, refused), (0, 5), (2, 5), unread]:
        assert found[pair] == pytest.approx(far)


def test_large_offsets_cost_no_digits() -> None:
    values = np.array([[1e8, 0.0], [1e8 + 1, 0.0], [1e8 + 3, 0.0]])
    found = parts_of(Rows(values, np.zeros(3, np.int64), np.arange(3)), "squared_euclidean")
    assert found.across == pytest.approx([14 / 3], rel=1e-12)


def test_equal_scalars_are_exactly_zero_apart_in_a_large_table() -> None:
    values = np.repeat(np.random.default_rng(0).random(50_000), 2)
    found = parts_of(Rows(values, np.repeat(np.arange(50_000), 2), np.tile([0, 1], 50_000)), "absolute")
    assert not found.across.any()


@pytest.mark.parametrize("labels", [[5, 7, 5], [0, 1, 0], [10**12, 3, 10**12], ["b", "a", "b"], [1.5, 0.5, 1.5]])
def test_labels_become_places_among_the_sorted_names(labels: list[Any]) -> None:
    names, codes = coded(np.array(labels))
    expected_names, expected_codes = np.unique(labels, return_inverse=True)
    assert names.tolist() == expected_names.tolist()
    assert codes.tolist() == expected_codes.tolist()


def test_vectors_are_not_copied_as_a_whole() -> None:
    vectors = np.ones((4, 3), dtype=np.float32)
    assert DISTANCES["cosine"].prepare(vectors) is vectors
