"""Companions of the activations axis, through the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.arrays.test_geometry import GOLDEN
from tests.axes.companions.test_probabilities import made, row_of
from tests.axes.tables import call, only, run_of

from sago.arrays import Rows, index_of, parts_of
from sago.arrays import geometry as geo
from sago.axes.activations import axis
from sago.axes.companions import geometry

VARIANTS = ("canonical", "typo-1", "case-1")
EXAMPLES = 14


def vectors_of(seed: int = 0, noise: float = 0.5, width: int = 5) -> np.ndarray:
    """Returns states (examples, wordings, dimensions), as float32 holds them."""
    rng = np.random.default_rng(seed)
    found = rng.normal(size=(EXAMPLES, 1, width)) * [3, 1, 1, 1, 1][:width] + noise * rng.normal(size=(EXAMPLES, 3, width))
    return found.astype(np.float32).astype(np.float64)


def calls_of(*layers: np.ndarray, **values: Any) -> list[dict[str, Any]]:
    return [
        call(f"e{i:02d}", variant, states={place + 1: layer[i, v].tolist() for place, layer in enumerate(layers)}, **values)
        for i in range(EXAMPLES)
        for v, variant in enumerate(VARIANTS)
    ]


def scaled(states: np.ndarray) -> np.ndarray:
    flat = states.reshape(-1, states.shape[-1])
    found: np.ndarray = (flat - flat.mean(axis=0)) / flat.std(axis=0)
    return found.reshape(states.shape)


def index(states: np.ndarray, distance: str) -> Any:
    flat = states.reshape(-1, states.shape[-1])
    return index_of(parts_of(Rows(flat, np.repeat(np.arange(EXAMPLES), 3), np.tile(np.arange(3), EXAMPLES)), distance))


@pytest.mark.parametrize(
    ("name", "distance", "prepare"),
    [
        ("state_cosine_raw", "cosine", lambda states: states),
        ("state_trace_icc", "squared_euclidean", scaled),
        ("state_cosine_abtt", "cosine", lambda states: geo.without_top(scaled(states).reshape(-1, 5), 1).reshape(states.shape)),
    ],
)
def test_a_distance_of_states_through_the_core_index(name: str, distance: str, prepare: Any) -> None:
    layers = [vectors_of(0), vectors_of(1)]
    profiles = made(name, run_of(calls_of(*layers))).profiles
    expected = [index(prepare(layer), distance) for layer in layers]
    for place, one in enumerate(expected):
        row = only(profiles, layer=place + 1)
        assert (row["across"], row["instability"], row["se"]) == pytest.approx((one.across, one.instability, one.se), abs=1e-6)
    whole = only(profiles, layer=None)
    assert whole["instability"] == pytest.approx(np.mean([one.instability for one in expected]), abs=1e-6)
    assert profiles["default"].any() is False


def test_states_of_responses_are_a_measure_of_their_own() -> None:
    prompt, response = vectors_of(0), vectors_of(1)
    inputs = run_of(calls_of(prompt))
    of_response = run_of(calls_of(response)).states.with_columns(tap=pl.lit("response_mean/block_1"))
    both = replace(inputs, states=pl.concat([inputs.states, of_response]))
    row = only(made("state_cosine_response", both).profiles, layer=1)
    assert row["instability"] == pytest.approx(index(scaled(response), "cosine").instability, abs=1e-6)
    default = only(axis.score(both).profiles, default=True, family=None, layer=None)
    assert default["instability"] == pytest.approx(index(scaled(prompt), "cosine").instability, abs=1e-6)


def test_without_states_of_responses_there_is_no_number_and_a_reason() -> None:
    profiles = made("state_cosine_response", run_of(calls_of(vectors_of()))).profiles
    row = profiles.filter(pl.col("layer").is_null()).row(0, named=True)
    assert row["instability"] is None
    assert row["reason"]


def test_the_default_measure_is_as_before() -> None:
    profiles = axis.score(run_of(calls_of(vectors_of()))).profiles
    assert only(profiles, default=True, family=None, layer=None)["instability"] == pytest.approx(
        index(scaled(vectors_of()), "cosine").instability, abs=1e-6
    )


# -- nearest neighbours ------------------------------------------------------------------------------------------------------


def test_golden_e60_through_the_tables() -> None:
    case = GOLDEN["E60"]
    calls = [
        call(str(example), VARIANTS[wording], states={1: vector})
        for vector, example, wording in zip(case["vectors"], case["example"], case["wording"], strict=True)
    ]
    scored = made("identification_error", run_of(calls))
    assert scored.scores["across"].to_list() == [1 - case["identification"]] * 2
    assert f"chance={case['chance_error']:.4g}" in row_of(scored)["flags"]


def test_identification_is_a_mean_over_wordings_and_layers() -> None:
    layers = [vectors_of(0, 2.0), vectors_of(1, 2.0)]
    example, wording = np.repeat(np.arange(EXAMPLES), 3), np.tile(np.arange(3), EXAMPLES)
    errors = [geo.identification_errors(scaled(layer).reshape(-1, 5), example, wording) for layer in layers]
    scored = made("identification_error", run_of(calls_of(*layers)))
    assert scored.scores["across"].to_list() == pytest.approx(np.mean(errors, axis=0).reshape(-1, 3).mean(axis=1).tolist())
    assert 0 < row_of(scored)["across"] < 1


def test_of_too_many_rows_whole_examples_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "MOST_ROWS", 20)
    scored = made("identification_error", run_of(calls_of(vectors_of())))
    row = row_of(scored)
    assert (row["n"], row["n_left_out"]) == (6, EXAMPLES - 6)
    assert "sampled_examples" in row["flags"]
    assert scored.scores["reason"].value_counts(sort=True).rows() == [("not_sampled", EXAMPLES - 6), ("no_null", 6)]
    backwards = list(reversed(calls_of(vectors_of())))
    assert made("identification_error", run_of(backwards)).scores.equals(scored.scores)


def test_states_that_are_all_alike_are_found_by_chance() -> None:
    row = row_of(made("identification_error", run_of(calls_of(np.ones((EXAMPLES, 3, 2))))))
    assert row["across"] == pytest.approx(1 - 2 / (3 * EXAMPLES - 1))


def test_reruns_of_a_state_are_no_neighbours_and_audits_take_no_part() -> None:
    calls = calls_of(vectors_of(0, 2.0))
    before = made("identification_error", run_of(calls)).scores["across"].to_list()
    audits = [call("e00", decoding="audit", rerun=rerun, states=calls[0]["states"]) for rerun in range(2)]
    assert made("identification_error", run_of(calls + audits)).scores["across"].to_list() == before
    again = [{**one, "rerun": 1} for one in calls]
    assert made("identification_error", run_of(calls + again)).scores["across"].to_list() == pytest.approx(before)


# -- volume and geometry -----------------------------------------------------------------------------------------------------


def test_eigenscore_of_each_example() -> None:
    states = vectors_of()
    scored = made("state_eigenscore", run_of(calls_of(states)))
    assert scored.scores["across"].to_list() == pytest.approx([geo.eigenscore(one) for one in scaled(states)], abs=1e-6)
    stable = np.repeat(states[:, :1], 3, axis=1)
    assert row_of(made("state_eigenscore", run_of(calls_of(stable))))["across"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("state_cka", lambda x, y: 1 - max(0.0, geo.debiased_cka(x, y))),
        ("state_rsa", lambda x, y: 1 - geo.rsa(x, y)),
        ("state_procrustes", geo.procrustes),
    ],
)
def test_geometry_against_the_original_wording(name: str, formula: Any) -> None:
    layers = [vectors_of(0), vectors_of(1)]
    expected = np.mean([[formula(scaled(layer)[:, 0], scaled(layer)[:, v]) for v in (1, 2)] for layer in layers])
    scored = made(name, run_of(calls_of(*layers)))
    row = row_of(scored)
    assert row["across"] == pytest.approx(expected, abs=1e-6)
    assert (row["n"], row["reason"], row["flags"], scored.scores.height) == (EXAMPLES, "no_null", ["interval=not_defined"], 0)


@pytest.mark.parametrize("name", ["state_cka", "state_rsa", "state_procrustes"])
def test_a_template_that_moves_all_states_alike_keeps_the_geometry(name: str) -> None:
    states = np.repeat(vectors_of()[:, :1], 3, axis=1) + np.array([0.0, 5.0, -2.0])[None, :, None]
    assert row_of(made(name, run_of(calls_of(states))))["across"] == pytest.approx(0, abs=1e-5)


def test_of_many_examples_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "MOST_EXAMPLES", 11)
    row = row_of(made("state_cka", run_of(calls_of(vectors_of()))))
    assert (row["n"], "sampled_examples" in row["flags"]) == (11, True)
    assert made("state_cka", run_of(list(reversed(calls_of(vectors_of()))))).profiles["across"][0] == pytest.approx(row["across"])


def test_a_wording_under_which_all_states_are_alike_has_no_geometry() -> None:
    states = vectors_of()
    states[:, 2] = 1.0
    expected = geo.procrustes(scaled(states)[:, 0], scaled(states)[:, 1])
    assert row_of(made("state_procrustes", run_of(calls_of(states))))["across"] == pytest.approx(expected, abs=1e-6)


def test_a_wording_that_few_examples_share_is_left_out() -> None:
    calls = [one for one in calls_of(vectors_of()) if one["variant"] != "case-1" or one["example"] < "e05"]
    row = row_of(made("state_procrustes", run_of(calls)))
    assert "wordings_left_out" in row["flags"]
    assert row["n"] == EXAMPLES


@pytest.mark.parametrize("name", ["identification_error", "state_eigenscore", "state_cka", "state_cosine_raw"])
def test_without_states_it_says_so(name: str) -> None:
    row = row_of(made(name, run_of([call(n, v) for n in "12" for v in VARIANTS])))
    assert (row["across"], row["n"], row["reason"]) == (None, 0, "not_observable")


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (calls_of(np.ones((EXAMPLES, 3, 2))), "degenerate_null"),
        ([one for one in calls_of(vectors_of()) if one["example"] < "e05"], "too_few_examples"),
        ([one for one in calls_of(vectors_of()) if one["variant"] == "canonical"], "too_few_variants"),
        ([one for one in calls_of(vectors_of()) if one["variant"] != "canonical"], "no_canonical"),
    ],
)
def test_no_geometry(calls: list[dict[str, Any]], reason: str) -> None:
    row = row_of(made("state_cka", run_of(calls)))
    assert (row["across"], row["reason"]) == (None, reason)


def test_a_lone_wording_and_missing_layers() -> None:
    calls = calls_of(vectors_of(0), vectors_of(1))
    calls[0]["states"] = {1: calls[0]["states"][1], 2: None}
    calls[1]["states"] = {1: None, 2: None}
    scored = made("identification_error", run_of(calls))
    first = scored.scores.row(0, named=True)
    assert (first["across"], first["reason"]) == (None, "too_few_variants")
    assert "layers_missing" in row_of(scored)["flags"]
    assert scored.scores.filter(pl.col("across").is_null()).height == 1
