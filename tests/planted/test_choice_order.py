"""Orders of the options alone: what follows the place is totally unstable, what follows the content does not move."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.planted.known import is_near, profile, reordered, write_numeric

import sago
from sago.runs import Run


@pytest.mark.parametrize(("dataset", "options", "truth"), [("own-4", 4, 18 / 23), ("own-2", 2, 1.0)])
def test_always_first_option_is_totally_unstable(orders: Run, dataset: str, options: int, truth: float) -> None:
    """All K! orders of K options that no other question has.

    Of K! orders (K-1)! begin with a given option, so two different orders begin alike with probability ((K-1)! - 1) / (K! - 1) and
    B = (K! - (K-1)!) / (K! - 1): 18/23 for K = 4, 1 for K = 2, in every single example. W = 0, and N = 1 as contents are never shared.
    So T = S = B: the largest value that reordering K options can give, as different as K places allow.
    """
    assert reordered(options) == pytest.approx(truth)
    found = profile(orders, "always-first-option", dataset=dataset)
    assert (found["across"], found["rerun"], found["unrelated"]) == pytest.approx((truth, 0, 1), abs=1e-9)
    assert found["across"] / found["unrelated"] == pytest.approx(truth)
    assert found["instability"] == pytest.approx(truth, abs=1e-9)
    assert found["se"] == pytest.approx(0, abs=1e-9)
    each = orders.scores.filter(
        pl.col("model") == "planted-always-first-option", pl.col("dataset") == dataset, pl.col("axis") == "generation"
    )
    assert each["across"].to_list() == pytest.approx([truth] * each.height)
    verdicts = orders.findings.filter(
        pl.col("models").list.first() == "planted-always-first-option",
        pl.col("datasets").list.first() == dataset,
        pl.col("axis") == "generation",
        pl.col("claim") == "instability",
        pl.col("mode") == "calibrated",
    )
    assert verdicts["verdict"].to_list() == ["UNSTABLE"]


def test_always_first_option_among_shared_options_is_beyond_unrelated(orders: Run) -> None:
    """K = 3 options that all questions share: B = (6 - 2) / 5 = .8 exactly; over its 6 orders each question begins with each option twice,
    so two questions agree in 1/3 of all pairs and N is about 2/3 (exactly so over all pairs; those under one name are left out).
    S = T = .8 / (2/3) = K! / (K! - 1) = 1.2: rewordings differ more than unrelated questions, as no order comes twice. The sign is kept.
    """
    found = profile(orders, "always-first-option", dataset="shared-3")
    assert found["across"] == pytest.approx(0.8)
    assert found["unrelated"] == pytest.approx(2 / 3, abs=0.02)
    assert found["instability"] == pytest.approx(1.2, abs=0.04)


def test_two_shared_options_swapped(orders: Run) -> None:
    """Two options in both orders, 20 questions each way round in the data: B = 1. A canonical answer and a swapped one of another question
    differ exactly where both questions have one order in the data: 19 of the 39 others. N = 19/39, S = T = 39/19 = 2.05.
    """
    found = profile(orders, "always-first-option", dataset="shared-2")
    assert (found["across"], found["unrelated"], found["instability"]) == pytest.approx((1, 19 / 39, 39 / 19))


def test_always_first_option_is_sure_of_a_place(orders: Run) -> None:
    """Certainty of the canonical first option: .9 in the 6 of 24 orders that begin with it, .1/3 in the other 18.

    B = (.9 - .1/3) x 2 x 6 x 18 / (24 x 23) = .339130. N: the canonical wording has .9 in all questions, each other wording in 5 of 23, so
    over ordered pairs of wordings (2 x 23 x 18/23 + 23 x 22 x 2 x 5 x 18 / 23^2) / (24 x 23) = .377126 of them differ on average:
    N = .326843 and S = 1.0376, up to which orders were drawn.
    """
    found = profile(orders, "always-first-option", "confidence", dataset="own-4")
    gap = 0.9 - 0.1 / 3
    assert found["across"] == pytest.approx(gap * 2 * 6 * 18 / (24 * 23), abs=1e-9)
    assert found["unrelated"] == pytest.approx(gap * (36 + 23 * 22 * 2 * 5 * 18 / 23**2) / (24 * 23), abs=0.01)
    assert found["instability"] == pytest.approx(1.0376, abs=0.03)


@pytest.mark.parametrize("dataset", ["own-4", "own-2", "shared-3", "shared-2"])
def test_an_answer_by_content_does_not_follow_the_order(orders: Run, dataset: str) -> None:
    """It names the label under which its own answer stands: letters differ, contents do not. B = 0, N > 0, S = 0."""
    found = profile(orders, "example-driven", dataset=dataset)
    assert (found["across"], found["instability"], found["reason"]) == (0, 0, None)
    assert found["unrelated"] > 0.4
    said = orders.observations.filter(pl.col("model") == "planted-example-driven", pl.col("dataset") == dataset)
    assert said["response"].n_unique() > 1


def test_an_answer_by_content_is_stable_on_the_built_in_questions_in_every_wording(tmp_path: Path) -> None:
    """All layouts (letters, numbers, texts, inline), orders, typos and cases: whatever it says, it says the same. A twin has
    another answer.
    """
    run = sago.Study(
        models=["planted:example-driven"],
        data=["builtin-choice"],
        variations=["identity", "meaning-changed", "format:n=10", "choice-order:n=3", "typo", "case", "paraphrase"],
        axes=["generation"],
    ).run(tmp_path / "run")
    found = profile(run, "example-driven", dataset="builtin-choice")
    assert (found["across"], found["instability"], found["n_left_out"]) == (0, 0, 0)
    assert found["n_variants"] > 15
    changed = run.controls.filter(pl.col("kind") == "meaning-changed").row(0, named=True)
    assert (changed["verdict"], changed["instability"] > 0.2) == ("pass", True)


def test_coin_flip_by_content_is_found_under_reordering(orders: Run) -> None:
    """rate .3, K = 4: B = .48, N = 1, S = .48, whatever the letters are."""
    assert is_near(profile(orders, "coin-flip:rate=0.3", dataset="own-4"), 0.48)


def test_the_identity_control_alone_gives_no_number(tmp_path: Path) -> None:
    """The same prompt again is no second wording: nothing is calibrated from it, and no verdict is given."""
    run = sago.Study(
        models=["planted:icc"],
        data=[write_numeric(tmp_path, 20)],
        variations=["identity"],
        axes=["generation", "activations", "confidence"],
    ).run(tmp_path / "run")
    whole = run.profiles.filter(pl.col("default"))
    assert whole.height == 3
    assert whole["reason"].to_list() == ["too_few_variants"] * 3
    assert whole.select("across", "instability").null_count().row(0) == (3, 3)
    assert set(run.controls["verdict"]) == {"not_informative"}
    assert set(run.findings["verdict"]) == {"NOT_TESTED"}
