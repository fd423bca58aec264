"""Floors measured on a few examples: their error is in every difference of models, and in the tails."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stats.hand_made import cell, profiles, scored

from sago import schemas
from sago.seeds import generator
from sago.stats.claims.dominance import dominance
from sago.stats.claims.instability import instability
from sago.stats.claims.rank_order import rank
from sago.stats.claims.rerun_floor import rerun_floor
from sago.stats.evidence import RAW, Evidence, Rules
from sago.stats.paired import compared

HEAD = {"axis": "generation", "measure": "answer_flip", "decoding": "sampled"}


def of_models(**models: tuple[np.ndarray, np.ndarray]) -> Evidence:
    """Returns evidence of B_i and W_i of models; NaN = not asked twice."""
    rows = {name: cell(model=name, n=across.size, flags=["noise_floor=pooled"]) for name, (across, _) in models.items()}
    scores: list[dict[str, Any]] = []
    for name, (across, rerun) in models.items():
        scores += scored(rows[name], across.tolist(), [None if np.isnan(one) else float(one) for one in rerun])
    return Evidence(profiles(*rows.values()), scores=schemas.frame("scores", scores))


def alike(rng: np.random.Generator, n: int, asked: int) -> tuple[np.ndarray, np.ndarray]:
    """A model whose wordings differ as reruns do."""
    share = rng.beta(2, 3, n)
    rerun = rng.binomial(3, share) / 3
    rerun[asked:] = np.nan
    return rng.binomial(6, share) / 6, rerun


def test_error_of_a_difference_by_hand() -> None:
    """psi of A: B - .4 - 2 (W - .2) on the two asked twice: -.1, -.1, .1, .1; of B, without noise: 0, .1, -.1, 0 about its mean."""
    a = (np.array([0.1, 0.5, 0.5, 0.5]), np.array([0.1, 0.3, np.nan, np.nan]))
    b = (np.array([0.2, 0.3, 0.1, 0.2]), np.zeros(4))
    found = next(one for one in compared(of_models(a=a, b=b)) if one.mode == RAW).differences
    psi = np.array([-0.3 + 0.2, 0.1 - 0.2, 0.1, 0.1]) - np.array([0.0, 0.1, -0.1, 0.0])
    assert found.estimate[0] == pytest.approx(0.4 - 0.2 - 0.2)
    assert found.se[0] == pytest.approx(np.sqrt(np.sum((psi - psi.mean()) ** 2) / 12))
    assert (found.n[0], found.few[0]) == (4, 2)


def test_a_noise_that_one_example_measures_is_no_dominance() -> None:
    """B is above A on every example of both axes, but all of A's noise comes from a single example asked twice: nothing is known of it."""
    rng = generator("one example asked twice")
    tables = []
    for axis in ("generation", "confidence"):
        low, high = rng.uniform(0.1, 0.2, 400), rng.uniform(0.6, 0.7, 400)
        noise = np.full(400, np.nan)
        noise[0] = 0.0
        one_axis = of_models(a=(low, noise), b=(high, noise))
        tables.append([table.with_columns(axis=pl.lit(axis)) for table in (one_axis.profiles, one_axis.scores)])
    cells, scores = (pl.concat(each) for each in zip(*tables, strict=True))
    evidence = Evidence(cells, scores=scores)
    known = [one for one in compared(evidence) if one.mode == RAW]
    assert {one.differences.reason(0) for one in known} == {"too_few_reruns"}
    (found,) = [one for one in dominance(known, Rules()) if one.mode == RAW]
    assert (found.verdict, found.reason) == ("NOT_TESTED", "too_few_reruns")


@pytest.mark.parametrize(("n", "asked"), [(400, 20), (25, 10)])
def test_two_equal_models_are_ranked_in_one_case_of_twenty(n: int, asked: int) -> None:
    """In 68 % of cases while the error of the floor was left out."""
    rng, ranked = generator("partial", n), 0
    for _ in range(100):
        known = compared(of_models(a=alike(rng, n, asked), b=alike(rng, n, asked)))
        found = rank([one for one in known if one.mode == RAW], Rules())
        assert not any("sign flips" in one.sentence for one in found)
        ranked += found[0].verdict == "RANKED"
    assert ranked <= 12


def test_one_example_asked_twice_is_no_floor() -> None:
    rng = generator("one")
    evidence = of_models(a=alike(rng, 40, 1), b=alike(rng, 40, 1))
    known = next(one for one in compared(evidence) if one.mode == RAW)
    assert known.differences.reason(0) == "too_few_reruns"
    assert [(one.verdict, one.reason) for one in instability(evidence)] == [("NOT_TESTED", "too_few_reruns")] * 4


def test_few_reruns_without_noise_do_not_prove_that_there_is_none() -> None:
    """B = .15 everywhere but for a little, W = 0 on 5 of 200: W of up to 1 - .05^(1/5) = .45 is not excluded. With 200 of 200 it is."""
    across = 0.15 + 0.01 * generator("few").standard_normal(200)
    for asked, verdict in ((5, "INCONCLUSIVE"), (200, "UNSTABLE")):
        rerun = np.where(np.arange(200) < asked, 0.0, np.nan)
        found = next(one for one in instability(of_models(a=(across, rerun))) if one.mode == RAW)
        assert found.verdict == verdict
    assert found.p is not None


def test_the_rerun_floor_tells_of_the_examples_asked_twice() -> None:
    across, rerun = np.array([0.5, 0.3, 0.9, 0.9]), np.array([0.1, 0.1, np.nan, np.nan])
    found = rerun_floor(of_models(a=(across, rerun)))[0]
    assert found.n == 2
    assert found.estimate == pytest.approx(0.3)


@pytest.mark.parametrize(("n", "verdict"), [(4, "NOT_SHOWN"), (12, "RANKED")])
def test_a_constant_difference_is_shown_by_enough_examples(n: int, verdict: str) -> None:
    """One model always changes its answer, the other never: p = 2 x .5^n."""
    known = compared(of_models(a=(np.zeros(n), np.zeros(n)), b=(np.ones(n), np.zeros(n))))
    one = next(one for one in known if one.mode == RAW)
    assert one.two_sided()[0] == pytest.approx(2 * 0.5**n)
    assert {found.verdict for found in rank([one], Rules())} == {verdict}


def test_models_that_never_differ_are_not_tested() -> None:
    one = next(one for one in compared(of_models(a=(np.ones(9), np.zeros(9)), b=(np.ones(9), np.zeros(9)))) if one.mode == RAW)
    assert one.differences.reason(0) == "no_spread"
