"""What may be said of each cell: is it above the noise of asking twice, and above the smallest effect of interest? (METRICS 8, 1a-1c)."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.intervals import T_BELOW, none_in, quantile, upper_tail
from sago.stats.multiplicity import holm
from sago.stats.sentences import instability_sentence, rerun_sentence

ROUNDING = 1e-12
"""A standard error below this is rounding of examples that all have one value."""
_HEAD = ("axis", "measure", "decoding", "family")


def conclude(profiles: pl.DataFrame, *, smallest_effect: float = 0.05, alpha: float = 0.05) -> pl.DataFrame:
    """Returns table ``findings``: two claims for every default cell.

    ``rerun_floor``: wordings differ more than reruns of one wording (exact permutation test). ``instability``: the calibrated number is
    above (UNSTABLE) or below (STABLE) the smallest effect of interest by a one-sided bound at level 1 - alpha, else INCONCLUSIVE; t
    quantiles below 100 examples, an exact bound where every example has the same value. p values are corrected by Holm over all cells
    of the same claim; the verdict is that of the cell's own bound (METRICS 8, 1b), the sentence gives the corrected p beside it.

    Args:
        profiles: Table ``profiles``.
        smallest_effect: Smallest instability of interest, in [0, 1), fixed before looking.
        alpha: Error level, in (0, 0.5).
    """
    cells = schemas.check("profiles", profiles).filter(pl.col("default") & pl.col("family").is_null() & pl.col("layer").is_null())
    rows = cells.to_dicts()
    # Mirroring is no distance between responses: asking twice is not its null, so it has no rerun-floor claim.
    floors = _adjusted([_rerun_floor(row) for row in rows if "rerun=not_defined" not in row["flags"]])
    instabilities = _adjusted([_instability(row, smallest_effect, alpha) for row in rows])
    for finding in floors:
        finding["verdict"] = _rerun_verdict(finding, alpha)
        finding["sentence"] = rerun_sentence(finding)
    for finding in instabilities:
        finding["sentence"] = instability_sentence(finding, flags=finding.pop("flags"), alpha=alpha)
    return schemas.frame("findings", [*instabilities, *floors])


def _base(row: dict[str, Any], claim: str) -> dict[str, Any]:
    return {
        "claim": claim,
        "models": [row["model"]],
        "datasets": [row["dataset"]],
        **{name: row[name] for name in _HEAD},
        "mode": "calibrated",
        "n": row["n"],
    }


def _rerun_floor(row: dict[str, Any]) -> dict[str, Any]:
    base = _base(row, "rerun_floor") | {"mode": "raw", "p": row["rerun_p"]}
    if row["rerun_p"] is None:
        return base | {"reason": row["reason"] if row["n"] == 0 else "no_reruns"}
    return base | {"estimate": row["across"] - row["rerun"]}


def _instability(row: dict[str, Any], smallest: float, alpha: float) -> dict[str, Any]:
    base = _base(row, "instability") | {"threshold": smallest, "flags": row["flags"]}
    numbers = {"estimate": row["instability"], "se": row["se"], "lower": row["lower"], "upper": row["upper"]}
    if row["instability"] is None or row["se"] is None:
        return base | numbers | {"verdict": "NOT_TESTED", "reason": row["reason"] or "too_few_examples"}
    if row["se"] < ROUNDING:
        return base | numbers | _of_equal(row, smallest, alpha)
    above = row["instability"] - smallest
    half = quantile(1 - alpha, row["n"]) * row["se"]
    verdict = "UNSTABLE" if above - half > 0 else "STABLE" if above + half < 0 else "INCONCLUSIVE"
    test = "t test" if row["n"] < T_BELOW else "z test"
    return base | numbers | {"p": upper_tail(above / row["se"], row["n"]), "verdict": verdict, "test": test}


def _of_equal(row: dict[str, Any], smallest: float, alpha: float) -> dict[str, Any]:
    """Judges a cell in which every example has the same value: no spread, so no standard error, but n examples are no proof either.

    If the true number were at most the smallest effect, at most the share (smallest effect / value) of all examples could have this value
    (none is below 0), and n of n would show it with at most that share to the power n. Of no change in n examples the bound is that of
    METRICS 8, 1f.
    """
    value, n = row["instability"], row["n"]
    test = "exact bound"
    if value > smallest:
        p = float((smallest / value) ** n)
        return {"p": p, "verdict": "UNSTABLE" if p < alpha else "INCONCLUSIVE", "test": test}
    room = 1.0 if row["axis"] == "mirroring" else (row["unrelated"] or 1.0) - (row["rerun"] or 0.0)
    most = value + none_in(n, alpha) / room
    return {"p": 1.0, "verdict": "STABLE" if most < smallest else "INCONCLUSIVE", "test": test}


def _adjusted(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    tested = [finding for finding in findings if finding.get("p") is not None]
    adjusted = holm(np.array([finding["p"] for finding in tested], dtype=np.float64))
    for finding, value in zip(tested, adjusted.tolist(), strict=True):
        finding["p_adjusted"] = value
        finding["tests"] = len(tested)
    for finding in findings:
        finding["sentence"] = ""
        finding.setdefault("verdict", "NOT_TESTED")
    return findings


def _rerun_verdict(finding: dict[str, Any], alpha: float) -> str:
    if finding.get("p") is None:
        return "NOT_TESTED"
    return "DIFFERS" if finding["p_adjusted"] <= alpha else "NOT_SHOWN"
