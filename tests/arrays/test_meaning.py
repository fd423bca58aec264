"""Clusters of meaning and graphs of similarity: worked examples, definitions, order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.arrays.test_agreement import GOLDEN, near

from sago.arrays import meaning
from sago.arrays.agreement import flip_rate
from sago.arrays.overlap import jaccard


def graph(texts: list[str]) -> np.ndarray:
    return meaning.similarities([[jaccard(one, other) for other in texts] for one in texts])


# -- worked examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GOLDEN["clusters"]))
def test_golden_e03_cluster_sizes(name: str) -> None:
    case: dict[str, Any] = GOLDEN["clusters"][name]
    codes = np.repeat(np.arange(len(case["sizes"])), case["sizes"])
    assert meaning.meaning_entropy(codes, np.arange(codes.size)) == pytest.approx(case["entropy"], abs=case["tolerance"])
    if "confidence" in case:
        found = meaning.normalised_meaning_entropy(codes, np.arange(codes.size))
        assert found == pytest.approx(1 - case["confidence"], abs=case["tolerance"])


@pytest.mark.parametrize("name", sorted(GOLDEN["answers"]))
def test_golden_e01_e02_entropy(name: str) -> None:
    case = GOLDEN["answers"][name]
    codes, wording = np.array(case["answers"]), np.array(case["wording"])
    assert meaning.meaning_entropy(codes, wording) == near(case["entropy"])
    assert meaning.normalised_meaning_entropy(codes, wording) == near(case["normalised_entropy"])


@pytest.mark.parametrize("name", sorted(GOLDEN["graphs"]))
def test_golden_e08_graphs(name: str) -> None:
    case = GOLDEN["graphs"][name]
    found = graph(case["texts"])
    assert found[np.triu_indices(3, 1)] == near(case["similarity"])
    assert meaning.degree_spread(found) == near(case["degree"])
    assert meaning.count_of_meanings(found) == near(case["meanings"])
    assert meaning.meanings_spread(found) == near((case["meanings"] - 1) / 2)


# -- definitions -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_graphs_are_what_the_paper_writes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    similarity = meaning.similarities(rng.random((6, 6)).tolist())
    root = np.diag(similarity.sum(axis=1) ** -0.5)
    own = np.linalg.eigvalsh(np.eye(6) - root @ similarity @ root)
    assert meaning.count_of_meanings(similarity) == pytest.approx(np.maximum(0, 1 - own).sum(), abs=1e-9)
    assert meaning.degree_spread(similarity) == pytest.approx(1 - similarity.sum() / 36, abs=1e-12)


@pytest.mark.parametrize("sizes", [[5], [3, 2], [1, 1, 1], [4, 4, 1]])
def test_blocks_of_equal_replies_are_counted(sizes: list[int]) -> None:
    code = np.repeat(np.arange(len(sizes)), sizes)
    similarity = (code[:, None] == code).astype(float)
    assert meaning.count_of_meanings(similarity) == pytest.approx(len(sizes), abs=1e-9)
    assert meaning.degree_spread(similarity) == pytest.approx(1 - np.sum(np.square(sizes)) / code.size**2)
    assert (meaning.meanings_spread(similarity) == 0) == (len(sizes) == 1)


@pytest.mark.parametrize("seed", range(3))
def test_entropy_of_clusters_is_that_of_scipy(seed: int) -> None:
    codes = np.random.default_rng(seed).integers(0, 4, 12)
    assert meaning.meaning_entropy(codes, np.arange(12)) == pytest.approx(stats.entropy(np.bincount(codes)), abs=1e-9)


def test_the_bias_at_few_replies_that_the_flag_speaks_of() -> None:
    every = [meaning.meaning_entropy(np.array(codes), np.arange(4)) for codes in np.ndindex(3, 3, 3, 3)]
    taken = np.arange(1, 5)
    exact = 3 * np.sum(stats.binom.pmf(taken, 4, 1 / 3) * -(taken / 4) * np.log(taken / 4))
    assert np.mean(every) == pytest.approx(exact, abs=1e-12) == pytest.approx(0.782749, abs=1e-6)
    assert np.mean([flip_rate(np.array(codes), np.arange(4)) for codes in np.ndindex(3, 3, 3, 3)]) == pytest.approx(2 / 3)


@given(st.integers(0, 2**32 - 1), st.integers(2, 9))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_clusters_do_not_depend_on_the_order(seed: int, count: int) -> None:
    """Defect 5 of METRICS 14: in a public implementation later clusters overwrite earlier ones."""
    rng = np.random.default_rng(seed)
    same = rng.random((count, count)) < 0.5
    order = rng.permutation(count)
    found, turned = meaning.clusters(same), meaning.clusters(same[np.ix_(order, order)])
    assert ((found[order][:, None] == found[order]) == (turned[:, None] == turned)).all()
    mutual = same & same.T
    assert (found[np.nonzero(mutual)[0]] == found[np.nonzero(mutual)[1]]).all()


def test_one_direction_is_no_link_and_a_chain_is_one_cluster() -> None:
    assert meaning.clusters(np.array([[True, True], [False, True]])).tolist() == [0, 1]
    chain = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)
    assert meaning.clusters(chain).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("The answer is 12.", "The answer is 13.", True),
        ("32.5", "32", True),
        ("1,234 m", "It is 1234 metres.", False),
        ("3,5", "3.5", False),
        ("100 degrees at 1 bar", "100", False),
        ("in 1789", "Washington", False),
        ("version 1.2.3", "version 1.2.4", False),
        ("٤٢", "42", False),
        ("٤٢", "43", True),
    ],
)
def test_other_numbers(one: str, other: str, differ: bool) -> None:
    """Defect of uqlm's own test file: 32.5 and 32 fall into one cluster."""
    assert meaning.other_numbers(meaning.numbers_in(one), meaning.numbers_in(other)) is differ


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_replies_say_nothing(count: int) -> None:
    similarity, codes = np.ones((count, count)), np.zeros(count, dtype=np.int64)
    assert np.isnan(meaning.degree_spread(similarity))
    assert np.isnan(meaning.meanings_spread(similarity))
    assert np.isnan(meaning.meaning_entropy(codes, codes))
    assert np.isnan(meaning.normalised_meaning_entropy(codes, codes))


@pytest.mark.parametrize("count", range(2, 9))
def test_the_ends_of_the_scale_are_exact(count: int) -> None:
    """Rounding would make examples differ that are equally unstable, and an interval of width 1e-17 out of a bound."""
    codes, none, every = np.arange(count), np.ones((count, count)), np.eye(count)
    assert meaning.normalised_meaning_entropy(codes, codes) == 1.0
    assert meaning.normalised_meaning_entropy(0 * codes, codes) == 0.0
    assert (meaning.meanings_spread(none), meaning.meanings_spread(every)) == (0.0, 1.0)
