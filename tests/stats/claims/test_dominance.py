"""One model more stable on every axis, weightings of axes, and several data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.stats.compared_made import drawn, evidence
from tests.stats.golden import GOLDEN, near
from tests.stats.hand_made import cell, missing, profiles

from sago.stats.claims import comparisons, heterogeneity
from sago.stats.evidence import CALIBRATED, Evidence
from sago.stats.simultaneous import simultaneous

RNG = np.random.default_rng


def claims(name: str, axes: dict[str, Any], **options: Any) -> list[Any]:
    known = evidence({(axis, "d"): models for axis, models in axes.items()}, **options)
    return [found for found in comparisons(known) if (found.claim, found.mode) == (name, CALIBRATED)]


def exactly(*means: float, n: int = 400) -> dict[str, np.ndarray]:
    """Returns scores with exactly these means."""
    rng = RNG(0)
    noise = [rng.normal(0, 0.1, n) for _ in means]
    return {f"m{place}": mean + each - each.mean() for place, (mean, each) in enumerate(zip(means, noise, strict=True))}


def test_dominance_on_every_axis() -> None:
    (found,) = claims("dominance", {"generation": exactly(0.3, 0.1), "confidence": exactly(0.2, 0.1), "mirroring": exactly(0.3, 0.2)})
    assert (found.verdict, found.models, found.axis) == ("DOMINATES", ("m1", "m0"), "all")
    assert found.estimate == 1
    assert "on each of confidence, generation and mirroring" in found.sentence


def test_one_axis_the_other_way_is_no_dominance() -> None:
    (found,) = claims("dominance", {"generation": exactly(0.3, 0.1), "confidence": exactly(0.1, 0.3)})
    assert (found.verdict, found.estimate, found.p) == ("NOT_SHOWN", 0, 1)


def test_an_axis_without_differences_takes_no_part() -> None:
    same = RNG(1).random(400)
    equal = {"m0": same, "m1": same}
    (found,) = claims("dominance", {"generation": exactly(0.3, 0.1), "activations": exactly(0.3, 0.1), "confidence": equal})
    assert found.verdict == "DOMINATES"
    assert "each of activations and generation and more" in found.sentence
    assert found.sentence.endswith("; on confidence they do not differ on any example.")
    (alone,) = claims("dominance", {"generation": exactly(0.3, 0.1), "confidence": equal})
    assert (alone.verdict, alone.reason, alone.p) == ("NOT_TESTED", "single_axis", None)
    assert "single_axis: generation alone" in alone.sentence
    (none,) = claims("dominance", {"generation": equal, "confidence": equal})
    assert (none.verdict, none.reason) == ("NOT_TESTED", "no_spread")


@pytest.mark.parametrize(("by", "n", "verdict"), [(-1.0, 100, "DOMINATES"), (1.0, 100, "NOT_SHOWN"), (-1.0, 4, "NOT_SHOWN")])
def test_a_difference_that_is_the_same_on_all_examples_counts(by: float, n: int, verdict: str) -> None:
    """m0 is far more stable on one axis; by ``by`` on the other one, everywhere: 2^-n one-sided, or 1 against it."""
    other = {"m0": np.full(n, 1 + by), "m1": np.ones(n)}
    (found,) = claims("dominance", {"generation": exactly(0.1, 0.9, n=n), "confidence": other})
    assert found.verdict == verdict
    assert found.p == pytest.approx(1.0 if by > 0 else max(2 * 0.5**n, 0.0), abs=1e-6)


def test_two_measures_of_one_axis_are_one_axis() -> None:
    tables = [evidence({("generation", "d"): exactly(*means)}) for means in ((0.3, 0.1), (0.4, 0.2))]
    second = [getattr(tables[1], name).with_columns(measure=pl.lit("embedding")) for name in ("profiles", "scores")]
    both = [pl.concat([getattr(tables[0], name), table]) for name, table in zip(("profiles", "scores"), second, strict=True)]
    assert [one for one in comparisons(Evidence(*both)) if one.claim in ("dominance", "acceptability")] == []
    third = evidence({("confidence", "d"): exactly(0.2, 0.1)})
    three = [pl.concat([table, getattr(third, name)]) for name, table in zip(("profiles", "scores"), both, strict=True)]
    found = {one.claim: one for one in comparisons(Evidence(*three)) if one.mode == CALIBRATED}
    assert "on each of confidence, generation (answer_flip) and generation (embedding)" in found["dominance"].sentence
    assert "of all weightings of confidence and generation (" in found["acceptability"].sentence


def test_dominance_at_the_edge_of_the_null() -> None:
    hits = 0
    for run in range(40):
        rng = RNG(run)
        axes = {"generation": drawn([0.1, 0.9], 60, rng), "confidence": drawn([0.2, 0.2], 60, rng)}
        hits += claims("dominance", axes)[0].verdict == "DOMINATES"
    assert hits / 40 <= 0.1


def test_one_axis_or_no_common_axis_makes_no_dominance() -> None:
    assert claims("dominance", {"generation": exactly(0.3, 0.1)}) == []
    rng = RNG(2)
    assert claims("dominance", {"generation": {"m0": rng.random(30)}, "confidence": {"m1": rng.random(30)}}) == []


def test_golden_e36_acceptability() -> None:
    case = GOLDEN["E36"]
    first, second = np.array(case["profiles"]).T
    found = claims("acceptability", {"generation": exactly(*first), "confidence": exactly(*second), "mirroring": exactly(0.9, 0.1)})
    # The share of the weights of the two axes is the same in either order of the axes.
    assert [one.estimate for one in found] == near(case["acceptability"])
    assert all(one.lower <= one.estimate <= one.upper for one in found)
    assert {one.verdict for one in found} == {"DESCRIBED"}
    assert "confidence .400 and generation .200" in found[0].sentence
    assert "mirroring" not in found[0].sentence


def test_equal_models_divide_their_share() -> None:
    one, two = exactly(0.2)["m0"], exactly(0.4)["m0"]
    found = claims("acceptability", {"generation": {"m0": one, "m1": one}, "confidence": {"m0": two, "m1": two}})
    assert [(each.estimate, each.lower, each.upper) for each in found] == [(0.5, 0.5, 0.5)] * 2


def test_models_without_two_common_axes_are_not_assessable() -> None:
    rng = RNG(3)
    axes = {"generation": drawn([0.1, 0.2], 40, rng), "confidence": {"m0": rng.random(40)}}
    (found,) = claims("acceptability", axes)
    assert (found.verdict, found.reason, found.models) == ("NOT_ASSESSABLE", "too_few_common_axes", ("m0", "m1"))


# -- several data sets ------------------------------------------------------------------------------------------------------------


def pooled(*rows: dict[str, Any]) -> list[Any]:
    return heterogeneity(Evidence(profiles(*rows)))


def test_golden_e54_no_pooled_number() -> None:
    (found,) = pooled(cell(dataset="a", instability=0.10, se=0.03), cell(dataset="b", instability=0.30, se=0.04))
    # Welch's test of two data sets is the t test of Satterthwaite; by chi-square, with errors that were known, it would be 6.33e-5.
    df = (0.03**2 + 0.04**2) ** 2 / (0.03**4 / 199 + 0.04**4 / 199)
    assert found.p == pytest.approx(2 * stats.t.sf(4.0, df))
    assert found.p == pytest.approx(7.7e-5, abs=2e-6)
    assert (found.verdict, found.estimate, found.reason) == ("DIFFERS", None, "heterogeneous")
    assert "I2 = .938" in found.sentence
    assert "there is no pooled number" in found.sentence


def test_data_sets_that_agree_have_a_mean() -> None:
    (found,) = pooled(cell(dataset="a", instability=0.10, se=0.03), cell(dataset="b", instability=0.12, se=0.04))
    assert (found.verdict, found.reason) == ("NOT_SHOWN", None)
    assert (found.estimate, found.se) == pytest.approx((0.11, 0.025))
    assert "their mean is .110 [.061, .159]" in found.sentence


def test_a_data_set_without_spread_is_left_out_and_named() -> None:
    (found,) = pooled(
        cell(dataset="a", instability=0.1), cell(dataset="b", instability=0.3), cell(dataset="c", se=0.0), missing("x", dataset="e")
    )
    assert (found.verdict, found.datasets, found.n) == ("DIFFERS", ("a", "b"), 400)
    assert found.sentence.endswith(" Left out: c (no_spread) and e (x).")


def test_what_cannot_be_pooled_is_not_tested_and_one_data_set_makes_no_claim() -> None:
    (one,) = pooled(cell(dataset="a"), missing("degenerate_null", dataset="b"))
    assert (one.verdict, one.reason) == ("NOT_TESTED", "too_few_datasets")
    (flat,) = pooled(cell(dataset="a"), cell(dataset="b", se=0.0))
    assert (flat.verdict, flat.reason) == ("NOT_TESTED", "no_spread")
    assert pooled(cell(dataset="a")) == []
    assert pooled(missing("not_observable", dataset="a"), missing("not_observable", dataset="b")) == []


# -- intervals that hold together -------------------------------------------------------------------------------------------------


def test_one_cell_has_its_own_interval() -> None:
    known = evidence({("generation", "d"): {"m0": RNG(4).normal(0.2, 0.1, 2000)}})
    found = simultaneous(known)
    assert found.cells == 1
    assert found.quantile == pytest.approx(1.96, abs=0.06)


def test_cells_that_move_together_cost_nothing_and_others_do() -> None:
    rng = RNG(5)
    values = rng.normal(0.2, 0.1, 1000)
    same = simultaneous(evidence({(axis, "d"): {"m0": values} for axis in ("generation", "confidence", "activations")}))
    own = simultaneous(evidence({(axis, "d"): {"m0": rng.normal(0.2, 0.1, 1000)} for axis in ("generation", "confidence", "activations")}))
    assert same.quantile == pytest.approx(1.96, abs=0.08)
    assert own.quantile == pytest.approx(2.388, abs=0.08)  # Sidak over three
    row = own.table.row(0, named=True)
    assert row["upper"] - row["lower"] == pytest.approx(2 * own.quantile * 0.1 / np.sqrt(1000), rel=0.06)


def test_cells_without_spread_take_no_part() -> None:
    found = simultaneous(evidence({("generation", "d"): {"m0": np.full(50, 0.2), "m1": np.array([0.1])}}))
    assert (found.cells, np.isnan(found.quantile), found.table.is_empty()) == (0, True, True)
