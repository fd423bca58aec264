"""What a companion measure is, and how its values become rows of tables ``scores`` and ``profiles``.

A companion stands beside the default measure of an axis and is made only where it is asked for by name. Its value stands in the column
``across``, with 0 for perfectly stable. One that is a distance between any two responses goes through the core index like a default
measure (:func:`of_distance`) and has ``rerun``, ``unrelated`` and ``instability`` too; the others have neither floor nor null there, and
their ``instability`` is null with reason ``no_null``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from sago import schemas
from sago.arrays import Interval, mean_interval, wilson
from sago.arrays.grouping import Integers
from sago.arrays.index import FEW_VARIANTS, SMALL_N
from sago.axes.cells import Asked, asked
from sago.axes.distance_axis import Measure, feature_cells, score_cells
from sago.axes.profiles import number
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL, most_frequent

NO_NULL = "no_null"
"""Reason of a null ``instability``: the measure says nothing about unrelated questions."""


@dataclass(frozen=True)
class Companion:
    """A measure beside the default one.

    Attributes:
        name: Name of the measure, as asked for and as in the tables.
        axis: Axis that it belongs to.
        level: ``example``: one value an example, the cell's is their mean; ``cell``: one value a cell.
        lower: Smallest possible value; null = unbounded.
        upper: Largest possible value; null = unbounded.
        unit: Unit of the value, for instance ``share of pairs``, ``nats``.
        zero: What the value 0 says, in a few words.
        source: Paper, or ``own``.
        compute: The function that makes its rows; its docstring is the reference.
        needs: Features that it reads; ``embedding`` makes the encoder run on every response.
    """

    name: str
    axis: str
    level: Literal["example", "cell"]
    lower: float | None
    upper: float | None
    unit: str
    zero: str
    source: str
    compute: Callable[[Companion, AxisInput], Scored]
    needs: tuple[str, ...] = ()


def given(compute: Callable[..., Scored], **values: Any) -> Callable[[Companion, AxisInput], Scored]:
    """Returns a function that makes rows, with some of its arguments given; it keeps its docstring, which ``functools.partial`` loses."""
    made = partial(compute, **values)
    update_wrapper(made, compute)
    return made


class Value(NamedTuple):
    """What a companion says of one example: a number, or null with a reason."""

    number: float | None
    reason: str | None = None


class CellValue(NamedTuple):
    """What a companion says of one cell.

    Attributes:
        number: The value; null with a reason.
        n: Examples that took part.
        interval: Its 95 % interval; NaN where there is none, with a flag that says why.
        reason: Why there is no number.
        flags: Remarks, for instance ``interval=not_defined``.
    """

    number: float | None
    n: int
    interval: Interval = Interval()
    reason: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """The responses to the wordings of one example in one cell; controls, audit and missing data are left out.

    Attributes:
        example: Id of the example.
        wording: Code of the wording of each row, from 0 in order of position; rows with one code are reruns.
        names: Name of the wording behind each code; ``canonical`` is the original, whichever of its variants was answered.
        columns: Readings by column, one entry a row.
    """

    example: str
    wording: Integers
    names: tuple[str, ...]
    columns: Mapping[str, list[Any]]

    def __getitem__(self, column: str) -> list[Any]:
        return self.columns[column]


def groups_of(part: Asked, columns: Sequence[str], *, known: pl.Expr | None = None) -> Iterator[Group]:
    """Yields the groups of a cell, sorted by example; only examples with at least one row.

    Args:
        part: The cell.
        columns: Readings to carry.
        known: Rows that count; null = all of them.
    """
    rows = part.rows.filter(~pl.col("control") & (pl.col("decoding") == part.decoding))
    rows = rows if known is None else rows.filter(known)
    rows = rows.sort("example", pl.col("wording") != CANONICAL, "wording", "rerun", "variant", maintain_order=True)
    gathered = rows.group_by("example", maintain_order=True).agg("wording", *columns)
    for name, wordings, *values in gathered.iter_rows():
        code: dict[str, int] = {}
        of_row = [code.setdefault(wording, len(code)) for wording in wordings]
        yield Group(
            example=name,
            wording=np.array(of_row, dtype=np.int64),
            names=tuple(code),
            columns=dict(zip(columns, values, strict=True)),
        )


def of_examples(
    companion: Companion,
    inputs: AxisInput,
    readings: pl.DataFrame,
    value: Callable[[Group], Value],
    *,
    known: pl.Expr | None = None,
    prompt_only: bool = False,
    flags: Callable[[Asked], Sequence[str]] | None = None,
) -> Scored:
    """Returns the rows of a companion with one value an example; the cell's is their mean with its interval.

    Args:
        companion: The companion.
        inputs: The tables.
        readings: Rows with the key of an observation, whatever ``value`` reads, and ``reason`` (null where there is a value).
        value: Value of one example. It is given examples with at least two wordings only.
        known: Rows that count, over the columns of ``readings`` and ``status``; null = those whose reason is null.
        prompt_only: Whether the reading needs the prompt alone (see ``asked``).
        flags: Remarks on a cell in which at least one example has a value.
    """
    columns = [name for name in readings.columns if name not in schemas.KEYS]
    known = pl.col("reason").is_null() if known is None else known
    scores: list[dict[str, Any]] = []
    profiles: list[dict[str, Any]] = []
    for part in asked(inputs, readings, prompt_only=prompt_only):
        groups = {group.example: group for group in groups_of(part, [*columns, "status"], known=known)}
        absent = dict(part.lost) | _reasons(part)
        found = []
        for name in part.examples:
            group = groups.get(name)
            if group is None:
                given = Value(None, absent.get(name, "not_observable"))
            elif len(group.names) < 2:
                given = Value(None, "too_few_variants")
            else:
                given = value(group)
            found.append((group, given))
            scores.append(_score_row(companion, part, name, group, given))
        profiles.append(_profile_row(companion, part, found, () if flags is None else flags(part)))
    return Scored(schemas.frame("scores", scores), schemas.frame("profiles", profiles), schemas.empty("controls"))


def of_cells(
    companion: Companion,
    inputs: AxisInput,
    readings: pl.DataFrame | Sequence[Asked],
    value: Callable[[Asked], CellValue],
    *,
    prompt_only: bool = False,
) -> Scored:
    """Returns the rows of a companion with one value a cell; it makes no rows of table ``scores``.

    Args:
        companion: The companion.
        inputs: The tables.
        readings: Readings as for ``of_examples``, or the cells that were made of some already.
        value: Value of one cell.
        prompt_only: Whether the reading needs the prompt alone (see ``asked``).
    """
    profiles = []
    for part in asked(inputs, readings, prompt_only=prompt_only) if isinstance(readings, pl.DataFrame) else readings:
        found = value(part)
        profiles.append(
            {
                **_head(companion, part),
                "n": found.n,
                "n_left_out": len(part.examples) - found.n,
                "across": found.number,
                "across_se": number(found.interval.se),
                "across_lower": number(found.interval.lower),
                "across_upper": number(found.interval.upper),
                "flags": list(found.flags),
                "reason": found.reason or NO_NULL,
            }
        )
    return Scored(schemas.empty("scores"), schemas.frame("profiles", profiles), schemas.empty("controls"))


def of_distance(companion: Companion, inputs: AxisInput, measure: Measure, rows: pl.DataFrame | None = None) -> Scored:
    """Returns the rows of a companion that is a feature and a distance of ``sago.arrays.DISTANCES``, through the core index."""
    return score_cells(feature_cells(inputs, companion.axis, measure, lambda _: False, rows, always=True), inputs.seed)


def why_none(part: Asked) -> str:
    """Returns why no example of a cell has a reading: the most frequent reason, of equally frequent ones the first by name."""
    reasons = (dict(part.lost) | _reasons(part)).values()
    return most_frequent(reasons) if reasons else "not_observable"


def with_flags(scored: Scored, companion: Companion, remarks: Mapping[tuple[str, str, str], Sequence[str]]) -> Scored:
    """Returns the rows of a companion with remarks added to its profiles.

    Args:
        scored: Its rows.
        companion: The companion.
        remarks: (model, data set, decoding) -> remarks.
    """
    keys = ["model", "dataset", "decoding"]
    rows = [(*key, list(more)) for key, more in remarks.items()]
    added = pl.DataFrame(rows, schema={**dict.fromkeys(keys, pl.String), "_more": pl.List(pl.String)}, orient="row")
    joined = scored.profiles.join(added, on=keys, how="left", maintain_order="left")
    more = pl.when(pl.col("measure") == companion.name).then("_more").fill_null(pl.lit([], dtype=pl.List(pl.String)))
    return scored._replace(profiles=joined.with_columns(flags=pl.col("flags").list.concat(more)).drop("_more"))


def _head(companion: Companion, part: Asked) -> dict[str, Any]:
    return {
        "model": part.model,
        "dataset": part.dataset,
        "axis": companion.axis,
        "measure": companion.name,
        "decoding": part.decoding,
        "default": False,
    }


def _reasons(part: Asked) -> dict[str, str]:
    """Returns why an example has no reading; of several reasons the first by name, so that row order does not matter."""
    rows = part.rows.filter(~pl.col("control") & pl.col("reason").is_not_null()).sort("reason")
    return dict(rows.unique("example", keep="first", maintain_order=True).select("example", "reason").iter_rows())


def _score_row(companion: Companion, part: Asked, name: str, group: Group | None, given: Value) -> dict[str, Any]:
    head = _head(companion, part)
    del head["default"]
    return {
        **head,
        "example": name,
        "across": given.number,
        "n_variants": len(group.names) if group else 0,
        "n_observations": int(group.wording.size) if group else 0,
        "reason": NO_NULL if given.reason is None else given.reason,
    }


def _profile_row(companion: Companion, part: Asked, found: Sequence[tuple[Group | None, Value]], remarks: Sequence[str]) -> dict[str, Any]:
    used = [(group, given.number) for group, given in found if group is not None and given.number is not None]
    head = {**_head(companion, part), "n": len(used), "n_left_out": len(part.examples) - len(used)}
    if not used:
        reasons = [given.reason for _, given in found if given.reason]
        return {**head, "flags": [], "reason": most_frequent(reasons) if reasons else "not_observable"}
    mean, interval = mean_interval(np.array([value for _, value in used], dtype=np.float64))
    wordings = np.array([len(group.names) for group, _ in used])
    flags = [flag for flag, holds in (("small_n", len(used) < SMALL_N), ("few_variants", wordings.mean() < FEW_VARIANTS)) if holds]
    if interval.se == 0:
        flags.append("no_spread")
        if mean == 0 and companion.upper is not None:
            # Nothing moved in n examples: a bound on how much others would, not an interval of width 0.
            interval = Interval(min(companion.lower or 0.0, 0.0), wilson(0, len(used)).upper * companion.upper, 0.0)
        elif mean == companion.upper and mean > 0 and companion.lower == 0:
            interval = Interval(wilson(len(used), len(used)).lower * mean, mean, 0.0)  # the same where everything moved
    return {
        **head,
        "n_variants": float(wordings.mean()),
        "n_reruns": float(sum(group.wording.size for group, _ in used) / wordings.sum()),
        "across": mean,
        "across_se": number(interval.se),
        "across_lower": number(interval.lower),
        "across_upper": number(interval.upper),
        "flags": [*flags, *remarks],
        "reason": NO_NULL,
    }
