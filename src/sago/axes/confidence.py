"""Confidence stability: does it become more or less sure of one fixed answer? (METRICS 5)."""

from __future__ import annotations

import polars as pl

from sago.axes.distance_axis import Measure, feature_cells, score_cells
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL

OPTION_PROBABILITY = Measure("option_probability", "option_probabilities", "absolute", prompt_only=True)
ANCHOR_PROBABILITY = Measure("anchor_probability", "anchor_probability", "absolute", prompt_only=True)

_EXAMPLE = ["model", "dataset", "example"]


class Confidence:
    """Difference of the probability of one fixed answer under two wordings.

    ``option_probability``: the normalised probability of the choice that was most likely on the canonical wording, found by its content
    whatever its place; the default where every example has choices. ``anchor_probability``: exp of the mean log-probability of a token
    of the canonical response.
    """

    name = "confidence"
    description = "is it as sure of one fixed answer: option_probability for choices, anchor_probability for free text"
    measures = (OPTION_PROBABILITY.name, ANCHOR_PROBABILITY.name)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        every = inputs.examples.group_by("dataset").agg((pl.col("task") == "choice").all())
        choice_sets = {dataset for dataset, all_choice in every.iter_rows() if all_choice}
        options = of_chosen_option(inputs.features.filter(pl.col("feature") == OPTION_PROBABILITY.feature))
        cells = [
            *feature_cells(inputs, self.name, OPTION_PROBABILITY, lambda dataset: dataset in choice_sets, options),
            *feature_cells(inputs, self.name, ANCHOR_PROBABILITY, lambda dataset: dataset not in choice_sets),
        ]
        return score_cells(cells, inputs.seed)


def of_chosen_option(rows: pl.DataFrame) -> pl.DataFrame:
    """Puts the probability of the canonically most likely choice into column ``number``.

    The choice is taken from the mean over the canonical responses of the same way of decoding (an audit follows its greedy cell); of equal
    choices the first. Null with ``one_choice`` where there is a single option, ``no_canonical`` without a canonical reading.
    """
    decoding = pl.when(pl.col("decoding") == "audit").then(pl.lit("greedy")).otherwise("decoding")
    rows = rows.with_columns(_of=decoding)
    canonical = rows.filter((pl.col("variant") == CANONICAL) & (pl.col("decoding") != "audit") & pl.col("vector").is_not_null())
    options = canonical.select(*_EXAMPLE, "_of", "vector", _option=pl.int_ranges(pl.col("vector").list.len()))
    means = options.explode("vector", "_option").group_by(*_EXAMPLE, "_of", "_option").agg(pl.col("vector").mean())
    best = means.sort("vector", "_option", descending=[True, False]).unique([*_EXAMPLE, "_of"], keep="first", maintain_order=True)
    joined = rows.join(best.select(*_EXAMPLE, "_of", "_option"), on=[*_EXAMPLE, "_of"], how="left")
    is_single = pl.col("vector").list.len() == 1
    number = pl.when(~is_single).then(pl.col("vector").list.get(pl.col("_option"), null_on_oob=True))
    why = pl.when(is_single).then(pl.lit("one_choice")).otherwise(pl.lit("no_canonical"))
    reason = pl.when(pl.col("reason").is_null() & number.is_null()).then(why).otherwise("reason")
    return joined.with_columns(number=number, reason=reason).drop("_of", "_option")


axis = Confidence()
"""The registered axis."""
