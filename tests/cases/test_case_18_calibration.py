"""Case 18: calibration error at the edges (Lightning-AI/torchmetrics#3510, OpenTabular/DeepTab PR#428, NandhaKishorM/laya PR#39)."""

from __future__ import annotations

import math

import pytest

from sago.arrays.calibration import calibration
from sago.errors import DataError

CASES: dict[str, tuple[list[float], list[float], int, float]] = {
    "a": ([1, 1, 1], [0, 0, 0], 10, 1.0),
    "b": ([0, 0], [1, 1], 10, 1.0),
    "c": ([0.95, 1.0], [1, 0], 10, 0.475),
    "d": ([0.2, 0.9], [0, 1], 1, 0.05),
    "e": ([0.25, 0.35, 0.65, 0.85], [0, 1, 1, 1], 5, 0.225),
    "f": ([0.3], [1], 10, 0.7),
    "h": ([0.5, math.nan], [1, 1], 10, 0.5),
    "i": ([1.0000001], [1], 10, 0.0),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_value(name: str) -> None:
    confidence, correct, bins, expected = CASES[name]
    found = calibration(confidence, correct, bins)
    assert found.error == pytest.approx(expected, abs=1e-12)
    assert found.bins == bins == found.counts.size
    assert found.counts.sum() == found.n == len(confidence) - found.n_left_out


def test_nothing_is_null() -> None:
    found = calibration([], [])
    assert math.isnan(found.error)
    assert math.isnan(found.brier)
    assert (found.n, found.n_left_out, found.counts.sum()) == (0, 0, 0)


def test_a_missing_confidence_is_left_out_and_counted() -> None:
    found = calibration([0.5, math.nan], [1, 1])
    assert (found.n, found.n_left_out) == (1, 1)


def test_rounding_above_1_is_1() -> None:
    assert calibration([1.0000001], [0]).error == 1.0


@pytest.mark.parametrize("odd", [1.5, -0.2, math.inf])
def test_what_is_no_probability_is_a_clear_error(odd: float) -> None:
    with pytest.raises(DataError, match=r"is not in \[0, 1\]"):
        calibration([0.5, odd], [1, 1])
