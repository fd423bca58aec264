"""Correctness beside stability: shares over wordings, and what never counts as wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stats.hand_made import Answers, readings, variants_of

from sago import schemas
from sago.arrays import wilson
from sago.stats import accuracy

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "stats.json").read_text(encoding="utf-8"))
NAMES = ("canonical", "typo-1", "format-1")


def only(table: pl.DataFrame) -> dict[str, Any]:
    assert table.height == 1
    return table.row(0, named=True)


def of(correct: list[list[float | None]], answers: list[list[str | None]] | None = None, **how: Any) -> dict[str, Any]:
    """Returns the row of examples by wordings, one reply each."""
    said = answers or [["right" if value else f"wrong-{place}" for place, value in enumerate(row)] for row in correct]
    table = {
        f"e{number}": {name: [(answer, value)] for name, answer, value in zip(NAMES, those, values, strict=False)}
        for number, (those, values) in enumerate(zip(said, correct, strict=True))
    }
    return only(accuracy(readings(table, **how), variants_of(*table)))


def test_golden_e35_mean_worst_best() -> None:
    case = GOLDEN["E35"]
    found = of(case["correct"])
    assert found["mean"] == pytest.approx(case["mean"], abs=5e-7)
    assert found["worst"] == pytest.approx(case["worst"], abs=5e-7)
    assert found["best"] == pytest.approx(case["best"], abs=5e-7)
    assert found["n"] == 3


def test_the_canonical_share_has_a_wilson_interval() -> None:
    found, bracket = of([[1, 0, 1], [1, 1, 1], [0, 1, 1], [0, 0, 0]]), wilson(2, 4)
    assert (found["canonical"], found["canonical_lower"], found["canonical_upper"]) == pytest.approx((0.5, bracket.lower, bracket.upper))


@pytest.mark.parametrize(
    ("answers", "correct", "shares"),
    [
        (["x", "x", "x"], [1, 1, 1], (1, 0, 0)),
        (["y", "y", "y"], [0, 0, 0], (0, 1, 0)),
        (["y", "z", "y"], [0, 0, 0], (0, 0, 1)),
        (["x", "y", "x"], [1, 0, 1], (0, 0, 1)),
        ([None, None, None], [0, 0, 0], (0, 0, 1)),
        (["y", "y", None], [0, 0, 0], (0, 0, 1)),
    ],
    ids=["right", "same wrong", "different wrong", "sometimes", "never read", "once not read"],
)
def test_stable_shares(answers: list[str | None], correct: list[float | None], shares: tuple[int, int, int]) -> None:
    found = of([correct, correct], [answers, answers])
    assert (found["stable_correct"], found["stable_wrong"], found["unstable"]) == shares


def test_shares_sum_to_one() -> None:
    found = of([[1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 0, 0]], [["x"] * 3, ["x", "y", "x"], ["y"] * 3, ["y", "z", "y"]])
    assert (found["stable_correct"], found["stable_wrong"], found["unstable"]) == (0.25, 0.25, 0.5)


def test_reruns_count_by_their_share_and_every_response_has_to_agree() -> None:
    table: Answers = {
        "1": {"canonical": [("x", 1), ("x", 1), ("y", 0)], "typo-1": [("x", 1), ("x", 1), ("x", 1)]},
        "2": {"canonical": [("y", 0), ("x", 1)], "typo-1": [("y", 0), ("y", 0)]},
    }
    found = only(accuracy(readings(table, decoding="sampled"), variants_of("1", "2")))
    assert found["mean"] == pytest.approx(((2 / 3 + 1) / 2 + (1 / 2 + 0) / 2) / 2)
    assert (found["worst"], found["best"]) == (0.5, 0.5)
    assert (found["stable_correct"], found["unstable"]) == (0, 1)
    assert found["decoding"] == "sampled"


def test_no_gold_is_counted_and_never_wrong() -> None:
    table: Answers = {"1": {name: [("x", 1.0)] for name in NAMES}, "2": {name: [("x", None)] for name in NAMES}}
    found = only(accuracy(readings(table, reason="no_gold"), variants_of("1", "2")))
    assert (found["n"], found["n_no_gold"], found["mean"], found["reason"]) == (1, 1, 1, None)


def test_nothing_but_no_gold_is_null_with_its_reason() -> None:
    found = of([[None] * 3, [None] * 3], [["x"] * 3] * 2, reason="no_gold")
    assert (found["n"], found["n_no_gold"], found["reason"]) == (0, 2, "no_gold")
    assert all(found[name] is None for name in ("canonical", "mean", "worst", "best", "stable_correct", "unstable"))


def test_one_wording_is_too_few() -> None:
    found = of([[1], [0]])
    assert (found["n"], found["mean"], found["reason"]) == (0, None, "too_few_variants")


def test_controls_and_the_audit_take_no_part() -> None:
    table: Answers = {"1": {**{name: [("x", 1.0)] for name in NAMES}, "meaning-changed": [("x", 0.0)]}}
    greedy = readings(table)
    audit = readings({"1": {"canonical": [("y", 0.0)]}}, decoding="audit")
    found = only(accuracy(pl.concat([greedy, audit]), variants_of("1", control="meaning-changed")))
    assert (found["decoding"], found["mean"], found["stable_correct"]) == ("greedy", 1, 1)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_an_interval_of_equal_shares_is_no_point(value: float) -> None:
    found = of([[value] * 3] * 20)
    assert found["mean"] == value
    assert 0.1 < found["mean_upper"] - found["mean_lower"] < 0.2
    assert 0 <= found["mean_lower"] <= found["mean_upper"] <= 1


def test_nothing_read_is_an_empty_table() -> None:
    assert accuracy(schemas.empty("features"), variants_of("1")).is_empty()


def test_an_answer_that_is_half_right_everywhere_is_not_stably_wrong() -> None:
    found = of([[0.5, 0.5, 0.5], [0, 0, 0]], [["a", "a", "a"], ["b", "b", "b"]])
    assert (found["stable_correct"], found["stable_wrong"], found["unstable"]) == (0, 0.5, 0.5)


def test_variants_with_one_prompt_are_one_wording_and_their_replies_its_reruns() -> None:
    """By hand: canonical and typo-1 share a prompt, 1 of 2 right; format-1 is right. Mean (1/2 + 1) / 2; the worst wording is not right."""
    table: Answers = {name: {"canonical": [("x", 1)], "typo-1": [("y", 0)], "format-1": [("x", 1)]} for name in ("1", "2")}
    same = pl.lit([{"role": "user", "content": "p"}], dtype=variants_of("1").schema["messages"])
    variants = variants_of("1", "2").with_columns(
        messages=pl.when(pl.col("variant") == "format-1").then("messages").otherwise(same),
        position=pl.col("variant").replace_strict({"typo-1": 0, "canonical": 1, "format-1": 2}, return_dtype=pl.Int64),
    )
    found = only(accuracy(readings(table), variants))
    assert (found["canonical"], found["mean"], found["worst"], found["best"]) == (0.5, 0.75, 0, 1)
    assert (found["stable_correct"], found["unstable"]) == (0, 1)
    alone: Answers = {"1": {"canonical": [("x", 1)], "typo-1": [("y", 0)]}}
    assert only(accuracy(readings(alone), variants))["reason"] == "too_few_variants"
