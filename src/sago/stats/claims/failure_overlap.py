"""Do the axes fail on the same examples? (METRICS 8, 2i)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from sago.arrays.grouping import Floats
from sago.arrays.intervals import LEVEL
from sago.records import most_frequent
from sago.seeds import generator
from sago.stats.claims.pairs import FAILING, Pair, Part, Together, said_where
from sago.stats.dimensions import mantel_haenszel
from sago.stats.evidence import RAW, Rules
from sago.stats.finding import NOT_SHOWN, Finding, corrected, corrected_p
from sago.stats.overlaps import EXACT_UP_TO, PERMUTED_UP_TO, exact_overlap_p, permuted_overlap_p
from sago.stats.words import bracketed, figure, percent

CLAIM = "failure_overlap"
TOGETHER, APART = "FAIL_TOGETHER", "FAIL_APART"

MOST_FAILING = 0.5
"""A stratum in which more than this share of the examples counts as the failures of an axis, for they are tied, takes no part."""

_NEARLY = (0.05, 0.15)
"""Shares that a sentence may call the least stable tenth."""

_EXPECTED = 5.0
"""Fewest failures in common by chance, over strata, with which the odds ratio has an interval (Mantel & Fleiss 1980)."""

_Z = float(special.ndtri((1 + LEVEL) / 2))


def failure_overlaps(pairs: Sequence[Pair], rules: Rules) -> list[Finding]:
    """Returns, for every pair of axes, whether the least stable tenth of the examples is the same on both, over all strata.

    Failures of one axis are taken over one half of the wordings and those of the other over the other half (of one split), for noise that
    they share would make them alike. FAIL_TOGETHER or FAIL_APART by the exact conditional test (by permutation where models were asked the
    same examples; by the Mantel-Haenszel chi-square test where there are thousands of failures), else NOT_SHOWN, which is no claim that
    they fail independently. Chance is that among examples with as many wordings and responses: fewer of them make all axes noisier, and
    noise alone would put the same examples among their extremes. Ties make the tenth a larger or smaller share, which the sentence then
    says; a stratum with more than half of the examples failing takes no part.
    """
    findings = corrected([_tested(pair, rules.seed) for pair in pairs])
    return [_judged(finding, pair, rules.alpha) for finding, pair in zip(findings, pairs, strict=True)]


def _tested(pair: Pair, seed: int) -> Finding:
    kept = [part for part in pair.parts if part.together is not None]
    usable = _usable(pair)
    models = tuple(sorted({part.model for part in pair.parts}))
    datasets = tuple(sorted({part.dataset for part in pair.parts}))
    n = _examples([part for part, _ in usable] or kept) if kept else max((part.places.size for part in pair.parts), default=0)
    finding = Finding(CLAIM, models, datasets, pair.axis, pair.measure, pair.decoding, RAW, n)
    if not usable:
        return replace(finding, reason=most_frequent([_why_not(part) for part in pair.parts]))
    tables = np.concatenate([found.tables for _, found in usable])
    plain = sum(_variance(table) for table in tables)
    variance = max(plain, _clustered(usable))
    ratio, se = mantel_haenszel(tables), _log_se(tables) * float(np.sqrt(variance / plain))
    p, test = _p(pair, usable, variance, seed)
    finding = replace(finding, p=p, test=test, threshold=1.0)
    if not 0 < ratio < float("inf"):
        return finding
    if _expected(tables) < _EXPECTED:
        return replace(finding, estimate=ratio)
    return replace(finding, estimate=ratio, lower=float(ratio * np.exp(-_Z * se)), upper=float(ratio * np.exp(_Z * se)))


def _usable(pair: Pair) -> list[tuple[Part, Together]]:
    known = [(part, part.together) for part in pair.parts if part.together is not None]
    varying = [(part, found) for part, found in known if any(_variance(table) > 0 for table in found.tables)]
    return [(part, found) for part, found in varying if max(found.shares) <= MOST_FAILING]


def _why_not(part: Part) -> str:
    if part.together is None:
        return part.reason or "small_n"
    return "tied_scores" if max(part.together.shares) > MOST_FAILING else "no_spread"


def _p(pair: Pair, usable: Sequence[tuple[Part, Together]], variance: float, seed: int) -> tuple[float, str]:
    """Returns p and the test: exact where strata share no example, permutation where they do, chi-square where there is much of all."""
    names = [part.dataset for part, _ in usable]
    tables = np.concatenate([found.tables for _, found in usable])
    if len(set(names)) == len(names):
        if tables[:, 0].sum() <= EXACT_UP_TO:
            return exact_overlap_p(tables), "exact conditional test"
    elif max(_examples([part for part, _ in usable if part.dataset == name]) for name in names) <= PERMUTED_UP_TO:
        strata = [
            [(part.places, found.first, found.second, found.group) for part, found in usable if part.dataset == name]
            for name in sorted(set(names))
        ]
        rng = generator(seed, CLAIM, pair.axis, pair.measure, pair.decoding, *sorted(set(names)))
        return permuted_overlap_p(strata, rng), "permutation test"
    beyond = sum(float(found.products.sum()) for _, found in usable)
    return float(special.chdtrc(1, beyond**2 / variance)), "Mantel-Haenszel test"


def _expected(tables: Floats) -> float:
    """Returns how many common failures there would be by chance."""
    return float(np.sum(tables[:, 0].sum(axis=1) * tables[:, :, 0].sum(axis=1) / tables.sum(axis=(1, 2))))


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
            total += sum(_variance(table) for part, found in parts if part.dataset == dataset for table in found.tables)
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


def _judged(finding: Finding, pair: Pair, alpha: float) -> Finding:
    one, two = pair.axes
    where = f"{said_where(finding.models, finding.datasets)}, {one} and {two} ({finding.measure}, {finding.decoding})"
    if finding.p_adjusted is None:
        return replace(finding, sentence=f"{where}: not tested whether they fail on the same examples ({finding.reason}).")
    usable = _usable(pair)
    tables = np.concatenate([found.tables for _, found in usable])
    both, rows, columns = tables[:, 0, 0], tables[:, 0].sum(axis=1), tables[:, :, 0].sum(axis=1)
    lift, jaccard = float(both.sum()) / _expected(tables), float(both.sum() / (rows + columns - both).sum())
    verdict = NOT_SHOWN
    if finding.p_adjusted <= alpha:
        verdict = TOGETHER if lift > 1 else APART
    odds = "" if finding.estimate is None else f", odds ratio {bracketed(finding.estimate, finding.lower, finding.upper)}"
    said = (
        f"{_least_stable(pair, usable)} are among those of the other {figure(lift)} times as often as by chance{_alike(usable)} (shared: "
        f"{figure(jaccard)} of all of them{odds}; each axis over another half of the wordings)"
    )
    verb = {TOGETHER: "they fail together", APART: "they fail apart", NOT_SHOWN: "not shown to fail together or apart"}[verdict]
    detail = f"{corrected_p(finding, 'pair of axes', 'pairs of axes')}, n = {finding.n} examples"
    left = len(pair.parts) - len(usable)
    more = f" {left} of {len(pair.parts)} strata take no part ({_left_why(pair, usable)})." if left else ""
    return replace(finding, verdict=verdict, sentence=f"{where}: {said}; {verb} ({detail}).{more}")


def _least_stable(pair: Pair, usable: Sequence[tuple[Part, Together]]) -> str:
    """Says which examples count as failures: the tenth, or what ties make of it."""
    shares = np.array([found.shares for _, found in usable])
    if _NEARLY[0] <= shares.min() and shares.max() <= _NEARLY[1]:
        return f"the least stable {100 * FAILING:.0f} % of the examples on the one axis"
    each = []
    for axis, column in zip(pair.axes, shares.T, strict=True):
        low, high = percent(float(column.min())), percent(float(column.max()))
        each.append(f"{low} on {axis}" if low == high else f"{low.removesuffix(' %')} to {high} on {axis}")
    return f"the least stable examples ({' and '.join(each)}, since many have the same score) of the one axis"


def _alike(usable: Sequence[tuple[Part, Together]]) -> str:
    several = any(len(found.tables) > 1 for _, found in usable)
    return " among examples with as many wordings and responses" if several else ""


def _left_why(pair: Pair, usable: Sequence[tuple[Part, Together]]) -> str:
    kept = {id(part) for part, _ in usable}
    return most_frequent([_why_not(part) for part in pair.parts if id(part) not in kept])
