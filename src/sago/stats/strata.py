"""The strata of claims about axes: one model, data set and way of decoding, half-scores of every axis as arrays (METRICS 8, 2a)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from sago.arrays.grouping import Floats, Integers, Values
from sago.records import AXES
from sago.stats.evidence import Evidence
from sago.stats.independence import Halves, standard_ranks, without_covariates

COVARIATES = ("prompt_length", "response_length", "correct", "log_likelihood")
"""What is partialled out, where it is known."""

_KNOWN_FROM = 0.8
"""Share of the examples of which a covariate has to be known."""

_RANKED = 1_000_000
_FEWEST_SPLITS = 10
"""Many examples need fewer splits: examples times splits stay below a million, but never fewer than ten splits where there are more."""

_COUNTS = ("axis", "measure", "example", "n_variants", "n_observations")
_KEY = ["model", "dataset", "decoding"]


@dataclass(frozen=True)
class Stratum:
    """One model, data set and way of decoding.

    Attributes:
        measures: Axis -> its default measure, for every axis that has a number here, in the order of ``records.AXES``.
        halves: Axis -> its half-scores (splits, examples), NaN where an example has none; an axis without halves is missing.
        covariates: Name -> values, NaN where not known.
        names: Examples, sorted. places: Their places among all examples of the data set.
        asked: Axis -> which examples were asked alike: equal numbers have as many wordings and responses; an axis may be missing.
        size: Number of examples of the data set.
    """

    model: str
    dataset: str
    decoding: str
    measures: dict[str, str]
    halves: dict[str, Halves]
    covariates: dict[str, Floats]
    names: tuple[str, ...]
    places: Integers
    asked: dict[str, Integers] = field(default_factory=dict)
    size: int = 0
    _ranks: dict[tuple[str, bytes], Halves] = field(default_factory=dict, init=False, repr=False)

    def both(self, first: str, second: str) -> Values:
        """Returns which examples have halves on both axes."""
        result: Values = ~np.isnan(self.halves[first][0][0]) & ~np.isnan(self.halves[second][0][0])
        return result

    def asked_alike(self, first: str, second: str, chosen: Values) -> Integers:
        """Returns groups of the chosen examples, from 0, that have as many wordings and responses on both axes."""
        nothing = np.zeros(len(self.names), dtype=np.int64)
        both = np.stack([self.asked.get(axis, nothing)[chosen] for axis in (first, second)])
        return np.unique(both, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def ranks(self, axis: str, chosen: Values) -> Halves:
        """Returns the standard ranks of an axis' half-scores among the chosen examples."""
        key = (axis, chosen.tobytes())
        if key not in self._ranks:
            first, second = self.halves[axis]
            self._ranks[key] = (standard_ranks(first[:, chosen]), standard_ranks(second[:, chosen]))
        return self._ranks[key]

    def partial_ranks(self, axis: str, chosen: Values, covariates: tuple[str, ...]) -> Halves:
        """Returns what covariates leave of the ranks."""
        key = (f"{axis} without {', '.join(covariates)}", chosen.tobytes())
        if key not in self._ranks:
            known = standard_ranks(np.stack([self.covariates[name][chosen] for name in covariates]))
            first, second = self.ranks(axis, chosen)
            self._ranks[key] = (without_covariates(first, known), without_covariates(second, known))
        return self._ranks[key]

    def known_covariates(self, chosen: Values) -> tuple[tuple[str, ...], Values]:
        """Returns the covariates that vary and are known of nearly all of the chosen examples, and the examples of which all are known."""
        used, there = [], chosen.copy()
        for name, values in self.covariates.items():
            known = ~np.isnan(values)
            if chosen.any() and known[chosen].mean() >= _KNOWN_FROM and np.ptp(values[chosen & known]) > 0:
                used.append(name)
                there &= known
        kept = [name for name in used if there.any() and np.ptp(self.covariates[name][there]) > 0]
        return tuple(kept), there


