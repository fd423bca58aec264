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
        ([[0.5, 1.0], [0.6, 2.0]], [1, 1], [1, 2], "absolute", "needs one number a response"),
        ([[0.0, 0.0], [0.6, 2.0]], [1, 1], [1, 2], "cosine", "row 0 is zero: it has no direction"),
        (np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"), [1, 1], [1, 2], "absolute", "needs numbers"),
        (np.ma.array([0.5, 0.6], mask=[False, True]), [1, 1], [1, 2], "absolute", "needs numbers"),
        (["A", "B"], ["x", float("nan")], [1, 2], "nominal", "example is missing at row 1"),
        ([0.5, 0.6], [1, 1], [1, 2], "cosine", "needs vectors"),
    ],
)
def test_what_cannot_be_measured_says_why(values: Any, example: Any, variant: Any, distance: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        measure(values, example, variant, distance)


THREE, WORDINGS = [1, 1, 1, 2, 2, 2, 3, 3, 3], list("abcabcabc")


def across_of_three(values: Any, example: Any = None, variant: Any = None) -> float:
    return measure(values, THREE if example is None else example, WORDINGS if variant is None else variant).across


@pytest.mark.parametrize("kind", [list, np.array, pl.Series, lambda values: np.array(values, dtype=float)])
def test_a_negative_number_is_an_answer_like_any_other(kind: Callable[[list[int]], Any]) -> None:
    assert across_of_three(kind([-5, -5, -5, 3, 3, 4, -7, -7, -7])) == pytest.approx(2 / 9)


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan])
def test_a_missing_answer_among_texts_is_no_text(missing: Any) -> None:
    assert across_of_three(["A", missing, missing, "B", "B", "B", "C", "C", "C"]) == pytest.approx(1 / 3)


def test_a_missing_answer_of_pandas_is_missing() -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(["A", None, None, "B", "B", "B", "C", "C", "C"], dtype="string")
    assert across_of_three(column) == pytest.approx(1 / 3)


def test_a_null_elsewhere_does_not_change_what_is_equal() -> None:
    assert across_of_three([8, 8.0, 8, 7.5, 7.5, None, 9, 9, 9]) == pytest.approx(2 / 9)


@pytest.mark.parametrize(
    "names", [(1, "1", 2), (2**63, 2**63 + 1, -1), (2**53, 2**53 + 1, 0.5), (np.uint64(2**63), np.uint64(3), np.uint64(4))]
)
def test_labels_of_any_kind_stay_apart(names: tuple[Any, ...]) -> None:
    found = measure(list("AABBBBCCC"), [names[place - 1] for place in THREE], WORDINGS)
    assert (found.n, np.isnan(found.rerun)) == (3, True)
    assert set(found.parts.examples.tolist()) == {int(name) if isinstance(name, np.integer) else name for name in names}


@pytest.mark.parametrize("factor", [1e-200, 1.0, 1e200])
def test_directions_do_not_depend_on_length(factor: float) -> None:
    vectors = np.random.default_rng(3).normal(size=(40, 4))
    example, variant = np.repeat(np.arange(20), 2), np.tile([0, 1], 20)
    assert measure(vectors * factor, example, variant, "cosine").across == pytest.approx(
        measure(vectors, example, variant, "cosine").across
    )


@pytest.mark.parametrize("distance", ["nominal", "rouge_l", "absolute", "cosine"])
@pytest.mark.parametrize("values", ["AB", b"AB", np.array("AB"), {1: 1, 2: 2}, {1, 2}, None, 12])
def test_what_holds_no_rows_is_no_column(values: Any, distance: str) -> None:
    with pytest.raises(InputError, match=r"the column of values is a .*which has no rows in order"):
        measure(values, [1, 1], ["x", "y"], distance)


@pytest.mark.parametrize("labels", ["xy", b"xy", {"x": 1, "y": 2}, {"x", "y"}])
def test_labels_are_a_column_too(labels: Any) -> None:
    with pytest.raises(InputError, match="the column of example is"):
        measure(["A", "B"], labels, ["x", "y"])
    with pytest.raises(InputError, match="the column of variant is"):
        measure(["A", "B"], [1, 1], labels)
