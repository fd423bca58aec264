"""Where the variance of a score comes from: example, wording, their interaction, asking again (METRICS 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sago.arrays.grouping import Floats
from sago.errors import InputError
from sago.stats.limits import at_least, dimensions

_ROUNDING = 1e-12
"""A mean square below this share of the whole is rounding of sums and counts as 0."""


class MeanSquares(NamedTuple):
    """Mean squares of a balanced crossed design; ``rerun`` is NaN with one rerun, where ``interaction`` is the residual."""

    example: float
    variant: float
    interaction: float
    rerun: float


class Shares(NamedTuple):
    """Shares of the total variance, in [0, 1], with negative components as 0; ``rerun`` is NaN where it is part of ``interaction``."""

    example: float
    variant: float
    interaction: float
    rerun: float


@dataclass(frozen=True)
class Components:
    """Variance components of a score, in its squared units; below 0 by chance where the true value is near 0.

    Attributes:
        example: s2_i, between examples. variant: s2_v, of wordings as such: to be had rid of by choosing a wording; NaN where the wordings
            are those of single examples, and ``interaction`` is s2_v + s2_iv, which cannot be told apart.
        interaction: s2_iv, of a wording for one example and not for another; with one rerun s2_iv + s2_e, which cannot be told apart.
        rerun: s2_e, of asking again; NaN with one rerun.
        mean_squares: What they come from.
        examples: Number of examples that take part. variants: V. reruns: R.
    """

    example: float
    variant: float
    interaction: float
    rerun: float
    mean_squares: MeanSquares
    examples: int
    variants: int
    reruns: int

    @property
    def confounded(self) -> bool:
        """Whether interaction and rerun noise are one number, for want of reruns."""
        return self.reruns == 1

    @property
    def nested(self) -> bool:
        """Whether every example has wordings of its own, so that no wording is common to them."""
        return bool(np.isnan(self.variant) and not np.isnan(self.example))

    @property
    def shares(self) -> Shares:
        """Shares of the total; NaN where nothing varies."""
        kept = np.maximum([self.example, self.variant, self.interaction, self.rerun], 0.0)
        total = float(np.nansum(kept))
        return Shares(*(float(value / total) if total > 0 else float("nan") for value in kept))

    @property
    def instability(self) -> float:
        """(s2_v + s2_iv) / (s2_i + s2_v + s2_iv), the share of the variance without rerun noise that is due to variants.

        Nothing is set to 0 here, so it equals the index S with squared Euclidean distance exactly (METRICS 2.1; E57); with one rerun, the
        S with an assumed floor of 0. 0 = stable, 1 = as different as unrelated; NaN where that variance is not above 0.
        """
        of_variants = self.interaction if self.nested else self.variant + self.interaction
        total = self.example + of_variants
        return of_variants / total if total > 0 else float("nan")


def components(scores: Floats) -> Components:
    """Returns the variance components of a crossed design example x variant, with R reruns, by expected mean squares (METRICS 9; E14, E57).

    s2_e = MS_e, s2_iv = (MS_iv - MS_e) / R, s2_v = (MS_v - MS_iv) / (n R), s2_i = (MS_i - MS_iv) / (V R); with R = 1 the residual MS_iv
    is s2_iv + s2_e. Exact for balanced data, O(rows). Variants have to be the same for all examples. An example with a missing score (NaN)
    takes no part; all NaN where fewer than two are left. Components of a score of 0 or 1 serve for shares, not for tests. Brennan 2001.

    Args:
        scores: Score by example, variant and rerun (n x V x R), or by example and variant (n x V); at least two by two.
    """
    whole = _complete(scores, where="components")
    n, v, r = whole.shape
    if n < 2:
        return _nothing(n, v, r)
    ms = _mean_squares(whole)
    error = 0.0 if r == 1 else ms.rerun
    return Components(
        example=(ms.example - ms.interaction) / (v * r),
        variant=(ms.variant - ms.interaction) / (n * r),
        interaction=(ms.interaction - error) / r,
        rerun=ms.rerun,
        mean_squares=ms,
        examples=n,
        variants=v,
        reruns=r,
    )


def nested_components(scores: Floats) -> Components:
    """Returns the variance components where every example has wordings of its own, such as paraphrases (METRICS 9).

    Nothing is common to the wordings of two examples, so s2_v is NaN and ``interaction`` is what wordings of one example differ by:
    s2_e = MS_e, interaction = (MS_v:i - MS_e) / R, s2_i = (MS_i - MS_v:i) / (V R), with MS_v:i the mean square of wordings within
    examples, n (V - 1) degrees of freedom; with R = 1 it holds rerun noise as well. Its mean square stands under ``interaction``. Exact
    for balanced data. Otherwise as ``components``. Brennan 2001.

    Args:
        scores: Score by example, wording of its own and rerun (n x V x R), or by example and wording (n x V); at least two by two.
    """
    whole = _complete(scores, where="nested_components")
    n, v, r = whole.shape
    if n < 2:
        return _nothing(n, v, r)
    crossed = _mean_squares(whole)
    within = ((v - 1) * crossed.variant + (n - 1) * (v - 1) * crossed.interaction) / (n * (v - 1))
    error, none = 0.0 if r == 1 else crossed.rerun, float("nan")
    return Components(
        example=(crossed.example - within) / (v * r),
        variant=none,
        interaction=(within - error) / r,
        rerun=crossed.rerun,
        mean_squares=MeanSquares(crossed.example, none, within, crossed.rerun),
        examples=n,
        variants=v,
        reruns=r,
    )


def _complete(scores: Floats, *, where: str) -> Floats:
    """Returns the scores of examples without a missing one, by example, variant and rerun."""
    dimensions(scores, (2, 3), what="examples x variants, or examples x variants x reruns", where=where)
    cube = scores[:, :, None] if scores.ndim == 2 else scores
    for count, name in zip(cube.shape, ("examples", "variants", "reruns"), strict=True):
        at_least(count, 1 if name == "reruns" else 2, name=f"the number of {name}", where=where)
    result: Floats = cube[~np.isnan(cube).any(axis=(1, 2))]
    return result


def _nothing(n: int, v: int, r: int) -> Components:
    none = float("nan")
    return Components(none, none, none, none, MeanSquares(none, none, none, none), n, v, r)


def _mean_squares(cube: Floats) -> MeanSquares:
    n, v, r = cube.shape
    centred = cube - cube.mean()
    of_cell = centred.mean(axis=2)
    of_example, of_variant = of_cell.mean(axis=1), of_cell.mean(axis=0)
    whole = float(np.sum(centred**2))
    within = centred - of_cell[:, :, None]
    crossed = of_cell - of_example[:, None] - of_variant
    sums = [v * r * np.sum(of_example**2), n * r * np.sum(of_variant**2), r * np.sum(crossed**2), np.sum(within**2)]
    # Scores that all differ from zero by the same number leave rounding behind, which is no variance.
    floor = _ROUNDING * max(whole, float(np.sum(cube**2)) * _ROUNDING)
    clean = [0.0 if value < floor else float(value) for value in sums]
    return MeanSquares(
        clean[0] / (n - 1), clean[1] / (v - 1), clean[2] / ((n - 1) * (v - 1)), clean[3] / (n * v * (r - 1)) if r > 1 else float("nan")
    )


class Generalizability(NamedTuple):
    """How well mean scores of examples would repeat: 1 = exactly, 0 = noise alone.

    Attributes:
        relative: The order of examples, with the same wordings for all: s2_i / (s2_i + s2_iv / V + s2_e / (V R)).
        absolute: Their values, with other wordings: s2_v / V is noise as well. The same where wordings are those of single examples.
    """

    relative: float
    absolute: float


def generalizability(found: Components, variants: int, reruns: int = 1) -> Generalizability:
    """Returns what the reliability of example means would be with so many variants and reruns (METRICS 9).

    The relative coefficient of a design without reruns is ICC(C,k), that is Cronbach's alpha; the absolute one is ICC(A,k). At most 1;
    below 0 only by chance; NaN where the denominator is not above 0. Where interaction and rerun noise could not be told apart they are
    divided by V alone, so ``reruns`` has to be 1. Brennan 2001.

    Args:
        found: Components of a design that was observed.
        variants: V of the design that is planned.
        reruns: R of the design that is planned.
    """
    at_least(variants, 1, name="the number of variants", where="generalizability")
    at_least(reruns, 1, name="the number of reruns", where="generalizability")
    if found.confounded and reruns > 1:
        raise InputError("rerun noise was not measured", where="generalizability", fix="Give reruns=1, or ask every wording twice")
    asking = 0.0 if found.confounded else found.rerun / (variants * reruns)
    noise = found.interaction / variants + asking
    common = 0.0 if found.nested else found.variant / variants
    coefficients = [found.example + noise, found.example + noise + common]
    return Generalizability(*(found.example / total if total > 0 else float("nan") for total in coefficients))


class ErrorParts(NamedTuple):
    """Standard error of the mean score of a cell by where it comes from, in units of the score; the whole is the root of their squares.

    Attributes:
        example: Other examples would have been drawn: sqrt(s2_i / n). variant: Other wordings: sqrt(s2_v / V); 0 where none is common.
        interaction: What they did to just these examples: sqrt(s2_iv / (n V)). rerun: Asking again: sqrt(s2_e / (n V R)).
    """

    example: float
    variant: float
    interaction: float
    rerun: float

    @property
    def total(self) -> float:
        """For examples and wordings like these."""
        return float(np.sqrt(np.nansum(np.square(self)))) if not np.isnan(self.example) else float("nan")


def error_parts(found: Components) -> ErrorParts:
    """Returns the parts of the standard error of a cell's mean (METRICS 9); components below 0 count as 0, NaN where a component is.

    More examples help against all but ``variant``; that only falls with more wordings. Brennan 2001.
    """
    n, v, r = found.examples, found.variants, found.reruns
    sizes = zip((found.example, found.variant, found.interaction, found.rerun), (n, v, n * v, n * v * r), strict=True)
    return ErrorParts(*(float(np.sqrt(max(value, 0.0) / size)) if not np.isnan(value) else float("nan") for value, size in sizes))
