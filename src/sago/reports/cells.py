"""Rows of the headline tables as records, the same for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from sago.arrays import t_interval
from sago.records import most_frequent
from sago.reports.equivalence import least_instability, pair_shares
from sago.reports.numbers import Estimate
from sago.reports.words import AXES, CONTROLS, in_order, meaning
from sago.schemas import Tables

DECODINGS: dict[str, str] = {
    "greedy": "the most likely answer, once",
    "sampled": "answers drawn at the study's temperature",
    "recorded": "as recorded: how it was decoded is not known",
    "audit": "greedy again, in another batch",
}
"""Way of decoding -> its meaning, in the order in which reports show them."""

_RERUN = ("noise_floor", "rerun", "small_audit")
"""Beginnings of the flags that speak about the noise of asking twice."""

_CELL = ("model", "dataset", "axis", "measure", "decoding")


@dataclass(frozen=True)
class ProfileRow:
    """One cell of the profile, with its verdict."""

    model: str
    dataset: str
    axis: str
    measure: str
    decoding: str
    n: int
    n_left_out: int
    n_variants: float | None
    across: Estimate
    rerun: float | None
    unrelated: float | None
    instability: Estimate
    verdict: str | None
    """From the findings; null where the cell was not tested."""
    rerun_p: float | None
    flags: tuple[str, ...]
    reason: str | None
    threshold: float | None = None
    """Smallest effect that the verdict is against; null where nothing was tested."""
    beyond: Estimate | None = None
    """Instability with the interval for new examples and new wordings; null where the wordings are too few to say."""
    least: float | None = None
    """What is left of it if as many pairs of wordings as a review leaves open do not mean the same; null where there are none."""

    @property
    def count_codes(self) -> tuple[str, ...]:
        """Remarks about the examples and the values."""
        return tuple(flag for flag in self.flags if not flag.startswith(_RERUN))

    @property
    def rerun_codes(self) -> tuple[str, ...]:
        """Where the noise floor comes from, or why there is none."""
        codes = tuple(flag for flag in self.flags if flag.startswith(_RERUN))
        if self.rerun is not None or codes or self.reason is not None:
            return codes
        return ("not_defined",) if self.axis == "mirroring" else ("no_reruns",)

    @property
    def verdict_codes(self) -> tuple[str, ...]:
        """Remark beside a verdict that the interval alone seems to contradict."""
        ends = self.instability
        if self.verdict != "INCONCLUSIVE" or self.threshold is None or ends.lower is None or ends.upper is None:
            return ()
        return ("bound=wide",) if ends.lower > self.threshold or ends.upper < self.threshold else ()

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code that has to be explained beside the row: the reason first."""
        return ((self.reason,) if self.reason else ()) + self.flags


@dataclass(frozen=True)
class ControlRow:
    """One control of one cell."""

    kind: str
    n: int
    estimate: Estimate
    expected: str
    verdict: str
    reason: str | None

    @property
    def is_informative(self) -> bool:
        """Whether it could have failed: an identity interval of width 0 could not."""
        return self.verdict != "not_informative" and not (self.kind == "identity" and self.estimate.is_point)

    @property
    def why(self) -> str:
        """Code of why it is not informative."""
        return self.reason or ("width_zero" if self.estimate.is_point else "not_observable")


@dataclass(frozen=True)
class ControlGroup:
    """The controls of one model, data set, axis and decoding; the default measure."""

    model: str
    dataset: str
    axis: str
    decoding: str
    controls: dict[str, ControlRow]


@dataclass(frozen=True)
class AccuracyRow:
    """Correctness of one model on one data set, and the instability of its answers beside it."""

    model: str
    dataset: str
    decoding: str
    n: int
    n_no_gold: int
    canonical: Estimate
    mean: Estimate
    worst: float | None
    best: float | None
    stable_correct: float | None
    stable_wrong: float | None
    unstable: float | None
    instability: Estimate
    reason: str | None


