"""Internal activations: z-scores over the wordings, layers and their mean, what was not observed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.axes.tables import call, only, run_of, whole

from sago.arrays import Rows, index_of, parts_of
from sago.axes.activations import axis, standardised

VARIANTS = ("canonical", "typo-1", "case-1", "format-1", "format-2")


def states(rng: np.random.Generator, examples: int = 40, layers: tuple[int, ...] = (2, 4), width: int = 6) -> list[dict[str, Any]]:
    centres = rng.normal(size=(examples, width))
    return [
        call(f"e{example:02d}", variant, states={layer: (centres[example] + 0.3 * rng.normal(size=width)).tolist() for layer in layers})
        for example in range(examples)
        for variant in VARIANTS
    ]


def test_the_axis_is_the_mean_of_its_layers() -> None:
    scored = axis.score(run_of(states(np.random.default_rng(0))))
    row, layers = whole(scored.profiles), [only(scored.profiles, layer=layer) for layer in (2, 4)]
    for name in ("across", "unrelated", "instability"):
        assert row[name] == pytest.approx(np.mean([layer[name] for layer in layers]))
    assert row["se"] < max(layer["se"] for layer in layers)
    assert scored.scores["instability"].mean() == pytest.approx(row["instability"])
    assert [layer["default"] for layer in layers] == [False, False]


def test_a_layer_is_the_index_of_z_scored_states() -> None:
    calls = states(np.random.default_rng(1), layers=(3,))
    vectors = np.array([one["states"][3] for one in calls], dtype=np.float32).astype(np.float64)
    scored = (vectors - vectors.mean(axis=0)) / vectors.std(axis=0)
    rows = Rows(scored, np.array([one["example"] for one in calls]), np.array([one["variant"] for one in calls]))
    expected = index_of(parts_of(rows, "cosine"))
    row = whole(axis.score(run_of(calls)).profiles)
    assert row["instability"] == pytest.approx(expected.instability, abs=1e-9)
    assert (row["se"], row["lower"]) == pytest.approx((expected.se, expected.interval.lower), abs=1e-9)


def test_a_rogue_dimension_and_an_offset_do_not_decide() -> None:
    rng = np.random.default_rng(2)
    calls = states(rng, layers=(3,))
    plain = whole(axis.score(run_of(calls)).profiles)["instability"]
    for one in calls:
        one["states"] = {3: [100 + 1000 * value for value in one["states"][3]]}
    assert whole(axis.score(run_of(calls)).profiles)["instability"] == pytest.approx(plain, abs=1e-4)


def test_layer_0_is_left_out() -> None:
    calls = states(np.random.default_rng(3), layers=(0, 3))
    assert axis.score(run_of(calls)).profiles["layer"].drop_nulls().unique().to_list() == [3]


def test_one_tap_point_a_layer_and_that_of_the_last_prompt_token() -> None:
    given = run_of(states(np.random.default_rng(10), layers=(3,)))
    others = [
        given.states.with_columns(tap=pl.lit(tap), vector=pl.lit([1.0, 2.0])) for tap in ("last_prompt_token/final", "a_mean/block_3")
    ]
    more = replace(given, states=pl.concat([*(other.cast(given.states.schema) for other in others), given.states]))
    assert axis.score(more).profiles.equals(axis.score(given).profiles)


def test_a_constant_layer_is_null_and_flagged() -> None:
    calls = states(np.random.default_rng(4), layers=(2,))
    for one in calls:
        one["states"] = {**one["states"], 5: [1.0, 2.0]}
    profiles = axis.score(run_of(calls)).profiles
    assert only(profiles, layer=5)["reason"] == "degenerate_null"
    assert only(profiles, layer=5)["across"] == 0
    row = whole(profiles)
    assert "layers_left_out" in row["flags"]
    assert row["instability"] == only(profiles, layer=2)["instability"]


def test_constant_states_are_degenerate_and_not_stable() -> None:
    calls = [call(name, variant, states={1: [1.0, 2.0]}) for name in "123" for variant in VARIANTS]
    row = whole(axis.score(run_of(calls)).profiles)
    assert (row["across"], row["instability"], row["reason"]) == (0, None, "degenerate_null")


def test_controls_and_audit_are_scaled_like_the_wordings() -> None:
    main = np.array([True, True, False])
    found = standardised(np.array([[0.0, 5.0], [2.0, 5.0], [10.0, 9.0]]), main)
    assert found.tolist() == [[-1.0], [1.0], [9.0]]


def test_tiny_spread_is_divided_by_the_floor() -> None:
    found = standardised(np.array([[0.0], [1e-9]]), np.array([True, True]))
    assert found[1, 0] - found[0, 0] == pytest.approx(1e-3)


def test_controls_do_not_move_the_number() -> None:
    calls = states(np.random.default_rng(5))
    before = whole(axis.score(run_of(calls)).profiles)
    rng = np.random.default_rng(6)
    extra = [
        call(f"e{n:02d}", "meaning-changed", states={layer: (50 * rng.normal(size=6)).tolist() for layer in (2, 4)}) for n in range(40)
    ]
    after = whole(axis.score(run_of(calls + extra)).profiles)
    numbers = [name for name, value in before.items() if isinstance(value, float)]
    assert {name: after[name] for name in numbers} == pytest.approx({name: before[name] for name in numbers}, abs=1e-12)
    assert {**after, **dict.fromkeys(numbers)} == {**before, **dict.fromkeys(numbers)}


def test_an_observation_that_lacks_a_layer_is_left_out_of_all() -> None:
    calls = states(np.random.default_rng(7))
    calls[1]["states"] = {2: calls[1]["states"][2], 4: None}
    scored = axis.score(run_of(calls))
    assert scored.scores["n_variants"].to_list()[:2] == [4, 5]
    assert "layers_missing" in whole(scored.profiles)["flags"]


@pytest.mark.parametrize("decoding", ["greedy", "sampled"])
def test_without_states_there_is_one_row_and_no_number(decoding: str) -> None:
    calls = [call(name, variant, decoding=decoding) for name in "12" for variant in VARIANTS]
    scored = axis.score(run_of(calls))
    assert scored.profiles.select("decoding", "n", "n_left_out", "reason", "default").rows() == [(decoding, 0, 2, "not_observable", True)]
    assert set(scored.scores["reason"]) == {"not_observable"}


def test_states_of_the_prompt_stand_in_the_greedy_cell_alone() -> None:
    calls = states(np.random.default_rng(8)) + [call("e00", variant, decoding="sampled") for variant in VARIANTS]
    assert axis.score(run_of(calls)).profiles["decoding"].unique().to_list() == ["greedy"]


def test_the_audit_of_every_layer_is_the_floor() -> None:
    rng = np.random.default_rng(9)
    calls = states(rng)

    def again(vectors: dict[int, list[float]]) -> dict[int, list[float]]:
        return {layer: (np.array(vector) + 0.05 * rng.normal(size=6)).tolist() for layer, vector in vectors.items()}

    canonical = [one for one in calls if one["variant"] == "canonical"]
    audits = [call(one["example"], decoding="audit", rerun=rerun, states=again(one["states"])) for one in canonical for rerun in range(2)]
    scored = axis.score(run_of(calls + audits))
    row = whole(scored.profiles)
    assert "noise_floor=audit" in row["flags"]
    assert 0 < row["rerun"] < row["across"]
    assert row["rerun"] == pytest.approx(np.mean([only(scored.profiles, layer=layer)["rerun"] for layer in (2, 4)]))
    assert scored.scores["rerun"].mean() == pytest.approx(row["rerun"])
    assert scored.scores.filter(pl.col("rerun").is_null()).height == 0
