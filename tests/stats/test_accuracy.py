"""Correctness beside stability: shares over wordings, and what never counts as wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stats.hand_made import Answers, readings, variants_of

from sago import schemas
from sago.arrays import wilson
from sago.stats import accuracy, wording_accuracy

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


def test_highest_lowest_and_combined_by_hand() -> None:
    """E35: wordings 2/3, 1/3, 2/3; best 2/3, mean 5/9; saturation 1 - 1/9, score 8/9 x 2/3."""
    found = of(GOLDEN["E35"]["correct"])
    assert (found["highest"], found["lowest"], found["spread"]) == pytest.approx((2 / 3, 1 / 3, 1 / 3))
    assert found["wording_mean"] == pytest.approx(5 / 9)
    assert found["combined"] == pytest.approx(8 / 9 * 2 / 3)
    assert (found["n_wordings"], found["n_compared"]) == (3, 3)
    assert found["spread_lower"] == 0


def test_shares_of_examples_have_wilson_intervals() -> None:
    found = of([[1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 0, 0]], [["x"] * 3, ["x", "y", "x"], ["y"] * 3, ["y", "z", "y"]])
    counts = {"worst": 1, "best": 2, "stable_correct": 1, "stable_wrong": 1, "unstable": 2}
    for name, count in counts.items():
        assert (found[f"{name}_lower"], found[f"{name}_upper"]) == pytest.approx(wilson(count, 4)[:2]), name


def test_pass_k_by_hand() -> None:
    """Two of three right replies and three of three: not all, all; one wording of four has one reply alone and is left out."""
    table: Answers = {
        "1": {"canonical": [("x", 1), ("x", 1), ("y", 0)], "typo-1": [("x", 1)] * 3},
        "2": {"canonical": [("x", 1)] * 3, "typo-1": [("y", 0)]},
    }
    found = only(accuracy(readings(table, decoding="sampled"), variants_of("1", "2")))
    assert (found["k"], found["pass_k"]) == (3, 0.75)
    assert 0 <= found["pass_k_lower"] <= 0.75 <= found["pass_k_upper"] <= 1
    once = of([[1, 1, 1], [1, 0, 1]])
    assert once["k"] is once["pass_k"] is once["pass_k_lower"] is None


def test_more_replies_than_k_are_used_without_bias() -> None:
    """k = 2; the wording with three replies, two right, counts C(2, 2) / C(3, 2) = 1/3."""
    table: Answers = {
        "1": {"canonical": [("x", 1), ("x", 1), ("y", 0)], "typo-1": [("x", 1)] * 2},
        "2": {"canonical": [("x", 1)] * 2, "typo-1": [("x", 1), ("y", 0)]},
    }
    found = only(accuracy(readings(table, decoding="sampled"), variants_of("1", "2")))
    assert found["pass_k"] == pytest.approx(((1 / 3 + 1) / 2 + (1 + 0) / 2) / 2)


def test_accuracy_of_each_wording_by_hand() -> None:
    table: Answers = {str(i): {"canonical": [("x", 1.0)], "typo-1": [("x", float(i < 2))], f"own-{i}": [("x", 1.0)]} for i in range(4)}
    del table["3"]["typo-1"]
    names = ("canonical", "typo-1", *(f"own-{i}" for i in range(4)))
    found = wording_accuracy(readings(table), variants_of(*table, names=names)).to_dicts()
    assert [(row["variant"], row["n"], row["accuracy"]) for row in found] == [("canonical", 4, 1.0), ("typo-1", 3, pytest.approx(2 / 3))]
    assert [row["compared"] for row in found] == [1.0, pytest.approx(2 / 3)]
    assert (found[1]["lower"], found[1]["upper"]) == pytest.approx(wilson(2, 3)[:2])
    beside = only(accuracy(readings(table), variants_of(*table, names=names)))
    assert (beside["n_wordings"], beside["n_compared"], beside["highest"], beside["lowest"]) == (2, 3, 1.0, pytest.approx(2 / 3))


def test_wordings_of_single_examples_have_no_accuracy_of_their_own() -> None:
    table: Answers = {str(i): {f"own-{i}": [("x", 1.0)], f"other-{i}": [("y", 0.0)]} for i in range(4)}
    variants = variants_of(*table, names=tuple(name for row in table.values() for name in row))
    assert wording_accuracy(readings(table), variants).is_empty()
    found = only(accuracy(readings(table), variants))
    assert (found["n_wordings"], found["n_compared"], found["highest"], found["mean"]) == (0, 0, None, 0.5)


def test_a_wording_with_reruns_has_an_interval_over_examples() -> None:
    table: Answers = {str(i): {name: [("x", 1.0), ("y", float(i % 2))] for name in NAMES} for i in range(10)}
    found = wording_accuracy(readings(table, decoding="sampled"), variants_of(*table)).row(0, named=True)
    assert found["accuracy"] == pytest.approx(0.75)
    half = 2.262157 * (0.25 * (10 / 9) ** 0.5) / 10**0.5
    assert (found["lower"], found["upper"]) == pytest.approx((0.75 - half, 0.75 + half), abs=1e-6)


def test_the_order_of_rows_changes_no_number() -> None:
    rng = np.random.default_rng(0)
    table: Answers = {str(i): {name: [("x", float(rng.random() < 0.6))] for name in NAMES} for i in range(30)}
    rows, variants = readings(table), variants_of(*table)
    assert accuracy(rows, variants).equals(accuracy(rows.sample(fraction=1, shuffle=True, seed=1), variants))
    assert wording_accuracy(rows, variants).equals(wording_accuracy(rows.reverse(), variants.reverse()))


def test_one_example_and_nothing_read_never_fail() -> None:
    alone = of([[1, 0, 1]])
    assert (alone["n"], alone["highest"], alone["highest_lower"]) == (1, None, None)
    assert wording_accuracy(schemas.empty("features"), variants_of("1")).is_empty()
