"""How often each test claims what is not there (``type-I``: at its null, .05 is allowed) and finds what is (``power``), by simulation.

Each simulation draws the scores of a run whose truth is known and makes the claim as ``sago run`` does, Holm included where it is part of
the claim. ``type-I`` rows stand at the least favourable null that each test has: a reversal with one difference of 0 and the other large,
correlations at the margin, instability at the smallest effect. With 1,000 simulations the Monte-Carlo standard error of a rate of .05 is
.007, so that up to .064 agrees with .05 (one-sided 95 %).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np
import polars as pl
from scipy import stats

import claims_pooled
from invented import Key, evidence_of, halves_of, names
from sago import schemas
from sago.arrays import Rows, index_of, parts_of, permutation_p
from sago.arrays.grouping import Floats
from sago.arrays.sign_flips import sign_flip_p
from sago.seeds import generator
from sago.stats.claims.added_information import added_information
from sago.stats.claims.consistency import consistency
from sago.stats.claims.failure_overlap import failure_overlaps
from sago.stats.claims.independence import independence
from sago.stats.claims.instability import instability
from sago.stats.claims.pairs import pairs
from sago.stats.claims.rank_order import rank, rank_agreement
from sago.stats.claims.reversals import reversal, reversal_omnibus
from sago.stats.evidence import Evidence, Rules
from sago.stats.finding import Finding
from sago.stats.paired import compared
from table import Row, show

Simulation = Callable[..., bool]
"""Takes a generator and what is given of the truth, draws once and says whether the claim was made."""

CALIBRATED, RAW = "calibrated", "raw"
SD = 0.35
"""Standard deviation of a paired difference of two models, as METRICS 8 takes it."""


# -- claim 1 -------------------------------------------------------------------------------------------------------------------


def rerun_floor(rng: np.random.Generator, changed: float) -> bool:
    """Draws n = 40, 4 wordings x 3 reruns, skewed answers; with probability ``changed`` a wording has an answer of its own."""
    n, v, r = 40, 4, 3
    shares = np.array([0.7, 0.2, 0.1])
    values = rng.choice(3, size=(n, v, r), p=shares)
    moved = rng.random((n, v, 1)) < changed
    values = np.where(moved, rng.integers(0, 3, (n, v, 1)), values).reshape(-1)
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((n, v, r)))
    return permutation_p(Rows(values, example, variant), "nominal", rng, draws=199) <= 0.05


def unstable(rng: np.random.Generator, truth: float, n: int, verdict: str) -> bool:
    """Nominal answers, 4 wordings x 3 reruns, K = 6: S = 1 - (1 - pi)^2; through the index and the scores of its examples."""
    v, r, k = 4, 3, 6
    values = np.broadcast_to(rng.integers(0, k, (n, 1, 1)), (n, v, r))
    values = np.where(rng.random((n, v, 1)) < 1 - np.sqrt(1 - truth), rng.integers(0, k, (n, v, 1)), values)
    values = np.where(rng.random((n, v, r)) < 0.3, rng.integers(0, k, (n, v, r)), values).reshape(-1)
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((n, v, r)))
    found = index_of(parts_of(Rows(values, example, variant), "nominal"))
    head = {"model": "m", "dataset": "d", "axis": "generation", "measure": "answer_flip", "decoding": "sampled"}
    row = {
        **head,
        "default": True,
        **{"n": found.n, "n_left_out": 0, "n_variants": float(v), "n_reruns": float(r), "flags": list(found.flags)},
        **{"across": found.across, "across_se": found.across_interval.se, "rerun": found.rerun, "unrelated": found.unrelated},
        **{"instability": found.instability, "se": found.se, "lower": found.interval.lower, "upper": found.interval.upper},
        **{"reason": found.reason},
    }
    parts = found.parts
    each = {"across": parts.across, "rerun": parts.rerun, "unrelated": parts.unrelated}
    each |= {"instability": found.per_example, "influence": found.influence}
    facts = {
        name: pl.lit(value) for name, value in {**head, "rerun_p": None, "n_variants": v, "n_observations": v * r, "reason": None}.items()
    }
    known = pl.DataFrame({"example": names(n), **each}).with_columns(pl.col(list(each)).fill_nan(None), **facts)
    scores = known.select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("scores").items())
    return _verdicts(instability(Evidence(schemas.frame("profiles", [row]), scores=scores))) == [verdict]


def consistent(rng: np.random.Generator, means: tuple[float, ...], at_least: int) -> bool:
    """One model on several data sets, n = 100 each: is it said to be unstable in at least so many?"""
    scores = {("m", f"d{place}", "generation"): _normal(rng, mean, 100) for place, mean in enumerate(means)}
    found = [one for one in consistency(evidence_of(scores)) if one.family is None and one.mode == CALIBRATED]
    return any((one.estimate or 0) >= at_least for one in found)


def several_consistent(rng: np.random.Generator) -> bool:
    """Five models on four data sets, m of them far above the smallest effect for model m, the others at it: does any model get too many?"""
    truth = {(model, place): 0.5 if place < model else 0.05 for model, place in product(range(5), range(4))}
    scores = {(f"m{model}", f"d{place}", "generation"): _normal(rng, mean, 100) for (model, place), mean in truth.items()}
    found = [one for one in consistency(evidence_of(scores)) if one.family is None and one.mode == CALIBRATED]
    return any((one.estimate or 0) > int(one.models[0][1:]) for one in found)


def rarely_moved(rng: np.random.Generator, share: float, size: float, n: int) -> bool:
    """A share of examples changes by ``size`` of what another question does, the others not at all: is the cell called STABLE?"""
    scores: Floats = size * (rng.random(n) < share).astype(np.float64)
    evidence = evidence_of({("m", "d", "generation"): scores}, rules=Rules(smallest_effect=share * size))
    # Scores of more than 1 are those of a null of 1 / size.
    known = evidence.profiles.with_columns(unrelated=pl.lit(1 / max(size, 1.0)))
    return _verdicts(instability(Evidence(known, scores=evidence.scores, rules=evidence.rules))) == ["STABLE"]


def stable_although_moved(rng: np.random.Generator, share: float, n: int) -> bool:
    """A share of examples changes, in half of their pairs of wordings."""
    scores: Floats = 0.5 * (rng.random(n) < share).astype(np.float64)
    return _verdicts(instability(evidence_of({("m", "d", "generation"): scores}))) == ["STABLE"]


def asked_in_part(rng: np.random.Generator, models: int, n: int, asked: int, beyond: float) -> Evidence:
    """Models that differ in nothing, reruns on some of the examples; wordings add ``beyond`` to what asking twice does."""
    across: dict[Key, Floats] = {}
    rerun = []
    for model in range(models):
        share = rng.beta(2, 3, n)
        across[f"m{model}", "d", "generation"] = beyond + (1 - beyond) * rng.binomial(6, share) / 6
        noise = rng.binomial(3, share) / 3
        noise[asked:] = np.nan
        rerun.append(noise)
    evidence = evidence_of(across)
    known = pl.Series(np.concatenate(rerun)).fill_nan(None)
    return Evidence(evidence.profiles, scores=evidence.scores.with_columns(rerun=known))


def ranked_in_part(rng: np.random.Generator, n: int, asked: int) -> bool:
    """Is either of two equal models said to have a rank, by raw scores?"""
    found = rank(compared(asked_in_part(rng, 2, n, asked, 0.0)), Rules())
    return any(one.verdict == "RANKED" for one in found if one.mode == RAW)


def unstable_in_part(rng: np.random.Generator, n: int, asked: int, verdict: str) -> bool:
    """A raw gap of .05 (1 - .4), the smallest effect, its noise measured on a few examples."""
    evidence = asked_in_part(rng, 1, n, asked, 0.05)
    found = instability(Evidence(evidence.profiles, scores=evidence.scores, rules=Rules(smallest_effect=0.03)))
    return any(one.verdict == verdict for one in found if one.mode == RAW)


def equal_gaps(rng: np.random.Generator, n: int) -> bool:
    """B_i - W_i is .02 in 98 of 100 examples and -.98 in two: the truth is 0; is it called UNSTABLE against 0?"""
    rare = rng.random(n) < 0.02
    evidence = evidence_of({("m", "d", "generation"): np.where(rare, 0.0, 0.02)}, rules=Rules(smallest_effect=0.0))
    noise = pl.Series(np.where(rare, 0.98, 0.0))
    found = instability(Evidence(evidence.profiles, scores=evidence.scores.with_columns(rerun=noise), rules=evidence.rules))
    return any(one.verdict == "UNSTABLE" for one in found if one.mode == RAW)


# -- claim 2 -------------------------------------------------------------------------------------------------------------------


def axes_with(rng: np.random.Generator, n: int, rho: float, reliability: float, *, noise_shared: float = 0.0, models: int = 1) -> Evidence:
    """Two axes, 8 wordings: what examples have on both correlates by rho; the noise of wordings is shared between the axes by a part."""
    v = 8
    error = v * (1 - reliability) / reliability
    scores: dict[Key, Floats] = {}
    halves: dict[Key, tuple[Floats, Floats]] = {}
    for model in range(models):
        own = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=n)
        common = rng.normal(size=(n, v))
        for place, axis in enumerate(("generation", "confidence")):
            noise = np.sqrt(noise_shared) * common + np.sqrt(1 - noise_shared) * rng.normal(size=(n, v))
            wordings = own[:, [place]] + np.sqrt(error) * noise
            key = (f"m{model}", "d", axis)
            scores[key], halves[key] = wordings.mean(axis=1), halves_of(wordings, np.random.default_rng(0))
    return evidence_of(scores, halves=halves)


def independent(rng: np.random.Generator, n: int, rho: float, reliability: float, verdict: str, noise_shared: float = 0.0) -> bool:
    """Is the pair of axes called so?"""
    found = independence(pairs(axes_with(rng, n, rho, reliability, noise_shared=noise_shared))[0], Rules())
    return [one.verdict for one in found] == [verdict]


def opposite_strata(rng: np.random.Generator, verdict: str) -> bool:
    """Two models, correlations +.56 and -.58, n = 200 each: what is said of both together?"""
    parts = [axes_with(rng, 200, rho, 0.9) for rho in (0.56, -0.58)]
    tables = {}
    for name in ("profiles", "scores", "halves"):
        named = [getattr(part, name).with_columns(model=pl.lit(f"m{place}")) for place, part in enumerate(parts)]
        tables[name] = pl.concat(named)
    found = independence(pairs(Evidence(**tables))[0], Rules())
    return any(one.verdict == verdict for one in found if len(one.models) == 2)


def overlapping(rng: np.random.Generator, rho: float) -> bool:
    """Do the most unstable tenths of two axes overlap more than by chance? n = 400, reliability .8."""
    found = failure_overlaps(pairs(axes_with(rng, 400, rho, 0.8))[0], Rules())
    return any(one.p_adjusted is not None and one.p_adjusted <= 0.05 for one in found)


def adding(rng: np.random.Generator, effect: float) -> bool:
    """Difficulty drives instability and log-probability alike; does instability tell of errors beyond it? n = 300."""
    n = 300
    difficulty = rng.normal(size=n)
    own = rng.normal(size=n)
    score = 0.7 * difficulty + own
    wrong = (difficulty + effect * own + rng.logistic(size=n) > 0).astype(np.float64)
    key = ("m", "d", "generation")
    known = pl.DataFrame(
        {
            **{"model": ["m"] * n, "dataset": ["d"] * n, "example": names(n), "decoding": ["greedy"] * n},
            **{"prompt_length": np.full(n, 50.0), "response_length": np.full(n, 5.0), "correct": 1 - wrong, "log_likelihood": -difficulty},
        }
    )
    found = added_information(evidence_of({key: score}, covariates=schemas.check("covariates", known)))
    return [one.verdict for one in found] == ["ADDS"]


# -- claim 3 -------------------------------------------------------------------------------------------------------------------


def models_on(rng: np.random.Generator, truth: Mapping[tuple[int, int], float], n: int) -> Evidence:
    """Scores of models (place, data set -> mean); what an example has in common makes paired differences of standard deviation SD."""
    scores: dict[Key, Floats] = {}
    for dataset in sorted({dataset for _, dataset in truth}):
        common = rng.normal(0, 0.3, n)
        for model in sorted({model for model, _ in truth}):
            scores[f"m{model}", f"d{dataset}", "generation"] = truth[model, dataset] + common + rng.normal(0, SD / np.sqrt(2), n)
    return evidence_of(scores)


def reversed_order(rng: np.random.Generator, first: float, second: float, n: int, models: int = 2, datasets: int = 2) -> bool:
    """The first two models differ by ``first`` on one data set, by ``second`` on the others; further models are far from them."""
    truth = {}
    for dataset, model in product(range(datasets), range(models)):
        truth[model, dataset] = (first if dataset == 0 else second) if model == 0 else float(model > 1) * model
    found = reversal(compared(models_on(rng, truth, n)), Rules())
    return any(one.verdict == "REVERSED" for one in found if one.mode == CALIBRATED)


def any_reversal(rng: np.random.Generator) -> bool:
    """METRICS 8, 3c: six models, four data sets, one true order everywhere, n = 150: is any reversal claimed?"""
    truth = {(model, dataset): 0.02 * model for model, dataset in product(range(6), range(4))}
    found = reversal(compared(models_on(rng, truth, 150)), Rules())
    return any(one.verdict == "REVERSED" for one in found if one.mode == CALIBRATED)


def any_sign_change(rng: np.random.Generator) -> bool:
    """The same, by counting changes of sign: what is not to be done."""
    means = np.array([[0.02 * model for model in range(6)]] * 4) + rng.normal(0, SD / np.sqrt(2) / np.sqrt(150), (4, 6))
    order = np.sign(means[:, :, None] - means[:, None, :])
    return bool((order.min(axis=0) * order.max(axis=0) < 0).any())


def interacting(rng: np.random.Generator, second: float) -> bool:
    """Gail-Simon: two models, four data sets, n = 150; a difference of .3 on one, ``second`` on the others."""
    truth = {(model, dataset): (0.3 if dataset == 0 else second) * (model == 0) for model, dataset in product(range(2), range(4))}
    found = reversal_omnibus(compared(models_on(rng, truth, 150)), Rules())
    return any(one.verdict == "REVERSED" for one in found if one.mode == CALIBRATED)


def differing_ranks(rng: np.random.Generator, step: float, shuffled: bool) -> bool:
    """Eight models a step apart, two data sets, n = 200; on the second one their order is another, or the same."""
    order = rng.permutation(8) if shuffled else np.arange(8)
    truth = {(model, dataset): step * (model if dataset == 0 else float(order[model])) for model, dataset in product(range(8), range(2))}
    found = rank_agreement(compared(models_on(rng, truth, 200)), Rules())
    return any(one.verdict == "RANKS_DIFFER" for one in found if one.mode == CALIBRATED)


def wrong_rank(rng: np.random.Generator, step: float) -> bool:
    """Eight models a step apart, n = 200: does any rank interval miss the true rank? With step 0 all ranks from 1 to 8 are true."""
    truth = {(model, 0): step * model for model in range(8)}
    found = [one for one in rank(compared(models_on(rng, truth, 200)), Rules()) if one.mode == CALIBRATED]
    ranks = [(int(one.models[0][1:]) + 1, one.lower or 0, one.upper or 0) for one in found]
    return any((lower, upper) != (1, 8) for _, lower, upper in ranks) if step == 0 else any(not low <= own <= up for own, low, up in ranks)


def flipped_signs(rng: np.random.Generator, effect: float) -> bool:
    """Sign-flip test of 25 skewed, symmetric about the effect, differences."""
    return sign_flip_p(effect + SD * rng.standard_t(3, 25) / np.sqrt(3), rng, draws=999) <= 0.05


# -- the table -----------------------------------------------------------------------------------------------------------------


def _verdicts(found: list[Finding]) -> list[str]:
    return [one.verdict for one in found if one.mode == CALIBRATED and len(one.models) == 1]


def _normal(rng: np.random.Generator, mean: float, n: int) -> Floats:
    return mean + 0.3 * stats.norm.ppf(rng.random(n))


def simulations() -> Iterator[tuple[str, tuple[str, tuple[object, ...]]]]:
    """Yields name of the row -> function and arguments."""
    yield "type-I rerun floor, permutation n=40", ("rerun_floor", (0.0,))
    yield "power rerun floor, 10 % of wordings moved n=40", ("rerun_floor", (0.1,))
    for n in (20, 50, 200):
        yield f"type-I instability at S=.05 n={n}", ("unstable", (0.05, n, "UNSTABLE"))
    yield "type-I stability at S=.05 n=200", ("unstable", (0.05, 200, "STABLE"))
    yield "power instability S=.15 n=50", ("unstable", (0.15, 50, "UNSTABLE"))
    yield "power instability S=.15 n=200", ("unstable", (0.15, 200, "UNSTABLE"))
    yield "power stability S=0 n=200", ("unstable", (0.0, 200, "STABLE"))
    yield "type-I consistency in 2 of 3, 1 true", ("consistent", ((0.5, 0.05, 0.05), 2))
    yield "type-I consistency, 5 models 4 data sets", ("several_consistent", ())
    for n in (60, 100, 200):
        yield f"type-I stability, 5 % move n={n}", ("rarely_moved", (0.05, 1.0, n))
    yield "type-I stability, 2 % move n=150", ("rarely_moved", (0.02, 1.0, 150))
    yield "type-I stability, 1 % move by 4 n=400", ("rarely_moved", (0.0125, 4.0, 400))
    yield "power stability, 1 % move, smallest effect .05 n=200", ("stable_although_moved", (0.01, 200))
    for asked in (3, 10, 20):
        yield f"type-I instability, raw, reruns on {asked} of 200 n=200", ("unstable_in_part", (200, asked, "UNSTABLE"))
        yield f"type-I stability, raw, reruns on {asked} of 200 n=200", ("unstable_in_part", (200, asked, "STABLE"))
    yield "type-I instability against 0, equal raw gaps n=60", ("equal_gaps", (60,))
    yield "power consistency in 2 of 3, 3 at S=.15", ("consistent", ((0.15, 0.15, 0.15), 2))
    for n in (200, 400):
        yield f"type-I independence at rho=.30 reliability .8 n={n}", ("independent", (n, 0.30, 0.8, "INDEPENDENT"))
    yield "type-I independence at rho=-.30 reliability .6 n=400", ("independent", (400, -0.30, 0.6, "INDEPENDENT"))
    yield "type-I independence, true rho=1 reliability .46 n=200", ("independent", (200, 0.999, 0.46, "INDEPENDENT"))
    yield "type-I dependence at rho=0 reliability .8 n=200", ("independent", (200, 0.0, 0.8, "DEPENDENT"))
    yield "type-I dependence at rho=0, shared noise n=200", ("independent", (200, 0.0, 0.6, "DEPENDENT", 0.9))
    for n in (100, 200, 400):
        yield f"power independence at rho=0 reliability .8 n={n}", ("independent", (n, 0.0, 0.8, "INDEPENDENT"))
    yield "power dependence at rho=.5 reliability .8 n=200", ("independent", (200, 0.5, 0.8, "DEPENDENT"))
    yield "type-I independence of opposite strata", ("opposite_strata", ("INDEPENDENT",))
    yield "power dependence of opposite strata", ("opposite_strata", ("DEPENDENT",))
    yield "type-I failure overlap n=400", ("overlapping", (0.0,))
    yield "power failure overlap rho=.5 n=400", ("overlapping", (0.5,))
    yield "type-I added information n=300", ("adding", (0.0,))
    yield "power added information, effect .7 n=300", ("adding", (0.7,))
    yield "type-I reversal, differences 0 and -.5 n=150", ("reversed_order", (0.0, -0.5, 150))
    yield "type-I reversal, differences 0 and 0 n=150", ("reversed_order", (0.0, 0.0, 150))
    yield "type-I any reversal, 6 models 4 data sets n=150", ("any_reversal", ())
    yield "(not a test) any change of sign, the same", ("any_sign_change", ())
    yield "power reversal +-.08 n=200", ("reversed_order", (0.08, -0.08, 200))
    yield "power reversal +-.08 n=400", ("reversed_order", (0.08, -0.08, 400))
    yield "power reversal +-.08, 6 models 4 data sets n=400", ("reversed_order", (0.08, -0.08, 400, 6, 4))
    yield "type-I Gail-Simon, .3 and 0 on three n=150", ("interacting", (0.0,))
    yield "power Gail-Simon, .3 and -.1 on three n=150", ("interacting", (-0.1,))
    yield "type-I rank agreement, same order n=200", ("differing_ranks", (0.03, False))
    yield "power rank agreement, another order n=200", ("differing_ranks", (0.06, True))
    yield "type-I rank intervals, all equal n=200", ("wrong_rank", (0.0,))
    yield "type-I rank intervals, .03 apart n=200", ("wrong_rank", (0.03,))
    for n, asked in ((400, 20), (400, 5), (25, 10)):
        yield f"type-I rank, raw, reruns on {asked} of {n} n={n}", ("ranked_in_part", (n, asked))
    yield "type-I sign flips n=25", ("flipped_signs", (0.0,))
    yield "power sign flips, .25 n=25", ("flipped_signs", (0.25,))
    yield from claims_pooled.simulations()


def rate(name: str, call: tuple[str, tuple[object, ...]], count: int, start: int = 0) -> float:
    """Returns the share of simulations in which the claim was made."""
    function, given = call
    simulation: Simulation = globals().get(function) or getattr(claims_pooled, function)
    return float(np.mean([simulation(generator("claims", name, number), *given) for number in range(start, start + count)]))


def main() -> None:
    """Simulates and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--only", default="")
    given, left = parser.parse_known_args()
    sys.argv = [sys.argv[0], *left]
    wanted = [(name, call) for name, call in simulations() if given.only in name]
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(rate, *zip(*wanted, strict=True), [given.simulations] * len(wanted)))
    allowed = 0.05 + 1.645 * np.sqrt(0.05 * 0.95 / given.simulations)
    rows = [
        Row(name, value, "", target=0.05 if name.startswith("type-I") else None) for (name, _), value in zip(wanted, found, strict=True)
    ]
    show(rows)
    above = [row.name for row in rows if row.target is not None and row.value > allowed]
    print(
        f"{len(rows)} rows; {len(above)} type-I rates above {allowed:.3f}, .05 and its Monte-Carlo error at {given.simulations} simulations"
    )
    for name in above:
        print(f"above: {name}")


if __name__ == "__main__":
    main()
