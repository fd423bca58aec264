"""Scores over halves of the wordings, against the index of the half alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sago.arrays import Rows, parts_of
from sago.arrays.halving import Splits, halves_of, inside_of, means_over, ways_to_halve
from sago.arrays.uptake import gains_of_wordings, uptake

RNG = np.random.default_rng


def ways(count: int) -> Splits:
    return lambda wordings: ways_to_halve(wordings, RNG(0), count)


@pytest.mark.parametrize(("wordings", "count"), [(2, 1), (4, 3), (5, 10), (6, 10), (7, 35), (8, 35), (9, 50), (10, 50), (33, 50)])
def test_ways_are_balanced_and_all_of_them_where_there_are_few(wordings: int, count: int) -> None:
    found = ways_to_halve(wordings, RNG(1))
    assert found.shape == (count, wordings)
    assert set(found.sum(axis=1).tolist()) == {wordings // 2}
    if count < 50:
        assert len({tuple(sorted([tuple(row), tuple(~row)])) for row in found}) == count


def drawn(distance: str, reruns: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """Returns values, examples, places and numbers of wordings of examples with four to six wordings, some of them missing."""
    example, place, wordings = [], [], []
    for number, asked in enumerate((4, 5, 6, 6, 3, 4)):
        for wording in range(asked):
            if (number, wording) != (3, 2):
                count = reruns if (number, wording) != (1, 0) else 1
                example += [number] * count
                place += [wording] * count
                wordings += [asked] * count
    size = len(example)
    values = {
        "nominal": rng.integers(0, 3, size),
        "absolute": rng.random(size),
        "cosine": rng.normal(size=(size, 5)),
        "squared_euclidean": rng.normal(size=(size, 3)),
        "rouge_l": np.array([" ".join(rng.choice(list("abcd"), 4)) for _ in range(size)], dtype=object),
    }[distance]
    return values, np.array(example), np.array(place), np.array(wordings)


@pytest.mark.parametrize("reruns", [1, 3])
@pytest.mark.parametrize("distance", ["nominal", "absolute", "cosine", "squared_euclidean", "rouge_l"])
def test_a_half_has_the_score_of_its_wordings_alone(distance: str, reruns: int) -> None:
    values, example, place, wordings = drawn(distance, reruns, RNG(2))
    order = RNG(3).permutation(example.size)
    rows = Rows(values[order], example[order], place[order])
    inside = inside_of(rows, distance, wordings[order])
    noise = 0.0 if reruns == 1 else float(np.nanmean(inside.reruns))
    found = halves_of(inside, ways(50))
    assert sorted(label for block in found for label in block.examples.tolist()) == [0, 1, 2, 3, 5]
    for block in found:
        asked = int(wordings[example == block.examples[0]][0])
        for row, label in enumerate(block.examples.tolist()):
            for split, way in enumerate(ways(50)(asked)):
                for half, score in ((way, block.first[row, split]), (~way, block.second[row, split])):
                    chosen = np.flatnonzero(example == label)
                    chosen = chosen[half[place[chosen]]]
                    parts = parts_of(Rows(values[chosen], example[chosen], place[chosen]), distance)
                    if not parts.across.size:
                        assert np.isnan(score)
                        continue
                    rerun = noise if np.isnan(parts.rerun[0]) else parts.rerun[0]
                    assert score == pytest.approx(parts.across[0] - rerun, abs=1e-9)


def test_means_over_leave_missing_numbers_out() -> None:
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 2.0]])
    chosen = np.array([[True, True, False], [True, False, True]])
    assert means_over(values, chosen) == pytest.approx(np.array([[1.0, 2.0], [np.nan, 2.0]]), nan_ok=True)
    assert means_over(values, chosen, np.array([[3.0, 1.0, 1.0], [1.0, 1.0, 1.0]]))[0, 1] == pytest.approx(1.5)


def test_uptake_is_the_weighted_mean_of_the_gains_of_wordings() -> None:
    counts, sizes = RNG(4).random((4, 4)), np.array([2.0, 0.0, 3.0, 1.0])
    counts[1] = 0.0
    gains, weights = gains_of_wordings(counts, sizes)
    assert np.isnan(gains[1])
    assert np.nansum(gains * weights) / weights.sum() == pytest.approx(uptake(counts, sizes).gain)
