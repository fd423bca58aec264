"""What claims are made from: the tables of scores, and what was fixed before looking."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats, Values

CALIBRATED = "calibrated"
RAW = "raw"
MODES = (CALIBRATED, RAW)
"""How a score is counted: as instability, or as distance less the noise of asking twice; both are tested, for they can disagree."""


@dataclass(frozen=True)
class Rules:
    """What was fixed before looking (METRICS 8).

    Attributes:
        smallest_effect: Smallest effect of interest, in [0, 1).
        alpha: Error level, in (0, 0.5).
        margin: Correlations within this of 0 count as none, in (0, 1).
        seed: Study seed, for resampling.
    """

    smallest_effect: float = 0.05
    alpha: float = 0.05
    margin: float = 0.30
    seed: int = 0


@dataclass(frozen=True)
class Cell:
    """Axis, measure and way of decoding: what models and data sets are compared on."""

    axis: str
    measure: str
    decoding: str


@dataclass(frozen=True)
class Paired:
    """Scores of several models on the same examples of one data set; NaN where a model has none.

    Attributes:
        models: Names, sorted. examples: Ids, sorted.
        score: S_i (calibrated), or B_i - W_i (raw), shape (models, examples).
        influence: psi_i, what an example adds to the error of the model's mean, same shape.
        floor: Standard error of each model that comes from its audit's floor and that all its examples share; 0 without one.
    """

    models: tuple[str, ...]
    examples: tuple[str, ...]
    score: Floats
    influence: Floats
    floor: Floats

    @property
    def shared(self) -> Values:
        """Which examples every model has a score on, shape (examples,)."""
        return np.logical_not(np.isnan(self.score).any(axis=0))


@dataclass(frozen=True)
class Evidence:
    """The tables that claims are made from. What is empty makes no claim, or one that says that it was not tested.

    Attributes:
        profiles: Table ``profiles``.
        scores: Table ``scores``.
        halves: Table ``halves``.
        controls: Table ``controls``.
        covariates: Table ``covariates``: what else is known of each example.
        rules: What was fixed before looking.
    """

    profiles: pl.DataFrame
    scores: pl.DataFrame = field(default_factory=lambda: schemas.empty("scores"))
    halves: pl.DataFrame = field(default_factory=lambda: schemas.empty("halves"))
    controls: pl.DataFrame = field(default_factory=lambda: schemas.empty("controls"))
    covariates: pl.DataFrame = field(default_factory=lambda: schemas.empty("covariates"))
    rules: Rules = field(default_factory=Rules)

    @property
    def defaults(self) -> pl.DataFrame:
        """The profiles of default measures: whole cells, no family, no layer."""
        return self.profiles.filter(pl.col("default") & pl.col("family").is_null() & pl.col("layer").is_null())

    def cells(self) -> list[Cell]:
        """Returns the default cells that any model has, sorted."""
        rows = self.defaults.select("axis", "measure", "decoding").unique().sort("axis", "measure", "decoding")
        return [Cell(*row) for row in rows.iter_rows()]

    def datasets(self, cell: Cell) -> list[str]:
        """Returns the data sets on which any model has a score in this cell, sorted."""
        return sorted(set(self._of(cell).filter(pl.col("across").is_not_null())["dataset"].to_list()))

    def paired(self, cell: Cell, dataset: str, mode: str) -> Paired:
        """Returns the scores of all models on one data set, example by example; a model without any is left out."""
        rows = self._of(cell).filter(pl.col("dataset") == dataset)
        raw = pl.col("across") - pl.col("rerun").fill_null(pl.col("rerun").mean().over("model")).fill_null(0.0)
        if cell.axis == "mirroring" or mode == CALIBRATED:
            rows = rows.with_columns(_score=pl.col("instability"), _influence=pl.col("influence"))
        else:
            rows = rows.with_columns(_score=raw).with_columns(_influence=pl.col("_score") - pl.col("_score").mean().over("model"))
        rows = rows.filter(pl.col("_score").is_not_null())
        models, examples = (rows[name].unique().sort().to_list() for name in ("model", "example"))
        place = {
            name: rows[name].replace_strict(known, range(len(known)), return_dtype=pl.Int64).to_numpy()
            for name, known in (("model", models), ("example", examples))
            if known
        }
        score, influence = (np.full((len(models), len(examples)), np.nan) for _ in range(2))
        if place:
            score[place["model"], place["example"]] = rows["_score"].to_numpy()
            influence[place["model"], place["example"]] = rows["_influence"].to_numpy()
        return Paired(tuple(models), tuple(examples), score, influence, self._floors(cell, dataset, models, mode))

    def _floors(self, cell: Cell, dataset: str, models: list[str], mode: str) -> Floats:
        is_cell = [pl.col(name) == getattr(cell, name) for name in ("axis", "measure", "decoding")]
        rows = self.defaults.filter(*is_cell, pl.col("dataset") == dataset).select("model", "se_floor", "rerun", "unrelated", "instability")
        known: dict[str, float] = {}
        for model, se, rerun, unrelated, instability in rows.iter_rows():
            if not se:
                continue
            # The error of S from the floor is (1 - S) / (N - W) times that of W itself, which is the error of B - W.
            known[model] = se if mode == CALIBRATED else se * (unrelated - (rerun or 0.0)) / max(1 - instability, 1e-9)
        return np.array([known.get(model, 0.0) for model in models])

    def _of(self, cell: Cell) -> pl.DataFrame:
        return self.scores.filter(*(pl.col(name) == getattr(cell, name) for name in ("axis", "measure", "decoding")))
