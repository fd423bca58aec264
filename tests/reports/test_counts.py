from __future__ import annotations

from typing import Any

import polars as pl

from sago import schemas
from sago.reports.counts import UnparsedShare, unparsed_by_variant


def features(*readings: tuple[str, str | None, str | None, str]) -> pl.DataFrame:
    rows: list[dict[str, Any]] = [
        {
            **{"model": "m", "dataset": "d", "example": str(number), "decoding": "greedy", "rerun": 0, "feature": "answer", "version": "1"},
            **{"variant": variant, "category": category, "reason": reason, "reader": reader},
        }
        for number, (variant, category, reason, reader) in enumerate(readings)
    ]
    return schemas.frame("features", rows)


def test_unparsed_responses_are_counted_by_variant_the_worst_first() -> None:
    table = features(
        ("a", "B", None, "answer"),
        ("a", None, "unparsed", "answer"),
        ("b", None, "truncated", "answer"),
        ("c", "B", None, "answer"),
        ("c", None, "error", "answer"),
        ("c", None, "not_recorded", "answer"),
        ("d", None, "unparsed", "recorded"),
    )
    assert unparsed_by_variant(table) == [UnparsedShare("b", 1, 1), UnparsedShare("a", 1, 2), UnparsedShare("c", 0, 1)]


def test_where_nothing_was_read_there_is_nothing_to_count() -> None:
    assert unparsed_by_variant(features(("a", "B", None, "recorded"))) == []
