"""Small tables of what may be claimed: verdicts by cell, pairs of axes, rank intervals. The same for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sago.reports.cells import DECODINGS
from sago.reports.claim_counts import CALIBRATED, RAW, Scope, pooled_and_strata
from sago.reports.claims import Soundness
from sago.reports.findings import Finding, tally
from sago.reports.words import AXES, in_order


class GridCell(NamedTuple):
    """One cell of the verdict grid."""

    finding: Finding
    raw: str | None
    """Verdict without calibration, where it is another one."""
    survives: bool
    """Whether its p survives the correction, as far as the verdict rests on it."""
    is_doubtful: bool
    """Whether one of its controls failed."""


@dataclass(frozen=True)
class Grid:
    """Verdicts on instability: a row for each model, for each data set; columns are axes, or data sets where there is a single axis."""

    columns: tuple[str, ...]
    groups: tuple[tuple[str | None, tuple[tuple[str, tuple[GridCell | None, ...]], ...]], ...]
    """Data set (or null), and its rows: the model and one cell for each column."""

    @property
    def cells(self) -> list[GridCell]:
        """Every cell that is there."""
        return [cell for _, rows in self.groups for _, cells in rows for cell in cells if cell is not None]

    @property
    def notes(self) -> list[str]:
        """Reasons why cells were not tested, in the order in which they come up; their place is their mark."""
        return list(dict.fromkeys(cell.finding.reason for cell in self.cells if not cell.finding.is_tested and cell.finding.reason))


class Pair(NamedTuple):
    """One pair of axes: the finding over most models and data sets, and the strata behind it in words."""

    finding: Finding
    strata: str


@dataclass(frozen=True)
class Matrix:
    """Pairs of axes in one way of decoding; a pair with several measures has several entries."""

    decoding: str
    axes: tuple[str, ...]
    pairs: dict[tuple[str, str], tuple[Pair, ...]]

    def at(self, one: str, other: str) -> tuple[Pair, ...]:
        """Returns the entries of a pair, whichever way round it is named."""
        return self.pairs.get((one, other)) or self.pairs.get((other, one)) or ()


class Place(NamedTuple):
    """The rank of a model on a data set, its interval, and how many models are ranked there."""

    rank: float
    lower: float | None
    upper: float | None
    of: int
    raw: str = ""
    """The same by raw scores, in words; empty where there is none."""
    differs: bool = False
    """Whether the two intervals share no rank."""
    is_doubtful: bool = False
    """Whether a control of this cell failed."""

    @property
    def words(self) -> str:
        """The rank and its interval, as they are read."""
        rank = f"{self.rank:.0f}" if self.rank == round(self.rank) else f"{self.rank:.1f}"
        if self.lower is None or self.upper is None:
            return rank
        return f"{rank} [{self.lower:.0f}, {self.upper:.0f}]"


@dataclass(frozen=True)
class Ranks:
    """Rank intervals of all models, data sets side by side; rank 1 is the most stable."""

    axis: str
    measure: str
    decoding: str
    datasets: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Place | None, ...]], ...]

    @property
    def places(self) -> list[Place]:
        """Every place that is there."""
        return [place for _, row in self.rows for place in row if place is not None]

    @property
    def sizes(self) -> list[int]:
        """How many models are ranked on each data set."""
        return [
            max((place.of for place in places if place is not None), default=0)
            for places in zip(*(row for _, row in self.rows), strict=True)
        ]


def grid(findings: Sequence[Finding], about: Scope, sound: Soundness, alpha: float) -> Grid | None:
    """Returns the verdicts on the calibrated instability of every cell; null where there is none."""
    whole = [finding for finding in findings if finding.claim == "instability" and finding.family is None and len(finding.models) == 1]
    raw = {(finding.models, finding.datasets, finding.cell): finding.verdict for finding in whole if finding.mode == RAW}
    found: dict[tuple[str, str, str, str], GridCell] = {}
    for finding in whole:
        if finding.mode == CALIBRATED and len(finding.datasets) == 1:
            other = raw.get((finding.models, finding.datasets, finding.cell))
            cell = GridCell(
                finding,
                other if finding.is_tested and other not in (finding.verdict, "NOT_TESTED") else None,
                finding.verdict != "UNSTABLE" or finding.survives(alpha),
                sound.doubts(finding),
            )
            found[finding.models[0], finding.datasets[0], finding.axis, finding.decoding] = cell
    kinds = {(axis, decoding) for (_, _, axis, decoding), cell in found.items() if cell.finding.is_tested}
    columns = sorted(kinds, key=lambda kind: (in_order(kind[1], DECODINGS), in_order(kind[0], AXES)))
    if not columns:
        return None
    if len(columns) == 1:
        return _by_dataset(found, columns[0], about)
    main = columns[0][1]
    heads = tuple(axis if decoding == main else f"{axis}, {decoding}" for axis, decoding in columns)
    groups = []
    for dataset in about.datasets:
        rows = [(model, tuple(found.get((model, dataset, *column)) for column in columns)) for model in about.models]
        groups.append((dataset, tuple((model, cells) for model, cells in rows if any(cells))))
    shown = tuple((dataset, rows) for dataset, rows in groups if rows)
    return Grid(heads, shown) if shown else None


def _by_dataset(found: dict[tuple[str, str, str, str], GridCell], column: tuple[str, str], about: Scope) -> Grid | None:
    rows = [(model, tuple(found.get((model, dataset, *column)) for dataset in about.datasets)) for model in about.models]
    shown = tuple((model, cells) for model, cells in rows if any(cells))
    return Grid(about.datasets, ((None, shown),)) if shown else None


def matrices(findings: Sequence[Finding]) -> list[Matrix]:
    """Returns the pairs of axes, calibrated where they are, one matrix for each way of decoding in which any pair was assessed."""
    every = [finding for finding in findings if finding.claim == "independence" and " & " in finding.axis]
    known = [finding for finding in every if finding.mode == CALIBRATED] or every
    pooled, strata = pooled_and_strata(known)
    found: dict[str, dict[tuple[str, str], list[Pair]]] = {}
    for finding in pooled:
        one, _, other = finding.axis.partition(" & ")
        behind = [stratum for stratum in strata if stratum.cell == finding.cell]
        said = f"{tally(behind)} of {len(behind)}" if behind else ""
        found.setdefault(finding.decoding, {}).setdefault((one, other), []).append(Pair(finding, said))
    made = []
    for decoding in sorted(found, key=lambda name: in_order(name, DECODINGS)):
        if all(entry.finding.verdict == "NOT_ASSESSABLE" for entries in found[decoding].values() for entry in entries):
            continue  # the count lines say so, and why
        axes = sorted({axis for pair in found[decoding] for axis in pair}, key=lambda axis: in_order(axis, AXES))
        made.append(Matrix(decoding, tuple(axes), {pair: tuple(entries) for pair, entries in found[decoding].items()}))
    return made


def ranks(findings: Sequence[Finding], about: Scope, sound: Soundness) -> list[Ranks]:
    """Returns the rank intervals of the calibrated scores, one table for each axis and way of decoding, of two models or more.

    Args:
        findings: Those about ranks.
        about: What has data.
        sound: Which cells have a failed control.
    """
    every = [finding for finding in findings if finding.claim == "rank" and finding.estimate is not None and len(finding.datasets) == 1]
    known = [finding for finding in every if finding.mode == CALIBRATED] or every
    raw = {(finding.models, finding.datasets, finding.cell): finding for finding in every if finding.mode == RAW}
    groups: dict[tuple[str, str], dict[tuple[str, str], Finding]] = {}
    for finding in known:
        groups.setdefault((finding.axis, finding.decoding), {})[finding.models[0], finding.datasets[0]] = finding
    made = []
    for axis, decoding in sorted(groups, key=lambda kind: (in_order(kind[1], DECODINGS), in_order(kind[0], AXES))):
        cell = groups[axis, decoding]
        datasets = [dataset for dataset in about.datasets if any(there == dataset for _, there in cell)]
        sizes = {dataset: sum(there == dataset for _, there in cell) for dataset in datasets}
        rows = []
        for model in about.models:
            places = tuple(_place(cell.get((model, dataset)), sizes[dataset], raw, sound) for dataset in datasets)
            if any(places):
                rows.append((model, places))
        if len(rows) > 1:
            rows.sort(key=_mean_rank)
            measures = dict.fromkeys(finding.measure for finding in cell.values())
            made.append(Ranks(axis, ", ".join(measures), decoding, tuple(datasets), tuple(rows)))
    return made


def rank_legend(table: Ranks) -> list[str]:
    """Returns what the signs beside ranks mean, a line each: raw ranks, those that contradict, failed controls."""
    places, lines = table.places, []
    if any(place.raw for place in places):
        contradict = "; ≠ = no rank is in both intervals" if any(place.differs for place in places) else ""
        lines.append(
            "raw: ranks by the difference between wordings alone, not divided by how far the model's answers to other questions differ"
            + contradict
        )
    if any(place.is_doubtful for place in places):
        lines.append("✗ a control of this cell failed: its rank proves nothing")
    return lines


def _place(finding: Finding | None, of: int, raw: Mapping[tuple[Any, ...], Finding], sound: Soundness) -> Place | None:
    if finding is None or finding.estimate is None:
        return None
    place = Place(finding.estimate, finding.lower, finding.upper, of, is_doubtful=sound.doubts(finding))
    beside = raw.get((finding.models, finding.datasets, finding.cell)) if finding.mode == CALIBRATED else None
    if beside is None or beside.estimate is None:
        return place
    other = Place(beside.estimate, beside.lower, beside.upper, of)
    return place._replace(raw=other.words, differs=_apart(place, other))


def _apart(one: Place, other: Place) -> bool:
    ends = (one.lower, one.upper, other.lower, other.upper)
    return None not in ends and (one.lower > other.upper or other.lower > one.upper)  # type: ignore[operator]


def _mean_rank(row: tuple[str, tuple[Place | None, ...]]) -> tuple[int, float]:
    """Sorts models of all data sets before those of some, and by the mean share of the models that stand above."""
    shares = [(place.rank - 1) / max(1, place.of - 1) for place in row[1] if place is not None]
    return -len(shares), sum(shares) / len(shares)
