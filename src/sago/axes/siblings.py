"""Measures of mirroring: a number for a wording and its own reply, one for the replies to its siblings, and what is left of the first.

Not distances. In the tables ``across`` is own, ``unrelated`` sibling and ``instability`` what is left (signed, 0 = no mirroring);
``rerun`` is null: the null here is that replies belong to no wording (METRICS 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays.grouping import Floats
from sago.arrays.index import FEW_VARIANTS, SMALL_N
from sago.arrays.intervals import Interval, wilson
from sago.arrays.tracking import Relabelled, joint_p
from sago.arrays.uptake import pooled_mean
from sago.axes.cells import Asked, asked
from sago.axes.halves import gains_over_halves, halves_table, splits_of
from sago.axes.profiles import number
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL, most_frequent
from sago.seeds import generator

NOT_DEFINED = "rerun=not_defined"
_WITHOUT_TEXT = ("empty", "refusal", "filtered")
"""Statuses of a reply that came without text: it takes up nothing, and nothing of it is missing."""


@dataclass(frozen=True)
class Wordings:
    """The wordings of one example in one cell and the replies to each; the canonical one first.

    Attributes:
        example: Id of the example.
        names: Name of each wording; those with the same prompt are one, their replies reruns.
        families: Family of each wording.
        prompts: What the user says in each.
        replies: Texts of the replies to each, one a rerun.
        places: Place of each among all wordings of the example. asked: Number of these.
        others: Other readings of the replies by name, in the shape of ``replies``.
    """

    example: str
    names: tuple[str, ...]
    families: tuple[str, ...]
    prompts: tuple[str, ...]
    replies: tuple[Sequence[str], ...]
    places: tuple[int, ...]
    asked: int
    others: Mapping[str, tuple[Sequence[Any], ...]]


class Mirrored(NamedTuple):
    """What a measure says of one example.

    Attributes:
        own: Of wordings and their own replies.
        sibling: Of wordings and the replies to the others, or what chance gives.
        left: What is left of own, signed; 0 = no mirroring. NaN like the other two where there is a reason.
        weight: What the example weighs in a pooled number.
        reason: Why there is no number.
        gains: Of each wording, what is left of it and what it weighs, for scores over halves of them; null = not made.
        relabelled: The same under relabelings of the replies, for the permutation test; null = not made.
        flags: Remarks about this example; those of a cell are those that any of its examples has.
    """

    own: float = float("nan")
    sibling: float = float("nan")
    left: float = float("nan")
    weight: float = 1.0
    reason: str | None = None
    gains: tuple[Floats, Floats] | None = None
    relabelled: Relabelled | None = None
    flags: tuple[str, ...] = ()


Value = Callable[[Asked, Wordings], Mapping[str | None, Mirrored]]
"""Wordings of an example (at least two) -> what the measure says of all of them (key null), and of families."""


@dataclass(frozen=True)
class _Example:
    name: str
    wordings: int
    replies: int
    places: tuple[int, ...]
    asked: int
    found: Mapping[str | None, Mirrored]

    def of(self, family: str | None) -> Mirrored:
        return self.found.get(family) or Mirrored(reason=self.found[None].reason if self.wordings < 2 else "no_variants")


def replies(inputs: AxisInput) -> pl.DataFrame:
    """Returns prompt and reply of every observation; null with a reason where one of them is not known."""
    said = pl.element().struct.field("content").filter(pl.element().struct.field("role") == "user")
    prompts = inputs.variants.select("dataset", "example", "variant", prompt=pl.col("messages").list.eval(said).list.join("\n"))
    silent = pl.when(pl.col("status").is_in(_WITHOUT_TEXT)).then(pl.lit(""))
    rows = inputs.observations.select(*schemas.KEYS, pl.col("response").fill_null(silent))
    joined = rows.join(prompts, on=["dataset", "example", "variant"], how="inner")
    blank = (pl.col("prompt").fill_null("").str.strip_chars() == "").cast(pl.Boolean)
    unknown = pl.when(blank).then(pl.lit("not_observable")).when(pl.col("response").is_null()).then(pl.lit("not_recorded"))
    return joined.with_columns(reason=unknown)


def wordings_of(part: Asked) -> Iterator[Wordings]:
    """Yields the wordings of each example that has a known reply, sorted by example; controls and audit are left out."""
    rows = part.rows.filter(~pl.col("control") & (pl.col("decoding") == part.decoding) & pl.col("reason").is_null())
    known = {*schemas.KEYS, "wording", "wordings", "place", "family", "control", "prompt", "response", "reason", "status"}
    others = [name for name in rows.columns if name not in known]
    by_wording = (
        rows.with_columns(_later=pl.col("wording") != CANONICAL)
        .sort("example", "_later", "wording", "rerun", "variant")
        .group_by("example", "wording", maintain_order=True)
        .agg(pl.col("family", "prompt", "place", "wordings").first(), pl.col("response"), *others)
        .group_by("example", maintain_order=True)
        .agg("wording", "family", "prompt", "response", "place", pl.col("wordings").first(), *others)
    )
    for name, names, families, prompts, responses, places, asked_in, *values in by_wording.iter_rows():
        named = {column: tuple(of_column) for column, of_column in zip(others, values, strict=True)}
        yield Wordings(name, tuple(names), tuple(families), tuple(prompts), tuple(responses), tuple(places), asked_in, named)


def absent_reasons(part: Asked) -> dict[str, str]:
    """Returns why an example lacks replies; of several reasons the first by name, so that row order does not matter."""
    unknown = part.rows.filter(~pl.col("control") & pl.col("reason").is_not_null()).sort("reason")
    return dict(part.lost) | dict(unknown.unique("example", keep="first", maintain_order=True).select("example", "reason").iter_rows())


def parts_of(inputs: AxisInput) -> list[Asked]:
    """Returns every cell with prompts and replies, made once for all companions."""
    return inputs.once("prompts and replies", lambda: asked(inputs, replies(inputs)))


def mirrored(
    axis: str, measure: str, parts: Sequence[Asked], value: Value, *, seed: int = 0, default: bool = False, pooled: bool = False
) -> Scored:
    """Returns scores and profiles of a measure of mirroring, and of the default one scores over halves of the wordings.

    Args:
        axis: Name of the axis.
        measure: Name of the measure.
        parts: The cells with prompts and replies.
        value: What the measure says of an example.
        seed: Study seed, for the permutation test and the halves.
        default: Whether it is the default measure.
        pooled: Whether examples weigh as much as their ``weight``; such a measure has no scores of examples.
    """
    scores: list[dict[str, Any]] = []
    profiles: list[dict[str, Any]] = []
    halves = [schemas.empty("halves")]
    for part in parts:
        head = {"model": part.model, "dataset": part.dataset, "axis": axis, "measure": measure, "decoding": part.decoding}
        examples = _examples(part, value)
        scores += [] if pooled else _score_rows(head, examples)
        if default:
            halves.append(halves_table(head, part.examples, gains_over_halves(_gains(examples), splits_of(seed, part.dataset))))
        families = sorted({family for example in examples for family in example.found if family is not None})
        for family in (None, *families):
            row = _profile_row(examples, family, pooled=pooled)
            p = _permutation_p([example.of(family) for example in examples], (seed, *head.values(), family))
            profiles.append({**head, **row, "flags": row["flags"] + p, "family": family, "default": default and family is None})
    kept = schemas.check("halves", pl.concat(halves))
    return Scored(schemas.frame("scores", scores), schemas.frame("profiles", profiles), schemas.empty("controls"), kept)


def _examples(part: Asked, value: Value) -> list[_Example]:
    found: dict[str, _Example] = {}
    for one in wordings_of(part):
        said: Mapping[str | None, Mirrored] = {None: Mirrored(reason="too_few_variants")}
        if len(one.names) > 1:
            said = value(part, one)
        found[one.example] = _Example(one.example, len(one.names), sum(len(own) for own in one.replies), one.places, one.asked, said)
    absent = absent_reasons(part)
    return [
        found.get(name) or _Example(name, 0, 0, (), 0, {None: Mirrored(reason=absent.get(name, "not_observable"))})
        for name in part.examples
    ]


def _gains(examples: Sequence[_Example]) -> Iterator[tuple[int, int, tuple[int, ...], Floats, Floats]]:
    for place, example in enumerate(examples):
        gains = example.of(None).gains
        if gains is not None:
            yield place, example.asked, example.places, *gains


def _score_rows(head: Mapping[str, str], examples: Sequence[_Example]) -> list[dict[str, Any]]:
    known = [example.of(None).left for example in examples if example.of(None).reason is None]
    mean = float(np.mean(known)) if known else float("nan")
    return [
        {
            **head,
            "example": example.name,
            "across": number(found.own),
            "unrelated": number(found.sibling),
            "instability": number(found.left),
            "influence": number(found.left - mean),
            "n_variants": example.wordings,
            "n_observations": example.replies,
            "reason": found.reason,
        }
        for example in examples
        for found in (example.of(None),)
    ]


def _profile_row(examples: Sequence[_Example], family: str | None, *, pooled: bool) -> dict[str, Any]:
    part = [example for example in examples if example.of(family).reason is None]
    head = {"n": len(part), "n_left_out": len(examples) - len(part), "flags": [NOT_DEFINED]}
    if not part:
        reasons = [str(example.of(family).reason) for example in examples]
        known = [reason for reason in reasons if reason != "no_variants"] or reasons
        return {**head, "reason": most_frequent(known) if known else "not_observable"}
    found = [example.of(family) for example in part]
    weights = np.array([one.weight if pooled else 1.0 for one in found])
    wordings = np.array([example.wordings for example in part])
    own, own_interval = pooled_mean(_column(found, "own"), weights)
    left, interval = pooled_mean(_column(found, "left"), weights)
    flags = [*head["flags"], *(["small_n"] if len(part) < SMALL_N else [])]  # type: ignore[misc]
    if family is None and wordings.mean() < FEW_VARIANTS:
        flags.append("few_variants")
    if interval.se == 0:
        flags.append("no_spread")
        if left == 0:
            # No uptake in n examples bounds how many would show some, in either direction (METRICS 8, 1f); it is no interval of width 0.
            bound = wilson(0, len(part)).upper
            interval = Interval(-bound, bound, 0.0)
    return {
        **head,
        "n_variants": float(wordings.mean()),
        "n_reruns": float(sum(example.replies for example in part) / wordings.sum()),
        "across": number(own),
        "across_se": number(own_interval.se),
        "across_lower": number(own_interval.lower),
        "across_upper": number(own_interval.upper),
        "unrelated": number(pooled_mean(_column(found, "sibling"), weights)[0]),
        "instability": number(left),
        "se": number(interval.se),
        "lower": number(interval.lower),
        "upper": number(interval.upper),
        "flags": flags + sorted({flag for one in found for flag in one.flags}),
        "reason": None,
    }


def _column(found: Sequence[Mirrored], name: str) -> Floats:
    return np.array([getattr(one, name) for one in found], dtype=np.float64)


def _permutation_p(found: Sequence[Mirrored], key: tuple[Any, ...]) -> list[str]:
    known = [one for one in found if one.reason is None]
    nulls = [one.relabelled for one in known if one.relabelled is not None]
    if not nulls or len(nulls) < len(known):
        return []
    return [f"permutation_p={joint_p(_column(known, 'left'), nulls, generator(*key, 'permutation')):.4f}"]
