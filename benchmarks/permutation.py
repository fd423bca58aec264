"""Speed of the exact rerun-floor test: every example relabelled by itself, 999 joint relabelings, and a p value for each example."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np

from sago.arrays import Rows, rerun_floor_test
from table import Row, seconds, show


def crossed(examples: int, variants: int, reruns: int, values: np.ndarray) -> Rows:
    """Returns rows of a cell in which every example has every variant equally often."""
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((examples, variants, reruns)))
    return Rows(values, example, variant)


def test(rows: Rows, distance: str) -> None:
    """Tests one cell."""
    rerun_floor_test(rows, distance, np.random.default_rng(1))


def one_by_one(answers: np.ndarray, draws: int) -> float:
    """Returns the seconds of 999 draws by sorting random keys inside every example, from fewer draws (examples, variants, reruns)."""
    reruns = answers.shape[2]
    flat, rng = answers.reshape(answers.shape[0], -1), np.random.default_rng(2)
    start = time.perf_counter()
    for _ in range(draws):
        dealt = np.take_along_axis(flat, np.argsort(rng.random(flat.shape, dtype=np.float32), axis=1), axis=1).reshape(answers.shape)
        for one in range(reruns):
            for two in range(one + 1, reruns):
                np.sum(dealt[:, :, one] != dealt[:, :, two])
    return (time.perf_counter() - start) * 999 / draws


def memory_beyond(rows: Rows) -> float:
    """Returns the largest memory beyond the rows, in MB."""
    tracemalloc.start()
    test(rows, "nominal")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    """Prints the table."""
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 10, 1_000_000)
    million = crossed(31_250, 8, 4, answers)
    own = seconds(lambda: test(million, "nominal"))
    sorted_keys = one_by_one(answers.reshape(31_250, 8, 4).astype(np.int8), draws=5)
    few, numbers = crossed(24, 6, 3, answers[:432]), crossed(31_250, 8, 4, rng.random(1_000_000))
    vectors = crossed(3_125, 8, 4, rng.normal(size=(100_000, 64)))
    show(
        [
            Row("answers, 1,000,000 rows, 8 x 4", own, "s", "random keys sorted", sorted_keys, sorted_keys / own),
            Row("the same against the limit", own, "s", target=20.0),
            Row("the same, memory beyond the rows", memory_beyond(million), "MB"),
            Row("answers, 1,000,000 rows, 5 x 2", seconds(lambda: test(crossed(100_000, 5, 2, answers), "nominal")), "s"),
            Row("answers, 1,000,000 rows, 100 x 10", seconds(lambda: test(crossed(1_000, 100, 10, answers), "nominal"), 1), "s"),
            Row("numbers, 1,000,000 rows, 8 x 4", seconds(lambda: test(numbers, "absolute"), 1), "s"),
            Row("cosine, 100,000 rows x 64, 8 x 4", seconds(lambda: test(vectors, "cosine"), 1), "s"),
            Row("answers, 24 examples, 6 x 3", seconds(lambda: test(few, "nominal")), "s"),
        ]
    )


if __name__ == "__main__":
    main()
