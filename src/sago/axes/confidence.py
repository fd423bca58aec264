"""Confidence stability: does it become more or less sure of one fixed answer? (METRICS 5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from sago.axes.distance_axis import Measure, feature_cells, score_cells
from sago.axes.protocol import AxisInput, Scored
from sago.chosen import of_chosen_option
from sago.records import Capability

OPTION_PROBABILITY = Measure("option_probability", "option_probabilities", "absolute", prompt_only=True)
ANCHOR_PROBABILITY = Measure("anchor_probability", "anchor_probability", "absolute", prompt_only=True)


class Confidence:
    """Difference of the probability of one fixed answer under two wordings.

    ``option_probability``: the normalised probability of the choice that was most likely on the canonical wording, found by its content
    whatever its place; the default where every example has choices. ``anchor_probability``: exp of the mean log-probability of a token
    of the canonical response.
    """

    name = "confidence"
    description = "is it as sure of one fixed answer: option_probability for choices, anchor_probability for free text"
    measures = (OPTION_PROBABILITY.name, ANCHOR_PROBABILITY.name)
    needs: Mapping[str, Capability] = MappingProxyType(
        {OPTION_PROBABILITY.name: "choice_logprobs", ANCHOR_PROBABILITY.name: "anchor_logprobs"}
    )

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores, profiles and controls; see ``Axis.score``."""
        every = inputs.examples.group_by("dataset").agg((pl.col("task") == "choice").all())
        choice_sets = {dataset for dataset, all_choice in every.iter_rows() if all_choice}
        options = of_chosen_option(inputs.features.filter(pl.col("feature") == OPTION_PROBABILITY.feature), inputs.variants)
        cells = [
            *feature_cells(inputs, self.name, OPTION_PROBABILITY, lambda dataset: dataset in choice_sets, options),
            *feature_cells(inputs, self.name, ANCHOR_PROBABILITY, lambda dataset: dataset not in choice_sets),
        ]
        return score_cells(cells, inputs.seed)


axis = Confidence()
"""The registered axis."""