def models_of(tables: Tables) -> list[str]:
    """Returns every model, in the order in which the tables name them."""
    return _names(tables, "model")


def datasets_of(tables: Tables) -> list[str]:
    """Returns every data set, in the order in which the tables name them."""
    return _names(tables, "dataset")


def profile_rows(tables: Tables, *, defaults: bool = True) -> list[ProfileRow]:
    """Returns the cells over all families and layers, ordered by data set, axis, decoding, model.

    Args:
        tables: All tables.
        defaults: True: the default measure of each cell; false: the other measures.
    """
    whole = pl.col("family").is_null() & pl.col("layer").is_null()
    wanted = tables.profiles.filter(whole & (pl.col("default") == defaults))
    verdicts = _verdicts(tables.findings)
    shares = pair_shares(tables)
    rows = [_profile_row(row, verdicts, shares.get(row["dataset"])) for row in wanted.iter_rows(named=True)]
    return sorted(rows, key=_sorter(tables))


def split_unobserved(rows: list[ProfileRow]) -> tuple[list[ProfileRow], list[ProfileRow]]:
    """Parts the rows to show from those without any data that one line says better than an empty row for each model and data set.

    Those are rows whose axis has data in another way of decoding (sampled answers carry no hidden states, for instance), and, where there
    are several models or data sets, rows of an axis that has data in none of them (recorded answers without states).
    """
    observed = {(row.model, row.dataset, row.axis) for row in rows if row.n}
    somewhere = {row.axis for row in rows if row.n}
    are_several = len({(row.model, row.dataset) for row in rows}) > 1 and bool(somewhere)

    def is_hidden(row: ProfileRow) -> bool:
        elsewhere = (row.model, row.dataset, row.axis) in observed
        return not row.n and row.across.value is None and (elsewhere or (are_several and row.axis not in somewhere))

    hidden = [row for row in rows if is_hidden(row)]
    return [row for row in rows if row not in hidden], hidden


