"""Option probabilities and scored responses: worked examples, scipy, and what released code computes instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from sago.arrays import probabilities as pr

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "confidence.json").read_text(encoding="utf-8"))


def near(value: float) -> Any:
    return pytest.approx(value, abs=GOLDEN["tolerance"])


def distributions(rows: int, options: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(options, 0.5), size=rows)


# -- worked examples ---------------------------------------------------------------------------------------------------------


def test_golden_e22_divergence_and_not_its_root() -> None:
    case = GOLDEN["E22"]
    one, other = np.array(case["one"]), np.array(case["other"])
    assert pr.divergence(one, other) == near(case["divergence"])
    assert jensenshannon(one, other, base=2) == near(case["root"])


@pytest.mark.parametrize("name", sorted(GOLDEN["generalised"]))
def test_golden_e23(name: str) -> None:
    case = GOLDEN["generalised"][name]
    options = np.array(case["options"], dtype=float)
    assert pr.generalised_divergence(options, np.arange(len(options))) == near(case["divergence"])


@pytest.mark.parametrize("name", sorted(GOLDEN["posix"]))
def test_golden_e24_posix_is_the_papers(name: str) -> None:
    case = GOLDEN["posix"][name]
    assert pr.posix(np.array(case["logprobs"]), case["lengths"]) == near(case["psi"])


@pytest.mark.parametrize("name", sorted(GOLDEN["posix"]))
def test_golden_e24_what_the_released_code_computes_is_something_else(name: str) -> None:
    case = GOLDEN["posix"][name]
    table = np.array(case["logprobs"])
    fixed = pr.posix(table, [5, 5])
    assert fixed == near(case["fixed_length"])
    # Another response under one prompt: the table the other way round.
    assert pr.posix(table.T, [5, 5]) == near(case["other_response"])
    assert fixed != near(case["psi"])


def test_golden_e28_entropy() -> None:
    case = GOLDEN["E28"]
    assert pr.entropy_bits(np.array(case["probabilities"])) == near(case["bits"])


# -- other people's numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [2, 4, 26])
def test_against_scipy(options: int) -> None:
    p, q = distributions(20, options), distributions(20, options, 1)
    p[0], q[0] = np.eye(options)[0], np.eye(options)[1]
    np.testing.assert_allclose(pr.divergence(p, q), [jensenshannon(a, b, base=2) ** 2 for a, b in zip(p, q, strict=True)], atol=1e-9)
    np.testing.assert_allclose(pr.entropy_bits(p), entropy(p, base=2, axis=1), atol=1e-9)


def test_generalised_divergence_is_the_mutual_information_of_wording_and_answer() -> None:
    options = distributions(5, 3)
    joint = options / 5
    outer = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    assert pr.generalised_divergence(options, np.arange(5)) == pytest.approx(entropy(joint.ravel(), outer.ravel(), base=2) / np.log2(3))


# -- reruns, edges, properties -----------------------------------------------------------------------------------------------


def test_every_pair_of_wordings_weighs_the_same_whatever_its_reruns() -> None:
    options = np.array([[1.0, 0], [1, 0], [1, 0], [0, 1], [0.5, 0.5]])
    assert pr.mean_variation(options, np.array([0, 0, 0, 1, 2])) == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert pr.generalised_divergence(options[:4], np.array([0, 0, 0, 1])) == pytest.approx(1)


@pytest.mark.parametrize("measure", [pr.mean_divergence, pr.mean_variation, pr.generalised_divergence])
def test_one_wording_or_one_option_is_null(measure: Any) -> None:
    assert np.isnan(measure(distributions(3, 4), np.zeros(3, dtype=int)))
    assert np.isnan(measure(np.ones((3, 1)), np.arange(3)))


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 5))
def test_ranges_order_and_equal_rows(seed: int, rows: int, options: int) -> None:
    table, wording = distributions(rows, options, seed), np.arange(rows)
    order = np.random.default_rng(seed).permutation(rows)
    columns = np.random.default_rng(seed).permutation(options)
    for measure in (pr.mean_divergence, pr.mean_variation, pr.generalised_divergence):
        found = measure(table, wording)
        assert 0 <= found <= 1 + 1e-12
        assert measure(table[order][:, columns], wording[order]) == pytest.approx(found)
        assert measure(np.repeat(table[:1], rows, axis=0), wording) == pytest.approx(0, abs=1e-12)


def test_floored_sums_to_one() -> None:
    found = pr.floored(np.array([1.0, 0.0]))
    assert found.sum() == pytest.approx(1, abs=1e-15)
    assert found[1] == pytest.approx(1e-12)


@pytest.mark.parametrize(("options", "lead"), [([0.2, 0.7, 0.1], 0.5), ([0.5, 0.5], 0.0), ([1.0], None)])
def test_margin(options: list[float], lead: float | None) -> None:
    assert pr.margin(np.array([options]))[0] == pytest.approx(np.nan if lead is None else lead, nan_ok=True)


@pytest.mark.parametrize(
    ("logprobs", "lengths"), [([[-1.0]], [1]), ([[-1.0, -2.0], [-1.0, -np.inf]], [1, 1]), ([[-1.0, -2.0], [-1.0, -2.0]], [1, 0])]
)
def test_posix_is_null(logprobs: list[list[float]], lengths: list[int]) -> None:
    assert np.isnan(pr.posix(np.array(logprobs), lengths))


def test_posix_is_the_mean_of_its_parts_and_0_for_one_prompt_said_twice() -> None:
    table = -np.random.default_rng(3).exponential(size=(4, 4))
    parts = [pr.posix_part(np.delete(table[:, w], w), table[w, w], w + 1) for w in range(4)]
    assert pr.posix(table, [1, 2, 3, 4]) == pytest.approx(np.mean(parts))
    assert pr.posix(np.repeat(table[:1], 4, axis=0), [1, 2, 3, 4]) == 0


def test_token_entropy_is_a_lower_bound_from_the_top() -> None:
    p = distributions(6, 50)
    whole = [np.log(row) for row in p]
    top = [np.sort(row)[-5:] for row in whole]
    exact = pr.token_entropy(whole, 50)
    assert exact == pytest.approx(np.mean(entropy(p, axis=1)) / np.log(50))
    assert 0 < pr.token_entropy(top, 50) < exact
    assert pr.token_entropy([np.array([0.0, -np.inf])], 50) == 0
    assert pr.token_entropy([np.full(50, -np.log(50))], 50) == pytest.approx(1)
    assert np.isnan(pr.token_entropy([], 50))
