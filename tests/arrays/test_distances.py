"""Closed forms against the definition, pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arrays.naive import DEFINITIONS

from sago.arrays import DISTANCES, UNKNOWN, beside_texts
from sago.arrays.distances import nominal_codes, unit_rows


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


@pytest.mark.parametrize("name", sorted(DISTANCES))
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 25), groups=st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_group_sums_are_sums_of_pairs(name: str, seed: int, count: int, groups: int) -> None:
    rng = np.random.default_rng(seed)
    values, weights, group = drawn(name, count, rng), rng.random(count), rng.integers(0, groups, count)
    found = DISTANCES[name].sum_to_group(DISTANCES[name].prepare(values), weights, group)
    expected = [sum(weights[s] * differ(name, values, r, s) for s in range(count) if s != r and group[s] == group[r]) for r in range(count)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_matrices_inside_blocks_are_pairs(name: str) -> None:
    rng = np.random.default_rng(5)
    values = drawn(name, 12, rng)
    blocks = rng.permutation(12).reshape(3, 4)
    found = DISTANCES[name].within(DISTANCES[name].prepare(values), blocks)
    for block, rows in enumerate(blocks):
        for one in range(4):
            for two in range(4):
                if one != two:
                    assert found[block, one, two] == pytest.approx(differ(name, values, rows[one], rows[two]), abs=1e-9)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["b", "a", "b"], [1, 0, 1]),
        ([None, "a", None, "c"], [UNKNOWN, 0, UNKNOWN, 1]),
        ([3, -1, 3], [0, UNKNOWN, 0]),
        ([0.5, np.nan, 0.25], [1, UNKNOWN, 0]),
    ],
)
def test_categories_become_codes_and_null_is_unknown(labels: list[Any], expected: list[int]) -> None:
    array = np.array(labels, dtype=object) if any(label is None for label in labels) else np.array(labels)
    assert nominal_codes(array).tolist() == expected


def test_unknown_answers_never_agree() -> None:
    kind = DISTANCES["nominal"]
    sums = kind.sum_to_group(np.array([UNKNOWN, UNKNOWN, 0, 0]), np.ones(4), np.zeros(4, np.int64))
    assert sums.tolist() == [3, 3, 2, 2]


def test_zero_has_no_direction() -> None:
    assert unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist() == [[0.6, 0.8], [0.0, 0.0]]


@pytest.mark.parametrize("far", [1.0, 1.5])
def test_replies_without_text_are_alike_by_kind_and_far_from_the_rest(far: float) -> None:
    kinds = np.array([-1, -1, 0, 0, 1, -2, -2])
    rows = beside_texts(np.array([[1.0, 0], [0, 2.0], *[[9.0, 9.0]] * 5]), kinds, far)
    found = DISTANCES["inner"].within(rows, np.arange(7)[None, :])[0]
    text, empty, refused, unread = (0, 1), (2, 3), 4, (5, 6)
    assert found[text] == pytest.approx(1)
    assert found[empty] == pytest.approx(0, abs=1e-12)
    for pair in [(0, 2), (2, 4), (0, refused), (0, 5), (2, 5), unread]:
        assert found[pair] == pytest.approx(far)


def test_large_offsets_cost_no_digits() -> None:
    values = np.array([[1e8, 0.0], [1e8 + 1, 0.0], [1e8 + 3, 0.0]])
    kind = DISTANCES["squared_euclidean"]
    assert kind.sum_to_group(kind.prepare(values), np.ones(3), np.zeros(3, np.int64)) == pytest.approx([10, 5, 13])


def test_equal_scalars_are_exactly_zero_apart_in_a_large_table() -> None:
    values = np.repeat(np.random.default_rng(0).random(50_000), 2)
    found = DISTANCES["absolute"].sum_to_group(values, np.ones(values.size), np.repeat(np.arange(50_000), 2))
    assert not found.any()