def absent_lines(rows: list[ProfileRow]) -> list[str]:
    """Returns one line for each reason why an axis has no row in one way of decoding, though it has one in another."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        found.setdefault((row.decoding, row.reason or "not_observable"), {})[row.axis] = None
    return [f"No {decoding} row for {' and '.join(axes)}: {meaning(reason)}." for (decoding, reason), axes in found.items()]


def control_groups(tables: Tables) -> list[ControlGroup]:
    """Returns the controls of the default measures, grouped by cell, in the order of the profile."""
    found: dict[tuple[str, ...], ControlGroup] = {}
    every = profile_rows(tables)
    somewhere = {row.axis for row in every if row.n}
    shown = [row for row in every if row.axis in somewhere] or every
    defaults = {(row.model, row.dataset, row.axis, row.measure, row.decoding) for row in shown}
    for row in tables.controls.iter_rows(named=True):
        cell = tuple(row[name] for name in _CELL)
        if defaults and cell not in defaults:
            continue
        group = found.setdefault(cell, ControlGroup(row["model"], row["dataset"], row["axis"], row["decoding"], {}))
        estimate = Estimate(row["instability"], row["lower"], row["upper"])
        group.controls[row["kind"]] = ControlRow(row["kind"], row["n"], estimate, row["expected"], row["verdict"], row["reason"])
    return sorted(found.values(), key=_sorter(tables))


def control_kinds(groups: Iterable[ControlGroup]) -> list[str]:
    """Returns every kind of control that some cell has."""
    return sorted({kind for group in groups for kind in group.controls}, key=lambda kind: in_order(kind, CONTROLS))


def judged_kinds(groups: Sequence[ControlGroup]) -> list[str]:
    """Returns the kinds of controls that could be judged in some cell."""
    informative = {kind for group in groups for kind, control in group.controls.items() if control.is_informative}
    return [kind for kind in control_kinds(groups) if kind in informative]


def never_judged(groups: Sequence[ControlGroup]) -> list[tuple[str, str]]:
    """Returns, for each kind that no cell could judge though others could be, the most frequent code of why."""
    judged = judged_kinds(groups)
    left = [kind for kind in control_kinds(groups) if kind not in judged] if judged else []
    return [(kind, most_frequent([group.controls[kind].why for group in groups if kind in group.controls])) for kind in left]


def accuracy_rows(tables: Tables) -> list[AccuracyRow]:
    """Returns accuracy with the default instability of the generation axis beside it."""
    beside = {(row.model, row.dataset, row.decoding): row.instability for row in profile_rows(tables) if row.axis == "generation"}
    rows = [
        AccuracyRow(
            **{name: row[name] for name in ("model", "dataset", "decoding", "n", "n_no_gold", "worst", "best", "reason")},
            **{name: row[name] for name in ("stable_correct", "stable_wrong", "unstable")},
            canonical=Estimate(row["canonical"], row["canonical_lower"], row["canonical_upper"]),
            mean=Estimate(row["mean"], row["mean_lower"], row["mean_upper"]),
            instability=beside.get((row["model"], row["dataset"], row["decoding"]), Estimate(None)),
        )
        for row in tables.accuracy.iter_rows(named=True)
    ]
    return sorted(rows, key=_sorter(tables))


def default_cells(tables: Tables) -> pl.DataFrame:
    """Returns model, dataset, axis, measure and decoding of every default cell."""
    return tables.profiles.filter(pl.col("default")).select(_CELL).unique(maintain_order=True)


def _names(tables: Tables, column: str) -> list[str]:
    frames = (tables.profiles, tables.observations, tables.accuracy, *((tables.examples,) if column == "dataset" else ()))
    return list(dict.fromkeys(name for frame in frames for name in frame[column].unique(maintain_order=True).to_list()))


def _sorter(tables: Tables) -> Any:
    models, datasets = models_of(tables), datasets_of(tables)

    def key(row: Any) -> tuple[Any, ...]:
        axis = in_order(getattr(row, "axis", ""), AXES)
        known = models.index(row.model) if row.model in models else len(models)
        place = datasets.index(row.dataset) if row.dataset in datasets else len(datasets)
        return place, axis, in_order(row.decoding, DECODINGS), known, getattr(row, "measure", "")

    return key


def _verdicts(findings: pl.DataFrame) -> dict[tuple[str, ...], tuple[str, float | None]]:
    """Returns the verdict on the calibrated instability of every cell over all families, and what it is against."""
    about = findings.filter((pl.col("claim") == "instability") & (pl.col("mode") == "calibrated") & pl.col("family").is_null())
    return {
        (row["models"][0], row["datasets"][0], row["axis"], row["measure"], row["decoding"]): (row["verdict"], row["threshold"])
        for row in about.iter_rows(named=True)
        if len(row["models"]) == 1 and len(row["datasets"]) == 1
    }


def _profile_row(row: dict[str, Any], verdicts: dict[tuple[str, ...], tuple[str, float | None]], pair_share: float | None) -> ProfileRow:
    same = ("model", "dataset", "axis", "measure", "decoding", "n", "n_left_out", "n_variants", "rerun", "unrelated", "rerun_p", "reason")
    verdict, threshold = verdicts.get(tuple(row[name] for name in _CELL), (None, None))
    return ProfileRow(
        **{name: row[name] for name in same},
        across=Estimate(row["across"], row["across_lower"], row["across_upper"]),
        instability=Estimate(row["instability"], row["lower"], row["upper"]),
        verdict=verdict,
        threshold=threshold,
        flags=tuple(row["flags"]),
        beyond=_beyond(row),
        least=least_instability(row["instability"], pair_share),
    )


def _beyond(row: dict[str, Any]) -> Estimate | None:
    if row["instability"] is None or row["se_total"] is None or "few_variants" in row["flags"]:
        return None
    interval = t_interval(row["instability"], row["se_total"], row["n"])
    return Estimate(row["instability"], interval.lower, interval.upper)
