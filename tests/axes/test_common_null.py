"""One null for all models beside each model's own."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sago import schemas
from sago.axes.common_null import with_common_null


def cell(model: str, across: float, unrelated: float | None, *, axis: str = "generation", rerun: float | None = 0.0) -> dict[str, Any]:
    own = None if unrelated is None else (across - (rerun or 0)) / (unrelated - (rerun or 0))
    numbers = {"across": across, "rerun": rerun, "unrelated": unrelated, "instability": own}
    return {"model": model, "dataset": "d", "axis": axis, "measure": "m", "decoding": "greedy", "default": True, **numbers} | {
        "n": 9,
        "n_left_out": 0,
        "flags": [],
    }


def common(*rows: dict[str, Any]) -> pl.DataFrame:
    return with_common_null(schemas.frame("profiles", list(rows)))


def test_a_bland_model_is_measured_by_the_scale_of_all() -> None:
    found = common(cell("bland", 0.2, 0.4), cell("rich", 0.3, 1.0))
    assert found["instability"].to_list() == pytest.approx([0.5, 0.3])
    assert found["unrelated_common"].to_list() == pytest.approx([0.7, 0.7])
    assert found["instability_common"].to_list() == pytest.approx([0.2 / 0.7, 0.3 / 0.7])
    assert found["flags"].to_list() == [["common_null_reorders"]] * 2


def test_the_noise_floor_is_taken_off_both() -> None:
    found = common(cell("one", 0.3, 0.9, rerun=0.1), cell("two", 0.5, 0.7, rerun=None))
    assert found["instability_common"].to_list() == pytest.approx([0.2 / 0.7, 0.5 / 0.8])
    assert found["flags"].to_list() == [[], []]


@pytest.mark.parametrize(
    "rows",
    [
        [cell("alone", 0.2, 0.4)],
        [cell("one", 0.2, 0.4), cell("two", 0.2, None)],
        [cell("one", 0.2, 0.4, axis="activations"), cell("two", 0.3, 1.0, axis="activations")],
        [cell("one", 0.2, 0.4), {**cell("two", 0.3, 1.0), "family": "typo", "default": False}],
    ],
)
def test_without_a_second_model_or_a_common_space_there_is_none(rows: list[dict[str, Any]]) -> None:
    found = common(*rows)
    assert found["unrelated_common"].to_list() == [None] * len(rows)
    assert found["instability_common"].to_list() == [None] * len(rows)
