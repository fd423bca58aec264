"""Fixtures: hand-made questions."""

from __future__ import annotations

import polars as pl
import pytest
from tests.runs.hand_made import example_row, variant_row

from sago import schemas


@pytest.fixture
def examples() -> pl.DataFrame:
    return schemas.frame("examples", [example_row(name) for name in ("e1", "e2", "e3")])


@pytest.fixture
def variants() -> pl.DataFrame:
    names = ("canonical", "typo-1", "identity")
    return schemas.frame("variants", [variant_row(e, v, place) for e in ("e1", "e2", "e3") for place, v in enumerate(names)])


@pytest.fixture
def questions(examples: pl.DataFrame, variants: pl.DataFrame) -> dict[str, pl.DataFrame]:
    return {"examples": examples, "variants": variants, "variation_counts": schemas.empty("variation_counts")}
