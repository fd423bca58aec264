"""How much the answers to one question agree: shares of flips, of equal answers, of entropy; one function a measure (METRICS 3).

All of them take the answers of one example as codes from 0, and the wording that each one answers: equal wordings are reruns. A code below
0 is an answer that could not be read: it equals nothing, another such included, so it never counts as agreement. With reruns, every
wording weighs the same and its reruns share that weight, except where a function says otherwise. Fewer than two wordings: NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from sago.arrays.grouping import Floats, Integers


class Agreeing(NamedTuple):
    """Agreeing pairs of one example: number of pairs with equal answers, and of all pairs; pairs of different wordings alone."""

    equal: float
    all: float


def shares_by_wording(answers: Integers, wording: Integers) -> Floats:
    """Returns the share of each answer among the reruns of each wording (wordings, answers); what could not be read is in no column.

    >>> shares_by_wording(np.array([0, 0, 1, -1]), np.array([0, 0, 1, 1])).tolist()
    [[1.0, 0.0], [0.0, 0.5]]
    """
    names, row = np.unique(wording, return_inverse=True)
    known = answers >= 0
    kinds, column = np.unique(answers[known], return_inverse=True)
    counts = np.bincount(row[known] * kinds.size + column, minlength=names.size * kinds.size).reshape(names.size, kinds.size)
    result: Floats = counts / np.bincount(row)[:, None]
    return result


def class_shares(answers: Integers, wording: Integers) -> Floats:
    """Returns the share of each class of answers, all wordings weighing the same; each answer that could not be read is a class of its own.

    >>> class_shares(np.array([0, 0, 1, -1]), np.array([0, 1, 2, 3])).tolist()
    [0.5, 0.25, 0.25]
    """
    names, row = np.unique(wording, return_inverse=True)
    reruns = np.bincount(row)
    alone = 1.0 / (names.size * reruns[row[answers < 0]])
    return np.concatenate([shares_by_wording(answers, wording).mean(axis=0), alone])


def flip_rate(answers: Integers, wording: Integers) -> float:
    """Returns the share of pairs of wordings with different answers.

    B = mean over v < w of the mean over their reruns of 1[a_v != a_w]; without reruns 1 - sum_k n_k (n_k - 1) / (V (V - 1)).
    Range [0, 1]; 0 = all agree. Unit: share of pairs. On clusters of meaning this is the semantic Gini index; unbiased at any V.
    SCORE (arXiv 2503.00137) reports 1 - this, as consistency rate.
    """
    shares = shares_by_wording(answers, wording)
    count = shares.shape[0]
    if count < 2:
        return float("nan")
    agree = (np.sum(shares.sum(axis=0) ** 2) - np.sum(shares**2)) / (count * (count - 1))
    return float(1 - agree)


def agreeing_pairs(answers: Integers, wording: Integers) -> Agreeing:
    """Returns how many pairs of responses to different wordings agree, out of how many; 0 of 0 below two wordings."""
    size = answers.size
    _, row = np.unique(wording, return_inverse=True)
    reruns = np.bincount(row)
    shares = shares_by_wording(answers, wording) * reruns[:, None]
    equal = (np.sum(shares.sum(axis=0) ** 2) - np.sum(shares**2)) / 2
    return Agreeing(float(equal), float(size**2 - np.sum(reruns**2)) / 2)


def pooled_flip_rate(examples: Sequence[Agreeing]) -> tuple[float, float]:
    """Returns the share of disagreeing pairs over the pairs of all examples together, and its standard error.

    1 - sum of agreeing pairs / sum of pairs. Range [0, 1]; 0 = all agree. Unit: share of pairs. An example weighs as its number of pairs,
    so that one with more wordings weighs more; the mean of :func:`flip_rate` over examples weighs them the same. This is 1 - the
    consistency rate as the code of SCORE (arXiv 2503.00137) pools it. The error is that of a ratio of two means over examples.
    NaN without a pair (that code returns 0); error NaN below two examples.
    """
    equal, total = (np.array(part, dtype=np.float64) for part in zip(*examples, strict=True)) if examples else (np.zeros(0), np.zeros(0))
    used = total > 0
    count, pairs = int(used.sum()), float(total.sum())
    if not count:
        return float("nan"), float("nan")
    rate = 1 - float(equal.sum()) / pairs
    left = total[used] - equal[used] - rate * total[used]
    error = float(np.sqrt(count / (count - 1) * np.sum(left**2)) / pairs) if count > 1 else float("nan")
    return rate, error


def flip_from_canonical(answers: Integers, wording: Integers, canonical: int = 0) -> float:
    """Returns the share of other wordings whose answer differs from that to the canonical one.

    mean over v != 0 of the mean over reruns of 1[a_v != a_0]. Range [0, 1]; 0 = every wording gives the canonical answer. Unit: share of
    wordings. With reruns: mean over all pairs of a rerun of v and one of the canonical wording. NaN where the canonical wording, or any
    other, has no answer. Known as the paraphrase flip rate; O(V) pairs, so less precise than :func:`flip_rate` (METRICS 2.5).
    """
    shares, names = shares_by_wording(answers, wording), np.unique(wording)
    first = names == canonical
    if first.sum() != 1 or names.size < 2:
        return float("nan")
    return float(1 - (shares[~first] @ shares[first][0]).mean())


def total_disagreement(answers: Integers, wording: Integers) -> float:
    """Returns whether any two responses differ: 1 - TAR.

    1 - 1[all answers equal]. Either 0 or 1; 0 = every response of every wording has one answer, and it could be read. With reruns, all of
    them are pooled: a single other answer makes it 1, so it rises with the number of responses by construction: compare cells with
    equally many. The paper's TARa is the share of examples at 0 (Atil et al., arXiv 2408.04667).
    """
    if np.unique(wording).size < 2:
        return float("nan")
    return float(answers.min() < 0 or answers.min() != answers.max())


def majority_disagreement(answers: Integers, wording: Integers) -> float:
    """Returns the share of responses that are not the most frequent answer.

    1 - max_k q_k, with q_k the share of answer k over wordings (n_k / V without reruns). Range [0, 1 - 1/m] for m responses; 0 = all agree.
    Unit: share of responses. Reruns share the weight of their wording. An answer that could not be read is a class of one response.
    """
    if np.unique(wording).size < 2:
        return float("nan")
    return _no_rounding(1 - float(class_shares(answers, wording).max()))


def entropy(shares: Floats) -> float:
    """Returns -sum q log q in nats; 0 log 0 = 0.

    >>> round(entropy(np.array([0.5, 0.4, 0.1])), 4)
    0.9433
    """
    return _no_rounding(-float(xlogy(shares, shares).sum()))


def sensitivity(answers: Integers, wording: Integers, classes: int) -> float:
    """Returns the entropy of the answers over the wordings, relative to its largest value.

    H(q) / log C, q the shares of the answers (reruns share the weight of their wording). Range [0, 1]; 0 = one answer, as in the paper.
    C is the number of classes of the question. Answers outside them (a refusal, an answer that could not be read, each a class of its own)
    raise C to the number of classes seen where that is larger, so that 1 is never passed. NaN where C < 2: nothing could vary.
    Biased low at small V: compare cells with equally many wordings. Errica et al., arXiv 2406.12334.

    Args:
        answers: Codes of the answers.
        wording: Wording of each.
        classes: Number of answers that are possible.
    """
    if np.unique(wording).size < 2:
        return float("nan")
    shares = class_shares(answers, wording)
    count = max(classes, shares.size)
    return of_largest(entropy(shares), float(np.log(count))) if count > 1 else float("nan")


def label_inconsistency(shares: Floats, label: Integers) -> tuple[float, float, int]:
    """Returns how much the answers to different examples of one true class differ, its standard error, and the examples that took part.

    Mean over pairs of examples i < j with one label of TVD(p_i, p_j) = .5 sum_k |p_ik - p_jk|, p_i = shares of the answers to i over its
    wordings. Range [0, 1]; 0 = all examples of a class get the same answers in the same shares. The paper's consistency is 1 - this
    (Errica et al., arXiv 2406.12334). What could not be read is in no column of ``shares``: its share counts as different from everything.
    Examples that are alone in their class take no part; NaN where all are. Error: jackknife over examples.

    Closed form: for each class and answer a sum over the sorted shares, O(examples log examples).

    Args:
        shares: Share of each answer (examples, answers); rows sum to 1 less the share that could not be read.
        label: True class of each example.
    """
    own, others = np.zeros(label.size), np.zeros(label.size)
    for name in np.unique(label):
        mine = np.flatnonzero(label == name)
        unread = 1 - shares[mine].sum(axis=1)
        away = np.zeros(mine.size)
        for column in np.flatnonzero(shares[mine].any(axis=0)):
            away += _distances_to_all(shares[mine, column])
        own[mine] = 0.5 * (away + (mine.size - 2) * unread + unread.sum())
        others[mine] = mine.size - 1
    count, total, pairs = int((others > 0).sum()), own.sum() / 2, others.sum() / 2
    if not pairs:
        return float("nan"), float("nan"), 0
    rate = _no_rounding(float(total / pairs))
    if pairs <= others.max():
        return rate, float("nan"), count
    left_out = ((total - own) / (pairs - others))[others > 0]
    return rate, float(np.sqrt((count - 1) / count * np.sum((left_out - left_out.mean()) ** 2))), count


def correctness_spread(correct: Floats, wording: Integers) -> float:
    """Returns the mean difference of the score between two wordings: PSS.

    mean over v < w of |Y_v - Y_w|, Y_v the score on wording v (mean over its reruns). Range for right or wrong [0, V / (2 (V - 1))] and so
    not up to 1: .5455 at V = 12; 0 = equally right on every wording, be it always wrong. Unit: that of the score. Few reruns put their
    noise into Y_v and raise it. Zhuo et al. (ProSA), arXiv 2410.12405.
    """
    names, row = np.unique(wording, return_inverse=True)
    if names.size < 2:
        return float("nan")
    scores = np.bincount(row, correct) / np.bincount(row)
    return float(_distances_to_all(scores).sum() / (names.size * (names.size - 1)))


def mutual_information(answers: Integers, wording: Integers) -> float:
    """Returns how much the wording tells about the answer, in nats.

    MI = H(all answers) - mean over wordings of H(answers of v), each response weighing the same, so that it is the mutual information of
    the two labels. Range [0, log min(V, K)]; 0 = the same shares under every wording. An answer that could not be read is a class of its
    own. Without reruns it is H of the answers, and says nothing about wordings. Biased up: see :func:`excess_information`.
    """
    kinds, rows = _alone(answers), np.unique(wording, return_inverse=True)[1]
    table = np.zeros((rows.max(initial=-1) + 1, kinds.max(initial=-1) + 1))
    np.add.at(table, (rows, kinds), 1.0)
    if table.shape[0] < 2:
        return float("nan")
    reruns, size = table.sum(axis=1), answers.size
    within = np.array([entropy(row / count) for row, count in zip(table, reruns, strict=True)])
    return entropy(table.sum(axis=0) / size) - float(within @ reruns) / size


def expected_information(answers: Integers, wording: Integers) -> float:
    """Returns the mean of :func:`mutual_information` over all ways to hand the answers to the wordings, in nats.

    Exact: the answers to a wording with R responses are then R draws without replacement from all of them, so the number of answers k among
    them is hypergeometric. No permutation is drawn.
    """
    totals, reruns = np.bincount(_alone(answers)), np.unique(wording, return_counts=True)[1]
    if reruns.size < 2:
        return float("nan")
    size = answers.size
    sizes, times = np.unique(reruns, return_counts=True)
    within = sum(float(draws * often) * _expected_entropy(totals, int(draws), size) for draws, often in zip(sizes, times, strict=True))
    return entropy(totals / size) - within / size


def excess_information(answers: Integers, wording: Integers) -> float:
    """Returns the mutual information of wording and answer less its mean under no effect of the wording, in nats.

    0 = the wording tells no more than reruns do (it may be below 0 by chance); the entropy twin of B - W. NaN without reruns, where the
    two terms are equal whatever the answers are, and below two wordings.
    """
    reruns = np.unique(wording, return_counts=True)[1]
    if reruns.size < 2 or reruns.max() < 2:
        return float("nan")
    return _no_rounding(mutual_information(answers, wording) - expected_information(answers, wording))


def _alone(answers: Integers) -> Integers:
    """Returns codes from 0 without gaps, each answer that could not be read with one of its own."""
    unread = answers < 0
    own = answers.copy()
    own[unread] = int(answers.max(initial=0)) + 1 + np.arange(int(unread.sum()))
    result: Integers = np.unique(own, return_inverse=True)[1]
    return result


def _expected_entropy(totals: Integers, draws: int, size: int) -> float:
    """Returns the mean entropy of ``draws`` answers taken without replacement from ``size`` answers with these totals."""
    if draws < 2:
        return 0.0
    taken = np.arange(1, draws + 1)
    drawn, rest = totals[:, None] - taken, (size - totals)[:, None] - (draws - taken)
    possible = (drawn >= 0) & (rest >= 0)
    ways = (
        _log_ways(totals[:, None], np.where(possible, taken, 0))
        + _log_ways((size - totals)[:, None], np.where(possible, draws - taken, 0))
        - _log_ways(np.array(size), np.array(draws))
    )
    surprise = -xlogy(taken / draws, taken / draws)
    return float(np.sum(np.where(possible, np.exp(ways), 0.0) * surprise))


def _log_ways(size: Integers, taken: Integers) -> Floats:
    result: Floats = gammaln(size + 1.0) - gammaln(taken + 1.0) - gammaln(size - taken + 1.0)
    return result


def _distances_to_all(values: Floats) -> Floats:
    """Returns for each value the sum of |difference| to all others."""
    order = np.argsort(values)
    ordered = values[order] - values[order[0]]  # differences stay the same, and equal values are exactly 0 apart
    running, count = np.cumsum(ordered), values.size
    sums: Floats = np.empty(count)
    sums[order] = ordered * (2 * np.arange(count) + 2 - count) + running[-1] - 2 * running
    return sums


def of_largest(value: float, largest: float) -> float:
    """Returns value / largest; what is 0 or the largest but for rounding is exactly 0 or 1, so that equal examples are equal."""
    share = value / largest
    return float(round(share)) if abs(share - round(share)) < 1e-12 else share


def _no_rounding(value: float) -> float:
    """Returns 0 for what is 0 but for rounding, and never -0."""
    return value if abs(value) > 1e-15 else 0.0
