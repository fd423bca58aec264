"""Count lines: how many findings of a claim say what, and why a question has no answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from sago.reports.findings import Finding, listed, reasons, tally
from sago.reports.numbers import decimal
from sago.reports.words import AXES, CLAIMS, in_order, meaning
from sago.schemas import Tables
from sago.stats.words import counted

CALIBRATED, RAW = "calibrated", "raw"


@dataclass(frozen=True)
class Counted:
    """What is counted about one question, and what could not be asked; a line each."""

    counts: tuple[str, ...]
    nothing: tuple[str, ...]


@dataclass(frozen=True)
class Scope:
    """What has data: the models, data sets and axes of the default profile."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    axes: tuple[str, ...]
    shared: bool
    """Whether two models have two data sets in common."""
    asked: int
    """Models that were asked anything, whether there is a number or not."""


def scope(tables: Tables) -> Scope:
    """Returns what the profile has data about."""
    whole = pl.col("default") & pl.col("family").is_null() & pl.col("layer").is_null() & (pl.col("n") > 0)
    cells = tables.profiles.filter(whole).select("model", "dataset", "axis").unique(maintain_order=True)
    names = {name: tuple(cells[name].unique(maintain_order=True).to_list()) for name in cells.columns}
    pairs = set(cells.select("model", "dataset").iter_rows())
    sets = [{dataset for dataset in names["dataset"] if (model, dataset) in pairs} for model in names["model"]]
    shared = any(len(one & other) > 1 for place, one in enumerate(sets) for other in sets[:place])
    axes = sorted(names["axis"], key=lambda axis: in_order(axis, AXES))
    return Scope(names["model"], names["dataset"], tuple(axes), shared, tables.profiles["model"].n_unique())


def counts_of_instability(findings: Sequence[Finding], about: Scope, alpha: float, doubts: Callable[[Finding], bool]) -> Counted:
    """Returns the counts of claim 1: cells, against asking twice, consistency, uniformity.

    Args:
        findings: Those of the claim.
        about: What has data.
        alpha: Error rate.
        doubts: Whether a finding stands on a cell whose control failed.
    """
    counts, nothing = [], []
    whole = [finding for finding in findings if finding.claim == "instability" and finding.family is None]
    tested = [finding for finding in whole if finding.mode == CALIBRATED and finding.is_tested]
    if tested:
        counts.append(_cells(tested, about, alpha) + _doubtful(tested, doubts))
        if len(about.datasets) > 1:
            counts.append(_by_dataset(tested, about))
        counts += _raw_beside(tested, [finding for finding in whole if finding.mode == RAW], alpha)
    elif whole:
        nothing.append(f"No cell could be tested: {listed([meaning(code) for code in _why(whole)], 2)}.")
    else:
        nothing.append("No cell was tested against the smallest effect of interest.")
    of_reruns, left_out = _reruns([finding for finding in findings if finding.claim == "rerun_floor"], alpha)
    counts += of_reruns
    nothing += left_out
    over = [finding for finding in findings if finding.claim == "consistency"]
    counts += _others([finding for finding in over if finding.family is None], ("consistency",), " over data sets")
    counts += _others([finding for finding in over if finding.family is not None], ("consistency",), " over families of wordings")
    counts += _others(findings, ("uniformity", "heterogeneity"))
    if tested and len(about.datasets) < 2:
        nothing.append("One data set only: whether it is unstable on several cannot be asked.")
    return Counted(tuple(counts), tuple(nothing))


