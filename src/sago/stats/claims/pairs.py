"""What is known of every pair of axes in every stratum: the numbers behind the claims about axes (METRICS 8, claim 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats, Integers, Values
from sago.seeds import generator
from sago.stats.dimensions import top_share
from sago.stats.evidence import Evidence
from sago.stats.independence import (
    DISTANCE_EXAMPLES,
    CrossHalf,
    cross_half,
    distance_correlation,
    distance_of_normal,
    distance_p,
    distance_parts,
)
from sago.stats.rare_ranks import few_apart, own_spread_p
from sago.stats.reliability import ASSESSABLE_FROM
from sago.stats.strata import Stratum, strata

FEWEST = 30
"""Fewest examples of a stratum on which a pair of axes is judged."""

FEWEST_APART = 5
"""Fewest examples that make up the spread of an axis (``CrossHalf.apart``) with which a pair of axes is judged."""

FAILING = 0.1
"""Share of the examples that count as an axis' failures."""

MOST_PERMUTED = 1000
"""Most examples of a data set that are permuted; correlations of more are that much closer to 0, which is put in by their number."""


class AnyForm(NamedTuple):
    """Dependence of any form, in one stratum.

    Attributes:
        size: Bias-corrected squared distance correlation of half-scores. p: Of "independent".
        margin: What a correlation as large as the margin looks like here. n: Examples that it was taken of.
    """

    size: float
    p: float
    margin: float
    n: int


class Together(NamedTuple):
    """Failures of two axes on different wordings, among examples that were asked alike.

    Fewer wordings or reruns make scores of all axes noisier, so that both have more of their extremes there.

    Attributes:
        tables: Counts [[both, first], [second, neither]] of each group.
        first: Which examples are failures of the first axis. second: Of the second one.
        group: Group of each example.
    """

    tables: Floats
    first: Values
    second: Values
    group: Integers

    @property
    def products(self) -> Floats:
        """Each example's part in the covariance, within groups."""
        count = np.bincount(self.group)
        first, second = (each - (np.bincount(self.group, each) / count)[self.group] for each in (self.first, self.second))
        result: Floats = first * second
        return result

    @property
    def shares(self) -> tuple[float, float]:
        """Which share of the examples fails on either axis."""
        return float(self.first.mean()), float(self.second.mean())


@dataclass(frozen=True)
class Part:
    """A pair of axes in one stratum.

    Attributes:
        model: Its model. dataset: Its data set. splits: Ways in which wordings were halved.
        places: The examples that have both axes, as places in the data set.
        reason: Why dependence is not assessed; null where it is.
        cross: The correlation. any_form: Dependence of any form, where ``reason`` is null. together: Failures; null with too few examples.
        covariates: What was partialled out. partial: What is left of the correlation. partial_places: The examples behind it.
        partial_reason: Why that is not assessed.
    """

    model: str
    dataset: str
    splits: int
    places: Integers
    reason: str | None
    cross: CrossHalf | None = None
    any_form: AnyForm | None = None
    together: Together | None = None
    covariates: tuple[str, ...] = ()
    partial: CrossHalf | None = None
    partial_places: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    partial_reason: str | None = None


@dataclass(frozen=True)
class Pair:
    """A pair of axes in one way of decoding.

    Attributes:
        axes: The two. measures: Their default measures; several names where data sets differ.
        decoding: Way of decoding. parts: The strata in which both have a number.
    """

    axes: tuple[str, str]
    measures: tuple[str, str]
    decoding: str
    parts: tuple[Part, ...]

    @property
    def axis(self) -> str:
        """Name of the pair in the tables."""
        return " & ".join(self.axes)

    @property
    def measure(self) -> str:
        """Measures of the pair in the tables."""
        return " & ".join(self.measures)

    def assessed(self) -> list[Part]:
        """Returns the strata in which dependence is assessed."""
        return [part for part in self.parts if part.reason is None]


@dataclass(frozen=True)
class Wholes:
    """Half-scores as standard ranks, of the examples of a stratum that have all of some axes.

    Attributes:
        model: Its model. dataset: Its data set. decoding: Way of decoding. axes: The axes.
        n: Number of such examples.
        places: Those of them that are among at most ``MOST_PERMUTED`` of the data set, the same for all of its models.
        ranks: Ranks of these (axes, halves, splits, examples); of no splits where in none both halves of all axes vary.
    """

    model: str
    dataset: str
    decoding: str
    axes: tuple[str, ...]
    n: int
    places: Integers
    ranks: Floats


def pairs(evidence: Evidence) -> tuple[list[Pair], list[Wholes]]:
    """Returns every pair of axes, and the strata's scores for the claim about dimensions."""
    found: dict[tuple[str, str, str], list[tuple[Part, tuple[str, str]]]] = {}
    wholes = []
    for stratum in strata(evidence):
        for first, second in combinations(stratum.measures, 2):
            named = (stratum.measures[first], stratum.measures[second])
            found.setdefault((stratum.decoding, first, second), []).append((_part(stratum, first, second, evidence), named))
        wholes.append(_whole(stratum, evidence.rules.seed))
    made = []
    for (decoding, first, second), parts in sorted(found.items()):
        one, two = (" or ".join(sorted({named[place] for _, named in parts})) for place in (0, 1))
        made.append(Pair((first, second), (one, two), decoding, tuple(part for part, _ in parts)))
    return made, wholes


