"""Validity of the 95 % interval of instability: how often it covers the truth, by distance, S, examples, wordings, reruns and balance.

Answers and vectors are drawn from models whose S is known:

    nominal            an example's own answer of K = 6; with probability pi a wording has another draw, with probability rho a rerun
                       has: S = 1 - (1 - pi)^2
    absolute           x = example + wording + rerun, normal: E|x - y| is in proportion to the root of the variance of the difference
    squared_euclidean  the same in four dimensions: S = share of the noise-free variance that wordings have
    cosine             the same in sixteen dimensions: E cos of two normal vectors of correlation r is a hypergeometric function of r

With one rerun the draws have no rerun noise, and S = 0 would mean that nothing ever moves: those cells are left out, for S = 0 is
identified only against reruns. ``unbalanced``: each wording is missing for an example with probability 1/4 (two always stay), and each
has 1 to R reruns. The row's value is the coverage (its own error at 2,000 draws: .005); its target is the lower end of the band that is
asked of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from sago.arrays import Rows, index_of, parts_of
from sago.seeds import generator
from table import Row, show

ANSWERS, DIMENSIONS = 6, {"absolute": 1, "squared_euclidean": 4, "cosine": 16}
NOISE = 0.3
"""Probability (nominal) or variance (the others) of rerun noise, where there are reruns."""


class Cell(NamedTuple):
    """One row of the table."""

    distance: str
    truth: float
    examples: int
    variants: int
    reruns: int
    balanced: bool

    @property
    def name(self) -> str:
        """Name of the row."""
        head = f"coverage {self.distance} S={self.truth:g} n={self.examples} V={self.variants} R={self.reruns}"
        return head if self.balanced else head + " unbalanced"


def cells() -> Iterator[Cell]:
    """Yields every cell that is identified."""
    for distance in ("nominal", "absolute", "cosine", "squared_euclidean"):
        for truth in (0.0, 0.2, 0.5):
            for examples in (50, 200):
                for variants in (4, 8):
                    for reruns in (1, 3):
                        if truth > 0 or reruns > 1:
                            yield from (Cell(distance, truth, examples, variants, reruns, balanced) for balanced in (True, False))


def expected_cosine(correlation: float, dimensions: int) -> float:
    """Returns E cos of two standard normal vectors whose coordinates correlate."""
    front = 2 / dimensions * (special.gamma((dimensions + 1) / 2) / special.gamma(dimensions / 2)) ** 2
    return float(correlation * front * special.hyp2f1(0.5, 0.5, dimensions / 2 + 1, correlation**2))


def wording_variance(cell: Cell, noise: float) -> float:
    """Returns the variance of wordings (example and wording sum to 1) that makes S the truth."""
    truth = cell.truth
    if cell.distance == "squared_euclidean":
        return truth
    if cell.distance == "absolute":
        return max(float((truth * (np.sqrt(1 + noise) - np.sqrt(noise)) + np.sqrt(noise)) ** 2 - noise), 0.0)
    within = expected_cosine(1 / (1 + noise), DIMENSIONS["cosine"])

    def excess(variance: float) -> float:
        return (within - expected_cosine((1 - variance) / (1 + noise), DIMENSIONS["cosine"])) / within - truth

    return float(optimize.brentq(excess, 0, 1)) if truth else 0.0


def drawn(cell: Cell, rng: np.random.Generator) -> Rows:
    """Draws one cell."""
    n, v, r = cell.examples, cell.variants, cell.reruns
    noise = NOISE if r > 1 else 0.0
    if cell.distance == "nominal":
        changed = 1 - np.sqrt(1 - cell.truth)
        values = np.broadcast_to(rng.integers(0, ANSWERS, (n, 1, 1)), (n, v, r))
        of_wording = np.broadcast_to(rng.integers(0, ANSWERS, (n, v, 1)), (n, v, r))
        values = np.where(rng.random((n, v, 1)) < changed, of_wording, values)
        values = np.where(rng.random((n, v, r)) < noise, rng.integers(0, ANSWERS, (n, v, r)), values).reshape(-1)
    else:
        width, variance = DIMENSIONS[cell.distance], wording_variance(cell, noise)
        values = (
            np.sqrt(1 - variance) * rng.normal(size=(n, 1, 1, width))
            + np.sqrt(variance) * rng.normal(size=(n, v, 1, width))
            + np.sqrt(noise) * rng.normal(size=(n, v, r, width))
        ).reshape(n * v * r, width)
        values = values[:, 0] if width == 1 else values
    example, variant, rerun = (labels.reshape(-1) for labels in np.indices((n, v, r)))
    if cell.balanced:
        return Rows(values, example, variant)
    there = rng.random((n, v)) < 0.75
    there[np.arange(n), rng.integers(0, v, n)] = True
    there[np.arange(n), (np.argmax(there, axis=1) + 1) % v] = True
    kept = (rerun < rng.integers(1, r + 1, (n, v))[example, variant]) & there[example, variant]
    return Rows(values[kept], example[kept], variant[kept])


def coverage(cell: Cell, simulations: int) -> float:
    """Returns the share of intervals that hold the truth; an interval that is null does not."""
    hits = 0
    for number in range(simulations):
        found = index_of(parts_of(drawn(cell, generator("coverage", *cell, number)), cell.distance)).interval
        hits += bool(found.lower <= cell.truth <= found.upper)
    return hits / simulations


def main() -> None:
    """Simulates and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulations", type=int, default=2000)
    given, left = parser.parse_known_args()
    sys.argv = [sys.argv[0], *left]
    rows, every = [], list(cells())
    with ProcessPoolExecutor() as pool:
        found = pool.map(coverage, every, [given.simulations] * len(every))
        for cell, value in zip(every, found, strict=True):
            low = 0.93 if cell.examples >= 200 else 0.92
            rows.append(Row(cell.name, value, "", target=low, better="higher"))
    show(rows)
    outside = [row.name for row in rows if row.target is not None and not row.target <= row.value <= 0.98 - (row.target - 0.92)]
    print(f"{len(rows) - len(outside)} of {len(rows)} rows inside their band ([.92, .98] at n = 50, [.93, .97] at n = 200)")
    for name in outside:
        print(f"outside: {name}")


if __name__ == "__main__":
    main()
