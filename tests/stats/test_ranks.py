"""Orders of models and what the data leave open about them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from tests.stats.golden import GOLDEN, near

from sago.errors import InputError
from sago.stats.ranks import concordance, rank_intervals, tau_b

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)


@pytest.mark.parametrize("name", sorted(GOLDEN["E41"]["cases"]))
def test_golden_e41_tau_b(name: str) -> None:
    case = GOLDEN["E41"]["cases"][name]
    assert tau_b(np.array(case["first"], dtype=float), np.array(case["second"], dtype=float)).tau == near(case["tau"])


def test_golden_e62_pairs_behind_tau_b() -> None:
    case = GOLDEN["E62"]
    found = tau_b(np.array(case["first"]), np.array(case["second"]))
    assert found.tau == near(case["tau"])
    assert found[1:] == (case["concordant"], case["discordant"], 0, 0, case["tied_both"])


def test_golden_e42_concordance() -> None:
    case = GOLDEN["E42"]
    found = concordance(np.array(case["ranks"], dtype=float))
    assert (found.w, found.chi2) == near((case["w"], case["friedman"]))
    assert found.p == pytest.approx(stats.chi2.sf(1.0, 3))


@given(seed=st.integers(0, 10_000), models=st.integers(2, 8))
@QUICK
def test_tau_b_is_symmetric_and_its_pairs_add_up(seed: int, models: int) -> None:
    first, second = RNG(seed).integers(0, 4, (2, models)).astype(float)
    one, two = tau_b(first, second), tau_b(second, first)
    assert one.tau == pytest.approx(two.tau, nan_ok=True)
    assert (one.tied_first, one.tied_second) == (two.tied_second, two.tied_first)
    assert sum(one[1:]) == models * (models - 1) // 2
    ties = (one.concordant + one.discordant + one.tied_second) * (one.concordant + one.discordant + one.tied_first)
    expected = (one.concordant - one.discordant) / np.sqrt(ties) if ties else NAN
    assert one.tau == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert tau_b(first, -second).tau == pytest.approx(-one.tau, nan_ok=True)


def test_models_without_a_score_take_no_part() -> None:
    found = tau_b(np.array([1.0, NAN, 2.0, 3.0]), np.array([1.0, 5.0, 2.0, NAN]))
    assert found == (1.0, 1, 0, 0, 0, 0)
    assert np.isnan(tau_b(np.array([1.0]), np.array([2.0])).tau)
    assert tau_b(np.zeros(3), np.arange(3.0))[1:] == (0, 0, 3, 0, 0)


# -- several data sets ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_pingouin_has_the_same_friedman(seed: int) -> None:
    pandas, pingouin = pytest.importorskip("pandas"), pytest.importorskip("pingouin")
    scores = RNG(seed).integers(0, 6, (7, 4)).astype(float)
    dataset, model = np.indices(scores.shape)
    frame = pandas.DataFrame({"score": scores.reshape(-1), "model": model.reshape(-1), "dataset": dataset.reshape(-1)})
    expected = pingouin.friedman(frame, dv="score", within="model", subject="dataset")
    found = concordance(scores)
    assert (found.chi2, found.w) == pytest.approx((float(expected["Q"].iloc[0]), float(expected["W"].iloc[0])), abs=1e-9)
    p = next(expected[name].iloc[0] for name in expected.columns if name.startswith("p"))
    assert found.p == pytest.approx(float(p), abs=1e-9)


@given(seed=st.integers(0, 10_000), datasets=st.integers(2, 5), models=st.integers(3, 6))
@QUICK
def test_concordance_lies_between_no_and_one_order(seed: int, datasets: int, models: int) -> None:
    scores = RNG(seed).normal(size=(datasets, models))
    found = concordance(scores)
    assert -1e-12 <= found.w <= 1 + 1e-12
    assert concordance(np.exp(scores)).w == pytest.approx(found.w)
    assert concordance(np.tile(scores[0], (datasets, 1))).w == pytest.approx(1)
    if datasets == 2:
        assert found.w == pytest.approx((stats.spearmanr(*scores).statistic + 1) / 2)


def test_data_sets_that_lack_a_model_take_no_part() -> None:
    scores = np.array([[1.0, 2, 3], [1, NAN, 0], [2, 1, 3]])
    assert concordance(scores) == concordance(scores[[0, 2]])
    assert concordance(scores).datasets == 2
    assert np.isnan(concordance(scores[:2]).w)
    assert np.isnan(concordance(np.ones((3, 4))).w)


# -- rank intervals -----------------------------------------------------------------------------------------------------------------


def pairwise(scores: np.ndarray, se: float) -> tuple[np.ndarray, np.ndarray]:
    differences = scores[:, None] - scores[None, :]
    return differences, 2 * special.ndtr(-np.abs(differences) / se)


def test_sure_differences_give_the_rank_and_unsure_ones_leave_it_open() -> None:
    differences, p = pairwise(np.array([0.3, 0.1, 0.2]), 0.001)
    assert rank_intervals(differences, p).tolist() == [[3, 3], [1, 1], [2, 2]]
    assert rank_intervals(differences, np.full((3, 3), 0.5)).tolist() == [[1, 3]] * 3
    assert rank_intervals(differences, np.full((3, 3), NAN)).tolist() == [[1, 3]] * 3


def test_a_group_of_near_ties_shares_its_ranks() -> None:
    differences, p = pairwise(np.array([0.10, 0.101, 0.5]), 0.01)
    assert rank_intervals(differences, p).tolist() == [[1, 2], [1, 2], [3, 3]]


def test_pairs_are_decided_together() -> None:
    """Of three pairs, one with p = .02: enough by itself, not after Holm."""
    differences, _ = pairwise(np.array([0.1, 0.2, 0.3]), 1)
    p = np.ones((3, 3))
    p[0, 2] = p[2, 0] = 0.02
    assert rank_intervals(differences, p).tolist() == [[1, 3]] * 3
    p[0, 2] = p[2, 0] = 0.016
    assert rank_intervals(differences, p).tolist() == [[1, 2], [1, 3], [2, 3]]
    assert rank_intervals(differences, p, alpha=0.01).tolist() == [[1, 3]] * 3


@given(seed=st.integers(0, 10_000), models=st.integers(2, 7))
@QUICK
def test_intervals_hold_the_observed_rank_and_follow_their_model(seed: int, models: int) -> None:
    scores = RNG(seed).normal(size=models)
    found = rank_intervals(*pairwise(scores, 0.3))
    observed = stats.rankdata(scores)
    assert ((found[:, 0] <= observed) & (observed <= found[:, 1])).all()
    assert ((found >= 1) & (found <= models)).all()
    np.testing.assert_array_equal(rank_intervals(*pairwise(scores[::-1], 0.3))[::-1], found)


def test_true_ranks_are_covered_near_ties() -> None:
    rng, truth, missed = RNG(9), np.array([0.10, 0.11, 0.12, 0.30]), 0
    for _ in range(300):
        found = rank_intervals(*pairwise(truth + rng.normal(0, 0.02, 4), 0.02 * np.sqrt(2)))
        missed += not ((found[:, 0] <= [1, 2, 3, 4]) & (found[:, 1] >= [1, 2, 3, 4])).all()
    assert missed / 300 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


# -- impossible input -----------------------------------------------------------------------------------------------------------------


def test_impossible_input_is_an_error() -> None:
    differences, p = pairwise(np.array([0.1, 0.2, 0.3]), 1)
    with pytest.raises(InputError, match="alpha is 1"):
        rank_intervals(differences, p, alpha=1)
    with pytest.raises(InputError, match="opposite signs"):
        rank_intervals(np.abs(differences), p)
    with pytest.raises(InputError, match="models x models"):
        rank_intervals(differences[:2], p[:2])
    with pytest.raises(InputError, match="do not fit"):
        rank_intervals(differences, p[:2])
    with pytest.raises(InputError, match="number of models is 2"):
        concordance(np.ones((3, 2)))
    with pytest.raises(InputError, match="number of data sets is 1"):
        concordance(np.ones((1, 3)))
    with pytest.raises(InputError, match="data sets x models"):
        concordance(np.ones(3))
    with pytest.raises(InputError, match="do not fit"):
        tau_b(np.ones(3), np.ones(4))
