"""Does an axis tell more about being wrong than a linear fit of ranks on the log-probability does? (METRICS 8, claim 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from sago.arrays.grouping import Integers
from sago.arrays.intervals import LEVEL, ROUNDING, t_interval, upper_tail
from sago.records import most_frequent
from sago.stats import rare_ranks
from sago.stats.claims.pairs import FEWEST, said_where
from sago.stats.evidence import CALIBRATED, Evidence
from sago.stats.finding import NOT_SHOWN, Finding, corrected
from sago.stats.independence import CrossHalf, partial_spearman, pooled_rho
from sago.stats.words import bracketed, counted, probability

CLAIM = "added_information"
ADDS = "ADDS"

_CELL = ["axis", "decoding"]
_STRATUM = ["model", "dataset", "measure"]


@dataclass(frozen=True)
class _Part:
    model: str
    dataset: str
    measure: str
    places: Integers
    rho: CrossHalf | None
    reason: str | None


def added_information(evidence: Evidence) -> list[Finding]:
    """Returns, for every axis and way of decoding, whether instability goes with being wrong among answers of the same log-probability.

    Partial Spearman correlation of the examples' instability with 1 - correct on the original wording, given the log-probability, pooled
    over models and data sets; ADDS where it is above 0 (one-sided, Holm over axes and ways of decoding), else NOT_SHOWN. What the
    log-probability tells is what a straight line through ranks tells: of two scores that are bent functions of it, one can add to that
    line without knowing more. Instability is over all wordings, being wrong is on the original one, so that the two are about the same few
    responses in part.
    """
    wanted = evidence.defaults.filter(pl.col("across").is_not_null()).select(*_CELL, *_STRATUM)
    keys = [*_CELL, *_STRATUM]
    scores = evidence.scores.filter(pl.col("instability").is_not_null()).join(wanted, on=keys, how="semi")
    rows = scores.select(*keys, "example", "instability").join(
        evidence.covariates.select("model", "dataset", "example", "decoding", "correct", "log_likelihood"),
        on=["model", "dataset", "example", "decoding"],
        how="inner",
    )
    if rows.is_empty():
        return []
    examples = {str(name): group["example"].unique().sort() for (name,), group in rows.partition_by("dataset", as_dict=True).items()}
    cells = sorted(rows.partition_by(*_CELL, as_dict=True).items())
    made = []
    for (axis, decoding), group in cells:
        strata = sorted(group.sort("example").partition_by(*_STRATUM, as_dict=True, maintain_order=True).items())
        made.append(_tested(str(axis), str(decoding), [_part(key, of_stratum, examples) for key, of_stratum in strata]))
    return [_judged(finding, evidence.rules.alpha) for finding in corrected(made)]


def _part(key: tuple[object, ...], rows: pl.DataFrame, examples: dict[str, pl.Series]) -> _Part:
    model, dataset, measure = (str(name) for name in key)
    known = rows.drop_nulls(["correct", "log_likelihood"])
    places = examples[dataset].search_sorted(known["example"]).to_numpy().astype(np.int64) if known.height else np.empty(0, np.int64)
    head = (model, dataset, measure, places)
    for name, reason in (("correct", "no_gold"), ("log_likelihood", "no_logprobs")):
        if rows[name].null_count() == rows.height:
            return _Part(*head, None, reason)
    if known.height < FEWEST:
        return _Part(*head, None, "small_n")
    score, right, likelihood = (known[name].to_numpy() for name in ("instability", "correct", "log_likelihood"))
    rho = partial_spearman(score, 1 - right, likelihood[None, :])
    return _Part(*head, rho, "no_spread" if np.isnan(rho.estimate) else None)


def _tested(axis: str, decoding: str, parts: list[_Part]) -> Finding:
    kept = [(part, part.rho) for part in parts if part.reason is None and part.rho is not None]
    of = [part for part, _ in kept] or parts
    models, datasets = tuple(sorted({part.model for part in of})), tuple(sorted({part.dataset for part in of}))
    measure = " or ".join(sorted({part.measure for part in of}))
    crosses, examples = [value for _, value in kept], [(part.dataset, part.places) for part, _ in kept]
    rho = pooled_rho(crosses, examples)
    finding = Finding(CLAIM, models, datasets, axis, measure, decoding, CALIBRATED, rho.n, threshold=0.0)
    if not kept:
        reasons = [str(part.reason) for part in parts]
        n = max(part.places.size for part in parts)
        return replace(finding, n=n, threshold=None, reason=most_frequent(reasons))
    interval, (low, high) = t_interval(rho.estimate, rho.se, rho.n), rare_ranks.ends(crosses, examples, (1 - LEVEL) / 2)
    p = upper_tail(rho.estimate / rho.se, rho.n) if rho.se > ROUNDING else float(rho.estimate <= 0)
    if rho.estimate > 0:
        p = max(p, rare_ranks.none_p(crosses, examples))
    lower, upper = min(interval.lower, low), max(interval.upper, high)
    test = "one-sided test of the partial rank correlation"
    return replace(finding, estimate=rho.estimate, se=rho.se, lower=lower, upper=upper, p=p, test=test)


def _judged(finding: Finding, alpha: float) -> Finding:
    where = f"{said_where(finding.models, finding.datasets)}, {finding.axis} ({finding.measure}, {finding.decoding})"
    if finding.p_adjusted is None or finding.estimate is None:
        text = f"{where}: not tested whether instability tells more about being wrong than the log-probability does ({finding.reason})."
        return replace(finding, sentence=text)
    adds = finding.p_adjusted <= alpha
    number = bracketed(finding.estimate, finding.lower, finding.upper)
    verb = "unstable examples are wrong more often" if adds else "unstable examples are not shown to be wrong more often"
    said = f"beyond a linear fit of ranks on the rank of the log-probability, {verb}: partial rank correlation {number}"
    corrected_over = counted(finding.tests or 0, "axis", "axes")
    detail = f"{probability(finding.p_adjusted)} by {finding.test}, Holm over {corrected_over}, n = {finding.n} examples"
    caveat = " What the log-probability tells in a bent way is not taken off." if adds else ""
    return replace(finding, verdict=ADDS if adds else NOT_SHOWN, sentence=f"{where}: {said} ({detail}).{caveat}")
