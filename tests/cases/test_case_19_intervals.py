"""Case 19: intervals of one item, of none, of items without spread, of items with many wordings, and twice the same."""

from __future__ import annotations

import numpy as np
import pytest

from sago.arrays import Rows, index_of, mean_interval, measure, parts_of, wilson


def test_a_one_item_has_an_estimate_and_no_interval() -> None:
    mean, interval = mean_interval(np.array([0.7]))
    assert mean == 0.7
    assert np.isnan([interval.lower, interval.upper, interval.se]).all()


def test_a_one_example_has_a_raw_value_and_no_scale() -> None:
    found = measure(["A", "B"], [1, 1], [1, 2])
    assert (found.across, found.n, found.reason) == (1, 1, "too_few_examples")
    assert np.isnan([found.instability, found.se, found.across_interval.lower]).all()


@pytest.mark.filterwarnings("error")
def test_b_nothing_is_null_without_a_warning() -> None:
    mean, interval = mean_interval(np.array([]))
    assert np.isnan([mean, interval.lower, interval.upper]).all()
    assert np.isnan(wilson(0, 0).upper)
    found = measure(np.array([], dtype=np.int64), np.array([]), np.array([]))
    assert (found.n, found.reason) == (0, "too_few_variants")


@pytest.mark.parametrize(("n", "upper", "digits"), [(25, 0.1332, 4), (5000, 0.00077, 5)])
def test_c_no_change_in_n_examples_is_a_bound_and_no_point(n: int, upper: float, digits: int) -> None:
    assert round(wilson(0, n).upper, digits) == upper
    example, variant = np.repeat(np.arange(n), 2), np.tile([0, 1], n)
    found = measure(example, example, variant)
    assert (found.across, found.instability) == (0, 0)
    assert round(found.across_interval.upper, digits) == upper
    assert "no_spread" in found.flags


def test_d_examples_are_resampled_and_not_their_wordings() -> None:
    """Two items of fifty wordings: item 1 always 0, item 2 always 1. The error is that of two items, .5, not of a hundred rows, .05."""
    example, variant = np.repeat([1, 2], 50), np.tile(np.arange(50), 2)
    scores = np.array([values.mean() for values in (np.zeros(50), np.ones(50))])
    mean, interval = mean_interval(scores)
    assert (mean, interval.se) == (0.5, 0.5)
    # One example whose wordings all differ, one whose wordings agree: B_i = 1 and 0, so the error of B is .5 as well.
    answers = np.r_[np.arange(50), np.full(50, 99)]
    found = measure(answers, example, variant)
    assert (found.across, found.n) == (0.5, 2)
    assert found.across_interval.se == pytest.approx(0.5)


def test_e_the_same_interval_both_times_and_in_any_order() -> None:
    rng = np.random.default_rng(0)
    example, variant = (labels.reshape(-1) for labels in np.indices((30, 4)))
    values, order = rng.random(120), rng.permutation(120)
    one, two = (index_of(parts_of(Rows(values, example, variant), "absolute")) for _ in range(2))
    other = index_of(parts_of(Rows(values[order], example[order], variant[order]), "absolute"))
    assert one.interval == two.interval
    assert one.across_interval == two.across_interval
    assert one.across_interval == pytest.approx(other.across_interval, abs=1e-12)


def test_everything_moved_is_a_bound_too() -> None:
    """Two examples whose wordings all differ: an interval that is the point 1 would be certain of what two examples show."""
    found = measure(["a", "b", "c", "d"], [1, 1, 2, 2], [1, 2, 1, 2])
    assert (found.across, found.instability, found.se) == (1, 1, 0)
    assert found.across_interval.lower == found.interval.lower == wilson(2, 2).lower
    assert "no_spread" in found.flags


def test_one_value_between_the_ends_is_marked() -> None:
    found = measure(["a", "a", "b", "c", "c", "d"], [1, 1, 1, 2, 2, 2], [1, 2, 3, 1, 2, 3])
    assert found.across == found.across_interval.lower == pytest.approx(2 / 3)
    assert "no_spread" in found.flags
