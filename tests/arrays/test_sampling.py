"""Distances without a closed form: exact inside an example, sampled for unrelated questions."""

from __future__ import annotations

import numpy as np
import pytest
from tests.arrays.naive import means_of

from sago.arrays import DISTANCES, Rows, any_distance, index_of, parts_of, star_of
from sago.arrays.grouping import Floats, Integers, Values, grouped
from sago.arrays.sampling import sampled_means


def root(values: Values, left: Integers, right: Integers) -> Floats:
    """A distance that none of the closed forms is."""
    result: Floats = np.sqrt(np.abs(values[left] - values[right]))
    return result


@pytest.fixture
def registered() -> object:
    DISTANCES["root"] = any_distance("root", root)
    yield
    del DISTANCES["root"]


def cell(examples: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = [
        (example, variant)
        for example in range(examples)
        for variant in rng.choice(5, rng.integers(2, 5), replace=False)
        for _ in range(rng.integers(1, 3))
    ]
    example, variant = (np.array(column) for column in zip(*labels, strict=True))
    return rng.random(example.size), example, variant


def test_inside_an_example_every_pair_counts_and_the_null_is_near(registered: object) -> None:
    values, example, variant = cell(40, 1)
    found = parts_of(Rows(values, example, variant), "root")
    expected = means_of(values, example, variant, lambda a, b: float(np.sqrt(abs(a - b))))
    np.testing.assert_allclose(found.across, expected.across, atol=1e-12)
    np.testing.assert_allclose(found.rerun, expected.rerun, atol=1e-12)
    assert found.null == pytest.approx(expected.null, abs=0.01)
    assert np.abs(found.unrelated - expected.unrelated).mean() < 0.03


def test_partners_are_drawn_in_proportion_to_their_weight(registered: object) -> None:
    values, example, variant = cell(12, 2)
    by = grouped(example, variant)
    exact = DISTANCES["absolute"].means(values, by)
    drawn = sampled_means(values, by, DISTANCES["absolute"].between, partners=4000)
    np.testing.assert_allclose(drawn.unrelated, exact.unrelated, atol=0.01)


def test_draws_do_not_depend_on_the_order_of_rows(registered: object) -> None:
    values, example, variant = cell(30, 3)
    once = np.unique(np.stack([example, variant], axis=1), axis=0, return_index=True)[1]
    values, example, variant = values[once], example[once], variant[once]
    order = np.random.default_rng(0).permutation(once.size)
    one = index_of(parts_of(Rows(values, example, variant), "root"))
    two = index_of(parts_of(Rows(values[order], example[order], variant[order]), "root"))
    assert one.instability == pytest.approx(two.instability, abs=1e-12)


def test_one_example_has_no_partner(registered: object) -> None:
    found = parts_of(Rows(np.array([0.0, 1.0]), np.zeros(2), np.array([0, 1])), "root")
    assert found.across.tolist() == [1]
    assert np.isnan(found.null)


@pytest.mark.parametrize("distance", ["nominal", "absolute"])
def test_the_star_counts_the_pairs_with_the_canonical_wording_alone(distance: str) -> None:
    values = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 5.0, 6.0, 7.0])
    example = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    variant = np.array(["canonical", "a", "b", "b", "canonical", "a", "a", "b"])
    given = values.astype(np.int64) if distance == "nominal" else values
    found = star_of(Rows(given, example, variant), distance, "canonical", np.arange(4))
    expected = [0.5, 1.0 if distance == "nominal" else 5.0, np.nan, np.nan]
    np.testing.assert_array_equal(found, expected)
