"""The axes of behaviour: from readings and states to scores, profiles and controls.

``generation``, ``activations``, ``confidence`` and ``mirroring`` are one file each; ``companions`` are measures beside their default ones,
made by name. ``distance_axis`` is what the first three share: ``cells`` goes from tables to arrays, ``measured`` makes the numbers of a
cell, ``profiles`` and ``controls`` their rows. ``protocol`` says what an axis is; ``FeatureAxis`` is one from a feature and a distance.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from sago import registry, schemas
from sago.axes.common_null import with_common_null
from sago.axes.companions import COMPANIONS, Companion, wanted
from sago.axes.distance_axis import FeatureAxis, Measure
from sago.axes.protocol import Axis, AxisInput, Entails, Scored
from sago.errors import StudyError

__all__ = ["COMPANIONS", "Axis", "AxisInput", "Companion", "Entails", "FeatureAxis", "Measure", "Scored", "score", "wanted"]

GENERATION = ("auto", "answer_flip", "embedding")
NON_ANSWERS = ("category", "unknown", "missing")


def score(  # noqa: PLR0913 - five tables and how to read them
    features: pl.DataFrame,
    states: pl.DataFrame,
    observations: pl.DataFrame,
    variants: pl.DataFrame,
    examples: pl.DataFrame,
    *,
    axes: Sequence[str] | None = None,
    measures: Sequence[str] = ("default",),
    entails: Entails | None = None,
    generation_measure: str = "auto",
    non_answers: str = "category",
    seed: int = 0,
) -> Scored:
    """Scores every axis on every model, data set and way of decoding (METRICS 2 to 6).

    Args:
        features: Table ``features``.
        states: Table ``states``; may be empty, activations are then not observable.
        observations: Table ``observations``.
        variants: Table ``variants``.
        examples: Table ``examples``.
        axes: Names of registered axes; null = all of them.
        measures: ``default``, ``all``, or names of companions (``COMPANIONS``) to make beside the default measures.
        entails: A model of entailment, for companions that need one.
        generation_measure: Default measure of the generation axis: ``auto``, ``answer_flip`` or ``embedding``.
        non_answers: How refusals and empty replies count: ``category``, ``unknown`` or ``missing``.
        seed: Study seed, for permutations.

    Returns:
        Tables ``scores``, ``profiles``, ``controls`` and ``halves``. Numbers are raw and unclipped; null has its reason beside it.

    Raises:
        SchemaError: If a table does not fit its schema.
        UnknownNameError: If an axis is not registered.
        StudyError: If an option has a value that it does not know.
    """
    for name, value, known in (("generation_measure", generation_measure, GENERATION), ("non_answers", non_answers, NON_ANSWERS)):
        if value not in known:
            raise StudyError(f"unknown {name} '{value}'", fix=f"Use one of {', '.join(known)}")
    inputs = AxisInput(
        features=schemas.check("features", features),
        states=schemas.check("states", states),
        observations=schemas.check("observations", observations),
        variants=schemas.check("variants", variants),
        examples=schemas.check("examples", examples),
        generation_measure=generation_measure,
        non_answers=non_answers,
        seed=seed,
        entails=entails,
    )
    chosen = registry.names("axes") if axes is None else axes
    companions = wanted(measures, chosen)
    found = [registry.get("axes", name).score(inputs) for name in chosen]
    found += [companion.compute(companion, inputs) for companion in companions]
    scores, profiles, controls, halves = (_together(table, [getattr(scored, table) for scored in found]) for table in Scored._fields)
    return Scored(scores, schemas.check("profiles", with_common_null(profiles)), controls, halves)


def _together(table: str, parts: list[pl.DataFrame]) -> pl.DataFrame:
    joined = schemas.check(table, pl.concat([schemas.empty(table), *parts]))
    keys = ["model", "dataset", "axis", "decoding", "measure", "family", "layer", "example", "kind"]
    return joined.sort([key for key in keys if key in joined.columns], nulls_last=False)
