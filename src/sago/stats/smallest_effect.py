"""Is a number above or below the smallest effect of interest? (METRICS 8, 1b and 1f; E49, E55)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sago.arrays.grouping import Floats
from sago.arrays.intervals import ROUNDING, T_BELOW, none_in, quantile, t_interval, upper_tail, wilson
from sago.stats.bounded_mean import mean_bound, mean_p
from sago.stats.evidence import CALIBRATED, RAW, Evidence, Rules
from sago.stats.finding import INCONCLUSIVE, Finding
from sago.stats.skewness import skewness_corrected, skewness_uncorrected

UNSTABLE, STABLE = "UNSTABLE", "STABLE"

ASSUMED_ZERO = "noise_floor=assumed_zero"
"""Flag of a cell without reruns: what it is above is no noise floor, but 0."""

CELL = ("model", "dataset", "axis", "measure", "decoding")
"""Columns that name a cell."""


class Judgement(NamedTuple):
    """What a number says about the smallest effect.

    Attributes:
        p: One-sided p value of "at most the smallest effect".
        verdict: ``UNSTABLE``, ``STABLE`` or ``INCONCLUSIVE``.
        test: Name of the test.
        least: One-sided lower bound: UNSTABLE for every smallest effect below it.
        most: One-sided upper bound: STABLE for every smallest effect above it.
    """

    p: float
    verdict: str
    test: str
    least: float
    most: float


class Known(NamedTuple):
    """What the scores of a cell tell of its number beside mean and standard error.

    Attributes:
        values: Score of each example; empty = not known.
        noise: W_i of the examples whose reruns are known, where others of the cell have none; empty otherwise.
        is_partial: Whether the noise of asking twice was measured, but on a part of the examples.
        asked_twice: Whether it was measured at all.
        skewness: Skewness of the mean: that of the examples' influence over root n; 0 = not known.
    """

    values: Floats = np.empty(0)
    noise: Floats = np.empty(0)
    is_partial: bool = False
    asked_twice: bool = False
    skewness: float = 0.0

    def effective(self, n: int) -> int:
        """Returns the number of examples behind the scarcest part: the tails are those of t with one less degree of freedom."""
        return min(n, self.noise.size) if self.is_partial else n


NOTHING = Known()


def judge(estimate: float, se: float, n: int, rules: Rules, *, room: float = 1.0, known: Known = NOTHING) -> Judgement:
    """Returns p = 1 - Phi((S - delta) / SE) and the verdict by one-sided bounds S -/+ z SE at level 1 - alpha (METRICS 8, 1b; E55).

    Few examples change much and many change little, and then the plain bounds claim STABLE too often and UNSTABLE too rarely: z is
    corrected for the skewness a of the mean, g(z) = z + a z^2 / 3 + a^2 z^3 / 27 + a / 6 (Hall 1992; g rises everywhere). Where the scores
    themselves are known the upper bound is the larger of the plain one and that of scores of which none is above 1 / ``room``
    (``bounded_mean``): changes too rare to be seen have no standard error, and the correction makes one seen change more than two.

    t with n - 1 degrees of freedom below 100 examples, n_W - 1 where fewer than these were asked twice; and as little as their W_i exclude
    a large W, so little is UNSTABLE. Where every example has the same value there is no standard error: see :func:`_equal`.

    Args:
        estimate: The number, 0 = stable.
        se: Its standard error over examples.
        n: Number of examples.
        rules: Smallest effect and level.
        room: Scale of the number: N - W of an instability, 1 of a distance.
        known: What else the examples tell.
    """
    smallest, alpha = rules.smallest_effect, rules.alpha
    if se < ROUNDING:
        return _equal(estimate, n, rules, room, known)
    few, skewness = known.effective(n), known.skewness
    score = quantile(1 - alpha, few)
    least = estimate - skewness_uncorrected(score, skewness) * se
    p = upper_tail(skewness_corrected((estimate - smallest) / se, skewness), few)
    if known.values.size:
        most = max(estimate + score * se, mean_bound(known.values, max(1 / room, float(known.values.max())), alpha))
    else:
        most = estimate - skewness_uncorrected(-score, skewness) * se
    if known.noise.size:
        across, largest = estimate * room + float(known.noise.mean()), max(1.0, float(known.noise.max()))
        least = min(least, (across - mean_bound(known.noise, largest, alpha)) / room)
        p = max(p, mean_p(known.noise, largest, across - smallest * room))
    verdict = UNSTABLE if least > smallest else STABLE if most < smallest else INCONCLUSIVE
    test = f"{'skewness-corrected ' if skewness else ''}{'t' if few < T_BELOW else 'z'} test"
    return Judgement(p, verdict, test, least, most)


def _equal(estimate: float, n: int, rules: Rules, room: float, known: Known) -> Judgement:
    """Judges n examples that all have one value, by exact bounds.

    Let L be how far below 0 a value can be: 0 of distances, 1 / room where something was asked twice. If the true number were at most
    delta, at most the share (delta + L) / (S + L) of all examples could have the value S, and n of n would show it with at most that share
    to the power n. At most the share 1 - alpha^(1/n) of all examples has another value, at most 1 / room (METRICS 8, 1f; E49). n is that
    of the examples asked twice, where these are fewer; for the upper bound only where some noise was measured: of less noise than none
    there is none, so examples without any tell as much as others.
    """
    smallest, alpha = rules.smallest_effect, rules.alpha
    seen = known.effective(n) if known.noise.any() else n
    n = known.effective(n)
    below = max(1 / room, -estimate) if known.asked_twice else 0.0
    most = estimate + max(1 / room - estimate, 0.0) * none_in(seen, alpha)
    least = min(estimate, (estimate + below) * alpha ** (1 / n) - below)
    if estimate > smallest:
        p = float(((smallest + below) / (estimate + below)) ** n)
        return Judgement(p, UNSTABLE if p < alpha else INCONCLUSIVE, "exact bound", least, most)
    return Judgement(1.0, STABLE if most < smallest else INCONCLUSIVE, "exact bound", least, most)


def _skewness(psi: pl.Expr) -> pl.Expr:
    """Skewness of the mean of influences: m3 / m2^1.5 / root n; 0 where they are all alike."""
    apart = psi - psi.mean()
    second = apart.pow(2).mean()
    found = apart.pow(3).mean() / second.pow(1.5) / psi.count().cast(pl.Float64).sqrt()
    return pl.when(second > ROUNDING**2).then(found).otherwise(0.0).fill_nan(0.0).fill_null(0.0)


def raw_gaps(scores: pl.DataFrame) -> pl.DataFrame:
    """Returns B - W of every cell (B where reruns were not measured), its standard error ``se``, its ``skewness`` and ``n``.

    psi_i = (B_i - B) - (n / n_W) (W_i - W), the second part of the n_W examples whose reruns are known;
    SE = root(sum psi_i^2 / (n (n - 1))). The error of a floor that was measured on a part of the examples is thereby in it. Null for
    one example.

    Args:
        scores: Table ``scores``.
    """
    noise = ((pl.col("rerun") - pl.col("rerun").mean()) * pl.len() / pl.col("rerun").count()).fill_null(0.0)
    psi = pl.col("across") - pl.col("across").mean() - noise
    error = (psi.pow(2).sum() / (pl.len() * (pl.len().cast(pl.Float64) - 1))).sqrt()
    known = scores.filter(pl.col("across").is_not_null())
    filled = pl.col("rerun").fill_null(pl.col("rerun").mean()).fill_null(0.0)
    return known.group_by(*CELL).agg(
        gap=pl.col("across").mean() - pl.col("rerun").mean().fill_null(0.0),
        se=pl.when(pl.len() > 1).then(error),
        skewness=_skewness(psi),
        n=pl.len().cast(pl.Int64),
        values=pl.col("across") - filled,
        noise=pl.col("rerun").drop_nulls(),
    )


def _known(row: dict[str, Any]) -> Known:
    """Returns what the scores of a cell tell, from its row of a table with ``values``, ``noise`` and ``skewness``."""
    values, noise = (np.array(row[name], dtype=np.float64) for name in ("values", "noise"))
    is_partial = 0 < noise.size < values.size
    return Known(values, noise if is_partial else noise[:0], is_partial, noise.size > 0, row["skewness"])


def _calibrated(scores: pl.DataFrame) -> dict[tuple[str, ...], Known]:
    mine = scores.filter(pl.col("instability").is_not_null())
    facts = {"values": pl.col("instability"), "noise": pl.col("rerun").drop_nulls(), "skewness": _skewness(pl.col("influence"))}
    return {tuple(row[name] for name in CELL): _known(row) for row in mine.group_by(*CELL).agg(**facts).iter_rows(named=True)}


class CellTest(NamedTuple):
    """A cell against the smallest effect, before correction and words: its finding, its row of table ``profiles``, its judgement."""

    finding: Finding
    row: dict[str, Any]
    judgement: Judgement | None


def cell_tests(evidence: Evidence, claim: str, mode: str) -> list[CellTest]:
    """Returns the test of every default cell; in mode ``raw`` of those that have scores and are distances.

    Args:
        evidence: The tables.
        claim: Name of the claim that the findings are of.
        mode: ``calibrated`` or ``raw``.
    """
    rows = evidence.defaults.to_dicts()
    if mode == CALIBRATED:
        known = _calibrated(evidence.scores)
        return [calibrated_test(row, claim, evidence.rules, known.get(tuple(row[name] for name in CELL), NOTHING)) for row in rows]
    gaps = {tuple(row[name] for name in CELL): row for row in raw_gaps(evidence.scores).to_dicts()}
    mine = [(row, gaps.get(tuple(row[name] for name in CELL))) for row in rows if not is_difference(row)]
    return [_raw_test(row, gap, claim, evidence.rules) for row, gap in mine if gap is not None]


def is_difference(row: dict[str, Any]) -> bool:
    """Returns whether a row of table ``profiles`` is no distance between responses, such as mirroring: it has one mode."""
    return row["axis"] == "mirroring" or "rerun=not_defined" in row["flags"]


def calibrated_test(row: dict[str, Any], claim: str, rules: Rules, known: Known = NOTHING) -> CellTest:
    """Returns the test of the instability of a row of table ``profiles``, of a whole cell or of a family; see :func:`judge`."""
    head = _head(row, claim, CALIBRATED, rules)
    finding = replace(head, estimate=row["instability"], se=row["se"], lower=row["lower"], upper=row["upper"], family=row["family"])
    if row["instability"] is None or row["se"] is None:
        return CellTest(replace(finding, reason=row["reason"] or "too_few_examples"), row, None)
    if not rules.smallest_effect and ASSUMED_ZERO in row["flags"]:
        return CellTest(replace(finding, reason="no_reruns"), row, None)
    if few_reruns(known):
        return CellTest(replace(finding, reason="too_few_reruns"), row, None)
    room = 1.0 if is_difference(row) else (row["unrelated"] or 1.0) - (row["rerun"] or 0.0)
    return _with(finding, row, judge(row["instability"], row["se"], row["n"], rules, room=room, known=_as_flagged(known, row)))


def few_reruns(known: Known) -> bool:
    """Returns whether one example alone was asked twice, so that the error of the floor is not known."""
    return known.is_partial and known.noise.size < 2


def _as_flagged(known: Known, row: dict[str, Any]) -> Known:
    """Returns what is known; values of a difference can lie below 0, and those of a cell do where its floor comes from reruns."""
    return known._replace(asked_twice=is_difference(row) or (row["rerun"] is not None and ASSUMED_ZERO not in row["flags"]))


def _raw_test(row: dict[str, Any], gap: dict[str, Any], claim: str, rules: Rules) -> CellTest:
    finding = replace(_head(row, claim, RAW, rules), n=gap["n"], estimate=gap["gap"], se=gap["se"])
    if gap["se"] is None:
        return CellTest(replace(finding, reason="too_few_examples"), row, None)
    known = _known(gap)
    if few_reruns(known):
        return CellTest(replace(finding, se=None, reason="too_few_reruns"), row, None)
    if gap["se"] >= ROUNDING:
        interval = t_interval(gap["gap"], gap["se"], known.effective(gap["n"]))
        finding = replace(finding, lower=interval.lower, upper=interval.upper)
    elif gap["gap"] == 0:
        finding = replace(finding, se=0.0, lower=0.0, upper=wilson(0, gap["n"]).upper)
    if not rules.smallest_effect and ASSUMED_ZERO in row["flags"]:
        return CellTest(replace(finding, reason="no_reruns"), row, None)
    return _with(finding, row, judge(gap["gap"], gap["se"], gap["n"], rules, known=known))


def _head(row: dict[str, Any], claim: str, mode: str, rules: Rules) -> Finding:
    model, dataset, axis, measure, decoding = (row[name] for name in CELL)
    return Finding(claim, (model,), (dataset,), axis, measure, decoding, mode, row["n"], threshold=rules.smallest_effect)


def _with(finding: Finding, row: dict[str, Any], judgement: Judgement) -> CellTest:
    tested = replace(finding, p=judgement.p, verdict=judgement.verdict, test=judgement.test)
    return CellTest(tested, row, judgement)


DELTAS = (0.0, 0.02, 0.05, 0.10)
"""Smallest effects for which METRICS 8 wants the verdicts shown."""


def sensitivity(
    profiles: pl.DataFrame, *, scores: pl.DataFrame | None = None, alpha: float = 0.05, deltas: Sequence[float] = DELTAS
) -> pl.DataFrame:
    """Returns the verdict of every default cell and mode for several smallest effects, one row each (METRICS 8).

    Against 0 a cell whose reruns were not measured is not tested: that a distance is above 0 says nothing, for it cannot be below.

    Args:
        profiles: Table ``profiles``.
        scores: Table ``scores``; without it there is no mode ``raw``.
        alpha: Error level, in (0, 0.5).
        deltas: Smallest effects, each in [0, 1).

    Returns:
        Columns ``model, dataset, axis, measure, decoding, mode, threshold, p, verdict``.
    """
    rows = []
    for delta in deltas:
        tables = {} if scores is None else {"scores": scores}
        evidence = Evidence(profiles, **tables, rules=Rules(delta, alpha))
        for mode in (CALIBRATED, RAW):
            for finding, row, _ in cell_tests(evidence, "instability", mode):
                head = {name: row[name] for name in CELL}
                rows.append({**head, "mode": mode, "threshold": delta, "p": finding.p, "verdict": finding.verdict})
    kinds: dict[str, Any] = dict.fromkeys((*CELL, "mode", "verdict"), pl.String) | {"threshold": pl.Float64, "p": pl.Float64}
    order = [*CELL, "mode", "threshold", "p", "verdict"]
    return pl.DataFrame(rows, schema={name: kinds[name] for name in order}).sort(*order[:7])
