"""What is said of a finding, and that no sentence says more than its test."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.stats.hand_made import cell, missing, profiles

from sago.stats import conclude
from sago.stats.words import figure, probability


def said(row: dict[str, Any], claim: str = "instability", *others: dict[str, Any]) -> str:
    found = conclude(profiles(row, *others)).filter((pl.col("claim") == claim) & (pl.col("datasets").list.first() == row["dataset"]))
    return str(found["sentence"][0])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.12, ".120"),
        (-0.0421, "-.042"),
        (0, ".000"),
        (-0.0002, ".000"),
        (0.9996, "1.000"),
        (1.25, "1.250"),
        (-1.5, "-1.500"),
        (10.05, "10.050"),
    ],
)
def test_figures(value: float, text: str) -> None:
    assert figure(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.0009, "p < .001"), (0.001, "p = .001"), (0.25, "p = .250"), (1.0, "p = 1.000")])
def test_probabilities(value: float, text: str) -> None:
    assert probability(value) == text


def test_an_unstable_cell() -> None:
    assert said(cell()) == (
        "m on d, generation (answer_flip, sampled): 20 % of pairs of wordings are answered differently, and 10 % of pairs of reruns; "
        "beyond that, this is 12 % [8.1, 16] of the disagreement between unrelated questions (22 % with the noise of asking again). "
        "UNSTABLE: above 5 % at the one-sided 95 % bound of 8.7 % (p < .001 by z test, Holm over 1 cell, n = 200 examples)."
    )


def test_verdicts_are_judged_and_not_answered() -> None:
    sentence = said(cell(flags=["answers=verdicts"]))
    assert "20 % of pairs of wordings are judged differently, and 10 % of pairs of reruns" in sentence


def test_a_stable_cell() -> None:
    assert "STABLE: below 5 % at the one-sided 95 % bound of 4.3 % (its own, not corrected, n = 200 examples)." in said(
        cell(instability=0.01)
    )


def test_an_inconclusive_cell() -> None:
    assert "INCONCLUSIVE: neither above nor below 5 % (p = .159 by z test" in said(cell(instability=0.07))


def test_a_verdict_that_the_correction_takes_back_says_so() -> None:
    others = [cell(dataset=f"e{place}", instability=0.05) for place in range(3)]
    sentence = said(cell(instability=0.085), "instability", *others)
    assert "UNSTABLE: above 5 % at the one-sided 95 % bound of 5.2 %, but not after the correction (p = .160" in sentence


@pytest.mark.parametrize(
    ("axis", "moved"), [("activations", "the inner state"), ("confidence", "the confidence"), ("own-axis", "own-axis")]
)
def test_what_moves_is_named(axis: str, moved: str) -> None:
    assert f"another wording moves {moved} by" in said(cell(axis=axis, measure="jsd"))


@pytest.mark.parametrize(
    ("flag", "text"),
    [
        ("noise_floor=assumed_zero", "Rerun noise was not measured."),
        ("noise_floor=audit", "asking again in other batches."),
        ("noise_floor=pooled", "measured on a part of the examples."),
        ("small_n", "With so few examples the interval is rough."),
    ],
)
def test_remarks_are_said(flag: str, text: str) -> None:
    assert text in said(cell(flags=[flag]))
    assert text not in said(cell())


def test_noise_that_was_not_measured_is_not_claimed_to_be_taken_off() -> None:
    assert "beyond what asking again" not in said(cell(rerun=None, rerun_p=None, flags=["noise_floor=assumed_zero"]))


def test_mirroring_speaks_of_words() -> None:
    row = cell(axis="mirroring", measure="distinctive_uptake", flags=["rerun=not_defined"])
    assert said(row).startswith("m on d, mirroring (distinctive_uptake, sampled): the reply takes up .120 [.081, .159] of the words")


def test_a_cell_that_was_not_tested_says_why() -> None:
    assert said(missing("not_observable")) == "m on d, generation (answer_flip, sampled): not tested (not_observable)."
    assert said(missing("not_observable"), "rerun_floor").endswith("not tested against asking twice (not_observable).")


@pytest.mark.parametrize(("p", "text"), [(0.001, "wordings differ more than reruns"), (0.4, "wordings are not shown to differ more")])
def test_against_asking_twice(p: float, text: str) -> None:
    sentence = said(cell(rerun_p=p), "rerun_floor")
    assert text in sentence
    assert "by .100" in sentence
    assert "by permutation inside each example, Holm over 1 cell, n = 200 examples" in sentence
