"""Agreement of answers: worked examples, other people's entropies, enumeration, answers that could not be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sago.arrays import agreement as ag

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "generation.json").read_text(encoding="utf-8"))
PLAIN: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "flip_rate": ag.flip_rate,
    "flip_from_canonical": ag.flip_from_canonical,
    "total_disagreement": ag.total_disagreement,
    "majority_disagreement": ag.majority_disagreement,
    "sensitivity": lambda answers, wording: ag.sensitivity(answers, wording, 4),
}


def near(value: Any) -> Any:
    return pytest.approx(float("nan") if value is None else value, abs=GOLDEN["tolerance"], nan_ok=True)


@st.composite
def answered(draw: st.DrawFn, *, fewest: int = 2, unread: bool = True) -> tuple[np.ndarray, np.ndarray]:
    reruns = draw(st.lists(st.integers(1, 3), min_size=fewest, max_size=6))
    answers = draw(st.lists(st.integers(-1 if unread else 0, 3), min_size=sum(reruns), max_size=sum(reruns)))
    return np.array(answers), np.repeat(np.arange(len(reruns)), reruns)


# -- worked examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", sorted(PLAIN))
@pytest.mark.parametrize("name", sorted(GOLDEN["answers"]))
def test_golden_answers(name: str, measure: str) -> None:
    case = GOLDEN["answers"][name]
    answers, wording = np.array(case["answers"]), np.array(case["wording"])
    found = ag.sensitivity(answers, wording, case["classes"]) if measure == "sensitivity" else PLAIN[measure](answers, wording)
    assert found == near(case[measure])


@pytest.mark.parametrize("name", sorted(GOLDEN["shares"]))
def test_golden_e04_shares(name: str) -> None:
    case = GOLDEN["shares"][name]
    assert ag.entropy(np.array(case["shares"])) == near(case["entropy"])


def test_golden_e05_pooled_and_macro() -> None:
    case = GOLDEN["E05"]
    examples = [(np.array(codes), np.arange(len(codes))) for codes in case["examples"]]
    assert ag.pooled_flip_rate([ag.agreeing_pairs(*one) for one in examples])[0] == near(case["pooled"])
    assert np.mean([ag.flip_rate(*one) for one in examples]) == near(case["macro"])


@pytest.mark.parametrize("name", sorted(GOLDEN["correctness"]))
def test_golden_e06_correctness(name: str) -> None:
    case = GOLDEN["correctness"][name]
    assert ag.correctness_spread(np.array(case["correct"], dtype=float), np.arange(len(case["correct"]))) == near(case["spread"])


@pytest.mark.parametrize("name", sorted(GOLDEN["information"]))
def test_golden_e56_information(name: str) -> None:
    case = GOLDEN["information"][name]
    answers, wording = np.array(case["answers"]), np.array(case["wording"])
    assert ag.mutual_information(answers, wording) == near(case["information"])
    assert ag.expected_information(answers, wording) == near(case["expected"])
    assert ag.excess_information(answers, wording) == near(case["information"] - case["expected"])


# -- other people's numbers, and the definitions ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_entropy_is_that_of_scipy(seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.ones(7))
    assert ag.entropy(shares) == pytest.approx(stats.entropy(shares), abs=1e-9)
    answers = np.random.default_rng(seed).integers(0, 5, 30)
    assert ag.sensitivity(answers, np.arange(30), 5) == pytest.approx(stats.entropy(np.bincount(answers)) / np.log(5), abs=1e-9)


@given(answered())
@settings(deadline=None, max_examples=50, derandomize=True)
def test_flips_are_the_mean_over_pairs_of_wordings(case: tuple[np.ndarray, np.ndarray]) -> None:
    answers, wording = case

    def differ(v: int, w: int) -> float:
        return float(np.mean([a != b or a < 0 for a in answers[wording == v] for b in answers[wording == w]]))

    names = np.unique(wording)
    assert ag.flip_rate(answers, wording) == pytest.approx(np.mean([differ(v, w) for v, w in combinations(names, 2)]), abs=1e-9)
    assert ag.flip_from_canonical(answers, wording) == pytest.approx(np.mean([differ(0, w) for w in names[1:]]), abs=1e-9)
    pairs = [(r, s) for r, s in combinations(range(answers.size), 2) if wording[r] != wording[s]]
    equal = sum(answers[r] == answers[s] and answers[r] >= 0 for r, s in pairs)
    assert ag.agreeing_pairs(answers, wording) == pytest.approx((equal, len(pairs)))


@given(answered())
@settings(deadline=None, max_examples=50, derandomize=True)
def test_order_and_names_do_not_matter_and_ranges_hold(case: tuple[np.ndarray, np.ndarray]) -> None:
    answers, wording = case
    rng = np.random.default_rng(0)
    order, names = rng.permutation(answers.size), np.where(answers >= 0, 7 - answers, -3)
    for name, measure in {**PLAIN, "information": ag.excess_information}.items():
        found = measure(answers, wording)
        assert measure(answers[order], wording[order]) == pytest.approx(found, abs=1e-12, nan_ok=True), name
        assert measure(names, wording) == pytest.approx(found, abs=1e-12, nan_ok=True), name
        if name != "information":
            assert -1e-12 <= found <= 1 + 1e-12, name
    assert ag.mutual_information(answers, wording) >= -1e-12


@given(answered(unread=False))
@settings(deadline=None, max_examples=30, derandomize=True)
def test_without_reruns_the_formulas_of_the_papers(case: tuple[np.ndarray, np.ndarray]) -> None:
    answers = case[0]
    wording, counts = np.arange(answers.size), np.bincount(answers)
    size = answers.size
    assert ag.flip_rate(answers, wording) == pytest.approx(1 - np.sum(counts * (counts - 1)) / (size * (size - 1)), abs=1e-12)
    assert ag.majority_disagreement(answers, wording) == pytest.approx(1 - counts.max() / size, abs=1e-12)
    assert ag.total_disagreement(answers, wording) == float(counts.max() < size)
    assert ag.mutual_information(answers, wording) == pytest.approx(stats.entropy(counts), abs=1e-12)
    assert np.isnan(ag.excess_information(answers, wording))


@pytest.mark.parametrize(
    ("answers", "wording"),
    [
        ([0, 0, 1, 1, 0], [0, 0, 1, 1, 1]),
        ([0, 1, 2, 0], [0, 0, 1, 1]),
        ([0, 0, -1, -1], [0, 0, 1, 2]),
        ([0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 2, 2]),
    ],
)
def test_expected_information_is_the_mean_over_all_permutations(answers: list[int], wording: list[int]) -> None:
    labels = np.array(wording)
    every = [ag.mutual_information(np.array(order), labels) for order in permutations(answers)]
    assert ag.expected_information(np.array(answers), labels) == pytest.approx(np.mean(every), abs=1e-9)


def test_label_inconsistency_is_the_mean_over_pairs_of_one_class() -> None:
    rng = np.random.default_rng(3)
    shares = rng.dirichlet(np.ones(5), 12)[:, :4]  # the fifth answer could not be read
    label = np.array([0, 1, 1, 0, 2, 1, 0, 3, 3, 1, 1, 0])

    def away(i: int, j: int) -> float:
        return float(0.5 * (np.abs(shares[i] - shares[j]).sum() + 2 - shares[i].sum() - shares[j].sum()))

    def over(kept: list[int]) -> float:
        return float(np.mean([away(i, j) for i, j in combinations(kept, 2) if label[i] == label[j]]))

    rate, error, count = ag.label_inconsistency(shares, label)
    kept = [i for i in range(12) if label[i] != 2]  # example 4 is alone in its class
    left = np.array([over([i for i in kept if i != out]) for out in kept])
    assert rate == pytest.approx(over(kept), abs=1e-12)
    assert count == 11
    assert error == pytest.approx(np.sqrt(10 / 11 * np.sum((left - left.mean()) ** 2)), abs=1e-12)


@pytest.mark.parametrize(
    ("shares", "label", "rate", "count"),
    [
        ([[1, 0], [1, 0], [0, 1]], [0, 0, 1], 0.0, 2),
        ([[1, 0], [0, 1]], [0, 0], 1.0, 2),
        ([[0, 0], [0, 0]], [0, 0], 1.0, 2),
        ([[1, 0], [0, 1]], [0, 1], float("nan"), 0),
    ],
    ids=["same", "opposite", "unread", "alone"],
)
def test_label_inconsistency_at_its_ends(shares: list[list[float]], label: list[int], rate: float, count: int) -> None:
    found = ag.label_inconsistency(np.array(shares, dtype=float), np.array(label))
    assert found == pytest.approx((rate, float("nan"), count), nan_ok=True)


def test_pooled_flips_have_the_error_of_a_ratio() -> None:
    examples = [ag.Agreeing(1, 3), ag.Agreeing(1, 1), ag.Agreeing(0, 0), ag.Agreeing(2, 6)]
    rate, error = ag.pooled_flip_rate(examples)
    assert rate == pytest.approx(0.6)
    assert error == pytest.approx(np.sqrt(1.5 * (0.2**2 + 0.6**2 + 0.4**2)) / 10)


@pytest.mark.parametrize("examples", [[], [ag.Agreeing(0, 0)]], ids=["none", "no pair"])
def test_pooled_flips_without_a_pair_are_not_zero(examples: list[ag.Agreeing]) -> None:
    assert np.isnan(ag.pooled_flip_rate(examples)).all()


# -- answers that could not be read, reruns -----------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", sorted(PLAIN))
@pytest.mark.parametrize("order", [(-1, -1, 0), (0, -1, -1), (-1, -1, -1)])
def test_an_answer_that_could_not_be_read_never_counts_as_agreement(measure: str, order: tuple[int, ...]) -> None:
    """Defect 8 of METRICS 14: a question on which no run could be read counted as total agreement."""
    found = PLAIN[measure](np.array(order), np.arange(3))
    each_its_own = PLAIN[measure](np.arange(3), np.arange(3))
    assert found == pytest.approx(each_its_own)
    assert found > 0.6


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("flip_rate", 2 / 3), ("flip_from_canonical", 0.75), ("total_disagreement", 1), ("majority_disagreement", 0.5)],
)
def test_wordings_weigh_the_same_however_often_they_were_asked(measure: str, expected: float) -> None:
    """Wording 0 says A four times, wording 1 A and B, wording 2 B; pairs differ by .5, 1, .5; shares A .5, B .5."""
    answers, wording = np.array([0, 0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 0, 1, 1, 2])
    assert PLAIN[measure](answers, wording) == pytest.approx(expected)


def test_classes_that_no_option_offers_raise_the_number_of_classes() -> None:
    assert ag.sensitivity(np.array([0, 1, 2]), np.arange(3), 2) == pytest.approx(1)
    assert ag.sensitivity(np.array([0, 0, 0]), np.arange(3), 2) == 0
    assert np.isnan(ag.sensitivity(np.array([0, 0, 0]), np.arange(3), 1))


def test_no_canonical_wording_no_flips_from_it() -> None:
    assert np.isnan(ag.flip_from_canonical(np.array([0, 0]), np.array([1, 2])))


def test_scores_are_averaged_over_reruns() -> None:
    assert ag.correctness_spread(np.array([1.0, 0.0, 1.0]), np.array([0, 0, 1])) == pytest.approx(0.5)
    assert np.isnan(ag.correctness_spread(np.array([1.0, 0.0]), np.array([0, 0])))
