"""How well scores repeat with other variants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.stats.golden import GOLDEN, near

from sago.errors import InputError
from sago.stats.decomposition import components, generalizability
from sago.stats.reliability import disattenuated, halves, spearman_brown, split_half, variants_needed

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)


def test_golden_e43_spearman_brown_both_ways() -> None:
    case = GOLDEN["E43"]
    assert spearman_brown(case["half"]) == near(case["whole"])
    assert spearman_brown(case["whole"], 0.5) == near(case["half"])
    assert variants_needed(case["variants"], case["whole"], case["target"]) == case["needed"]


@pytest.mark.parametrize("name", sorted(GOLDEN["E44"]["cases"]))
def test_golden_e44_disattenuation(name: str) -> None:
    case = GOLDEN["E44"]["cases"][name]
    assert disattenuated(case["rho"], *case["reliability"]) == near(case["corrected"])


@given(reliability=st.floats(0, 1), times=st.floats(0.1, 10), more=st.floats(1, 5))
@QUICK
def test_more_variants_are_more_reliable_and_the_way_back_is_the_same(reliability: float, times: float, more: float) -> None:
    assert spearman_brown(spearman_brown(reliability, times), 1 / times) == pytest.approx(reliability)
    assert spearman_brown(reliability, times) <= spearman_brown(reliability, times * more) + 1e-12 <= 1 + 1e-9


@given(variants=st.integers(2, 20), reliability=st.floats(0.05, 0.95), target=st.floats(0.05, 0.95))
@QUICK
def test_so_many_variants_reach_the_target_and_one_fewer_do_not(variants: int, reliability: float, target: float) -> None:
    needed = variants_needed(variants, reliability, target)
    assert spearman_brown(reliability, needed / variants) >= target - 1e-6
    if needed > 1:
        assert spearman_brown(reliability, (needed - 1) / variants) < target


def test_reliability_that_says_nothing() -> None:
    assert np.isnan([variants_needed(8, 0.0, 0.9), variants_needed(8, NAN, 0.9), disattenuated(0.2, 0.0, 0.5)]).all()
    assert np.isnan([disattenuated(0.2, NAN, 0.5), spearman_brown(-1.0), spearman_brown(NAN)]).all()
    assert disattenuated(0.9, 0.5, 0.5) == pytest.approx(1.8)
    assert variants_needed(8, 1.0, 0.9) == 0


# -- halves ----------------------------------------------------------------------------------------------------------------------


def simulated(rng: np.random.Generator, n: int, variants: int, noise: float) -> np.ndarray:
    return rng.normal(size=(n, 1)) + noise * rng.normal(size=(n, variants))


@pytest.mark.parametrize("variants", [2, 4, 5, 8])
@pytest.mark.parametrize("ranked", [False, True])
def test_planted_reliability_is_found(variants: int, ranked: bool) -> None:
    found = split_half(simulated(RNG(variants), 2000, variants, 1.5), RNG(0), ranked=ranked)
    # Ranks of normal scores are a little less reliable than the scores.
    assert found.reliability == pytest.approx(1 / (1 + 1.5**2 / variants), abs=0.045)
    assert found.half == pytest.approx(spearman_brown(found.reliability, (variants // 2) / variants), abs=0.01)
    assert found.examples == 2000


def test_halves_agree_with_the_variance_components() -> None:
    scores = simulated(RNG(1), 500, 6, 1.0) + np.arange(6.0)
    expected = generalizability(components(scores), variants=6).relative
    assert split_half(scores, RNG(0), splits=100).reliability == pytest.approx(expected, abs=0.01)


def test_noise_is_not_reliable() -> None:
    assert abs(split_half(RNG(2).normal(size=(2000, 8)), RNG(0)).reliability) < 0.1


def test_two_variants_are_one_correlation() -> None:
    scores = simulated(RNG(3), 50, 2, 1.0)
    r = stats.pearsonr(*scores.T).statistic
    assert split_half(scores, RNG(0), splits=5)[:2] == pytest.approx((2 * r / (1 + r), r))
    rho = stats.spearmanr(*scores.T).statistic
    assert split_half(scores, RNG(0), splits=5, ranked=True).half == pytest.approx(rho)


@given(seed=st.integers(0, 10_000), scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
@QUICK
def test_reliability_has_no_unit_and_no_order(seed: int, scale: float, shift: float) -> None:
    scores = simulated(RNG(seed), 20, 4, 1.0)
    found = split_half(scores, RNG(0), splits=10)
    assert split_half(scale * scores[::-1] + shift, RNG(0), splits=10) == pytest.approx(found)
    assert found.half <= 1


def test_missing_variants_leave_the_mean_of_the_others() -> None:
    scores = simulated(RNG(4), 1000, 6, 1.0)
    holes = np.where(RNG(5).uniform(size=scores.shape) < 0.1, NAN, scores)
    assert split_half(holes, RNG(0)).reliability == pytest.approx(split_half(scores, RNG(0)).reliability, abs=0.05)
    without = np.vstack([scores, np.full((3, 6), NAN)])
    assert split_half(without, RNG(0)) == split_half(scores, RNG(0))


@pytest.mark.parametrize("scores", [np.ones((10, 4)), np.ones((2, 4)) * [[1], [2]], np.full((10, 4), NAN)])
def test_no_spread_and_too_few_examples_have_no_reliability(scores: np.ndarray) -> None:
    assert np.isnan(split_half(scores, RNG(0))[:2]).all()


@pytest.mark.parametrize(("variants", "size"), [(2, 1), (5, 2), (8, 4)])
def test_halves_are_disjoint_and_of_one_size(variants: int, size: int) -> None:
    found = halves(variants, RNG(0), 30)
    assert found.shape == (30, 2, size)
    assert all(np.unique(split).size == 2 * size for split in found)
    np.testing.assert_array_equal(np.unique(found), np.arange(variants))


# -- impossible input --------------------------------------------------------------------------------------------------------------


def test_impossible_input_is_an_error() -> None:
    with pytest.raises(InputError, match="number of variants is 1"):
        split_half(np.ones((5, 1)), RNG(0))
    with pytest.raises(InputError, match="examples x variants"):
        split_half(np.ones(5), RNG(0))
    with pytest.raises(InputError, match="number of splits is 0"):
        halves(4, RNG(0), 0)
    with pytest.raises(InputError, match="times is 0"):
        spearman_brown(0.5, 0)
    with pytest.raises(InputError, match="target is 1"):
        variants_needed(8, 0.5, 1.0)
    with pytest.raises(InputError, match=r"reliability is 1\.2"):
        disattenuated(0.2, 1.2, 0.5)
    with pytest.raises(InputError, match=r"reliability is 1\.2"):
        variants_needed(8, 1.2, 0.9)
