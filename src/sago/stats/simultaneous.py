"""Intervals of a whole profile that hold together (METRICS 7)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from scipy import special

from sago.arrays.grouping import Floats
from sago.arrays.intervals import LEVEL, ROUNDING
from sago.seeds import generator
from sago.stats.evidence import CALIBRATED, Evidence
from sago.stats.paired import Compared, compared, joint

_DRAWS = 4000
_KEY = ("model", "dataset", "axis", "measure", "decoding")


class Simultaneous(NamedTuple):
    """Intervals that hold together.

    Attributes:
        quantile: How many standard errors to either side; 1.96 for a single cell, NaN where no cell has a spread.
        cells: Number of cells that hold together.
        table: ``model, dataset, axis, measure, decoding, lower, upper`` of each of them.
    """

    quantile: float
    cells: int
    table: pl.DataFrame


def simultaneous(evidence: Evidence) -> Simultaneous:
    """Returns 95 % intervals for the instability of all default cells at once: S -+ q SE, q the 95 % quantile of max |S* - S| / SE.

    One bootstrap of examples for all models and axes of a data set, so cells that move together cost little (METRICS 7; the maximum over
    cells in the manner of Westfall & Young 1993). q becomes the t quantile of the same tail, which so far out matters for hundreds
    of examples still. A cell without a spread
    keeps the interval that it has, and takes no part.
    """
    known = [one for one in compared(evidence) if one.mode == CALIBRATED]
    greatest = np.zeros(_DRAWS)
    keys: list[tuple[str, ...]] = []
    for dataset in sorted({one.dataset for one in known}):
        mine = [one for one in known if one.dataset == dataset]
        found, names = _standardised(mine, evidence.rules.seed)
        greatest = np.maximum(greatest, found)
        keys += names
    among = pl.DataFrame(keys, schema=dict.fromkeys(_KEY, pl.String), orient="row")
    rows = evidence.defaults.join(among, on=_KEY, how="semi").filter(pl.col("se") > 0).sort(_KEY)
    if rows.is_empty():
        return Simultaneous(float("nan"), 0, rows.select(*_KEY, "lower", "upper"))
    q = float(np.quantile(greatest, LEVEL))
    level = float(special.ndtr(q))
    half = special.stdtrit(rows["n"].to_numpy() - 1, level) * rows["se"].to_numpy()
    table = rows.select(*_KEY, lower=pl.col("instability") - pl.Series(half), upper=pl.col("instability") + pl.Series(half))
    return Simultaneous(q, table.height, table)


def _standardised(mine: list[Compared], seed: int) -> tuple[Floats, list[tuple[str, ...]]]:
    """Returns the largest |S* - S| / SE over the cells of one data set in each draw, and the cells."""
    columns, errors, floors = [], [], []
    keys: list[tuple[str, ...]] = []
    for one in mine:
        for place, model in enumerate(one.scores.models):
            influence = one.scores.influence[place]
            n = int((~np.isnan(influence)).sum())
            own = float(np.nanstd(influence, ddof=1)) / n**0.5 if n > 1 else 0.0
            if own < ROUNDING:
                continue
            columns.append((one.scores.examples, np.where(np.isnan(influence), 0.0, influence) / n))
            errors.append(own)
            floors.append(float(one.scores.floor[place]))
            keys.append((model, one.dataset, one.cell.axis, one.cell.measure, one.cell.decoding))
    if not columns:
        return np.zeros(_DRAWS), []
    moves = joint(mine, seed, "simultaneous", mine[0].dataset).moves(columns, _DRAWS)
    floor = np.array(floors)
    if floor.any():
        moves = moves + floor * generator(seed, "simultaneous-floor", mine[0].dataset).standard_normal(moves.shape)
    result: Floats = (np.abs(moves) / np.hypot(errors, floor)).max(axis=1)
    return result, keys
