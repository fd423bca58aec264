"""Which examples react to wording, and when so few reruns could not show one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.stats.hand_made import cell, profiles, scored

from sago import schemas
from sago.arrays import Rows, rerun_floor_test
from sago.stats import benjamini_hochberg, conclude, unstable_examples
from sago.stats.screening import smallest_p

P = [0.0005] * 3 + [0.0105] + [0.5] * 16
"""By Benjamini-Hochberg over 20 the first three pass at .05, and .0105 x 20 / 4 = .0525 does not."""


def scores(p: list[float], **columns: Any) -> list[dict[str, Any]]:
    gaps = [0.2 + 0.1 * place for place in range(len(p))]
    return scored(cell(), gaps, [0.1] * len(p), **({"rerun_p": p, "n_variants": 8, "n_observations": 32} | columns))


def finding(rows: list[dict[str, Any]], **values: Any) -> dict[str, Any]:
    table = conclude(profiles(cell(**values)), scores=schemas.frame("scores", rows))
    return table.filter(table["claim"] == "unstable_examples").row(0, named=True)


def test_examples_are_counted_and_the_largest_named() -> None:
    one = finding(scores(P))
    assert (one["verdict"], one["estimate"], one["n"], one["tests"], one["mode"]) == ("FOUND", 3 / 20, 20, 20, "raw")
    assert "3 of 20 examples differ more between wordings than between reruns" in one["sentence"]
    assert one["sentence"].endswith("by B - W: e0002 (.300), e0001 (.200) and e0000 (.100).")
    assert "false discovery rate of 5 %" in one["sentence"]


def test_the_list_is_that_of_the_finding() -> None:
    table = unstable_examples(schemas.frame("scores", scores(P)))
    assert table["example"].to_list() == ["e0002", "e0001", "e0000"]
    assert table["p_adjusted"].to_list() == pytest.approx([0.0005 * 20 / 3] * 3)
    assert unstable_examples(schemas.frame("scores", scores(P)), alpha=0.2)["example"].len() == 4
    assert unstable_examples(schemas.empty("scores")).is_empty()


def test_correction_is_within_each_cell() -> None:
    other = scored(cell(dataset="e"), [0.5], [0.1], rerun_p=[0.04])
    assert unstable_examples(schemas.frame("scores", [*scores([0.5] * 20), *other]))["dataset"].to_list() == ["e"]


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((2, 4), "That could not be otherwise: so few reruns allow no p below .333."),
        ((3, 6), "That could not be otherwise: so few reruns allow no p below .067."),
        ((4, 8), "As so few reruns allow no p below .010, fewer than 4 such examples could not be told."),
        ((8, 32), "at a false discovery rate of 5 %)."),
    ],
)
def test_too_few_reruns_are_said(counts: tuple[int, int], text: str) -> None:
    one = finding(scores([0.5] * 20, n_variants=counts[0], n_observations=counts[1]))
    assert one["verdict"] == "NOT_SHOWN"
    assert one["sentence"].endswith(text)


def test_no_rerun_no_finding_and_too_many_rows_say_so() -> None:
    table = conclude(profiles(cell(rerun_p=None)), scores=schemas.frame("scores", scored(cell(), [0.1] * 3)))
    assert "unstable_examples" not in table["claim"].to_list()
    one = finding(scored(cell(), [0.1] * 3, [0.0] * 3), flags=["rerun_p=normal"])
    assert (one["verdict"], one["reason"]) == ("NOT_TESTED", "too_many_rows")


@pytest.mark.parametrize("counts", [(2, 2), (2, 1), (2, 2, 2), (3, 2), (4, 2, 1), (3, 3)])
def test_no_example_gets_a_smaller_p(counts: tuple[int, ...]) -> None:
    """Wordings that differ entirely: the smallest p that there is."""
    labels = np.repeat(np.arange(len(counts)), counts)
    found = rerun_floor_test(Rows(labels, np.zeros(labels.size), labels), "nominal", np.random.default_rng(0)).each[0]
    floor = smallest_p(len(counts), labels.size)
    assert floor <= found + 1e-12
    if len(set(counts)) == 1:
        assert floor == pytest.approx(found)


def test_the_share_of_false_ones_and_the_power() -> None:
    rng = np.random.default_rng(2)
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((150, 5, 3)))
    false, power = [], []
    for _ in range(8):
        planted, other = rng.random(150) < 0.3, rng.random((150, 5)) < 0.4
        answers = np.where(rng.random(example.size) < 0.15, rng.integers(0, 4, example.size), example % 4)
        answers = np.where(planted[example] & other[example, variant], (example + 1) % 4, answers)
        found = benjamini_hochberg(rerun_floor_test(Rows(answers, example, variant), "nominal", rng).each) <= 0.05
        false.append(np.sum(found & ~planted) / max(1, found.sum()))
        power.append(np.mean(found[planted]))
    assert np.mean(false) <= 0.06
    assert np.mean(power) >= 0.4
