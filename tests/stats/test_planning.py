"""How much it takes to see an effect, and what was shown to be small."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from tests.stats.golden import GOLDEN

from sago.errors import InputError
from sago.stats.planning import (
    attained,
    equivalence_p,
    examples_for_equivalence,
    examples_needed,
    minimum_detectable_effect,
    power_of,
    reversal_power,
    smallest_reversal,
    smallest_shown,
)

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)


def test_golden_e48_minimum_detectable_effect() -> None:
    case = GOLDEN["E48"]
    assert minimum_detectable_effect(case["sd"], case["n"]) == pytest.approx(case["effect"], abs=5e-6)


def test_golden_e55_equivalence() -> None:
    case = GOLDEN["E55"]
    found = equivalence_p(case["estimate"], case["se"], case["margin"])
    assert found == pytest.approx(case["p"], abs=5e-6)
    assert found == pytest.approx(special.ndtr(case["z"]))


@given(sd=st.floats(0.01, 2), effect=st.floats(0.01, 1), alpha=st.floats(0.001, 0.2), power=st.floats(0.3, 0.99))
@QUICK
def test_so_many_examples_find_the_effect_and_one_fewer_do_not(sd: float, effect: float, alpha: float, power: float) -> None:
    n = int(examples_needed(sd, effect, alpha=alpha, power=power))
    assert minimum_detectable_effect(sd, n, alpha=alpha, power=power) <= effect * (1 + 1e-9)
    if n > 2:
        assert minimum_detectable_effect(sd, n - 1, alpha=alpha, power=power) > effect
    assert power_of(effect, sd, n, alpha=alpha) >= power - 1e-9


@pytest.mark.parametrize(
    ("effect", "n", "alpha"), [(0.05, 200, 0.05), (0.08, 400, 0.05 / 90), (0.3, 10, 0.1), (0.6, 8, 0.01), (0.2, 60, 0.05)]
)
def test_statsmodels_has_the_same_power(effect: float, n: int, alpha: float) -> None:
    from statsmodels.stats.power import NormalIndPower, TTestPower

    exact = n >= 100
    expected = NormalIndPower(ddof=0).power(effect / 0.35, n, alpha, ratio=0) if exact else TTestPower().power(effect / 0.35, n, alpha)
    assert power_of(effect, 0.35, n, alpha=alpha) == pytest.approx(expected, abs=1e-9 if exact else 1e-4)


def test_power_at_no_effect_is_the_error_level() -> None:
    assert power_of(0.0, 0.3, 50, alpha=0.03) == pytest.approx(0.03, abs=1e-5)
    assert power_of(-0.1, 0.3, 50) == pytest.approx(power_of(0.1, 0.3, 50))
    assert power_of(0.1, 0.0, 5) == 1
    assert np.isnan([power_of(0.0, 0.0, 5), power_of(0.1, NAN, 5), examples_needed(NAN, 0.1), minimum_detectable_effect(NAN, 5)]).all()
    assert examples_needed(0.0, 0.1) == 2


@pytest.mark.parametrize("seed", range(3))
def test_statsmodels_has_the_same_equivalence(seed: int) -> None:
    from statsmodels.stats.weightstats import ztost

    values = RNG(seed).normal(0.02, 0.2, 60)
    expected = ztost(values, -0.05, 0.05, ddof=1)[0]
    assert equivalence_p(float(values.mean()), float(values.std(ddof=1) / np.sqrt(60)), 0.05) == pytest.approx(expected, abs=1e-9)


@given(estimate=st.floats(-1, 1), se=st.floats(0.01, 1), margin=st.floats(0.01, 1))
@QUICK
def test_equivalence_knows_no_side_and_no_unit(estimate: float, se: float, margin: float) -> None:
    found = equivalence_p(estimate, se, margin)
    assert found == equivalence_p(-estimate, se, margin)
    assert found == pytest.approx(equivalence_p(3 * estimate, 3 * se, 3 * margin))
    assert (found < 0.5) == (abs(estimate) < margin)


def test_equivalence_keeps_its_level_at_the_margin() -> None:
    drawn = RNG(1).normal(0.3, 0.1, 4000)
    share = np.mean([equivalence_p(value, 0.1, 0.3) <= 0.05 for value in drawn])
    assert share == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 4000))


def test_equivalence_without_an_error_is_no_test() -> None:
    assert np.isnan([equivalence_p(0.0, 0.0, 0.05), equivalence_p(NAN, 0.1, 0.05), equivalence_p(0.0, NAN, 0.05)]).all()


@pytest.mark.parametrize("alpha", [0.0, 1.0, 1.5, NAN])
def test_alpha_is_inside_the_unit_interval(alpha: float) -> None:
    with pytest.raises(InputError, match="alpha is"):
        minimum_detectable_effect(0.3, 200, alpha=alpha)
    with pytest.raises(InputError, match="alpha is"):
        examples_needed(0.3, 0.1, alpha=alpha)
    with pytest.raises(InputError, match="alpha is"):
        power_of(0.1, 0.3, 200, alpha=alpha)


def test_impossible_input_is_an_error() -> None:
    with pytest.raises(InputError, match=r"power is 0\.01"):
        minimum_detectable_effect(0.3, 200, power=0.01)
    with pytest.raises(InputError, match="number of examples is 0"):
        minimum_detectable_effect(0.3, 0)
    with pytest.raises(InputError, match=r"sd is -0\.3"):
        minimum_detectable_effect(-0.3, 9)
    with pytest.raises(InputError, match=r"sd is -0\.3"):
        examples_needed(-0.3, 0.1)
    with pytest.raises(InputError, match=r"sd is -0\.3"):
        power_of(0.1, -0.3, 9)
    with pytest.raises(InputError, match="effect is 0"):
        examples_needed(0.3, 0.0)
    with pytest.raises(InputError, match="margin is 0"):
        equivalence_p(0.0, 0.1, 0.0)
    with pytest.raises(InputError, match="standard error is -1"):
        equivalence_p(0.0, -1, 0.1)


@pytest.mark.parametrize("n", [12, 40, 99, 100, 400])
def test_the_smallest_instability_that_is_shown_is_shown_with_its_power(n: int) -> None:
    """The verdict's own rule on simulated normal scores: lower one-sided 95 % bound above .05."""
    from sago.arrays.intervals import quantile

    true, rng = smallest_shown(0.05, 0.3, n), RNG(n)
    scores = rng.normal(true, 0.3, size=(4000, n))
    bound = scores.mean(axis=1) - quantile(0.95, n) * scores.std(axis=1, ddof=1) / np.sqrt(n)
    assert np.mean(bound > 0.05) == pytest.approx(0.80, abs=0.025)


