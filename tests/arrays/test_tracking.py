"""Tracking: the rank correlation, its exact null and the p value of a cell."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from sago.arrays.tracking import Relabelled, joint_p, relabelled_tracking, tracking


def distances(count: int, seed: int, levels: int = 1000) -> np.ndarray:
    values = np.random.default_rng(seed).integers(0, levels, (count, count)) / levels
    return np.triu(values, 1) + np.triu(values, 1).T


@pytest.mark.parametrize("count", [3, 5, 8])
@pytest.mark.parametrize("levels", [3, 1000], ids=["ties", "few ties"])
def test_it_is_spearman_over_pairs(count: int, levels: int) -> None:
    one, other = distances(count, 1, levels), distances(count, 2, levels)
    above = np.triu_indices(count, 1)
    assert tracking(one, other) == pytest.approx(stats.spearmanr(one[above], other[above]).statistic, abs=1e-9)


@given(st.integers(3, 5), st.integers(0, 10_000), st.sampled_from([4, 1000]))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_the_mean_over_all_relabelings_is_zero(count: int, seed: int, levels: int) -> None:
    one, other = distances(count, seed, levels), distances(count, seed + 1, levels)
    assume(not np.isnan(tracking(one, other)))
    null = relabelled_tracking(one, other, np.random.default_rng(0))
    every = [tracking(one, other[np.ix_(order, order)]) for order in map(list, permutations(range(count)))]
    assert null.exact
    assert null.values.mean() == pytest.approx(0, abs=1e-9)
    assert np.sort(null.values) == pytest.approx(np.sort(every), abs=1e-9)


def test_many_wordings_are_drawn() -> None:
    one, other = distances(8, 1), distances(8, 2)
    null = relabelled_tracking(one, other, np.random.default_rng(0), draws=4000)
    assert not null.exact
    assert null.values.size == 4000
    assert abs(null.values.mean()) < 4 * null.values.std() / np.sqrt(4000)


@pytest.mark.parametrize(
    ("one", "other"),
    [(distances(2, 1), distances(2, 2)), (np.ones((4, 4)), distances(4, 1)), (distances(4, 1), np.zeros((4, 4)))],
    ids=["one pair", "wordings equally far", "replies all alike"],
)
def test_nothing_to_rank(one: np.ndarray, other: np.ndarray) -> None:
    assert np.isnan(tracking(one, other))


def test_two_examples_are_enumerated_jointly() -> None:
    nulls = [Relabelled(np.array([1.0, 0.0, -1.0]), exact=True), Relabelled(np.array([0.5, -0.5]), exact=True)]
    # Sums of the six: 1.5 .5 .5 -.5 -.5 -1.5; the observed sum is .5.
    assert joint_p(np.array([0.0, 0.5]), nulls, np.random.default_rng(0)) == 0.5


def test_without_an_example_there_is_no_p() -> None:
    assert np.isnan(joint_p(np.empty(0), [], np.random.default_rng(0)))


def test_replies_that_follow_are_found_and_p_is_never_0() -> None:
    pairs = [(distances(6, seed), distances(6, seed)) for seed in range(10)]
    nulls = [relabelled_tracking(one, other, np.random.default_rng(seed)) for seed, (one, other) in enumerate(pairs)]
    assert joint_p(np.ones(10), nulls, np.random.default_rng(0)) == 1 / 1000


def test_p_is_uniform_where_replies_follow_nothing() -> None:
    found = []
    for trial in range(150):
        pairs = [(distances(5, 1000 * trial + place), distances(5, 1000 * trial + place + 500)) for place in range(4)]
        nulls = [relabelled_tracking(one, other, np.random.default_rng(place)) for place, (one, other) in enumerate(pairs)]
        found.append(joint_p(np.array([tracking(*pair) for pair in pairs]), nulls, np.random.default_rng(trial), draws=199))
    assert stats.kstest(np.array(found) - 0.0025, "uniform").pvalue > 0.001
