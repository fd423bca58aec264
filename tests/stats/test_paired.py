from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sago.stats.evidence import Paired
from sago.stats.paired import differences


def _scores(first: np.ndarray, second: np.ndarray) -> Paired:
    score = np.vstack([first, second])
    names = tuple(str(place) for place in range(first.size))
    return Paired(("a", "b"), names, score, score - score.mean(axis=1, keepdims=True), np.zeros(2))


@pytest.mark.parametrize(("n", "rare"), [(50, 0.01), (50, 0.02), (100, 0.01), (100, 0.02), (200, 0.1), (400, 0.02)])
def test_rare_large_changes_that_were_not_seen_are_no_difference(n: int, rare: float) -> None:
    """Both means are the same: one model changes all of one example in many, the other a little of each."""
    rng = np.random.default_rng(1)
    claimed = 0
    for _ in range(200):
        spread = np.clip(rare * (1 + rng.normal(size=n) / 4), 0, 1)
        claimed += abs(float(differences(_scores((rng.random(n) < rare) * 1.0, spread)).z[0])) > 1.96
    assert claimed / 200 < 0.06


def test_scores_of_skewed_differences_are_corrected_towards_none_alone() -> None:
    """Skewed to the right, means below 0 are too sure: g(t) = t + a t^2 / 3 + a^2 t^3 / 27 + a / 6 (Hall 1992); above 0 t stays."""
    apart = np.random.default_rng(4).exponential(1, 200) - 1.0
    for shift, corrected in ((-0.2, True), (0.2, False)):
        values = apart - apart.mean() + shift
        t = shift / (values.std(ddof=1) / 200**0.5)
        a = stats.skew(values) / 200**0.5 * (199 / 200) ** 1.5
        expected = t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6 if corrected else t
        assert differences(_scores(values, np.zeros(200))).z[0] == pytest.approx(expected)
        assert abs(expected) < abs(t) or not corrected


def test_the_exact_bound_hides_no_plain_difference() -> None:
    rng = np.random.default_rng(2)
    first, second = np.clip(rng.normal(0.4, 0.2, 100), 0, 1), np.clip(rng.normal(0.2, 0.2, 100), 0, 1)
    found = differences(_scores(first, second))
    apart = first - second
    plain = apart.mean() / (apart.std(ddof=1) / 10)
    size = float(apart.mean())
    exact = (1 / (1 + size)) ** 100
    assert found.z[0] == pytest.approx(min(plain, stats.norm.isf(exact)))
    assert found.z[0] > 4


def test_below_thirty_examples_sign_flips_decide_and_the_score_is_that_of_t() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random(20), rng.random(20)
    expected = stats.ttest_rel(first, second)
    z = float(differences(_scores(first, second)).z[0])
    assert 2 * stats.norm.sf(abs(z)) == pytest.approx(expected.pvalue)
    assert np.sign(z) == np.sign(expected.statistic)


def test_a_third_model_does_not_hold_back_a_difference_of_two() -> None:
    """The bound of what was not seen is that of the two models' own scores: one with scores up to 6 left .08 among 400 unshown."""
    rng = np.random.default_rng(5)
    two = _scores(np.clip(rng.normal(0.3, 0.2, 400), 0, 1), np.clip(rng.normal(0.2, 0.2, 400), 0, 1))
    score = np.vstack([two.score, rng.normal(5, 0.3, 400)])
    three = Paired(("a", "b", "c"), two.examples, score, score - score.mean(axis=1, keepdims=True), np.zeros(3))
    assert differences(three).z[0] == pytest.approx(differences(two).z[0])
    assert differences(three).z[0] > 5
