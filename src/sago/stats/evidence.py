"""What claims are made from: the tables of scores, and what was fixed before looking."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats, Integers, Values

CALIBRATED = "calibrated"
RAW = "raw"
_MANY = 10**6
"""Audited examples where the table does not say how many."""

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
        filled: Where a score takes the mean noise of the examples of the model that were asked twice, same shape; null = nowhere.
        audited: Examples behind each ``floor``; 0 without one. Null = none.
    """

    models: tuple[str, ...]
    examples: tuple[str, ...]
    score: Floats
    influence: Floats
    floor: Floats
    filled: Values | None = None
    audited: Integers | None = None

    @property
    def shared(self) -> Values:
        """Which examples every model has a score on, shape (examples,)."""
        return np.logical_not(np.isnan(self.score).any(axis=0))

    def behind(self, model: int, examples: Values) -> int | None:
        """Returns how many of some examples measure the noise that the model's others among them take; null = each has its own."""
        counts = []
        if self.audited is not None and self.floor[model] > 0:
            counts.append(int(self.audited[model]))
        if self.filled is not None and (self.filled[model] & examples).any():
            counts.append(int((~self.filled[model] & examples).sum()))
        return min(counts, default=None)


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
        audits = self._audits(cell, dataset, mode)
        noise = pl.col("rerun").mean().over("model")
        filled = pl.col("rerun").is_null() & noise.is_not_null() & ~pl.col("model").is_in(list(audits))
        if cell.axis == "mirroring" or mode == CALIBRATED:
            rows = rows.filter(pl.col("instability").is_not_null())
            rows = rows.with_columns(_score=pl.col("instability"), _influence=pl.col("influence"), _filled=filled)
        else:
            rows = rows.filter(pl.col("across").is_not_null())
            # psi_i as for one model's B - W: a floor of n_W examples moves with each of them n / n_W times.
            moved = (pl.col("rerun") - noise) * pl.len().over("model") / pl.col("rerun").count().over("model")
            rows = rows.with_columns(
                _score=pl.col("across") - pl.col("rerun").fill_null(noise).fill_null(0.0),
                _influence=pl.col("across") - pl.col("across").mean().over("model") - moved.fill_null(0.0),
                _filled=filled,
            )
        models, examples = (rows[name].unique().sort().to_list() for name in ("model", "example"))
        place = {
            name: rows[name].replace_strict(known, range(len(known)), return_dtype=pl.Int64).to_numpy()
            for name, known in (("model", models), ("example", examples))
            if known
        }
        score, influence = (np.full((len(models), len(examples)), np.nan) for _ in range(2))
        is_filled = np.zeros(score.shape, np.bool_)
        if place:
            score[place["model"], place["example"]] = rows["_score"].to_numpy()
            influence[place["model"], place["example"]] = rows["_influence"].to_numpy()
            is_filled[place["model"], place["example"]] = rows["_filled"].to_numpy()
        floors = [audits.get(model, (0.0, 0)) for model in models]
        floor, audited = np.array([se for se, _ in floors]), np.array([count for _, count in floors], dtype=np.int64)
        return Paired(tuple(models), tuple(examples), score, influence, floor, is_filled, audited)

    def _audits(self, cell: Cell, dataset: str, mode: str) -> dict[str, tuple[float, int]]:
        """Returns the error of each model's score from its audit's floor, and the audited examples.

        Raw scores whose W_i are known have it in their influence.
        """
        is_cell = [pl.col(name) == getattr(cell, name) for name in ("axis", "measure", "decoding")]
        rows = self.defaults.filter(*is_cell, pl.col("dataset") == dataset, pl.col("se_floor") > 0)
        of_examples = self._of(cell).filter(pl.col("dataset") == dataset).group_by("model").agg(pl.col("rerun").count()).iter_rows()
        counts = dict(of_examples)
        known: dict[str, tuple[float, int]] = {}
        for model, se, rerun, unrelated, instability in rows.select("model", "se_floor", "rerun", "unrelated", "instability").iter_rows():
            count = counts.get(model, 0)
            if mode == CALIBRATED:
                known[model] = (se, count or _MANY)
            elif not count:
                # The error of S from the floor is (1 - S) / (N - W) times that of W itself, which is the error of B - W.
                known[model] = (se * (unrelated - (rerun or 0.0)) / max(1 - instability, 1e-9), _MANY)
        return known

    def _of(self, cell: Cell) -> pl.DataFrame:
        return self.scores.filter(*(pl.col(name) == getattr(cell, name) for name in ("axis", "measure", "decoding")))
