"""How much of the wording two texts share: ROUGE-L, chrF, F1 of single words, in any script (METRICS 3, ``surface``).

All are similarities in [0, 1], symmetric, never NaN, and exactly 1 for texts that are the same after NFC, with white space at the ends
left out; so two empty texts are 1, and an empty text beside any other is 0. The two distances are 1 - similarity, as pairs of functions
``prepare`` (all texts once) and ``between`` (rows against rows) for the core index; null is a text that could not be read: at distance 1
from everything, another null included.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import LCSseq
from scipy import sparse

from sago.arrays.grouping import Floats, Integers, Values
from sago.arrays.tokens import tokens

CHARACTER_ORDERS = 6
"""Longest character n-gram of chrF."""

_CHUNK_GRAMS = 5_000_000
_SURROGATES = 0xD800
_NO_TEXT = -1


class Prepared(NamedTuple):
    """One text, ready to be compared with others that were prepared with it.

    Attributes:
        code: Equal for equal texts; -1 = could not be read.
        content: What the measure compares.
        size: Its length.
    """

    code: int
    content: Any
    size: int


def comparable(text: str) -> str:
    """Returns the form in which two texts are the same: NFC, no white space at the ends."""
    return unicodedata.normalize("NFC", text).strip()


def terms(text: str) -> tuple[str, ...]:
    """Returns the words of a text; of one without words its visible characters, so that ``.`` and emoji can be compared.

    >>> terms("The cat sat."), terms("?!")
    (('the', 'cat', 'sat'), ('?', '!'))
    """
    return tokens(text) or tuple("".join(comparable(text).split()))


def unigram_f1(one: str, other: str) -> float:
    """Returns the F1 of the single words of two texts, counted with repetition: ROUGE-1.

    2 * shared / (words + words of the other). Range [0, 1]; 1 = the same words, whatever their order. Equals F1 of rouge-score on plain
    English words; of no script are words dropped. Lin 2004; as answer F1, Rajpurkar et al., arXiv 1606.05250.

    >>> unigram_f1("yes", "yes yes yes yes")
    0.4
    """
    if comparable(one) == comparable(other):
        return 1.0
    mine, theirs = terms(one), terms(other)
    if not mine or not theirs:
        return 0.0
    return 2 * (Counter(mine) & Counter(theirs)).total() / (len(mine) + len(theirs))


def jaccard(one: str, other: str) -> float:
    """Returns the share of the distinct words of two texts that both have: |A and B| / |A or B|.

    Range [0, 1]; 1 = the same set of words.
    """
    if comparable(one) == comparable(other):
        return 1.0
    mine, theirs = set(terms(one)), set(terms(other))
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


def rouge_l(one: str, other: str) -> float:
    """Returns the F1 of the longest common subsequence of the words of two texts.

    2 * LCS / (words + words of the other), P = LCS / words, R = LCS / words of the other. Range [0, 1]; 1 = the same words in the same
    order. Lin 2004.

    >>> rouge_l("a b c d", "a b c e")
    0.75
    """
    if comparable(one) == comparable(other):
        return 1.0
    mine, theirs = terms(one), terms(other)
    return 2 * LCSseq.similarity(mine, theirs) / (len(mine) + len(theirs)) if mine and theirs else 0.0


def chrf(one: str, other: str) -> float:
    """Returns the F1 of the character n-grams of two texts, n = 1 to 6: chrF with beta 1, which is symmetric.

    2 P R / (P + R), P and R the means over n of shared n-grams / n-grams of one text and of the other, over those n for which both texts
    are long enough; counted with repetition, white space left out, case kept. Range [0, 1]; 1 = the same characters. A punctuation mark is
    a character: ``.`` and ``a cat.`` share one. Equals ``sacrebleu.sentence_chrf(beta=1) / 100``. Popovic 2015.
    """
    pair = chrf_distance.prepare(np.array([one, other], dtype=object))
    return float(1 - chrf_distance.between(pair, np.array([0]), np.array([1]))[0])


def word_similarities(texts: Sequence[str | None]) -> Floats:
    """Returns the Jaccard similarities of all texts (texts, texts); null, a text that could not be read, is like itself alone."""
    given = [None if text is None else comparable(text) for text in texts]
    words = {text: frozenset(terms(text)) for text in given if text is not None}
    result: Floats = np.eye(len(given))
    for row, one in enumerate(given):
        for column, other in enumerate(given[:row]):
            if one is not None and other is not None:
                shared = len(words[one] & words[other])
                either = len(words[one]) + len(words[other]) - shared
                result[row, column] = result[column, row] = 1.0 if one == other else shared / max(either, 1)
    return result


def lexical_distance(texts: Sequence[str | None], wording: Integers) -> float:
    """Returns the mean distance of wording between the replies to two wordings: 1 - LexicalSimilarity.

    1 - mean over v < w of the mean over their reruns of ROUGE-L. Range [0, 1]; 0 = the same words in the same order. LM-Polygraph returns
    the negative of the similarity. NaN below two wordings. Null is a text that could not be read: 1 from everything.
    """
    first, second = np.triu_indices(len(texts), 1)
    across = wording[first] != wording[second]
    if not across.any():
        return float("nan")
    first, second = first[across], second[across]
    weight = 1.0 / np.bincount(wording)[wording]
    given = np.empty(len(texts), dtype=object)
    given[:] = texts
    distances = rouge_l_distance.between(rouge_l_distance.prepare(given), first, second)
    return float(np.average(distances, weights=weight[first] * weight[second]))


class TextDistance(NamedTuple):
    """A distance of texts for the core index.

    Attributes:
        prepare: Texts (null = could not be read) -> object array, to be sliced as wanted.
        between: (prepared, left rows, right rows) -> distance of each pair, in [0, 1].
    """

    prepare: Callable[[Values], Values]
    between: Callable[[Values, Integers, Integers], Floats]


def _prepared(texts: Values, contents: Callable[[Sequence[str]], Sequence[tuple[Any, int]]]) -> Values:
    """Returns texts ready to be compared; each distinct text is looked at once."""
    given = [None if text is None else comparable(text) for text in texts.tolist()]
    distinct = list(dict.fromkeys(text for text in given if text is not None))
    made = {text: Prepared(code, *found) for code, (text, found) in enumerate(zip(distinct, contents(distinct), strict=True))}
    rows = np.empty(len(given), dtype=object)
    for place, text in enumerate(given):
        rows[place] = Prepared(_NO_TEXT, "", 0) if text is None else made[text]
    return rows


def _between(values: Values, left: Integers, right: Integers, similar: Callable[[list[Prepared], Integers, Integers], Floats]) -> Floats:
    """Returns 1 - similarity of pairs; equal texts are 0 without being compared, and a pair that comes again is compared once."""
    code = np.fromiter((one.code for one in values), np.int64, len(values))
    mine, theirs = code[left], code[right]
    result: Floats = np.ones(mine.size)
    result[(mine == theirs) & (mine != _NO_TEXT)] = 0.0
    open_pairs = np.flatnonzero((mine != theirs) & (mine != _NO_TEXT) & (theirs != _NO_TEXT))
    if not open_pairs.size:
        return result
    first_row = {number: row for row, number in reversed(list(enumerate(code.tolist())))}
    names, place = np.unique(np.c_[mine, theirs][open_pairs], return_inverse=True)
    low, high = np.sort(place.reshape(-1, 2), axis=1).T
    pairs, again = np.unique(low * names.size + high, return_inverse=True)
    texts = [values[first_row[number]] for number in names.tolist()]
    result[open_pairs] = 1 - similar(texts, *np.divmod(pairs, names.size))[again.reshape(-1)]
    return result


def _term_contents(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Returns each text as a string with one character a word, for comparing strings is fast."""
    alphabet: dict[str, str] = {}
    found = []
    for text in texts:
        words = terms(text)
        found.append(("".join(alphabet.setdefault(word, _letter(len(alphabet))) for word in words), len(words)))
    return found


