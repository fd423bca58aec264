"""The index: worked examples, the definition pair by pair, other people's coefficients, and what must not matter."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arrays.naive import DEFINITIONS, GOLDEN, means_of
from tests.arrays.test_distances import drawn

from sago.arrays import DISTANCES, Floor, Index, Parts, Rows, across_of, index_of, mean_index, parts_of, rerun_of, without_each


def near(value: Any) -> Any:
    return pytest.approx(value, abs=GOLDEN["tolerance"])


def parts(across: list[float], rerun: list[float], unrelated: list[float], variants: int = 8) -> Parts:
    count = len(across)
    weight = np.full(count, float(count - 1))
    size = np.full(count, variants)
    return Parts(np.arange(count), np.array(across), np.array(rerun, dtype=float), np.array(unrelated, dtype=float), weight, size, size)


def unbalanced(rng: np.random.Generator, distance: str, examples: int = 6) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    labels = [
        (example, variant)
        for example in range(examples)
        for variant in rng.choice(6, rng.integers(1, 5), replace=False)
        for _ in range(rng.integers(1, 4))
    ]
    example, variant = (np.array(column) for column in zip(*labels, strict=True))
    return drawn(distance, len(labels), rng), example, variant


def crossed(ratings: np.ndarray) -> Rows:
    example, variant = np.indices(ratings.shape[:2])
    return Rows(ratings.reshape(example.size, -1), example.reshape(-1), variant.reshape(-1))


# -- worked examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GOLDEN["from_means"]))
def test_golden_from_means(name: str) -> None:
    case = GOLDEN["from_means"][name]
    found = index_of(parts(case["across"], case["rerun"], case["unrelated"]))
    assert found.instability == near(case["instability"])
    assert found.total == near(case["total"])
    if "se" in case:
        assert found.se == near(case["se"])


@pytest.mark.parametrize("name", sorted(GOLDEN["answers"]))
def test_golden_answers(name: str) -> None:
    case = GOLDEN["answers"][name]
    means = parts_of(Rows(np.array(case["answers"]), np.array(case["example"]), np.array(case["variant"])), "nominal")
    assert means.across.tolist() == case["across"]
    found = index_of(means)
    for column in ("rerun", "unrelated", "instability", "total"):
        if column in case:
            assert getattr(found, column) == near(case[column])
    if name == "E02-single":
        assert (found.reason, found.n) == ("too_few_variants", 0)


def test_golden_e09_cosine_of_three() -> None:
    vectors = np.array(GOLDEN["E09"]["vectors"])
    found = across_of(Rows(vectors, np.zeros(3), np.arange(3)), "cosine", np.array([0.0]))
    assert found == near([GOLDEN["E09"]["across"]])


def test_golden_e26_gini_of_three() -> None:
    found = across_of(Rows(np.array(GOLDEN["E26"]["confidence"]), np.zeros(3), np.arange(3)), "absolute", np.array([0.0]))
    assert found == near([GOLDEN["E26"]["across"]])


def test_golden_e13_is_one_minus_icc() -> None:
    case = GOLDEN["E13"]
    rows = crossed(np.array(case["ratings"], dtype=float))
    means = parts_of(rows, "squared_euclidean")
    assert means.across.mean() == near(case["across"])
    assert means.null == near(case["unrelated"])
    assert 1 - means.across.mean() / means.null == near(case["icc_a1"])
    assert 1 - means.across.mean() / null_of_all(rows, "squared_euclidean") == near(case["icc_11"])
    assert null_of_all(rows, "squared_euclidean") == near(case["unrelated_all"])
    same = np.mean([mean_of_all_pairs(rows.values[rows.variant == v], "squared_euclidean") for v in range(4)])
    assert means.across.mean() / same == pytest.approx(case["same_template"], abs=5e-4)


@pytest.mark.parametrize(("distance", "level"), [("nominal", "nominal"), ("squared_euclidean", "interval")])
def test_golden_e17_agreement_of_coders_with_gaps(distance: str, level: str) -> None:
    """Krippendorff weighs a unit by its number of codes and counts all pairs of codes, a unit's own among them, as expected."""
    coder, unit = np.nonzero(~np.isnan(np.array(GOLDEN["E17"]["ratings"], dtype=float)))
    codes = np.array(GOLDEN["E17"]["ratings"], dtype=float)[coder, unit]
    pairable = np.bincount(unit)[unit] > 1
    values = codes[pairable].astype(np.int64) if distance == "nominal" else codes[pairable][:, None]
    means = parts_of(Rows(values, unit[pairable], coder[pairable]), distance)
    observed = np.average(means.across, weights=means.rows)
    assert 1 - observed / mean_of_all_pairs(values, distance) == near(GOLDEN["E17"][level])


