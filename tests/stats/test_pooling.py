"""One number for several data sets, and when there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stats.golden import GOLDEN, near

from sago.errors import InputError
from sago.stats.pooling import heterogeneity, pooled

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)


def test_golden_e54_heterogeneity() -> None:
    case = GOLDEN["E54"]
    estimates, ses = np.array(case["estimates"]), np.array(case["ses"])
    found = heterogeneity(estimates, ses)
    assert (found.q, found.i2, found.mean) == near((case["q"], case["i2"], case["mean"]))
    assert found.p == pytest.approx(case["p"], abs=case["p_tolerance"])
    none = pooled(estimates, ses)
    assert none.reason == "heterogeneous"
    assert np.isnan(none[:4]).all()


@pytest.mark.parametrize("seed", range(8))
def test_statsmodels_combines_to_the_same(seed: int) -> None:
    from statsmodels.stats.meta_analysis import combine_effects

    rng = RNG(seed)
    estimates, ses = rng.normal(0.2, 0.05, 5), rng.uniform(0.03, 0.06, 5)
    with np.errstate(invalid="ignore"):  # it does not stop at 0 with the variance between data sets
        expected = combine_effects(estimates, ses**2, method_re="dl")
    found, one = heterogeneity(estimates, ses), pooled(estimates, ses)
    assert (found.q, found.mean, found.tau2) == pytest.approx((expected.q, expected.mean_effect_fe, max(0.0, expected.tau2)), abs=1e-9)
    assert found.se == pytest.approx(expected.sd_eff_w_fe, abs=1e-9)
    assert (one.reason is None) == (found.i2 <= 0.5)
    if one.reason is None and found.tau2 > 0:
        assert (one.mean, one.se) == pytest.approx((expected.mean_effect_re, expected.sd_eff_w_re), abs=1e-9)
    elif one.reason is None:
        assert (one.mean, one.se) == pytest.approx((found.mean, found.se), abs=1e-12)


def _summaries(groups: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    means, ses = (np.array([statistic(group) for group in groups]) for statistic in (np.mean, lambda x: x.std(ddof=1) / x.size**0.5))
    return means, ses, np.array([float(group.size) for group in groups])


@pytest.mark.parametrize("seed", range(6))
def test_statsmodels_has_the_same_tests_of_welch_and_fisher(seed: int) -> None:
    from statsmodels.stats.oneway import anova_oneway

    rng = RNG(seed)
    groups = [rng.normal(0.1 * place, 0.2 + 0.1 * place, 8 + 5 * (place if seed % 2 else 3 - place)) for place in range(4)]
    both = [anova_oneway(groups, use_var=kind).pvalue for kind in ("unequal", "equal")]
    assert heterogeneity(*_summaries(groups)).p == pytest.approx(max(both), abs=1e-9)


@pytest.mark.parametrize("sizes", [(10, 400), (30, 30, 30, 1000), (30, 30, 30, 30, 30)])
def test_skewed_scores_of_one_law_do_not_differ(sizes: tuple[int, ...]) -> None:
    """A tenth of the examples changes much, the others little; by Welch's test alone .31, .19 and .14 of draws differ."""
    rng = RNG(5)
    claimed = 0
    for _ in range(500):
        groups = [np.where(rng.random(n) < 0.1, rng.beta(5, 2, n), rng.beta(1, 20, n)) for n in sizes]
        claimed += heterogeneity(*_summaries(groups)).p <= 0.05
    assert claimed / 500 < 0.066


def test_level_of_ten_examples_a_data_set() -> None:
    """Five equal data sets; chi-square would have .11."""
    drawn = RNG(3).normal(size=(2000, 5, 10))
    means, ses = drawn.mean(axis=2), drawn.std(axis=2, ddof=1) / 10**0.5
    p = np.array([[heterogeneity(*row).p, heterogeneity(*row, np.full(5, 10.0)).p] for row in zip(means, ses, strict=True)])
    by_chi_square, by_welch = np.mean(p <= 0.05, axis=0)
    assert by_chi_square > 0.09
    assert by_welch == pytest.approx(0.05, abs=0.015)


