"""Do wordings differ more than reruns of one wording? (METRICS 8, 1a)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from sago.stats.evidence import RAW, Evidence
from sago.stats.finding import DIFFERS, NOT_SHOWN, Finding, corrected, corrected_p
from sago.stats.smallest_effect import CELL
from sago.stats.words import cell_name, figure

CLAIM = "rerun_floor"


def rerun_floor(evidence: Evidence) -> list[Finding]:
    """Returns, for every default cell, whether wordings differ more than reruns: DIFFERS, NOT_SHOWN, or not tested without reruns.

    Mirroring is no distance between responses: asking twice is not its null, so it has no such claim.
    """
    rows = [row for row in evidence.defaults.to_dicts() if "rerun=not_defined" not in row["flags"]]
    layers = set(evidence.profiles.filter(pl.col("layer").is_not_null()).select(*CELL).unique().iter_rows())
    asked = _asked_twice(evidence.scores)
    tested = [_tested(row, asked.get(_key(row)), has_layers=_key(row) in layers) for row in rows]
    return [_judged(finding, evidence.rules.alpha) for finding in corrected(tested)]


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in CELL)


def _asked_twice(scores: pl.DataFrame) -> dict[tuple[Any, ...], tuple[float, int]]:
    """Returns mean B_i - W_i and number of the examples that were asked twice: those that the test is of."""
    both = scores.filter(pl.col("across").is_not_null() & pl.col("rerun").is_not_null())
    told = both.group_by(*CELL).agg(gap=(pl.col("across") - pl.col("rerun")).mean(), n=pl.len().cast(pl.Int64))
    return {_key(row): (row["gap"], row["n"]) for row in told.iter_rows(named=True)}


def _tested(row: dict[str, Any], asked: tuple[float, int] | None, *, has_layers: bool) -> Finding:
    finding = Finding(CLAIM, (row["model"],), (row["dataset"],), row["axis"], row["measure"], row["decoding"], RAW, row["n"])
    if row["rerun_p"] is None:
        asked_again = row["rerun"] is not None and not any(flag.startswith("noise_floor=") for flag in row["flags"])
        reason = "several_layers" if has_layers and asked_again else "no_reruns"
        return replace(finding, reason=row["reason"] if row["n"] == 0 else reason)
    estimate, n = asked or (row["across"] - row["rerun"], row["n"])
    return replace(finding, n=n, p=row["rerun_p"], estimate=estimate, test="permutation inside each example")


def _judged(finding: Finding, alpha: float) -> Finding:
    where = cell_name(finding.models, finding.datasets, finding.axis, finding.measure, finding.decoding)
    if finding.p_adjusted is None or finding.estimate is None:
        return replace(finding, sentence=f"{where}: not tested against asking twice ({finding.reason}).")
    differs = finding.p_adjusted <= alpha
    verb = "wordings differ more than" if differs else "wordings are not shown to differ more than"
    detail = f"{corrected_p(finding, 'cell')}, n = {finding.n} examples"
    sentence = f"{where}: {verb} reruns of one wording, by {figure(finding.estimate)} ({detail})."
    return replace(finding, verdict=DIFFERS if differs else NOT_SHOWN, sentence=sentence)
