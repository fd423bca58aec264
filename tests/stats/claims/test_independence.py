"""What may be said of pairs of axes: the traps of METRICS 8, claim 2, by simulation with a known truth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stats.claims.simulated import evidence, halves, scores

from sago import schemas
from sago.stats.claims import axes_together
from sago.stats.claims.dimensions import permuted_correlations
from sago.stats.claims.pairs import pairs
from sago.stats.finding import Finding
from sago.stats.independence import pooled_rho, strata_differ_p
from sago.stats.overlaps import exact_overlap_p
from sago.stats.pooling import heterogeneity

RNG = np.random.default_rng


def findings(*tables: pl.DataFrame, claim: str = "independence", **options: Any) -> list[Finding]:
    found = axes_together(evidence(*tables, **options))
    schemas.frame("findings", [finding.row() for finding in found])
    return [finding for finding in found if finding.claim == claim]


def test_true_independence_of_reliable_axes_is_shown() -> None:
    found = findings(halves(scores(400, 0.0, 0.85, RNG(0))))[0]
    assert found.verdict == "INDEPENDENT"
    assert found.estimate is not None
    assert abs(found.estimate) < 0.15
    assert (found.threshold, found.n, found.axis, found.measure) == (0.30, 400, "activations & confidence", "acti & conf")


@pytest.mark.parametrize("seed", range(3))
def test_low_reliability_does_not_make_independence(seed: int) -> None:
    """True correlation 1, each axis at reliability .46: scores as they are correlate by about .46."""
    found = findings(halves(scores(400, 1.0, 0.46, RNG(seed))))[0]
    assert found.verdict != "INDEPENDENT"
    if found.estimate is not None:
        assert found.estimate == pytest.approx(1, abs=0.25)


def test_below_the_least_reliability_nothing_is_said() -> None:
    found = findings(halves(scores(300, 0.0, 0.15, RNG(1))))[0]
    assert (found.verdict, found.reason, found.p) == ("NOT_ASSESSABLE", "low_reliability", None)


def rare(n: int, share: float, phi: float, rng: np.random.Generator) -> pl.DataFrame:
    """Returns halves of two axes on which a share of the examples moves, on both more often than by chance: their correlation is phi."""
    both = share**2 + phi * share * (1 - share)
    drawn = rng.random(n)
    moved = (drawn < share, (drawn < both) | ((drawn >= share) & (drawn < 2 * share - both)))
    return halves([np.repeat(of_axis[:, None].astype(np.float64), 8, axis=1) for of_axis in moved])


def test_failures_too_rare_to_be_seen_together_make_no_independence() -> None:
    """At the margin, 5 % of 100 examples: in about a sixth of samples no failure is common, and the plain test finds no spread."""
    verdicts = [findings(rare(100, 0.05, 0.3, RNG(seed)))[0].verdict for seed in range(30)]
    assert verdicts.count("INDEPENDENT") <= 1
    assert findings(rare(400, 0.1, 0.0, RNG(0)))[0].verdict == "INDEPENDENT"
    assert findings(rare(400, 0.1, 0.6, RNG(0)))[0].verdict == "DEPENDENT"


def test_one_example_apart_on_both_axes_is_no_dependence() -> None:
    """One in forty by chance; its correlation is 1 and has no spread."""
    one = np.repeat((np.arange(40) == 3).astype(np.float64)[:, None], 8, axis=1)
    found = findings(halves([one, one]))[0]
    assert (found.verdict, found.reason) == ("NOT_ASSESSABLE", "few_apart")
    assert "a few others may go together by chance" in found.sentence


def test_three_common_failures_of_six_are_no_dependence_among_many_tests() -> None:
    """p = .010 by Fisher's test, which does not survive two ways and two models; the interval does not end at its plain error."""
    axes = np.zeros((2, 60, 8))
    axes[0, :6], axes[1, 3:9] = 1, 1
    found = findings(halves(list(axes)), halves(list(axes[:, ::-1].copy()), model="n"))
    assert {one.verdict for one in found} == {"INCONCLUSIVE"}
    for one in found[1:]:
        assert one.estimate is not None
        assert one.lower is not None
        assert one.upper is not None
        assert one.lower < 0.1
        assert one.upper > 0.9