def test_the_smallest_instability_by_hand() -> None:
    assert smallest_shown(0.05, 0.3, 200) == pytest.approx(0.05 + (1.644854 + 0.841621) * 0.3 / np.sqrt(200))
    assert np.isnan([smallest_shown(0.05, 0.3, 1), smallest_shown(0.05, NAN, 50)]).all()
    assert smallest_shown(0.05, 0.0, 50) == 0.05


def test_examples_for_equivalence_by_hand() -> None:
    """(1.644854 + 1.281552) / .3 = 9.754687, squared 95.15; at reliability .5, of ranks .482584, 95.15 / .232887 = 408.58."""
    assert examples_for_equivalence(0.3) == 99
    assert examples_for_equivalence(0.3, reliability=0.5) == 412
    assert np.isnan(examples_for_equivalence(0.3, reliability=0.0))
    with pytest.raises(InputError, match=r"a reliability is 1\.2"):
        examples_for_equivalence(0.3, reliability=1.2)


def test_so_many_examples_show_equivalence_with_the_power() -> None:
    n = int(examples_for_equivalence(0.3))
    rng = RNG(0)
    first, second = rng.normal(size=(2, 3000, n))
    first, second = (part - part.mean(axis=1, keepdims=True) for part in (first, second))
    rho = (first * second).sum(axis=1) / np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    z, edge = rho * np.sqrt(n - 3), 0.3 * np.sqrt(n - 3)
    assert np.mean((z + edge > 1.644854) & (z - edge < -1.644854)) == pytest.approx(0.80, abs=0.025)


@pytest.mark.parametrize(("n", "tests"), [(8, 1), (12, 90), (50, 90)])
def test_small_reversals_have_the_power_of_their_t_tests(n: int, tests: int) -> None:
    from scipy import stats

    drawn = RNG(n).normal(smallest_reversal(0.35, n, tests=tests), 0.35, size=(20_000, n))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(n))
    assert np.mean(t > stats.t.ppf(1 - 0.05 / tests, n - 1)) ** 2 == pytest.approx(0.80, abs=0.015)


@pytest.mark.parametrize(("n", "alpha"), [(8, 0.05), (12, 0.025), (25, 0.05)])
def test_small_differences_have_the_power_of_their_sign_flips(n: int, alpha: float) -> None:
    from sago.arrays.sign_flips import sign_flip_p

    rng = RNG(n)
    effect = minimum_detectable_effect(0.35, n, alpha=attained(alpha, n))
    found = [sign_flip_p(rng.normal(effect, 0.35, n), rng, draws=999) <= alpha for _ in range(1000)]
    assert np.mean(found) == pytest.approx(0.80, abs=0.04)


@pytest.mark.parametrize("n", [2, 3, 99, 100])
def test_far_out_power_ends(n: int) -> None:
    found = minimum_detectable_effect(0.35, n, alpha=1e-6)
    assert power_of(found, 0.35, n, alpha=1e-6) == pytest.approx(0.80, abs=1e-5)


def test_power_of_a_reversal_is_that_of_the_metrics() -> None:
    """METRICS 8, claim 3: difference .08, SD .35, Holm over 90 tests."""
    assert reversal_power(0.08, 0.35, 400, tests=90) == pytest.approx(0.82, abs=5e-3)
    assert reversal_power(0.08, 0.35, 200, tests=90) == pytest.approx(0.24, abs=5e-3)
    assert reversal_power(0.1, 0.0, 5) == 1
    assert reversal_power(0.0, 0.0, 5) == 0


@given(sd=st.floats(0.05, 1), n=st.integers(5, 2000), tests=st.integers(1, 200), power=st.floats(0.3, 0.95))
@QUICK
def test_the_smallest_reversal_has_its_power(sd: float, n: int, tests: int, power: float) -> None:
    smallest = smallest_reversal(sd, n, tests=tests, power=power)
    assert reversal_power(smallest, sd, n, tests=tests) == pytest.approx(power)


def test_importing_the_formulas_loads_no_slow_library() -> None:
    names = "aggregates, decomposition, dimensions, multiplicity, planning, pooling, ranks, reliability"
    slow = ("statsmodels", "scipy.stats", "pandas")
    code = f"from sago.stats import {names}; import sys; print([name for name in {slow} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
