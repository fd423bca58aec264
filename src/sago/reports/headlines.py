"""Numbers of the overview: what was asked, what came out, where the noise of asking twice comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from sago.reports.cells import DECODINGS, ControlGroup, ProfileRow, datasets_of, models_of, profile_rows
from sago.reports.words import in_order, meaning
from sago.schemas import Tables


@dataclass(frozen=True)
class Tile:
    """One number of the overview."""

    value: str
    label: str
    note: str = ""


def tiles(tables: Tables, rows: Sequence[ProfileRow], groups: Sequence[ControlGroup]) -> list[Tile]:
    """Returns the counts of the overview: what was asked, what came out, whether the controls hold."""
    wordings = tables.variants.filter(~pl.col("control")).height
    shown = [
        Tile(f"{len(models_of(tables))}", "models" if len(models_of(tables)) != 1 else "model"),
        Tile(
            f"{tables.examples.height:,}", "questions", f"in {len(datasets_of(tables))} data sets" if len(datasets_of(tables)) != 1 else ""
        ),
        Tile(f"{wordings:,}", "wordings", "controls left out"),
        Tile(f"{tables.observations.height:,}", "calls"),
    ]
    tested = [row for row in rows if row.verdict in ("UNSTABLE", "STABLE", "INCONCLUSIVE")]
    if tested:
        unstable = sum(row.verdict == "UNSTABLE" for row in tested)
        shown.append(Tile(f"{unstable} of {len(tested)}", "cells are unstable", "model × data set × axis × decoding"))
    informative = [control for group in groups for control in group.controls.values() if control.is_informative]
    if informative:
        passed = sum(control.verdict == "pass" for control in informative)
        shown.append(Tile(f"{passed} of {len(informative)}", "controls pass", "of those that could be judged"))
    return shown


def noise_floors(tables: Tables) -> list[tuple[str, str]]:
    """Returns, for each way of decoding, where the noise of asking twice comes from, in words."""
    found: dict[str, dict[str, None]] = {}
    for row in profile_rows(tables):
        if row.axis == "mirroring" or not row.n:
            continue
        sources = [meaning(flag) for flag in row.flags if flag.startswith("noise_floor")]
        if not sources:
            sources = ["measured from the reruns of every wording" if row.rerun is not None else meaning("no_reruns")]
        found.setdefault(row.decoding, {}).update(dict.fromkeys(sources))
    return [(name, "; ".join(found[name])) for name in sorted(found, key=lambda name: in_order(name, DECODINGS))]
