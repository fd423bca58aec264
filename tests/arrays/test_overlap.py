"""Text overlap: worked examples, rouge-score and sacrebleu, texts of any kind, the distances of the core index."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from tests.arrays.test_agreement import GOLDEN, near

from sago.arrays import overlap
from sago.arrays.overlap import TextDistance, chrf, chrf_distance, jaccard, rouge_l, rouge_l_distance, unigram_f1

MEASURES: dict[str, Callable[[str, str], float]] = {"unigram_f1": unigram_f1, "jaccard": jaccard, "rouge_l": rouge_l, "chrf": chrf}
DISTANCES: dict[str, tuple[TextDistance, Callable[[str, str], float]]] = {
    "rouge_l": (rouge_l_distance, rouge_l),
    "chrf": (chrf_distance, chrf),
}
SOME = [
    "",
    " ",
    ".",
    "yes",
    "yes yes yes yes",
    "😀",
    "😢",
    "今天天气很好",
    "今天天气不好",
    "The cat sat.",
    "the cat",
    "café",
    "a b c d e f g h",
]
TEXTS = st.text(alphabet=st.sampled_from("ab cé今天😀.\u0301ไก"), max_size=12)


def drawn(seed: int, letters: str = "abcdefgh", most: int = 25) -> str:
    rng = np.random.default_rng(seed)
    return " ".join("".join(rng.choice(list(letters), rng.integers(1, 4))) for _ in range(rng.integers(1, most)))


def test_golden_e07_texts() -> None:
    case = GOLDEN["E07"]
    texts = np.array(case["texts"], dtype=object)
    first, second = np.triu_indices(3, 1)
    assert [rouge_l(texts[one], texts[two]) for one, two in zip(first, second, strict=True)] == near(case["rouge_l"])
    distances = rouge_l_distance.between(rouge_l_distance.prepare(texts), first, second)
    assert distances.mean() == near(case["distance"])


def test_golden_e07_readme() -> None:
    case = GOLDEN["E07-readme"]
    assert unigram_f1(*case["texts"]) == near(case["unigram_f1"])
    assert rouge_l(*case["texts"]) == near(case["rouge_l"])


def test_golden_e52_the_oracle_gives_what_its_readme_says() -> None:
    case = GOLDEN["E52"]
    assert sacrebleu.corpus_bleu(case["replies"], case["references"]).score == near(case["bleu"])


@pytest.mark.parametrize("seed", range(20))
def test_words_against_rouge_score(seed: int) -> None:
    one, other = drawn(seed), drawn(seed + 1000)
    found = rouge_scorer.RougeScorer(["rouge1", "rougeL"]).score(one, other)
    assert unigram_f1(one, other) == pytest.approx(found["rouge1"].fmeasure, abs=1e-9)
    assert rouge_l(one, other) == pytest.approx(found["rougeL"].fmeasure, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_characters_against_sacrebleu(seed: int) -> None:
    one, other = drawn(seed, "abcde今天éß", 9), drawn(seed + 1000, "abcde今天éß", 9 if seed % 2 else 2)
    assert chrf(one, other) == pytest.approx(sacrebleu.sentence_chrf(one, [other], beta=1).score / 100, abs=1e-9)


@pytest.mark.parametrize("name", sorted(MEASURES))
@given(one=TEXTS, other=TEXTS)
@settings(deadline=None, max_examples=50, derandomize=True)
def test_whatever_the_texts(name: str, one: str, other: str) -> None:
    found = MEASURES[name](one, other)
    assert 0 <= found <= 1
    assert MEASURES[name](other, one) == found
    assert MEASURES[name](one, one) == 1.0
    assert MEASURES[name](unicodedata.normalize("NFD", one), f" {one}\n") == 1.0


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_the_distances_are_one_less_the_similarity(name: str) -> None:
    distance, similarity = DISTANCES[name]
    left, right = (part.reshape(-1) for part in np.indices((len(SOME), len(SOME))))
    found = distance.between(distance.prepare(np.array(SOME, dtype=object)), left, right)
    assert found.dtype == np.float64
    assert found == pytest.approx([1 - similarity(SOME[one], SOME[two]) for one, two in zip(left, right, strict=True)], abs=1e-12)


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_slices_of_prepared_texts_keep_their_distances(name: str) -> None:
    distance = DISTANCES[name][0]
    prepared = distance.prepare(np.array(SOME, dtype=object))
    kept = np.array([9, 3, 10, 7])
    whole = distance.between(prepared, kept, kept[::-1].copy())
    assert distance.between(prepared[kept], np.arange(4), np.arange(4)[::-1].copy()).tolist() == whole.tolist()


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_a_text_that_could_not_be_read_is_far_from_everything(name: str) -> None:
    distance = DISTANCES[name][0]
    prepared = distance.prepare(np.array([None, None, "a", ""], dtype=object))
    assert distance.between(prepared, np.array([0, 0, 0, 0, 3, 2]), np.array([0, 1, 2, 3, 3, 2])).tolist() == [1, 1, 1, 1, 0, 0]
    assert distance.between(prepared, np.empty(0, np.int64), np.empty(0, np.int64)).tolist() == []


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_equal_pairs_are_compared_once_and_equal_texts_never(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    inner = {"rouge_l": "_rouge_similar", "chrf": "_chrf_similar"}[name]
    original = getattr(overlap, inner)

    def listening(texts: list[overlap.Prepared], left: np.ndarray, right: np.ndarray) -> np.ndarray:
        asked.append(left.size)
        found: np.ndarray = original(texts, left, right)
        return found

    monkeypatch.setattr(overlap, inner, listening)
    distance = DISTANCES[name][0]
    prepared = distance.prepare(np.array(["a b", "a c", "a b ", "a b"], dtype=object))
    assert distance.between(prepared, np.array([0, 0, 2]), np.array([2, 3, 3])).tolist() == [0, 0, 0]
    assert asked == []
    distance.between(prepared, np.array([0, 1, 2, 1]), np.array([1, 0, 1, 3]))
    assert asked == [1]


def test_many_words_are_told_apart() -> None:
    numbers = [f"w{number}" for number in range(0xD800 - 5, 0xD800 + 5)]
    filler = " ".join(f"w{number}" for number in range(0xD800 - 5))
    prepared = rouge_l_distance.prepare(np.array([filler, *numbers], dtype=object))
    assert rouge_l_distance.between(prepared, np.arange(10), np.arange(1, 11)).tolist() == [1.0] * 10
    assert all(not 0xD800 <= ord(one.content) < 0xE000 for one in prepared[1:])
