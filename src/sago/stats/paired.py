"""Differences of two models on the examples that both have (METRICS 8, 3a), and the resamples of examples that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from sago.arrays.bootstrap import bootstrap_means
from sago.arrays.grouping import Floats, Integers, Values
from sago.arrays.intervals import ROUNDING, T_BELOW, quantile
from sago.arrays.sign_flips import sign_flip_p
from sago.seeds import generator
from sago.stats.evidence import CALIBRATED, MODES, Cell, Evidence, Paired
from sago.stats.skewness import skewness_corrected

SIGN_FLIPS_BELOW = 30
"""Fewer examples than this are tested by sign flips (METRICS 2.3)."""

_GROUPS = 2048
"""Largest number of random groups of examples that claims resample; of fewer examples each is its own group."""

_LARGEST_Z = 37.0


@dataclass(frozen=True)
class Differences:
    """Of every pair of models (first, second), on one data set; arrays of one number a pair.

    Attributes:
        models: Names, sorted. first: Place of the first model of each pair. second: Of the second; first < second.
        n: Examples that both have.
        estimate: Mean score of the first less that of the second, over these: below 0 = the first is more stable. NaN without any.
        se: Its standard error, from the differences of their influence and the floor of each one's audit. NaN below two examples.
        lower: Lower end of its 95 % interval. upper: Upper end.
        z: Estimate over standard error (below 100 examples the z of the same tail as its t). NaN = not tested.
        few: Examples behind the scarcest part of the difference: n, or those that were asked twice where the others take their noise.
        shares_noise: Whether examples of one of the two models take noise that was measured on others.
    """

    models: tuple[str, ...]
    first: Integers
    second: Integers
    n: Integers
    estimate: Floats
    se: Floats
    lower: Floats
    upper: Floats
    z: Floats
    few: Integers
    shares_noise: Values

    def reason(self, pair: int) -> str | None:
        """Returns why a pair was not tested; null where it was."""
        if not np.isnan(self.z[pair]):
            return None
        if self.n[pair] < 2:
            return "too_few_examples" if self.n[pair] else "no_shared_examples"
        return "too_few_reruns" if self.few[pair] < 2 else "no_spread"

    def interval(self, pair: int, level: float) -> tuple[float, float]:
        """Returns the interval of the difference of a pair at a level in (0, 1)."""
        half = quantile((1 + level) / 2, int(self.few[pair])) * float(self.se[pair])
        return float(self.estimate[pair]) - half, float(self.estimate[pair]) + half

    @property
    def names(self) -> list[tuple[str, str]]:
        """Returns the two models of each pair."""
        return [(self.models[one], self.models[two]) for one, two in zip(self.first, self.second, strict=True)]


def differences(scores: Paired) -> Differences:
    """Returns the paired differences of every two models: D = mean (score^a - score^b), SE = sqrt(sum (psi^a - psi^b)^2 / (n (n - 1))).

    Over shared examples alone, the influence centred on them; the floors of the two audits add as squares, for they are other calls. Where
    examples of a model take the noise of the few that were asked twice, t has one less degree of freedom than these are.

    Two models that never differ are not tested. A difference c that is the same on n examples has no standard error, and z is that of an
    exact bound: were the true one 0 or of the other sign, at most L / (c + L) of all examples could show c, L being the largest score of
    the two (1 at least). From 30 examples on no z is beyond that of this bound: where one model changes rarely but much, the examples at
    hand may show none of it, and little spread. Where they show some, scores are skewed: a score is corrected for that (Hall 1992), as
    that of one model is, where the correction brings it nearer to 0.
    """
    first, second = np.triu_indices(len(scores.models), 1)
    numbers = np.full((4, first.size), np.nan)
    numbers[0] = 0
    few, shares_noise = np.zeros(first.size, dtype=np.int64), np.zeros(first.size, dtype=np.bool_)
    largest = np.maximum(1.0, np.nanmax(np.abs(scores.score), axis=1, initial=0.0))
    for pair, (one, two) in enumerate(zip(first, second, strict=True)):
        apart = scores.score[one] - scores.score[two]
        known = ~np.isnan(apart)
        n = int(known.sum())
        numbers[0, pair] = n
        if not n:
            continue
        numbers[1, pair] = apart[known].mean()
        behind = [count for count in (scores.behind(int(model), known) for model in (one, two)) if count is not None]
        few[pair], shares_noise[pair] = min([n, *behind]), bool(behind)
        if few[pair] < 2:
            continue
        influence = (scores.influence[one] - scores.influence[two])[known]
        own = float(influence.std(ddof=1)) / n**0.5
        bound = _of_equal(float(numbers[1, pair]), int(few[pair]), float(max(largest[one], largest[two])))
        if own < ROUNDING:
            numbers[2:, pair] = 0.0, bound
            continue
        se = float(np.sqrt(own**2 + scores.floor[one] ** 2 + scores.floor[two] ** 2))
        score = float(numbers[1, pair]) / se
        if few[pair] >= SIGN_FLIPS_BELOW:
            score = _nearer(score, float(np.mean((influence - influence.mean()) ** 3)) / n**2 / se**3)
        z = _as_z(score, int(few[pair]))
        if few[pair] >= SIGN_FLIPS_BELOW and abs(bound) < abs(z):
            z = bound
        numbers[2:, pair] = se, z
    half = np.array([quantile(0.975, int(count)) if count > 1 else np.nan for count in few]) * numbers[2]
    estimate, se, z = numbers[1:]
    return Differences(
        scores.models, first, second, numbers[0].astype(np.int64), estimate, se, estimate - half, estimate + half, z, few, shares_noise
    )  # fmt: skip


def _of_equal(difference: float, n: int, largest: float) -> float:
    """Returns the z of n equal differences; NaN where they are 0."""
    size = abs(difference)
    if size < ROUNDING:
        return float("nan")
    return float(np.copysign(min(-special.ndtri((largest / (size + largest)) ** n), _LARGEST_Z), difference))


def _nearer(score: float, skewness: float) -> float:
    """Returns the score corrected for the skewness of the mean where that is nearer to 0, else the score."""
    corrected = skewness_corrected(score, skewness)
    return min(max(corrected, 0.0), score) if score > 0 else max(min(corrected, 0.0), score)


def _as_z(score: float, n: int) -> float:
    """Returns the z with the tail that a t of n - 1 degrees of freedom has; from 100 examples on they are the same."""
    size = abs(score) if n >= T_BELOW else -float(special.ndtri(special.stdtr(n - 1, -abs(score))))
    return float(np.copysign(min(size, _LARGEST_Z), score))


@dataclass(frozen=True)
class Compared:
    """What claims about several models need to know of one cell on one data set, in one mode."""

    cell: Cell
    dataset: str
    mode: str
    scores: Paired
    differences: Differences
    seed: int

    @property
    def flipped(self) -> Values:
        """Which pairs are tested by sign flips: few examples, each with a noise of its own (scores that share one do not flip alone)."""
        apart = self.differences
        result: Values = ~np.isnan(apart.z) & (apart.se > 0) & (apart.n < SIGN_FLIPS_BELOW) & ~apart.shares_noise
        return result

    def two_sided(self) -> Floats:
        """Returns p of "no difference" of each pair: by z or t, below 30 examples by sign flips; NaN = not tested."""
        apart = self.differences
        p: Floats = 2 * special.ndtr(-np.abs(apart.z))
        for pair in np.flatnonzero(self.flipped):
            names = apart.names[pair]
            rng = generator(self.seed, "sign-flips", *self.key, *names)
            p[pair] = sign_flip_p(self.scores.score[apart.first[pair]] - self.scores.score[apart.second[pair]], rng)
        return p

    @property
    def key(self) -> tuple[str, ...]:
        """What names it, for seeds."""
        return (self.cell.axis, self.cell.measure, self.cell.decoding, self.dataset, self.mode)


def compared(evidence: Evidence) -> list[Compared]:
    """Returns every default cell on every data set in both modes, wherever any model has scores; mirroring, no distance, in one mode."""
    found = []
    for cell in evidence.cells():
        modes = MODES if cell.axis != "mirroring" else (CALIBRATED,)
        for dataset in evidence.datasets(cell):
            for mode in modes:
                scores = evidence.paired(cell, dataset, mode)
                if scores.models:
                    found.append(Compared(cell, dataset, mode, scores, differences(scores), evidence.rules.seed))
    return found


@dataclass(frozen=True)
class Joint:
    """Examples of one data set, resampled once for all models and axes.

    Attributes:
        examples: Ids, sorted.
        owner: Group of each example: 2,048 random groups in place of 10^5 examples leave the spread of a mean as it is and cost a fiftieth.
        seed: Parts that name the resamples.
    """

    examples: tuple[str, ...]
    owner: Integers
    seed: tuple[str | int, ...]

    def moves(self, columns: Sequence[tuple[tuple[str, ...], Floats]], draws: int) -> Floats:
        """Returns by how much each mean moves when examples are resampled, shape (draws, columns).

        Args:
            columns: For each mean its examples, and what each of them adds to it: influence / number of examples; 0 = nothing.
            draws: Number of resamples.
        """
        count = int(self.owner.max(initial=-1)) + 1
        sums = np.zeros((count, len(columns)))
        known: tuple[str, ...] = ()
        groups = self.owner[:0]
        for column, (examples, values) in enumerate(columns):
            if examples is not known:
                known, groups = examples, self._groups(examples)
            sums[:, column] = np.bincount(groups, values, minlength=count)
        return bootstrap_means(sums * count, generator(*self.seed), draws=draws)

    def _groups(self, examples: tuple[str, ...]) -> Integers:
        if examples == self.examples:
            return self.owner
        place = dict(zip(self.examples, range(len(self.examples)), strict=True))
        result: Integers = self.owner[[place[example] for example in examples]]
        return result


def joint(parts: Sequence[Compared], *seed: str | int) -> Joint:
    """Returns the examples that any of these have, in random groups where they are many."""
    examples = parts[0].scores.examples
    if any(part.scores.examples != examples for part in parts[1:]):
        examples = tuple(sorted(set().union(*(part.scores.examples for part in parts))))
    return Joint(examples, groups(len(examples), generator(*seed, "groups")), seed)


def groups(examples: int, rng: np.random.Generator, most: int = _GROUPS) -> Integers:
    """Returns a random group for each example, sizes as equal as can be; each its own where there are no more than ``most``."""
    return np.arange(examples) if examples <= most else rng.permutation(examples) % most


def pair_columns(part: Compared) -> list[tuple[tuple[str, ...], Floats]]:
    """Returns, for ``Joint.moves``, what each example adds to the difference of each pair."""
    columns = []
    for one, two in zip(part.differences.first, part.differences.second, strict=True):
        influence = part.scores.influence[one] - part.scores.influence[two]
        known = ~np.isnan(influence)
        n = max(int(known.sum()), 1)
        columns.append((part.scores.examples, np.where(known, influence - influence[known].sum() / n, 0.0) / n))
    return columns
