"""Signs of paired differences, and the bootstrap of means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sago.arrays.bootstrap import bootstrap_means
from sago.arrays.sign_flips import sign_flip_p

RNG = np.random.default_rng
NAN = float("nan")


@given(seed=st.integers(0, 10_000), n=st.integers(2, 9))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_scipy_has_the_same_exact_p(seed: int, n: int) -> None:
    values = RNG(seed).integers(-3, 5, n).astype(float)
    ours = sign_flip_p(values, RNG(0))
    expected = stats.permutation_test(
        (values,), lambda x: abs(x.sum()), permutation_type="samples", n_resamples=np.inf, alternative="greater", vectorized=False
    )
    assert ours == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("n", [17, 24, 1000])
def test_drawn_p_is_near_that_of_the_normal(n: int) -> None:
    values = RNG(n).normal(0.3 / np.sqrt(n) * 4, 1, n)
    z = values.sum() / np.sqrt((values**2).sum())
    assert sign_flip_p(values, RNG(0)) == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.02)


def test_every_sign_is_drawn_as_often_as_the_other() -> None:
    """One large difference among small ones decides: its sign is positive in half of the draws, so |sum| is as large in all of them."""
    values = np.array([1000.0, *np.full(20, 1.0)])
    p = sign_flip_p(values, RNG(0), draws=9_999)
    assert p == pytest.approx(2**-20, abs=2e-4)
    assert sign_flip_p(np.array([1000.0, *np.zeros(20)]), RNG(0)) == 1


def test_missing_and_equal_values() -> None:
    assert sign_flip_p(np.array([0.1, NAN, 0.2, 0.3]), RNG(0)) == 0.25
    assert sign_flip_p(np.zeros(5), RNG(0)) == 1
    assert np.isnan(sign_flip_p(np.array([NAN]), RNG(0)))
    assert np.isnan(sign_flip_p(np.array([]), RNG(0)))


def test_p_is_uniform_when_models_may_be_swapped() -> None:
    p = [sign_flip_p(RNG(seed).exponential(size=20) * RNG(seed + 9_000).choice([-1, 1], 20), RNG(seed), draws=999) for seed in range(300)]
    assert stats.kstest(p, "uniform").pvalue > 0.01
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize("n", [40, 5_000])
def test_bootstrap_has_the_spread_of_a_mean(n: int) -> None:
    values = RNG(0).normal(size=(n, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]]) + 5
    drawn = bootstrap_means(values, RNG(1), draws=4000)
    assert drawn.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=4 * 1.1 / np.sqrt(n * 4000))
    assert drawn.std(axis=0) == pytest.approx(values.std(axis=0) / np.sqrt(n), rel=0.06)
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(np.corrcoef(values.T)[0, 1], abs=0.04)


@pytest.mark.parametrize("n", [40, 5_000])
def test_bootstrap_keeps_what_is_constant(n: int) -> None:
    assert bootstrap_means(np.full((n, 1), 0.3), RNG(0), draws=50) == pytest.approx(0.3)
    values = np.repeat(RNG(0).random((n, 1)), 2, axis=1)
    first, second = bootstrap_means(values, RNG(0), draws=50).T
    assert first == pytest.approx(second, abs=1e-8)
