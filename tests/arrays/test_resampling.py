"""The rerun-floor test: exact where it can be, right under its null, quick enough."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from tests.arrays.naive import DEFINITIONS, GOLDEN, means_of
from tests.arrays.test_distances import drawn

from sago.arrays import Rows, permutation_p, relabelings, rerun_floor_test, resampling


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("copies", "expected"), [(1, "p"), (4, "p_of_four")])
def test_golden_e37_every_relabelling(copies: int, expected: str) -> None:
    case = GOLDEN["E37"]
    rows = Rows(np.array(case["answers"] * copies), np.repeat(np.arange(copies), 4), np.array(case["variant"] * copies))
    assert permutation_p(rows, "nominal", rng()) == pytest.approx(case[expected], abs=1e-6)


@pytest.mark.parametrize("distance", ["nominal", "absolute", "cosine", "squared_euclidean"])
@pytest.mark.parametrize("variant", [[0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2]], ids=["balanced", "unbalanced"])
def test_enumeration_equals_the_definition(distance: str, variant: list[int]) -> None:
    values, labels = drawn(distance, 6, rng(3)), np.array(variant)
    zeros = np.zeros(6)

    def gap(order: tuple[int, ...]) -> float:
        means = means_of(values[list(order)], zeros, labels, DEFINITIONS[distance])
        return float(means.across[0] - means.rerun[0])

    every = np.array([gap(order) for order in permutations(range(6))])
    expected = np.mean(every >= gap(tuple(range(6))) - 1e-9)
    assert permutation_p(Rows(values, zeros, labels), distance, rng()) == pytest.approx(expected)


def test_drawn_and_enumerated_agree() -> None:
    answers = np.array([0, 0, 1, 0, 1, 1, 2, 2, 0, 2])
    example, variant = np.repeat([0, 1], [6, 4]), np.array([0, 0, 1, 1, 2, 2, 0, 0, 1, 1])
    exact = permutation_p(Rows(answers, example, variant), "nominal", rng())
    # Examples with nothing to permute by, and examples all alike, change nothing but the way to the number.
    many = np.repeat(np.arange(10, 16), 8)
    rows = Rows(
        np.r_[answers, np.tile([0, 0, 0, 0, 1, 1, 1, 1], 6)], np.r_[example, many], np.r_[variant, np.tile([0, 0, 1, 1, 0, 0, 1, 1], 6)]
    )
    assert 0 < exact <= 1
    assert 0 < permutation_p(rows, "nominal", rng()) <= 1


@pytest.mark.parametrize(
    ("example", "variant"), [([0, 0, 0], [0, 1, 2]), ([0, 0], [0, 0]), ([], [])], ids=["asked once", "one variant", "no rows"]
)
def test_without_reruns_of_wordings_there_is_no_test(example: list[int], variant: list[int]) -> None:
    rows = Rows(np.arange(len(example)), np.array(example), np.array(variant))
    assert np.isnan(permutation_p(rows, "nominal", rng()))


def test_all_alike_proves_nothing() -> None:
    rows = Rows(np.zeros(80, dtype=int), np.repeat(np.arange(10), 8), np.tile(np.repeat(np.arange(4), 2), 10))
    assert permutation_p(rows, "nominal", rng()) == 1


def test_planted_difference_is_found_and_order_does_not_matter() -> None:
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((30, 4, 3)))
    answers = np.where(rng(1).random(360) < 0.3, rng(2).integers(0, 5, 360), (example + variant) % 5)
    found = permutation_p(Rows(answers, example, variant), "nominal", rng())
    assert found == 1 / 1000
    order = rng(4).permutation(360)
    assert permutation_p(Rows(answers[order], example[order], variant[order]), "nominal", rng()) == found


@pytest.mark.parametrize("distance", ["nominal", "absolute"])
def test_p_is_uniform_where_wordings_do_not_matter(distance: str) -> None:
    source = rng(9)
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((12, 3, 2)))
    found = []
    for _ in range(150):
        skewed = source.exponential(size=72) ** 2
        values = skewed if distance == "absolute" else np.floor(skewed).astype(int) + 100 * example
        found.append(permutation_p(Rows(values, example, variant), distance, source, draws=99))
    assert np.mean(np.array(found) <= 0.05) <= 0.10
    assert stats.kstest(np.array(found) - 0.005, "uniform").pvalue > 0.001


@pytest.mark.parametrize("distance", ["nominal", "absolute"])
@pytest.mark.parametrize("variant", [[0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2], [0, 0, 0, 1]], ids=["balanced", "unbalanced", "two variants"])
def test_each_example_has_its_own_exact_p(distance: str, variant: list[int]) -> None:
    size, labels = len(variant), np.array(variant)
    values = np.concatenate([drawn(distance, size, rng(seed)) for seed in range(4)])
    example = np.repeat(np.arange(4), size)
    found = rerun_floor_test(Rows(values, example, np.tile(labels, 4)), distance, rng())
    alone = [permutation_p(Rows(values[example == one], np.zeros(size), labels), distance, rng()) for one in range(4)]
    assert found.examples.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(found.each, alone, rtol=0, atol=1e-12)


def test_examples_without_reruns_have_no_p_and_constant_ones_prove_nothing() -> None:
    example = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 3])
    variant = np.array([0, 1, 2, 0, 0, 1, 1, 0, 1, 0])
    found = rerun_floor_test(Rows(np.zeros(10, dtype=int), example, variant), "nominal", rng())
    assert found.examples.tolist() == [0, 1, 2]
    assert [np.isnan(found.each[0]), found.each[1], np.isnan(found.each[2]), found.p] == [True, 1, True, 1]


def test_answers_that_could_not_be_read_differ_from_each_other() -> None:
    labels, zeros = np.array([0, 0, 1, 1]), np.zeros(4)
    unread = rerun_floor_test(Rows(np.array([-1, -1, 5, 5]), zeros, labels), "nominal", rng())
    distinct = rerun_floor_test(Rows(np.array([1, 2, 5, 5]), zeros, labels), "nominal", rng())
    assert unread.each[0] == distinct.each[0] == 1 / 3


@pytest.mark.parametrize(("variants", "reruns"), [(7, 3), (3, 40), (300, 2)])
def test_many_variants_and_reruns_are_counted_right(variants: int, reruns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums that do not fit in one byte: by answers as by the distances of numbers that are the answers."""
    monkeypatch.setattr(resampling, "POOL", 40)
    labels = np.repeat(np.arange(variants), reruns)
    answers = rng(1).integers(0, 2, (3, labels.size))
    rows = Rows(answers.reshape(-1), np.repeat(np.arange(3), labels.size), np.tile(labels, 3))
    by_answers, by_numbers = (rerun_floor_test(rows, name, rng(2), draws=19) for name in ("nominal", "absolute"))
    assert by_answers.p == by_numbers.p
    assert by_answers.each.tolist() == by_numbers.each.tolist()