def test_shared_noise_does_not_make_dependence() -> None:
    """True correlation 0, noise the same on both axes: halves of the same wordings correlate by about .65, crossed ones do not."""
    of_axes = scores(600, 0.0, 0.52, RNG(2), shared=1.0)
    same = [values[:, :4].mean(axis=1) for values in of_axes]
    assert np.corrcoef(*same)[0, 1] == pytest.approx(0.65, abs=0.08)
    found = findings(halves(of_axes))[0]
    assert found.estimate == pytest.approx(0, abs=0.15)
    assert found.verdict != "DEPENDENT"


def test_strata_of_opposite_signs_are_dependent() -> None:
    tables = [halves(scores(300, rho, 0.8, RNG(3)), dataset=name) for name, rho in (("d", 0.58), ("e", -0.58))]
    pooled, *strata = findings(*tables)
    assert pooled.estimate == pytest.approx(0, abs=0.12)
    assert pooled.p_adjusted is not None
    assert pooled.p_adjusted < 0.05
    assert pooled.verdict == "DEPENDENT"
    assert "2 of 2 strata" in pooled.sentence
    assert [finding.verdict for finding in strata] == ["DEPENDENT", "DEPENDENT"]


@pytest.mark.parametrize("seed", range(4))
def test_weak_strata_of_opposite_signs_are_never_independent(seed: int) -> None:
    """Noise hides from distance correlation what each of eight strata has: the pooled number, about 0, speaks for none of them."""
    tables = [halves(scores(60, (-1) ** place * 0.55, 0.6, RNG((seed, place))), dataset=f"d{place}") for place in range(8)]
    pooled = findings(*tables)[0]
    assert pooled.verdict in ("DEPENDENT", "NOT_ASSESSABLE")
    if pooled.verdict == "NOT_ASSESSABLE":
        assert pooled.reason == "strata_differ"
        assert "one number does not speak for all of them" in pooled.sentence


def test_partial_correlations_of_opposite_signs_are_dependent() -> None:
    tables = [halves(scores(300, rho, 0.8, RNG(3)), dataset=name) for name, rho in (("d", 0.58), ("e", -0.58))]
    known = [covariates(RNG(24 + place).normal(size=300), dataset=name) for place, name in enumerate("de")]
    (found,) = findings(*tables, claim="partial_correlation", covariates=pl.concat(known))
    assert found.verdict == "DEPENDENT"
    assert "for itself, 2 of 2 strata depend" in found.sentence


def test_equal_strata_stay_independent() -> None:
    tables = [halves(scores(150, 0.0, 0.85, RNG((25, place))), dataset=f"d{place}") for place in range(3)]
    assert findings(*tables)[0].verdict == "INDEPENDENT"


def test_copies_of_a_stratum_do_not_differ() -> None:
    of_axes = scores(200, 0.2, 0.8, RNG(11))
    known, _ = pairs(evidence(*(halves(of_axes, model=name) for name in "abc")))
    parts = known[0].parts
    crosses, places = [part.cross for part in parts if part.cross], [(part.dataset, part.places) for part in parts]
    assert np.isnan(strata_differ_p(crosses, places))
    apart = [(name, part.places) for name, part in zip("def", parts, strict=True)]
    assert strata_differ_p(crosses, apart) == pytest.approx(1)


def test_whether_strata_differ_is_cochrans_q_where_they_share_nothing() -> None:
    known, _ = pairs(evidence(*(halves(scores(100, rho, 0.8, RNG(26)), dataset=name) for name, rho in (("d", 0.1), ("e", 0.4)))))
    crosses = [part.cross for part in known[0].parts if part.cross]
    found = heterogeneity(np.array([cross.estimate for cross in crosses]), np.array([cross.se for cross in crosses]))
    assert strata_differ_p(crosses, [(part.dataset, part.places) for part in known[0].parts]) == pytest.approx(found.p)