def _letter(number: int) -> str:
    return chr(number + 1 if number + 1 < _SURROGATES else number + 1 + 0x800)


def _rouge_similar(texts: list[Prepared], left: Integers, right: Integers) -> Floats:
    spelled, sizes = [text.content for text in texts], np.array([text.size for text in texts])
    common = process.cpdist([spelled[row] for row in left], [spelled[row] for row in right], scorer=LCSseq.similarity)
    result: Floats = 2 * common.astype(np.float64) / np.maximum(sizes[left] + sizes[right], 1)
    return result


def _gram_contents(texts: Sequence[str]) -> list[tuple[Any, int]]:
    """Returns for each text its n-grams as (numbers, counts, orders), and how many different ones they are."""
    numbers: dict[str, int] = {}
    found: list[tuple[Any, int]] = []
    for text in texts:
        packed = "".join(text.split())
        grams = Counter(
            packed[begin : begin + order] for order in range(1, CHARACTER_ORDERS + 1) for begin in range(len(packed) - order + 1)
        )
        number = np.fromiter((numbers.setdefault(gram, len(numbers)) for gram in grams), np.int64, len(grams))
        count = np.fromiter(grams.values(), np.float64, len(grams))
        found.append(((number, count, np.fromiter(map(len, grams), np.int64, len(grams)) - 1, len(packed)), len(grams)))
    return found


