"""Rows of tables ``profiles`` and ``scores`` from the numbers of a cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import Index
from sago.arrays.grouping import Floats, Values
from sago.axes.cells import Cell, Mask
from sago.axes.measured import Measured


def number(value: float) -> float | None:
    """Returns a number for a table: NaN becomes null."""
    return None if np.isnan(value) else float(value)


def profile_rows(cell: Cell, measured: Measured | None) -> list[dict[str, Any]]:
    """Returns the rows of a cell: all families together, each layer, and each family of the default measure.

    Args:
        cell: The cell.
        measured: Its numbers; null where it has none.
    """
    if measured is None:
        flags = list(cell.flags)
        return [{**cell.head, "default": cell.default, "n": 0, "n_left_out": len(cell.examples), "flags": flags, "reason": cell.reason}]
    main = cell.labels.main
    rows = [_profile_row(cell, measured, measured.whole, main, default=cell.default, rerun_p=measured.rerun_p, **_beside(measured))]
    if cell.layers[0].number is not None:
        rows += [
            _profile_row(cell, measured, index, main, layer=layer.number) for index, layer in zip(measured.layers, cell.layers, strict=True)
        ]
    rows += [_profile_row(cell, measured, index, cell.labels.of_family(name), family=name) for name, index in measured.families.items()]
    return rows


def _profile_row(cell: Cell, measured: Measured, index: Index, chosen: Mask, **extra: Any) -> dict[str, Any]:
    wordings, replies = _counts(cell, index, chosen)
    bracket = index.across_interval
    return {
        **cell.head,
        "default": False,
        "n": index.n,
        "n_left_out": len(cell.examples) - index.n,
        "n_variants": wordings / index.n if index.n else None,
        "n_reruns": replies / wordings if wordings else None,
        "across": number(index.across),
        "across_se": number(bracket.se),
        "across_lower": number(bracket.lower),
        "across_upper": number(bracket.upper),
        "rerun": number(index.rerun),
        "unrelated": number(index.unrelated),
        "instability": number(index.instability),
        "se": number(index.se),
        "se_floor": number(index.se_floor),
        "lower": number(index.interval.lower),
        "upper": number(index.interval.upper),
        "flags": [*index.flags, *measured.flags, *cell.flags],
        "reason": index.reason,
        **extra,
    }


def _beside(measured: Measured) -> dict[str, float | None]:
    """Returns what stands beside the number of a whole cell: its error over wordings, and the star form."""
    found = {"se_wordings": number(measured.se_wordings), "se_total": number(float(np.hypot(measured.whole.se, measured.se_wordings)))}
    if measured.without.size and not np.isnan(measured.without).any():
        found |= {"without_lowest": float(measured.without.min()), "without_highest": float(measured.without.max())}
    star = measured.star
    if star is not None and star.n:
        found |= {"star_across": number(star.across), "star_instability": number(star.instability), "star_se": number(star.se)}
    return found


def _counts(cell: Cell, index: Index, chosen: Mask) -> tuple[int, int]:
    """Returns wordings and replies of the examples that take part."""
    labels = cell.labels
    mine = chosen & np.isin(labels.example, index.parts.examples[~np.isnan(index.each)])
    pairs = np.unique(labels.example[mine] * (int(labels.variant.max(initial=0)) + 1) + labels.variant[mine])
    return int(pairs.size), int(mine.sum())


def score_table(cell: Cell, measured: Measured | None) -> pl.DataFrame:
    """Returns the rows of table ``scores``: every example that the model was asked, with its reason where it has no number."""
    labels, count = cell.labels, len(cell.examples)
    mine = labels.main
    pairs = np.unique(labels.example[mine] * (int(labels.variant.max(initial=0)) + 1) + labels.variant[mine])
    variants = np.bincount(pairs // (int(labels.variant.max(initial=0)) + 1), minlength=count)
    reasons: list[str | None] = [cell.absent.get(name, "too_few_variants") for name in cell.examples]
    columns: dict[str, Floats] = {
        name: np.full(count, np.nan) for name in ("across", "rerun", "unrelated", "instability", "influence", "rerun_p")
    }
    if measured is not None:
        whole, parts = measured.whole, measured.whole.parts
        rerun = measured.audit if "noise_floor=audit" in whole.flags else parts.rerun
        given = {"across": parts.across, "rerun": rerun, "unrelated": parts.unrelated, "instability": whole.per_example}
        given |= {"influence": whole.influence, "rerun_p": measured.example_p}
        for name, values in given.items():
            columns[name][parts.examples] = values
        for place in parts.examples.tolist():
            reasons[place] = whole.reason
    facts: dict[str, Any] = {
        **{name: pl.lit(value) for name, value in cell.head.items()},
        "example": pl.Series(cell.examples, dtype=pl.String),
        **{name: _column(values) for name, values in columns.items()},
        "n_variants": pl.Series(variants, dtype=pl.Int64),
        "n_observations": pl.Series(np.bincount(labels.example[mine], minlength=count), dtype=pl.Int64),
        "reason": pl.Series(reasons, dtype=pl.String),
    }
    table: pl.DataFrame = pl.DataFrame({"example": facts.pop("example")}).with_columns(**facts)
    return table.select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("scores").items())


def _column(values: Values) -> pl.Series:
    return pl.Series(values, dtype=pl.Float64).fill_nan(None)
