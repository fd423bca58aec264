"""Where the variance of the scores of a run comes from, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.stats.golden import GOLDEN, near
from tests.stats.hand_made import Answers, readings, variant, variants_of

from sago import schemas
from sago.stats import variance_components
from sago.stats.decomposition import components, nested_components
from sago.stats.variance import _own_wordings

NAMES = ("canonical", "typo-1", "format-1")

Scores = dict[str, dict[str, list[float | None]]]
"""Example -> wording -> score of each rerun."""


def answers_of(scores: Scores) -> Answers:
    return {example: {name: [(None, one) for one in values] for name, values in row.items()} for example, row in scores.items()}


def scored(scores: Scores, *, decoding: str = "greedy", control: str | None = None) -> pl.DataFrame:
    """Returns table ``components`` of correctness by example, wording and rerun."""
    names = list(dict.fromkeys(name for row in scores.values() for name in row if name != control))
    variants = variants_of(*scores, names=tuple(names), control=control)
    return variance_components(readings(answers_of(scores), decoding=decoding, reason="no_gold"), variants)


def only(table: pl.DataFrame) -> dict[str, Any]:
    assert table.height == 1
    return table.row(0, named=True)


def of_cube(cube: np.ndarray) -> Scores:
    return {
        f"e{i}": {name: [float(value) for value in row] for name, row in zip(NAMES, cells, strict=True)} for i, cells in enumerate(cube)
    }


def test_golden_e14_comes_through_the_table() -> None:
    case = GOLDEN["E14"]
    ratings = case["ratings"]
    table: Scores = {f"e{i}": {f"v{j}": [float(value)] for j, value in enumerate(row)} for i, row in enumerate(ratings)}
    found = only(scored(table))
    assert (found["of_example"], found["of_variant"], found["of_interaction"]) == near(tuple(case["components"]))
    assert (found["share_example"], found["share_variant"], found["share_interaction"]) == near(tuple(case["shares"]))
    assert (found["design"], found["n"], found["n_variants"], found["n_reruns"], found["n_left_out"]) == ("crossed", 6, 4, 1, 0)
    assert found["confounded"]
    assert found["of_rerun"] is found["share_rerun"] is found["se_rerun"] is None
    # By hand: 2.5556 / (2.5556 + 1.0194 / 4) and 2.5556 / (2.5556 + (5.2444 + 1.0194) / 4).
    assert (found["relative"], found["absolute"]) == pytest.approx((0.909315, 0.620051), abs=5e-5)
    # V rt (1 - r) / (r (1 - rt)) = 4 x 4 x .099729 and 4 x 9 x .099729, rounded up.
    assert (found["variants_80"], found["variants_90"]) == (2, 4)
    assert found["se_total"] == pytest.approx(np.sqrt(2.5556 / 6 + 5.2444 / 4 + 1.0194 / 24), abs=5e-5)
    assert found["se_variant"] == pytest.approx(np.sqrt(5.2444 / 4), abs=5e-5)


def test_reruns_tell_interaction_and_noise_apart() -> None:
    cube = np.random.default_rng(0).normal(size=(8, 3, 2)) + 2 * np.arange(8)[:, None, None]
    found, expected = only(scored(of_cube(cube), decoding="sampled")), components(cube)
    assert [found[f"of_{name}"] for name in ("example", "variant", "interaction", "rerun")] == pytest.approx(
        [expected.example, expected.variant, expected.interaction, expected.rerun]
    )
    assert (found["decoding"], found["n_reruns"], found["confounded"]) == ("sampled", 2, False)


def test_examples_that_lack_a_wording_or_a_reply_are_left_out_and_counted() -> None:
    cube = np.random.default_rng(1).normal(size=(6, 3, 2))
    table = of_cube(cube)
    del table["e0"]["typo-1"]
    table["e1"]["format-1"] = [0.0]
    table["e2"]["canonical"].append(9.0)
    found = only(scored(table))
    assert (found["n"], found["n_left_out"], found["n_variants"], found["n_reruns"]) == (4, 2, 3, 2)
    assert found["of_example"] == pytest.approx(components(cube[2:]).example)


def test_wordings_of_single_examples_are_nested() -> None:
    cube = np.random.default_rng(2).normal(size=(5, 3, 2)) + 2 * np.arange(5)[:, None, None]
    table: Scores = {f"e{i}": {f"w{i}{j}": [float(x) for x in cell] for j, cell in enumerate(row)} for i, row in enumerate(cube)}
    table["e5"] = {"w50": [0.0, 0.0], "w51": [1.0, 1.0]}
    variants = schemas.frame("variants", [variant(example, name) for example, row in table.items() for name in row])
    found, expected = only(variance_components(readings(answers_of(table)), variants)), nested_components(cube)
    assert (found["design"], found["n"], found["n_left_out"], found["n_variants"]) == ("nested", 5, 1, 3)
    assert found["of_variant"] is found["share_variant"] is found["se_variant"] is None
    assert (found["of_example"], found["of_interaction"], found["of_rerun"]) == pytest.approx(
        (expected.example, expected.interaction, expected.rerun)
    )
    assert found["relative"] == found["absolute"]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"e0": {"canonical": [1.0]}, "e1": {"canonical": [0.0]}}, "too_few_variants"),
        ({"e0": {"canonical": [1.0], "typo-1": [0.0]}, "e1": {"canonical": [0.0]}}, "too_few_examples"),
    ],
)
def test_what_cannot_be_split_says_why(table: Scores, reason: str) -> None:
    found = only(scored(table))
    assert (found["reason"], found["design"], found["of_example"], found["n"]) == (reason, None, None, 0)
    assert found["n_left_out"] == 2


def test_a_score_without_any_value_has_no_row() -> None:
    assert scored({"e0": {"canonical": [None], "typo-1": [None]}}).is_empty()
    assert variance_components(schemas.empty("features"), variants_of("1")).is_empty()


def test_equal_scores_have_components_and_no_shares() -> None:
    found = only(scored(of_cube(np.ones((4, 3, 1)))))
    assert (found["of_example"], found["of_variant"], found["of_interaction"], found["se_total"]) == (0, 0, 0, 0)
    assert found["share_example"] is found["relative"] is found["variants_90"] is None
    assert found["reason"] is None


def test_noise_alone_asks_for_no_number_of_wordings() -> None:
    found = only(scored(of_cube(np.array([[[0.0], [1.0], [0.0]], [[1.0], [0.0], [0.3]]]))))
    assert found["relative"] <= 0
    assert found["variants_80"] is None


def test_controls_and_audits_take_no_part() -> None:
    table = of_cube(np.random.default_rng(3).normal(size=(4, 3, 1)))
    plain = scored(table)
    for row in table.values():
        row["meaning-changed"] = [7.0]
    assert scored(table, control="meaning-changed").equals(plain)
    assert scored(table, control="meaning-changed", decoding="audit").is_empty()


def test_confidence_is_the_probability_of_the_option_chosen_on_the_original_wording() -> None:
    vectors = {("a", "canonical"): [0.9, 0.1], ("a", "typo-1"): [0.6, 0.4], ("b", "canonical"): [0.2, 0.8], ("b", "typo-1"): [0.7, 0.3]}
    shared = {"model": "m", "dataset": "d", "decoding": "greedy", "rerun": 0, "reader": "r", "version": "1"}
    rows = [
        {**shared, "example": example, "variant": name, "feature": "option_probabilities", "vector": vector}
        for (example, name), vector in vectors.items()
    ]
    found = only(variance_components(schemas.frame("features", rows), variants_of("a", "b", names=("canonical", "typo-1"))))
    expected = components(np.array([[0.9, 0.6], [0.8, 0.3]]))
    assert found["score"] == "option_probability"
    assert (found["of_example"], found["of_variant"], found["of_interaction"]) == pytest.approx(
        (expected.example, expected.variant, expected.interaction)
    )


def test_own_wordings_are_cut_to_the_largest_block() -> None:
    """Examples with 4, 3, 3 and 1 wordings: three of each of three are the most."""
    places, count = _own_wordings(np.repeat(np.arange(4), [4, 3, 3, 1]))
    assert count == 3
    assert places.tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert _own_wordings(np.repeat(np.arange(2), [7, 2]))[1] == 2
