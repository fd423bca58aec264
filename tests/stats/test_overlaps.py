"""Exact tests of failures in common."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sago.stats.overlaps import exact_overlap_p, hypergeometric, permuted_overlap_p

RNG = np.random.default_rng


@pytest.mark.parametrize(("n", "first", "second"), [(40, 4, 4), (10, 7, 6), (1000, 100, 90), (5, 0, 2)])
def test_scipy_has_the_same_probabilities(n: int, first: int, second: int) -> None:
    least, chances = hypergeometric(n, first, second)
    assert least == max(0, first + second - n)
    assert chances == pytest.approx(stats.hypergeom(n, first, second).pmf(least + np.arange(chances.size)), abs=1e-12)


def table(n: int, first: int, second: int, both: int) -> list[list[float]]:
    return [[float(both), first - both], [float(second - both), n - first - second + both]]


def test_one_stratum_is_fishers_test() -> None:
    """Upwards only, since 0 in common is nearer to the expected .4 than 2 are."""
    found = exact_overlap_p(np.array([table(40, 4, 4, 2)]))
    assert found == pytest.approx(stats.fisher_exact(np.array(table(40, 4, 4, 2))).pvalue)
    assert found == pytest.approx(stats.hypergeom(40, 4, 4).sf(1))


def test_strata_convolve() -> None:
    tables = np.array([table(40, 4, 4, 2), table(60, 6, 6, 1)])
    first, second = (stats.hypergeom(n, k, k).pmf(np.arange(k + 1)) for n, k in ((40, 4), (60, 6)))
    joint = np.array([[a * b for b in second] for a in first])
    total = np.add.outer(np.arange(5), np.arange(7))
    assert exact_overlap_p(tables) == pytest.approx(joint[np.abs(total - 1.0) >= 2 - 1e-9].sum())


def test_level_of_small_strata_is_kept() -> None:
    """Exactly, over all outcomes of one stratum; chi-square exceeds .05 at n = 40."""
    for n in (30, 40, 60, 100):
        k = round(n / 10)
        chances = stats.hypergeom(n, k, k).pmf(np.arange(k + 1))
        p = np.array([exact_overlap_p(np.array([table(n, k, k, both)])) for both in range(k + 1)])
        assert all(chances[p <= alpha].sum() <= alpha + 1e-9 for alpha in (0.05, 0.05 / 6))


def test_permutation_of_one_model_is_the_exact_test() -> None:
    first, second = np.zeros(60, dtype=bool), np.zeros(60, dtype=bool)
    first[:6], second[3:9] = True, True
    found = permuted_overlap_p([[(np.arange(60), first, second, np.zeros(60, dtype=np.int64))]], RNG(0))
    assert found == pytest.approx(exact_overlap_p(np.array([table(60, 6, 6, 3)])), abs=0.004)


def test_models_that_are_copies_tell_as_much_as_one() -> None:
    rng = RNG(1)
    first, second = rng.random(50) < 0.2, rng.random(50) < 0.2
    one = (np.arange(50), first, second, np.zeros(50, dtype=np.int64))
    assert permuted_overlap_p([[one, one]], RNG(2)) == pytest.approx(permuted_overlap_p([[one]], RNG(3)), abs=0.02)


def test_examples_that_a_model_lacks_are_not_exchanged() -> None:
    rng = RNG(4)
    nothing = np.zeros(40, dtype=np.int64)
    one = (np.arange(40), rng.random(40) < 0.2, rng.random(40) < 0.2, nothing)
    two = (np.arange(20, 60), rng.random(40) < 0.2, rng.random(40) < 0.2, nothing)
    assert 0 < permuted_overlap_p([[one, two]], RNG(5)) <= 1


def test_examples_that_were_asked_otherwise_are_not_exchanged() -> None:
    """All failures of both axes are in the noisier half of the examples: by chance inside it, 2.5 of 5 x 5 in common."""
    rng = RNG(6)
    first, second = np.zeros(20, dtype=bool), np.zeros(20, dtype=bool)
    first[:5], second[:8:2], second[9] = True, True, True
    group = np.repeat([0, 1], 10)
    kept = permuted_overlap_p([[(np.arange(20), first, second, group)]], rng)
    tables = np.array([table(10, 5, 5, int((first & second).sum())), table(10, 0, 0, 0)])
    assert kept == pytest.approx(exact_overlap_p(tables), abs=0.02)
    assert permuted_overlap_p([[(np.arange(20), first, second, 0 * group)]], rng) < kept
