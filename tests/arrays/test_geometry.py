"""Geometry of states: worked examples, scipy, pingouin, dcor, and invariances."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import procrustes as scipy_procrustes
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

from sago.arrays import Rows, index_of, parts_of
from sago.arrays import geometry as geo

_FOLDER = Path(__file__).parents[1] / "golden"
GOLDEN: dict[str, Any] = json.loads((_FOLDER / "activations.json").read_text(encoding="utf-8"))
INDEX: dict[str, Any] = json.loads((_FOLDER / "index.json").read_text(encoding="utf-8"))


def near(value: float) -> Any:
    return pytest.approx(value, abs=GOLDEN["tolerance"])


def noise(rows: int, width: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, width))


# -- worked examples ---------------------------------------------------------------------------------------------------------


def test_golden_e18_trace_icc() -> None:
    vectors = np.array(INDEX["E18"]["vectors"], dtype=float)
    found = geo.trace_icc(vectors, np.array(GOLDEN["E18"]["example"]))
    assert found == near(GOLDEN["E18"]["trace_icc"])
    assert 1 - found == pytest.approx(INDEX["E18"]["across"] / INDEX["E18"]["unrelated_all"])


@pytest.mark.parametrize("name", sorted(GOLDEN["cka"]))
def test_golden_e19_cka(name: str) -> None:
    case = GOLDEN["cka"][name]
    assert geo.linear_cka(np.array(case["x"], dtype=float), np.array(case["y"], dtype=float)) == near(case["cka"])


def test_golden_e19_rotation_scale_and_shift_change_nothing() -> None:
    x = noise(20, 4)
    turned = 3 * x @ np.linalg.qr(noise(4, 4, 1))[0] + 7
    assert geo.linear_cka(x, turned) == pytest.approx(1)
    assert geo.debiased_cka(x, turned) == pytest.approx(1)
    assert geo.rsa(x, turned) == pytest.approx(1)
    assert geo.procrustes(x, turned) == pytest.approx(0, abs=1e-12)


def test_golden_e20_bias_of_cka() -> None:
    case = GOLDEN["E20"]
    rng = np.random.default_rng(20)
    pairs = [rng.normal(size=(2, case["examples"], case["dimensions"])) for _ in range(case["draws"])]
    assert np.mean([geo.linear_cka(x, y) for x, y in pairs]) == pytest.approx(case["biased"], abs=case["tolerance"])
    assert np.mean([geo.debiased_cka(x, y) for x, y in pairs]) == pytest.approx(case["debiased"], abs=case["tolerance"])


def test_golden_e21_rsa() -> None:
    case = GOLDEN["E21"]
    assert geo.rsa(np.array(case["x"], dtype=float), np.array(case["y"], dtype=float)) == near(case["rsa"])


def test_golden_e60_identification() -> None:
    case = GOLDEN["E60"]
    example, wording = np.array(case["example"]), np.array(case["wording"])
    found = geo.identification_errors(np.array(case["vectors"], dtype=float), example, wording)
    assert 1 - found.mean() == case["identification"]
    assert geo.identification_chance(example, wording) == near(case["chance_error"])


# -- other people's numbers --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_debiased_cka_is_the_unbiased_distance_correlation_of_exponent_2() -> None:
    dcor = pytest.importorskip("dcor")
    for seed, rows, width in ((0, 30, 8), (1, 12, 40), (2, 4, 2)):
        x, y = noise(rows, 5, seed), noise(rows, width, seed + 10) + noise(rows, 5, seed)[:, :1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # at exponent 2 it is no test of independence, which is not asked here
            found = dcor.u_distance_correlation_sqr(x, y, exponent=2)
        assert geo.debiased_cka(x, y) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_rsa_against_scipy(metric: Any) -> None:
    x, y = noise(15, 3).round(1), noise(15, 4, 1).round(1)
    assert geo.rsa(x, y, metric) == pytest.approx(spearmanr(pdist(x, metric), pdist(y, metric)).statistic, abs=1e-9)


@pytest.mark.parametrize(("rows", "width"), [(20, 3), (6, 6), (5, 40)])
def test_procrustes_against_scipy(rows: int, width: int) -> None:
    x, y = noise(rows, width), noise(rows, width, 1)
    assert geo.procrustes(x, y) == pytest.approx(scipy_procrustes(x, y)[2], abs=1e-9)


@pytest.mark.slow
def test_trace_icc_of_scalars_is_the_one_way_icc() -> None:
    pandas, pingouin = pytest.importorskip("pandas"), pytest.importorskip("pingouin")
    table = noise(12, 4) + noise(12, 1, 1)
    rows = [(i, j, table[i, j]) for i in range(12) for j in range(4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pingouin.intraclass_corr(pandas.DataFrame(rows, columns=["i", "j", "x"]), targets="i", raters="j", ratings="x")
    assert geo.trace_icc(table.reshape(-1, 1), np.repeat(np.arange(12), 4)) == pytest.approx(float(found["ICC"].iloc[0]), abs=1e-9)


def test_nearest_neighbours_one_by_one() -> None:
    vectors, example, wording = noise(12, 3), np.repeat(np.arange(4), 3), np.tile([0, 1, 1], 4)
    cosine = 1 - squareform(pdist(vectors, "cosine"))
    expected = []
    for row in range(12):
        others = [k for k in range(12) if (example[k], wording[k]) != (example[row], wording[row])]
        expected.append(float(example[others[int(np.argmax(cosine[row, others]))]] != example[row]))
    assert geo.identification_errors(vectors, example, wording).tolist() == expected


# -- edges and properties ----------------------------------------------------------------------------------------------------


def test_of_rows_that_tie_each_counts_in_part() -> None:
    example, wording = np.repeat(np.arange(3), 2), np.tile([0, 1], 3)
    found = geo.identification_errors(np.ones((6, 2)), example, wording)
    assert found == pytest.approx(np.full(6, geo.identification_chance(example, wording)))
    assert found[0] == pytest.approx(0.8)


def test_a_rerun_is_no_neighbour_and_a_lone_wording_has_none() -> None:
    vectors = np.array([[1.0, 0], [1, 0], [0.5, 0.5], [0, 1]])
    found = geo.identification_errors(vectors, np.array([0, 0, 0, 1]), np.array([0, 0, 1, 0]))
    assert found[:2].tolist() == [0, 0]
    assert np.isnan(found[3])


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, example, wording = noise(30, 4), np.repeat(np.arange(10), 3), np.tile([0, 1, 2], 10)
    whole = geo.identification_errors(vectors, example, wording)
    monkeypatch.setattr(geo, "_BLOCK_VALUES", 70)
    assert geo.identification_errors(vectors, example, wording).tolist() == whole.tolist()


@pytest.mark.parametrize(
    "found",
    [
        geo.linear_cka(np.ones((5, 2)), noise(5, 2)),
        geo.linear_cka(np.ones((1, 2)), np.ones((1, 2))),
        geo.debiased_cka(noise(3, 2), noise(3, 2, 1)),
        geo.debiased_cka(np.ones((5, 2)), noise(5, 2)),
        geo.rsa(noise(2, 2), noise(2, 2)),
        geo.rsa(np.ones((5, 2)), noise(5, 2)),
        geo.procrustes(np.ones((5, 2)), noise(5, 2)),
        geo.procrustes(np.full((7, 3), 0.1), noise(7, 3)),
        geo.debiased_cka(np.full((7, 3), 0.1), noise(7, 3)),
        geo.linear_cka(np.full((7, 3), 0.1), noise(7, 3)),
        geo.rsa(np.full((7, 3), 0.1), noise(7, 3)),
        geo.trace_icc(noise(3, 2), np.arange(3)),
        geo.trace_icc(noise(3, 2), np.zeros(3, dtype=np.int64)),
        geo.trace_icc(np.ones((4, 2)), np.array([0, 0, 1, 1])),
        geo.eigenscore(noise(1, 4)),
        geo.identification_chance(np.array([0, 1]), np.array([0, 0])),
    ],
)
def test_null(found: float) -> None:
    assert np.isnan(found)


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.integers(0, 10_000), st.integers(5, 12), st.integers(1, 20))
def test_order_of_examples_and_ranges(seed: int, rows: int, width: int) -> None:
    x, y = noise(rows, width, seed), noise(rows, width, seed + 1)
    order = np.random.default_rng(seed).permutation(rows)
    for measure in (geo.linear_cka, geo.debiased_cka, geo.rsa, geo.procrustes):
        assert measure(x[order], y[order]) == pytest.approx(measure(x, y), abs=1e-9)
    assert 0 <= geo.linear_cka(x, y) <= 1 + 1e-12
    assert 0 <= geo.procrustes(x, y) <= 1


def test_trace_icc_is_the_index_with_squared_distances_in_balanced_data() -> None:
    vectors, example, wording = noise(20, 3) + np.repeat(noise(5, 3, 1), 4, axis=0), np.repeat(np.arange(5), 4), np.tile(np.arange(4), 5)
    every = np.array([[((one - other) ** 2).sum() for other in vectors] for one in vectors])
    same = example[:, None] == example[None, :]
    across = index_of(parts_of(Rows(vectors, example, wording), "squared_euclidean")).across
    assert 1 - geo.trace_icc(vectors, example) == pytest.approx(across / every[~same].mean())


@pytest.mark.parametrize("width", [6, 60])
def test_without_top_takes_the_largest_directions(width: int) -> None:
    x = noise(50, width)
    x[:, 0] *= 100
    found = geo.without_top(x, 1)
    _, _, right = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(found @ right[0], 0, atol=1e-8)
    assert np.linalg.matrix_rank(found, tol=1e-8) == min(width, 49) - 1
    assert geo.without_top(x, 1).tolist() == found.tolist()
    assert geo.without_top(x, 0) == pytest.approx(x - x.mean(axis=0))


def test_eigenscore() -> None:
    x = noise(5, 30)
    values = np.linalg.eigvalsh(np.cov(x.T, bias=True) * 5 / 30)[-5:]
    expected = np.mean(np.log(np.maximum(values, 0) + geo.EIGEN_FLOOR)) - np.log(geo.EIGEN_FLOOR)
    assert geo.eigenscore(x) == pytest.approx(expected, abs=1e-6)
    assert geo.eigenscore(np.ones((4, 3))) == 0
