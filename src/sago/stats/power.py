"""What a planned study could show, before anything is spent (METRICS 8 and 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, isnan

from sago.stats.paired import SIGN_FLIPS_BELOW
from sago.stats.planning import (
    ALPHA,
    POWER,
    attained,
    examples_for_equivalence,
    minimum_detectable_effect,
    smallest_reversal,
    smallest_shown,
)
from sago.stats.reliability import spearman_brown, variants_needed

SD = 0.30
PAIRED_SD = 0.35
"""Standard deviations over examples of an instability, and of the difference of two models, where nothing is known (METRICS 8 and 9)."""

RELIABILITY, WORDINGS = 0.75, 8
"""Assumed reliability of the scores of single examples, with so many wordings (METRICS 9, E43)."""


@dataclass(frozen=True)
class Reach:
    """What can be shown on one data set, in units of instability; null where it cannot.

    Attributes:
        dataset: Name. examples: Their number.
        unstable: Smallest instability of a model that is shown to be UNSTABLE.
        difference: Smallest difference of two models that is found, at the strictest step of Holm over all pairs and data sets; null where
            there are too few examples for any (sign flips of 5 examples never reach .05).
    """

    dataset: str
    examples: int
    unstable: float | None
    difference: float | None


@dataclass(frozen=True)
class Outlook:
    """What a planned study could show with a given power.

    Attributes:
        reaches: One for each data set.
        reversal: Smallest difference of two models, one way on one data set and the other way on another, that is shown as a reversal, on
            data sets of the smallest size; null below two models or data sets. reversals: Number of tests that it is corrected for: pairs
            of models x pairs of data sets x axes.
        comparisons: Number of pairs of models x data sets.
        independence: Examples it takes to show two unrelated axes to be independent, scores of single examples being as reliable as here,
            at the strictest step of Holm over axis_pairs; null without a pair.
        reliability: Of these scores with the planned wordings; null with fewer than two.
        for_80: Wordings for a reliability of .80.
    """

    reaches: tuple[Reach, ...]
    reversal: float | None
    reversals: int
    comparisons: int
    independence: float | None
    axis_pairs: int
    reliability: float | None
    for_80: float | None


def outlook(  # noqa: PLR0913 - what was fixed before looking, and what is known or assumed
    sizes: Mapping[str, int],
    models: int,
    wordings: float,
    *,
    smallest_effect: float,
    margin: float,
    axes: int = 2,
    alpha: float = ALPHA,
    power: float = POWER,
    sd: float = SD,
    paired_sd: float = PAIRED_SD,
    known: tuple[float, float] = (RELIABILITY, WORDINGS),
) -> Outlook:
    """Returns what a study of this size could show.

    Args:
        sizes: Examples of each data set.
        models: Number of models.
        wordings: Wordings of each question, controls left out.
        smallest_effect: Smallest instability of interest.
        margin: Correlations within this of 0 count as none.
        axes: Number of axes; reversals are corrected over all of them, independence over their pairs.
        alpha: Error level.
        power: Wanted probability.
        sd: Standard deviation of an instability over examples.
        paired_sd: Standard deviation of the difference of two models over examples.
        known: A reliability of the scores of single examples, and the number of wordings that it is for.
    """
    pairs, axis_pairs = comb(models, 2), comb(axes, 2)
    comparisons, reversals = pairs * len(sizes), pairs * comb(len(sizes), 2) * axes
    reaches = tuple(
        Reach(
            name,
            n,
            _known(smallest_shown(smallest_effect, sd, n, alpha=alpha, power=power)),
            _difference(paired_sd, n, alpha / comparisons, power) if comparisons else None,
        )
        for name, n in sizes.items()
    )
    least = min(sizes.values(), default=0)
    reversal = smallest_reversal(paired_sd, least, tests=reversals, alpha=alpha, power=power) if reversals and least > 1 else None
    reliability = _known(spearman_brown(known[0], wordings / known[1])) if wordings >= 2 and known[0] > 0 else None
    needed = None
    if reliability and axis_pairs:
        needed = examples_for_equivalence(margin, reliability=reliability, alpha=alpha / axis_pairs, power=power)
    for_80 = _known(variants_needed(round(known[1]), known[0], 0.80))
    return Outlook(reaches, reversal, reversals, comparisons, needed, axis_pairs, reliability, for_80)


def _difference(sd: float, n: int, alpha: float, power: float) -> float | None:
    level = attained(alpha, n) if n < SIGN_FLIPS_BELOW else alpha
    return _known(minimum_detectable_effect(sd, n, alpha=level, power=power)) if level > 0 else None


def _known(value: float) -> float | None:
    return None if isnan(value) else value
