"""Dose and response: instability of a family of wordings at several intensities (``typo@0.02``, ``typo@0.1``, ...)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from markupsafe import Markup

from sago.reports.cells import default_cells
from sago.reports.figures import DosePoint, dose_panel, extent
from sago.reports.least_stable import main_decoding
from sago.reports.numbers import Estimate, spelled
from sago.reports.words import AXES, in_order
from sago.schemas import Tables

FEWEST = 2
"""A response is shown where a family was asked for with at least so many intensities."""


@dataclass(frozen=True)
class DoseLine:
    """One intensity of a family for one model.

    Attributes:
        intensity: As the user gave it.
        dose: Mean dose of its wordings: edit distance to the original prompt over the length of the longer one, in [0, 1]; null where no
            prompt was recorded.
        estimates: Instability on each axis, null = none; with ``counts``, the examples behind it.
    """

    model: str
    intensity: str
    dose: float | None
    estimates: tuple[Estimate | None, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class DoseResponse:
    """A family at several intensities on one data set.

    Attributes:
        dataset: The data set.
        family: Name of the family without its intensity.
        axes: Axes that have a number, in their order.
        lines: A line for each model and intensity, models together and intensities rising.
        figures: A figure for each axis: instability against mean dose.
    """

    dataset: str
    family: str
    axes: tuple[str, ...]
    lines: tuple[DoseLine, ...]
    figures: tuple[Markup, ...]


def dose_responses(tables: Tables, models: Sequence[str]) -> list[DoseResponse]:
    """Returns every family of which a data set has several intensities, with the default measures in the main decoding."""
    cells = default_cells(tables).filter(pl.col("decoding") == main_decoding(tables))
    rows = tables.profiles.filter(pl.col("family").str.contains("@", literal=True) & pl.col("layer").is_null())
    rows = rows.join(cells, on=cells.columns, how="semi").filter(pl.col("instability").is_not_null())
    doses = _mean_doses(tables)
    found: dict[tuple[str, str], dict[str, dict[tuple[str, str], tuple[Estimate, int]]]] = {}
    for row in rows.iter_rows(named=True):
        stem, _, intensity = row["family"].partition("@")
        if "+" in row["family"]:
            continue  # several families at once have no one intensity
        of_family = found.setdefault((row["dataset"], stem), {}).setdefault(intensity, {})
        of_family[row["model"], row["axis"]] = (Estimate(row["instability"], row["lower"], row["upper"]), row["n"])
    return [
        _response(dataset, family, by_intensity, doses, models)
        for (dataset, family), by_intensity in sorted(found.items())
        if len(by_intensity) >= FEWEST
    ]


def _mean_doses(tables: Tables) -> dict[tuple[str, str], float]:
    means = tables.variants.drop_nulls("dose").group_by("dataset", "family").agg(pl.col("dose").mean())
    return {(dataset, family): dose for dataset, family, dose in means.iter_rows()}


def _response(
    dataset: str,
    family: str,
    by_intensity: dict[str, dict[tuple[str, str], tuple[Estimate, int]]],
    doses: dict[tuple[str, str], float],
    models: Sequence[str],
) -> DoseResponse:
    axes = tuple(sorted({axis for cell in by_intensity.values() for _, axis in cell}, key=lambda axis: in_order(axis, AXES)))
    lines = [
        DoseLine(
            model,
            intensity,
            doses.get((dataset, f"{family}@{intensity}")),
            tuple(by_intensity[intensity].get((model, axis), (None, 0))[0] for axis in axes),
            tuple(by_intensity[intensity].get((model, axis), (None, 0))[1] for axis in axes),
        )
        for model in models
        for intensity in sorted(by_intensity, key=float)
        if any((model, axis) in by_intensity[intensity] for axis in axes)
    ]
    drawn = [_figure(dataset, family, axis, place, lines, models) for place, axis in enumerate(axes)]
    return DoseResponse(dataset, family, axes, tuple(lines), tuple(figure for figure in drawn if figure is not None))


def _figure(dataset: str, family: str, axis: str, place: int, lines: Sequence[DoseLine], models: Sequence[str]) -> Markup | None:
    points = [
        DosePoint(line.dose, line.model, estimate)
        for line in lines
        for estimate in (line.estimates[place],)
        if estimate is not None and line.dose is not None
    ]
    if len({point.dose for point in points}) < FEWEST:
        return None
    said = "; ".join(f"{point.model} at dose {point.dose:.3f}: {spelled(point.estimate)}" for point in points)
    domain = extent([point.estimate for point in points], (0.0,))
    return dose_panel(points, models, domain, f"Instability of {axis} by dose of {family} on {dataset}. {said}")
