"""Each table once: what is checked at a seam, and the reference page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sago import schemas
from sago.errors import SchemaError
from sago.schemas.reference import reference_page

ROW: dict[str, Any] = {
    "dataset": "d",
    "family": "typo",
    "examples": 1,
    "asked": 1,
    "made": 1,
    "dropped_same": 0,
    "dropped_duplicate": 0,
    "dropped_unsafe": 0,
    "dropped_changed": 0,
    "not_applicable": 0,
}


@pytest.mark.parametrize("table", list(schemas.TABLES))
def test_an_empty_table_fits_its_schema(table: str) -> None:
    assert schemas.check(table, schemas.empty(table)).is_empty()


@pytest.mark.parametrize("table", list(schemas.TABLES))
def test_every_column_says_what_it_means(table: str) -> None:
    columns = schemas.TABLES[table].columns()
    assert columns
    assert all(column.description for column in columns.values())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"asked": "many"}, "asked|type|append"),
        ({"family": None}, "family|nullab"),
        ({"surplus": 1}, "unknown columns"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        schemas.frame("variation_counts", [{**ROW, **change}])


def test_a_repeated_key_is_refused() -> None:
    once = schemas.frame("variation_counts", [ROW])
    with pytest.raises(SchemaError, match="primary_key"):
        schemas.check("variation_counts", pl.concat([once, once]))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_nan_and_infinity_are_refused(value: float) -> None:
    feature = dict.fromkeys(("model", "dataset", "example", "variant", "decoding", "feature", "reader", "version"), "x")
    with pytest.raises(SchemaError, match="number"):
        schemas.frame("features", [{**feature, "rerun": 0, "number": value}])


def test_check_puts_columns_in_declared_order_and_drops_others() -> None:
    shuffled = schemas.frame("variation_counts", [ROW]).with_columns(other=pl.lit(1)).select("other", "made", pl.exclude("other", "made"))
    assert schemas.check("variation_counts", shuffled).columns == list(schemas.dtypes("variation_counts"))


def test_a_checked_table_is_checked_once_and_what_is_made_of_it_again() -> None:
    checked = schemas.frame("variation_counts", [ROW])
    assert schemas.check("variation_counts", checked) is checked
    with pytest.raises(SchemaError, match="variation_counts"):
        schemas.check("variation_counts", checked.with_columns(made=pl.lit(None, dtype=pl.Int64)))
    with pytest.raises(SchemaError, match="examples"):
        schemas.check("examples", checked)


def test_reference_page_is_not_stale() -> None:
    page = Path(__file__).parents[1] / "docs" / "tables.md"
    assert page.read_text(encoding="utf-8").rstrip("\n") == reference_page().rstrip("\n")
