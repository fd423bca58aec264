"""Speed of the core index: closed forms against the naive pairwise loop, and against copying the rows."""

from __future__ import annotations

import numpy as np

from sago.arrays import Rows, index_of, parts_of
from table import Row, seconds, show

VARIANTS = 10


def rows(examples: int, values: np.ndarray) -> Rows:
    """Returns rows of a fully crossed cell."""
    return Rows(values, np.repeat(np.arange(examples), VARIANTS), np.tile(np.arange(VARIANTS), examples))


def naive(cell: Rows) -> float:
    """Takes the same cosine means pair by pair, one row of the matrix at a time."""
    values = cell.values / np.linalg.norm(cell.values, axis=1, keepdims=True)
    across = unrelated = across_pairs = unrelated_pairs = 0.0
    for place in range(values.shape[0]):
        every = 1 - values @ values[place]
        same = cell.example == cell.example[place]
        other = cell.variant != cell.variant[place]
        across += every[same & other].sum()
        across_pairs += (same & other).sum()
        unrelated += every[~same & other].sum()
        unrelated_pairs += (~same & other).sum()
    return float((across / across_pairs) / (unrelated / unrelated_pairs))


def main() -> None:
    """Measures and prints."""
    rng = np.random.default_rng(0)
    small = rows(200, rng.normal(size=(2_000, 64)))
    large = rows(20_000, rng.normal(size=(200_000, 64)))
    answers = rows(100_000, rng.integers(0, 5, 1_000_000))
    scalars = rows(100_000, rng.random(1_000_000))
    closed = seconds(lambda: index_of(parts_of(small, "cosine")))
    looped = seconds(lambda: naive(small), repeats=1)
    vectors = seconds(lambda: index_of(parts_of(large, "cosine")))
    copied = seconds(lambda: large.values.astype(np.float64, copy=True))
    nominal = seconds(lambda: index_of(parts_of(answers, "nominal")))
    absolute = seconds(lambda: index_of(parts_of(scalars, "absolute")))
    show(
        [
            Row("cosine, 2,000 rows x 64, with SE", closed, "s", "row-by-row loop", looped, looped / closed, 1000.0),
            Row("cosine, 200,000 rows x 64, with SE", vectors, "s", "copy to float64", copied, copied / vectors, 1 / 3),
            Row("nominal, 1,000,000 rows, with SE", nominal, "s", target=0.05),
            Row("absolute, 1,000,000 rows, with SE", absolute, "s"),
        ]
    )


if __name__ == "__main__":
    main()
