"""Simulations for ``claims.py``: claims of several strata, few examples, ties, and what ``sago plan`` promises."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from invented import Key, evidence_of, halves_of, names
from sago import schemas
from sago.arrays.grouping import Floats
from sago.arrays.sign_flips import sign_flip_p
from sago.stats.claims.dimensions import dimensions
from sago.stats.claims.dominance import dominance
from sago.stats.claims.failure_overlap import failure_overlaps
from sago.stats.claims.heterogeneity import heterogeneity
from sago.stats.claims.independence import independence, partial_correlations
from sago.stats.claims.pairs import pairs
from sago.stats.evidence import Evidence, Rules
from sago.stats.paired import compared
from sago.stats.planning import attained, examples_for_equivalence, minimum_detectable_effect, smallest_reversal

AXES = ("generation", "activations", "confidence", "mirroring")
SD = 0.35


def strata_of(
    rng: np.random.Generator, n: int, rhos: tuple[float, ...], noise: float | Floats, *, v: int = 4, axes: int = 2, models: bool = False
) -> Evidence:
    """Draws a data set (or a model) for each correlation, axes of true values that correlate by it, and noise of each of v wordings."""
    scores: dict[Key, Floats] = {}
    halves: dict[Key, tuple[Floats, Floats]] = {}
    for place, rho in enumerate(rhos):
        truth = rng.normal(size=(axes, n))
        truth[1] = rho * truth[0] + np.sqrt(1 - rho**2) * truth[1]
        for axis, values in zip(AXES, truth, strict=False):
            wordings = values[:, None] + noise * rng.normal(size=(n, v))
            key = (f"m{place}", "d", axis) if models else ("m", f"d{place}", axis)
            scores[key], halves[key] = wordings.mean(axis=1), halves_of(wordings, np.random.default_rng(0), most=20)
    return evidence_of(scores, halves=halves)


def pooled_independent(rng: np.random.Generator, n: int, rhos: tuple[float, ...], noise: float, verdict: str, v: int = 4) -> bool:
    """Is a pair of axes called so over all strata?"""
    return independence(pairs(strata_of(rng, n, rhos, noise, v=v))[0], Rules())[0].verdict == verdict


def rare(rng: np.random.Generator, n: int, share: float, phi: float, models: int, verdict: str) -> bool:
    """A share of the examples changes at all, on both axes more often than by chance (correlation phi): is the pair of axes called so?"""
    scores: dict[Key, Floats] = {}
    halves: dict[Key, tuple[Floats, Floats]] = {}
    both = share**2 + phi * share * (1 - share)
    for place in range(models):
        drawn = rng.random(n)
        moved = (drawn < share, (drawn < both) | ((drawn >= share) & (drawn < 2 * share - both)))
        for axis, of_axis in zip(AXES, moved, strict=False):
            wordings = np.repeat(of_axis[:, None].astype(np.float64), 4, axis=1)
            key = (f"m{place}", "d", axis)
            scores[key], halves[key] = of_axis.astype(np.float64), halves_of(wordings, np.random.default_rng(0))
    found = independence(pairs(evidence_of(scores, halves=halves))[0], Rules())
    return any(one.verdict == verdict for one in found)


def pooled_partial(rng: np.random.Generator, n: int, rhos: tuple[float, ...], noise: float, verdict: str) -> bool:
    """The same at equal length of prompts, which has nothing to do with it."""
    drawn = strata_of(rng, n, rhos, noise)
    head = drawn.scores.select("model", "dataset", "decoding").unique(maintain_order=True)
    rows = head.join(pl.DataFrame({"example": names(n)}), how="cross").with_columns(
        prompt_length=pl.Series(rng.random(n * head.height)), response_length=None, correct=None, log_likelihood=None
    )
    known = schemas.check("covariates", rows.select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("covariates").items()))
    given = Evidence(drawn.profiles, drawn.scores, drawn.halves, covariates=known)
    return partial_correlations(pairs(given)[0], Rules())[0].verdict == verdict


def overlapping_few(rng: np.random.Generator, n: int, models: int, ties: bool = False) -> bool:
    """Four independent axes: are any two said to fail together or apart? ``ties`` = yes or no on each wording."""
    drawn = strata_of(rng, n, (0.0,) * models, 1.0, axes=4, models=True)
    if ties:
        lists = [pl.col(name).list.eval(pl.element() > 0).cast(pl.List(pl.Float32)) for name in ("first", "second")]
        drawn = Evidence(drawn.profiles, drawn.scores, drawn.halves.with_columns(lists))
    return any(one.verdict.startswith("FAIL") for one in failure_overlaps(pairs(drawn)[0], Rules()))


def asked_unlike(rng: np.random.Generator, n: int, models: int) -> Evidence:
    """Four independent axes, eight wordings; one half of the examples was asked once with each, the other eight times."""
    times = np.where(np.arange(n) < n // 2, 1, 8)
    drawn = strata_of(rng, n, (0.0,) * models, (2.5 / np.sqrt(times))[:, None], v=8, axes=4, models=True)
    of_example = pl.DataFrame({"example": names(n), "n_variants": 8, "n_observations": 8 * times})
    rows = drawn.scores.drop("n_variants", "n_observations").join(of_example, on="example", maintain_order="left")
    known = rows.select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("scores").items())
    return Evidence(drawn.profiles, known, drawn.halves)


def overlapping_unlike(rng: np.random.Generator, n: int, models: int) -> bool:
    """Are any two of its axes said to fail together or apart?"""
    return any(one.verdict.startswith("FAIL") for one in failure_overlaps(pairs(asked_unlike(rng, n, models))[0], Rules()))


def dependent_unlike(rng: np.random.Generator, n: int) -> bool:
    """Are any two of its axes DEPENDENT?"""
    return any(one.verdict == "DEPENDENT" for one in independence(pairs(asked_unlike(rng, n, 1))[0], Rules()))


def fewer_dimensions(rng: np.random.Generator, n: int, models: int, rho: float, design: str = "") -> bool:
    """Are four axes said to span fewer dimensions? ``design``: half = the examples asked unlike; gaps = models lack a third of them."""
    drawn = asked_unlike(rng, n, models) if design == "half" else strata_of(rng, n, (rho,) * models, 1.0, axes=4, models=True)
    if design == "gaps":
        there = drawn.halves.select("model", "example").unique(maintain_order=True)
        there = there.filter(pl.Series(rng.random(there.height) < 2 / 3))
        scores, halves = (table.join(there, on=["model", "example"], how="semi") for table in (drawn.scores, drawn.halves))
        drawn = Evidence(drawn.profiles, scores, halves)
    return dimensions(*pairs(drawn), Rules(seed=int(rng.integers(1 << 30))))[0].verdict == "FEWER_THAN_AXES"


def differing_sets(rng: np.random.Generator, n: int, means: tuple[float, ...]) -> bool:
    """One model on data sets of n examples: are they said to differ?"""
    found = heterogeneity(evidence_of({("m", f"d{place}", "generation"): rng.normal(mean, 0.3, n) for place, mean in enumerate(means)}))
    return found[0].verdict == "DIFFERS"


def skewed_sets(rng: np.random.Generator, sizes: tuple[int, ...]) -> bool:
    """Data sets of one law, in which a tenth of the examples changes much and the others little: are they said to differ?"""
    drawn = [np.where(rng.random(n) < 0.1, rng.beta(5, 2, n), rng.beta(1, 20, n)) for n in sizes]
    found = heterogeneity(evidence_of({("m", f"d{place}", "generation"): values for place, values in enumerate(drawn)}))
    return found[0].verdict == "DIFFERS"


def dominating(rng: np.random.Generator, n: int, other: float | None) -> bool:
    """Of two models the first is far more stable on one axis, and by ``other`` on a second one (null = less, by 1 on every example)."""
    scores: dict[Key, Floats] = {}
    for model, mean in (("m0", 0.1), ("m1", 0.9)):
        scores[model, "d", "generation"] = rng.normal(mean, 0.3, n)
        by = float(model == "m0")
        scores[model, "d", "confidence"] = np.full(n, by) if other is None else rng.normal(by * other, 0.3, n)
    return any(one.verdict == "DOMINATES" for one in dominance(compared(evidence_of(scores)), Rules()))


def planned_difference(rng: np.random.Generator, n: int, tests: int) -> bool:
    """Is the smallest difference that ``sago plan`` names found, at the strictest step of Holm?"""
    alpha = 0.05 / tests
    effect = minimum_detectable_effect(SD, n, alpha=attained(alpha, n))
    return sign_flip_p(rng.normal(effect, SD, n), rng, draws=999) <= alpha


def planned_reversal(rng: np.random.Generator, n: int, tests: int) -> bool:
    """Is the smallest reversal that it names shown?"""
    from scipy import stats

    drawn = rng.normal(smallest_reversal(SD, n, tests=tests), SD, (2, n))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(n))
    return bool(np.all(t > stats.t.ppf(1 - 0.05 / tests, n - 1)))


def planned_independence(rng: np.random.Generator, reliability: float) -> bool:
    """Are two unrelated axes shown to be independent with the examples that it names? Eight wordings."""
    n = int(examples_for_equivalence(0.3, reliability=reliability))
    return pooled_independent(rng, n, (0.0,), float(np.sqrt(8 * (1 / reliability - 1))), "INDEPENDENT", 8)


def simulations() -> Iterator[tuple[str, tuple[str, tuple[object, ...]]]]:
    """Yields name of the row -> function and arguments."""
    opposite = "independence, opposite strata pooled"
    yield f"type-I {opposite}, 2 of n=300", ("pooled_independent", (300, (0.47, -0.47), 2.2, "INDEPENDENT"))
    yield f"type-I {opposite}, 8 of n=60", ("pooled_independent", (60, (0.5, -0.5) * 4, 1.5, "INDEPENDENT", 6))
    yield "type-I dependence, 4 strata at rho=0 n=100", ("pooled_independent", (100, (0.0,) * 4, 1.0, "DEPENDENT"))
    yield "power independence, 4 strata at rho=0 n=100", ("pooled_independent", (100, (0.0,) * 4, 1.0, "INDEPENDENT"))
    for n, share in ((100, 0.05), (200, 0.1), (400, 0.05)):
        yield f"type-I independence at phi=.30, {100 * share:.0f} % move n={n}", ("rare", (n, share, 0.3, 1, "INDEPENDENT"))
    yield "type-I dependence, 10 % move, 8 models n=60", ("rare", (60, 0.1, 0.0, 8, "DEPENDENT"))
    yield "power independence, 10 % move n=200", ("rare", (200, 0.1, 0.0, 1, "INDEPENDENT"))
    yield "power dependence at phi=.5, 10 % move n=200", ("rare", (200, 0.1, 0.5, 1, "DEPENDENT"))
    yield "type-I partial correlation, opposite strata", ("pooled_partial", (300, (0.8, -0.8), 0.5, "INDEPENDENT"))
    yield "power partial independence, 2 strata n=200", ("pooled_partial", (200, (0.0, 0.0), 0.5, "INDEPENDENT"))
    yield "type-I failure overlap n=40", ("overlapping_few", (40, 1))
    yield "type-I failure overlap n=40, 3 models", ("overlapping_few", (40, 3))
    yield "type-I failure overlap n=100, ties", ("overlapping_few", (100, 2, True))
    yield "type-I failure overlap, half asked once n=400", ("overlapping_unlike", (400, 1))
    yield "type-I failure overlap, half asked once n=150, 3 models", ("overlapping_unlike", (150, 3))
    yield "type-I dependence, half asked once n=400", ("dependent_unlike", (400,))
    yield "type-I dimensions n=100", ("fewer_dimensions", (100, 1, 0.0))
    yield "type-I dimensions n=100, 3 models", ("fewer_dimensions", (100, 3, 0.0))
    yield "type-I dimensions n=100, 3 models with gaps", ("fewer_dimensions", (100, 3, 0.0, "gaps"))
    yield "type-I dimensions, half asked once n=200", ("fewer_dimensions", (200, 1, 0.0, "half"))
    yield "type-I dimensions n=1500", ("fewer_dimensions", (1500, 1, 0.0))
    yield "power dimensions, one pair at rho=.5 n=200", ("fewer_dimensions", (200, 1, 0.5))
    yield "type-I heterogeneity n=10", ("differing_sets", (10, (0.2,) * 5))
    yield "type-I heterogeneity n=10, 3 data sets", ("differing_sets", (10, (0.2,) * 3))
    yield "type-I heterogeneity, skewed n=10, 400", ("skewed_sets", ((10, 400),))
    yield "type-I heterogeneity, skewed n=30, 30, 30, 1000", ("skewed_sets", ((30, 30, 30, 1000),))
    yield "power heterogeneity n=30, one of 3 by .25", ("differing_sets", (30, (0.2, 0.2, 0.45)))
    yield "type-I dominance, second axis 0 n=60", ("dominating", (60, 0.0))
    yield "type-I dominance, second axis worse everywhere", ("dominating", (60, None))
    yield "power dominance, second axis .2 n=60", ("dominating", (60, -0.2))
    for n, tests in ((12, 2), (25, 2)):
        yield f"power as planned (.8), difference n={n}", ("planned_difference", (n, tests))
    for n, tests in ((12, 90), (50, 90)):
        yield f"power as planned (.8), reversal n={n}", ("planned_reversal", (n, tests))
    yield "power as planned (.8), independence", ("planned_independence", (0.8,))
