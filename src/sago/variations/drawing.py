"""Random order from a generator's doubles alone: the same on every machine, whatever its word size."""

from __future__ import annotations

import numpy as np


def random_order(rng: np.random.Generator, size: int) -> list[int]:
    """Returns the numbers 0 to ``size`` - 1 in a random order."""
    order: list[int] = rng.random(size).argsort(kind="stable").tolist()
    return order


def pick(rng: np.random.Generator, size: int) -> int:
    """Returns one number from 0 to ``size`` - 1."""
    return min(int(rng.random() * size), size - 1)