@pytest.mark.parametrize("reruns", [(2, 2), (2, 2, 2), (3, 1), (2, 1, 1), (3, 3), (3, 2, 1)])
def test_every_relabelling_is_there_once(reruns: tuple[int, ...]) -> None:
    found = resampling._every(reruns)
    dealt = {frozenset(frozenset(part.tolist()) for part in np.split(row, np.cumsum(reruns)[:-1])) for row in found}
    assert len(dealt) == found.shape[0] == relabelings(reruns)
    assert found[0].tolist() == list(range(sum(reruns)))


@pytest.mark.parametrize("pool", [20, 2000])
def test_p_is_exact_however_few_relabelings_are_drawn(pool: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The observed labelling is a random member of the pool: the size holds for any pool, for the cell and for each example."""
    monkeypatch.setattr(resampling, "POOL", pool)
    source = rng(12)
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((30, 4, 3)))
    cells, alone = [], []
    for _ in range(150):
        answers = np.where(source.random(360) < 0.6, example, source.integers(0, 60, 360))
        found = rerun_floor_test(Rows(answers, example, variant), "nominal", source, draws=39)
        cells.append(found.p)
        alone.append(np.mean(found.each <= 0.05))
    assert np.mean(np.array(cells) <= 0.05) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 150)
    assert stats.kstest(np.array(cells) - 0.0125, "uniform").pvalue > 0.001
    assert np.mean(alone) <= 0.05
