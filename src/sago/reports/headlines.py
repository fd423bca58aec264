"""What stands at the top of the page: sentences of the findings, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from sago.reports.cells import DECODINGS, ControlGroup, ProfileRow, datasets_of, models_of, profile_rows
from sago.reports.least_stable import main_decoding
from sago.reports.words import AXES, in_order, meaning
from sago.schemas import Tables


@dataclass(frozen=True)
class Tile:
    """One number of the overview."""

    value: str
    label: str
    note: str = ""


def findings_of(tables: Tables) -> list[dict[str, Any]]:
    """Returns all findings in the order of the table."""
    return tables.findings.to_dicts()


def headlines(tables: Tables) -> list[dict[str, Any]]:
    """Returns the findings about the calibrated instability of whole cells, in the order in which they are worth reading.

    Tested ones of the main decoding come first, and of these the largest of every axis, then the second largest of every axis, ...
    """
    main = main_decoding(tables)
    about = tables.findings.filter((pl.col("claim") == "instability") & (pl.col("mode") == "calibrated") & pl.col("family").is_null())
    defaults = {(row.axis, row.measure) for row in profile_rows(tables)}
    rows = sorted(
        (row for row in about.to_dicts() if (row["axis"], row["measure"]) in defaults),
        key=lambda row: (row["verdict"] == "NOT_TESTED", row["decoding"] != main, -(row["estimate"] or 0.0)),
    )
    seen: Counter[str] = Counter()
    places = []
    for row in rows:
        seen[row["axis"]] += 1
        places.append(seen[row["axis"]])
    ordered = sorted(
        zip(places, rows, strict=True),
        key=lambda pair: (pair[1]["verdict"] == "NOT_TESTED", pair[1]["decoding"] != main, pair[0], in_order(pair[1]["axis"], AXES)),
    )
    return [row for _, row in ordered]


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
        left = sum(len(group.controls) for group in groups) - len(informative)
        shown.append(Tile(f"{passed} of {len(informative)}", "controls pass", f"{left} not informative" if left else ""))
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
