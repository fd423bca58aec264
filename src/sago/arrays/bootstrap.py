"""The cluster bootstrap over examples: the same resamples for all models and axes (METRICS 2.4 and 7)."""

from __future__ import annotations

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats

DRAWS = 1000
_COUNTED_BELOW = 4096
"""Examples from which on how often each is drawn comes from a Poisson distribution, which the multinomial is by then."""

_VALUES_AT_ONCE = 4_000_000


def bootstrap_means(values: Floats, rng: np.random.Generator, *, draws: int = DRAWS) -> Floats:
    """Returns the mean of each column over resampled examples, shape (draws, columns); unit that of the values.

    An example is drawn with all its columns, so what models and axes share stays shared. Below 4096 examples how often each is drawn is
    multinomial; from there on Poisson(1), the mean being over what was drawn (the mean over draws is that of the column either way).
    Efron 1979. NaN in a column makes its means NaN: give 0 for "takes no part" in a sum. O(draws n columns).

    Args:
        values: One row an example, one column for whatever is averaged.
        rng: Generator seeded from content.
        draws: Number of resamples.
    """
    count, columns = values.shape
    centre = values.mean(axis=0)
    # Counts are small whole numbers and deviations small: single precision loses nothing that a bootstrap could show.
    deviations = (values - centre).astype(np.float32)
    result = np.empty((draws, columns))
    step = max(1, min(draws, _VALUES_AT_ONCE // max(count, 1)))
    for begin in range(0, draws, step):
        size = min(step, draws - begin)
        weights = _multinomial(size, count, rng) if count < _COUNTED_BELOW else _poisson(size, count, rng)
        drawn = np.full(size, float(count)) if count < _COUNTED_BELOW else weights.sum(axis=1, dtype=np.float64)
        result[begin : begin + size] = (weights @ deviations) / drawn[:, None]
    result += centre
    return result


def _multinomial(draws: int, count: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    chosen = rng.integers(0, count, (draws, count)) + count * np.arange(draws)[:, None]
    return np.bincount(chosen.reshape(-1), minlength=draws * count).reshape(draws, count).astype(np.float32)


def _poisson(draws: int, count: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Looks Poisson(1) counts up in a table of 2^16 quantiles, ten times as fast as drawing them."""
    words = -(-draws * count // 4)
    chosen = rng.integers(0, 1 << 64, words, dtype=np.uint64).view(np.uint16)[: draws * count]
    return _QUANTILES[chosen].reshape(draws, count)


_QUANTILES = np.searchsorted(special.pdtr(np.arange(16), 1.0), (np.arange(1 << 16) + 0.5) / (1 << 16)).astype(np.float32)
