"""Internal activations: does the inner state at the last prompt token move? (METRICS 4)."""

from __future__ import annotations

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.distances import Floats, Values
from sago.axes.cells import Asked, Cell, Layer, Mask, asked, labels_of, matrix
from sago.axes.distance_axis import score_cells
from sago.axes.protocol import AxisInput, Scored

SD_FLOOR = 1e-6
"""Smallest standard deviation that a dimension is divided by; a dimension that does not vary at all is dropped."""

MEASURE = "state_cosine"


class Activations:
    """``state_cosine``: 1 - cosine of z-scored states, per layer, then the mean over the layers; layer 0 is left out.

    Every dimension is z-scored with mean and standard deviation over the wordings of the cell (controls and audit rows are scaled alike),
    because one dimension of large variance would otherwise decide alone.
    """

    name = "activations"
    description = "does the inner state at the last prompt token move: state_cosine, mean over layers"
    measures = (MEASURE,)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        states = inputs.states.filter(pl.col("layer") > 0)
        readings = complete_observations(states)
        return score_cells([_cell(part, states) for part in asked(inputs, readings, prompt_only=True)], inputs.seed)


def complete_observations(states: pl.DataFrame) -> pl.DataFrame:
    """Returns one row for each observation: reason null where it has a finite state at every layer of its model and data set.

    An observation that lacks a layer is left out of all, so that every layer is about the same rows.
    """
    widest = pl.col("layer").n_unique().over("model", "dataset")
    finite = pl.col("vector").is_not_null().all() & (pl.col("layer").n_unique() == pl.col("_layers").first())
    seen = states.select(*schemas.KEYS, "layer", "vector", _layers=widest).group_by(*schemas.KEYS).agg(finite.alias("complete"))
    return seen.select(*schemas.KEYS, reason=pl.when("complete").then(None).otherwise(pl.lit("non_finite")))


def _cell(part: Asked, states: pl.DataFrame) -> Cell:
    known = part.rows.filter(pl.col("reason").is_null())
    mine = states.join(known.select(schemas.KEYS), on=list(schemas.KEYS), how="semi")
    main = labels_of(known, part.examples).main

    def layer(number: int) -> Layer:
        rows = known.select(schemas.KEYS).join(
            mine.filter(pl.col("layer") == number), on=list(schemas.KEYS), how="left", maintain_order="left"
        )
        return Layer(number, lambda: standardised(matrix(rows["vector"]), main))

    layers = tuple(layer(number) for number in mine["layer"].unique().sort().to_list())
    flags = ["layers_missing"] if known.height < part.rows.height else []
    return part.cell("activations", MEASURE, "cosine", default=True, known=known, layers=layers, flags=flags)


def standardised(vectors: Values, main: Mask) -> Floats:
    """Returns z-scored vectors without the dimensions that do not vary; all alike (one dimension of ones) where none does.

    Args:
        vectors: States (rows, dimensions).
        main: Rows over which mean and standard deviation are taken: the wordings.
    """
    basis = vectors[main] if main.any() else vectors
    varies = np.ptp(basis, axis=0) > 0
    if not varies.any():
        return np.ones((vectors.shape[0], 1))
    basis = basis[:, varies].astype(np.float64)
    result = vectors[:, varies].astype(np.float64)
    result -= basis.mean(axis=0)
    result /= np.maximum(basis.std(axis=0), SD_FLOOR)
    return result


axis = Activations()
"""The registered axis."""
