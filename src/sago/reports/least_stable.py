"""The examples whose answers move most."""

from __future__ import annotations

import polars as pl

from sago.reports.cells import DECODINGS
from sago.reports.words import in_order
from sago.schemas import Tables


def main_decoding(tables: Tables) -> str:
    """Returns the decoding that examples are ranked and shown by: greedy where there is any, else the first there is."""
    found = set(tables.profiles.filter(pl.col("axis") == "generation")["decoding"]) or set(tables.observations["decoding"])
    return min(found, key=lambda name: in_order(name, DECODINGS), default="greedy")


def least_stable(tables: Tables, n: int = 10) -> pl.DataFrame:
    """Returns the examples with the highest instability of their answers, mean over the models.

    Ranked by the default generation measure of the main decoding. Examples whose instability is null (the model says the same to every
    question, for instance) come behind the others, by their raw ``across``; examples without either are left out, and so are those of
    which nothing moved (``across`` 0).

    Args:
        tables: All tables.
        n: At most this many.

    Returns:
        Columns rank (from 1), dataset, example, measure, decoding, instability (null = not defined), across, models (how many the mean
        is over); the least stable first.
    """
    cells = tables.profiles.filter(
        pl.col("default") & (pl.col("axis") == "generation") & (pl.col("decoding") == main_decoding(tables))
    ).select("model", "dataset", "axis", "measure", "decoding")
    example = ["dataset", "example", "measure", "decoding"]
    return (
        tables.scores.join(cells.unique(), on=cells.columns, how="semi")
        .filter(pl.col("across").is_not_null())
        .group_by(example, maintain_order=True)
        .agg(pl.col("instability").mean(), pl.col("across").mean(), models=pl.len().cast(pl.Int64))
        .filter(pl.col("across") > 0)
        .sort(
            ["instability", "across", "dataset", "example"],
            descending=[True, True, False, False],
            nulls_last=True,
        )
        .head(n)
        .with_row_index("rank", offset=1)
        .with_columns(pl.col("rank").cast(pl.Int64))
    )
