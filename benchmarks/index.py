"""Speed of the core index: against copying the rows, against a loop over pairs, and against libraries that give one coefficient."""

from __future__ import annotations

import time
import tracemalloc
import warnings

import krippendorff
import numpy as np
import pandas as pd
import pingouin

from sago.arrays import Index, Rows, index_of, parts_of
from table import Row, seconds, show

VARIANTS = 10


def rows(examples: int, values: np.ndarray) -> Rows:
    """Returns rows of a fully crossed cell."""
    return Rows(values, np.repeat(np.arange(examples), VARIANTS), np.tile(np.arange(VARIANTS), examples))


def index(cell: Rows, distance: str) -> Index:
    """Returns the index with its standard error and per-example scores."""
    return index_of(parts_of(cell, distance))


def pairs_in_a_loop(cell: Rows, every: int) -> float:
    """Returns the seconds that a loop over all pairs of rows takes, from every n-th left row."""
    values = cell.values / np.linalg.norm(cell.values, axis=1, keepdims=True)
    count, total, done = values.shape[0], 0.0, 0
    start = time.perf_counter()
    for left in range(0, count, every):
        for right in range(left + 1, count):
            done += 1
            if cell.example[left] != cell.example[right] and cell.variant[left] == cell.variant[right]:
                continue
            total += 1 - values[left] @ values[right]
    return float((time.perf_counter() - start) * (count * (count - 1) / 2) / done)


def memory_beyond(cell: Rows, distance: str) -> float:
    """Returns the most memory that the index takes beyond its rows, in megabytes."""
    tracemalloc.start()
    index(cell, distance)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def of_libraries(rng: np.random.Generator) -> list[Row]:
    """Returns the rows against libraries, on the same table."""
    ratings = rng.normal(size=(1_000, VARIANTS)) + rng.normal(size=(1_000, 1))
    codes = rng.integers(0, 5, (1_000, VARIANTS))
    scalars = rows(1_000, ratings.reshape(-1, 1))
    answers = rows(1_000, codes.reshape(-1))
    frame = pd.DataFrame({"item": scalars.example, "rater": scalars.variant, "value": ratings.reshape(-1)})

    def icc() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="value")

    def alpha() -> object:
        return krippendorff.alpha(reliability_data=codes.T.astype(float), level_of_measurement="nominal")

    ours, theirs = seconds(lambda: index(scalars, "squared_euclidean")), seconds(icc)
    nominal, coefficient = seconds(lambda: index(answers, "nominal")), seconds(alpha)
    return [
        Row("squared distance, 10,000 rows, with SE", ours, "s", "pingouin.intraclass_corr", theirs, theirs / ours, 40.0),
        Row("nominal, 10,000 rows, with SE", nominal, "s", "krippendorff.alpha", coefficient, coefficient / nominal, 1.0),
    ]


def main() -> None:
    """Measures and prints."""
    rng = np.random.default_rng(0)
    large = rows(100_000, rng.normal(size=(1_000_000, 64)).astype(np.float32))
    small = rows(1_000, large.values[:10_000].astype(np.float64))
    answers, scalars = rows(100_000, rng.integers(0, 5, 1_000_000)), rows(100_000, rng.random(1_000_000))
    copied = seconds(lambda: large.values.astype(np.float64), repeats=7)
    vectors = seconds(lambda: index(large, "cosine"), repeats=7)
    looped, closed = pairs_in_a_loop(small, every=400), seconds(lambda: index(small, "cosine"))
    show(
        [
            Row("cosine, 1,000,000 rows x 64, with SE", vectors, "s", "copy to float64", copied, copied / vectors, 1 / 3),
            Row("the same, memory beyond the rows", memory_beyond(large, "cosine"), "MB", "the rows", large.values.nbytes / 1e6),
            Row("nominal, 1,000,000 rows, with SE", seconds(lambda: index(answers, "nominal"), repeats=7), "s", target=0.05),
            Row("absolute, 1,000,000 rows, with SE", seconds(lambda: index(scalars, "absolute")), "s"),
            Row("cosine, 10,000 rows x 64, with SE", closed, "s", "loop over pairs, scaled", looped, looped / closed, 1000.0),
            *of_libraries(rng),
        ]
    )


if __name__ == "__main__":
    main()
