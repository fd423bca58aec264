"""Evidence about two or more axes with a known truth: half-scores of simulated wordings."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from tests.stats.hand_made import cell, profiles

from sago import schemas
from sago.arrays.halving import ways_to_halve
from sago.stats.evidence import Evidence, Rules

AXES = ("activations", "confidence", "generation", "mirroring")
WAYS = ways_to_halve(8, np.random.default_rng(0)).astype(np.float64)

Scores = np.ndarray[Any, np.dtype[np.float64]]


def scores(
    n: int, rho: float, reliability: float, rng: np.random.Generator, *, axes: int = 2, shared: float = 0.0, wordings: int = 8
) -> list[Scores]:
    """Returns scores of axes (examples, wordings) whose true values correlate by rho.

    Args:
        n: Examples.
        rho: Correlation of the true values.
        reliability: Of the mean over all wordings.
        rng: Generator.
        axes: Number of axes.
        shared: Correlation of the noise of axes in one wording.
        wordings: Number of wordings.
    """
    truth = rng.multivariate_normal(
        np.zeros(axes), np.full((axes, axes), rho) + (1 - rho) * np.eye(axes), size=n, method="cholesky" if abs(rho) < 1 else "svd"
    )
    size = np.sqrt(wordings * (1 - reliability) / reliability)
    common = rng.normal(size=(n, wordings))
    noise = [np.sqrt(shared) * common + np.sqrt(1 - shared) * rng.normal(size=(n, wordings)) for _ in range(axes)]
    return [truth[:, [axis]] + size * noise[axis] for axis in range(axes)]


def halves(of_axes: list[Scores], **names: str) -> pl.DataFrame:
    """Returns table ``halves`` of one stratum of axes with eight wordings."""
    head = {"model": "m", "dataset": "d", "decoding": "greedy", **names}
    tables = []
    for axis, values in zip(AXES, of_axes, strict=False):
        first, second = ((values @ way.T / 4).astype(np.float32) for way in (WAYS, 1 - WAYS))
        rows = pl.DataFrame(
            {
                "example": [f"{place:06d}" for place in range(len(values))],
                "first": pl.Series(first).cast(pl.List(pl.Float32)),
                "second": pl.Series(second).cast(pl.List(pl.Float32)),
            }
        )
        named = {**head, "axis": axis, "measure": axis[:4]}
        tables.append(rows.with_columns(**{name: pl.lit(value) for name, value in named.items()}))
    return schemas.check("halves", pl.concat(tables).select(*schemas.dtypes("halves")))


def evidence(*tables: pl.DataFrame, covariates: pl.DataFrame | None = None, rules: Rules | None = None) -> Evidence:
    """Returns evidence of strata, with a profile for each cell."""
    every = pl.concat([schemas.empty("halves"), *tables])
    cells = every.select("model", "dataset", "axis", "measure", "decoding").unique().sort(pl.all())
    rows = profiles(*(cell(**row) for row in cells.iter_rows(named=True)))
    known = schemas.empty("covariates") if covariates is None else covariates
    return Evidence(rows, halves=every, covariates=known, rules=rules or Rules())
