"""Internal activations: does the inner state at the last prompt token move? (METRICS 4)."""

from __future__ import annotations

import numpy as np
import polars as pl

from sago.arrays.distances import Floats
from sago.axes.cells import Cell, Labels, Layer, asked_examples, by_cell, labels_of, with_families
from sago.axes.distance_axis import score_cells
from sago.axes.protocol import AxisInput, Scored

SD_FLOOR = 1e-6
"""Dimensions that vary less than this over the cell are left out."""


class Activations:
    """``state_cosine``: 1 - cosine of z-scored states, per layer, then the mean over the layers; layer 0 is left out.

    Every dimension is z-scored with mean and standard deviation over the wordings of the cell (controls and audit rows are scaled alike),
    because one dimension of large variance would otherwise decide alone.
    """

    name = "activations"
    description = "does the inner state at the last prompt token move: state_cosine, mean over layers"
    measures = ("state_cosine",)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        states = with_families(inputs.states.filter((pl.col("layer") > 0) & pl.col("vector").is_not_null()), inputs.variants)
        asked = asked_examples(inputs.observations)
        found = {(model, dataset): _cell(rows, asked[model, dataset]) for model, dataset, _, rows in by_cell(states, ("greedy",))}
        nothing = labels_of(states.clear())
        cells = [
            found.get(key) or Cell(*key, "greedy", self.name, "state_cosine", "cosine", True, nothing, (), count, "not_observable")
            for key, count in sorted(asked.items())
        ]
        return score_cells(cells, inputs.seed)


def _cell(rows: pl.DataFrame, asked: int) -> Cell:
    numbers = sorted(rows["layer"].unique().to_list())
    keys = ["example", "variant", "decoding", "rerun"]
    # An observation that lacks a layer (its state was not finite) is left out of all: every layer has the same rows.
    complete = rows.group_by(keys).agg(pl.col("layer").n_unique().alias("layers")).filter(pl.col("layers") == len(numbers)).select(keys)
    rows = rows.join(complete, on=keys, how="semi").sort(keys)
    by_layer = {number: rows.filter(pl.col("layer") == number) for number in numbers}
    first = by_layer[numbers[0]]
    labels = labels_of(first)
    layers = tuple(Layer(number, standardised(_matrix(by_layer[number]), labels)) for number in numbers)
    flags = () if complete.height == rows.select(keys).unique().height else ("layers_missing",)
    return Cell(
        first["model"][0], first["dataset"][0], "greedy", "activations", "state_cosine", "cosine", True, labels, layers, asked, None, flags
    )


def _matrix(rows: pl.DataFrame) -> Floats:
    result: Floats = np.array(rows["vector"].to_list(), dtype=np.float64)
    return result


def standardised(vectors: Floats, labels: Labels) -> Floats:
    """Returns z-scored vectors; mean and standard deviation are those of the wordings, constant dimensions are dropped."""
    basis = vectors[labels.main] if labels.main.any() else vectors
    mean, deviation = basis.mean(axis=0), basis.std(axis=0)
    varies = deviation > SD_FLOOR
    if not varies.any():
        return np.zeros((vectors.shape[0], 1))
    result: Floats = (vectors[:, varies] - mean[varies]) / deviation[varies]
    return result


axis = Activations()
"""The registered axis."""