def test_golden_e18_vectors() -> None:
    case = GOLDEN["E18"]
    rows = Rows(np.array(case["vectors"], dtype=float), np.array([1, 1, 2, 2]), np.array([1, 2, 1, 2]))
    found = index_of(parts_of(rows, "squared_euclidean"))
    assert (found.across, found.unrelated, found.instability) == pytest.approx((case["across"], case["unrelated"], case["instability"]))
    assert null_of_all(rows, "squared_euclidean") == pytest.approx(case["unrelated_all"])


def test_golden_e51_agreement_beyond_chance() -> None:
    case = GOLDEN["E51"]
    counts = np.array(case["counts"])
    answers = np.concatenate([np.repeat(np.arange(5), row) for row in counts])
    rows = Rows(answers, np.repeat(np.arange(10), 14), np.tile(np.arange(14), 10))
    across = parts_of(rows, "nominal").across.mean()
    every = mean_of_all_pairs(answers, "nominal")
    assert across == near(case["across"])
    assert every == near(case["null_all"])
    assert null_of_all(rows, "nominal") == near(case["null_other"])
    assert 1 - across / every == near(case["krippendorff"])
    assert 1 - across / null_of_all(rows, "nominal") == near(case["other"])


def null_of_all(rows: Rows, distance: str) -> float:
    """N over i != j and any variants: variant names that no two examples share exclude no pair."""
    own = np.unique(np.stack([rows.example, rows.variant], axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    return parts_of(Rows(rows.values, rows.example, own), distance).null


def mean_of_all_pairs(values: np.ndarray, distance: str) -> float:
    kind, (left, right) = DISTANCES[distance], np.triu_indices(len(values), 1)
    return float(kind.between(kind.prepare(values), left, right).mean())


def test_golden_e57_shares_of_variance() -> None:
    values = np.random.default_rng(57).normal(size=(5, 3, 2)) + 3 * np.arange(5)[:, None, None]
    n, v, r = values.shape
    grand, of_i, of_v, of_iv = values.mean(), values.mean((1, 2)), values.mean((0, 2)), values.mean(2)
    ms_e = np.sum((values - of_iv[:, :, None]) ** 2) / (n * v * (r - 1))
    ms_iv = r * np.sum((of_iv - of_i[:, None] - of_v[None, :] + grand) ** 2) / ((n - 1) * (v - 1))
    ms_v, ms_i = n * r * np.sum((of_v - grand) ** 2) / (v - 1), v * r * np.sum((of_i - grand) ** 2) / (n - 1)
    s2_e, s2_iv, s2_v, s2_i = ms_e, (ms_iv - ms_e) / r, (ms_v - ms_iv) / (n * r), (ms_i - ms_iv) / (v * r)
    example, variant, _ = np.indices(values.shape)
    # Five examples are too few for the rule on a degenerate null; the formula is what is checked.
    found = index_of(parts_of(Rows(values.reshape(-1, 1), example.reshape(-1), variant.reshape(-1)), "squared_euclidean"))
    assert found.rerun == pytest.approx(2 * s2_e, abs=1e-9)
    assert found.across == pytest.approx(2 * (s2_v + s2_iv + s2_e), abs=1e-9)
    assert found.unrelated == pytest.approx(2 * (s2_i + s2_v + s2_iv + s2_e), abs=1e-9)
    share = (found.across - found.rerun) / (found.unrelated - found.rerun)
    assert share == pytest.approx((s2_v + s2_iv) / (s2_i + s2_v + s2_iv), abs=1e-9)


def test_golden_e63_error_of_the_audit_is_added() -> None:
    case = GOLDEN["E63"]
    floor = Floor(np.array([case["floor"] - case["floor_se"], case["floor"] + case["floor_se"]]))
    assert floor.se == pytest.approx(case["floor_se"])
    found = index_of(parts([case["across"]] * 4, [np.nan] * 4, [case["unrelated"]] * 4), floor=floor)
    assert (found.instability, found.se) == pytest.approx((case["instability"], case["se"]))
    assert "noise_floor=audit" in found.flags


# -- oracles ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", sorted(DEFINITIONS))
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_closed_forms_equal_the_definition(distance: str, seed: int) -> None:
    values, example, variant = unbalanced(np.random.default_rng(seed), distance)
    found, expected = (
        parts_of(Rows(values, example, variant), distance),
        means_of(values, example, variant, DEFINITIONS[distance]),
    )
    np.testing.assert_allclose(found.across, expected.across, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.rerun, expected.rerun, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.unrelated, expected.unrelated, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.null, expected.null, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_pingouin_gives_the_same_icc(seed: int) -> None:
    pandas, pingouin = pytest.importorskip("pandas"), pytest.importorskip("pingouin")
    ratings = np.random.default_rng(seed).normal(size=(12, 5)) + np.arange(12)[:, None]
    rows = crossed(ratings)
    frame = pandas.DataFrame({"item": rows.example, "rater": rows.variant, "value": ratings.reshape(-1)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="value").set_index("Type")["ICC"]
    means = parts_of(rows, "squared_euclidean")
    assert 1 - means.across.mean() / means.null == pytest.approx(table["ICC(A,1)"], abs=1e-9)
    assert 1 - means.across.mean() / null_of_all(rows, "squared_euclidean") == pytest.approx(table["ICC(1,1)"], abs=1e-9)


@pytest.mark.parametrize(("distance", "level"), [("nominal", "nominal"), ("squared_euclidean", "interval")])
def test_krippendorff_gives_the_same_alpha(distance: str, level: str) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    ratings = np.random.default_rng(1).integers(0, 4, (15, 6))
    rows = crossed(ratings)
    values = ratings.reshape(-1) if distance == "nominal" else ratings.reshape(-1, 1).astype(float)
    every = mean_of_all_pairs(values, distance)
    across = parts_of(Rows(values, rows.example, rows.variant), distance).across.mean()
    expected = krippendorff.alpha(reliability_data=ratings.T.astype(float), level_of_measurement=level)
    assert 1 - across / every == pytest.approx(expected, abs=1e-9)


# -- what must not matter -------------------------------------------------------------------------------------------------------


def index(values: np.ndarray, example: np.ndarray, variant: np.ndarray, distance: str) -> Index:
    return index_of(parts_of(Rows(values, example, variant), distance))


def assert_same(one: Index, two: Index) -> None:
    for name in ("across", "rerun", "unrelated", "instability", "se", "n", "reason", "flags"):
        first, second = getattr(one, name), getattr(two, name)
        assert first == second if isinstance(first, str | tuple | None) else first == pytest.approx(second, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("distance", sorted(DEFINITIONS))
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_order_of_rows_and_names_do_not_matter(distance: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, example, variant = unbalanced(rng, distance)
    before = index(values, example, variant, distance)
    order = rng.permutation(example.size)
    assert_same(before, index(values[order], example[order], variant[order], distance))
    new_example, new_variant = rng.permutation(6), rng.permutation(6)
    assert_same(before, index(values, new_example[example], np.array(list("uvwxyz"))[new_variant[variant]], distance))


@given(seed=st.integers(0, 2**32 - 1), factor=st.floats(0.01, 100))
@settings(max_examples=20, deadline=None)
def test_a_scaled_distance_leaves_the_index(seed: int, factor: float) -> None:
    values, example, variant = unbalanced(np.random.default_rng(seed), "squared_euclidean", examples=8)
    one, two = (index(values * scale, example, variant, "squared_euclidean") for scale in (1.0, factor))
    assert one.reason == two.reason
    assert one.instability == pytest.approx(two.instability, abs=1e-9, nan_ok=True)
    assert one.se == pytest.approx(two.se, abs=1e-9, nan_ok=True)


@given(shift=st.floats(0, 1), factor=st.floats(0.1, 5))
def test_an_affine_distance_leaves_the_index(shift: float, factor: float) -> None:
    means = parts([0.2, 0.5, 0.3], [0.1, 0.2, 0.0], [0.9, 0.8, 0.95])
    across, rerun, unrelated = (factor * values + shift for values in (means.across, means.rerun, means.unrelated))
    moved = replace(means, across=across, rerun=rerun, unrelated=unrelated, scale=factor)
    assert index_of(moved).instability == pytest.approx(index_of(means).instability)
    assert index_of(moved).se == pytest.approx(index_of(means).se)


def test_a_duplicate_variant_is_a_rerun() -> None:
    values, example, variant = np.array([0, 1, 0, 2, 3, 2]), np.array([1, 1, 1, 2, 2, 2]), np.array([1, 2, 1, 1, 2, 1])
    found = parts_of(Rows(values, example, variant), "nominal")
    assert (found.variants.tolist(), found.rows.tolist()) == ([2, 2], [3, 3])
    assert (found.across.tolist(), found.rerun.tolist()) == ([1, 1], [0, 0])


def test_another_constant_example_leaves_the_others() -> None:
    values, example, variant = unbalanced(np.random.default_rng(3), "nominal")
    before = parts_of(Rows(values, example, variant), "nominal")
    after = parts_of(Rows(np.r_[values, [9, 9]], np.r_[example, [99, 99]], np.r_[variant, [0, 1]]), "nominal")
    np.testing.assert_array_equal(after.across[:-1], before.across)
    np.testing.assert_array_equal(after.rerun[:-1], before.rerun)
    assert after.across[-1] == 0


def test_more_random_answers_are_more_instability() -> None:
    rng = np.random.default_rng(4)
    example, variant = (labels.reshape(-1) for labels in np.indices((400, 6)))
    noise, draw = rng.integers(0, 50, example.size), rng.random(example.size)
    own = example % 50
    found = [index(np.where(draw < rate, noise, own), example, variant, "nominal").instability for rate in (0, 0.1, 0.3, 0.6, 1)]
    assert found == sorted(found)
    assert found[0] == 0
    assert found[-1] == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("distance", sorted(DEFINITIONS))
@pytest.mark.parametrize("crossed_once", [True, False])
def test_leaving_a_variant_out_is_the_index_of_the_others(distance: str, crossed_once: bool) -> None:
    rng = np.random.default_rng(21)
    values, example, variant = unbalanced(rng, distance, examples=40)
    if crossed_once:
        example, variant = (labels.reshape(-1) for labels in np.indices((40, 5)))
        values = drawn(distance, 200, rng)
    order = rng.permutation(example.size)
    found = without_each(Rows(values[order], example[order], variant[order]), distance)
    prepared = DISTANCES[distance].prepare(values)
    for place, name in enumerate(np.unique(variant)):
        left = variant != name
        one = index_of(parts_of(Rows(prepared[left], example[left], variant[left]), distance, prepared=True))
        share = (one.across - np.nan_to_num(one.rerun)) / (one.unrelated - np.nan_to_num(one.rerun))
        assert np.isnan(found[place]) or found[place] == pytest.approx(share, abs=1e-9)
    if crossed_once:
        assert not np.isnan(found).all()


# -- edges ------------------------------------------------------------------------------------------------------------------------


def test_identical_responses_have_no_scale() -> None:
    found = index(np.zeros(40, dtype=int), np.repeat(np.arange(20), 2), np.tile([0, 1], 20), "nominal")
    assert (found.across, found.reason) == (0, "degenerate_null")
    assert np.isnan(found.instability)


@pytest.mark.parametrize(
    ("unrelated", "reason"),
    [([0.019] * 40, "degenerate_null"), ([0.021] * 40, None), ([0.5] * 30 + [1.0] * 10, None), ([0.0] * 39 + [1.0], "degenerate_null")],
)
def test_null_has_to_be_there_and_to_be_known(unrelated: list[float], reason: str | None) -> None:
    assert index_of(parts([0.0] * 40, [np.nan] * 40, unrelated)).reason == reason


def test_error_of_the_audit_counts_for_the_null() -> None:
    means = parts([0.5] * 40, [np.nan] * 40, [0.6] * 40)
    assert index_of(means, floor=Floor(np.array([0.2, 0.2]))).reason is None
    assert index_of(means, floor=Floor(np.array([0.0, 0.4]))).reason == "degenerate_null"


def test_a_single_example_has_no_null() -> None:
    found = index(np.array([0, 1]), np.zeros(2), np.array([0, 1]), "nominal")
    assert (found.n, found.across, found.reason) == (1, 1, "too_few_examples")
    assert np.isnan(found.across_interval.lower)


def test_no_rows_at_all() -> None:
    found = index(np.empty(0, dtype=int), np.empty(0), np.empty(0), "nominal")
    assert (found.n, found.reason) == (0, "too_few_variants")


@pytest.mark.parametrize(
    ("rerun", "flag", "reported"),
    [([np.nan] * 3, "noise_floor=assumed_zero", np.nan), ([0.1, np.nan, 0.3], "noise_floor=pooled", 0.2), ([0.1, 0.2, 0.3], None, 0.2)],
)
def test_where_the_floor_comes_from(rerun: list[float], flag: str | None, reported: float) -> None:
    found = index_of(parts([0.3, 0.4, 0.5], rerun, [0.9] * 3))
    assert found.rerun == pytest.approx(reported, nan_ok=True)
    assert [name for name in found.flags if name.startswith("noise_floor")] == ([flag] if flag else [])
    assert np.mean(found.per_example) == pytest.approx(found.instability)


def test_pooled_examples_take_the_mean_floor() -> None:
    found = index_of(parts([0.3, 0.4, 0.5], [0.1, np.nan, 0.3], [0.8] * 3))
    assert found.per_example == pytest.approx(np.array([0.2, 0.2, 0.2]) / 0.6)


def test_a_family_keeps_floor_and_null_of_the_cell() -> None:
    means = parts([0.3, 0.4, 0.5, 0.6], [0.1, 0.1, 0.3, 0.3], [0.8, 0.9, 0.8, 0.9])
    found = index_of(means, across=np.array([0.5, np.nan, 0.7, np.nan]))
    assert found.n == 2
    assert (found.across, found.rerun) == pytest.approx((0.6, 0.2))
    assert found.instability == pytest.approx((0.6 - 0.2) / (0.85 - 0.2))
    assert np.isnan(found.per_example[[1, 3]]).all()


def test_nothing_moved_is_a_bound_and_no_certainty() -> None:
    found = index_of(parts([0.0] * 25, [0.0] * 25, [1.0] * 25))
    assert (found.instability, found.se) == (0, 0)
    assert (found.interval.lower, found.interval.upper) == pytest.approx((0, 0.1332), abs=5e-5)
    assert "no_spread" in found.flags


def test_raw_nothing_is_a_bound_too_where_there_is_no_scale() -> None:
    found = index_of(parts([0.0] * 25, [0.0] * 25, [0.0] * 25))
    assert found.reason == "degenerate_null"
    assert found.across_interval.upper == pytest.approx(0.1332, abs=5e-5)


@pytest.mark.parametrize(("n", "variants", "flags"), [(29, 5, {"small_n"}), (30, 5, set()), (30, 4, {"few_variants"})])
def test_remarks(n: int, variants: int, flags: set[str]) -> None:
    found = index_of(parts([0.4, *[0.3] * (n - 1)], [0.1] * n, [0.9] * n, variants=variants))
    assert set(found.flags) == flags


def test_mean_over_layers_leaves_out_a_layer_without_a_number() -> None:
    good, other = (index_of(parts([value, 0.4], [0, 0], [1, 1])) for value in (0.2, 0.6))
    none = index_of(parts([0.0, 0.0], [0, 0], [0, 0]))
    found = mean_index([none, good, other])
    assert found.instability == pytest.approx(0.4)
    assert found.per_example == pytest.approx([0.4, 0.4])
    assert found.se == pytest.approx(0)
    assert "layers_left_out" in found.flags
    assert mean_index([none, none]).reason == "degenerate_null"


def test_parts_of_some_rows_align_with_the_cell() -> None:
    rows = Rows(np.array([0, 1, 0, 0]), np.array([5, 5, 7, 7]), np.array([0, 1, 0, 0]))
    examples = np.array([3, 5, 7])
    np.testing.assert_array_equal(across_of(rows, "nominal", examples), [np.nan, 1, np.nan])
    np.testing.assert_array_equal(rerun_of(rows, "nominal", examples), [np.nan, np.nan, 0])


# -- error of estimation ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("truth", "reruns"), [(0.2, 2), (0.5, 1)])
def test_intervals_cover(truth: float, reruns: int) -> None:
    rng = np.random.default_rng(11)
    n, variants, draws, hits = 60, 4, 300, 0
    noise = 0.3 if reruns > 1 else 0.0
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((n, variants, reruns)))
    for _ in range(draws):
        values = (
            np.sqrt(1 - truth) * rng.normal(size=(n, 1, 1, 4))
            + np.sqrt(truth) * rng.normal(size=(n, variants, 1, 4))
            + noise * rng.normal(size=(n, variants, reruns, 4))
        )
        bracket = index(values.reshape(-1, 4), example, variant, "squared_euclidean").interval
        hits += bracket.lower <= truth <= bracket.upper
    assert 0.91 <= hits / draws <= 0.985


def test_pooled_floor_knows_its_own_error() -> None:
    """Only a part of the examples was asked twice: the error of W is that of the part."""
    rng, found = np.random.default_rng(12), []
    base: dict[str, Any] = {"unrelated": [1.0] * 80}
    for _ in range(400):
        rerun = np.where(np.arange(80) < 16, rng.normal(0.2, 0.1, 80), np.nan)
        found.append(index_of(parts(rng.normal(0.5, 0.1, 80).tolist(), rerun.tolist(), **base)))
    spread = np.std([one.instability for one in found])
    assert np.mean([one.se for one in found]) == pytest.approx(spread, rel=0.1)
