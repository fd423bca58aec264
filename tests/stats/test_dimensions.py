"""How many different things the axes measure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial import distance
from tests.stats.golden import GOLDEN, near

from sago.errors import InputError
from sago.stats.dimensions import (
    correlation_interval,
    entropy_rank,
    failure_overlap,
    half_width_at_zero,
    mantel_haenszel,
    overlap,
    participation_ratio,
    top_share,
    vendi,
)

NAN = float("nan")
INF = float("inf")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)


def equal(axes: int, correlation: float) -> np.ndarray:
    return np.full((axes, axes), correlation) + (1 - correlation) * np.eye(axes)


def test_golden_e45_dimensions_behind_four_axes() -> None:
    case = GOLDEN["E45"]
    matrix = equal(case["axes"], case["correlation"])
    assert participation_ratio(matrix) == near(case["participation_ratio"])
    assert entropy_rank(matrix) == near(case["entropy_rank"])


def test_golden_e46_interval_of_a_correlation() -> None:
    case = GOLDEN["E46"]["examples"]
    found = correlation_interval(case["rho"], case["n"])
    assert (found.lower, found.upper) == pytest.approx((case["lower"], case["upper"]), abs=5e-7)


def test_golden_e46_half_width_over_models() -> None:
    case = GOLDEN["E46"]["models"]
    assert half_width_at_zero(case["n"]) == pytest.approx(case["half_width"], abs=5e-7)


def test_golden_e47_overlap_of_failures() -> None:
    case = GOLDEN["E47"]
    found = overlap(case["both"], case["first"], case["second"], case["n"])
    assert found == near((case["lift"], case["jaccard"], case["odds_ratio"]))


def test_golden_e53_vendi() -> None:
    case = GOLDEN["E53"]
    samples = np.array(case["samples"])
    found = vendi(np.exp(-np.abs(samples[:, None] - samples)))
    assert np.floor(found * 1e4) / 1e4 == near(case["vendi"])
    # Three pairs of equals at similarity s = e^-10 and s^2: to second order the entropy is ln 3 - 2 s^2 / 3.
    assert found == pytest.approx(3 * np.exp(-2 / 3 * np.exp(-20)), abs=1e-12)


# -- dimensions ---------------------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10_000), axes=st.integers(1, 6))
@QUICK
def test_dimensions_lie_between_one_and_the_number_of_axes(seed: int, axes: int) -> None:
    matrix = np.corrcoef(RNG(seed).normal(size=(axes, axes + 2))).reshape(axes, axes)
    ratio, rank = participation_ratio(matrix), entropy_rank(matrix)
    assert 1 - 1e-9 <= ratio <= rank + 1e-9
    assert rank <= axes + 1e-9
    assert ratio == pytest.approx(np.trace(matrix) ** 2 / np.sum(matrix**2))
    order = RNG(seed).permutation(axes)
    flips = RNG(seed).choice([-1, 1], axes)
    assert participation_ratio((flips[:, None] * matrix * flips)[np.ix_(order, order)]) == pytest.approx(ratio)


@pytest.mark.parametrize(("correlation", "expected"), [(0.0, 4.0), (1.0, 1.0)])
def test_independent_axes_and_one_factor(correlation: float, expected: float) -> None:
    assert (participation_ratio(equal(4, correlation)), entropy_rank(equal(4, correlation))) == pytest.approx((expected, expected))


def test_a_missing_correlation_is_no_number() -> None:
    matrix = equal(3, 0.2)
    matrix[0, 1] = matrix[1, 0] = NAN
    assert np.isnan([participation_ratio(matrix), entropy_rank(matrix)]).all()


@given(seed=st.integers(0, 10_000), distinct=st.integers(1, 5), copies=st.integers(1, 4))
@QUICK
def test_vendi_counts_what_is_distinct(seed: int, distinct: int, copies: int) -> None:
    labels = RNG(seed).permutation(np.repeat(np.arange(distinct), copies))
    assert vendi((labels[:, None] == labels).astype(float)) == pytest.approx(distinct)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones(3), "square matrix"),
        (np.ones((2, 3)), "not symmetric"),
        (np.array([[1.0, 0.2], [0.3, 1.0]]), "not symmetric"),
        (np.empty((0, 0)), "empty"),
        (np.array([[1.0, 1.2], [1.2, 1.0]]), "negative eigenvalue"),
    ],
)
def test_what_is_no_correlation_matrix(matrix: np.ndarray, message: str) -> None:
    with pytest.raises(InputError, match=message):
        participation_ratio(matrix)


def test_a_kernel_has_ones_on_its_diagonal() -> None:
    with pytest.raises(InputError, match="similarity 1 to itself"):
        vendi(np.eye(3) * 2)


# -- intervals of correlations ---------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10_000), n=st.integers(4, 200))
@QUICK
def test_scipy_has_the_same_interval(seed: int, n: int) -> None:
    x, y = RNG(seed).normal(size=(2, n))
    expected = stats.pearsonr(x, y)
    bracket = expected.confidence_interval(0.95)
    found = correlation_interval(expected.statistic, n)
    assert (found.lower, found.upper) == pytest.approx((bracket.low, bracket.high), abs=1e-9)
    assert -1 <= found.lower < expected.statistic < found.upper <= 1
    mirrored = correlation_interval(-expected.statistic, n)
    assert (mirrored.lower, mirrored.upper) == pytest.approx((-found.upper, -found.lower))


@pytest.mark.parametrize("rho", [0.0, 0.6, -0.9])
def test_error_of_a_correlation_is_that_of_its_interval_where_n_is_large(rho: float) -> None:
    found = correlation_interval(rho, 100_000)
    assert found.se == pytest.approx((found.upper - found.lower) / (2 * 1.959964), rel=1e-4)


@pytest.mark.parametrize(("rho", "n"), [(0.3, 3), (0.3, 0), (1.0, 50), (-1.0, 50), (NAN, 50)])
def test_no_interval_of_too_few_or_of_certainty(rho: float, n: int) -> None:
    assert np.isnan(correlation_interval(rho, n)).all()


def test_impossible_correlations_are_errors() -> None:
    with pytest.raises(InputError, match=r"correlation is 1\.1"):
        correlation_interval(1.1, 50)
    with pytest.raises(InputError, match="n is -1"):
        correlation_interval(0.1, -1)


# -- overlap ------------------------------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10_000), rate=st.floats(0.2, 0.8))
@QUICK
def test_overlap_as_scipy_and_statsmodels_have_it(seed: int, rate: float) -> None:
    from statsmodels.stats.contingency_tables import Table2x2

    first, second = RNG(seed).uniform(size=(2, 60)) < rate
    found = failure_overlap(first, second)
    table = np.array([[np.sum(first & second), np.sum(first & ~second)], [np.sum(~first & second), np.sum(~first & ~second)]])
    assert found.jaccard == pytest.approx(1 - distance.jaccard(first, second))
    assert found.lift == pytest.approx(table[0, 0] * 60 / (first.sum() * second.sum()))
    assert failure_overlap(second, first) == found
    if table.all():
        assert found.odds_ratio == pytest.approx(Table2x2(table, shift_zeros=False).oddsratio)
        assert mantel_haenszel(table[None].astype(float)) == pytest.approx(found.odds_ratio)


def test_independent_failures_have_lift_and_odds_of_one() -> None:
    assert overlap(10, 100, 100, 1000) == pytest.approx((1, 10 / 190, 1))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 0, 5, 20), (NAN, 0, NAN)),
        ((0, 0, 0, 20), (NAN, NAN, NAN)),
        ((5, 5, 5, 20), (4, 1, INF)),
        ((20, 20, 20, 20), (1, 1, NAN)),
        ((0, 5, 5, 20), (0, 0, 0)),
    ],
)
def test_overlap_at_the_edges(counts: tuple[int, int, int, int], expected: tuple[float, float, float]) -> None:
    assert overlap(*counts) == pytest.approx(expected, nan_ok=True)


def test_strata_with_one_odds_ratio_keep_it_where_the_pooled_table_does_not() -> None:
    from statsmodels.stats.contingency_tables import StratifiedTable

    rng = RNG(0)
    tables = rng.integers(1, 40, (5, 2, 2)).astype(float)
    assert mantel_haenszel(tables) == pytest.approx(StratifiedTable(list(tables)).oddsratio_pooled, abs=1e-9)
    independent = np.array([[[81.0, 9], [9, 1]], [[1, 9], [9, 81]]])
    assert mantel_haenszel(independent) == pytest.approx(1)
    assert mantel_haenszel(independent.sum(axis=0, keepdims=True)) > 10
    assert mantel_haenszel(np.concatenate([independent, np.zeros((1, 2, 2))])) == pytest.approx(1)
    assert np.isnan(mantel_haenszel(np.zeros((2, 2, 2))))
    assert mantel_haenszel(np.array([[[3.0, 0], [1, 5]]])) == INF


@pytest.mark.parametrize("counts", [(-1, 5, 5, 20), (6, 5, 8, 20), (1, 15, 15, 20)])
def test_counts_that_cannot_be(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(InputError, match="do not fit"):
        overlap(*counts)


@pytest.mark.parametrize("tables", [np.ones((2, 2)), np.ones((1, 2, 3)), -np.ones((1, 2, 2))])
def test_tables_that_cannot_be(tables: np.ndarray) -> None:
    with pytest.raises(InputError, match="mantel_haenszel"):
        mantel_haenszel(tables)


@pytest.mark.parametrize(
    ("scores", "chosen"),
    [
        (list(range(20)), [18, 19]),
        ([0] * 19 + [1], [19]),
        ([0] * 17 + [1, 1, 1], [17, 18, 19]),
        ([0.5] * 20, []),
        ([0] * 8 + [1] * 11 + [2], [19]),  # 1 is nearer to the two wanted than 12 are
        ([0] * 17 + [1, 1, 2], [17, 18, 19]),  # 3 are as near as 1 is
        ([*range(10), *[NAN] * 10], [9]),
        ([NAN, NAN], []),
    ],
)
def test_least_stable_tenth(scores: list[Any], chosen: list[int]) -> None:
    assert np.flatnonzero(top_share(np.array(scores, dtype=float))).tolist() == chosen


@pytest.mark.parametrize("share", [0.0, 1.0, NAN])
def test_share_is_inside_the_unit_interval(share: float) -> None:
    with pytest.raises(InputError, match="share is"):
        top_share(np.ones(3), share)
