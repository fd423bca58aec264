"""Intervals, bounds and the jackknife."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.arrays.naive import GOLDEN

from sago.arrays import jackknife_se, mean_interval, none_in, t_interval, wilson
from sago.arrays.intervals import quantile, upper_tail


def test_golden_e49_none_of_300() -> None:
    assert none_in(GOLDEN["E49"]["n"]) == pytest.approx(GOLDEN["E49"]["bound"], abs=5e-7)


def test_golden_e59_jackknife() -> None:
    assert jackknife_se(np.array(GOLDEN["E59"]["left_out"])) == pytest.approx(GOLDEN["E59"]["se"], abs=5e-7)


@pytest.mark.parametrize("n", [2, 30, 99, 100, 5000])
def test_quantiles_are_of_t_below_100(n: int) -> None:
    expected = stats.t(n - 1) if n < 100 else stats.norm()
    assert quantile(0.975, n) == pytest.approx(expected.ppf(0.975))
    assert upper_tail(1.3, n) == pytest.approx(expected.sf(1.3))


@pytest.mark.parametrize(("successes", "n"), [(0, 25), (3, 10), (10, 10), (0, 5000)])
def test_wilson_as_scipy_has_it(successes: int, n: int) -> None:
    expected = stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    found = wilson(successes, n)
    assert (found.lower, found.upper) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_no_interval_of_nothing_or_of_one() -> None:
    assert np.isnan(wilson(0, 0)).all()
    assert np.isnan(t_interval(0.7, 0.1, 1)).all()
    assert np.isnan(mean_interval(np.empty(0))[0])
    mean, bracket = mean_interval(np.array([0.7]))
    assert mean == 0.7
    assert np.isnan(bracket).all()


def test_mean_interval_as_scipy_has_it() -> None:
    values = np.array([0.1, 0.5, 0.2, 0.9])
    mean, found = mean_interval(values)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean == pytest.approx(values.mean())
    assert (found.lower, found.upper) == pytest.approx((expected.low, expected.high))