def test_equal_errors_make_the_plain_mean() -> None:
    found = pooled(np.array([0.10, 0.16, 0.13]), np.full(3, 0.03))
    assert (found.mean, found.macro) == pytest.approx((0.13, 0.13))
    assert (found.se, found.macro_se) == pytest.approx((0.03 / 3**0.5, 0.03 / 3**0.5))


def test_the_line_is_at_one_half() -> None:
    """Two data sets of equal error e at distance d have Q = d^2 / 2 e^2 and I2 = 1 - 1 / Q: at most .5 up to Q = 2."""
    assert pooled(np.array([0.0, 1.99]), np.ones(2)).reason is None
    assert pooled(np.array([0.0, 2.01]), np.ones(2)).reason == "heterogeneous"


def test_errors_of_the_mean_are_right_with_random_effects() -> None:
    rng, tau, ses = RNG(7), 0.02, np.array([0.03, 0.03, 0.04, 0.05, 0.03, 0.04])
    drawn = rng.normal(0.2, np.hypot(ses, tau), (400, 6))
    found = [one for one in (pooled(row, ses) for row in drawn) if one.reason is None]
    assert len(found) > 300
    assert np.std([one.macro for one in found]) == pytest.approx(np.mean([one.macro_se for one in found]), rel=0.1)
    assert np.std([one.mean for one in found]) == pytest.approx(np.mean([one.se for one in found]), rel=0.15)


@given(seed=st.integers(0, 10_000), datasets=st.integers(2, 6), shift=st.floats(-1, 1), scale=st.floats(0.1, 10))
@QUICK
def test_heterogeneity_has_no_unit_and_no_order(seed: int, datasets: int, shift: float, scale: float) -> None:
    rng = RNG(seed)
    estimates, ses = rng.normal(0.2, 0.1, datasets), rng.uniform(0.02, 0.1, datasets)
    one, two = heterogeneity(estimates, ses), heterogeneity(scale * estimates[::-1] + shift, scale * ses[::-1])
    assert (one.q, one.i2, one.p) == pytest.approx((two.q, two.i2, two.p), abs=1e-7)
    assert two.mean == pytest.approx(scale * one.mean + shift, abs=1e-7)
    assert 0 <= one.i2 < 1
    assert one.tau2 >= 0
    assert estimates.min() <= one.mean <= estimates.max()


def test_data_sets_without_a_number_take_no_part() -> None:
    whole = pooled(np.array([0.1, 0.12]), np.array([0.03, 0.03]))
    assert pooled(np.array([0.1, NAN, 0.12, 0.9]), np.array([0.03, 0.1, 0.03, NAN])) == whole
    assert pooled(np.array([0.1, NAN]), np.array([0.03, 0.03])).reason == "too_few_datasets"
    assert np.isnan(heterogeneity(np.array([0.1, NAN]), np.array([0.03, 0.03])).q)


def test_no_spread_is_no_infinite_weight() -> None:
    assert pooled(np.array([0.0, 0.3]), np.array([0.0, 0.1])).reason == "no_spread"


def test_equal_data_sets_do_not_differ() -> None:
    found = heterogeneity(np.full(3, 0.5), np.array([0.25, 0.5, 1.0]))
    assert (found.q, found.i2, found.tau2, found.p) == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("estimates", "ses", "message"),
    [([0.1], [0.1], "number of data sets is 1"), ([0.1, 0.2], [0.1, -0.1], "holds -0.1"), ([0.1, 0.2], [0.1], "do not fit")],
)
def test_impossible_input_is_an_error(estimates: list[float], ses: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pooled(np.array(estimates), np.array(ses))


@pytest.mark.parametrize("error", [0.0, 1e-17])
def test_an_error_that_is_rounding_has_no_infinite_weight(error: float) -> None:
    estimates, errors = np.array([0.2, 0.4]), np.array([error, 0.05])
    assert np.isnan(heterogeneity(estimates, errors).q)
    assert pooled(estimates, errors).reason == "no_spread"
