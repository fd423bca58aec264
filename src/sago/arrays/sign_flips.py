"""Are two models equal on the same examples? The sign-flip test of their paired differences (METRICS 8, claim 3).

Not for B_i - W_i: under its null hypothesis that is not symmetric (METRICS 8, 1a).
"""

from __future__ import annotations

import numpy as np

from sago.arrays.grouping import Floats

DRAWS = 9_999
_EXACT_UP_TO = 16
"""Differences whose signs are all enumerated, 2^16 ways."""

_BITS = 8
_GROUPS_AT_ONCE = 1024
_SIGNS = (1.0 - 2.0 * ((np.arange(1 << _BITS)[:, None] >> np.arange(_BITS)) & 1)).T
"""Signs of eight differences in each of the 256 ways, shape (8, 256)."""


def sign_flip_p(differences: Floats, rng: np.random.Generator, *, draws: int = DRAWS) -> float:
    """Returns the two-sided p of "the two models may be swapped on every example", in (0, 1].

    p = share of sign patterns e in {-1, 1}^n with |sum e_i D_i| >= |sum D_i|: exact up to 16 differences that are not 0, otherwise
    (1 + number of drawn patterns) / (1 + draws). 1 where all differences are 0. NaN (an example that one model lacks) takes no part; NaN
    where none is left. Fisher 1935. O(n draws / 8): eight differences have 256 signed sums, of which each draw takes one.

    Args:
        differences: Score of one model less that of the other, one an example.
        rng: Generator seeded from content; not used where p is exact.
        draws: Number of random sign patterns.

    >>> sign_flip_p(np.array([0.1, 0.2, 0.3]), np.random.default_rng(0))
    0.25
    """
    known = differences[~np.isnan(differences)]
    if not known.size:
        return float("nan")
    moved = known[known != 0]
    # Rounding may not decide between equal sums.
    least = abs(float(moved.sum())) - 1e-9 * float(np.abs(moved).sum())
    if moved.size <= _EXACT_UP_TO:
        sums = np.zeros(1)
        for difference in moved:
            sums = np.concatenate([sums + difference, sums - difference])
        return float(np.mean(np.abs(sums) >= least))
    return float((1 + np.sum(np.abs(_drawn(moved, rng, draws)) >= least)) / (1 + draws))


def _drawn(differences: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Returns the signed sum of each draw."""
    padded = np.zeros(-(-differences.size // _BITS) * _BITS)
    padded[: differences.size] = differences
    groups, words = padded.reshape(-1, _BITS), -(-draws // 8)
    sums, part = np.zeros(draws), np.empty(draws)
    for begin in range(0, len(groups), _GROUPS_AT_ONCE):
        for table in groups[begin : begin + _GROUPS_AT_ONCE] @ _SIGNS:
            chosen = rng.integers(0, 1 << 64, words, dtype=np.uint64).view(np.uint8)[:draws]
            np.take(table, chosen, out=part, mode="wrap")  # mode: the default checks bounds into a copy
            sums += part
    return sums
