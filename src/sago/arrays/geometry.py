"""How states of a model lie to one another under several wordings (METRICS 4).

Vectors are rows, float64. Functions of two matrices compare the examples under one wording (rows of ``x``) with the same examples, in the
same order, under another (rows of ``y``): they see whether the geometry between examples is kept, not whether one example moved, and they
have no value for an example.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from sago.arrays.grouping import Floats, Integers

NEAREST_TIE = 1e-12
"""Two cosines closer than this are equal: of nearest neighbours that tie, each counts in part."""

_BLOCK_VALUES = 4_000_000
"""Cosines that a step holds."""

_ROUNDING = 1e-12
"""Spread of rows, as a share of their size, that is rounding."""

EIGEN_FLOOR = 1e-3
"""What is added to every eigenvalue before its logarithm is taken (EigenScore)."""


def trace_icc(vectors: Floats, example: Integers) -> float:
    """Returns the share of the spread of vectors that is between examples: the one-way intraclass correlation of traces.

    (MSB - MSW) / (MSB + (k0 - 1) MSW), with mean squares summed over dimensions; k0 = rows of an example (of unequal numbers, their
    average less their spread). 1 = all rows of an example are the same, 0 = rows of one example are as far apart as any. As an
    instability it is 1 minus this = B / N with the squared Euclidean distance and N over all wordings, in balanced data (METRICS 2.1; E18).
    Dimensions of large variance decide unless they are z-scored. NaN below two examples, without repeated rows, or where nothing varies.
    """
    names, place, count = np.unique(example, return_inverse=True, return_counts=True)
    n, rows = names.size, place.size
    if n < 2 or rows == n:
        return float("nan")
    sums = np.zeros((n, vectors.shape[1]))
    np.add.at(sums, place, vectors)
    means = sums / count[:, None]
    within = float(((vectors - means[place]) ** 2).sum()) / (rows - n)
    between = float((count[:, None] * (means - vectors.mean(axis=0)) ** 2).sum()) / (n - 1)
    size = (rows - float((count**2).sum()) / rows) / (n - 1)
    whole = between + (size - 1) * within
    return (between - within) / whole if whole > 0 else float("nan")


def identification_errors(vectors: Floats, example: Integers, wording: Integers) -> Floats:
    """Returns for each row whether the nearest row under another wording or of another example belongs to another example.

    Nearest by cosine; 0 = a wording of the same question, 1 = another question; of rows that tie, the share of other examples. The mean
    over the rows of an example is in [0, 1]. Scale-free, needs no null, but depends on the number of examples: by chance it is
    :func:`identification_chance`. Reruns of the row itself are no candidates. NaN for a row that has no other wording of its example.
    Time grows with the square of the rows; memory does not.

    Args:
        vectors: States (rows, dimensions).
        example: Code of the example of each row.
        wording: Code of the wording of each row; equal codes in one example are reruns.
    """
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    unit = vectors / np.where(norms > 0, norms, 1.0)[:, None]
    count = vectors.shape[0]
    found = np.full(count, np.nan)
    step = max(1, _BLOCK_VALUES // max(count, 1))
    for begin in range(0, count, step):
        rows = slice(begin, min(begin + step, count))
        cosines = unit[rows] @ unit.T
        own = example[rows, None] == example[None, :]
        cosines[own & (wording[rows, None] == wording[None, :])] = -np.inf
        near = cosines >= cosines.max(axis=1, keepdims=True) - NEAREST_TIE
        others = (own & np.isfinite(cosines)).any(axis=1)
        share = (near & ~own).sum(axis=1) / near.sum(axis=1)
        found[rows] = np.where(others, share, np.nan)
    return found


def identification_chance(example: Integers, wording: Integers) -> float:
    """Returns the error of :func:`identification_errors` if the nearest row were any row: 1 - (V - 1) / (n V - 1) with V wordings each.

    >>> identification_chance(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    0.6666666666666667
    """
    rows = np.unique(np.stack([example, wording], axis=1), axis=0)
    count = np.bincount(np.unique(rows[:, 0], return_inverse=True)[1].reshape(-1))
    repeated = count[count > 1]
    if not repeated.size:
        return float("nan")
    return float(1 - np.repeat((repeated - 1) / (count.sum() - 1), repeated).mean())


def linear_cka(x: Floats, y: Floats) -> float:
    """Returns linear centred kernel alignment, |X'Y|^2 / (|X'X| |Y'Y|) in Frobenius norms of centred columns.

    Range [0, 1]; 1 = the same geometry of examples up to rotation, scale and shift, 0 = none in common. As an instability 1 minus it.
    Biased upwards where dimensions are not far fewer than examples (two independent Gaussian matrices, 50 x 1000: .95); then use
    :func:`debiased_cka`.
    NaN below two examples or where one side does not vary. Source: Kornblith et al. (2019).

    >>> linear_cka(np.array([[-1.0], [0.0], [1.0]]), np.array([[0.0], [0.0], [3.0]]))
    0.75
    """
    one, other = _centred_gram(x), _centred_gram(y)
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / size if size > 0 else float("nan")


def debiased_cka(x: Floats, y: Floats) -> float:
    """Returns linear centred kernel alignment from unbiased estimates of HSIC.

        HSIC_u(K, L) = [sum(K~ L~) + (1'K~1)(1'L~1) / ((n-1)(n-2)) - 2 / (n-2) 1'K~L~1] / (n (n-3)),   K~ = K with zero diagonal

    Range up to 1, about 0 and of either sign for unrelated sides; 1 = the same geometry. As an instability 1 - max(0, it). NaN below four
    examples, or where one side has no positive HSIC with itself. Sources: Song et al. (2012), Murphy et al. (2024).
    """
    if x.shape[0] < 4:
        return float("nan")
    one, other = _gram(x), _gram(y)
    own = _unbiased(one, one) * _unbiased(other, other)
    return _unbiased(one, other) / float(np.sqrt(own)) if own > 0 else float("nan")


def rsa(x: Floats, y: Floats, metric: Literal["euclidean", "cosine", "correlation"] = "euclidean") -> float:
    """Returns the Spearman correlation of the distances between examples on both sides.

    Range [-1, 1]; 1 = the same order of distances. As an instability 1 minus it. NaN below three examples, or where all distances of a
    side are equal. Source: Kriegeskorte et al. (2008).

    >>> round(rsa(np.array([[0.0], [1.0], [3.0]]), np.array([[0.0], [2.0], [3.0]])), 12)
    0.5
    """
    from scipy.spatial.distance import pdist
    from scipy.stats import rankdata

    if x.shape[0] < 3:
        return float("nan")
    if not (_centred(x).any() and _centred(y).any()):
        return float("nan")
    one, other = (rankdata(pdist(side, metric)) for side in (x, y))
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 0 else float("nan")


def procrustes(x: Floats, y: Floats) -> float:
    """Returns what is left of one side after the best shift, scale and rotation onto the other: 1 - (sum of singular values of X'Y)^2.

    Both sides are centred and have Frobenius norm 1. Range [0, 1]; 0 = the same geometry; already an instability. It is the disparity of
    ``scipy.spatial.procrustes``, at a cost that grows with the examples and not with the square of the dimensions. NaN below two
    examples or where one side does not vary.
    """
    from scipy.linalg import qr, svdvals

    sides = []
    for side in (x, y):
        if side.shape[0] < 2:
            return float("nan")
        centred = _centred(side)
        size = float(np.linalg.norm(centred))
        if size == 0:
            return float("nan")
        # X'Y has the singular values of Rx Ry', with X' = Qx Rx: no matrix of dimensions x dimensions is decomposed.
        sides.append(qr((centred / size).T, mode="r")[0][: min(side.shape)])
    values = svdvals(sides[0] @ sides[1].T)
    return float(np.clip(1 - values.sum() ** 2, 0.0, 1.0))


def without_top(vectors: Floats, count: int) -> Floats:
    """Returns centred vectors without their first principal components ("all but the top"; Mu & Viswanath 2018).

    What all states share, and directions of frequency or position, lie in the first few. ``count`` is taken down to one below the smaller
    of rows and dimensions. Deterministic: the solver starts from a fixed vector.
    """
    centred: Floats = vectors - vectors.mean(axis=0)
    count = min(count, min(centred.shape) - 1)
    if count < 1 or not centred.any():
        return centred
    if min(centred.shape) <= 4 * count:
        right = np.linalg.svd(centred, full_matrices=False)[2][:count]
    else:
        from scipy.sparse.linalg import svds

        right = svds(centred, k=count, v0=np.ones(min(centred.shape)))[2]
    result: Floats = centred - (centred @ right.T) @ right
    return result


def eigenscore(vectors: Floats) -> float:
    """Returns the mean over V rows of log(1 + eigenvalue / a) of their centred Gram matrix, a = 1e-3; rows are divided by sqrt(dimensions).

    It is the EigenScore of Chen et al. 2024 (INSIDE), mean log(eigenvalue + a), less log a, so that 0 = all rows are the same. Range
    [0, inf) nats; it grows with the volume that the rows span. NaN below two rows.
    """
    rows, width = vectors.shape
    if rows < 2:
        return float("nan")
    centred = (vectors - vectors.mean(axis=0)) / np.sqrt(width)
    values = np.maximum(np.linalg.eigvalsh(centred @ centred.T), 0.0)
    return float(np.log1p(values / EIGEN_FLOOR).mean())


def _gram(x: Floats) -> Floats:
    # Shifts cancel in exact arithmetic only: a large common offset would cost digits.
    centred = _centred(x)
    result: Floats = centred @ centred.T
    return result


def _centred(x: Floats) -> Floats:
    """Returns rows less their mean; zeros where what is left is rounding, so that rows that are all alike have no geometry."""
    centred: Floats = x - x.mean(axis=0)
    return centred if np.linalg.norm(centred) > _ROUNDING * np.linalg.norm(x) else np.zeros_like(centred)


def _centred_gram(x: Floats) -> Floats:
    return _gram(x) if x.shape[0] > 1 else np.zeros((1, 1))


def _unbiased(one: Floats, other: Floats) -> float:
    """Returns the unbiased estimate of HSIC of two Gram matrices (Song et al. 2012)."""
    n = one.shape[0]
    one, other = one - np.diag(np.diag(one)), other - np.diag(np.diag(other))
    of_one, of_other = one.sum(axis=0), other.sum(axis=0)
    both = float((one * other).sum()) + float(of_one.sum() * of_other.sum()) / ((n - 1) * (n - 2))
    return float((both - 2 / (n - 2) * float(of_one @ of_other)) / (n * (n - 3)))
