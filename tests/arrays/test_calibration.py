"""Calibration: the worked example, a plain loop, and the correction of spreads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arrays.test_probabilities import GOLDEN, near

from sago.arrays import calibration as cal


def by_loop(confidence: np.ndarray, correct: np.ndarray, bins: int) -> float:
    total = 0.0
    for place in range(bins):
        low, high = place / bins, (place + 1) / bins
        inside = (confidence >= low) & ((confidence < high) | (place == bins - 1))
        if inside.any():
            total += inside.sum() * abs(confidence[inside].mean() - correct[inside].mean())
    return total / confidence.size


def test_golden_e27() -> None:
    case = GOLDEN["E27"]
    found = cal.calibration(case["confidence"], case["correct"])
    assert (found.error, found.brier, found.bins) == (near(case["error"]), near(case["brier"]), 10)


def test_golden_e26_deviation() -> None:
    assert cal.deviation(np.array([0.9, 0.7, 0.8])) == near(GOLDEN["E26"]["deviation"])


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 20))
def test_against_a_loop(seed: int, items: int, bins: int) -> None:
    rng = np.random.default_rng(seed)
    confidence, correct = rng.integers(0, 11, items) / 10, rng.integers(0, 2, items).astype(float)
    found = cal.calibration(confidence, correct, bins)
    assert found.error == pytest.approx(by_loop(confidence, correct, bins), abs=1e-12)
    assert found.brier == pytest.approx(np.mean((confidence - correct) ** 2))
    assert found.counts.sum() == items


@pytest.mark.parametrize(("confidence", "expected"), [(0.0, 0), (0.3, 3), (0.7, 7), (0.29999, 2), (1.0, 9)])
def test_edges_belong_to_the_bin_above_but_1_to_the_last(confidence: float, expected: int) -> None:
    assert cal.bin_of(np.array([confidence]))[0] == expected


def test_edges_of_a_hundred_bins_are_where_their_numbers_are() -> None:
    assert cal.bin_of(np.arange(100) / 100, 100).tolist() == list(range(100))


def test_small_samples_look_miscalibrated() -> None:
    rng = np.random.default_rng(0)
    found = []
    for _ in range(300):
        confidence = rng.random(100)
        found.append(cal.calibration(confidence, rng.random(100) < confidence, 15).error)
    assert np.mean(found) == pytest.approx(0.119, abs=0.01)


def long(effect: float, seed: int, examples: int = 60, wordings: int = 4, reruns: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    example = np.repeat(np.arange(examples), wordings * reruns)
    wording = np.tile(np.repeat(np.arange(wordings), reruns), examples)
    confidence = np.clip(rng.random(examples)[example] * 0.8 + effect * wording / wordings, 0, 1)
    correct = (rng.random(examples) < 0.5)[example].astype(float)
    return {"confidence": confidence + 0.01 * rng.random(example.size), "correct": correct, "example": example, "wording": wording}


def spread(rows: dict[str, np.ndarray], score: Any = cal.calibration_errors, how: Any = cal.widest) -> cal.Spread:
    rows = rows | {"confidence": np.clip(rows["confidence"], 0, 1)}
    return cal.spread_over_wordings(**rows, score=score, spread=how, rng=np.random.default_rng(1))


@pytest.mark.parametrize(("score", "how"), [(cal.calibration_errors, cal.widest), (cal.brier_scores, cal.deviation)])
def test_the_correction_takes_chance_away_and_leaves_an_effect(score: Any, how: Any) -> None:
    nothing = [spread(long(0.0, seed), score, how) for seed in range(8)]
    assert all(one.raw > 0 for one in nothing)
    assert abs(np.mean([one.corrected for one in nothing])) < 0.25 * np.mean([one.raw for one in nothing])
    moved = spread(long(0.4, 0, examples=600), score, how)
    assert moved.corrected > 0.4 * moved.raw > 0
    assert moved.corrected > 3 * max(abs(one.corrected) for one in nothing)
    assert moved.raw == pytest.approx(how(moved.each))


def test_the_spread_is_that_of_each_wording_by_itself() -> None:
    rows = long(0.3, 2)
    expected = [
        cal.calibration(np.clip(rows["confidence"][rows["wording"] == v], 0, 1), rows["correct"][rows["wording"] == v]).error
        for v in range(4)
    ]
    found = spread(rows)
    np.testing.assert_allclose(found.each, expected, atol=1e-12)
    assert found.raw == pytest.approx(max(expected) - min(expected))


def test_row_order_does_not_matter_and_reruns_move_together() -> None:
    rows = long(0.2, 3, reruns=3)
    order = np.random.default_rng(0).permutation(rows["example"].size)
    # Within one wording of one example the reruns are sorted anew, so the same numbers up to the order of summing.
    assert spread({name: values[order] for name, values in rows.items()})[:3] == pytest.approx(spread(rows)[:3], abs=1e-12)
    same = long(0.2, 3)
    repeated = {name: np.repeat(values, 3) for name, values in same.items()}
    assert spread(repeated).chance == pytest.approx(spread(same).chance)


def test_one_wording_has_no_spread() -> None:
    rows = long(0.0, 0, wordings=1)
    found = spread(rows)
    assert np.isnan(found.raw)
    assert np.isnan(found.corrected)
    assert np.isnan(cal.deviation(np.array([0.1])))
