"""Generation consistency: does the answer change? (METRICS 3)."""

from __future__ import annotations

import numpy as np
import polars as pl

from sago.axes.cells import Cell, Layer, asked_examples, by_cell, dominant_reason, labels_of, with_families
from sago.axes.distance_axis import score_cells
from sago.axes.protocol import AxisInput, Scored

DECODINGS = ("greedy", "sampled")
_MISSING = ("error", "too_long", "not_observable", "needs_encoder", "non_finite")
_UNKNOWN = ("unparsed", "truncated")
_NON_ANSWERS = ("<empty>", "<refusal>", "<filtered>")


class Generation:
    """``answer_flip``: 0 if two answers are equal, 1 if not; ``embedding``: 1 - cosine of sentence embeddings of the responses.

    An answer that could not be read is at distance 1 from everything, another such included. Refusals and empty replies are answers of
    their own kind (``non_answers`` changes this).
    """

    name = "generation"
    description = "does the answer change: answer_flip for choices and numbers, embedding for free text"
    measures = ("answer_flip", "embedding")

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        defaults = default_measures(inputs)
        cells = [
            *_cells(inputs, "answer", "answer_flip", "nominal", defaults),
            *_cells(inputs, "embedding", "embedding", "cosine", defaults),
        ]
        return score_cells(cells, inputs.seed)


def default_measures(inputs: AxisInput) -> dict[str, str]:
    """Returns the default generation measure of each data set: flips where every example has choices or numbers, else embeddings."""
    if inputs.generation_measure != "auto":
        return dict.fromkeys(inputs.examples["dataset"].unique().to_list(), inputs.generation_measure)
    closed = inputs.examples.group_by("dataset").agg(pl.col("task").is_in(["choice", "numeric"]).all())
    return {dataset: "answer_flip" if flips else "embedding" for dataset, flips in closed.iter_rows()}


def _cells(inputs: AxisInput, feature: str, measure: str, distance: str, defaults: dict[str, str]) -> list[Cell]:
    rows = with_families(inputs.features.filter(pl.col("feature") == feature), inputs.variants)
    asked = asked_examples(inputs.observations)
    cells, seen = [], set()
    for model, dataset, decoding, every in by_cell(rows, DECODINGS):
        seen.add((model, dataset, decoding))
        known = every.filter(~pl.col("reason").fill_null("").is_in(_MISSING))
        if inputs.non_answers == "missing":
            known = known.filter(~pl.col("category").fill_null("").is_in(_NON_ANSWERS) & ~pl.col("reason").fill_null("").is_in(_UNKNOWN))
        empty = known.is_empty()
        cells.append(
            Cell(
                model=model,
                dataset=dataset,
                decoding=decoding,
                axis="generation",
                measure=measure,
                distance=distance,
                default=defaults.get(dataset) == measure,
                labels=labels_of(known),
                layers=() if empty else (Layer(None, _values(known, measure, inputs.non_answers)),),
                asked=asked[model, dataset],
                reason=dominant_reason(every["reason"]) if empty else None,
            )
        )
    return [*cells, *_never_read(inputs, measure, distance, defaults, seen)]


def _never_read(inputs: AxisInput, measure: str, distance: str, defaults: dict[str, str], seen: set[tuple[str, str, str]]) -> list[Cell]:
    """A default measure without a single reading still stands in the profile, as not observable."""
    asked = asked_examples(inputs.observations)
    wanted = inputs.observations.filter(pl.col("decoding").is_in(DECODINGS)).select("model", "dataset", "decoding").unique().sort(pl.all())
    return [
        Cell(
            model,
            dataset,
            decoding,
            "generation",
            measure,
            distance,
            True,
            labels_of(_nothing(inputs)),
            (),
            asked[model, dataset],
            "not_observable",
        )
        for model, dataset, decoding in wanted.iter_rows()
        if defaults.get(dataset) == measure and (model, dataset, decoding) not in seen
    ]


def _nothing(inputs: AxisInput) -> pl.DataFrame:
    return with_families(inputs.features.clear(), inputs.variants)


def _values(known: pl.DataFrame, measure: str, non_answers: str) -> np.ndarray:
    if measure == "embedding":
        return _vectors(known)
    unknown = pl.col("category").is_null()
    if non_answers == "unknown":
        unknown = unknown | pl.col("category").is_in(_NON_ANSWERS)
    own = pl.concat_str(pl.lit("\0unknown "), pl.int_range(pl.len()).cast(pl.String))
    return known.select(pl.when(unknown).then(own).otherwise("category")).to_series().to_numpy().astype(str)


def _vectors(known: pl.DataFrame) -> np.ndarray:
    """Replies without text get a direction of their own: at distance 0 from each other, 1 from every text (METRICS 2.3)."""
    kinds = {name: place for place, name in enumerate(_NON_ANSWERS)}
    given = known["vector"].drop_nulls()
    width = len(given[0]) if len(given) else 0
    values = np.zeros((known.height, width + len(kinds)))
    for row, (vector, category) in enumerate(known.select("vector", "category").iter_rows()):
        if vector is not None:
            values[row, :width] = vector
        else:
            values[row, width + kinds.get(category, 0)] = 1.0
    return values


axis = Generation()
"""The registered axis."""