def test_dependence_without_a_direction_is_dependence() -> None:
    one, two = scores(400, 0.0, 0.9, RNG(4))
    centre = one.mean(axis=1, keepdims=True)
    bent = np.abs(centre) * 2 + 0.3 * two
    assert findings(halves([one, bent]))[0].verdict == "DEPENDENT"


def test_a_true_half_is_dependent() -> None:
    found = findings(halves(scores(300, 0.5, 0.7, RNG(5))))[0]
    assert found.verdict == "DEPENDENT"
    assert found.lower is not None
    assert found.lower > 0


def test_a_small_certain_dependence_does_not_contradict_the_margin() -> None:
    found = findings(halves(scores(6000, 0.12, 0.9, RNG(6))))[0]
    assert found.lower is not None
    assert found.lower > 0
    assert found.verdict == "INDEPENDENT"
    assert "2000 examples" in found.sentence


def test_few_examples_are_not_judged() -> None:
    found = findings(halves(scores(24, 0.0, 0.9, RNG(7), axes=3)))
    assert [(finding.verdict, finding.reason, finding.n) for finding in found] == [("NOT_ASSESSABLE", "small_n", 24)] * 3


def test_axes_without_halves_say_so() -> None:
    table = halves(scores(60, 0.0, 0.9, RNG(8)))
    given = evidence(table)
    bare = axes_together(type(given)(given.profiles))
    assert {(finding.verdict, finding.reason) for finding in bare if finding.claim == "independence"} == {("NOT_ASSESSABLE", "no_halves")}


def test_one_axis_makes_no_claim() -> None:
    assert axes_together(evidence(halves(scores(60, 0.0, 0.9, RNG(9))[:1]))) == []


def test_equal_scores_are_not_judged() -> None:
    one, two = scores(60, 0.0, 0.9, RNG(10))
    found = axes_together(evidence(halves([one, np.zeros_like(two)])))
    assert {finding.reason for finding in found} == {"no_spread"}
    assert {finding.verdict for finding in found} == {"NOT_ASSESSABLE", "NOT_TESTED"}


def test_models_that_share_examples_do_not_count_twice() -> None:
    """The same scores under two names tell as much as once: the same interval, the same n."""
    of_axes = scores(200, 0.2, 0.8, RNG(11))
    alone = findings(halves(of_axes))[0]
    twice = findings(halves(of_axes, model="a"), halves(of_axes, model="b"))[0]
    assert twice.n == 200
    assert (twice.estimate, twice.se) == pytest.approx((alone.estimate, alone.se))
    disjoint = findings(halves(of_axes, dataset="d"), halves(of_axes, dataset="e"))[0]
    assert alone.se is not None
    assert disjoint.n == 400
    assert disjoint.se == pytest.approx(alone.se / np.sqrt(2))


def test_examples_with_missing_halves_use_the_splits_that_both_axes_have() -> None:
    table = halves(scores(100, 0.4, 0.9, RNG(12)))
    first = [[None if row % 7 == 0 and split < 5 else value for split, value in enumerate(one)] for row, one in enumerate(table["first"])]
    table = table.with_columns(first=pl.Series(first, dtype=pl.List(pl.Float32)))
    found = findings(schemas.check("halves", table))[0]
    whole = findings(halves(scores(100, 0.4, 0.9, RNG(12))))[0]
    assert found.n == 100
    assert found.estimate == pytest.approx(whole.estimate, abs=0.05)


def test_order_of_rows_does_not_matter() -> None:
    table = halves(scores(80, 0.4, 0.8, RNG(13), axes=3))
    one, two = axes_together(evidence(table)), axes_together(evidence(table.sample(fraction=1.0, shuffle=True, seed=1)))
    assert [finding.row() for finding in one] == [finding.row() for finding in two]


def covariates(values: np.ndarray[Any, Any], dataset: str = "d") -> pl.DataFrame:
    rows = pl.DataFrame({"example": [f"{place:06d}" for place in range(values.size)], "prompt_length": values})
    return schemas.frame("covariates", rows.with_columns(model=pl.lit("m"), dataset=pl.lit(dataset), decoding=pl.lit("greedy")).to_dicts())