def counts_of_axes(findings: Sequence[Finding], about: Scope) -> Counted:
    """Returns the counts of claim 2: pairs of axes, strata, overlap, added information."""
    if len(about.axes) < 2:
        only = f"Only {about.axes[0]} has data" if about.axes else "No axis has data"
        return Counted((), (f"{only}: there is no pair of axes.",))
    pairs, strata = pooled_and_strata([finding for finding in findings if finding.claim == "independence" and finding.mode == CALIBRATED])
    if not pairs:
        pairs, strata = pooled_and_strata([finding for finding in findings if finding.claim == "independence"])
    if not pairs:
        return Counted(_others(findings, ("added_information",)), ("Independence of the axes was not tested.",))
    counts = [f"{counted(len(pairs), 'pair')} of axes: {tally(pairs)}."]
    if strata:
        counts.append(f"{counted(len(strata), 'pair')} in one model on one data set: {tally(strata)}.")
    counts += _others(findings, ("failure_overlap", "partial_correlation", "added_information"))
    nothing = []
    if all(pair.verdict in ("NOT_ASSESSABLE", "NOT_TESTED") for pair in pairs) and (codes := reasons(pairs)):
        nothing.append(f"No pair of axes can be judged: {listed([meaning(code) for code in codes], 2)}.")
    return Counted(tuple(counts), tuple(nothing))


def counts_of_order(findings: Sequence[Finding], about: Scope) -> Counted:
    """Returns the counts of claim 3: reversals, agreement of orders, dominance."""
    others = ("dominance",)
    if len(about.models) < 2:
        return Counted(_others(findings, others), (_no_order(about),))
    nothing = []
    if len(about.datasets) < 2:
        nothing.append("One data set only: an order cannot change between data sets.")
    elif not about.shared:
        nothing.append("No two models have two data sets in common: their orders cannot be compared.")
    reversals = [finding for finding in findings if finding.claim == "reversal"]
    pairs, _ = pairs_and_summaries([finding for finding in reversals if finding.mode == CALIBRATED])
    counts = []
    tested = [pair for pair in pairs if pair.is_tested]
    if tested:
        turned = sum(pair.verdict == "REVERSED" for pair in tested)
        axes = len({pair.axis for pair in tested})
        tests = f"{counted(len(tested), 'comparison')} of two models on two data sets" + (f" ({axes} axes)" if axes > 1 else "")
        left = f"; {len(pairs) - len(tested)} could not be tested" if len(pairs) > len(tested) else ""
        counts.append(f"REVERSED in {turned} of {tests}, after Holm{left}.")
        raw = [pair for pair in pairs_and_summaries([one for one in reversals if one.mode == RAW])[0] if pair.is_tested]
        if raw:
            counts.append(
                f"Raw, not set against other questions: REVERSED in {sum(pair.verdict == 'REVERSED' for pair in raw)} of {len(raw)}."
            )
    elif pairs:
        nothing.append(f"No reversal could be tested: {listed([meaning(code) for code in reasons(pairs)], 2)}.")
    elif not nothing:
        nothing.append("Reversals were not tested.")
    counts += _others(findings, ("rank_agreement", "reversal_omnibus", *others))
    return Counted(tuple(counts), tuple(nothing))


def _no_order(about: Scope) -> str:
    if about.asked < 2:
        return "One model only: there is no order that could change."
    having = f"only {about.models[0]} has a number" if about.models else "none has a number"
    return f"{about.asked} models were asked, but {having}: there is no order that could change."


