"""Generation consistency: does the answer change? (METRICS 3)."""

from __future__ import annotations

import polars as pl

from sago.axes.distance_axis import Measure, feature_cells, score_cells
from sago.axes.protocol import AxisInput, Scored

ANSWER_FLIP = Measure("answer_flip", "answer", "nominal")
EMBEDDING = Measure("embedding", "embedding", "cosine")


class Generation:
    """``answer_flip``: 0 if two answers are equal, 1 if not; ``embedding``: 1 - cosine of sentence embeddings of the responses.

    Flips are the default where every example of a data set has choices or a number as its answer, embeddings elsewhere. An answer that
    could not be read is at distance 1 from everything, another such included. Refusals and empty replies are answers of their own kind
    (``non_answers`` changes this: ``unknown`` makes them unread, ``missing`` leaves them and the unread out).
    """

    name = "generation"
    description = "does the answer change: answer_flip for choices and numbers, embedding for free text"
    measures = (ANSWER_FLIP.name, EMBEDDING.name)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        defaults = default_measures(inputs)
        cells = [
            *feature_cells(inputs, self.name, ANSWER_FLIP, lambda dataset: defaults.get(dataset) == ANSWER_FLIP.name),
            *feature_cells(inputs, self.name, EMBEDDING, lambda dataset: defaults.get(dataset) == EMBEDDING.name),
        ]
        return score_cells(cells, inputs.seed)


def default_measures(inputs: AxisInput) -> dict[str, str]:
    """Returns the default generation measure of each data set."""
    if inputs.generation_measure != "auto":
        return dict.fromkeys(inputs.examples["dataset"].unique().to_list(), inputs.generation_measure)
    closed = inputs.examples.group_by("dataset").agg(pl.col("task").is_in(["choice", "numeric"]).all())
    return {dataset: ANSWER_FLIP.name if flips else EMBEDDING.name for dataset, flips in closed.iter_rows()}


axis = Generation()
"""The registered axis."""
