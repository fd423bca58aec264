"""Do the axes fail on the same examples? (METRICS 8, 2i)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats, Integers
from sago.arrays.intervals import LEVEL
from sago.stats.claims.pairs import FAILING, Pair, Part, Together, said_where
from sago.stats.dimensions import mantel_haenszel
from sago.stats.evidence import RAW, Rules
from sago.stats.finding import NOT_SHOWN, Finding, corrected, corrected_p, most_frequent
from sago.stats.words import bracketed, figure

CLAIM = "failure_overlap"
TOGETHER, APART = "FAIL_TOGETHER", "FAIL_APART"

MOST_FAILING = 0.2
"""Largest share of the examples that may be called the least stable ones of an axis; ties can make it larger than a tenth."""

_NEAR = 0.005
_ROUNDING = 1e-7
_Z = float(special.ndtri((1 + LEVEL) / 2))


def failure_overlaps(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    """Returns, for every pair of axes, whether the least stable tenth of the examples is the same on both, over all strata.

    Failures of one axis are taken over one half of the wordings and those of the other over the other half (of one split), for noise that
    they share would make them alike. FAIL_TOGETHER or FAIL_APART, else NOT_SHOWN, which is no claim that they fail independently. The
    test is that of Mantel and Haenszel, exact as well: tables are small where a tenth of few examples fails, so the larger p counts. The
    chi-square one knows that models that were asked the same examples are not independent. Where ties make a tenth more than a fifth of
    the examples, there is no such set and nothing is tested.
    """
    findings = corrected([_tested(pair) for pair in pairs])
    return [_judged(finding, pair, rules.alpha) for finding, pair in zip(findings, pairs, strict=True)]


def _tested(pair: Pair) -> Finding:
    kept = [(part, part.together) for part in pair.parts if part.together is not None]
    usable = [(part, found) for part, found in kept if _variance(found.table) > 0 and not _is_tied(found.table)]
    models = tuple(sorted({part.model for part in pair.parts}))
    datasets = tuple(sorted({part.dataset for part in pair.parts}))
    n = _examples([part for part, _ in usable or kept]) if kept else max((part.places.size for part in pair.parts), default=0)
    finding = Finding(CLAIM, models, datasets, pair.axis, pair.measure, pair.decoding, RAW, n)
    if not usable:
        reasons = [_why_not(part) for part in pair.parts]
        return replace(finding, reason=most_frequent(reasons))
    tables = np.stack([found.table for _, found in usable])
    beyond = sum(float(found.products.sum()) for _, found in usable)
    plain = sum(_variance(found.table) for _, found in usable)
    variance = max(plain, _clustered(usable))
    ratio, se = mantel_haenszel(tables), _log_se(tables) * float(np.sqrt(variance / plain))
    p = max(float(special.chdtrc(1, beyond**2 / variance)), exact_p(tables))
    finding = replace(finding, p=p, test="exact Mantel-Haenszel test", threshold=1.0)
    if not 0 < ratio < float("inf"):
        return finding
    return replace(finding, estimate=ratio, lower=float(ratio * np.exp(-_Z * se)), upper=float(ratio * np.exp(_Z * se)))


def _is_tied(table: Floats) -> bool:
    n = table.sum()
    return bool(max(table[0].sum(), table[:, 0].sum()) > MOST_FAILING * n)


def _why_not(part: Part) -> str:
    if part.together is None:
        return part.reason or "small_n"
    return "no_spread" if _variance(part.together.table) <= 0 else "ties"


def exact_p(tables: Floats) -> float:
    """Returns the exact two-sided p of "no association in any stratum", all margins fixed.

    The sum of first counts is a sum of independent hypergeometric counts; p is the chance of all sums that are no likelier than the one
    observed (Fisher's rule). In (0, 1]; 1 = as expected. Cox & Snell 1989.

    Args:
        tables: Counts by stratum (strata x 2 x 2), whole numbers.
    """
    chances, lowest = np.ones(1), 0
    for table in tables.astype(np.int64):
        rows, columns, n = int(table[0].sum()), int(table[:, 0].sum()), int(table.sum())
        low, high = max(0, rows + columns - n), min(rows, columns)
        counts = np.arange(low, high + 1)
        logs = _log_choose(columns, counts) + _log_choose(n - columns, rows - counts) - _log_choose(n, np.array(rows))
        chances, lowest = np.convolve(chances, np.exp(logs)), lowest + low
    observed = chances[int(tables[:, 0, 0].sum()) - lowest]
    return float(min(1.0, chances[chances <= observed * (1 + _ROUNDING)].sum() / chances.sum()))


def _log_choose(n: int, k: Integers) -> Floats:
    result: Floats = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return result


def _examples(parts: Sequence[Part]) -> int:
    names = sorted({part.dataset for part in parts})
    return sum(np.unique(np.concatenate([part.places for part in parts if part.dataset == name])).size for name in names)


def _variance(table: Floats) -> float:
    """Returns the variance of the first count of a table, its margins fixed (hypergeometric)."""
    n = float(table.sum())
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return float(rows.prod() * columns.prod() / (n**2 * (n - 1))) if n > 1 else 0.0


def _clustered(parts: Sequence[tuple[Part, Together]]) -> float:
    """Returns the variance of the sum of products where models that were asked the same examples are not independent."""
    total = 0.0
    for dataset in sorted({part.dataset for part, _ in parts}):
        mine = [(part.places, found.products) for part, found in parts if part.dataset == dataset]
        if len(mine) > 1:
            sums = np.bincount(np.concatenate([places for places, _ in mine]), np.concatenate([products for _, products in mine]))
            total += float(sums @ sums)
        else:
            total += sum(_variance(found.table) for part, found in parts if part.dataset == dataset)
    return total


def _log_se(tables: Floats) -> float:
    """Returns the standard error of the log of the common odds ratio (Robins, Breslow & Greenland 1986)."""
    n = tables.sum(axis=(1, 2))
    p, q = (tables[:, 0, 0] + tables[:, 1, 1]) / n, (tables[:, 0, 1] + tables[:, 1, 0]) / n
    r, s = tables[:, 0, 0] * tables[:, 1, 1] / n, tables[:, 0, 1] * tables[:, 1, 0] / n
    if not (r.sum() > 0 and s.sum() > 0):
        return float("nan")
    parts = (p @ r) / r.sum() ** 2 + (p @ s + q @ r) / (r.sum() * s.sum()) + (q @ s) / s.sum() ** 2
    return float(np.sqrt(parts / 2))


def _share(share: float) -> str:
    return f"{100 * share:.{0 if abs(share - FAILING) < _NEAR else 1}f} %"


def _judged(finding: Finding, pair: Pair, alpha: float) -> Finding:
    one, two = pair.axes
    where = f"{said_where(finding.models, finding.datasets)}, {one} and {two} ({finding.measure}, {finding.decoding})"
    if finding.p_adjusted is None:
        return replace(finding, sentence=f"{where}: not tested whether they fail on the same examples ({finding.reason}).")
    known = [part.together.table for part in pair.parts if part.together is not None]
    tables = np.stack([table for table in known if _variance(table) > 0 and not _is_tied(table)])
    both, rows, columns, n = tables[:, 0, 0], tables[:, 0].sum(axis=1), tables[:, :, 0].sum(axis=1), tables.sum(axis=(1, 2))
    expected = float(np.sum(rows * columns / n))
    lift, jaccard = float(both.sum()) / expected, float(both.sum() / (rows + columns - both).sum())
    verdict = NOT_SHOWN
    if finding.p_adjusted <= alpha:
        verdict = TOGETHER if lift > 1 else APART
    odds = "" if finding.estimate is None else f", odds ratio {bracketed(finding.estimate, finding.lower, finding.upper)}"
    least = [_share(float(count / n.sum())) for count in (rows.sum(), columns.sum())]
    said = (
        f"the least stable {least[0]} of the examples on {one} are among the least stable {least[1]} on {two} {figure(lift)} times as "
        f"often as by chance (shared: {figure(jaccard)} of all of them{odds}; each axis over another half of the wordings)"
    )
    verb = {TOGETHER: "they fail together", APART: "they fail apart", NOT_SHOWN: "not shown to fail together or apart"}[verdict]
    detail = f"{corrected_p(finding, 'pair of axes', 'pairs of axes')}, n = {finding.n} examples"
    return replace(finding, verdict=verdict, sentence=f"{where}: {said}; {verb} ({detail}).")