def test_what_length_explains_is_gone_at_equal_length() -> None:
    """METRICS 8, 2g: a common cause makes a correlation that is 0 once it is partialled out."""
    rng = RNG(14)
    length = rng.normal(size=400)
    of_axes = [values + 0.9 * length[:, None] for values in scores(400, 0.0, 0.85, rng)]
    table = halves(of_axes)
    assert findings(table)[0].verdict == "DEPENDENT"
    found = findings(table, claim="partial_correlation", covariates=covariates(length))[0]
    assert found.verdict == "INDEPENDENT"
    assert "prompt length" in found.sentence


def test_without_a_table_of_covariates_there_is_no_partial_claim() -> None:
    assert findings(halves(scores(60, 0.0, 0.9, RNG(15))), claim="partial_correlation") == []


@pytest.mark.parametrize(("rho", "verdict"), [(0.8, "FAIL_TOGETHER"), (0.0, "NOT_SHOWN")])
def test_failures_of_axes(rho: float, verdict: str) -> None:
    found = findings(halves(scores(600, rho, 0.85, RNG(16))), claim="failure_overlap")[0]
    assert found.verdict == verdict
    assert (found.estimate or 0) > (1 if rho else 0)


def test_failures_agree_with_statsmodels() -> None:
    tables_module = pytest.importorskip("statsmodels.stats.contingency_tables")
    given = evidence(*(halves(scores(200, 0.4, 0.8, RNG(17 + place)), dataset=f"d{place}") for place in range(3)))
    found = next(finding for finding in axes_together(given) if finding.claim == "failure_overlap")
    known, _ = pairs(given)
    tables = [part.together.tables[0] for part in known[0].parts if part.together is not None]
    oracle = tables_module.StratifiedTable(tables)
    assert found.estimate == pytest.approx(oracle.oddsratio_pooled)
    assert (found.lower, found.upper) == pytest.approx(oracle.oddsratio_pooled_confint())
    assert found.p == pytest.approx(exact_overlap_p(np.stack(tables)))
    assert found.test == "exact conditional test"


def test_failures_are_compared_among_examples_that_were_asked_alike() -> None:
    """One half of the examples was asked once, and all axes are noisier there; odds ratio and test are those of two strata."""
    tables_module = pytest.importorskip("statsmodels.stats.contingency_tables")
    quiet, loud = scores(200, 0.3, 0.95, RNG(40)), scores(200, 0.3, 0.5, RNG(41))
    table = halves([np.concatenate(each) for each in zip(quiet, loud, strict=True)])
    names = table.select("model", "dataset", "example", "axis", "measure", "decoding")
    asked = names.with_columns(n_variants=pl.lit(8), n_observations=pl.when(pl.col("example") < "000200").then(64).otherwise(8))
    columns = schemas.dtypes("scores")
    counts = asked.select(*(pl.col(name) if name in asked.columns else pl.lit(None).alias(name) for name in columns)).cast(
        pl.Schema(columns)
    )
    given = replace(evidence(table), scores=counts)
    (part,) = pairs(given)[0][0].parts
    assert part.together is not None
    assert part.together.tables.sum(axis=(1, 2)).tolist() == [200, 200]
    assert part.together.tables[0, 0].sum() > 25, "most failures of the first axis are among those asked once"
    found = next(one for one in axes_together(given) if one.claim == "failure_overlap")
    assert found.estimate == pytest.approx(tables_module.StratifiedTable(list(part.together.tables)).oddsratio_pooled)
    assert found.p == pytest.approx(exact_overlap_p(part.together.tables))
    assert "by chance among examples with as many wordings and responses" in found.sentence


def test_failures_of_few_examples_keep_the_level() -> None:
    """n = 40 has 4 failures an axis: 2 in common have p = .043 exactly, where chi-square says .006."""
    verdicts = [
        finding.verdict
        for seed in range(60)
        for finding in findings(halves(scores(40, 0.0, 0.7, RNG((seed, 3)), axes=3)), claim="failure_overlap")
    ]
    assert sum(verdict != "NOT_SHOWN" for verdict in verdicts) <= 7