def pooled_and_strata(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Parts findings about pairs of axes into the one over most models and data sets of each pair, and those about less."""
    widest: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        held = widest.get(finding.cell)
        if held is None or _reach(finding) > _reach(held):
            widest[finding.cell] = finding
    pooled = list(widest.values())
    return pooled, [finding for finding in findings if not any(finding is one for one in pooled)]


def pairs_and_summaries(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Parts reversals into those of two models, and those that sum up all models of two data sets.

    Of two models the summary names the same models as their pair; it is the one without a p of its own, or else the later one.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.models, finding.datasets, finding.cell, finding.mode), []).append(finding)
    pairs, summaries = [], []
    for (models, *_), group in groups.items():
        ordered = sorted(group, key=lambda finding: finding.p is None)
        if len(models) == 2:  # type: ignore[arg-type]
            pairs.append(ordered[0])
            summaries += ordered[1:]
        else:
            summaries += ordered
    return pairs, summaries


def _why(findings: Sequence[Finding]) -> list[str]:
    """Returns the reasons, of cells with data where there are any."""
    return reasons([finding for finding in findings if finding.n]) or reasons(findings)


def _reach(finding: Finding) -> int:
    return len(finding.models) * len(finding.datasets)


def _cells(tested: Sequence[Finding], about: Scope, alpha: float) -> str:
    threshold = next((finding.threshold for finding in tested if finding.threshold is not None), None)
    against = (
        ""
        if threshold is None
        else f", above the smallest instability that matters ({decimal(threshold)}) at an error rate of {decimal(alpha)}"
    )
    unstable = [finding for finding in tested if finding.verdict == "UNSTABLE"]
    after = sum(finding.survives(alpha) for finding in unstable)
    counts = Counter(finding.verdict for finding in tested)
    rest = "".join(f" {name} in {counts[name]}." for name in ("STABLE", "INCONCLUSIVE") if counts[name])
    size = f"{counted(len(about.models), 'model')}, {counted(len(about.datasets), 'data set')}, {counted(len(about.axes), 'axis', 'axes')}"
    return f"UNSTABLE in {len(unstable)} of {counted(len(tested), 'cell')} ({size}){against}; {after} after Holm.{rest}"


def _doubtful(tested: Sequence[Finding], doubts: Callable[[Finding], bool]) -> str:
    """Says how many of the counted cells prove nothing."""
    cells = [finding for finding in tested if doubts(finding)]
    if not cells:
        return ""
    unstable = sum(finding.verdict == "UNSTABLE" for finding in cells)
    return f" {counted(unstable, 'UNSTABLE cell')} of {len(cells)} with a failed control (✗) prove nothing."


def _by_dataset(tested: Sequence[Finding], about: Scope) -> str:
    parts = []
    for dataset in about.datasets:
        here = [finding for finding in tested if finding.datasets == (dataset,)]
        if here:
            parts.append(f"{sum(finding.verdict == 'UNSTABLE' for finding in here)} of {len(here)} on {dataset}")
    return f"UNSTABLE by data set: {listed(parts)}."


def _raw_beside(tested: Sequence[Finding], raw: Sequence[Finding], alpha: float) -> list[str]:
    known = [finding for finding in raw if finding.is_tested]
    if not known:
        return []
    unstable = [finding for finding in known if finding.verdict == "UNSTABLE"]
    by_cell = {(finding.models, finding.datasets, finding.cell): finding.verdict for finding in known}
    both = [(finding.verdict, by_cell.get((finding.models, finding.datasets, finding.cell))) for finding in tested]
    differ = sum(other is not None and one != other for one, other in both)
    after = sum(finding.survives(alpha) for finding in unstable)
    beside = f"Raw, not set against other questions: UNSTABLE in {len(unstable)} of {counted(len(known), 'cell')}; {after} after Holm."
    return [f"{beside} The two ways of counting disagree in {counted(differ, 'cell')}."]


def _reruns(findings: Sequence[Finding], alpha: float) -> tuple[list[str], list[str]]:
    tested = [finding for finding in findings if finding.is_tested]
    if not findings:
        return [], []
    if not tested:
        return [], [f"Against asking twice: not tested, {listed([meaning(code) for code in _why(findings)][:1])}."]
    differ = sum(finding.survives(alpha) for finding in tested)
    left = f"; {len(findings) - len(tested)} not tested" if len(findings) > len(tested) else ""
    return [f"Wordings differ more than asking twice in {differ} of {counted(len(tested), 'cell')}, after Holm{left}."], []


def _others(findings: Sequence[Finding], claims: Sequence[str], what: str = "") -> tuple[str, ...]:
    """Returns one line for each claim that has several findings with data, in calibrated mode where it has one."""
    lines = []
    for claim in claims:
        every = [finding for finding in findings if finding.claim == claim and (finding.is_tested or finding.n)]
        known = [finding for finding in every if finding.mode == CALIBRATED] or every
        if len(known) > 1:  # of one finding the sentence says it all
            name = CLAIMS.get(claim, claim.replace("_", " "))
            lines.append(f"{name[:1].upper()}{name[1:]}{what}: {tally(known)}.")
    return tuple(lines)
