"""How many meanings the replies to one question have: clusters, their entropy, and graphs of similarity (METRICS 3).

Clusters are connected components of "means the same", so they do not depend on the order of the replies. A reply that could not be read
(code below 0) has a meaning of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from sago.arrays.agreement import class_shares, entropy, of_largest
from sago.arrays.grouping import Floats, Integers

SAME_COSINE = 0.85
"""Cosine of two sentence embeddings from which two replies count as one meaning.

With all-MiniLM-L6-v2: "Water boils at 100 degrees Celsius at sea level." and "At sea level, water's boiling point is 100 °C." have .91, two
wordings of one sentence .9 to .98; "The capital of France is Paris." and the same with Lyon .75, "Paris" and "It's Paris." .84. What an
encoder does not see is negation (safe / not safe: .92) and it is nearly blind to numbers (12 / 13: .88); for numbers see
:func:`other_numbers`, for negation use a model of entailment.
"""

SAME_ENTAILMENT = 0.5
"""Probability of entailment, in both directions, from which two replies count as one meaning (METRICS 10)."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


def clusters(same: NDArray[np.bool_]) -> Integers:
    """Returns the cluster of each reply, from 0: connected components of "means the same as" (replies, replies).

    Two replies are linked where both directions say so, which for entailment is mutual entailment. The clusters depend neither on the
    order of the replies nor on which one comes first, unlike the greedy clustering of Kuhn et al. (arXiv 2302.09664).
    """
    result: Integers = connected_components(same & same.T, directed=False)[1].astype(np.int64)
    return result


def numbers_in(text: str) -> frozenset[float]:
    """Returns the numbers that a text states in digits.

    >>> sorted(numbers_in("1,234 of 5.50 at 9 m"))
    [5.5, 9.0, 1234.0]
    """
    found = (_THOUSANDS.sub("", match).replace(",", ".") for match in _NUMBER.findall(text))
    return frozenset(float(number) for number in found if number.count(".") < 2)


def other_numbers(one: frozenset[float], other: frozenset[float]) -> bool:
    """Returns whether two replies both state numbers and share none: then they are not of one meaning, whatever their cosine."""
    return bool(one) and bool(other) and one.isdisjoint(other)


def meaning_entropy(meanings: Integers, wording: Integers) -> float:
    """Returns the discrete semantic entropy in nats.

    -sum_c q_c log q_c, q_c the share of the replies in cluster c, all wordings weighing the same. Range [0, log m] for m replies; 0 = one
    meaning. With reruns, the replies to all wordings are pooled. Biased low at few replies (3 equally likely meanings, 4 replies: .783
    instead of 1.099): compare cells with equally many. Kuhn et al., arXiv 2302.09664. NaN below two wordings.
    """
    return entropy(class_shares(meanings, wording)) if np.unique(wording).size > 1 else float("nan")


def normalised_meaning_entropy(meanings: Integers, wording: Integers) -> float:
    """Returns the discrete semantic entropy relative to its largest value.

    H / log m for m replies. Range [0, 1]; 0 = one meaning, 1 = every reply has its own. Biased low at few replies, as H is. uqlm reports
    1 - this as confidence. NaN below two wordings.
    """
    if np.unique(wording).size < 2:
        return float("nan")
    return of_largest(meaning_entropy(meanings, wording), float(np.log(meanings.size)))


def degree_spread(similarity: Floats) -> float:
    """Returns how far replies are from all being alike: DegMat.

    1 - sum_ij W_ij / m^2, W the similarities with 1 on the diagonal. Range [0, 1 - 1/m]; 0 = all alike. The diagonal is included, as in the
    paper, so the largest value depends on m: compare cells with equally many replies. Lin et al., arXiv 2305.19187. NaN below two replies.

    Args:
        similarity: Symmetric (replies, replies), in [0, 1], 1 on the diagonal.
    """
    return float(1 - similarity.mean()) if similarity.shape[0] > 1 else float("nan")


def count_of_meanings(similarity: Floats) -> float:
    """Returns the continuous number of meanings: EigV.

    sum_k max(0, 1 - lambda_k), lambda the eigenvalues of L = I - D^-1/2 W D^-1/2. Range [1, m]; 1 = one meaning, m = no reply like another;
    for similarities of 0 and 1 at least the number of connected components. Lin et al., arXiv 2305.19187. NaN without a reply.

    Args:
        similarity: Symmetric (replies, replies), in [0, 1], 1 on the diagonal.
    """
    if not similarity.shape[0]:
        return float("nan")
    root = 1 / np.sqrt(similarity.sum(axis=1))
    return float(np.maximum(np.linalg.eigvalsh(similarity * root * root[:, None]), 0).sum())


def meanings_spread(similarity: Floats) -> float:
    """Returns the continuous number of meanings on the scale of the tables: (EigV - 1) / (m - 1).

    Range [0, 1]; 0 = one meaning, 1 = no reply like another. NaN below two replies.
    """
    count = similarity.shape[0]
    return of_largest(count_of_meanings(similarity) - 1, count - 1) if count > 1 else float("nan")


def similarities(values: Sequence[Sequence[float]]) -> Floats:
    """Returns the symmetric matrix W from similarities in two directions: the mean of both, and 1 on the diagonal."""
    given = np.array(values, dtype=np.float64)
    result: Floats = (given + given.T) / 2
    np.fill_diagonal(result, 1.0)
    return result
