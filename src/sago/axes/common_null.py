"""Instability with one null for all models, beside each model's own (METRICS 2.6).

A bland model says nearly the same to every question: its own null is small, so the same change of answer makes a larger instability. With
the null of all models together the change itself is compared. Inner states have no common space, so only their own null has a meaning;
mirroring has no null of this kind.
"""

from __future__ import annotations

import polars as pl

AXES = ("generation", "confidence")
"""Axes on which models share a space."""

REORDERS = "common_null_reorders"
"""Flag of cells whose models stand in another order under the common null."""

_CELL = ["dataset", "axis", "measure", "decoding"]


def with_common_null(profiles: pl.DataFrame) -> pl.DataFrame:
    """Fills ``unrelated_common`` and ``instability_common`` of whole cells, and flags those whose order of models depends on the null.

    N is the mean over the models that have one; S = (across - rerun) / (N - rerun), a rerun that was not measured counting as 0. Null where
    fewer than two models have an N, or where the common N is not above the rerun.

    Args:
        profiles: Table ``profiles``.
    """
    whole = pl.col("family").is_null() & pl.col("layer").is_null() & pl.col("axis").is_in(AXES) & pl.col("unrelated").is_not_null()
    rows = profiles.with_row_index("_row")
    rerun = pl.col("rerun").fill_null(0.0)
    common = rows.filter(whole).with_columns(_models=pl.len().over(_CELL), _common=pl.col("unrelated").mean().over(_CELL))
    common = common.filter((pl.col("_models") >= 2) & (pl.col("_common") > rerun))
    common = common.with_columns(_index=(pl.col("across") - rerun) / (pl.col("_common") - rerun))
    both = common.filter(pl.col("instability").is_not_null())
    orders = both.with_columns(
        _own=pl.col("instability").rank("min").over(_CELL), _shared=pl.col("_index").rank("min").over(_CELL)
    ).group_by(_CELL)
    moved = orders.agg(_moves=(pl.col("_own") != pl.col("_shared")).any())
    found = common.join(moved, on=_CELL, how="left").select("_row", "_common", "_index", pl.col("_moves").fill_null(value=False))
    joined = rows.join(found, on="_row", how="left", maintain_order="left")
    flagged = pl.when(pl.col("_moves").fill_null(value=False)).then(pl.col("flags").list.concat(pl.lit([REORDERS])))
    return joined.with_columns(
        unrelated_common=pl.col("_common"), instability_common=pl.col("_index"), flags=flagged.otherwise(pl.col("flags"))
    ).select(profiles.columns)
