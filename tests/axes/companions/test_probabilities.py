"""Companions of the confidence axis on probabilities, through the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.arrays.test_probabilities import GOLDEN, near
from tests.axes.tables import call, run_of

from sago import schemas
from sago.arrays import Rows, index_of, parts_of
from sago.arrays.probabilities import generalised_divergence, mean_divergence, mean_variation
from sago.axes import AxisInput, Scored
from sago.axes.companions import COMPANIONS

OPTIONS = {
    "1": {"canonical": [0.5, 0.5], "typo-1": [1.0, 0.0]},
    "2": {"canonical": [0.8, 0.2], "typo-1": [0.6, 0.4], "case-1": [0.7, 0.3]},
}
WORDINGS = ("canonical", "typo-1", "case-1")


def made(name: str, inputs: AxisInput) -> Scored:
    return COMPANIONS[name].compute(COMPANIONS[name], inputs)


def row_of(scored: Scored) -> dict[str, Any]:
    assert scored.profiles.height == 1
    return scored.profiles.row(0, named=True)


def options(table: dict[str, dict[str, list[float]]]) -> list[dict[str, Any]]:
    return [call(name, variant, option_probabilities=vector) for name, row in table.items() for variant, vector in row.items()]


def with_columns(inputs: AxisInput, calls: list[dict[str, Any]], *names: str) -> AxisInput:
    """Puts further columns of ``observations`` from the calls, which stand in the order of the rows."""
    kinds = schemas.dtypes("observations")
    columns = {name: pl.Series([one.get(name) for one in calls], dtype=kinds[name], strict=False) for name in names}
    return replace(inputs, observations=schemas.check("observations", inputs.observations.with_columns(**columns)))


def with_feature(inputs: AxisInput, name: str, calls: list[dict[str, Any]]) -> AxisInput:
    """Adds a reading of numbers: ``NAME``, or ``NAME_reason`` where there is none."""
    keys = inputs.observations.select(schemas.KEYS).to_dicts()
    rows = [
        {**key, "feature": name, "reader": name, "version": "1", "number": one.get(name), "reason": one.get(f"{name}_reason")}
        for key, one in zip(keys, calls, strict=True)
    ]
    return replace(inputs, features=pl.concat([inputs.features, schemas.frame("features", rows)]))


# -- options -----------------------------------------------------------------------------------------------------------------


def test_golden_e22_e23_through_the_tables() -> None:
    inputs = run_of(options(OPTIONS))
    assert made("option_jsd", inputs).scores["across"].to_list()[0] == near(GOLDEN["E22"]["divergence"])
    assert made("option_jsd_generalised", inputs).scores["across"].to_list()[1] == near(GOLDEN["generalised"]["E23-close"]["divergence"])


@pytest.mark.parametrize(
    ("name", "formula"),
    [("option_jsd", mean_divergence), ("option_jsd_generalised", generalised_divergence), ("option_tvd", mean_variation)],
)
def test_options_are_one_value_an_example_and_their_mean(name: str, formula: Any) -> None:
    scored = made(name, run_of(options(OPTIONS)))
    expected = [formula(np.array(list(row.values())), np.arange(len(row))) for row in OPTIONS.values()]
    assert scored.scores["across"].to_list() == pytest.approx(expected)
    row = row_of(scored)
    assert row["across"] == pytest.approx(np.mean(expected))
    assert (row["decoding"], row["instability"], row["reason"], row["default"]) == ("greedy", None, "no_null", False)


@pytest.mark.parametrize("name", ["option_jsd", "option_jsd_generalised", "option_tvd", "option_margin"])
@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (options({n: {"canonical": [1.0], "typo-1": [1.0]} for n in "12"}), "one_choice"),
        ([call(n, v, option_probabilities_reason="minus_inf") for n in "12" for v in WORDINGS], "minus_inf"),
        ([call(n, v) for n in "12" for v in WORDINGS], "not_observable"),
        (options({n: {"canonical": [0.5, 0.5]} for n in "12"}), "too_few_variants"),
    ],
)
def test_without_options_it_says_why(name: str, calls: list[dict[str, Any]], reason: str) -> None:
    row = row_of(made(name, run_of(calls)))
    assert (row["across"], row["n"], row["reason"]) == (None, 0, reason)


def test_margin_is_a_scalar_through_the_core_index() -> None:
    rng = np.random.default_rng(0)
    table = {f"e{n}": {v: np.sort(rng.dirichlet([9 - n, 1, 1])).tolist() for v in WORDINGS} for n in range(8)}
    margins = np.array([row[-1] - row[-2] for one in table.values() for row in one.values()])
    expected = index_of(parts_of(Rows(margins, np.repeat(np.arange(8), 3), np.tile(np.arange(3), 8)), "absolute"))
    row = row_of(made("option_margin", run_of(options(table))))
    assert (row["across"], row["unrelated"]) == pytest.approx((expected.across, expected.unrelated))


def test_margin_is_blind_to_which_option_leads() -> None:
    table = {"1": {"canonical": [0.9, 0.1], "typo-1": [0.1, 0.9]}, "2": {"canonical": [0.6, 0.4], "typo-1": [0.6, 0.4]}}
    assert made("option_margin", run_of(options(table))).scores["across"].to_list() == pytest.approx([0, 0])
    assert made("option_tvd", run_of(options(table))).scores["across"].to_list() == pytest.approx([0.8, 0])


# -- POSIX of the anchor -----------------------------------------------------------------------------------------------------


def anchored(values: dict[str, float | None], tokens: int | None = 3, example: str = "1") -> list[dict[str, Any]]:
    return [call(example, variant, anchor_logprob=value, anchor_tokens=tokens) for variant, value in values.items()]


def posix(calls: list[dict[str, Any]]) -> Scored:
    return made("posix_anchor", with_columns(run_of(calls, task="text"), calls, "anchor_logprob", "anchor_tokens"))


def test_golden_e24_the_part_of_one_response() -> None:
    case = GOLDEN["posix"]["E24b"]
    (first, second), tokens = np.array(case["logprobs"]).T, case["lengths"]
    parts = [
        posix(anchored({"canonical": first[0], "typo-1": first[1]}, tokens[0])),
        posix(anchored({"canonical": second[1], "typo-1": second[0]}, tokens[1])),
    ]
    assert [row_of(part)["across"] for part in parts] == pytest.approx([0.5 / 3, 1])
    assert np.mean([row_of(part)["across"] for part in parts]) == near(case["psi"])


def test_posix_anchor_is_a_mean_over_the_other_wordings() -> None:
    calls = anchored({"canonical": -3.0, "typo-1": -6.0, "case-1": -3.0}) + anchored({"canonical": -1.0, "typo-1": -1.0}, 2, "2")
    scored = posix(calls)
    assert scored.scores["across"].to_list() == pytest.approx([0.5, 0])
    assert row_of(scored)["across"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("values", "tokens", "reason"),
    [
        ({"canonical": None, "typo-1": None}, None, "not_observable"),
        ({"canonical": None, "typo-1": None}, 0, "empty_anchor"),
        ({"canonical": 0.9, "typo-1": 0.9}, 1, "positive_logprob"),
        ({"typo-1": -1.0, "case-1": -1.0}, 1, "no_canonical"),
        ({"canonical": -1.0, "typo-1": None}, 1, "too_few_variants"),
    ],
)
def test_posix_anchor_is_null(values: dict[str, float | None], tokens: int | None, reason: str) -> None:
    row = row_of(posix(anchored(values, tokens)))
    assert (row["across"], row["reason"]) == (None, reason)


# -- the response itself, and what it states ---------------------------------------------------------------------------------


def scalars(name: str, values: np.ndarray, **odd: Any) -> list[dict[str, Any]]:
    calls = [call(f"e{i}", variant, **{name: float(values[i, v])}) for i in range(len(values)) for v, variant in enumerate(WORDINGS)]
    calls[0].update(odd)
    return calls


@pytest.mark.parametrize("name", ["response_probability", "verbalised_confidence"])
def test_a_reading_through_the_core_index(name: str) -> None:
    values = np.random.default_rng(1).random((10, 3)) * 0.2 + np.linspace(0, 0.8, 10)[:, None]
    calls = scalars(name, values)
    scored = made(name, with_feature(run_of(calls, task="text"), name, calls))
    expected = index_of(parts_of(Rows(values.reshape(-1), np.repeat(np.arange(10), 3), np.tile(np.arange(3), 10)), "absolute"))
    row = row_of(scored)
    assert (row["across"], row["unrelated"], row["instability"]) == pytest.approx(
        (expected.across, expected.unrelated, expected.instability)
    )
    assert ("parse_rate=1.000" in row["flags"]) == (name == "verbalised_confidence")


def test_the_parse_rate_is_that_of_the_replies_to_wordings() -> None:
    name, values = "verbalised_confidence", np.full((2, 3), 0.5)
    calls = scalars(name, values, **{name: None, f"{name}_reason": "not_stated"})
    calls.append(call("e0", "identity", **{name: None, f"{name}_reason": "not_stated"}))
    scored = made(name, with_feature(run_of(calls, task="text"), name, calls))
    assert "parse_rate=0.833" in row_of(scored)["flags"]
    assert scored.scores["n_variants"].to_list() == [2, 3]


def test_nothing_stated_is_null_and_counted() -> None:
    name = "verbalised_confidence"
    calls = [call(n, v, **{f"{name}_reason": "not_stated"}) for n in "12" for v in WORDINGS]
    row = row_of(made(name, with_feature(run_of(calls, task="text"), name, calls)))
    assert (row["across"], row["reason"], row["flags"]) == (None, "not_stated", ["parse_rate=0.000"])


def test_sums_of_log_probabilities() -> None:
    tokens: dict[str, dict[str, list[float | None] | None]] = {
        "1": {"canonical": [-1.0, -2.0], "typo-1": [-0.5, 0.0, 1e-9]},
        "2": {"canonical": [-9999.0, -1.0], "typo-1": [None, -1.0], "case-1": [-1.0]},
        "3": {"canonical": [-4.0], "typo-1": [-4.0], "case-1": None},
    }
    calls = [call(n, variant, token_logprobs=given) for n, row in tokens.items() for variant, given in row.items()]
    scored = made("response_logprob", with_columns(run_of(calls, task="text"), calls, "token_logprobs"))
    assert scored.scores["across"].to_list() == pytest.approx([2.5, None, 0])
    assert scored.scores["n_variants"].to_list() == [2, 1, 2]
    assert row_of(scored)["n_left_out"] == 1