def strata(evidence: Evidence) -> Iterator[Stratum]:
    """Yields the strata in which at least two axes have a number, one at a time: the arrays of a large run fill memory."""
    known = evidence.defaults.filter(pl.col("across").is_not_null()).sort("axis")
    halves = evidence.halves.partition_by(*_KEY, as_dict=True)
    covariates = evidence.covariates.partition_by(*_KEY, as_dict=True)
    counts = evidence.scores.select(*_KEY, *_COUNTS).partition_by(*_KEY, as_dict=True)
    asked: dict[str, pl.Series] = {}
    for key, cells in sorted(known.partition_by(*_KEY, as_dict=True).items()):
        measures = dict(sorted(cells.select("axis", "measure").iter_rows(), key=lambda row: axis_place(row[0])))
        if len(measures) < 2:
            continue
        model, dataset, decoding = (str(name) for name in key)
        if dataset not in asked:
            asked[dataset] = evidence.halves.filter(pl.col("dataset") == dataset)["example"].unique().sort()
        rows = halves.get(key, evidence.halves.clear())
        names = rows["example"].unique().sort()
        places = asked[dataset].search_sorted(names).to_numpy().astype(np.int64) if names.len() else np.empty(0, np.int64)
        found = _halves(rows, measures, names)
        known_of = _covariates(covariates.get(key, evidence.covariates.clear()), names)
        alike = _asked(counts.get(key, evidence.scores.select(*_KEY, *_COUNTS).clear()), measures, names)
        yield Stratum(model, dataset, decoding, measures, found, known_of, tuple(names.to_list()), places, alike, asked[dataset].len())


def axis_place(axis: str) -> tuple[int, str]:
    """Returns where an axis stands among others, for sorting: in the order of ``records.AXES``, then by name."""
    return (AXES.index(axis) if axis in AXES else len(AXES), axis)


def _halves(rows: pl.DataFrame, measures: dict[str, str], names: pl.Series) -> dict[str, Halves]:
    if rows.is_empty():
        return {}
    longest = rows.select(pl.col("first").list.len().max()).item()
    splits = min(longest, max(_FEWEST_SPLITS, _RANKED // names.len()))
    usable = np.ones((names.len(), splits), dtype=np.bool_)
    given: dict[str, tuple[Integers, Values, Values]] = {}
    for axis, measure in measures.items():
        mine = rows.filter((pl.col("axis") == axis) & (pl.col("measure") == measure)).sort("example")
        if mine.is_empty():
            continue
        at = names.search_sorted(mine["example"]).to_numpy().astype(np.int64)
        one, two = (_matrix(mine[name], splits) for name in ("first", "second"))
        usable[at] &= ~(np.isnan(one) | np.isnan(two))
        given[axis] = (at, one, two)
    order = None if usable.all() else _usable_first(usable)
    found: dict[str, Halves] = {}
    for axis, (at, one, two) in given.items():
        both = []
        for values in (one, two):
            whole = np.full((names.len(), splits), np.nan, dtype=np.float32)
            whole[at] = values
            if order is not None:
                whole = np.take_along_axis(whole, order, axis=1)
                whole[~usable.any(axis=1)] = np.nan
            both.append(np.ascontiguousarray(whole.T))
        found[axis] = (both[0], both[1])
    return found


def _matrix(lists: pl.Series, splits: int) -> Values:
    """Returns lists of any lengths as an array (rows, splits): longer ones are cut, shorter ones begin again."""
    lengths = lists.list.len().to_numpy().astype(np.int64)
    flat = lists.explode().fill_null(float("nan")).to_numpy()
    starts = np.cumsum(lengths) - lengths
    result: Values = flat[starts[:, None] + np.arange(splits) % lengths[:, None]]
    return result


def _usable_first(usable: Values) -> Integers:
    """Returns, for each row, its usable splits again and again: the same for every axis."""
    order = np.argsort(~usable, axis=1, kind="stable")
    count = np.maximum(usable.sum(axis=1, keepdims=True), 1)
    result: Integers = np.take_along_axis(order, np.arange(usable.shape[1]) % count, axis=1)
    return result


def _asked(rows: pl.DataFrame, measures: dict[str, str], names: pl.Series) -> dict[str, Integers]:
    """Returns one number for each pair of counts of wordings and responses, -1 = not known."""
    found: dict[str, Integers] = {}
    code = (pl.col("n_variants").cast(pl.Int64) * (1 << 31) + pl.col("n_observations").cast(pl.Int64)).alias("code")
    for axis, measure in measures.items():
        mine = rows.filter((pl.col("axis") == axis) & (pl.col("measure") == measure)).select("example", code)
        if mine.height:
            of_names = names.to_frame("example").join(mine, on="example", how="left", maintain_order="left")
            found[axis] = of_names["code"].fill_null(-1).to_numpy().astype(np.int64)
    return found


def _covariates(rows: pl.DataFrame, names: pl.Series) -> dict[str, Floats]:
    found = names.to_frame("example").join(rows, on="example", how="left", maintain_order="left")
    return {name: found[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() for name in COVARIATES}
