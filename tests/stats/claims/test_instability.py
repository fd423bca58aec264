"""Raw gaps beside instability: both against the smallest effect, and a sentence where they disagree."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stats.hand_made import cell, missing, profiles, scored

from sago import schemas
from sago.arrays import Rows, index_of, parts_of
from sago.stats import conclude, sensitivity
from sago.stats.evidence import Rules
from sago.stats.smallest_effect import judge, raw_gaps

NO_NOISE: dict[str, Any] = {"rerun": None, "rerun_p": None, "flags": ["noise_floor=assumed_zero"], "decoding": "greedy"}


def found(rows: list[dict[str, Any]], scores: list[dict[str, Any]], mode: str = "raw", **options: Any) -> list[dict[str, Any]]:
    table = conclude(profiles(*rows), scores=schemas.frame("scores", scores), **options)
    return table.filter((pl.col("claim") == "instability") & (pl.col("mode") == mode)).to_dicts()


def drawn(seed: int, n: int, low: float, high: float) -> list[float]:
    return [float(value) for value in np.random.default_rng(seed).uniform(low, high, n)]


def test_the_error_of_a_raw_gap_is_that_of_paired_differences() -> None:
    across, rerun = drawn(1, 50, 0, 1), drawn(2, 50, 0, 0.3)
    gap = raw_gaps(schemas.frame("scores", scored(cell(), across, rerun))).row(0, named=True)
    differences = np.array(across) - np.array(rerun)
    assert gap["gap"] == pytest.approx(differences.mean())
    assert gap["se"] == pytest.approx(differences.std(ddof=1) / np.sqrt(50))
    assert gap["n"] == 50


def test_the_error_of_a_floor_of_a_part_is_in_that_of_the_gap() -> None:
    """Two examples of four were asked again: by hand psi = B_i - B - 2 (W_i - W) of those, and B_i - B of the others."""
    gap = raw_gaps(schemas.frame("scores", scored(cell(), [0.2, 0.4, 0.6, 0.8], [0.1, 0.3, None, None]))).row(0, named=True)
    psi = np.array([-0.3 + 2 * 0.1, -0.1 - 2 * 0.1, 0.1, 0.3])
    assert gap["gap"] == pytest.approx(0.5 - 0.2)
    assert gap["se"] == pytest.approx(np.sqrt(np.sum(psi**2) / 12))


def test_golden_e63_the_floor_of_an_audit_counts() -> None:
    """B all .3, W of an audit with error .02: that of B - W is .02, of S (1 - .25) / .8 times as much = .01875."""
    across = [0.3] * 100
    rerun = [0.1 + 0.02 * np.sqrt(99) * sign for sign in (1, -1) for _ in range(50)]
    gap = raw_gaps(schemas.frame("scores", scored(cell(), across, rerun))).row(0, named=True)
    assert gap["se"] == pytest.approx(0.02)
    assert 0.75 / 0.8 * gap["se"] == pytest.approx(0.01875)


@pytest.mark.parametrize("mode", ["calibrated", "raw"])
def test_modes_are_corrected_apart(mode: str) -> None:
    rows = [cell(), cell(dataset="e"), missing("not_observable", dataset="f")]
    scores = [one for row in rows[:2] for one in scored(row, drawn(3, 100, 0, 0.4), drawn(4, 100, 0, 0.2))]
    assert [one["tests"] for one in found(rows, scores, mode) if one["p"] is not None] == [2, 2]


def test_without_scores_there_is_no_raw_finding() -> None:
    assert conclude(profiles(cell()))["mode"].to_list() == ["calibrated", "raw"]
    assert conclude(profiles(cell()))["claim"].to_list() == ["instability", "rerun_floor"]


def test_mirroring_has_one_mode() -> None:
    row = cell(axis="mirroring", measure="distinctive_uptake", flags=["rerun=not_defined"])
    assert found([row], scored(row, drawn(1, 50, 0, 1))) == []


def test_where_the_scale_is_small_the_verdicts_differ_and_the_raw_one_says_why() -> None:
    row = cell(across=0.03, unrelated=0.1, instability=0.3, lower=0.2, upper=0.4, se=0.05, measure="jsd", axis="confidence", **NO_NOISE)
    one = found([row], scored(row, drawn(1, 200, 0.02, 0.04)))[0]
    assert (one["verdict"], found([row], scored(row, drawn(1, 200, 0.02, 0.04)), "calibrated")[0]["verdict"]) == ("STABLE", "UNSTABLE")
    assert "Calibrated, the verdict is UNSTABLE: it divides by what other questions move beyond asking again, here .100" in one["sentence"]
    assert "Rerun noise was not measured." in one["sentence"]


def test_where_two_models_change_places_the_raw_findings_say_so() -> None:
    near_constant = cell(model="a", instability=0.4, across=0.08, unrelated=0.2, **NO_NOISE)
    lively = cell(model="b", instability=0.2, across=0.18, unrelated=0.9, **NO_NOISE)
    scores = [*scored(near_constant, drawn(1, 100, 0.06, 0.1)), *scored(lively, drawn(2, 100, 0.16, 0.2))]
    one, two = found([near_constant, lively], scores)
    assert "Against b the order of the estimates is the other way round when calibrated" in one["sentence"]
    assert "(.200 here, .900 for b)" in one["sentence"]
    assert "Against a the order" in two["sentence"]
    agreeing = cell(model="b", instability=0.5, across=0.18, unrelated=0.36, **NO_NOISE)
    assert all("Against" not in row["sentence"] for row in found([near_constant, agreeing], scores))


def test_without_a_scale_the_raw_number_stands() -> None:
    row = cell(instability=None, se=None, lower=None, upper=None, reason="degenerate_null", across=0.02, unrelated=0.03, **NO_NOISE)
    scores = scored(row, [1.0] * 4 + [0.0] * 196)
    one, other = found([row], scores)[0], found([row], scores, "calibrated")[0]
    assert (other["verdict"], other["reason"]) == ("NOT_TESTED", "degenerate_null")
    assert (one["verdict"], one["estimate"]) == ("STABLE", pytest.approx(0.02))
    assert "degenerate_null: other questions move it by .030, hardly more than asking again, which is no scale" in one["sentence"]


def test_trap_one_changed_token_under_greedy_decoding_is_not_unstable() -> None:
    """One example of 100 changed in one of its wordings, reruns never differ: any test of 'distance above 0' rejects."""
    answers = np.repeat(np.arange(100), 5)
    answers[3] = 999
    index = index_of(parts_of(Rows(answers, np.repeat(np.arange(100), 5), np.tile(np.arange(5), 100)), "nominal"))
    numbers = {"across": index.across, "unrelated": index.unrelated, "instability": index.instability, "se": index.se}
    row = cell(n=100, lower=-0.01, upper=0.02, **numbers, **NO_NOISE)
    scores = scored(row, index.each.tolist(), instability=index.per_example.tolist())
    for mode in ("calibrated", "raw"):
        assert found([row], scores, mode)[0]["verdict"] == "STABLE"
        against_zero = found([row], scores, mode, smallest_effect=0.0)[0]
        assert (against_zero["verdict"], against_zero["reason"], against_zero["p"]) == ("NOT_TESTED", "no_reruns", None)
        assert "that a distance is above 0 says nothing" in against_zero["sentence"]


def test_without_reruns_the_verdict_stands_and_the_noise_is_not_claimed() -> None:
    row = cell(**NO_NOISE)
    table = conclude(profiles(row), scores=schemas.frame("scores", scored(row, drawn(1, 200, 0.1, 0.3))))
    by = {(one["claim"], one["mode"]): one for one in table.to_dicts()}
    assert by["instability", "calibrated"]["verdict"] == by["instability", "raw"]["verdict"] == "UNSTABLE"
    floor = by["rerun_floor", "raw"]
    assert (floor["verdict"], floor["reason"], floor["p"]) == ("NOT_TESTED", "no_reruns", None)
    for mode in ("calibrated", "raw"):
        assert "Rerun noise was not measured." in by["instability", mode]["sentence"]
        assert "reruns" not in by["instability", mode]["sentence"].replace("Rerun noise was not measured.", "")


def test_golden_e49_none_of_300() -> None:
    row = cell(n=300, across=0.0, instability=0.0, se=0.0, lower=0.0, upper=0.012, **NO_NOISE)
    scores = scored(row, [0.0] * 300)
    for mode in ("calibrated", "raw"):
        one = found([row], scores, mode)[0]
        assert one["verdict"] == "STABLE"
        assert "no pair of wordings is answered differently in 300 examples" in one["sentence"]
        assert "at most 1 % of all examples change" in one["sentence"]
    assert judge(0.0, 0.0, 300, Rules()).most == pytest.approx(0.009936, abs=5e-7)


def test_a_pair_of_wordings_against_a_pair_of_reruns() -> None:
    row = cell(across=0.3, rerun=0.1)
    one = found([row], scored(row, [0.3] * 50 + [0.31] * 50, [0.1] * 100))[0]
    assert "and 10 % of pairs of reruns: 20 %" in one["sentence"]
    assert "with probability .603, ties half" in one["sentence"]


@pytest.mark.parametrize(("estimate", "se", "n"), [(0.12, 0.02, 200), (0.07, 0.02, 40), (0.0, 0.0, 50), (0.3, 0.0, 9), (-0.1, 0.0, 9)])
def test_the_bounds_give_the_verdict_for_every_smallest_effect(estimate: float, se: float, n: int) -> None:
    bounds = judge(estimate, se, n, Rules())
    for smallest in np.linspace(0.001, 0.9, 90):
        verdict = judge(estimate, se, n, Rules(float(smallest))).verdict
        expected = "UNSTABLE" if bounds.least > smallest else "STABLE" if bounds.most < smallest else "INCONCLUSIVE"
        assert verdict == expected


def test_verdicts_for_several_smallest_effects() -> None:
    row = cell(instability=0.12, se=0.02)
    table = sensitivity(
        profiles(row, cell(dataset="e", **NO_NOISE)), scores=schemas.frame("scores", scored(row, [0.05, 0.07] * 50, [0.0] * 100))
    )
    mine = table.filter(pl.col("dataset") == "d")
    assert mine.filter(pl.col("mode") == "calibrated")["verdict"].to_list() == ["UNSTABLE", "UNSTABLE", "UNSTABLE", "INCONCLUSIVE"]
    assert mine.filter(pl.col("mode") == "raw")["verdict"].to_list() == ["UNSTABLE", "UNSTABLE", "UNSTABLE", "STABLE"]
    assert table.filter(pl.col("dataset") == "e")["verdict"][0] == "NOT_TESTED"


def test_a_failed_control_stands_behind_the_number() -> None:
    control = {"kind": "identity", "n": 50, "expected": "covers 0", "verdict": "fail", "instability": 0.2}
    head = {name: cell()[name] for name in ("model", "dataset", "axis", "measure", "decoding")}
    table = conclude(profiles(cell(), cell(dataset="e")), controls=schemas.frame("controls", [{**head, **control}]))
    sentences = table.filter(pl.col("claim") == "instability")["sentence"].to_list()
    assert sentences[0].endswith("But the control identity failed in this cell, so this number proves nothing.")
    assert "proves nothing" not in sentences[1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scores", [[0.5], [0.0], [0.5, 0.5], [0.0, 0.0]])
def test_few_examples_of_one_value_make_no_warning(scores: list[float]) -> None:
    row = missing("too_few_examples", n=len(scores), across=scores[0], unrelated=None)
    verdict = found([row], scored(row, scores))[0]["verdict"]
    assert verdict == ("NOT_TESTED" if len(scores) == 1 else "UNSTABLE" if scores[0] else "INCONCLUSIVE")


def test_the_size_of_the_raw_test_at_its_edge() -> None:
    """True gap = smallest effect: UNSTABLE in at most 5 % of 400 cells, within Monte-Carlo error; at twice the effect nearly always."""
    rng, verdicts = np.random.default_rng(5), {0.05: 0, 0.10: 0}
    for gap in verdicts:
        for _ in range(400):
            differences = rng.binomial(5, 0.1 + gap, 300) / 5 - rng.binomial(5, 0.1, 300) / 5
            verdicts[gap] += judge(differences.mean(), differences.std(ddof=1) / np.sqrt(300), 300, Rules()).verdict == "UNSTABLE"
    assert verdicts[0.05] <= 0.05 * 400 + 2 * np.sqrt(0.05 * 0.95 * 400)
    assert verdicts[0.10] >= 0.95 * 400