def _part(stratum: Stratum, first: str, second: str, evidence: Evidence) -> Part:
    head = (stratum.model, stratum.dataset)
    if first not in stratum.halves or second not in stratum.halves:
        return Part(*head, 0, np.empty(0, np.int64), "no_halves", partial_reason="no_halves")
    chosen = stratum.both(first, second)
    n, splits = int(chosen.sum()), len(stratum.halves[first][0])
    places = stratum.places[chosen]
    if n < FEWEST:
        return Part(*head, splits, places, "small_n", partial_reason="small_n")
    one, two = stratum.ranks(first, chosen), stratum.ranks(second, chosen)
    cross = cross_half(one, two)
    reason = _not_assessable(cross)
    names, there = stratum.known_covariates(chosen)
    partial, why = _partial(stratum, first, second, names, there)
    return Part(
        *head,
        splits,
        places,
        reason,
        cross,
        None if reason else _any_form(one[0], two[1], cross, evidence.rules.margin, generator(evidence.rules.seed, "distance", *head, n)),
        _together(stratum.halves[first][0][0][chosen], stratum.halves[second][1][0][chosen], stratum.asked_alike(first, second, chosen)),
        names,
        partial,
        stratum.places[there],
        why,
    )


def _partial(stratum: Stratum, first: str, second: str, names: tuple[str, ...], there: Values) -> tuple[CrossHalf | None, str | None]:
    if not names:
        return None, "no_covariates"
    if there.sum() < FEWEST + len(names):
        return None, "small_n"
    one, two = (stratum.partial_ranks(axis, there, names) for axis in (first, second))
    found = cross_half(one, two, covariates=len(names))
    return found, _not_assessable(found)


def _not_assessable(cross: CrossHalf) -> str | None:
    if np.isnan(cross.half[0]):
        return "no_spread"
    if cross.apart < FEWEST_APART:
        return "few_apart"
    reliable = all(value >= ASSESSABLE_FROM for value in cross.reliability)
    return None if reliable and not np.isnan(cross.se) else "low_reliability"


def _any_form(first: Floats, second: Floats, cross: CrossHalf, margin: float, rng: np.random.Generator) -> AnyForm:
    """Takes one axis over the first half of a split and the other over the second; the first split in which both vary."""
    split = int(np.flatnonzero(~np.isnan(first[:, 0]) & ~np.isnan(second[:, 0]))[0])
    one, two = first[split], second[split]
    if one.size > DISTANCE_EXAMPLES:
        some = np.sort(rng.permutation(one.size)[:DISTANCE_EXAMPLES])
        one, two = one[some], two[some]
    size, p = distance_correlation(one, two), float("nan")
    if not np.isnan(size):
        p = distance_p(size, one.size)
        if few_apart(cross):
            p = max(p, own_spread_p(distance_parts(one, two), reach=2.0))
    reached = distance_of_normal(margin * float(np.sqrt(min(cross.half[0], 1.0) * min(cross.half[1], 1.0))))
    return AnyForm(size, p, reached, one.size)


def _together(first: Floats, second: Floats, group: Integers) -> Together:
    one, two = top_share(first, FAILING), top_share(second, FAILING)
    size = int(group.max()) + 1
    each = [np.bincount(group, both, size) for both in (one & two, one & ~two, ~one & two, ~one & ~two)]
    return Together(np.stack(each, axis=1).astype(np.float64).reshape(size, 2, 2), one, two, group)


def _whole(stratum: Stratum, seed: int) -> Wholes:
    axes = tuple(stratum.halves)
    if not axes:
        return Wholes(stratum.model, stratum.dataset, stratum.decoding, (), 0, stratum.places, np.empty((0, 2, 0, 0)))
    chosen = np.all([~np.isnan(stratum.halves[axis][0][0]) for axis in axes], axis=0)
    n = int(chosen.sum())
    if stratum.size > MOST_PERMUTED:
        some = np.zeros(stratum.size, dtype=np.bool_)
        some[generator(seed, "permuted", stratum.dataset).permutation(stratum.size)[:MOST_PERMUTED]] = True
        chosen = chosen & some[stratum.places]
    ranks = np.array([stratum.ranks(axis, chosen) for axis in axes]) if chosen.any() else np.empty((len(axes), 2, 0, 0))
    vary = ~np.isnan(ranks).any(axis=(0, 1, 3))
    return Wholes(stratum.model, stratum.dataset, stratum.decoding, axes, n, stratum.places[chosen], ranks[:, :, vary])


def said_where(models: Sequence[str], datasets: Sequence[str]) -> str:
    """Returns of how many models and data sets a pooled number is, or the name where it is one."""
    one = models[0] if len(models) == 1 else f"{len(models)} models"
    return f"{one} on {datasets[0] if len(datasets) == 1 else f'{len(datasets)} data sets'}"
