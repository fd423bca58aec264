"""Ranks that the data leave open, and orders that differ between data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.stats.compared_made import drawn, evidence

from sago.stats.claims.rank_order import rank, rank_agreement
from sago.stats.evidence import CALIBRATED, Evidence
from sago.stats.paired import compared

NAN = float("nan")
RNG = np.random.default_rng


def ranks(known: Evidence) -> list[Any]:
    return [found for found in rank(compared(known), known.rules) if found.mode == CALIBRATED]


def agreements(**datasets: Any) -> list[Any]:
    known = evidence({("generation", name): models for name, models in datasets.items()})
    return rank_agreement([one for one in compared(known) if one.mode == CALIBRATED], known.rules)


def test_sure_orders_have_one_rank_and_near_ties_share_theirs() -> None:
    found = ranks(evidence({("generation", "a"): drawn([0.1, 0.11, 0.6], 200, RNG(0))}))
    assert [(one.lower, one.upper) for one in found] == [(1, 2), (1, 2), (3, 3)]
    assert {one.verdict for one in found} == {"RANKED"}
    assert "lies between 1 and 2 (observed" in found[0].sentence
    assert "rank among 3 models is 3" in found[2].sentence


def test_pairs_are_those_of_paired_t_tests() -> None:
    scores = drawn([0.1, 0.25], 50, RNG(1))
    sure = stats.ttest_rel(scores["m0"], scores["m1"]).pvalue <= 0.05
    found = ranks(evidence({("generation", "a"): scores}))
    assert [one.verdict for one in found] == ["RANKED" if sure else "NOT_SHOWN"] * 2


def test_few_examples_are_tested_by_sign_flips() -> None:
    """Five of five differences in one direction: p = 2/32, where t would be sure."""
    scores = {"m0": np.full(5, 0.0), "m1": np.array([1.0, 1.1, 1.2, 1.1, 1.0])}
    known = evidence({("generation", "a"): scores})
    assert compared(known)[0].two_sided()[0] == 2 / 32
    found = ranks(known)
    assert [(one.verdict, one.test) for one in found] == [("NOT_SHOWN", "sign flips")] * 2


@pytest.mark.parametrize(("n", "few"), [(29, True), (30, False)])
def test_a_rank_of_few_examples_says_what_it_takes_for_granted(n: int, few: bool) -> None:
    found = ranks(evidence({("generation", "a"): drawn([0.1, 0.9], n, RNG(3))}))
    assert [one.verdict for one in found] == ["RANKED"] * 2
    assert ["With fewer than 30 examples this takes it" in one.sentence for one in found] == [few] * 2


def test_identical_models_are_not_ranked() -> None:
    values = RNG(2).random(40)
    found = ranks(evidence({("generation", "a"): {"m0": values, "m1": values}}))
    assert [(one.verdict, one.reason, one.lower) for one in found] == [("NOT_TESTED", "no_spread", None)] * 2


def test_true_ranks_are_covered() -> None:
    means, missed = [0.1, 0.11, 0.12, 0.3], 0
    for run in range(40):
        found = ranks(evidence({("generation", "a"): drawn(means, 25 if run % 2 else 120, RNG(run))}))
        missed += any(not one.lower <= place + 1 <= one.upper for place, one in enumerate(found))
    assert missed / 40 <= 0.1


# -- agreement -------------------------------------------------------------------------------------------------------------------


def test_tau_is_kendalls() -> None:
    rng = RNG(3)
    first, second = drawn([0.1, 0.2, 0.3, 0.4], 60, rng), drawn([0.2, 0.1, 0.4, 0.3], 60, rng)
    (found,) = agreements(a=first, b=second)
    tau = stats.kendalltau([values.mean() for values in first.values()], [values.mean() for values in second.values()]).statistic
    assert f"tau-b of the 4 models {tau:.3f}".replace("0.", ".", 1) in found.sentence


def test_opposite_orders_differ() -> None:
    rng = RNG(4)
    (found,) = agreements(a=drawn([0.1, 0.2, 0.3, 0.4], 300, rng), b=drawn([0.4, 0.3, 0.2, 0.1], 300, rng))
    assert found.verdict == "RANKS_DIFFER"
    assert found.lower > 1
    assert found.estimate <= 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([0.2, 0.2, 0.2, 0.2], [0.2, 0.2, 0.2, 0.2]),
        ([0.1, 0.3, 0.5, 0.7], [0.1, 0.11, 0.12, 0.13]),
        ([0.1, 0.101, 0.102, 0.7], [0.1, 0.5, 0.501, 0.502]),
    ],
    ids=["ties", "closer on one", "opposite gaps"],
)
def test_one_order_does_not_differ_however_far_apart_the_models_are(first: list[float], second: list[float]) -> None:
    """The mean of the two data sets' own agreement would be above that across them in the second and third case."""
    hits = 0
    for run in range(8):
        rng = RNG(run)
        hits += agreements(a=drawn(first, 100, rng), b=drawn(second, 100, rng))[0].verdict == "RANKS_DIFFER"
    assert hits <= 1


def test_two_models_few_examples_and_ties_everywhere() -> None:
    rng = RNG(5)
    assert agreements(a=drawn([0.1, 0.2], 50, rng), b=drawn([0.1, 0.2], 50, rng)) == []
    (few,) = agreements(a=drawn([0.1, 0.2, 0.3], 9, rng), b=drawn([0.1, 0.2, 0.3], 50, rng))
    assert (few.verdict, few.reason, few.n) == ("NOT_TESTED", "too_few_examples", 9)
    values = rng.random(50)
    (tied,) = agreements(a=dict.fromkeys(["m0", "m1", "m2"], values), b=drawn([0.1, 0.2, 0.3], 50, rng))
    assert (tied.verdict, tied.reason) == ("NOT_TESTED", "no_spread")
    apart = drawn([0.1, 0.2, 0.3], 30, rng)
    apart["m0"][:15], apart["m1"][15:] = NAN, NAN
    (none,) = agreements(a=apart, b=drawn([0.1, 0.2, 0.3], 50, rng))
    assert (none.verdict, none.reason, none.n) == ("NOT_TESTED", "no_shared_examples", 0)


def test_kendalls_w_is_told_of_three_data_sets() -> None:
    rng = RNG(6)
    data = {name: drawn([0.1, 0.2, 0.3, 0.4], 30, rng) for name in "abc"}
    means = np.array([[values.mean() for values in models.values()] for models in data.values()])
    w = stats.friedmanchisquare(*means.T).statistic / (3 * 3)
    found = agreements(**data)
    assert len(found) == 3
    assert all(f"Kendall's W is {w:.3f}".replace("0.", ".", 1) in one.sentence for one in found)
