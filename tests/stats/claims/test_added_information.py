"""What an axis adds to the log-probability, on scores with a known truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stats.hand_made import cell, profiles

from sago import schemas
from sago.stats.claims import added_information
from sago.stats.evidence import Evidence
from sago.stats.finding import Finding

HEAD = {"model": "m", "dataset": "d", "decoding": "greedy"}


def finding(score: Any, correct: Any, likelihood: Any) -> Finding:
    """Returns the claim of one cell."""
    n = len(score)
    examples = [f"{place:04d}" for place in range(n)]
    cells = profiles(cell(**HEAD))
    rows = [
        {**HEAD, "example": name, "axis": "generation", "measure": "answer_flip", "instability": float(value)}
        for name, value in zip(examples, score, strict=True)
    ]
    known = [
        {**HEAD, "example": name, "correct": right, "log_likelihood": value}
        for name, right, value in zip(examples, correct, likelihood, strict=True)
    ]
    counts = {"n_variants": 6, "n_observations": 6}
    evidence = Evidence(
        cells, scores=schemas.frame("scores", [row | counts for row in rows]), covariates=schemas.frame("covariates", known)
    )
    found = added_information(evidence)
    schemas.frame("findings", [one.row() for one in found])
    assert len(found) == 1
    return found[0]


def simulated(own: float, through: float, n: int = 400, seed: int = 0) -> Finding:
    """Being wrong depends on instability itself (``own``), and on the log-probability, on which instability depends (``through``)."""
    rng = np.random.default_rng(seed)
    likelihood = rng.normal(size=n)
    score = rng.normal(size=n) - through * likelihood
    wrong = own * score - 1.5 * likelihood + rng.normal(size=n) > 0
    return finding(score, (1.0 - wrong).tolist(), (-np.exp(-likelihood)).tolist())


def test_an_axis_that_tells_more_adds() -> None:
    found = simulated(own=1.0, through=0.5)
    assert found.verdict == "ADDS"
    assert found.lower is not None
    assert found.lower > 0
    assert (found.n, found.mode, found.axis) == (400, "calibrated", "generation")
    assert "beyond a linear fit of ranks on the rank of the log-probability, unstable examples are wrong more often" in found.sentence
    assert "Holm over 1 axis," in found.sentence


def test_what_the_log_probability_tells_already_adds_nothing() -> None:
    verdicts = [simulated(own=0.0, through=1.0, seed=seed).verdict for seed in range(20)]
    assert verdicts.count("ADDS") <= 4


@pytest.mark.parametrize(
    ("correct", "likelihood", "n", "reason"),
    [(None, -1.0, 40, "no_gold"), (1.0, None, 40, "no_logprobs"), (1.0, -1.0, 40, "no_spread"), (1.0, -1.0, 10, "small_n")],
)
def test_why_it_is_not_tested(correct: float | None, likelihood: float | None, n: int, reason: str) -> None:
    varied = [None if likelihood is None else likelihood - place for place in range(n)]
    found = finding(np.arange(n), [correct] * n, varied)
    assert (found.verdict, found.reason, found.estimate) == ("NOT_TESTED", reason, None)


def test_no_covariates_no_claim() -> None:
    assert added_information(Evidence(profiles(cell(**HEAD)))) == []
    assert pl.DataFrame(schemas.empty("covariates")).is_empty()
