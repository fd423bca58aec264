"""Correlations across halves and distance correlation, against libraries."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sago.errors import InputError
from sago.stats.dimensions import nearest_correlation, participation_ratio
from sago.stats.independence import (
    cross_half,
    distance_correlation,
    distance_of_normal,
    distance_p,
    partial_spearman,
    pooled_rho,
    standard_ranks,
    without_covariates,
)

RNG = np.random.default_rng


@pytest.mark.parametrize("ties", [False, True])
def test_ranks_and_correlation_are_scipys(ties: bool) -> None:
    values = RNG(0).integers(0, 5, (2, 50)) if ties else RNG(0).normal(size=(2, 50))
    ranks = standard_ranks(values)
    assert ranks[0] == pytest.approx(stats.zscore(stats.rankdata(values[0])))
    found = partial_spearman(values[0], values[1], np.empty((0, 50)))
    assert found.estimate == pytest.approx(stats.spearmanr(*values).statistic, abs=1e-12)


def test_ranks_without_spread_are_missing() -> None:
    assert np.isnan(standard_ranks(np.ones((1, 4)))).all()


@pytest.mark.parametrize("count", [1, 3])
def test_partial_correlation_is_pingouins(count: int) -> None:
    pingouin = pytest.importorskip("pingouin")
    covariates = RNG(1).normal(size=(count, 80))
    x, y = (RNG(seed).normal(size=80) + covariates.sum(axis=0) for seed in (2, 3))
    names = [f"c{place}" for place in range(count)]
    table = pd.DataFrame({"x": x, "y": y, **dict(zip(names, covariates, strict=True))})
    oracle = pingouin.partial_corr(table, "x", "y", names, method="spearman")["r"].iloc[0]
    assert partial_spearman(x, y, covariates).estimate == pytest.approx(oracle, abs=1e-9)


def test_a_score_that_covariates_tell_completely_is_missing() -> None:
    x, y = RNG(4).normal(size=(2, 40))
    assert np.isnan(partial_spearman(x, y, x[None, :]).estimate)
    assert np.isnan(without_covariates(standard_ranks(x[None]), standard_ranks(x[None]))).all()


@pytest.mark.parametrize(("n", "ties"), [(5, False), (40, False), (300, False), (40, True), (300, True)])
def test_distance_correlation_is_dcors(n: int, ties: bool) -> None:
    dcor = pytest.importorskip("dcor")
    x, y = RNG(5).normal(size=(2, n))
    y = y + x**2
    if ties:
        x, y = np.round(x), np.round(y)
    assert distance_correlation(x, y) == pytest.approx(dcor.u_distance_correlation_sqr(x, y, method="naive"), abs=1e-9)


def test_distance_correlation_without_data() -> None:
    assert np.isnan(distance_correlation(np.arange(3.0), np.arange(3.0)))
    assert np.isnan(distance_correlation(np.ones(9), np.arange(9.0)))
    with pytest.raises(InputError):
        distance_correlation(np.ones(4), np.ones(5))


def test_the_p_of_distance_correlation_keeps_its_level_and_sees_any_form() -> None:
    drawn = [distance_p(distance_correlation(*RNG(seed).normal(size=(2, 60))), 60) for seed in range(300)]
    assert np.mean(np.array(drawn) <= 0.05) <= 0.075
    assert np.mean(np.array(drawn) <= 0.05) >= 0.015
    x = RNG(6).normal(size=200)
    assert distance_p(distance_correlation(x, np.abs(x)), 200) < 1e-6


def test_size_of_the_distance_correlation_of_normal_scores() -> None:
    x, y = RNG(7).multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], 3000).T
    assert distance_correlation(x, y) == pytest.approx(distance_of_normal(0.5), abs=0.03)
    assert distance_of_normal(0.0) == pytest.approx(0, abs=1e-12)
    assert distance_of_normal(-0.5) == distance_of_normal(0.5)


def test_cross_half_of_the_same_ranks_is_one() -> None:
    ranks = standard_ranks(RNG(8).normal(size=(3, 30)))
    found = cross_half((ranks, ranks), (ranks, ranks))
    assert [found.estimate, found.se] == pytest.approx([1, 0], abs=1e-9)
    assert list(found.reliability) == pytest.approx([1, 1])


def test_cross_half_is_the_ratio_of_mean_correlations() -> None:
    given = RNG(9).normal(size=(4, 6, 50)) + RNG(10).normal(size=50)
    a1, a2, b1, b2 = (standard_ranks(part) for part in given)
    found = cross_half((a1, a2), (b1, b2))

    def mean(one: int, two: int) -> float:
        return float(np.mean([stats.spearmanr(given[one, split], given[two, split]).statistic for split in range(6)]))

    assert found.estimate == pytest.approx((mean(0, 3) + mean(1, 2)) / 2 / np.sqrt(mean(0, 1) * mean(2, 3)))


def test_splits_without_spread_are_left_out() -> None:
    a1, a2, b1, b2 = (standard_ranks(RNG(seed).normal(size=(3, 40)) + RNG(20).normal(size=40)) for seed in range(11, 15))
    broken = a1.copy()
    broken[1] = np.nan
    left = [0, 2]
    assert cross_half((broken, a2), (b1, b2)).estimate == cross_half((a1[left], a2[left]), (b1[left], b2[left])).estimate
    assert np.isnan(cross_half((np.full((3, 40), np.nan), a2), (b1, b2)).estimate)
    assert np.isnan(cross_half((a1[:, :0], a2[:, :0]), (b1[:, :0], b2[:, :0])).estimate)


def test_nothing_to_pool() -> None:
    assert np.isnan(pooled_rho([], []).estimate)


def test_nearest_correlation_matrix() -> None:
    """The example of Higham 2002, section 4."""
    given = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    found = nearest_correlation(given)
    assert found[0, 1] == pytest.approx(0.7607, abs=5e-5)
    assert found[0, 2] == pytest.approx(0.1573, abs=5e-5)
    assert 1 <= participation_ratio(found) <= 3
    whole = np.full((4, 4), 0.3) + 0.7 * np.eye(4)
    assert nearest_correlation(whole) == pytest.approx(whole)
