"""Verdicts against the smallest effect and against asking twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy import stats
from tests.stats.hand_made import cell, missing, profiles

from sago import schemas
from sago.stats import conclude

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "stats.json").read_text(encoding="utf-8"))


def findings(*rows: dict[str, Any], claim: str = "instability", **options: Any) -> list[dict[str, Any]]:
    return conclude(profiles(*rows), **options).filter(pl.col("claim") == claim).rows(named=True)


def test_golden_e55_verdicts() -> None:
    case = GOLDEN["E55"]
    above, below = (cell(dataset=name, instability=case[name], se=case["se"]) for name in ("unstable", "stable"))
    unstable, stable = findings(above, below, smallest_effect=case["smallest"])
    assert unstable["verdict"] == "UNSTABLE"
    assert unstable["p"] == pytest.approx(case["p"], abs=5e-7)
    assert unstable["threshold"] == case["smallest"]
    assert stable["verdict"] == "STABLE"


@pytest.mark.parametrize(
    ("instability", "verdict"), [(0.084, "UNSTABLE"), (0.082, "INCONCLUSIVE"), (0.018, "INCONCLUSIVE"), (0.016, "STABLE"), (-0.2, "STABLE")]
)
def test_one_sided_bounds_decide(instability: float, verdict: str) -> None:
    """1.645 x .02 = .0329 on either side of .05."""
    assert findings(cell(instability=instability))[0]["verdict"] == verdict


def test_small_cells_take_t() -> None:
    found = findings(cell(n=10, instability=0.12, se=0.02))[0]
    assert found["p"] == pytest.approx(stats.t(9).sf(3.5))
    # 1.833 x .037 = .068 under t with 9 degrees of freedom, 1.645 x .037 = .061 under z: only one of them reaches .065.
    assert findings(cell(n=10, instability=0.115, se=0.037))[0]["verdict"] == "INCONCLUSIVE"
    assert findings(cell(n=200, instability=0.115, se=0.037))[0]["verdict"] == "UNSTABLE"


@pytest.mark.parametrize("name", ["E38", "E39"])
def test_golden_holm_over_cells(name: str) -> None:
    case = GOLDEN[name]
    rows = [cell(dataset=f"d{place:02d}", rerun_p=p) for place, p in enumerate(case["p"])]
    found = findings(*rows, claim="rerun_floor")
    if name == "E39":
        assert [row["p_adjusted"] for row in found] == pytest.approx(case["adjusted"])
        assert [row["verdict"] for row in found] == ["DIFFERS", "DIFFERS", "NOT_SHOWN"]
    else:
        assert [row["verdict"] for row in found] == ["DIFFERS"] * case["rejected_by_holm"] + ["NOT_SHOWN"] * 12


def test_each_claim_is_corrected_by_itself() -> None:
    floor = findings(cell(rerun_p=0.04), claim="rerun_floor")[0]
    assert (floor["p"], floor["p_adjusted"]) == (0.04, 0.04)
    unstable = findings(cell(rerun_p=0.04))[0]
    assert unstable["p"] == unstable["p_adjusted"]


def test_cells_that_were_not_tested_do_not_count_for_the_correction() -> None:
    found = findings(cell(rerun_p=0.03), missing("not_observable", dataset="e"), cell(dataset="f", rerun_p=0.001), claim="rerun_floor")
    assert {row["datasets"][0]: row["p_adjusted"] for row in found} == {"d": 0.03, "e": None, "f": 0.002}


def test_only_default_cells_are_judged() -> None:
    rows = [cell(), cell(default=False, measure="embedding"), cell(default=False, family="typo"), cell(default=False, layer=3)]
    assert [row["measure"] for row in findings(*rows)] == ["answer_flip"]


@pytest.mark.parametrize("reason", ["not_observable", "too_few_variants"])
def test_a_cell_without_numbers_is_not_tested(reason: str) -> None:
    for claim in ("instability", "rerun_floor"):
        found = findings(missing(reason), claim=claim)[0]
        assert (found["verdict"], found["reason"], found["p"], found["estimate"]) == ("NOT_TESTED", reason, None, None)


def test_a_degenerate_null_is_not_tested_for_instability_but_against_reruns() -> None:
    row = cell(instability=None, se=None, lower=None, upper=None, reason="degenerate_null")
    assert findings(row)[0]["verdict"] == "NOT_TESTED"
    assert findings(row)[0]["reason"] == "degenerate_null"
    assert findings(row, claim="rerun_floor")[0]["verdict"] == "DIFFERS"


def test_the_rerun_floor_is_the_raw_gap() -> None:
    found = findings(cell(across=0.3, rerun=0.12), claim="rerun_floor")[0]
    assert (found["estimate"], found["mode"]) == (pytest.approx(0.18), "raw")
    greedy = findings(cell(decoding="greedy", rerun_p=None), claim="rerun_floor")[0]
    assert (greedy["verdict"], greedy["reason"]) == ("NOT_TESTED", "no_reruns")


def test_mirroring_has_no_rerun_floor() -> None:
    row = cell(axis="mirroring", measure="distinctive_uptake", rerun=None, rerun_p=None, flags=["rerun=not_defined"])
    assert findings(row, claim="rerun_floor") == []
    assert findings(row)[0]["verdict"] == "UNSTABLE"


@pytest.mark.parametrize(("n", "verdict"), [(50, "INCONCLUSIVE"), (200, "STABLE")])
def test_no_change_in_n_examples_is_as_much_as_n_examples_show(n: int, verdict: str) -> None:
    """None of 50: up to 1 - .05^(1/50) = .058 of all examples could change, which over N = .9 is above .05; of 200 up to .0149."""
    row = cell(n=n, across=0.0, rerun=0.0, instability=0.0, se=0.0, lower=0.0, upper=0.05)
    assert findings(row)[0]["verdict"] == verdict


@pytest.mark.parametrize(
    ("value", "n", "verdict", "p"), [(1.0, 2, "UNSTABLE", 0.0025), (0.1, 2, "INCONCLUSIVE", 0.25), (0.1, 20, "UNSTABLE", 2**-20)]
)
def test_equal_values_above_the_smallest_effect(value: float, n: int, verdict: str, p: float) -> None:
    nothing_twice = {"rerun": None, "rerun_p": None, "flags": ["noise_floor=assumed_zero"]}
    found = findings(cell(n=n, instability=value, se=0.0, lower=value, upper=value, **nothing_twice))[0]
    assert (found["verdict"], found["p"]) == (verdict, pytest.approx(p))


@pytest.mark.parametrize(("value", "n", "verdict"), [(1.0, 3, "INCONCLUSIVE"), (1.0, 6, "UNSTABLE"), (0.1, 20, "INCONCLUSIVE")])
def test_equal_values_prove_less_where_reruns_could_differ_more(value: float, n: int, verdict: str) -> None:
    """A value can be -1 / (N - W) = -1.25 there: of n of n at S = 1, p = ((.05 + 1.25) / (1 + 1.25))^n = .193, .037."""
    found = findings(cell(n=n, instability=value, se=0.0, lower=value, upper=value))[0]
    assert (found["verdict"], found["p"]) == (verdict, pytest.approx(((0.05 + 1.25) / (value + 1.25)) ** n))


@pytest.mark.parametrize(("smallest", "verdict"), [(0.0, "UNSTABLE"), (0.05, "UNSTABLE"), (0.1, "INCONCLUSIVE"), (0.2, "STABLE")])
def test_the_smallest_effect_is_the_studys(smallest: float, verdict: str) -> None:
    assert findings(cell(instability=0.12), smallest_effect=smallest)[0]["verdict"] == verdict


def test_a_stricter_level_says_less() -> None:
    assert findings(cell(instability=0.09))[0]["verdict"] == "UNSTABLE"
    assert findings(cell(instability=0.09), alpha=0.01)[0]["verdict"] == "INCONCLUSIVE"


def test_order_of_cells_does_not_matter() -> None:
    rows = [cell(dataset=f"d{place}", rerun_p=0.01 * (place + 1), instability=0.1 + 0.01 * place) for place in range(4)]
    one, two = conclude(profiles(*rows)), conclude(profiles(*rows[::-1]))
    keys = ["claim", "sentence"]
    assert one.sort(keys).equals(two.sort(keys))


def test_no_cells_no_findings() -> None:
    assert conclude(schemas.empty("profiles")).is_empty()
