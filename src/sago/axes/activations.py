"""Internal activations: does the inner state at the last prompt token move? (METRICS 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats, Values
from sago.axes.cells import Asked, Cell, Layer, Mask, asked, labels_of, matrix
from sago.axes.distance_axis import score_cells
from sago.axes.protocol import AxisInput, Scored
from sago.records import Capability

SD_FLOOR = 1e-6
"""Smallest standard deviation that a dimension is divided by; a dimension that does not vary at all is dropped."""

MEASURE = "state_cosine"

Prepare = Callable[[Values, Mask], Values]


class Activations:
    """``state_cosine``: 1 - cosine of z-scored states, per layer, then the mean over the layers; layer 0 is left out.

    Every dimension is z-scored with mean and standard deviation over the wordings of the cell (controls and audit rows are scaled alike),
    because one dimension of large variance would otherwise decide alone.
    """

    name = "activations"
    description = "does the inner state at the last prompt token move: state_cosine, mean over layers"
    measures = (MEASURE,)
    needs: Mapping[str, Capability] = MappingProxyType({MEASURE: "states"})

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        states = of_prompt(inputs.states)
        readings = complete_observations(states)
        return score_cells([state_cell(part, states) for part in asked(inputs, readings, prompt_only=True)], inputs.seed)


def of_prompt(states: pl.DataFrame) -> pl.DataFrame:
    """Returns the states of one tap point a layer, layer 0 left out: the last prompt token's, before the final norm.

    States of other tokens inherit what was generated (METRICS 4); they are taken only where a layer has no other.
    """
    taps = states.select("layer", "tap").unique().filter(pl.col("layer") > 0)
    order = [~pl.col("tap").str.starts_with("last_prompt_token"), pl.col("tap").str.ends_with("final"), pl.col("tap")]
    chosen = taps.sort("layer", *order).unique("layer", keep="first")["tap"].to_list()
    return states.filter((pl.col("layer") > 0) & pl.col("tap").is_in(chosen))


def of_response(states: pl.DataFrame) -> pl.DataFrame:
    """Returns the states that are means over the tokens of responses, layer 0 left out; a part of what was generated moves them."""
    return states.filter((pl.col("layer") > 0) & pl.col("tap").str.starts_with("response_mean"))


def complete_observations(states: pl.DataFrame) -> pl.DataFrame:
    """Returns one row for each observation: reason null where it has a finite state at every layer of its model and data set.

    An observation that lacks a layer is left out of all, so that every layer is about the same rows.
    """
    there = states.select(*schemas.KEYS, "layer", _there=pl.col("vector").is_not_null())
    widest = pl.col("layer").n_unique().over("model", "dataset")
    finite = pl.col("_there").all() & (pl.col("layer").n_unique() == pl.col("_layers").first())
    seen = there.with_columns(_layers=widest).group_by(*schemas.KEYS).agg(finite.alias("complete"))
    return seen.select(*schemas.KEYS, reason=pl.when("complete").then(None).otherwise(pl.lit("non_finite")))


def state_cell(part: Asked, states: pl.DataFrame, prepare: Prepare | None = None, measure: str = MEASURE, distance: str = "cosine") -> Cell:
    """Returns the cell of a measure of states; the default measure without further arguments.

    Args:
        part: What was asked, with the readings of ``complete_observations``.
        states: States of ``of_prompt``.
        prepare: (states of a layer, rows that count as wordings) -> what the distance is taken of; null = ``standardised``.
        measure: Name of the measure.
        distance: Name of the distance.
    """
    known = part.rows.filter(pl.col("reason").is_null())
    main = labels_of(known, part.examples).main

    def layer(number: int) -> Layer:
        return Layer(number, lambda: (prepare or standardised)(vectors_at(known, states, number), main))

    flags = ["layers_missing"] if known.height < part.rows.height else []
    layers = tuple(layer(number) for number in layers_of(part, states))
    return part.cell("activations", measure, distance, default=measure == MEASURE, known=known, layers=layers, flags=flags)


def layers_of(part: Asked, states: pl.DataFrame) -> list[int]:
    """Returns the layers of the model that was asked, in order."""
    of_cell = (pl.col("model") == part.model) & (pl.col("dataset") == part.dataset)
    found: list[int] = states.select("model", "dataset", "layer").filter(of_cell)["layer"].unique().sort().to_list()
    return found


def vectors_at(rows: pl.DataFrame, states: pl.DataFrame, layer: int) -> Values:
    """Returns the states of observations at one layer, one a row, in the order of the rows."""
    at_layer = states.filter(pl.col("layer") == layer)
    return matrix(rows.select(schemas.KEYS).join(at_layer, on=list(schemas.KEYS), how="left", maintain_order="left")["vector"])


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
