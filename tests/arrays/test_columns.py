"""The index from plain columns of any kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from sago.arrays import Rows, index_of, measure, parts_of
from sago.errors import InputError

ANSWERS = ["A", "A", "A", "B", "C", "C", "C", "C"]
EXAMPLE, VARIANT = ["x", "x", "x", "x", "y", "y", "y", "y"], [1, 1, 2, 2, 1, 1, 2, 2]


def pandas_series(values: list[Any]) -> Any:
    return pytest.importorskip("pandas").Series(values)


@pytest.mark.parametrize("column", [list, np.array, pl.Series, pandas_series])
def test_e12_from_columns_of_any_kind(column: Callable[[list[Any]], Any]) -> None:
    found = measure(column(ANSWERS), column(EXAMPLE), column(VARIANT))
    assert (found.across, found.rerun, found.unrelated, found.instability) == (0.25, 0.25, 1, 0)
    assert found.parts.examples.tolist() == ["x", "y"]


@pytest.mark.parametrize("column", [list, np.array, lambda rows: pl.Series("vector", rows)])
def test_vectors_as_rows_or_as_a_column_of_lists(column: Callable[[list[list[float]]], Any]) -> None:
    vectors = np.random.default_rng(0).normal(size=(40, 3))
    example, variant = np.repeat(np.arange(20), 2), np.tile([0, 1], 20)
    expected = index_of(parts_of(Rows(vectors, example, variant), "cosine"))
    assert measure(column(vectors.tolist()), example, variant, "cosine").across == pytest.approx(expected.across)


def test_texts_are_compared_by_their_overlap() -> None:
    found = measure(["a b", "a b", "c d", "c d"], [1, 1, 2, 2], [1, 2, 1, 2], "rouge_l")
    assert (found.across, found.unrelated) == (0, 1)


def test_an_answer_that_could_not_be_read_agrees_with_nothing() -> None:
    assert measure([None, None, "A", "A"], [1, 1, 2, 2], [1, 2, 1, 2]).parts.across.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("values", "example", "variant", "distance", "says"),
    [
        (["A", "B"], [1], [1, 2], "nominal", "2 values, but example has shape"),
        (["A", "B"], [1, 1], [1, None], "nominal", "variant is missing at row 1"),
        (["A", "B"], [1, 1], [1, 2], "nomnal", "unknown distance 'nomnal'"),
        ([0.5, np.nan], [1, 1], [1, 2], "absolute", "row 1 is not finite"),
        (["A", "B"], [1, 1], [1, 2], "absolute", "needs numbers"),
        ([0.5, 0.6], [1, 1], [1, 2], "cosine", "needs vectors"),
    ],
)
def test_what_cannot_be_measured_says_why(values: Any, example: Any, variant: Any, distance: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        measure(values, example, variant, distance)
