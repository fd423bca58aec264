"""Does the order of two models reverse? Sign changes are plenty, reversals few."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from tests.stats.compared_made import drawn, evidence
from tests.stats.golden import GOLDEN, near

from sago.stats.claims import comparisons
from sago.stats.claims.reversals import reversal_omnibus
from sago.stats.evidence import CALIBRATED, RAW, Evidence, Paired
from sago.stats.multiplicity import holm, reversal_p
from sago.stats.paired import compared, differences

NAN = float("nan")
RNG = np.random.default_rng


def reversals(known: Evidence, mode: str = CALIBRATED, *, claim: str = "reversal") -> list[Any]:
    return [found for found in comparisons(known) if (found.claim, found.mode) == (claim, mode)]


def on(axis: Any = "generation", **datasets: Any) -> dict[tuple[str, str], Any]:
    return {(axis, name): models for name, models in datasets.items()}


def paired_z(*datasets: dict[str, np.ndarray]) -> np.ndarray:
    """Returns z of every pair (data sets x pairs), without the tables."""
    found = []
    for models in datasets:
        score = np.stack(list(models.values()))
        examples = tuple(str(place) for place in range(score.shape[1]))
        influence = score - score.mean(axis=1, keepdims=True)
        found.append(differences(Paired(tuple(models), examples, score, influence, np.zeros(len(score)))).z)
    return np.stack(found)


def test_identical_orders_change_signs_and_reverse_nowhere() -> None:
    """METRICS 8, 3c: six models, one true order in four data sets of 150 examples."""
    means, signs, errors, runs = [0.1, 0.13, 0.16, 0.19, 0.22, 0.25], 0, 0, 100
    first, second = np.triu_indices(4, 1)
    for run in range(runs):
        rng = RNG(run)
        z = paired_z(*(drawn(means, 150, rng) for _ in range(4)))
        signs += bool((np.sign(z) != np.sign(z[0])).any())
        errors += bool((holm(reversal_p(z[first], z[second])) <= 0.05).any())
    assert signs >= 0.9 * runs
    assert errors / runs <= 0.1


def test_no_sentence_says_that_a_change_of_sign_is_a_reversal() -> None:
    rng = RNG(0)
    found = reversals(evidence(on(**{f"d{place}": drawn([0.1, 0.12, 0.14, 0.16], 150, rng) for place in range(4)})))
    assert {one.verdict for one in found} == {"NOT_SHOWN"}
    assert not any("REVERSED" in one.sentence for one in found)
    changed = [one for one in found if len(one.models) == 2 and one.estimate > 0]
    told = [one.sentence for one in found if "merely change" in one.sentence]
    assert changed
    assert told
    assert all(sentence.startswith("None of the 6 pairs of 4 models is shown to reverse its order between") for sentence in told)


def test_a_planted_reversal_is_found() -> None:
    rng = RNG(3)
    found = reversals(evidence(on(a=drawn([0.1, 0.25, 0.5], 400, rng), b=drawn([0.25, 0.1, 0.5], 400, rng))))
    summary, *pairs = found
    assert [one.verdict for one in pairs] == ["REVERSED", "NOT_SHOWN", "NOT_SHOWN"]
    assert pairs[0].models == ("m0", "m1")
    assert pairs[0].estimate == pytest.approx(0.15, abs=0.04)
    assert pairs[0].lower > 0
    assert summary.models == ("m0", "m1", "m2")
    assert (summary.verdict, summary.p, summary.tests) == ("REVERSED", pairs[0].p, 3)
    assert summary.sentence.startswith("1 of the 3 pairs of 3 models reverses its order between a and b")
    assert "m0 against m1" in summary.sentence


def test_size_at_the_edge_of_the_null() -> None:
    """One data set with a sure difference, the other without any: .05, within Monte-Carlo error over 300 runs."""
    p = []
    for run in range(300):
        rng = RNG(run)
        z = paired_z(drawn([0.1, 0.9], 60, rng), drawn([0.2, 0.2], 60, rng))
        p.append(float(reversal_p(z[0], z[1])[0]))
    assert 0.02 < np.mean(np.array(p) <= 0.05) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 300)


def test_p_is_the_larger_of_two_paired_t_tests() -> None:
    rng = RNG(0)
    first, second = drawn([0.1, 0.2], 40, rng), drawn([0.2, 0.1], 60, rng)
    (found,) = reversals(evidence(on(a=first, b=second)))
    one = stats.ttest_rel(first["m0"], first["m1"], alternative="less").pvalue
    two = stats.ttest_rel(second["m0"], second["m1"], alternative="greater").pvalue
    # From 30 examples on no p is below that of the exact bound: at most L / (D + L) of all examples could show D or more, were D 0.
    apart = [abs(float(np.mean(part["m0"] - part["m1"]))) for part in (first, second)]
    bounds = [(1 / (1 + size)) ** n for size, n in zip(apart, (40, 60), strict=True)]
    assert found.p == pytest.approx(max(one, two, *bounds), abs=1e-9)
    assert (found.p_adjusted, found.tests, found.n) == (found.p, 1, 40)


def test_holm_is_over_pairs_data_sets_and_cells_of_a_mode() -> None:
    rng = RNG(1)
    data = on(**{name: drawn([0.1, 0.2, 0.15], 80, rng) for name in "abc"})
    data |= on("confidence", **{name: drawn([0.2, 0.1, 0.15], 80, rng) for name in "ab"})
    for mode in (CALIBRATED, RAW):
        pairs = [one for one in reversals(evidence(data), mode) if len(one.models) == 2]
        assert {one.tests for one in pairs} == {3 * 3 + 3}
        assert [one.p_adjusted for one in pairs] == pytest.approx(multipletests([one.p for one in pairs], method="holm")[1])


def test_only_shared_examples_count_and_are_told() -> None:
    rng = RNG(2)
    first, second = drawn([0.1, 0.4], 100, rng), drawn([0.4, 0.1], 90, rng)
    first["m0"][:30], second["m1"][50:] = NAN, NAN
    (found,) = reversals(evidence(on(a=first, b=second)))
    assert found.n == 50
    assert "on a (n = 70)" in found.sentence
    assert "on b (n = 50)" in found.sentence
    expected = first["m0"][30:] - first["m1"][30:]
    known = compared(evidence(on(a=first, b=second)))[0].differences
    assert known.estimate[0] == pytest.approx(expected.mean())
    assert known.se[0] == pytest.approx(expected.std(ddof=1) / np.sqrt(70))


def test_models_without_a_shared_example_are_not_tested() -> None:
    rng = RNG(2)
    first, second = drawn([0.1, 0.4], 40, rng), drawn([0.4, 0.1], 40, rng)
    first["m0"][:20], first["m1"][20:] = NAN, NAN
    (found,) = reversals(evidence(on(a=first, b=second)))
    assert (found.verdict, found.reason, found.p, found.n) == ("NOT_TESTED", "no_shared_examples", None, 0)


def test_identical_models_are_not_tested() -> None:
    rng = RNG(4)
    data = {name: drawn([0.1, 0.4], 40, rng) for name in "ab"}
    for models in data.values():
        models["m2"] = models["m0"]
    summary, *pairs = reversals(evidence(on(**data)))
    same = next(one for one in pairs if one.models == ("m0", "m2"))
    assert (same.verdict, same.reason, same.tests) == ("NOT_TESTED", "no_spread", None)
    assert {one.tests for one in pairs if one is not same} == {2}
    assert "1 pair could not be tested" in summary.sentence


def test_models_on_one_of_the_data_sets_take_no_part() -> None:
    rng = RNG(5)
    data = on(a=drawn([0.1, 0.2, 0.3], 50, rng), b=drawn([0.1, 0.2], 50, rng), c={"m2": rng.normal(size=50)})
    assert {(one.models, one.datasets) for one in reversals(evidence(data))} == {(("m0", "m1"), ("a", "b"))}
    assert reversals(evidence(on(a=drawn([0.1, 0.2], 50, rng)))) == []
    assert comparisons(evidence(on(a=drawn([0.1], 50, rng), b=drawn([0.1], 50, rng)))) == []


def test_an_audits_floor_widens_the_difference() -> None:
    rng = RNG(6)
    data = on(a=drawn([0.1, 0.4], 200, rng), b=drawn([0.4, 0.1], 200, rng))
    plain, wide = (compared(evidence(data, floor=floor))[0].differences.se[0] for floor in (None, 0.05))
    assert wide == pytest.approx(np.sqrt(plain**2 + 2 * 0.05**2))


def test_modes_that_disagree_say_why() -> None:
    """The models are equally unstable on the first data set, where the one with the smaller scale has the smaller raw scores."""
    rng = RNG(7)
    means = {"a": ({"m0": 1.0, "m1": 0.2}, [0.3, 0.3]), "b": ({"m0": 1.0, "m1": 0.2}, [0.02, 0.3])}
    known = evidence(
        on(**{name: drawn(each, 400, rng, spread=0.05, shared=0.02) for name, (_, each) in means.items()}), scale=means["a"][0]
    )
    raw, calibrated = reversals(known, RAW)[0], reversals(known)[0]
    assert (raw.verdict, calibrated.verdict) == ("REVERSED", "NOT_SHOWN")
    assert "By instability, which divides by" in raw.sentence
    assert "By instability" not in calibrated.sentence


def test_mirroring_has_one_mode() -> None:
    rng = RNG(8)
    data = on("mirroring", a=drawn([0.1, 0.2], 50, rng), b=drawn([0.1, 0.2], 50, rng))
    assert len(reversals(evidence(data))) == 1
    assert reversals(evidence(data), RAW) == []


def test_golden_e40_omnibus() -> None:
    """Three data sets whose paired z are those of the worked example."""
    case = GOLDEN["E40"]["cases"]["three"]
    data = {}
    for place, z in enumerate(case["z"]):
        half = RNG(place).normal(size=200)
        base = stats.zscore(np.concatenate([half, -half]), ddof=1)  # without skewness, which scores are corrected for
        data[f"d{place}"] = {"m0": base + z / 20, "m1": np.zeros(400)}
    (found,) = reversals(evidence(on(**data)), claim="reversal_omnibus")
    assert (found.estimate, found.p) == near((case["q"], case["p"]))
    assert (found.verdict, found.datasets) == ("REVERSED", ("d0", "d1", "d2"))
    assert "m0 is the more stable on d2, m1 on d0 and d1" in found.sentence


def test_two_data_sets_need_no_omnibus() -> None:
    rng = RNG(9)
    known = evidence(on(a=drawn([0.1, 0.2], 50, rng), b=drawn([0.1, 0.2], 50, rng)))
    assert reversal_omnibus(compared(known), known.rules) == []


def test_results_do_not_depend_on_the_order_of_rows() -> None:
    rng = RNG(10)
    one = evidence(on(a=drawn([0.1, 0.2, 0.3], 50, rng), b=drawn([0.1, 0.2, 0.3], 50, rng)))
    two = Evidence(one.profiles.reverse(), one.scores.reverse())
    assert [found.row() for found in comparisons(one)] == [found.row() for found in comparisons(two)]


@pytest.mark.parametrize(("n", "few"), [(200, False), (25, True)])
def test_a_reversal_says_who_is_the_more_stable_where_and_what_few_examples_take_for_granted(n: int, few: bool) -> None:
    rng = RNG(31)
    (found,) = reversals(evidence(on(d=drawn([0.1, 0.5], n, rng), e=drawn([0.5, 0.1], n, rng))))
    assert found.verdict == "REVERSED"
    assert found.sentence.startswith("m0 less m1 (below 0: m0 is the more stable), ")
    assert "REVERSED: m0 is the more stable on d, m1 on e (" in found.sentence
    assert ("takes it that differences spread alike to both sides" in found.sentence) == few