def test_failures_of_models_that_share_examples_count_once() -> None:
    of_axes = scores(100, 0.6, 0.8, RNG(22))
    alone = findings(halves(of_axes), claim="failure_overlap")[0]
    twice = findings(halves(of_axes, model="a"), halves(of_axes, model="b"), claim="failure_overlap")[0]
    assert (alone.test, twice.test) == ("exact conditional test", "permutation test")
    assert twice.p == pytest.approx(alone.p, abs=0.01)


def test_ties_make_another_share_that_is_said_or_too_many_failures() -> None:
    rng = RNG(23)
    some = [(rng.random((400, 8)) < 0.05).astype(float) for _ in range(2)]
    found = findings(halves(some), claim="failure_overlap")[0]
    assert found.verdict == "NOT_SHOWN"
    assert "10 %" not in found.sentence
    assert "since many have the same score" in found.sentence
    all_but_few = [np.repeat((rng.random(400) < 0.8).astype(float)[:, None], 8, axis=1) for _ in range(2)]
    none = findings(halves(all_but_few), claim="failure_overlap")[0]
    assert (none.verdict, none.reason) == ("NOT_TESTED", "tied_scores")


@pytest.mark.parametrize(("rho", "verdict"), [(0.5, "FEWER_THAN_AXES"), (0.0, "NOT_SHOWN")])
def test_dimensions(rho: float, verdict: str) -> None:
    found = findings(halves(scores(200, rho, 0.8, RNG(20), axes=4)), claim="dimensions")[0]
    assert found.verdict == verdict
    assert found.estimate is not None
    golden = json.loads((Path(__file__).parents[2] / "golden" / "stats_formulas.json").read_text(encoding="utf-8"))["E45"]
    assert (found.estimate < golden["participation_ratio"]) == (rho > golden["correlation"])


@pytest.mark.parametrize("kept", [1.0, 0.7])
def test_permuted_axes_spread_as_pooled_correlations_do(kept: float) -> None:
    """Three models, asked the same examples or each 70 % of them: what permutation draws has the standard error of what is observed."""
    tables = []
    for place in range(3):
        rng = RNG((30, place))
        there = rng.permutation(200)[: int(200 * kept)]
        table = halves(scores(200, 0.0, 0.6, rng, axes=3), model=f"m{place}")
        tables.append(table.filter(pl.col("example").is_in([f"{each:06d}" for each in there])))
    known, wholes = pairs(evidence(*tables))
    parts = [part for part in known[0].parts if part.cross is not None]
    crosses = [part.cross for part in parts if part.cross is not None]
    expected = pooled_rho(crosses, [(part.dataset, part.places) for part in parts]).se
    freed = [np.full((3, 3), 1 / np.sqrt(np.prod(cross.half))) for cross in crosses]
    scales = {(part.model, part.dataset): scale for part, scale in zip(parts, freed, strict=True)}
    drawn = permuted_correlations([*known[0].axes, known[1].axes[1]], wholes, scales, RNG(31))
    assert drawn[:, 0, 1].std() == pytest.approx(expected, rel=0.15)
    if kept == 1:  # otherwise what groups of examples that the same models have differ by stays
        assert np.abs(drawn.mean(axis=0)).max() < 4 * expected / np.sqrt(len(drawn))


def test_two_axes_have_no_claim_about_dimensions() -> None:
    assert findings(halves(scores(60, 0.0, 0.9, RNG(21))), claim="dimensions") == []


def test_level_and_power_by_simulation() -> None:
    """At the margin INDEPENDENT may come out in 1 of 20, at 0 nearly always, at n = 300 and reliability .85 (30 draws each)."""
    at_margin, at_none = (
        [findings(halves(scores(300, rho, 0.85, RNG((seed, 1)))))[0].verdict for seed in range(30)] for rho in (0.31, 0.0)
    )
    assert at_margin.count("INDEPENDENT") <= 4
    assert at_none.count("INDEPENDENT") >= 27
    assert at_none.count("DEPENDENT") <= 3
