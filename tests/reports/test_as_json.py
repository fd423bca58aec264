"""The JSON contract: keys, columns, no NaN, the same text every time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.reports.sample import empty_tables, sample_summary
from tests.reports.sample_claims import claims_tables

from sago import schemas
from sago.records import MISSING_STATUSES
from sago.reports import RunSummary, to_json
from sago.reports.words import CLAIMS
from sago.schemas import Tables

KEYS = [
    "run",
    "profiles",
    "equivalence",
    "status_counts",
    "accuracy",
    "wording_accuracy",
    "components",
    "controls",
    "findings",
    "schema_version",
]


@pytest.fixture(scope="module")
def report(tables: Tables) -> dict[str, Any]:
    return to_json(tables, sample_summary())


def test_keys_stand_in_their_order(report: dict[str, Any]) -> None:
    assert list(report) == KEYS
    assert report["schema_version"] == schemas.SCHEMA_VERSION


@pytest.mark.parametrize("table", ["profiles", "accuracy", "controls", "findings"])
def test_rows_carry_every_column_of_their_table(report: dict[str, Any], table: str, tables: Tables) -> None:
    assert len(report[table]) == getattr(tables, table).height > 0
    assert list(report[table][0]) == list(schemas.dtypes(table))


@pytest.mark.parametrize("column", ["across_se", "across_lower", "across_upper", "decoding", "family", "default", "reason", "se", "n"])
def test_profiles_carry_the_promised_columns(report: dict[str, Any], column: str) -> None:
    assert all(column in row for row in report["profiles"])


def test_exactly_one_default_for_each_cell(report: dict[str, Any]) -> None:
    cells = [(row["model"], row["dataset"], row["axis"], row["decoding"]) for row in report["profiles"] if row["default"]]
    assert len(cells) == len(set(cells)) == 32


def test_statuses_are_complete_and_add_up(report: dict[str, Any], tables: Tables) -> None:
    known = {"ok", "empty", "refusal", "filtered", "truncated", "too_long", "error"}
    assert known > MISSING_STATUSES
    for entry in report["status_counts"]:
        assert set(entry["counts"]) == known
        assert sum(entry["counts"].values()) == entry["observations"]
    assert sum(entry["observations"] for entry in report["status_counts"]) == tables.observations.height
    unparsed = tables.features.filter((pl.col("feature") == "answer") & (pl.col("reason") == "unparsed")).height
    assert sum(entry["unparsed"] for entry in report["status_counts"]) == unparsed > 0


def test_unparsed_is_null_where_nothing_was_read(tables: Tables) -> None:
    unread = replace(tables, features=schemas.empty("features"))
    assert {entry["unparsed"] for entry in to_json(unread, RunSummary("r"))["status_counts"]} == {None}


def test_text_is_the_same_every_time_and_has_no_nan(report: dict[str, Any], tables: Tables) -> None:
    text = json.dumps(report, allow_nan=False)
    assert text == json.dumps(to_json(tables, sample_summary()), allow_nan=False)


def test_a_number_that_is_not_finite_becomes_null(tables: Tables) -> None:
    broken = replace(tables, accuracy=tables.accuracy.with_columns(mean=pl.lit(float("nan"))))
    assert {row["mean"] for row in to_json(broken, RunSummary("r", study={"x": float("inf")}))["accuracy"]} == {None}


def test_null_stays_null(report: dict[str, Any]) -> None:
    rows = [row for row in report["profiles"] if row["reason"] == "degenerate_null"]
    assert rows
    assert all(row["instability"] is None and row["across"] == 0.0 for row in rows)


def test_empty_tables_give_every_key() -> None:
    report = to_json(empty_tables(), RunSummary("nothing"))
    assert list(report) == KEYS
    assert report["profiles"] == report["status_counts"] == report["findings"] == []


def test_findings_stand_in_the_order_of_the_claims(tables: Tables) -> None:
    told = claims_tables()
    shuffled = replace(tables, findings=told.findings.sample(fraction=1.0, shuffle=True, seed=3))
    rows = to_json(shuffled, sample_summary())["findings"]
    places = [list(CLAIMS).index(row["claim"]) for row in rows]
    assert places == sorted(places)
    assert len(rows) == told.findings.height
    assert set(CLAIMS) == {row["claim"] for row in rows}
    assert all({"estimate", "se", "lower", "upper", "p", "p_adjusted", "verdict", "n", "sentence"} <= set(row) for row in rows)
