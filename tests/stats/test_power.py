"""What a planned study could show."""

from __future__ import annotations

from typing import Any

import pytest

from sago.stats.planning import examples_for_equivalence, minimum_detectable_effect, smallest_reversal, smallest_shown
from sago.stats.power import Outlook, outlook


def planned(sizes: dict[str, int], models: int = 1, wordings: float = 6.0, **known: Any) -> Outlook:
    return outlook(sizes, models, wordings, smallest_effect=0.05, margin=0.3, **known)


def test_each_number_is_that_of_its_formula() -> None:
    found = planned({"a": 200, "b": 100}, models=3)
    assert (found.comparisons, found.reversals, found.axis_pairs) == (6, 6, 1)
    assert [reach.dataset for reach in found.reaches] == ["a", "b"]
    assert found.reaches[0].unstable == pytest.approx(smallest_shown(0.05, 0.3, 200))
    assert found.reaches[0].difference == pytest.approx(minimum_detectable_effect(0.35, 200, alpha=0.05 / 6))
    assert found.reversal == pytest.approx(smallest_reversal(0.35, 100, tests=6))


def test_more_axes_are_corrected_for() -> None:
    one, four = (planned({"a": 200, "b": 100}, models=3, wordings=8, axes=axes) for axes in (1, 4))
    assert (one.reversals, one.axis_pairs, one.independence) == (3, 0, None)
    assert (four.reversals, four.axis_pairs) == (12, 6)
    assert four.independence == examples_for_equivalence(0.3, reliability=0.75, alpha=0.05 / 6)


def test_sign_flips_of_few_examples_show_no_difference() -> None:
    assert [planned({"a": n}, models=2).reaches[0].difference is None for n in (4, 5, 6)] == [True, True, False]


def test_reliability_follows_the_number_of_wordings() -> None:
    """.75 with 8 is .6 with 4 (E43 the other way round), and .80 takes 8 x .8 x .25 / (.75 x .2) = 10.67, so 11."""
    found = planned({"a": 50}, wordings=4)
    assert found.reliability == pytest.approx(0.6)
    assert found.for_80 == 11
    assert found.independence == examples_for_equivalence(0.3, reliability=0.6)
    assert planned({"a": 50}, wordings=8, known=(0.5, 8)).reliability == pytest.approx(0.5)


@pytest.mark.parametrize(("sizes", "models"), [({"a": 50}, 1), ({"a": 50, "b": 20}, 1), ({"a": 50}, 3), ({}, 2)])
def test_one_model_or_data_set_has_no_reversal(sizes: dict[str, int], models: int) -> None:
    assert planned(sizes, models).reversal is None


def test_what_is_too_small_is_null() -> None:
    found = planned({"a": 1}, models=2, wordings=1.0)
    assert found.reaches[0].unstable is found.reaches[0].difference is found.reliability is found.independence is None
    assert planned({"a": 50}, known=(-0.1, 8)).reliability is None
