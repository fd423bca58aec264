"""Corrections, claims about several data sets, and reversals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import special, stats
from tests.stats.golden import GOLDEN, near

from sago.errors import InputError
from sago.stats.multiplicity import (
    benjamini_hochberg,
    bonferroni,
    consistent_in,
    gail_simon,
    holm,
    nested_holm,
    partial_conjunction,
    reversal_p,
)

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)
METHODS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "bonferroni": bonferroni,
    "holm": holm,
    "benjamini_hochberg": benjamini_hochberg,
}
several = hnp.arrays(np.float64, st.integers(1, 8), elements=st.floats(0, 1))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_golden_e38_rejections(method: str) -> None:
    case = GOLDEN["E38"]
    assert int(np.sum(METHODS[method](np.array(case["p"])) <= 0.05)) == case["rejected"][method]


def test_golden_e39_partial_conjunction() -> None:
    case = GOLDEN["E39"]
    p = np.array(case["p"])
    assert [partial_conjunction(p, u) for u in (1, 2, 3)] == near(case["partial_conjunction"])
    assert holm(p) == near(np.array(case["holm"]))
    assert consistent_in(p) == case["consistent_in"]


@pytest.mark.parametrize("name", sorted(GOLDEN["E40"]["cases"]))
def test_golden_e40_gail_simon(name: str) -> None:
    case = GOLDEN["E40"]["cases"][name]
    found = gail_simon(np.array(case["z"], dtype=float))
    assert found.q == pytest.approx(case["q"])
    assert found.p == pytest.approx(case["p"], abs=5e-7)


@pytest.mark.parametrize("datasets", [2, 3, 4, 5])
def test_golden_e40_published_critical_values(datasets: int) -> None:
    edge = GOLDEN["E40"]["critical"][str(datasets)]
    z = [np.sqrt(edge), *[-50.0] * (datasets - 1)]
    assert gail_simon(np.array(z)).p == pytest.approx(0.05, abs=2e-4)


# -- corrections -----------------------------------------------------------------------------------------------------------------


def test_corrections_as_scipy_and_the_definition_have_them() -> None:
    p = RNG(0).uniform(0, 0.2, 30)
    np.testing.assert_allclose(benjamini_hochberg(p), stats.false_discovery_control(p), atol=1e-9)
    np.testing.assert_allclose(bonferroni(p), np.minimum(1, 30 * p), atol=1e-9)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(np.minimum(1, (30 - np.arange(30)) * p[order]))
    np.testing.assert_allclose(holm(p)[order], stepped, atol=1e-9)


@given(p=several)
@QUICK
def test_corrections_are_ordered(p: np.ndarray) -> None:
    assert (p <= benjamini_hochberg(p) + 1e-12).all()
    assert (benjamini_hochberg(p) <= holm(p) + 1e-12).all()
    assert (holm(p) <= bonferroni(p) + 1e-12).all()
    np.testing.assert_allclose(holm(p[::-1])[::-1], holm(p))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_what_was_not_tested_does_not_count(method: str) -> None:
    p = np.array([[0.01, NAN], [0.04, 0.02]])
    found = METHODS[method](p)
    assert np.isnan(found[0, 1])
    np.testing.assert_allclose(found[~np.isnan(p)], METHODS[method](np.array([0.01, 0.04, 0.02])))
    assert np.isnan(METHODS[method](np.array([NAN]))).all()
    assert METHODS[method](np.empty(0)).size == 0


# -- several data sets --------------------------------------------------------------------------------------------------------------


@given(p=several)
@QUICK
def test_all_is_the_largest_p_and_any_is_bonferroni(p: np.ndarray) -> None:
    assert partial_conjunction(p, p.size) == p.max()
    assert partial_conjunction(p, 1) == pytest.approx(bonferroni(p).min())
    assert all(0 <= partial_conjunction(p, u) <= 1 for u in range(1, p.size + 1))


@given(p=several)
@QUICK
def test_conjunctions_are_tested_in_order_until_one_fails(p: np.ndarray) -> None:
    found = consistent_in(p)
    assert all(partial_conjunction(p, u) <= 0.05 for u in range(1, found + 1))
    assert found == p.size or partial_conjunction(p, found + 1) > 0.05


def test_a_later_conjunction_does_not_make_up_for_an_earlier_one() -> None:
    """Three p of .03: "in at least one" has .09, so nothing is said though "in all three" has .03."""
    assert consistent_in(np.full(3, 0.03)) == 0


@given(p=several)
@QUICK
def test_nested_holm_of_one_column_is_holm(p: np.ndarray) -> None:
    assert nested_holm(p[:, None])[:, 0] == pytest.approx(holm(p))


def test_nested_holm_by_hand() -> None:
    """Row 2 ends at .01: 3 x .01 = .03 is passed first and leaves the others 2 P each; the row of two has .04 at its end."""
    p = np.array([[0.004, 0.02], [0.001, 0.01], [0.5, NAN], [NAN, NAN]])
    expected = np.array([[0.012, 0.04], [0.003, 0.03], [0.5, NAN], [NAN, NAN]])
    np.testing.assert_allclose(nested_holm(p), expected)


def test_in_too_many_data_sets_is_said_of_any_model_in_one_case_of_twenty() -> None:
    """Five models, true in 0 to 4 of 4 data sets, the others exactly at the null: Holm over models for each u alone had .10."""
    rng, wrong = np.random.default_rng(0), 0
    for _ in range(2000):
        p = rng.random((5, 4))
        for true in range(5):
            p[true, :true] = 1e-9
        each = np.array([[partial_conjunction(row, u + 1) for u in range(4)] for row in p])
        wrong += bool(((nested_holm(each) <= 0.05).sum(axis=1) > np.arange(5)).any())
    assert wrong / 2000 < 0.06


def test_conjunction_over_data_sets_that_were_tested() -> None:
    p = np.array([0.02, NAN, 0.01])
    assert partial_conjunction(p, 2) == 0.02
    assert np.isnan(partial_conjunction(p, 3))
    assert consistent_in(p) == 2
    assert consistent_in(np.array([NAN])) == 0


def test_conjunction_keeps_its_level() -> None:
    """Unstable without doubt in one of four data sets: "in at least two" is said in at most one of twenty."""
    p = RNG(3).uniform(size=(4000, 4))
    p[:, 0] = 1e-9
    assert np.mean([consistent_in(row) >= 2 for row in p]) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


# -- reversals ------------------------------------------------------------------------------------------------------------------------


def test_one_sign_everywhere_is_no_reversal() -> None:
    assert gail_simon(np.array([1.0, 2.0, 0.0])) == (0, 1)


@given(z=hnp.arrays(np.float64, st.integers(2, 6), elements=st.floats(-5, 5)))
@QUICK
def test_gail_simon_knows_no_order_and_no_side(z: np.ndarray) -> None:
    found = gail_simon(z)
    assert found == pytest.approx(gail_simon(z[::-1]))
    assert found == pytest.approx(gail_simon(-z))
    assert 0 < found.p <= 1
    h = np.arange(1, z.size)
    expected = np.sum(stats.binom.pmf(h, z.size - 1, 0.5) * stats.chi2.sf(found.q, h))
    assert found.p == pytest.approx(expected if found.q > 0 else 1, abs=1e-9)


@pytest.mark.parametrize("datasets", [2, 3, 5])
def test_gail_simon_keeps_its_level(datasets: int) -> None:
    """At the edge of the null, no difference but in one data set, where it is large; and inside, where all differences have one sign."""
    draws = 2000
    edge, inside = RNG(datasets).normal(size=(2, draws, datasets))
    edge[:, 0] -= 20
    inside += 0.5
    for z in (edge, inside):
        p = np.array([gail_simon(row).p for row in z])
        for level in (0.01, 0.05, 0.2):
            error = 3 * np.sqrt(level * (1 - level) / draws)
            assert np.mean(p <= level) <= level + error
            if z is edge:
                assert np.mean(p <= level) >= level - error


def test_gail_simon_without_enough_data_sets() -> None:
    assert np.isnan(gail_simon(np.array([1.0, NAN]))).all()
    assert gail_simon(np.array([3.0, NAN, -2.8])).p == pytest.approx(0.002555, abs=5e-7)


@given(first=st.floats(0.01, 6), second=st.floats(0.01, 6))
@QUICK
def test_a_reversal_is_as_sure_as_its_weaker_half(first: float, second: float) -> None:
    one, two = np.array([first]), np.array([second])
    opposite = reversal_p(one, -two)[0]
    assert opposite == pytest.approx(special.ndtr(-min(first, second)))
    assert opposite == pytest.approx(reversal_p(-one, two)[0])
    assert opposite == pytest.approx(reversal_p(-two, one)[0])
    assert opposite == pytest.approx(gail_simon(np.array([first, -second])).p, abs=1e-9)
    assert reversal_p(one, two)[0] > 0.5


def test_reversals_have_their_level_at_the_edge() -> None:
    z = RNG(5).normal(size=(2, 20_000))
    for far in (0.0, 6.0):
        share = np.mean(reversal_p(z[0], z[1] + far) <= 0.05)
        assert share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 20_000)
    assert share == pytest.approx(0.05, abs=0.005)


def test_reversal_of_many_pairs_at_once() -> None:
    found = reversal_p(np.array([[3.0, NAN], [0.0, -2.0]]), np.array([[-2.0, 1.0], [5.0, 2.5]]))
    np.testing.assert_allclose(found, [[special.ndtr(-2), NAN], [0.5, special.ndtr(-2)]])


# -- impossible input --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-0.01, 1.01])
def test_p_values_are_in_the_unit_interval(wrong: float) -> None:
    p = np.array([0.1, wrong])
    for adjust in METHODS.values():
        with pytest.raises(InputError, match="a p value is"):
            adjust(p)
    with pytest.raises(InputError, match="a p value is"):
        consistent_in(p)


@pytest.mark.parametrize("asked", [0, 3])
def test_conjunction_over_more_than_there_are(asked: int) -> None:
    with pytest.raises(InputError, match="partial_conjunction"):
        partial_conjunction(np.array([0.1, 0.2]), asked)


@pytest.mark.parametrize("alpha", [0.0, 1.0, NAN])
def test_alpha_is_inside_the_unit_interval(alpha: float) -> None:
    with pytest.raises(InputError, match="alpha is"):
        consistent_in(np.array([0.1]), alpha)


def test_one_data_set_cannot_disagree() -> None:
    with pytest.raises(InputError, match="number of data sets is 1"):
        gail_simon(np.array([1.0]))
    with pytest.raises(InputError, match="do not fit"):
        reversal_p(np.ones(2), np.ones(3))
