"""Which option of a question is followed from wording to wording: the one that was likeliest on the original wording (METRICS 5)."""

from __future__ import annotations

import polars as pl

from sago.records import CANONICAL
from sago.wordings import with_wordings

_EXAMPLE = ["model", "dataset", "example"]


def of_chosen_option(rows: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Puts the probability of the canonically most likely choice into column ``number``.

    The choice is taken from the mean over all responses to the canonical wording, whichever of the variants with that prompt was asked, of
    the same way of decoding (an audit follows its greedy cell); of equal choices the first. Null with ``one_choice`` where there is a
    single option, ``no_canonical`` without a canonical reading.

    Args:
        rows: Rows of table ``features`` with feature ``option_probabilities``.
        variants: Table ``variants``.
    """
    decoding = pl.when(pl.col("decoding") == "audit").then(pl.lit("greedy")).otherwise("decoding")
    rows = with_wordings(rows, variants).with_columns(_of=decoding)
    canonical = rows.filter((pl.col("wording") == CANONICAL) & (pl.col("decoding") != "audit") & pl.col("vector").is_not_null())
    options = canonical.select(*_EXAMPLE, "_of", "vector", _option=pl.int_ranges(pl.col("vector").list.len()))
    means = options.explode("vector", "_option").group_by(*_EXAMPLE, "_of", "_option").agg(pl.col("vector").mean())
    best = means.sort("vector", "_option", descending=[True, False]).unique([*_EXAMPLE, "_of"], keep="first", maintain_order=True)
    joined = rows.join(best.select(*_EXAMPLE, "_of", "_option"), on=[*_EXAMPLE, "_of"], how="left")
    is_single = pl.col("vector").list.len() == 1
    number = pl.when(~is_single).then(pl.col("vector").list.get(pl.col("_option"), null_on_oob=True))
    why = pl.when(is_single).then(pl.lit("one_choice")).otherwise(pl.lit("no_canonical"))
    reason = pl.when(pl.col("reason").is_null() & number.is_null()).then(why).otherwise("reason")
    return joined.with_columns(number=number, reason=reason).drop("_of", "_option", "wording")
