"""Where the variance of a score comes from."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.stats.golden import GOLDEN, near

from sago.arrays import Rows, index_of, parts_of
from sago.errors import InputError
from sago.stats.decomposition import components, error_parts, generalizability, nested_components

NAN = float("nan")
RNG = np.random.default_rng
QUICK = settings(deadline=None, max_examples=50, derandomize=True)


def simulated(rng: np.random.Generator, shape: tuple[int, int, int], spread: tuple[float, float, float, float]) -> np.ndarray:
    n, v, r = shape
    parts = [rng.normal(size=size) for size in ((n, 1, 1), (1, v, 1), (n, v, 1), (n, v, r))]
    return sum((sd * part for sd, part in zip(spread, parts, strict=True)), np.zeros(shape))


def test_golden_e14_components_without_reruns() -> None:
    case = GOLDEN["E14"]
    found = components(np.array(case["ratings"], dtype=float))
    assert found.mean_squares[:3] == near(case["mean_squares"])
    assert (found.example, found.variant, found.interaction) == near(tuple(case["components"]))
    assert found.shares[:3] == near(tuple(case["shares"]))
    assert found.confounded
    assert np.isnan([found.rerun, found.shares.rerun, found.mean_squares.rerun]).all()


def index_parts(scores: np.ndarray) -> tuple[float, float, float]:
    example, variant, _ = (labels.reshape(-1) for labels in np.indices(scores.shape))
    found = index_of(parts_of(Rows(scores.reshape(-1, 1), example, variant), "squared_euclidean"))
    return found.across, found.rerun, found.unrelated


def test_golden_e57_components_are_the_index() -> None:
    case = GOLDEN["E57"]
    scores = RNG(case["seed"]).normal(size=(case["examples"], case["variants"], case["reruns"]))
    scores += 3 * np.arange(case["examples"])[:, None, None]
    found = components(scores)
    across, rerun, unrelated = index_parts(scores)
    assert rerun == pytest.approx(2 * found.rerun, abs=case["tolerance"])
    assert across == pytest.approx(2 * (found.variant + found.interaction + found.rerun), abs=case["tolerance"])
    assert unrelated == pytest.approx(2 * (found.example + found.variant + found.interaction + found.rerun), abs=case["tolerance"])
    assert found.instability == pytest.approx((across - rerun) / (unrelated - rerun), abs=case["tolerance"])


@given(seed=st.integers(0, 10_000), n=st.integers(4, 8), v=st.integers(2, 5), r=st.integers(2, 4))
@QUICK
def test_the_index_is_a_share_of_variance_on_any_balanced_data(seed: int, n: int, v: int, r: int) -> None:
    scores = simulated(RNG(seed), (n, v, r), (3, 0.5, 0.5, 0.5))
    across, rerun, unrelated = index_parts(scores)
    assert components(scores).instability == pytest.approx((across - rerun) / (unrelated - rerun), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_pingouin_has_the_same_coefficients(seed: int) -> None:
    pandas, pingouin = pytest.importorskip("pandas"), pytest.importorskip("pingouin")
    scores = simulated(RNG(seed), (12, 5, 1), (1, 0.5, 0.7, 0))[:, :, 0]
    example, variant = np.indices(scores.shape)
    frame = pandas.DataFrame({"item": example.reshape(-1), "rater": variant.reshape(-1), "value": scores.reshape(-1)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="value").set_index("Type")["ICC"]
    found = components(scores)
    assert 1 - found.instability == pytest.approx(expected["ICC(A,1)"], abs=1e-9)
    one, all_of_them = generalizability(found, variants=1), generalizability(found, variants=5)
    assert (one.relative, one.absolute) == pytest.approx((expected["ICC(C,1)"], expected["ICC(A,1)"]), abs=1e-9)
    assert (all_of_them.relative, all_of_them.absolute) == pytest.approx((expected["ICC(C,k)"], expected["ICC(A,k)"]), abs=1e-9)
    assert all_of_them.relative == pytest.approx(pingouin.cronbach_alpha(pandas.DataFrame(scores))[0], abs=1e-9)


@given(seed=st.integers(0, 10_000), n=st.integers(2, 6), v=st.integers(2, 4), r=st.integers(1, 3))
@QUICK
def test_mean_squares_are_those_of_the_definition(seed: int, n: int, v: int, r: int) -> None:
    scores = RNG(seed).normal(size=(n, v, r)) + 100
    grand, found = scores.mean(), components(scores).mean_squares
    cell = {(i, j): scores[i, j].mean() for i in range(n) for j in range(v)}
    examples, variants = [scores[i].mean() for i in range(n)], [scores[:, j].mean() for j in range(v)]
    assert found.example == pytest.approx(v * r * sum((m - grand) ** 2 for m in examples) / (n - 1))
    assert found.variant == pytest.approx(n * r * sum((m - grand) ** 2 for m in variants) / (v - 1))
    crossed = sum((cell[i, j] - examples[i] - variants[j] + grand) ** 2 for i in range(n) for j in range(v))
    assert found.interaction == pytest.approx(r * crossed / ((n - 1) * (v - 1)))
    if r > 1:
        within = sum((scores[i, j, k] - cell[i, j]) ** 2 for i in range(n) for j in range(v) for k in range(r))
        assert found.rerun == pytest.approx(within / (n * v * (r - 1)))


@pytest.mark.parametrize("reruns", [1, 3])
def test_planted_components_are_found(reruns: int) -> None:
    """Mean over simulations: the estimates have no bias, negative ones included."""
    rng, planted = RNG(reruns), np.array([1.0, 0.25, 0.04, 0.5])
    found = [components(simulated(rng, (15, 6, reruns), tuple(np.sqrt(planted)))) for _ in range(400)]
    means = np.array([(one.example, one.variant, one.interaction) for one in found])
    expected = planted[:3] if reruns > 1 else [1.0, 0.25, 0.54]
    assert (np.abs(means.mean(axis=0) - expected) <= 4 * means.std(axis=0) / 20).all()
    if reruns > 1:
        assert np.mean([one.rerun for one in found]) == pytest.approx(0.5, rel=0.02)
        assert min(one.interaction for one in found) < 0


@given(scores=hnp.arrays(np.float64, st.tuples(st.integers(2, 5), st.integers(2, 4), st.integers(1, 3)), elements=st.integers(0, 3)))
@QUICK
def test_shares_are_shares(scores: np.ndarray) -> None:
    found = components(scores)
    shares = np.array(found.shares)
    shares = shares[~np.isnan(shares)]
    if scores.min() == scores.max():
        assert not shares.size
    elif shares.size:
        assert ((shares >= 0) & (shares <= 1)).all()
        assert shares.sum() == pytest.approx(1)


def test_negative_components_are_reported_and_count_nothing_in_shares() -> None:
    found = components(np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert (found.example, found.variant, found.interaction) == pytest.approx((-0.5, -0.5, 1))
    assert found.shares[:3] == pytest.approx((0, 0, 1))
    assert np.isnan(found.instability)


@given(seed=st.integers(0, 10_000), shift=st.floats(-5, 5), scale=st.floats(0.1, 10))
@QUICK
def test_shares_have_no_unit_and_no_order(seed: int, shift: float, scale: float) -> None:
    scores = simulated(RNG(seed), (5, 3, 2), (1, 0.5, 0.5, 0.5))
    found = components(scores)
    other = components(scale * scores[::-1, ::-1, ::-1] + shift)
    assert other.shares == pytest.approx(found.shares)
    assert other.rerun == pytest.approx(scale**2 * found.rerun)


def test_nothing_varies() -> None:
    found = components(np.full((4, 3, 2), 0.1))
    assert (found.example, found.variant, found.interaction, found.rerun) == (0, 0, 0, 0)
    assert np.isnan([*found.shares, found.instability, *generalizability(found, 3)]).all()


def test_examples_with_a_hole_take_no_part() -> None:
    scores = simulated(RNG(0), (6, 3, 2), (1, 1, 1, 1))
    holes = scores.copy()
    holes[4, 1, 0] = NAN
    assert components(holes) == components(np.delete(scores, 4, axis=0))
    assert components(holes).examples == 5
    holes[1:, 0, 0] = NAN
    found = components(holes)
    assert found.examples == 1
    assert np.isnan([found.example, found.variant, found.interaction, found.rerun, *found.shares]).all()


def test_more_variants_and_reruns_are_more_reliable() -> None:
    found = components(simulated(RNG(1), (50, 5, 3), (1, 0.5, 0.7, 0.9)))
    base = generalizability(found, 4, 1)
    for more in (generalizability(found, 8, 1), generalizability(found, 4, 3)):
        assert more.relative > base.relative
        assert more.absolute > base.absolute
    assert base.absolute < base.relative
    expected = found.example / (found.example + found.interaction / 4 + found.rerun / 12)
    assert generalizability(found, 4, 3).relative == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shape", "message"),
    [((4,), "examples x variants"), ((1, 4), "number of examples is 1"), ((4, 1), "number of variants is 1"), ((4, 2, 0), "reruns is 0")],
)
def test_designs_without_components(shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        components(np.ones(shape))


def test_designs_that_cannot_be_planned() -> None:
    alone = components(np.arange(12.0).reshape(4, 3) ** 2)
    with pytest.raises(InputError, match="rerun noise was not measured"):
        generalizability(alone, 4, 2)
    with pytest.raises(InputError, match="number of variants is 0"):
        generalizability(alone, 0)
    with pytest.raises(InputError, match="number of reruns is 0"):
        generalizability(alone, 2, 0)


@given(seed=st.integers(0, 10_000), n=st.integers(2, 6), v=st.integers(2, 4), r=st.integers(1, 3))
@QUICK
def test_nested_mean_squares_are_those_of_the_definition(seed: int, n: int, v: int, r: int) -> None:
    scores = RNG(seed).normal(size=(n, v, r))
    found = nested_components(scores)
    of_wording, of_example = scores.mean(axis=2), scores.mean(axis=(1, 2))
    within = r * float(np.sum((of_wording - of_example[:, None]) ** 2)) / (n * (v - 1))
    assert found.mean_squares.interaction == pytest.approx(within)
    error = float(np.sum((scores - of_wording[:, :, None]) ** 2)) / (n * v * (r - 1)) if r > 1 else 0.0
    assert found.interaction == pytest.approx((within - error) / r)
    assert found.example == pytest.approx((v * r * float(np.var(of_example, ddof=1)) - within) / (v * r))
    assert found.nested
    assert np.isnan(found.variant)


def test_nested_scores_do_not_look_at_the_order_of_wordings() -> None:
    rng = RNG(5)
    scores = rng.normal(size=(7, 4, 2)) + np.arange(7)[:, None, None]
    found, other = nested_components(scores), nested_components(rng.permuted(scores.mean(axis=2), axis=1)[:, :, None])
    assert found.example == pytest.approx(other.example)
    one = nested_components(scores)
    assert generalizability(one, 4, 2).relative == generalizability(one, 4, 2).absolute
    total = one.example + one.interaction
    assert one.instability == pytest.approx(one.interaction / total)
    assert sum(share for share in one.shares if share == share) == pytest.approx(1)  # noqa: PLR0124


def test_planted_nested_components_are_found() -> None:
    rng = RNG(6)
    found = []
    for _ in range(400):
        parts = [sd * rng.normal(size=size) for sd, size in ((1.0, (15, 1, 1)), (0.5, (15, 6, 1)), (0.7, (15, 6, 2)))]
        one = nested_components(sum(parts, np.zeros((15, 6, 2))))
        found.append((one.example, one.interaction, one.rerun))
    means = np.array(found)
    assert (np.abs(means.mean(axis=0) - [1.0, 0.25, 0.49]) <= 4 * means.std(axis=0) / 20).all()


def test_the_parts_of_the_error_are_that_of_the_mean_over_simulations() -> None:
    rng, planted = RNG(7), (1.0, 0.5, 0.3, 0.7)
    draws = [simulated(rng, (12, 5, 2), planted) for _ in range(600)]
    wanted = np.std([one.mean() for one in draws])
    assert np.sqrt(np.mean([error_parts(components(one)).total ** 2 for one in draws])) == pytest.approx(wanted, rel=0.1)
    parts = error_parts(components(draws[0]))
    assert parts.total == pytest.approx(np.sqrt(np.sum(np.square(parts))))
    assert np.isnan(error_parts(components(np.full((3, 2), NAN))).total)
