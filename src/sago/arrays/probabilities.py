"""How far the probabilities that a model gives to answers move with the wording (METRICS 5).

``options`` are rows of option probabilities (rows, options) in the order of the question's own options, so that an option keeps its column
whatever its place or letter in the prompt; ``wording`` is the code of the wording of each row, from 0, and rows with one code are reruns.
0 = the probabilities are the same under every wording.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import xlogy

from sago.arrays.grouping import Floats, Integers

FLOOR = 1e-12
"""Smallest probability of an option where a formula takes its logarithm (METRICS 5, edge cases)."""


def entropy_bits(probabilities: Floats) -> Floats:
    """Returns the entropy of each distribution, -sum p log2 p over the last axis.

    Range [0, log2 K] bits; 0 = one option has all. A probability of 0 adds 0. NaN where a probability is NaN. Source: Shannon (1948).

    >>> float(entropy_bits(np.array([0.5, 0.25, 0.25])))
    1.5
    """
    p = np.asarray(probabilities, dtype=np.float64)
    result: Floats = np.abs(xlogy(p, p).sum(axis=-1)) / np.log(2)
    return result


def floored(probabilities: Floats) -> Floats:
    """Returns probabilities with at least 1e-12 each, made to sum to 1 again over the last axis."""
    p = np.maximum(np.asarray(probabilities, dtype=np.float64), FLOOR)
    result: Floats = p / p.sum(axis=-1, keepdims=True)
    return result


def divergence(one: Floats, other: Floats) -> Floats:
    """Returns the Jensen-Shannon divergence of pairs of distributions, H((p + q) / 2) - (H(p) + H(q)) / 2, in bits.

    Range [0, 1]; 0 = the same, 1 = no option in common. Zeros need no floor: 0 log 0 is 0 here. It is the divergence, not its square root,
    which is what ``scipy.spatial.distance.jensenshannon`` returns. NaN where a probability is NaN. Source: Lin (1991).

    >>> round(float(divergence(np.array([0.5, 0.5]), np.array([1.0, 0.0]))), 6)
    0.311278
    """
    middle = entropy_bits((one + other) / 2)
    return np.maximum(middle - (entropy_bits(one) + entropy_bits(other)) / 2, 0.0)


def variation(one: Floats, other: Floats) -> Floats:
    """Returns the total variation distance of pairs of distributions, half the sum of |p - q|.

    Range [0, 1]; 0 = the same, 1 = no option in common: the share of probability that would have to move.
    """
    result: Floats = np.abs(one - other).sum(axis=-1) / 2
    return result


def mean_across(values: Floats, wording: Integers, between: Callable[[Floats, Floats], Floats]) -> float:
    """Returns the mean over pairs of wordings of the mean distance over their rerun pairs (METRICS 2.7); NaN below two wordings.

    Args:
        values: One entry a row.
        wording: Code of the wording of each row.
        between: (values, values) -> distance of each pair.
    """
    codes, place, count = np.unique(wording, return_inverse=True, return_counts=True)
    if codes.size < 2:
        return float("nan")
    left, right = np.triu_indices(place.size, 1)
    apart = place[left] != place[right]
    left, right = left[apart], right[apart]
    weight = 1.0 / (count[place[left]] * count[place[right]])
    return float(weight @ between(values[left], values[right]) / (codes.size * (codes.size - 1) / 2))


def mean_divergence(options: Floats, wording: Integers) -> float:
    """Returns the mean Jensen-Shannon divergence of the option probabilities under two wordings.

    Range [0, 1] bits; 0 = the same probabilities under every wording. NaN below two wordings or two options (with one option there is
    nothing to be sure of). Source: METRICS 5 (own), on Lin (1991).
    """
    return mean_across(options, wording, divergence) if options.shape[1] > 1 else float("nan")


def mean_variation(options: Floats, wording: Integers) -> float:
    """Returns the mean total variation distance of the option probabilities under two wordings.

    Range [0, 1]; 0 = the same probabilities under every wording. NaN below two wordings or two options.
    """
    return mean_across(options, wording, variation) if options.shape[1] > 1 else float("nan")


def generalised_divergence(options: Floats, wording: Integers) -> float:
    """Returns the generalised Jensen-Shannon divergence, (H(mean_v p_v) - mean_v H(p_v)) / log2 min(V, K).

    Range [0, 1]; 0 = the same probabilities under every wording, 1 = as much information about the wording as the answer can carry: it is
    the mutual information of wording and answer over its largest value. p_v is the mean over the reruns of wording v. NaN below two
    wordings or two options. Source: Lin (1991).

    >>> generalised_divergence(np.eye(3), np.arange(3))
    1.0
    """
    codes, place = np.unique(wording, return_inverse=True)
    most = min(codes.size, options.shape[1])
    if most < 2:
        return float("nan")
    rows = np.array([options[place == code].mean(axis=0) for code in range(codes.size)])
    found = float(entropy_bits(rows.mean(axis=0)) - entropy_bits(rows).mean()) / np.log2(most)
    return max(float(found), 0.0)


def margin(options: Floats) -> Floats:
    """Returns the lead of the most likely option over the next, p(1) - p(2), of each row.

    Range [0, 1]; 0 = undecided between two, 1 = certain. A level of confidence, not an instability: compare it between wordings by its
    absolute difference. NaN with one option.
    """
    if options.shape[-1] < 2:
        return np.full(options.shape[:-1], np.nan)
    ordered = np.partition(options, -2, axis=-1)
    result: Floats = ordered[..., -1] - ordered[..., -2]
    return result


def posix_part(logprobs: Floats, own: float, length: int) -> float:
    """Returns what one response adds to POSIX: mean over the other prompts of |log P(y | x_v) - log P(y | x_own)| / L.

    Range [0, inf) nats per token; 0 = the response is as likely under every prompt as under its own. :func:`posix` is the mean of these
    parts over the responses to all prompts. NaN without another prompt, for a response without tokens, or where a log-probability is
    not finite.

    Args:
        logprobs: log P of the whole response (nats) under each of the other prompts.
        own: The same under the prompt that it is the response to.
        length: Tokens of the response.
    """
    other = np.asarray(logprobs, dtype=np.float64)
    if not other.size or length < 1 or not (np.isfinite(other).all() and np.isfinite(own)):
        return float("nan")
    return float(np.abs(other - own).mean() / length)


def posix(logprobs: Floats, lengths: Sequence[int]) -> float:
    """Returns POSIX, the sensitivity index of Chatterjee et al. 2024 (arXiv 2410.02185), as the paper defines it.

        psi = 1 / (V (V - 1)) sum_w sum_{v != w} |log P(y_w | x_v) - log P(y_w | x_w)| / L_w

    Range [0, inf) nats per token; 0 = every response is as likely under every wording as under its own; 1 - exp(-psi) is on [0, 1). The
    response is kept and the prompt changes, and the length is that of the response: code in which another response is put under one
    prompt, or which divides by the largest number of new tokens, computes something else. It takes V^2 scorings. NaN below two wordings,
    for a response without tokens, or where a log-probability is not finite.

    Args:
        logprobs: log P(y_w | x_v) in nats, [v, w]: prompts in rows, responses in columns.
        lengths: Tokens of each response.

    >>> posix(np.array([[-2.0, -3.0], [-5.0, -1.0]]), [3, 2])
    1.0
    """
    table = np.asarray(logprobs, dtype=np.float64)
    if table.shape[0] < 2:
        return float("nan")
    parts = [posix_part(np.delete(table[:, w], w), table[w, w], length) for w, length in enumerate(lengths)]
    return float(np.mean(parts))


def token_entropy(top: Sequence[Floats], vocabulary: int) -> float:
    """Returns the mean entropy of a response's tokens over the log of the vocabulary, from their most likely alternatives.

    Range [0, 1]; 0 = certain of every token. A level of confidence, not an instability. With the k most likely tokens alone it is a lower
    bound: what is left of the probability counts as one further token; say k beside the number. NaN without tokens, with a vocabulary
    below two, or where a log-probability is NaN. Source: Malinin & Gales (2020).

    Args:
        top: For each token of the response, the log-probabilities (nats) of its k most likely alternatives; minus infinity = 0.
        vocabulary: Number of tokens that the model knows.
    """
    if not len(top) or vocabulary < 2:
        return float("nan")
    found = []
    for alternatives in top:
        p = np.exp(np.asarray(alternatives, dtype=np.float64))
        rest = max(0.0, 1.0 - float(p.sum())) if not np.isnan(p).any() else float("nan")
        found.append(float(-xlogy(p, p).sum() - xlogy(rest, rest)))
    return float(np.mean(found) / np.log(vocabulary))
