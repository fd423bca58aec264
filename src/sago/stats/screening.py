"""Which examples react to wording more than to asking again? (METRICS 8, 1a and 1c)."""

from __future__ import annotations

from math import factorial

import polars as pl

from sago.arrays import relabelings
from sago.arrays.resampling import POOL
from sago.stats.multiplicity import benjamini_hochberg
from sago.stats.smallest_effect import CELL


def screened(scores: pl.DataFrame) -> pl.DataFrame:
    """Returns the rows of table ``scores`` whose reruns were tested, with ``p_adjusted``: Benjamini & Hochberg 1995 within each cell.

    Args:
        scores: Table ``scores``; ``rerun_p`` is the exact p value of one example, valid without its neighbours.
    """
    tested = scores.filter(pl.col("rerun_p").is_not_null()).sort(*CELL, "example")
    if tested.is_empty():
        return tested.with_columns(p_adjusted=pl.lit(None, pl.Float64))
    parts = [
        part.with_columns(p_adjusted=pl.Series(benjamini_hochberg(part["rerun_p"].to_numpy())))
        for part in tested.partition_by(*CELL, maintain_order=True)
    ]
    return pl.concat(parts)


def unstable_examples(scores: pl.DataFrame, alpha: float = 0.05) -> pl.DataFrame:
    """Returns the examples that react to wording more than to asking again, of every default cell with reruns.

    Of those listed the expected share of false ones is at most alpha (Benjamini & Hochberg within each cell). An example that is not
    listed is not shown to be stable.

    Args:
        scores: Table ``scores``.
        alpha: Share of false ones, in (0, 1).

    Returns:
        Columns ``model, dataset, axis, measure, decoding, example, across, rerun, instability, rerun_p, p_adjusted``; by cell, the largest
        B_i - W_i first.
    """
    found = screened(scores).filter(pl.col("p_adjusted") <= alpha).with_columns(_gap=pl.col("across") - pl.col("rerun"))
    ordered = found.sort(*CELL, "_gap", "example", descending=[*[False] * len(CELL), True, False])
    return ordered.select(*CELL, "example", "across", "rerun", "instability", "rerun_p", "p_adjusted")


def smallest_p(n_variants: int, n_observations: int) -> float:
    """Returns the smallest p that an example with so many responses could get: 1 / (number of its relabelings), and at least 1 / ``POOL``.

    Exact where all variants have equally many reruns, which is taken to be so where the numbers allow it; else a bound from below.

    >>> [round(smallest_p(*counts), 4) for counts in ((2, 4), (3, 6), (4, 8), (8, 32))]
    [0.3333, 0.0667, 0.0095, 0.0005]
    """
    if n_variants < 2 or n_observations > 60:
        return 1 / POOL
    each, more = divmod(n_observations, n_variants)
    if not more:
        return max(1 / POOL, 1 / relabelings((each,) * n_variants))
    # No other split of so many responses has more orders than the most even one, told apart by the names of the variants.
    most: int = factorial(n_observations) // (factorial(each + 1) ** more * factorial(each) ** (n_variants - more))
    return max(1 / POOL, 1 / most)
