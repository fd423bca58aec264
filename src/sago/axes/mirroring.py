"""Response mirroring: how much of a wording turns up in the reply to it? (METRICS 6).

Not a distance. In the tables `across` is the uptake of a wording's own distinctive words (own), `unrelated` the uptake of its siblings'
(sibling), `instability` their difference (signed), and `rerun` is null: the null here is that replies belong to no wording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import Interval, Uptake, mean_interval, uptake, uptake_matrix, wilson, words
from sago.arrays.grouping import Floats
from sago.arrays.index import FEW_VARIANTS, SMALL_N
from sago.arrays.uptake import Surface
from sago.axes.cells import Asked, asked
from sago.axes.profiles import number
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL

MEASURE = "distinctive_uptake"
_NOT_DEFINED = "rerun=not_defined"


class Mirroring:
    """``distinctive_uptake``: share of the words that only one wording has which its own reply takes up, less the siblings' share.

    The number of a cell is the mean over examples. The rows of a family count the distinctive words of its wordings alone; the siblings
    are all other wordings, the canonical one among them. The axis has no controls: its 0 and 1 are not those of a distance.
    """

    name = "mirroring"
    description = "does the reply copy the wording: distinctive_uptake; 0 = no, 1 = echo"
    measures = (MEASURE,)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores and profiles."""
        surfaces = cache(words)
        scores: list[dict[str, Any]] = []
        profiles: list[dict[str, Any]] = []
        for part in asked(inputs, _replies(inputs)):
            head = {"model": part.model, "dataset": part.dataset, "axis": self.name, "measure": MEASURE, "decoding": part.decoding}
            examples = _examples(part, surfaces)
            scores += [{**head, **example.row()} for example in examples]
            profiles.append({**head, **_profile(examples, None), "default": True})
            families = sorted({family for example in examples for family in example.families} - {CANONICAL})
            profiles += [{**head, **_profile(examples, family), "family": family} for family in families]
        return Scored(schemas.frame("scores", scores), schemas.frame("profiles", profiles), schemas.empty("controls"))


@dataclass(frozen=True)
class _Example:
    """Uptake of one example; counts and sizes are empty where there was too little data.

    Attributes:
        families: Family of each wording.
        replies: Number of replies to each wording.
    """

    name: str
    families: tuple[str, ...]
    replies: tuple[int, ...]
    counts: Floats
    sizes: Floats
    lost: str

    def of(self, family: str | None) -> Uptake:
        among = None if family is None else [place for place, name in enumerate(self.families) if name == family]
        return uptake(self.counts, self.sizes, among)

    def reason(self, family: str | None) -> str | None:
        if len(self.families) < 2:
            return "too_few_variants" if self.families else self.lost
        if family is not None and family not in self.families:
            return "no_variants"
        return None if self.of(family).weight else "no_distinctive_surface"

    def row(self) -> dict[str, Any]:
        found = self.of(None)
        return {
            "example": self.name,
            "across": number(found.own),
            "unrelated": number(found.sibling),
            "instability": number(found.gain),
            "n_variants": len(self.families),
            "n_observations": sum(self.replies),
            "reason": self.reason(None),
        }


def _replies(inputs: AxisInput) -> pl.DataFrame:
    """Returns prompt and reply of every observation; a reply without text takes up nothing."""
    message = pl.element().struct.field("content").filter(pl.element().struct.field("role") == "user")
    prompts = inputs.variants.select("dataset", "example", "variant", prompt=pl.col("messages").list.eval(message).list.join("\n"))
    rows = inputs.observations.select(*schemas.KEYS, pl.col("response").fill_null("")).join(
        prompts, on=["dataset", "example", "variant"], how="inner"
    )
    blank = pl.when(pl.col("prompt").str.strip_chars() == "").then(pl.lit("not_observable"))
    return rows.with_columns(reason=blank)


def _examples(part: Asked, surfaces: Callable[[str], Surface]) -> list[_Example]:
    rows = part.rows.filter(~pl.col("control") & (pl.col("decoding") == part.decoding) & pl.col("reason").is_null())
    canonical_last = (pl.col("family") == CANONICAL).not_()
    wordings = (
        rows.sort("example", "wording", canonical_last, "variant", "rerun")
        .group_by("example", "wording", maintain_order=True)
        .agg(pl.col("family").first(), pl.col("prompt").first(), pl.col("response"))
        .group_by("example", maintain_order=True)
        .agg("family", "prompt", "response")
    )
    found = {}
    for name, families, prompts, responses in wordings.iter_rows():
        replies = [[surfaces(reply) for reply in own] for own in responses]
        counts, sizes = uptake_matrix([surfaces(prompt) for prompt in prompts], replies)
        found[name] = _Example(name, tuple(families), tuple(len(own) for own in responses), counts, sizes, "")
    none = np.empty(0)
    return [found.get(name) or _Example(name, (), (), none[None, :], none, part.lost.get(name, "not_observable")) for name in part.examples]


def _profile(examples: list[_Example], family: str | None) -> dict[str, Any]:
    part = [example for example in examples if example.reason(family) is None]
    head = {"default": False, "n": len(part), "n_left_out": len(examples) - len(part), "flags": [_NOT_DEFINED]}
    if not part:
        reasons = sorted(str(example.reason(family)) for example in examples)
        known = [reason for reason in reasons if reason != "no_variants"]
        return {**head, "reason": max(known, key=known.count) if known else "not_observable"}
    found = [example.of(family) for example in part]
    own, own_interval = mean_interval(np.array([one.own for one in found]))
    gain, interval = mean_interval(np.array([one.gain for one in found]))
    wordings = np.array([len(example.families) for example in part])
    flags = [*head["flags"], *(["small_n"] if len(part) < SMALL_N else [])]  # type: ignore[misc]
    if family is None and wordings.mean() < FEW_VARIANTS:
        flags.append("few_variants")
    if interval.se == 0:
        flags.append("no_spread")
        if gain == 0:
            # No uptake in n examples bounds how many would show some, in either direction (METRICS 8, 1f); it is no interval of width 0.
            bound = wilson(0, len(part)).upper
            interval = Interval(-bound, bound, 0.0)
    return {
        **head,
        "n_variants": float(wordings.mean()),
        "n_reruns": float(sum(sum(example.replies) for example in part) / wordings.sum()),
        "across": number(own),
        "across_se": number(own_interval.se),
        "across_lower": number(own_interval.lower),
        "across_upper": number(own_interval.upper),
        "unrelated": number(float(np.mean([one.sibling for one in found]))),
        "instability": number(gain),
        "se": number(interval.se),
        "lower": number(interval.lower),
        "upper": number(interval.upper),
        "flags": flags,
        "reason": None,
    }


axis = Mirroring()
"""The registered axis."""
