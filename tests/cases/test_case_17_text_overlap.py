"""Case 17: text overlap on other scripts, on empty and on identical texts; the pairs stand in ``data/17-overlap-pairs.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sago.arrays.overlap import chrf, chrf_distance, jaccard, rouge_l, rouge_l_distance, unigram_f1

LINES = (Path(__file__).parent / "data" / "17-overlap-pairs.jsonl").read_text(encoding="utf-8").splitlines()
PAIRS: dict[str, tuple[str, str]] = {row["id"]: (row["a"], row["b"]) for row in map(json.loads, LINES)}
IDENTICAL = ("o1", "o2", "o4", "o6", "o8", "o10", "o11", "o13")
NOTHING_SHARED = ("o7", "o9", "o12")
F1 = {"o3": 5 / 6, "o5": 2 / 3, "o14": 0.4}
MEASURES: dict[str, Callable[[str, str], float]] = {"unigram_f1": unigram_f1, "jaccard": jaccard, "rouge_l": rouge_l, "chrf": chrf}


def test_every_pair_has_its_value() -> None:
    assert sorted(PAIRS) == sorted([*IDENTICAL, *NOTHING_SHARED, *F1])


@pytest.mark.parametrize("measure", sorted(MEASURES))
@pytest.mark.parametrize("name", IDENTICAL)
def test_identical_texts_are_exactly_one(name: str, measure: str) -> None:
    assert MEASURES[measure](*PAIRS[name]) == 1.0


@pytest.mark.parametrize("measure", sorted(MEASURES))
@pytest.mark.parametrize("name", NOTHING_SHARED)
def test_texts_that_share_nothing_are_exactly_zero(name: str, measure: str) -> None:
    # A full stop is no word, but it is a character: chrF, like sacrebleu's, sees the one that both texts end in (P = 1, R = 1 / 5).
    expected = 1 / 3 if (name, measure) == ("o9", "chrf") else 0.0
    assert MEASURES[measure](*PAIRS[name]) == pytest.approx(expected, abs=1e-12 if expected else 0)


@pytest.mark.parametrize("name", sorted(F1))
def test_one_token_a_word_and_a_character_where_a_script_has_no_spaces(name: str) -> None:
    assert unigram_f1(*PAIRS[name]) == pytest.approx(F1[name], abs=1e-12)


@pytest.mark.parametrize("measure", sorted(MEASURES))
@pytest.mark.parametrize("name", sorted(PAIRS))
def test_symmetric_and_never_nan(name: str, measure: str) -> None:
    one, other = PAIRS[name]
    found = MEASURES[measure](one, other)
    assert 0 <= found <= 1
    assert MEASURES[measure](other, one) == found


@pytest.mark.parametrize("distance", [rouge_l_distance, chrf_distance], ids=["rouge_l", "chrf"])
def test_the_distances_of_all_pairs_at_once(distance: object) -> None:
    assert isinstance(distance, type(rouge_l_distance))
    texts = np.array([text for name in PAIRS for text in PAIRS[name]], dtype=object)
    found = distance.between(distance.prepare(texts), np.arange(0, texts.size, 2), np.arange(1, texts.size, 2))
    of_pair = dict(zip(PAIRS, found.tolist(), strict=True))
    assert all(of_pair[name] == 0.0 for name in IDENTICAL)
    assert [of_pair[name] for name in ("o7", "o12")] == [1.0, 1.0]
