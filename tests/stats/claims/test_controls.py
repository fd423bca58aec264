"""Controls come first: a failed one is said of its cell, passed ones are counted, and none is never a pass."""

from __future__ import annotations

from typing import Any

import polars as pl
from tests.stats.hand_made import cell, profiles

from sago import schemas
from sago.stats import conclude


def control(kind: str = "shuffled", verdict: str = "pass", **values: Any) -> dict[str, Any]:
    head = {name: cell()[name] for name in ("model", "dataset", "axis", "measure", "decoding")}
    numbers = {"n": 40, "across": 0.9, "instability": 0.98, "se": 0.02, "lower": 0.94, "upper": 1.02, "expected": "covers 1"}
    return {**head, "kind": kind, "verdict": verdict, **numbers, **values}


def found(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    table = conclude(profiles(cell()), controls=schemas.frame("controls", list(rows)))
    assert table["claim"][0] == "controls" or not rows
    return table.filter(pl.col("claim") == "controls").to_dicts()


def test_failed_controls_are_said_of_their_cell() -> None:
    failed = control("identity", "fail", instability=0.12, lower=0.08, upper=0.16, expected="covers 0")
    rows = found(failed, control(), control(dataset="e", verdict="fail"))
    assert [row["verdict"] for row in rows] == ["FAILED", "FAILED"]
    assert (rows[0]["datasets"], rows[0]["estimate"], rows[0]["n"]) == (["d"], 0.12, 40)
    assert "the control identity (the same prompt again, should be 0) FAILED with .120 [.080, .160]" in rows[0]["sentence"]
    assert rows[0]["sentence"].endswith("this run proves nothing about that cell (2 of 3 judged controls failed).")


def test_passed_controls_are_counted_with_those_that_say_nothing() -> None:
    nothing = control("identity", "not_informative", reason="width_zero", instability=None, se=None, lower=None, upper=None)
    (row,) = found(control(), control(dataset="e", n=12), nothing)
    assert (row["verdict"], row["datasets"], row["axis"], row["n"]) == ("PASSED", ["d", "e"], "generation", 12)
    assert row["sentence"] == (
        "All 2 controls that could be judged pass (shuffled 2; each on 12 examples or more); 1 more was not informative (width_zero 1)."
    )


def test_one_control_is_not_called_all() -> None:
    (row,) = found(control())
    assert row["sentence"] == "The one control that could be judged passes (shuffled, on 40 examples)."


def test_no_judged_control_is_no_pass() -> None:
    (row,) = found(control("identity", "not_informative", reason="width_zero"), control("shuffled", "not_informative", reason="width_zero"))
    assert (row["verdict"], row["reason"], row["p"]) == ("NOT_TESTED", "width_zero", None)
    assert "nothing checks the measurement itself" in row["sentence"]


def test_no_controls_no_finding() -> None:
    assert found() == []
