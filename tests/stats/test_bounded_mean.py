"""The bound of a mean of values that have a largest possible one: exact cases, and its level where a standard error sees nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sago.arrays.intervals import none_in
from sago.seeds import generator
from sago.stats.bounded_mean import mean_bound, mean_p


@pytest.mark.parametrize(("n", "moved"), [(60, 0), (60, 2), (200, 5), (5, 5)])
def test_of_two_values_it_is_clopper_pearson(n: int, moved: int) -> None:
    values = np.r_[np.ones(moved), np.zeros(n - moved)]
    expected = 1.0 if moved == n else stats.binomtest(moved, n, alternative="less").proportion_ci(0.95, "exact").high
    assert mean_bound(values, 1.0) == pytest.approx(expected)
    assert mean_bound(0.2 + 0.6 * values, 0.8) == pytest.approx(0.2 + 0.6 * expected)
    if moved < n:
        assert mean_p(values, 1.0, 0.1) == pytest.approx(stats.binom.cdf(moved, n, 0.1))


def test_equal_values_leave_open_what_none_in_n_does() -> None:
    assert mean_bound(np.full(50, 0.25), 1.0) == pytest.approx(0.25 + 0.75 * none_in(50))
    assert mean_bound(np.ones(3), 1.0) == 1.0


@pytest.mark.parametrize("n", [40, 3000])
def test_it_is_the_share_of_flat_weights(n: int) -> None:
    """Against 20,000 draws of the weights, of values in (-.1, .3) of which most are near 0."""
    rng = generator("bounded", n)
    values = rng.beta(0.5, 6, n) * 0.4 - 0.1
    weights = rng.standard_exponential((4000, n + 1))
    drawn = weights @ np.append(values, 1.0) / weights.sum(axis=1)
    assert mean_bound(values, 1.0) == pytest.approx(np.quantile(drawn, 0.95), abs=4e-3 if n == 40 else 3e-4)
    assert mean_p(values, 1.0, mean_bound(values, 1.0)) == pytest.approx(0.05, abs=1e-4)


def test_values_that_reach_the_mean_asked_about() -> None:
    assert mean_p(np.array([0.3, 0.4]), 1.0, 0.3) == 1.0
    assert mean_p(np.array([0.3, 0.4]), 1.0, 1.0) == 0.0


def test_the_bound_rises_with_every_example_that_moves_and_holds_its_level() -> None:
    """Changes of 1 in 5 % of 60 examples: the t bound of two of them is below that of none, and is wrong in 19 % of samples."""
    bounds = np.array([mean_bound(np.r_[np.ones(moved), np.zeros(60 - moved)], 1.0) for moved in range(20)])
    assert (np.diff(bounds) > 0).all()
    missed = stats.binom.pmf(np.arange(20), 60, 0.05)[bounds < 0.05].sum()
    assert missed <= 0.05
