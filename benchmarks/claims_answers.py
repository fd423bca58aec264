"""Simulations for ``claims.py``: answers of a few wordings and reruns, few examples, scored as ``sago run`` scores them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from invented import names
from sago import schemas
from sago.arrays import Rows, index_of, parts_of
from sago.arrays.grouping import Floats
from sago.arrays.halving import halves_of, inside_of, ways_to_halve
from sago.arrays.resampling import rerun_floor_test
from sago.stats.evidence import Evidence, Rules

Key = tuple[str, str, str]
_MEASURES = {"generation": "answer_flip", "activations": "cosine", "confidence": "jsd", "mirroring": "distinctive_uptake"}
_SPLITS = {count: ways_to_halve(count, np.random.default_rng(0)) for count in range(4, 10)}


def scored(
    cells: Mapping[Key, Floats],
    *,
    distance: str = "nominal",
    rules: Rules | None = None,
    rng: np.random.Generator | None = None,
    covariates: pl.DataFrame | None = None,
) -> Evidence:
    """Returns the evidence of answers (examples x wordings x reruns) of each cell; NaN = not asked. With a generator reruns are tested."""
    profiles, scores = [], []
    halves = [schemas.empty("halves")]
    for key, values in cells.items():
        n, v, _ = values.shape
        known = ~np.isnan(values)
        example, variant, _ = np.nonzero(known)
        given = values[known].astype(np.int64) if distance == "nominal" else values[known]
        rows = Rows(given, example, variant)
        parts = parts_of(rows, distance)
        found = index_of(parts)
        head = dict(zip(("model", "dataset", "axis"), key, strict=True)) | {"measure": _MEASURES[key[2]], "decoding": "sampled"}
        tested = None if rng is None else rerun_floor_test(rows, distance, rng, draws=199)
        whole = None if tested is None or np.isnan(tested.p) else tested.p
        row: dict[str, object] = {
            **head,
            **{"default": True, "n": found.n, "n_left_out": n - found.n, "n_variants": float(parts.variants.mean())},
            **{"n_reruns": float(parts.rows.sum() / parts.variants.sum()), "across": found.across, "unrelated": found.unrelated},
            **{"across_se": found.across_interval.se, "across_lower": found.across_interval.lower},
            **{"across_upper": found.across_interval.upper, "rerun": found.rerun, "instability": found.instability},
            **{"se": found.se, "se_floor": found.se_floor, "lower": found.interval.lower, "upper": found.interval.upper},
            **{"flags": list(found.flags), "reason": found.reason, "rerun_p": whole},
        }
        profiles.append({name: None if isinstance(value, float) and np.isnan(value) else value for name, value in row.items()})
        columns = {"across": found.each, "rerun": parts.rerun, "unrelated": parts.unrelated, "instability": found.per_example}
        columns["influence"] = found.influence
        table = pl.DataFrame({name: pl.Series(column, dtype=pl.Float64).fill_nan(None) for name, column in columns.items()})
        alone = np.full(parts.examples.size, np.nan) if tested is None else tested.each
        facts = {
            **{name: pl.lit(value) for name, value in head.items()},
            "example": pl.Series([names(n)[place] for place in parts.examples], dtype=pl.String),
            "rerun_p": pl.Series(alone, dtype=pl.Float64).fill_nan(None),
            "n_variants": pl.Series(parts.variants),
            "n_observations": pl.Series(parts.rows),
            "reason": pl.lit(found.reason, pl.String),
        }
        scores.append(table.with_columns(**facts).select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("scores").items()))
        asked = known.any(axis=2).sum(axis=1)
        if asked.max() >= 4:
            place = np.zeros((n, v), dtype=np.int64)
            place[known.any(axis=2)] = np.concatenate([np.arange(count) for count in asked]) if n else 0
            inside = inside_of(Rows(given, example, place[example, variant]), distance, asked[example])
            for block in halves_of(inside, lambda count: _SPLITS[count]):
                first, second = (pl.Series(part.astype(np.float32)).cast(pl.List(pl.Float32)) for part in (block.first, block.second))
                lists = pl.DataFrame(
                    {
                        "example": pl.Series([names(n)[at] for at in parts.examples[block.examples]], dtype=pl.String),
                        "first": first,
                        "second": second,
                    }
                )
                lists = lists.with_columns(**{name: pl.lit(value) for name, value in head.items()})
                halves.append(lists.select(pl.col(name).cast(kind) for name, kind in schemas.dtypes("halves").items()))
    return Evidence(
        schemas.frame("profiles", profiles),
        scores=schemas.check("scores", pl.concat(scores)),
        halves=schemas.check("halves", pl.concat(halves)),
        covariates=schemas.empty("covariates") if covariates is None else covariates,
        rules=rules or Rules(),
    )


def simulations() -> Iterator[tuple[str, tuple[str, tuple[object, ...]]]]:
    """Yields name of the row -> function and arguments."""
    yield from ()
