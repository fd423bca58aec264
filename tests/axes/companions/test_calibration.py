"""Companions of the confidence axis on calibration, through the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.axes.companions.test_probabilities import made, row_of, with_feature
from tests.axes.tables import call, run_of

from sago.arrays.calibration import calibration
from sago.axes import AxisInput

WORDINGS = ("canonical", "typo-1", "case-1")


def choices(examples: int = 20, effect: float = 0.0, seed: int = 0) -> tuple[AxisInput, np.ndarray, np.ndarray]:
    """Returns tables, and the confidences and rights behind them (examples, wordings)."""
    rng = np.random.default_rng(seed)
    first = np.clip(rng.random((examples, 1)) + effect * np.arange(3) + 0.02 * rng.random((examples, 3)), 0.01, 0.99)
    calls = [
        call(f"e{i:03d}", variant, option_probabilities=[float(first[i, v]), 1 - float(first[i, v])])
        for i in range(examples)
        for v, variant in enumerate(WORDINGS)
    ]
    gold = rng.integers(0, 2, examples)
    inputs = run_of(calls)
    inputs = replace(inputs, examples=inputs.examples.with_columns(answer_index=pl.Series(gold, dtype=pl.Int64)))
    return inputs, np.maximum(first, 1 - first), (np.where(first > 0.5, 0, 1) == gold[:, None]).astype(float)


def test_raw_is_the_spread_over_wordings() -> None:
    inputs, confidence, right = choices()
    found = [calibration(confidence[:, v], right[:, v]) for v in range(3)]
    errors, briers = np.array([one.error for one in found]), np.array([one.brier for one in found])
    row = row_of(made("ece_spread_raw", inputs))
    assert row["across"] == pytest.approx(np.ptp(errors))
    assert (row["n"], row["decoding"], row["reason"], row["across_se"]) == (20, "greedy", "no_null", None)
    assert {"bins=10", "wordings=3", "interval=not_defined"} <= set(row["flags"])
    assert row_of(made("brier_spread_raw", inputs))["across"] == pytest.approx(briers.std(ddof=1))


@pytest.mark.parametrize("name", ["ece_spread", "brier_spread"])
def test_corrected_is_raw_less_chance_as_flagged(name: str) -> None:
    inputs, _, _ = choices(effect=0.1)
    corrected, raw = row_of(made(name, inputs)), row_of(made(f"{name}_raw", inputs))
    (chance,) = [float(flag.removeprefix("chance=")) for flag in corrected["flags"] if flag.startswith("chance=")]
    assert corrected["across"] == pytest.approx(raw["across"] - chance, abs=1e-3)
    assert chance > 0
    assert made(name, inputs).profiles.equals(made(name, inputs).profiles)
    shuffled = replace(inputs, observations=inputs.observations.sample(fraction=1, shuffle=True, seed=3))
    assert made(name, shuffled).profiles.equals(made(name, inputs).profiles)


def test_where_the_wording_does_nothing_the_corrected_spread_is_about_0() -> None:
    found = [row_of(made("brier_spread", choices(60, seed=seed)[0]))["across"] for seed in range(6)]
    moved = row_of(made("brier_spread", choices(300, effect=0.3)[0]))["across"]
    assert abs(np.mean(found)) < 0.1 * moved


def test_free_text_takes_the_probability_of_the_response_and_its_correctness() -> None:
    rng = np.random.default_rng(2)
    calls: list[dict[str, Any]] = [
        call(f"e{i:02d}", variant, response_probability=float(rng.random()), correct=float(rng.random() < 0.5))
        for i in range(12)
        for variant in WORDINGS
    ]
    inputs = run_of(calls, task="text")
    for name in ("response_probability", "correct"):
        inputs = with_feature(inputs, name, calls)
    table = np.array([[one["response_probability"], one["correct"]] for one in calls]).reshape(12, 3, 2)
    errors = [calibration(table[:, v, 0], table[:, v, 1]).error for v in range(3)]
    assert row_of(made("ece_spread_raw", inputs))["across"] == pytest.approx(np.ptp(errors))


def test_a_wording_with_few_examples_is_left_out() -> None:
    inputs, confidence, right = choices()
    lost = (pl.col("variant") == "case-1") & (pl.col("example") > "e008")
    fewer = replace(inputs, observations=inputs.observations.filter(~lost))
    row = row_of(made("ece_spread_raw", fewer))
    assert row["across"] == pytest.approx(np.ptp([calibration(confidence[:, v], right[:, v]).error for v in range(2)]))
    assert {"wordings=2", "wordings_left_out"} <= set(row["flags"])


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        (run_of([call(n, v, option_probabilities=[0.5, 0.5]) for n in "12" for v in WORDINGS]), "no_gold"),
        (run_of([call(n, v, option_probabilities_reason="not_observable") for n in "12" for v in WORDINGS]), "not_observable"),
        (run_of([call(n, v) for n in "12" for v in WORDINGS], task="text"), "not_observable"),
        (choices(5)[0], "too_few_examples"),
    ],
)
def test_null(inputs: AxisInput, reason: str) -> None:
    row = row_of(made("ece_spread", inputs))
    assert (row["across"], row["n"], row["reason"]) == (None, 0, reason)
