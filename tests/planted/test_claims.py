"""The three claims about models of which the truth is known, through the whole pipeline: what is there is found, what is not is not."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.planted.conftest import without_page

import sago
from sago.runs import Run
from sago.testing.planted.failures import AXES

PAIRS = [f"{first} & {second}" for first, second in combinations(AXES, 2)]


def write(folder: Path, name: str, count: int) -> str:
    rows = [
        {"id": f"{name}-{i:04d}", "question": f"A {name} crate holds {i + 2} boxes of {i % 7 + 3} pears each. How many pears are there?"}
        for i in range(count)
    ]
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(json.dumps(row | {"answer": (i + 2) * (i % 7 + 3)}) for i, row in enumerate(rows)), encoding="utf-8")
    return str(file)


def of(run: Run, claim: str, **wanted: Any) -> list[dict[str, Any]]:
    rows = run.findings.filter(pl.col("claim") == claim, *(pl.col(name) == value for name, value in wanted.items()))
    return rows.to_dicts()


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("claims")
    study = sago.Study(
        models=["planted:failures", "planted:failures:shared=1", "planted:constant"],
        data=[write(folder, "numeric", 400)],
        variations=["format:n=5"],
    )
    return without_page(study, folder / "failing")


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("compared")
    study = sago.Study(
        models=[
            "planted:by-dataset:rate=0.1,rate_b=0.5",
            "planted:by-dataset:rate=0.5,rate_b=0.1",
            "planted:by-dataset:rate=0.3,rate_b=0.3",
            "planted:by-dataset:rate=0.3,rate_b=0.3,seed=1",
        ],
        data=[write(folder, "crates-a", 150), write(folder, "crates-b", 150)],
        variations=["format:n=3"],
    )
    return without_page(study, folder / "compared")


@pytest.mark.parametrize("axis", ["generation", "mirroring"])
def test_planted_instability_is_found(failing: Run, axis: str) -> None:
    """30 % of the examples fail, so S is about .3, far above .05."""
    found = [row for row in of(failing, "instability", axis=axis, mode="calibrated") if row["models"] == ["planted-failures"]]
    assert [row["verdict"] for row in found] == ["UNSTABLE"]
    assert found[0]["p_adjusted"] < 0.001


def test_a_constant_model_is_never_called_stable(failing: Run) -> None:
    found = [row for row in of(failing, "instability", axis="generation", mode="calibrated") if row["models"] == ["planted-constant"]]
    assert [(row["verdict"], row["reason"]) for row in found] == [("NOT_TESTED", "degenerate_null")]


@pytest.mark.parametrize("pair", PAIRS)
def test_planted_independence_and_dependence_are_found(failing: Run, pair: str) -> None:
    """The sets of failures are drawn apart for each axis, or are one set (``shared=1``)."""
    verdicts = {row["models"][0]: row["verdict"] for row in of(failing, "independence", axis=pair) if len(row["models"]) == 1}
    assert verdicts["planted-failures:shared=1"] == "DEPENDENT"
    assert verdicts["planted-failures"] in ("INDEPENDENT", "INCONCLUSIVE")


def test_most_planted_independent_pairs_are_shown_to_be_independent(failing: Run) -> None:
    """The standard error of a correlation of 0 at n = 400 is .05, the margin .30: a power near 1 for each pair."""
    found = [row for row in of(failing, "independence") if row["models"] == ["planted-failures"]]
    assert sum(row["verdict"] == "INDEPENDENT" for row in found) >= 5


def test_nothing_is_claimed_of_the_axes_of_a_constant_model(failing: Run) -> None:
    found = [row for row in of(failing, "independence") if row["models"] == ["planted-constant"]]
    assert {row["verdict"] for row in found} <= {"NOT_ASSESSABLE"}


@pytest.mark.parametrize("mode", ["calibrated", "raw"])
def test_exactly_the_planted_reversals_are_found(compared: Run, mode: str) -> None:
    """The first two models change places between the data sets; against the others, which stay at .3, each is once above and once below.

    With rates .1, .5 and .3 all of these are reversals; only the two models with the same rates everywhere have no order to reverse.
    """
    pairs = {
        tuple(row["models"]): row["verdict"] for row in of(compared, "reversal", mode=mode, axis="generation") if len(row["models"]) == 2
    }
    same = ("planted-by-dataset:rate=0.3,rate_b=0.3", "planted-by-dataset:rate=0.3,rate_b=0.3,seed=1")
    assert len(pairs) == 6
    assert {models: verdict for models, verdict in pairs.items() if verdict != "REVERSED"} == {same: "NOT_SHOWN"}


def test_ranks_follow_the_planted_rates(compared: Run) -> None:
    """On crates-a the model that flips at .1 is the most stable (rank 1), the one at .5 the least (rank 4); on crates-b the other way."""
    for dataset, first, last in (
        ("crates-a", "rate=0.1,rate_b=0.5", "rate=0.5,rate_b=0.1"),
        ("crates-b", "rate=0.5,rate_b=0.1", "rate=0.1,rate_b=0.5"),
    ):
        ranks = {
            row["models"][0].removeprefix("planted-by-dataset:"): (row["lower"], row["upper"])
            for row in of(compared, "rank", mode="calibrated", axis="generation")
            if row["datasets"] == [dataset]
        }
        assert (ranks[first], ranks[last]) == ((1, 1), (4, 4))
        assert {ranks["rate=0.3,rate_b=0.3"], ranks["rate=0.3,rate_b=0.3,seed=1"]} == {(2, 3)}


def test_every_finding_has_a_sentence_with_its_n(failing: Run, compared: Run) -> None:
    for run in (failing, compared):
        for row in run.findings.to_dicts():
            assert row["sentence"].endswith("."), row
            assert not re.search(r"\bnan\b", row["sentence"].lower()), row
