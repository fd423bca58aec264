"""Response mirroring: how much of a wording turns up in the reply to it? (METRICS 6).

Not a distance. In the tables `across` is the uptake of a wording's own distinctive words (own), `unrelated` the uptake of its siblings'
(sibling), `instability` their difference (signed), and `rerun` is null: the null here is that replies belong to no wording.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import mean_interval, uptake, uptake_matrix
from sago.arrays.distances import Floats
from sago.arrays.index import SMALL_N
from sago.axes.cells import asked_examples, with_families
from sago.axes.distance_axis import number
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL, MISSING_STATUSES

_MEASURE = "distinctive_uptake"
_DECODINGS = ("greedy", "sampled")


class Mirroring:
    """``distinctive_uptake``: share of the words that only one wording has which its own reply takes up, less the siblings' share."""

    name = "mirroring"
    description = "does the reply copy the wording: distinctive_uptake; 0 = no, 1 = echo"
    measures = (_MEASURE,)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores and profiles; this axis has no controls of its own."""
        rows = _replies(inputs)
        asked = asked_examples(inputs.observations)
        scores: list[dict[str, Any]] = []
        profiles: list[dict[str, Any]] = []
        for (model, dataset, decoding), cell in rows.group_by("model", "dataset", "decoding", maintain_order=True):
            head = {"model": model, "dataset": dataset, "axis": self.name, "measure": _MEASURE, "decoding": decoding}
            examples = [_example(str(name), group) for (name,), group in cell.group_by("example", maintain_order=True)]
            scores += [{**head, **example.row()} for example in examples]
            profiles.append({**head, **_profile(examples, asked[str(model), str(dataset)]), "default": True})
            profiles += _families(head, cell, asked[str(model), str(dataset)])
        return Scored(schemas.frame("scores", scores), schemas.frame("profiles", profiles), schemas.empty("controls"))


class _Example(NamedTuple):
    """Uptake of one example."""

    name: str
    own: float
    sibling: float
    gain: float
    variants: int
    replies: int
    reason: str | None

    def row(self) -> dict[str, Any]:
        return {
            "example": self.name,
            "across": number(self.own),
            "unrelated": number(self.sibling),
            "instability": number(self.gain),
            "n_variants": self.variants,
            "n_observations": self.replies,
            "reason": self.reason,
        }


def _replies(inputs: AxisInput) -> pl.DataFrame:
    """Returns prompt and reply of every wording with data; a reply without text takes up nothing."""
    prompt = pl.col("messages").list.last().struct.field("content").alias("prompt")
    prompts = inputs.variants.select("dataset", "example", "variant", prompt)
    observed = inputs.observations.filter(pl.col("decoding").is_in(_DECODINGS) & ~pl.col("status").is_in(list(MISSING_STATUSES)))
    rows = with_families(observed.with_columns(pl.col("response").fill_null("")), inputs.variants)
    return rows.filter(~pl.col("control")).join(prompts, on=["dataset", "example", "variant"], how="inner", maintain_order="left")


def _example(name: str, rows: pl.DataFrame) -> _Example:
    wordings = rows.group_by("variant", maintain_order=True).agg(pl.col("prompt").first(), pl.col("response"))
    if wordings.height < 2:
        return _Example(name, np.nan, np.nan, np.nan, wordings.height, rows.height, "too_few_variants")
    found = uptake(*uptake_matrix(wordings["prompt"].to_list(), wordings["response"].to_list()))
    reason = None if found.weight else "no_distinctive_surface"
    return _Example(name, found.own, found.sibling, found.gain, wordings.height, rows.height, reason)


def _profile(examples: list[_Example], asked: int) -> dict[str, Any]:
    part = [example for example in examples if example.reason is None]
    if not part:
        reasons = sorted(str(example.reason) for example in examples)
        reason = max(reasons, key=reasons.count) if reasons else "not_observable"
        return {"default": False, "n": 0, "n_left_out": asked, "flags": ["rerun=not_defined"], "reason": reason}
    own, own_interval = mean_interval(_values(part, "own"))
    gain, interval = mean_interval(_values(part, "gain"))
    sibling, _ = mean_interval(_values(part, "sibling"))
    return {
        "default": False,
        "n": len(part),
        "n_left_out": max(asked - len(part), 0),
        "n_variants": float(np.mean([example.variants for example in part])),
        "n_reruns": float(np.mean([example.replies / example.variants for example in part])),
        "across": number(own),
        "across_se": number(own_interval.se),
        "across_lower": number(own_interval.lower),
        "across_upper": number(own_interval.upper),
        "unrelated": number(sibling),
        "instability": number(gain),
        "se": number(interval.se),
        "lower": number(interval.lower),
        "upper": number(interval.upper),
        "flags": [*(["small_n"] if len(part) < SMALL_N else []), "rerun=not_defined"],
        "reason": None if len(part) > 1 else "too_few_examples",
    }


def _values(examples: list[_Example], name: str) -> Floats:
    return np.array([getattr(example, name) for example in examples], dtype=np.float64)


def _families(head: dict[str, Any], cell: pl.DataFrame, asked: int) -> list[dict[str, Any]]:
    rows = []
    for family in sorted(set(cell["family"]) - {CANONICAL}):
        mine = cell.filter(pl.col("family").is_in([family, CANONICAL]))
        examples = [_example(str(name), group) for (name,), group in mine.group_by("example", maintain_order=True)]
        rows.append({**head, **_profile(examples, asked), "family": family})
    return rows


axis = Mirroring()
"""The registered axis."""
