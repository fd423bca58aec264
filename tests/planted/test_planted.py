"""Models with a known truth, through the whole pipeline: vary, observe, extract, score, conclude."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sago
from sago.runs import Run

VARIATIONS = ["identity", "meaning-changed", "paraphrase:n=2", "format:n=1", "choice-order:n=2", "typo"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    study = sago.Study(
        models=["planted:constant", "planted:echo", "planted:always-first-option"],
        data=["builtin-choice"],
        variations=VARIATIONS,
        reruns=2,
    )
    return study.run(tmp_path_factory.mktemp("planted") / "run")


def profile(run: Run, model: str, axis: str, decoding: str = "greedy", family: str | None = None) -> dict[str, Any]:
    rows = run.profiles.filter(
        pl.col("model").str.ends_with(model),
        pl.col("axis") == axis,
        pl.col("decoding") == decoding,
        pl.col("layer").is_null(),
        pl.col("default") if family is None else pl.lit(value=True),
        pl.col("family").is_null() if family is None else pl.col("family") == family,
    )
    assert rows.height == 1, rows
    return rows.row(0, named=True)


def test_nothing_is_lost(run: Run) -> None:
    asked = run.variants.height * 3
    per_model = run.observations.group_by("model").len()["len"].to_list()
    assert per_model == [asked + 30 * 2] * 3
    assert set(run.observations["status"]) == {"ok"}


def test_always_first_option_follows_the_place_and_not_the_content(run: Run) -> None:
    flips = profile(run, "always-first-option", "generation", family="choice-order")
    kept = profile(run, "always-first-option", "generation", family="typo")
    assert flips["across"] > 0.6
    assert flips["instability"] > 0.6
    assert kept["across"] == 0


def test_always_first_option_is_sure_of_a_place(run: Run) -> None:
    assert profile(run, "always-first-option", "confidence", family="choice-order")["across"] > 0.3
    assert profile(run, "always-first-option", "confidence", family="typo")["across"] == pytest.approx(0, abs=1e-9)


def test_a_constant_reply_mirrors_nothing(run: Run) -> None:
    found = profile(run, "constant", "mirroring")
    assert found["instability"] == pytest.approx(0, abs=0.02)


def test_an_echo_mirrors_everything(run: Run) -> None:
    found = profile(run, "echo", "mirroring")
    assert found["across"] == pytest.approx(1)
    assert found["unrelated"] == pytest.approx(0, abs=1e-9)
    assert found["instability"] == pytest.approx(1)


def test_an_echo_whose_answer_cannot_be_read_never_agrees_with_itself(run: Run) -> None:
    found = profile(run, "echo", "generation")
    assert (found["across"], found["instability"], found["reason"]) == (1, None, "degenerate_null")


def test_constant_states_have_no_scale(run: Run) -> None:
    found = profile(run, "constant", "activations")
    assert (found["instability"], found["reason"]) == (None, "degenerate_null")


def test_rerun_noise_of_deterministic_models_is_measured_as_zero(run: Run) -> None:
    for model in ("constant", "always-first-option"):
        sampled = profile(run, model, "generation", "sampled")
        greedy = profile(run, model, "generation", "greedy")
        assert sampled["rerun"] == 0
        assert greedy["rerun"] == 0
        assert "noise_floor=audit" in greedy["flags"]
        assert sampled["instability"] == pytest.approx(greedy["instability"])


def test_wordings_of_the_first_option_differ_more_than_reruns(run: Run) -> None:
    findings = run.findings.filter(pl.col("claim") == "rerun_floor", pl.col("decoding") == "sampled", pl.col("axis") == "generation")
    verdicts = dict(zip(findings["models"].list.first(), findings["verdict"], strict=True))
    assert verdicts["planted-always-first-option"] == "DIFFERS"
    assert verdicts["planted-echo"] == "NOT_SHOWN"


@pytest.mark.parametrize(("kind", "verdicts"), [("shuffled", {"pass", "not_informative"}), ("identity", {"pass", "not_informative"})])
def test_controls_hold_on_every_axis(run: Run, kind: str, verdicts: set[str]) -> None:
    controls = run.controls.filter(pl.col("kind") == kind)
    assert controls.height > 0
    assert set(controls["verdict"]) <= verdicts


def test_shuffled_responses_are_as_different_as_other_questions(run: Run) -> None:
    shuffled = run.controls.filter(
        pl.col("kind") == "shuffled", pl.col("model").str.ends_with("always-first-option"), pl.col("axis") == "generation"
    )
    assert shuffled["instability"].to_list() == pytest.approx([1, 1], abs=0.1)


def test_an_axis_that_a_model_cannot_show_is_null_with_a_reason(run: Run) -> None:
    for row in run.profiles.filter(pl.col("n") == 0).iter_rows(named=True):
        assert row["instability"] is None
        assert row["across"] is None
        assert row["reason"]


def test_the_profile_does_not_depend_on_which_models_stand_beside(run: Run, tmp_path: Path) -> None:
    alone = sago.Study(models=["planted:echo"], data=["builtin-choice"], variations=VARIATIONS, reruns=2).run(tmp_path / "alone")
    of_all_models = ("unrelated_common", "instability_common")
    theirs = run.profiles.filter(pl.col("model") == "planted-echo").drop(of_all_models)
    flags = pl.col("flags").list.filter(pl.element() != "common_null_reorders")
    assert alone.profiles.drop(of_all_models).equals(theirs.with_columns(flags))
