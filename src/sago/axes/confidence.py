"""Confidence stability: does it become more or less sure of one fixed answer? (METRICS 5)."""

from __future__ import annotations

import polars as pl

from sago.axes.cells import Cell, Layer, asked_examples, by_cell, dominant_reason, labels_of, with_families
from sago.axes.distance_axis import score_cells
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL


class Confidence:
    """Difference of the probability of one fixed answer under two wordings.

    ``option_probability``: the normalised probability of the choice that was most likely on the canonical wording, found by its content
    whatever its place. ``anchor_probability``: exp of the mean log-probability of a token of the canonical response.
    """

    name = "confidence"
    description = "is it as sure of one fixed answer: option_probability for choices, anchor_probability for free text"
    measures = ("option_probability", "anchor_probability")

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        options = _of_chosen_option(inputs.features.filter(pl.col("feature") == "option_probabilities"))
        anchors = inputs.features.filter(pl.col("feature") == "anchor_probability")
        all_choice = inputs.examples.group_by("dataset").agg((pl.col("task") == "choice").all())
        choice_sets = {dataset for dataset, every in all_choice.iter_rows() if every}
        cells = [*_cells(inputs, options, "option_probability", choice_sets), *_cells(inputs, anchors, "anchor_probability", choice_sets)]
        return score_cells(cells, inputs.seed)


def _of_chosen_option(rows: pl.DataFrame) -> pl.DataFrame:
    """Puts the probability of the canonically most likely choice into column ``number``."""
    key = ["model", "dataset", "example"]
    canonical = rows.filter((pl.col("variant") == CANONICAL) & (pl.col("decoding") == "greedy") & pl.col("vector").is_not_null())
    chosen = canonical.select(*key, _chosen=pl.col("vector").list.arg_max())
    joined = rows.join(chosen, on=key, how="left")
    number = pl.col("vector").list.get(pl.col("_chosen"), null_on_oob=True)
    reason = pl.when(number.is_null() & pl.col("reason").is_null()).then(pl.lit("no_canonical")).otherwise("reason")
    return joined.with_columns(number=number, reason=reason).drop("_chosen")


def _cells(inputs: AxisInput, rows: pl.DataFrame, measure: str, choice_sets: set[str]) -> list[Cell]:
    asked = asked_examples(inputs.observations)
    found = {(model, dataset): every for model, dataset, _, every in by_cell(with_families(rows, inputs.variants), ("greedy",))}
    nothing = with_families(inputs.features.clear(), inputs.variants)
    cells = []
    for (model, dataset), count in sorted(asked.items()):
        every = found.get((model, dataset), nothing)
        known = every.filter(pl.col("number").is_not_null())
        default = (dataset in choice_sets) == (measure == "option_probability")
        if known.is_empty() and not default:
            continue
        layers = () if known.is_empty() else (Layer(None, known["number"].to_numpy()),)
        reason = dominant_reason(every["reason"]) if known.is_empty() else None
        cells.append(Cell(model, dataset, "greedy", "confidence", measure, "absolute", default, labels_of(known), layers, count, reason))
    return cells


axis = Confidence()
"""The registered axis."""
