"""Scores of several models on several data sets, invented, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from tests.stats.hand_made import cell, profiles

from sago import schemas
from sago.stats.evidence import Evidence, Rules

GENERATION = ("generation", "answer_flip", "greedy")
Scores = Mapping[tuple[str, str], Mapping[str, np.ndarray]]
"""(axis, data set) -> model -> score of each example; NaN = none."""

MEASURES = {"generation": "answer_flip", "confidence": "jsd", "activations": "cosine", "mirroring": "distinctive_uptake"}


def evidence(scores: Scores, *, scale: Mapping[str, float] | None = None, floor: float | None = None, **rules: Any) -> Evidence:
    """Returns the evidence of these instabilities, influence being the deviation from the mean, W = 0.

    Args:
        scores: Instability by axis, data set and model.
        scale: N of each model: raw scores are instability times this; 1 when not given.
        floor: Standard error from an audit, which all cells have.
        rules: Fields of ``Rules``.
    """
    cells, rows = [], []
    for (axis, dataset), models in scores.items():
        for model, values in models.items():
            known = ~np.isnan(values)
            room = (scale or {}).get(model, 1.0)
            key = {"model": model, "dataset": dataset, "axis": axis, "measure": MEASURES[axis], "decoding": "greedy"}
            se = float(values[known].std(ddof=1) / known.sum() ** 0.5) if known.sum() > 1 else None
            mean = float(values[known].mean()) if known.any() else None
            numbers = {
                "n": int(known.sum()),
                "across": mean and mean * room,
                "rerun": None,
                "unrelated": room,
                "instability": mean,
                "se": se,
            }
            cells.append(cell(**key, **numbers, rerun_p=None, se_floor=floor, reason=None if known.any() else "too_few_variants"))
            rows.append(_rows(key, values, room))
    return Evidence(profiles(*cells), schemas.check("scores", pl.concat(rows)), rules=Rules(**rules))


def _rows(key: dict[str, str], values: np.ndarray, room: float) -> pl.DataFrame:
    known = ~np.isnan(values)
    mean = values[known].mean() if known.any() else 0.0
    count = len(values)
    numbers = {"across": values * room, "rerun": np.full(count, np.nan), "unrelated": np.full(count, room)}
    numbers |= {"instability": values, "influence": values - mean}
    frame = pl.DataFrame({"example": [f"e{place:06d}" for place in range(count)], **numbers}).with_columns(
        pl.col(list(numbers)).fill_nan(None), reason=pl.when(pl.col("instability").is_nan()).then(pl.lit("too_few_variants"))
    )
    constant = {**key, "rerun_p": None, "n_variants": 4, "n_observations": 4}
    types = schemas.dtypes("scores")
    return (
        frame.with_columns(pl.lit(value, dtype=types[name]).alias(name) for name, value in constant.items()).select(list(types)).cast(types)
    )


def drawn(means: Sequence[float], n: int, rng: np.random.Generator, *, spread: float = 0.25, shared: float = 0.25) -> dict[str, np.ndarray]:
    """Returns normal scores of models ``m0``, ``m1``, ...: mean + what all models have of an example + their own."""
    common = rng.normal(0, shared, n)
    return {f"m{place}": mean + common + rng.normal(0, spread, n) for place, mean in enumerate(means)}
