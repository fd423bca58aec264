"""Where the variance of each score comes from, cell by cell: the balanced block, its components and what follows (METRICS 9)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats, Integers
from sago.chosen import of_chosen_option
from sago.seeds import seed_of
from sago.stats.crossing import largest_crossing, with_codes
from sago.stats.decomposition import Components, components, error_parts, generalizability, nested_components
from sago.stats.reliability import variants_needed
from sago.wordings import with_wordings

CROSSED, NESTED = "crossed", "nested"

_NOISE_BELOW = 0.001
"""Below this reliability scores of examples are noise, and no number of wordings is an answer."""

Mask = npt.NDArray[np.bool_]

_KEY = ["model", "dataset", "decoding", "score"]
_READINGS = {"correct": "correct", "option_probabilities": "option_probability", "anchor_probability": "anchor_probability"}
"""Reading -> score."""


class _Block(NamedTuple):
    """A balanced part of the data: score by example, wording and rerun; without examples where there is none."""

    cube: Floats
    design: str | None
    reason: str | None = None


def variance_components(features: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Returns table ``components``: variance components of correctness and confidence, with reliability and what it would take.

    One row for each model, data set, way of decoding and score that has any value. The block is the largest of examples that have the same
    wordings, and the same number of replies to each (that of most; later ones are left out). Where less than half of the examples share
    wordings the design is nested: as many wordings of each example as make the block largest, drawn by the hash of their names, for names
    may be numbered in an order that says something. Controls and audits take no part; variants with the same prompt are one wording, and
    the replies to them its reruns.

    Args:
        features: Table ``features``.
        variants: Table ``variants``.
    """
    question = ["dataset", "example", "variant"]
    wordings = variants.filter(~pl.col("control")).select(question)
    rows = features.filter(pl.col("feature").is_in(list(_READINGS)) & (pl.col("decoding") != "audit"))
    rows = rows.join(wordings, on=question, how="semi")
    is_options = pl.col("feature") == "option_probabilities"
    rows = pl.concat([rows.filter(~is_options), of_chosen_option(rows.filter(is_options), variants).select(rows.columns)])
    rows = with_wordings(rows.filter(pl.col("number").is_not_null()), variants)
    rows = rows.with_columns(score=pl.col("feature").replace_strict(_READINGS, return_dtype=pl.String))
    rows = rows.select(*_KEY, "example", "wording", "variant", "rerun", "number").sort(_KEY)
    cells = rows.group_by(_KEY, maintain_order=True)
    return schemas.frame("components", [_row(dict(zip(_KEY, key, strict=True)), cell) for key, cell in cells])


def _row(key: dict[str, Any], rows: pl.DataFrame) -> dict[str, Any]:
    block = _block(rows)
    n, v, r = block.cube.shape
    left_out = rows["example"].n_unique() - n
    head = {**key, "design": block.design, "n": n, "n_left_out": left_out, "n_variants": v, "n_reruns": r, "confounded": r == 1}
    if block.reason is not None:
        return {**head, "reason": block.reason}
    found = components(block.cube) if block.design == CROSSED else nested_components(block.cube)
    errors, reliable = error_parts(found), generalizability(found, v, r)
    row = {**head, "relative": reliable.relative, "absolute": reliable.absolute, "se_total": errors.total}
    for name in ("example", "variant", "interaction", "rerun"):
        row |= {f"of_{name}": getattr(found, name), f"share_{name}": getattr(found.shares, name), f"se_{name}": getattr(errors, name)}
    row |= {"variants_80": _needed(found, reliable.relative, 0.80), "variants_90": _needed(found, reliable.relative, 0.90)}
    return {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in row.items()}


def _needed(found: Components, reliability: float, target: float) -> int | None:
    """Returns how many wordings the target takes; null where scores of examples are noise alone."""
    if not reliability >= _NOISE_BELOW:
        return None
    wanted = variants_needed(found.variants, min(reliability, 1.0), target)
    return max(int(wanted), 1)


def _block(rows: pl.DataFrame) -> _Block:
    """Returns the largest balanced block of one cell."""
    ordered = with_codes(rows, ("example", "wording")).sort("example", "wording", "rerun", "variant")
    code, name, values = (ordered[column].to_numpy() for column in ("example", "wording", "number"))
    first = np.flatnonzero(_begins(code) | _begins(name))
    replies = np.diff(first, append=code.size)
    reruns = int(np.bincount(replies).argmax())
    cells = first[replies >= reruns]
    cells = cells[np.bincount(code[cells], minlength=int(code.max()) + 1)[code[cells]] >= 2]
    nothing = np.empty((0, 0, reruns))
    if not cells.size:
        return _Block(nothing, None, "too_few_variants")
    values = values[cells[:, None] + np.arange(reruns)]
    example, name = np.cumsum(_begins(code[cells])) - 1, name[cells]
    if int(example.max()) < 1:
        return _Block(nothing, None, "too_few_examples")
    crossing = largest_crossing(example, name)
    if crossing.examples.size:
        inside = np.isin(example, crossing.examples) & np.isin(name, crossing.names)
        return _Block(values[inside].reshape(crossing.examples.size, crossing.names.size, reruns), CROSSED)
    drawn = np.array([_lot(name) for name in rows["wording"].unique().sort().to_list()])
    order = np.lexsort((drawn[name], example))
    chosen, count = _own_wordings(example[order])
    cube = values[order[chosen]].reshape(-1, count, reruns)
    return _Block(cube, NESTED)


@lru_cache(maxsize=65536)
def _lot(wording: str) -> int:
    """Returns the lot of a wording, which is the same for all models that were asked it."""
    return seed_of("nested", wording)


def _begins(codes: Integers) -> Mask:
    """Returns where another code begins than in the row before."""
    return np.concatenate([[True], np.diff(codes) != 0])


def _own_wordings(example: Integers) -> tuple[Integers, int]:
    """Returns the places of the first k wordings of all examples (two or more) that have so many, k such that they are most; and k."""
    counts = np.bincount(example)
    sizes = np.arange(counts.max() + 1)
    enough = np.bincount(counts).cumsum()[-1] - np.concatenate([[0], np.bincount(counts).cumsum()[:-1]])
    block = sizes * enough
    block[:2] = 0
    block[enough < 2] = 0
    count = int(block.size - 1 - np.argmax(block[::-1]))
    within = np.arange(example.size) - np.concatenate([[0], np.cumsum(counts)[:-1]])[example]
    result: Integers = np.flatnonzero((counts[example] >= count) & (within < count))
    return result, count