def _chrf_similar(texts: list[Prepared], left: Integers, right: Integers) -> Floats:
    sizes = np.array([text.size for text in texts])
    number = np.concatenate([text.content[0] for text in texts])
    kinds, column = np.unique(number, return_inverse=True)
    order = np.zeros(kinds.size, dtype=np.int64)
    order[column] = np.concatenate([text.content[2] for text in texts])
    counts = np.concatenate([text.content[1] for text in texts])
    table = sparse.csr_matrix((counts, column, np.r_[0, np.cumsum(sizes)]), shape=(len(texts), kinds.size))
    table.sort_indices()  # unsorted rows would make every difference below several times slower
    lengths = np.array([text.content[3] for text in texts])
    totals = np.maximum(lengths[:, None] - np.arange(CHARACTER_ORDERS), 0).astype(np.float64)
    result: Floats = np.empty(left.size)
    step = max(1, int(_CHUNK_GRAMS / (2 * sizes.mean() + 1)))
    for begin in range(0, left.size, step):
        mine, theirs = left[begin : begin + step], right[begin : begin + step]
        result[begin : begin + step] = _chrf_of(_shared(table, order, totals, mine, theirs), totals[mine], totals[theirs])
    return result


def _shared(table: Any, order: Integers, totals: Floats, left: Integers, right: Integers) -> Floats:
    """Returns how many n-grams each pair shares (pairs, orders): min(a, b) = (a + b - |a - b|) / 2, summed."""
    apart = abs(table[left] - table[right]).tocsr()
    row = np.repeat(np.arange(left.size), np.diff(apart.indptr))
    summed = np.bincount(row * CHARACTER_ORDERS + order[apart.indices], apart.data, minlength=left.size * CHARACTER_ORDERS)
    result: Floats = (totals[left] + totals[right] - summed.reshape(-1, CHARACTER_ORDERS)) / 2
    return result


def _chrf_of(shared: Floats, mine: Floats, theirs: Floats) -> Floats:
    both = (mine > 0) & (theirs > 0)
    orders = np.maximum(both.sum(axis=1), 1)
    precision = np.divide(shared, mine, out=np.zeros_like(shared), where=both).sum(axis=1) / orders
    recall = np.divide(shared, theirs, out=np.zeros_like(shared), where=both).sum(axis=1) / orders
    result: Floats = np.divide(2 * precision * recall, precision + recall, out=np.zeros(orders.size), where=precision + recall > 0)
    return result


rouge_l_distance = TextDistance(
    lambda texts: _prepared(texts, _term_contents),
    lambda values, left, right: _between(values, left, right, _rouge_similar),
)
"""1 - :func:`rouge_l`."""

chrf_distance = TextDistance(
    lambda texts: _prepared(texts, _gram_contents),
    lambda values, left, right: _between(values, left, right, _chrf_similar),
)
"""1 - :func:`chrf`."""
