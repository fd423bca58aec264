"""Style: worked examples, features by hand, slopes against an independent regression."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from tests.arrays.test_similarity import GOLDEN

from sago.arrays.style import ENGLISH, FEATURES, function_words, matching, style, style_matching, within


def features(text: str) -> dict[str, float]:
    return dict(zip(FEATURES, style(text).tolist(), strict=True))


@pytest.mark.parametrize(("shares", "expected"), list(zip(GOLDEN["E31"]["shares"], GOLDEN["E31"]["matching"], strict=True)))
def test_golden_e31_matching_of_one_category(shares: list[float], expected: float) -> None:
    assert matching(np.array(shares[:1]), np.array(shares[1:]))[0] == pytest.approx(expected, abs=5e-7)


def test_golden_e31_a_category_absent_from_both_is_skipped() -> None:
    one, other = np.array(GOLDEN["E31"]["shares"]).T
    expected = GOLDEN["E31"]["matching"]
    assert style_matching(one, other) == pytest.approx((expected[0] + expected[2]) / 2, abs=5e-7)
    assert np.isnan(style_matching(np.zeros(9), np.zeros(9)))
    assert np.isnan(style_matching(np.full(9, np.nan), one.repeat(3)))


def test_golden_e33_the_slope_inside_examples() -> None:
    case = GOLDEN["E33"]
    found = within(np.array(case["example"]), np.array(case["prompts"], float), np.array(case["replies"], float))
    assert found.slope == pytest.approx(case["slope"], abs=1e-12)
    assert found.correlation == pytest.approx(1.25 / np.sqrt(2.5 * 0.625), abs=1e-12)
    assert found.n == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is it hot? No.", {"log_length": np.log(5), "words_per_sentence": 2, "punctuation_rate": 2 / 11, "uppercase_rate": 2 / 9}),
        ("It costs 3.50 now", {"words_per_sentence": 5, "digit_rate": 3 / 14}),
        ("今天好。你好！", {"words_per_sentence": 2.5, "punctuation_rate": 2 / 7, "uppercase_rate": np.nan}),
        ("Hi 😀😀", {"emoji_rate": 0.5}),
        ("# Title\n\n- one\nplain **bold**\nend", {"markdown_rate": 0.75}),
        ("1. a\n2) b", {"markdown_rate": 1}),
        ("snake_case * 2", {"markdown_rate": 0}),
        ("It's John's, don\u2019t ask", {"contraction_rate": 0.5}),
        ("Please could you help? Thanks", {"politeness_rate": 3 / 5}),
        ("pleased", {"politeness_rate": 0}),
        ("The cat is not on the mat", {"articles": 2 / 7, "negations": 1 / 7, "prepositions": 1 / 7, "auxiliary_verbs": 1 / 7}),
        ("I don't know any of them", {"personal_pronouns": 2 / 6, "negations": 1 / 6, "auxiliary_verbs": 1 / 6, "quantifiers": 1 / 6}),
    ],
)
def test_features_by_hand(text: str, expected: dict[str, float]) -> None:
    found = features(text)
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_nothing_is_no_share() -> None:
    found = features("")
    assert found.pop("log_length") == 0
    assert np.isnan(list(found.values())).all()


@pytest.mark.parametrize("text", ["Где столица Франции?", "今天天气", "१२ कहाँ है"])
def test_english_word_lists_do_not_read_other_scripts(text: str) -> None:
    found = features(text)
    assert np.isnan([found[name] for name in ENGLISH]).all()
    assert np.isnan(function_words(text)).all()
    assert found["log_length"] > 0


def test_latin_letters_beside_others_are_read() -> None:
    assert features("Où est the café in 東京?")["articles"] == 1 / 7


def dummies(example: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.column_stack([x, np.equal.outer(example, np.unique(example)).astype(float)])


@pytest.mark.parametrize("seed", range(3))
def test_slope_and_its_error_are_those_of_a_regression_with_an_intercept_an_example(seed: int) -> None:
    rng = np.random.default_rng(seed)
    example = np.repeat(np.arange(30), rng.integers(2, 6, 30))
    x = rng.normal(size=example.size) + example
    y = 0.4 * x + rng.normal(size=example.size) + rng.normal(size=30)[example]
    found = within(example, x, y)
    fit: Any = sm.OLS(y, dummies(example, x)).fit(cov_type="cluster", cov_kwds={"groups": example, "use_correction": False})
    assert found.slope == pytest.approx(fit.params[0], abs=1e-9)
    assert found.slope_interval.se == pytest.approx(fit.bse[0] * np.sqrt(30 / 29), abs=1e-9)
    residual = [sm.OLS(side, dummies(example, x)[:, 1:]).fit().resid for side in (x, y)]
    assert found.correlation == pytest.approx(np.corrcoef(*residual)[0, 1], abs=1e-9)


def test_the_error_of_the_correlation_is_near_the_jackknife() -> None:
    rng = np.random.default_rng(5)
    example = np.repeat(np.arange(200), 4)
    x = rng.normal(size=800)
    y = 0.5 * x + rng.normal(size=800)
    whole = within(example, x, y)
    left_out = np.array([within(example[example != one], x[example != one], y[example != one]).correlation for one in range(200)])
    jackknife = np.sqrt(199 / 200 * np.sum((left_out - left_out.mean()) ** 2))
    assert whole.correlation_interval.se == pytest.approx(jackknife, rel=0.03)


def test_rows_without_a_feature_and_examples_that_do_not_differ_take_no_part() -> None:
    example = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    x = np.array([0, 1, 2, 4, 5, 5, 7, np.nan])
    y = np.array([0, 0.5, 3, 4, 1, 9, 0, 1])
    found = within(example, x, y)
    assert found.n == 2
    assert found.slope == pytest.approx(0.5)
    assert found.correlation == pytest.approx(1.25 / np.sqrt(2.5 * 0.625))


def test_constant_replies_have_slope_0_and_no_correlation() -> None:
    found = within(np.array([0, 0, 1, 1]), np.array([0.1, 0.3, 0.2, 0.7]), np.array([0.1, 0.1, 0.3, 0.3]))
    assert (found.slope, found.slope_interval.se) == (0, 0)
    assert np.isnan(found.correlation)


@pytest.mark.parametrize("size", [0, 2])
def test_prompts_that_do_not_differ_give_nothing(size: int) -> None:
    found = within(np.zeros(size, dtype=int), np.full(size, 0.1), np.arange(size) / 3)
    assert found.n == 0
    assert np.isnan([found.slope, found.correlation]).all()


def test_one_example_has_no_interval() -> None:
    found = within(np.array([0, 0, 0]), np.array([0.0, 1, 2]), np.array([0.0, 1, 5]))
    assert found.slope == pytest.approx(2.5)
    assert np.isnan(found.slope_interval.se)
