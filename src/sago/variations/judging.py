"""Wordings that may have changed the meaning -> the same, each with what checks say of it (METRICS 10).

Only wordings that do not keep the meaning by construction are judged; by their texts alone, never by what a model under test answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import polars as pl

from sago import schemas
from sago.records import BY_CONSTRUCTION, CANONICAL
from sago.variations.language import TRANSLATION
from sago.variations.making import Varied


class Pair(NamedTuple):
    """Two texts that should mean the same: the questions where these differ, else the whole prompts."""

    original: str
    wording: str


class Judgement(NamedTuple):
    """What one check says of a pair."""

    value: float | None
    """What was measured; null where nothing came."""
    passed: bool | None
    """Whether it means the same by that; null = no verdict."""


class Said(NamedTuple):
    """A judgement with who made it: an entry of column ``judgements``."""

    check: str
    by: str
    value: float | None
    threshold: float | None
    passed: bool | None


class Judge(Protocol):
    """A check of whether two texts mean the same.

    Attributes:
        name: Name of the check, for instance ``encoder``.
        by: Who checks: name of a model.
        threshold: Value from which on a pair passes; null = none.
        reads_translations: Whether it can judge texts in two languages.
    """

    @property
    def name(self) -> str:
        """See above."""
        ...

    @property
    def by(self) -> str:
        """See above."""
        ...

    @property
    def threshold(self) -> float | None:
        """See above."""
        ...

    @property
    def reads_translations(self) -> bool:
        """See above."""
        ...

    def __call__(self, pairs: Sequence[Pair]) -> Sequence[Judgement]:
        """Returns one judgement a pair."""
        ...


def check_meaning(varied: Varied, judges: Sequence[Judge]) -> Varied:
    """Judges the wordings that may have changed the meaning, and takes those out of use that fail.

    Args:
        varied: Variants and counts; all wordings of an example with its original one.
        judges: The checks, in the order in which the first failed one is named.

    Returns:
        The variants that are left, each with its judgements; the rejected ones; and counts in which these moved from ``made`` to
        ``dropped_changed``.
    """
    originals = {(row["dataset"], row["example"]): row for row in varied.variants.filter(pl.col("position") == 0).iter_rows(named=True)}
    to_check = (pl.col("family") != CANONICAL) & ~pl.col("control") & ~pl.col("checks").list.contains(BY_CONSTRUCTION)
    rows = varied.variants.with_row_index("_row").filter(to_check).to_dicts()
    if not rows or not judges:
        return varied
    pairs = [_pair(originals[row["dataset"], row["example"]], row) for row in rows]
    said: list[list[Said]] = [[] for _ in rows]
    for judge in judges:
        mine = [place for place, row in enumerate(rows) if judge.reads_translations or not _is_translation(row["family"])]
        for place, judgement in zip(mine, judge([pairs[place] for place in mine]), strict=True):
            said[place].append(Said(judge.name, judge.by, judgement.value, judge.threshold, judgement.passed))
    return with_judgements(varied, {row["_row"]: given for row, given in zip(rows, said, strict=True)})


def with_judgements(varied: Varied, said: Mapping[int, Sequence[Said]]) -> Varied:
    """Returns variants and counts with what was said of some variants; those of which it was said that they changed are rejected.

    Args:
        varied: Variants and counts.
        said: Row of table ``variants`` -> what was said of it.
    """
    columns = {name: varied.variants[name].to_list() for name in ("judgements", "checks", "rejected")}
    for row, given in said.items():
        columns["judgements"][row] = beside(columns["judgements"][row], given)
        columns["checks"][row] = [*columns["checks"][row], *dict.fromkeys(one.check for one in given if one.passed)]
        columns["rejected"][row] = next((one.check for one in given if one.passed is False), columns["rejected"][row])
    types = schemas.dtypes("variants")
    changed = varied.variants.with_columns(pl.Series(name, values, dtype=types[name]) for name, values in columns.items())
    out = changed.filter(pl.col("rejected").is_not_null())
    moved = out.group_by("dataset", "family").agg(pl.len().cast(pl.Int64).alias("_moved"))
    counts = varied.counts.join(moved, on=["dataset", "family"], how="left", maintain_order="left")
    gone = pl.col("_moved").fill_null(0)
    counts = counts.with_columns(made=pl.col("made") - gone, dropped_changed=pl.col("dropped_changed") + gone).drop("_moved")
    return Varied(changed.filter(pl.col("rejected").is_null()), counts, pl.concat([varied.rejected, out]))


def beside(earlier: list[dict[str, Any]] | None, said: Sequence[Said]) -> list[dict[str, Any]] | None:
    """Returns an entry of column ``judgements`` with more that was said; null where nothing was."""
    return [*(earlier or ()), *(one._asdict() for one in said)] or None


def _pair(original: dict[str, Any], row: dict[str, Any]) -> Pair:
    if original["question"] != row["question"]:
        return Pair(original["question"], row["question"])
    return Pair(_whole(original), _whole(row))


def _whole(row: dict[str, Any]) -> str:
    return "\n\n".join(message["content"] for message in row["messages"])


def _is_translation(family: str) -> bool:
    return TRANSLATION in (layer.partition("@")[0] for layer in family.split("+"))
