"""How many examples react to wording more than to asking again, and which? (METRICS 8, 1a and 1c)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from sago.stats.evidence import RAW, Evidence
from sago.stats.finding import NOT_SHOWN, Finding
from sago.stats.screening import screened, smallest_p
from sago.stats.smallest_effect import CELL
from sago.stats.words import cell_name, figure, listed, probability

CLAIM = "unstable_examples"
FOUND = "FOUND"
_NAMED = 5


def unstable_examples(evidence: Evidence) -> list[Finding]:
    """Returns, for every default cell with reruns, how many examples react to wording: FOUND, NOT_SHOWN, or not tested.

    Exact permutation p of each example, corrected by Benjamini & Hochberg within the cell. A cell without reruns has no such finding: that
    it was not tested stands in claim ``rerun_floor``.
    """
    rows = [row for row in evidence.defaults.to_dicts() if row["rerun_p"] is not None] if evidence.scores.height else []
    parts = screened(evidence.scores).partition_by(*CELL, as_dict=True) if rows else {}
    return [_finding(row, parts.get(tuple(row[name] for name in CELL)), evidence.rules.alpha) for row in rows]


def _finding(row: dict[str, Any], tested: pl.DataFrame | None, alpha: float) -> Finding:
    model, dataset, axis, measure, decoding = (row[name] for name in CELL)
    finding = Finding(CLAIM, (model,), (dataset,), axis, measure, decoding, RAW, row["n"])
    where = cell_name((model,), (dataset,), axis, measure, decoding)
    if tested is None:
        reason = "too_many_rows" if "rerun_p=normal" in row["flags"] else "no_reruns"
        return replace(finding, reason=reason, sentence=f"{where}: single examples were not tested ({reason}).")
    found = tested.filter(pl.col("p_adjusted") <= alpha).with_columns(_gap=pl.col("across") - pl.col("rerun"))
    test = "permutation inside each example, Benjamini-Hochberg"
    detail = f"({test} at a false discovery rate of {100 * alpha:.0f} %)"
    counted = replace(finding, n=tested.height, estimate=found.height / tested.height, test=test, tests=tested.height)
    if found.height:
        first = found.sort(["_gap", "example"], descending=[True, False])
        names = listed([f"{name} ({figure(gap)})" for name, gap in first.select("example", "_gap").iter_rows()], most=_NAMED)
        said = f"{found.height} of {tested.height} examples differ more between wordings than between reruns {detail}, by B - W: {names}"
        return replace(counted, verdict=FOUND, sentence=f"{where}: {said}.")
    said = f"of {tested.height} examples none is shown to differ more between wordings than between reruns {detail}"
    return replace(counted, verdict=NOT_SHOWN, sentence=f"{where}: {said}.{_could_not(tested, alpha)}")


def _could_not(tested: pl.DataFrame, alpha: float) -> str:
    """Says where so few reruns could not have shown it: every p has a floor, 1 over the number of relabelings of the example."""
    counts = tested.select("n_variants", "n_observations").unique()
    floor = min(*(smallest_p(*row) for row in counts.iter_rows()), *tested["rerun_p"].unique().to_list(), 1.0)
    said = f"so few reruns allow no p below {probability(floor).removeprefix('p ').removeprefix('= ')}"
    if floor > alpha:
        return f" That could not be otherwise: {said}."
    together = int(np.ceil(round(floor * tested.height / alpha, 9)))
    return f" As {said}, fewer than {together} such examples could not be told." if together > 1 and floor > 0.001 else ""
