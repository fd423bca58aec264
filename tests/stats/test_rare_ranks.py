"""Correlations where few examples stand apart from many equal ones: what plain tests take for known, and what is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sago.arrays.intervals import upper_tail
from sago.stats import rare_ranks
from sago.stats.bounded_mean import mean_p
from sago.stats.independence import CrossHalf, cross_half, distance_correlation, distance_p, distance_parts, standard_ranks

RNG = np.random.default_rng


def apart(n: int, first: int, second: int, both: int) -> CrossHalf:
    """Returns two axes of scores 0 and 1: so many examples have 1 on the first, on the second, on both."""
    one, two = np.zeros((1, n)), np.zeros((1, n))
    one[0, :first], two[0, first - both : first - both + second] = 1, 1
    a, b = standard_ranks(one), standard_ranks(two)
    return cross_half((a, a), (b, b))


def where(part: CrossHalf, dataset: str = "d") -> list[tuple[str, np.ndarray]]:
    return [(dataset, np.arange(part.n))]


def test_how_many_stand_apart() -> None:
    """n q (1 - q) / (1 - 3 q + 3 q^2) of the rarer axis."""
    assert apart(400, 20, 40, 2).apart == pytest.approx(400 * 0.05 * 0.95 / (1 - 0.15 + 0.0075), abs=1e-9)
    assert apart(400, 20, 40, 2).rare
    ranks = standard_ranks(RNG(0).normal(size=(1, 400)))
    plain = cross_half((ranks, ranks), (ranks, ranks))
    assert not plain.rare
    assert plain.apart == pytest.approx(400 / 1.8, abs=1)


@pytest.mark.parametrize("count", [4, 6, 9])
def test_independence_is_as_far_open_as_common_failures_may_be_missed(count: int) -> None:
    """At a correlation of .30 none of ``count`` failures is common in (1 - .335)^count of samples; the plain test says p < 1e-6."""
    part = apart(100, count, count, 0)
    p = rare_ranks.beyond_p([part], where(part), 0.3)
    share = count / 100
    missed = (1 - share - 0.3 * (1 - share)) ** count
    assert upper_tail((0.3 - abs(part.estimate)) / part.se, 100) < 1e-6
    assert 0.5 < p / missed < 1.5


def test_bound_of_the_margin_by_hand() -> None:
    """X_i - m (A_i + B_i) / 2 of each example, the largest possible one at u = v = root((1 - q) / q)."""
    n, count = 100, 6
    part = apart(n, count, count, 0)
    square = (n - count) / count
    alone, neither = -1 - 0.15 * (square + 1 / square), 1 / square - 0.3 / square
    values = np.repeat([alone, neither], [2 * count, n - 2 * count])
    assert rare_ranks.beyond_p([part], where(part), 0.3) == pytest.approx(mean_p(values, 0.7 * square, 0.0), abs=1e-9)


def test_ends_hold_what_was_too_rare_to_be_seen() -> None:
    part = apart(100, 5, 5, 0)
    low, high = rare_ranks.ends([part], where(part), 0.025)
    assert part.estimate + 2 * part.se < 0
    assert 0.5 < high < 0.8
    assert low < part.estimate
    assert rare_ranks.ends([apart(100, 5, 5, 5)], where(part), 0.025)[0] < 0.9


def test_without_ties_the_plain_tests_hold() -> None:
    ranks = standard_ranks(RNG(1).normal(size=(2, 200)))
    part = cross_half((ranks[:1], ranks[:1]), (ranks[1:], ranks[1:]))
    assert rare_ranks.beyond_p([part], where(part), 0.3) == 0
    assert rare_ranks.ends([part], where(part), 0.025) == (np.inf, -np.inf)
    products = part.products[0]
    t = abs(products.sum()) / np.sqrt(products @ products)
    assert rare_ranks.none_p([part], where(part)) == pytest.approx(float(stats.t.sf(t, 199)), abs=1e-9)


def test_few_examples_make_no_dependence_by_their_small_error_alone() -> None:
    """At no correlation |rho| / se has tails of its own: around a large estimate ranks of 30 examples spread less."""
    plain = own = 0
    for seed in range(1500):
        ranks = standard_ranks(RNG(seed).normal(size=(2, 30)))
        part = cross_half((ranks[:1], ranks[:1]), (ranks[1:], ranks[1:]))
        plain += upper_tail(abs(part.estimate) / part.se, 30) <= 0.005
        own += rare_ranks.none_p([part], where(part)) <= 0.005
    assert plain / 1500 > 0.015
    assert own / 1500 <= 0.015


@pytest.mark.parametrize(("count", "chance"), [(3, 0.125), (4, 0.0625), (6, 0.0156)])
def test_p_of_few_parts_of_one_sign(count: int, chance: float) -> None:
    p = rare_ranks.own_spread_p(np.full(count, 0.2))
    assert p == pytest.approx(float(stats.t.sf(count**0.5, count - 1)), abs=1e-12)
    assert p > 0.9 * chance
    assert rare_ranks.own_spread_p(np.zeros(3)) == 1


def test_a_common_failure_or_two_are_no_dependence() -> None:
    part = apart(60, 6, 6, 2)
    assert rare_ranks.none_p([part], where(part)) > 0.1
    certain = apart(200, 12, 12, 10)
    assert rare_ranks.none_p([certain], where(certain)) < 0.02


def test_strata_are_summed_by_example() -> None:
    """Twice the same model on the same examples tells nothing new; on other examples it does."""
    part = apart(100, 8, 8, 0)
    once = rare_ranks.beyond_p([part], where(part), 0.3)
    assert rare_ranks.beyond_p([part, part], where(part) * 2, 0.3) == pytest.approx(once, rel=1e-9)
    assert rare_ranks.beyond_p([part, part], where(part) + where(part, "e"), 0.3) < once / 5


def test_parts_of_the_distance_correlation_sum_to_it() -> None:
    x, y = RNG(2).normal(size=(2, 60))
    assert distance_parts(x, y).sum() == pytest.approx(distance_correlation(x, y), abs=1e-12)
    assert np.isnan(distance_parts(np.ones(9), np.arange(9.0))).all()
    assert np.isnan(distance_parts(np.arange(3.0), np.arange(3.0))).all()


def test_two_common_examples_of_three_are_no_distance_correlation() -> None:
    x, y = ((np.isin(np.arange(60), places)).astype(np.float64) for places in ([3, 7], [3, 7, 9]))
    assert distance_p(distance_correlation(x, y), 60) < 1e-8
    assert rare_ranks.own_spread_p(distance_parts(x, y), reach=2.0) > stats.hypergeom.sf(1, 60, 2, 3)
