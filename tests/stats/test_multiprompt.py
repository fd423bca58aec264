"""Accuracy over wordings: best, worst, spread and what chance alone makes of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sago.arrays import wilson
from sago.errors import InputError
from sago.stats.multiprompt import all_right, combined_performance, saturation, wording_spread

RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=40, derandomize=True)


def test_the_combined_score_by_hand() -> None:
    """Max .8, mean .6: saturation 1 - .2 = .8, score .8 x .8."""
    accuracies = np.array([0.8, 0.6, 0.4])
    assert saturation(accuracies) == pytest.approx(0.8)
    assert combined_performance(accuracies) == pytest.approx(0.64)
    assert combined_performance(np.array([0.7, 0.7])) == pytest.approx(0.7)
    assert np.isnan([saturation(np.empty(0)), combined_performance(np.empty(0))]).all()


@given(right=st.lists(st.booleans(), min_size=1, max_size=6), k=st.integers(1, 4))
@QUICK
def test_pass_k_is_the_share_of_ways_to_draw_k_right_replies(right: list[bool], k: int) -> None:
    found = all_right(np.array([sum(right)]), np.array([len(right)]), k)[0]
    if k > len(right):
        assert np.isnan(found)
    else:
        assert found == pytest.approx(np.mean([all(drawn) for drawn in combinations(right, k)]))


def test_pass_k_has_no_bias() -> None:
    """Replies right with probability .7, independently: 2 of 2 are with probability .49, whatever R."""
    right = RNG(0).binomial(5, 0.7, 40_000)
    assert all_right(right, np.full(right.size, 5), 2).mean() == pytest.approx(0.49, abs=0.006)
    with pytest.raises(InputError, match="k is 0"):
        all_right(right[:1], right[:1], 0)


def test_the_numbers_by_hand() -> None:
    found = wording_spread(np.array([[1.0, 1, 1], [1, 0, 1], [0, 0, 1], [0, 0, 0]]), RNG(0))
    assert (found.highest, found.lowest, found.mean, found.spread) == pytest.approx((0.75, 0.25, 0.5, 0.5))
    assert found.combined == pytest.approx((1 - (0.75 - 0.5)) * 0.75)
    assert found.accuracies == pytest.approx([0.5, 0.25, 0.75])


@given(shares=hnp.arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(2, 4)), elements=st.sampled_from([0.0, 0.5, 1.0])))
@QUICK
def test_every_number_lies_in_its_interval_and_every_interval_in_0_to_1(shares: np.ndarray) -> None:
    found = wording_spread(shares, RNG(1), draws=100)
    for name, bracket in found.intervals.items():
        assert 0 <= bracket.lower <= getattr(found, name) + 1e-9, name
        assert getattr(found, name) - 1e-9 <= bracket.upper <= 1 + 1e-9, name
    assert found.optimism >= 0
    assert found.chance >= 0


def test_the_order_of_examples_changes_nothing() -> None:
    shares = (RNG(0).random((50, 3)) < 0.6).astype(float)
    assert wording_spread(shares, RNG(5)).intervals == wording_spread(shares[::-1], RNG(5)).intervals


def correlated(rng: np.random.Generator, n: int, accuracy: list[float]) -> np.ndarray:
    """Returns right or wrong for examples that are easy or hard for all wordings alike."""
    from scipy.special import ndtri

    noise = 0.9 * rng.normal(size=(n, 1)) + np.sqrt(1 - 0.81) * rng.normal(size=(n, len(accuracy)))
    right: np.ndarray = (noise < ndtri(np.array(accuracy))).astype(float)
    return right


@pytest.mark.parametrize("accuracy", [[0.7] * 6, [0.75, 0.7, 0.7, 0.65]], ids=["all the same", "different"])
def test_intervals_hold_the_truth_at_least_as_often_as_they_say(accuracy: list[float]) -> None:
    rng, truth = RNG(2), np.array(accuracy)
    wanted = {"highest": truth.max(), "lowest": truth.min(), "spread": np.ptp(truth), "combined": combined_performance(truth)}
    found = [wording_spread(correlated(rng, 150, accuracy), rng, draws=300).intervals for _ in range(200)]
    for name, value in wanted.items():
        held = np.mean([one[name].lower - 1e-9 <= value <= one[name].upper + 1e-9 for one in found])
        assert held >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 200), name


def test_a_spread_of_chance_is_not_taken_for_one_of_wordings() -> None:
    """The known trap: the best of six equal wordings is better than the worst in every simulation, and a percentile interval says so."""
    rng = RNG(3)
    found = [wording_spread(correlated(rng, 150, [0.7] * 6), rng, draws=300) for _ in range(200)]
    assert np.mean([one.spread > 0 for one in found]) > 0.95
    assert np.mean([one.intervals["spread"].lower > 0 for one in found]) <= 0.05
    assert np.mean([one.chance for one in found]) == pytest.approx(np.mean([one.spread for one in found]), rel=0.1)
    flattered = np.mean([one.highest for one in found]) - 0.7
    assert np.mean([one.optimism for one in found]) == pytest.approx(flattered, rel=0.4)
    different = [wording_spread(correlated(rng, 150, [0.8, 0.7, 0.6]), rng, draws=300) for _ in range(50)]
    assert np.mean([one.intervals["spread"].lower > 0 for one in different]) > 0.9


def test_large_data_are_drawn_from_the_normal_distribution_with_the_same_result() -> None:
    shares = correlated(RNG(4), 5000, [0.7, 0.65, 0.6])
    exact, drawn = wording_spread(shares, RNG(0)), wording_spread(np.concatenate([shares, shares]), RNG(0))
    for name in exact.intervals:
        width = exact.intervals[name].upper - exact.intervals[name].lower
        assert drawn.intervals[name].upper - drawn.intervals[name].lower == pytest.approx(width / np.sqrt(2), rel=0.15), name


def test_wordings_that_no_example_tells_apart_have_a_bound() -> None:
    found = wording_spread(np.ones((20, 3)), RNG(0))
    assert (found.spread, found.chance, found.optimism) == (0, 0, 0)
    assert found.intervals["spread"][:2] == pytest.approx((0, 1 - 0.05 ** (1 / 20)))
    assert found.intervals["highest"][:2] == pytest.approx(wilson(20, 20)[:2])
    assert found.intervals["combined"].lower < 1


def test_one_example_has_no_interval() -> None:
    found = wording_spread(np.array([[1.0, 0.0]]), RNG(0))
    assert (found.highest, found.lowest) == (1, 0)
    assert np.isnan([bracket.lower for bracket in found.intervals.values()]).all()
    with pytest.raises(InputError, match="number of wordings is 1"):
        wording_spread(np.ones((4, 1)), RNG(0))
