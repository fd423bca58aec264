"""One number from a profile, and orders of models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.stats.golden import GOLDEN, near

from sago.errors import InputError
from sago.stats.aggregates import (
    acceptability,
    dominance_share,
    dominates,
    power_mean,
    residual_bound,
    weighted_mean,
    worst_axis,
)

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)
profiles = hnp.arrays(np.float64, st.integers(1, 6), elements=st.floats(0, 1.5))


def test_golden_e34_one_number_from_a_profile() -> None:
    case = GOLDEN["E34"]
    profile = np.array(case["profile"])
    assert worst_axis(profile) == near(case["worst"])
    assert weighted_mean(profile) == near(case["mean"])
    assert power_mean(profile) == near(case["root_mean_square"])


def test_golden_e15_residual_bound() -> None:
    case = GOLDEN["E15"]
    assert residual_bound(case["instability"], case["share"]) == near(case["bound"])


def test_golden_e36_acceptability_of_two_axes_is_exact() -> None:
    case = GOLDEN["E36"]
    assert acceptability(np.array(case["profiles"]), RNG(0)) == pytest.approx(np.array(case["acceptability"]), abs=1e-6)


def test_golden_e36_acceptability_by_drawing() -> None:
    """A third axis on which both are equal leaves the share as it is: w1 / (w1 + w2) is uniform under Dirichlet weights."""
    case = GOLDEN["E36"]
    three = np.column_stack([case["profiles"], [0.1, 0.1]])
    found = acceptability(three, RNG(36), draws=50_000)
    assert found == pytest.approx(np.array(case["acceptability"]), abs=case["drawn_within"])


# -- missing axes ---------------------------------------------------------------------------------------------------------------


def test_axes_that_were_not_observed_are_passed_over() -> None:
    profile = np.array([0.3, NAN, 0.1])
    assert worst_axis(profile) == 0.3
    assert weighted_mean(profile) == pytest.approx(0.2)
    assert weighted_mean(profile, np.array([1, 5, 3])) == pytest.approx(0.15)
    assert power_mean(profile, 1) == pytest.approx(0.2)


@pytest.mark.parametrize("profile", [np.array([NAN, NAN]), np.empty(0)])
def test_nothing_observed_is_no_number(profile: np.ndarray) -> None:
    assert np.isnan([worst_axis(profile), weighted_mean(profile), power_mean(profile)]).all()


def test_weights_of_zero_on_all_that_was_observed_are_no_number() -> None:
    assert np.isnan(weighted_mean(np.array([0.3, NAN]), np.array([0, 1])))


def test_noise_below_zero_does_not_count_as_instability_in_the_power_mean() -> None:
    assert power_mean(np.array([-0.3, 0.0])) == 0
    assert weighted_mean(np.array([-0.3, 0.1])) == pytest.approx(-0.1)


# -- order ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([0.1, 0.2], [0.2, 0.2], True),
        ([0.1, 0.3], [0.2, 0.2], False),
        ([0.1, 0.2], [0.1, 0.2], False),
        ([0.1, NAN], [0.2, 0.0], True),
        ([0.2, NAN], [0.2, 0.0], False),
        ([NAN, 0.1], [0.1, NAN], False),
    ],
)
def test_pareto_dominance(first: list[float], second: list[float], expected: bool) -> None:
    assert dominates(np.array(first), np.array(second)) is expected


def test_share_of_draws_with_dominance() -> None:
    first, second = np.array([[0.1, 0.2], [0.3, 0.1], [0.1, 0.1], [0.0, 0.0]]), np.full((4, 2), 0.2)
    assert dominance_share(first, second) == 0.75
    assert np.isnan(dominance_share(np.empty((0, 2)), np.empty((0, 2))))


@given(first=profiles, seed=st.integers(0, 1000))
@QUICK
def test_dominance_goes_one_way_and_agrees_with_every_mean(first: np.ndarray, seed: int) -> None:
    second = first + RNG(seed).integers(0, 2, first.size) * 0.5
    assert not dominates(second, first)
    assert dominates(first, second) == bool((second > first).any())
    weights = RNG(seed).uniform(0.1, 1, first.size)
    assert weighted_mean(first, weights) <= weighted_mean(second, weights) + 1e-12


@given(profile=profiles, power=st.floats(1, 8))
@QUICK
def test_means_lie_between_the_plain_mean_and_the_worst_axis(profile: np.ndarray, power: float) -> None:
    assert weighted_mean(profile) - 1e-9 <= power_mean(profile, power) <= worst_axis(profile) + 1e-9


def test_acceptability_of_several_lines() -> None:
    """Lines at w: 1 - w, .4, w: the first is lowest from .6 on, the third up to .4, the second between."""
    found = acceptability(np.array([[0.0, 1.0], [0.4, 0.4], [1.0, 0.0], [0.9, 0.9]]), RNG(0))
    assert found == pytest.approx(np.array([0.4, 0.2, 0.4, 0.0]))


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_equal_profiles_divide_their_share(axes: int) -> None:
    found = acceptability(np.vstack([np.full((2, axes), 0.1), np.full((1, axes), 0.3)]), RNG(0))
    assert found.tolist() == [0.5, 0.5, 0.0]


def test_axes_that_a_model_lacks_are_left_out_for_all() -> None:
    found = acceptability(np.array([[0.2, 0.4, NAN], [0.3, 0.2, 0.0]]), RNG(0))
    assert found == pytest.approx(np.array([1 / 3, 2 / 3]))
    assert np.isnan(acceptability(np.array([[0.2, NAN], [NAN, 0.1]]), RNG(0))).all()


@given(seed=st.integers(0, 10_000), models=st.integers(1, 6), axes=st.integers(1, 4))
@QUICK
def test_acceptability_sums_to_one_and_follows_its_model(seed: int, models: int, axes: int) -> None:
    table = RNG(seed).integers(0, 5, (models, axes)) / 4
    found = acceptability(table, RNG(1), draws=500)
    assert found.sum() == pytest.approx(1)
    assert ((found >= 0) & (found <= 1)).all()
    np.testing.assert_allclose(acceptability(table[::-1], RNG(1), draws=500)[::-1], found, atol=1e-12)
    dominated = [any(dominates(other, one) and (other < one).all() for other in table) for one in table]
    assert not found[np.array(dominated)].any()


@given(seed=st.integers(0, 10_000), models=st.integers(2, 6))
@QUICK
def test_exact_acceptability_is_what_drawing_tends_to(seed: int, models: int) -> None:
    table = RNG(seed).uniform(size=(models, 2))
    weight = (np.arange(4000) + 0.5) / 4000
    scores = np.outer(table[:, 0], weight) + np.outer(table[:, 1], 1 - weight)
    expected = np.bincount(scores.argmin(axis=0), minlength=models) / weight.size
    assert acceptability(table, RNG(0)) == pytest.approx(expected, abs=1e-3)


@given(true=st.floats(0, 1), share=st.floats(0, 0.9))
@QUICK
def test_the_residual_bound_undoes_the_worst_mixture(true: float, share: float) -> None:
    assert residual_bound(share + (1 - share) * true, share) == pytest.approx(true, abs=1e-9)


# -- impossible input ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [-0.1, 1.0, NAN])
def test_a_share_of_bad_pairs_is_below_one(share: float) -> None:
    with pytest.raises(InputError, match="residual_bound"):
        residual_bound(0.2, share)


def test_impossible_input_is_an_error() -> None:
    two = np.array([0.1, 0.2])
    with pytest.raises(InputError, match="weights holds -1"):
        weighted_mean(two, np.array([1.0, -1.0]))
    with pytest.raises(InputError, match="do not fit"):
        weighted_mean(two, np.ones(3))
    with pytest.raises(InputError, match="do not fit"):
        dominates(two, np.ones(3))
    with pytest.raises(InputError, match=r"power is 0\.5"):
        power_mean(two, 0.5)
    with pytest.raises(InputError, match="models x axes"):
        acceptability(two, RNG(0))
    with pytest.raises(InputError, match="draws is 0"):
        acceptability(np.ones((2, 3)), RNG(0), draws=0)
