"""Which numbers of the tables go into which figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from markupsafe import Markup

from sago.reports.cells import DECODINGS, ProfileRow, default_cells
from sago.reports.figures import Dot, LayerDot, extent, interval_panel, layer_panel
from sago.reports.least_stable import main_decoding
from sago.reports.numbers import Estimate, decimal, spelled
from sago.reports.words import AXES, in_order
from sago.schemas import Tables


@dataclass(frozen=True)
class Panels:
    """Figures of one data set; null where there is nothing to draw."""

    instability: Markup | None
    across: Markup | None
    layers: Markup | None


@dataclass(frozen=True)
class FamilyTable:
    """Instability of one data set by family of wordings: rows are family x model, columns are axes."""

    dataset: str
    axes: list[str]
    families: dict[str, list[tuple[str, list[ProfileRow | None]]]]
    """Family -> for each model one cell for each axis."""


def panels(tables: Tables, rows: Sequence[ProfileRow], models: Sequence[str]) -> dict[str, Panels]:
    """Returns the figures of every data set; all share their axis limits, so that they can be compared by eye."""
    calibrated = extent([row.instability for row in rows], (0.0, 1.0))
    raw = extent([row.across for row in rows], (0.0,))
    curves = _layer_rows(tables)
    by_layer = extent([dot.estimate for dots in curves.values() for dot in dots], (0.0,))
    datasets = dict.fromkeys(
        [row.dataset for row in rows] + tables.examples["dataset"].to_list() + tables.observations["dataset"].to_list()
    )
    found = {}
    for dataset in [*datasets, *(name for name in tables.accuracy["dataset"].to_list() if name not in datasets)]:
        part = [row for row in rows if row.dataset == dataset]
        found[dataset] = Panels(
            instability=_dots(part, models, calibrated, "instability", dataset) if part else None,
            across=_dots(part, models, raw, "across", dataset) if part else None,
            layers=_curve(curves[dataset], models, by_layer, dataset) if dataset in curves else None,
        )
    return found


def family_tables(tables: Tables, rows: Sequence[ProfileRow]) -> list[FamilyTable]:
    """Returns the per-family instability of the default measures in the main decoding, one table a data set."""
    cells = default_cells(tables).filter(pl.col("decoding") == main_decoding(tables))
    wanted = tables.profiles.filter(pl.col("family").is_not_null() & pl.col("layer").is_null()).join(cells, on=cells.columns, how="semi")
    found: dict[str, dict[tuple[str, str], dict[str, ProfileRow]]] = {}
    for row in wanted.iter_rows(named=True):
        place = found.setdefault(row["dataset"], {}).setdefault((row["family"], row["model"]), {})
        place[row["axis"]] = _family_cell(row)
    order = list(dict.fromkeys(row.dataset for row in rows))
    made = []
    for dataset in sorted(found, key=lambda name: (order.index(name) if name in order else len(order), name)):
        axes = sorted({axis for cell in found[dataset].values() for axis in cell}, key=lambda axis: in_order(axis, AXES))
        families: dict[str, list[tuple[str, list[ProfileRow | None]]]] = {}
        for (family, model), cell in found[dataset].items():
            families.setdefault(family, []).append((model, [cell.get(axis) for axis in axes]))
        made.append(FamilyTable(dataset, axes, families))
    return made


def _family_cell(row: dict[str, Any]) -> ProfileRow:
    same = ("model", "dataset", "axis", "measure", "decoding", "n", "n_left_out", "n_variants", "rerun", "unrelated", "rerun_p", "reason")
    return ProfileRow(
        **{name: row[name] for name in same},
        across=Estimate(row["across"], row["across_lower"], row["across_upper"]),
        instability=Estimate(row["instability"], row["lower"], row["upper"]),
        verdict=None,
        flags=tuple(row["flags"]),
    )


def _dots(rows: Sequence[ProfileRow], models: Sequence[str], domain: tuple[float, float], column: str, dataset: str) -> Markup | None:
    """Draws the axes of which some model has a number; what was measured of no model is told by the table below, not by empty lines."""
    dots, said = [], []
    estimates = [(row, row.instability if column == "instability" else row.across) for row in rows]
    drawn = {(row.axis, row.decoding) for row, estimate in estimates if estimate.value is not None}
    if not drawn:
        return None
    for row, estimate in estimates:
        if (row.axis, row.decoding) not in drawn:
            continue
        name = row.axis if row.decoding == next(iter(DECODINGS)) else f"{row.axis}, {row.decoding}"
        dots.append(Dot(name, row.model, estimate))
        said.append(f"{row.model} {name}: {spelled(estimate) if estimate.value is not None else 'no number'}")
    title = "instability (0 = asking twice, 1 = other questions)" if column == "instability" else "across (raw difference between wordings)"
    return interval_panel(dots, models, domain, title, f"{column} on {dataset}. {'; '.join(said)}")


def _layer_rows(tables: Tables) -> dict[str, list[LayerDot]]:
    rows = tables.profiles.filter(pl.col("layer").is_not_null() & pl.col("family").is_null())
    cells = default_cells(tables)
    found: dict[str, list[LayerDot]] = {}
    for row in rows.join(cells, on=cells.columns, how="semi").sort("layer").iter_rows(named=True):
        if row["decoding"] == main_decoding(tables):
            estimate = Estimate(row["instability"], row["lower"], row["upper"])
            found.setdefault(row["dataset"], []).append(LayerDot(row["layer"], row["model"], estimate))
    return {dataset: dots for dataset, dots in found.items() if any(dot.estimate.value is not None for dot in dots)}


def _curve(dots: Sequence[LayerDot], models: Sequence[str], domain: tuple[float, float], dataset: str) -> Markup:
    said = "; ".join(f"{dot.model} layer {dot.layer}: {decimal(dot.estimate.value)}" for dot in dots)
    return layer_panel(dots, models, domain, f"Instability of the inner state by layer on {dataset}. {said}")
