"""The contract of an axis as code: what a plug-in is held to before its numbers are trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import polars as pl
from polars.testing import assert_frame_equal

from sago import schemas
from sago.axes import Axis, AxisInput, Scored
from sago.errors import PluginError, SchemaError
from sago.testing.axis_sample import sample_inputs

TOLERANCE = 1e-9
"""How far a number may move when nothing that matters changed."""

_LABELS = ("model", "dataset", "example", "variant")


def check_axis(axis: Any, inputs: AxisInput | None = None) -> None:
    """Holds an axis to its protocol and to what every number of it relies on.

    It declares itself; its tables fit their schemas and speak of its own measures, with one default for each cell, no value without a
    reason where it is null, and families, controls and counts that make sense. Nothing that does not matter moves a number: the order
    of rows, names of models, data sets, examples and variants, numbers of reruns, which other models stand beside. Missing data is no
    zero, and an example with one wording is left out. Examples that answer themselves whatever the wording have instability 0; responses
    that are all alike have no scale.

    Args:
        axis: What the plug-in registers.
        inputs: Tables to try it on, in place of :func:`sample_inputs`; for an axis that reads another feature.

    Raises:
        PluginError: At the first promise that is broken.
    """
    _check_declaration(axis)
    given = sample_inputs() if inputs is None else inputs
    before = _copy(given)
    scored = _scored(axis, given)
    for table in fields(given):
        value = getattr(given, table.name)
        if isinstance(value, pl.DataFrame) and not value.equals(getattr(before, table.name)):
            raise _broken(axis, f"alters its input table {table.name}", "Work on copies")
    _check_tables(axis, given, scored)
    _same(axis, scored, _scored(axis, _shuffled(given)), "when the rows of its tables stand in another order")
    _same(
        axis, scored, _renamed_back(_scored(axis, _renamed(given)), given), "when models, data sets, examples and variants have other names"
    )
    _same(axis, scored, _scored(axis, _renumbered(given)), "when reruns have other numbers")
    _check_alone(axis, given, scored)
    _check_missing(axis, given, scored)
    _check_single(axis, given, scored)
    _check_steady(axis, given)
    _check_alike(axis, given)


def _broken(axis: Any, what: str, fix: str | None = None) -> PluginError:
    return PluginError(what, where=f"axis '{getattr(axis, 'name', type(axis).__name__)}'", fix=fix)


def _check_declaration(axis: Any) -> None:
    if not isinstance(axis, Axis):
        lacking = [name for name in ("name", "description", "measures", "score") if getattr(axis, name, None) is None]
        raise _broken(axis, f"lacks {', '.join(lacking)}", "See sago.axes.Axis")
    for name in ("name", "description"):
        text = getattr(axis, name)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise _broken(axis, f"has no one-line text as its {name}")
    if not isinstance(axis.measures, tuple) or not axis.measures or not all(isinstance(name, str) and name for name in axis.measures):
        raise _broken(axis, "names no measures", "Give a tuple of names")


def _scored(axis: Any, inputs: AxisInput) -> Scored:
    try:
        found = axis.score(inputs)
    except Exception as error:  # whatever a foreign axis raises is reported with its name
        raise _broken(axis, f"raised {error!r}", "Return null with a reason for what cannot be scored") from error
    if not isinstance(found, Scored):
        raise _broken(axis, f"returned {type(found).__name__}", "Return sago.axes.Scored")
    try:
        checked = [schemas.check(name, getattr(found, name)) for name in Scored._fields]
    except SchemaError as error:
        raise _broken(axis, f"returned a table that does not fit: {error}") from error
    for name, table in zip(Scored._fields, checked, strict=True):
        if not all(_is_finite(column) for column in table.iter_columns()):
            raise _broken(axis, f"returned NaN or infinity in table {name}", "Return null with a reason")
    return Scored(*(table.sort(_keys(table), nulls_last=False) for table in checked))


def _is_finite(column: pl.Series) -> bool:
    values = column.explode(empty_as_null=False) if isinstance(column.dtype, pl.List) else column
    return not values.dtype.is_float() or bool(values.drop_nulls().is_finite().all())


def _keys(table: pl.DataFrame) -> list[str]:
    names = ("model", "dataset", "axis", "measure", "decoding", "example", "family", "layer", "kind")
    return [name for name in names if name in table.columns]


def _check_tables(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    for name in Scored._fields:
        table = getattr(scored, name)
        strange = set(table["measure"].unique()) - set(axis.measures)
        if strange or set(table["axis"].unique()) - {axis.name}:
            raise _broken(axis, f"has rows of another axis or measure in table {name}", f"Declare measures, now {axis.measures}")
    profiles = scored.profiles
    if profiles.is_empty():
        raise _broken(axis, "returned no profile", "A measure that cannot be observed is one row with a reason")
    cell = ["model", "dataset", "decoding"]
    defaults = profiles.group_by(cell).agg((pl.col("default") & pl.col("family").is_null() & pl.col("layer").is_null()).sum())
    if (defaults["default"] != 1).any() or profiles.filter(pl.col("default") & pl.col("family").is_not_null()).height:
        raise _broken(axis, "has no or several default rows for a model, data set and decoding", "Set default on exactly one, family null")
    pairs = inputs.observations.select("model", "dataset").unique()
    if pairs.join(profiles, on=["model", "dataset"], how="anti").height:
        raise _broken(axis, "leaves out a model or data set that was observed", "Return a row with a reason instead")
    if profiles.select(_keys(profiles)).is_duplicated().any():
        raise _broken(axis, "has two profile rows for one cell")
    for name in ("scores", "profiles", "controls"):
        table = getattr(scored, name)
        silent = table.filter(pl.col("instability").is_null() & pl.col("reason").is_null())
        if silent.height:
            raise _broken(axis, f"has a null without a reason in table {name}", "Say why in column reason")
    asked = inputs.observations.group_by("model", "dataset").agg(pl.col("example").n_unique().alias("asked"))
    counted = profiles.join(asked, on=["model", "dataset"], how="left")
    if counted.filter((pl.col("n") < 0) | (pl.col("n") + pl.col("n_left_out") > pl.col("asked"))).height:
        raise _broken(axis, "counts more examples than were asked", "n + n_left_out is the number of examples asked")


def _same(axis: Any, one: Scored, two: Scored, when: str) -> None:
    for name in Scored._fields:
        left, right = (_comparable(getattr(scored, name)) for scored in (one, two))
        try:
            assert_frame_equal(left, right, check_exact=False, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        except AssertionError as error:
            detail = " ".join(str(error).split())[:200]
            raise _broken(axis, f"gives other numbers {when} (table {name}: {detail})", "Depend on what was said alone") from error


def _comparable(table: pl.DataFrame) -> pl.DataFrame:
    """Leaves out what rests on random draws that are seeded from names."""
    if "kind" in table.columns:
        table = table.filter(pl.col("kind") != "shuffled")
    return table.drop("rerun_p", strict=False).sort(_keys(table), nulls_last=False)


def _copy(inputs: AxisInput) -> AxisInput:
    return _each(inputs, lambda table: pl.DataFrame(table.to_dict(as_series=False), schema=table.schema))


def _each(inputs: AxisInput, change: Callable[[pl.DataFrame], pl.DataFrame]) -> AxisInput:
    return replace(
        inputs,
        features=change(inputs.features),
        states=change(inputs.states),
        observations=change(inputs.observations),
        variants=change(inputs.variants),
        examples=change(inputs.examples),
    )


def _shuffled(inputs: AxisInput) -> AxisInput:
    return _each(inputs, lambda table: table.sample(fraction=1, shuffle=True, seed=7))


def _renamed(inputs: AxisInput) -> AxisInput:
    """Turns every label around, so that the order of names turns too; the canonical wording and single controls keep theirs."""
    fixed = _fixed(inputs)

    def change(table: pl.DataFrame) -> pl.DataFrame:
        names = [name for name in _LABELS if name in table.columns]
        return table.with_columns(_turned(table[name], fixed) for name in names)

    return _each(inputs, change)


def _fixed(inputs: AxisInput) -> list[str]:
    kept = inputs.variants.filter(pl.col("control") | (pl.col("variant") == "canonical"))
    return kept["variant"].unique().to_list()


_TURN = str.maketrans("abcdefghijklmnopqrstuvwxyz0123456789", "zyxwvutsrqponmlkjihgfedcba9876543210")


def _turned(names: pl.Series, fixed: list[str]) -> pl.Series:
    """Returns other names in the opposite order; turned twice they are the old ones."""
    turned = [name if name in fixed else name.translate(_TURN) for name in names.to_list()]
    return pl.Series(names.name, turned, dtype=pl.String)


def _renamed_back(scored: Scored, inputs: AxisInput) -> Scored:
    def change(table: pl.DataFrame) -> pl.DataFrame:
        names = [name for name in _LABELS if name in table.columns]
        back = table.with_columns(_turned(table[name], _fixed(inputs)) for name in names)
        return back.sort(_keys(back), nulls_last=False)

    return Scored(*(change(table) for table in scored))


def _renumbered(inputs: AxisInput) -> AxisInput:
    """Turns the order of reruns around; a greedy observation has none."""
    last = int(str(inputs.observations["rerun"].max() or 0))
    turned = pl.when(pl.col("decoding") == "greedy").then("rerun").otherwise(last - pl.col("rerun"))
    return _each(inputs, lambda table: table.with_columns(rerun=turned) if "rerun" in table.columns else table)


def _check_alone(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    model = str(inputs.observations["model"].min())
    only = _each(inputs, lambda table: table.filter(pl.col("model") == model) if "model" in table.columns else table)
    expected = Scored(*(table.filter(pl.col("model") == model) for table in scored))
    _same(axis, expected, _scored(axis, only), "when no other model stands beside")


def _check_missing(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    """An example of which all observations failed has no number, and its absence moves none but the null."""
    example = str(inputs.observations["example"].min())
    failed = inputs.observations.with_columns(
        status=pl.when(pl.col("example") == example).then(pl.lit("error")).otherwise("status"),
        response=pl.when(pl.col("example") == example).then(None).otherwise("response"),
    )
    mine = pl.col("example") == example
    unread = [pl.when(mine).then(None).otherwise(pl.col(name)).alias(name) for name in ("category", "number", "vector")]
    features = inputs.features.with_columns(*unread, reason=pl.when(mine).then(pl.lit("error")).otherwise("reason"))
    changed = replace(inputs, observations=failed, features=features, states=inputs.states.filter(~mine))
    found = _scored(axis, changed)
    invented = found.scores.filter(mine & pl.any_horizontal(pl.col("across", "rerun", "unrelated", "instability").is_not_null()))
    if invented.height:
        raise _broken(axis, "gives a number to an example of which every observation failed", "Missing data is null with a reason, never 0")
    keys = ["model", "dataset", "measure", "decoding", "example"]
    both = scored.scores.join(found.scores, on=keys, suffix="_after").filter(pl.col("n_variants") == pl.col("n_variants_after"))
    moved = both.filter(~mine & ((pl.col("across") - pl.col("across_after")).abs() > _moved_by(axis)))
    if moved.height:
        raise _broken(axis, "changes across of an example when another is missing", "An example's own mean is its own")


def _moved_by(axis: Any) -> float:
    """States are scaled over the cell, and replies without text stand at the cell's null, so a missing example moves them a little."""
    return 0.5 if axis.name == "activations" else 0.01


def _check_single(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    """An example that was asked in one wording alone has no number, and says so."""
    mine = pl.col("example") == str(inputs.observations["example"].max())
    kept = ~mine | (pl.col("variant") == "canonical")
    asked = {name: getattr(inputs, name).filter(kept) for name in ("observations", "features", "states")}
    found = _scored(axis, replace(inputs, **asked)).scores.filter(mine)
    if found.filter(pl.any_horizontal(pl.col("across", "instability").is_not_null())).height:
        raise _broken(axis, "gives a number to an example with one wording", "Leave it out with reason too_few_variants")
    cell = ["model", "dataset", "measure", "decoding"]
    dropped = scored.scores.filter(mine & pl.col("across").is_not_null()).join(found, on=cell, how="anti")
    if dropped.height or found.filter((pl.col("n_variants") == 1) & pl.col("reason").ne_missing("too_few_variants")).height:
        raise _broken(axis, "does not say of an example with one wording that it has too few", "Give it reason too_few_variants")


def _check_steady(axis: Any, inputs: AxisInput) -> None:
    """If every example has one response of its own, whatever the wording, nothing moved."""
    example = ["model", "dataset", "example"]

    def first(table: pl.DataFrame, names: list[str], values: list[str]) -> pl.DataFrame:
        known = table.filter(pl.any_horizontal(pl.col(values).is_not_null())).sort("variant", "decoding", "rerun")
        one = known.unique(names, keep="first", maintain_order=True).select(*names, *values)
        return table.drop(values).join(one, on=names, how="left").select(table.columns)

    read = first(inputs.features.filter(pl.col("reason").is_null()), [*example, "feature"], ["category", "number", "vector"])
    changed = replace(
        inputs,
        features=read,
        states=first(inputs.states, [*example, "tap"], ["vector"]),
        observations=first(inputs.observations, example, ["response"]),
    )
    found = _scored(axis, changed).profiles
    is_distance = ~pl.col("flags").list.contains("rerun=not_defined")
    moved = (pl.col("instability").abs() > TOLERANCE) | (is_distance & (pl.col("across").abs() > TOLERANCE))
    if found.filter(moved).height:
        raise _broken(axis, "finds a change where every example has one response whatever the wording", "Equal responses are 0 apart")


def _check_alike(axis: Any, inputs: AxisInput) -> None:
    """If all responses are the same, whatever was asked, a distance is 0 everywhere and has no scale."""
    first = (
        inputs.features.filter(pl.col("reason").is_null())
        .group_by("dataset", "feature")
        .agg(pl.col("category", "number", "vector").sort_by("model", "example", "variant", "decoding", "rerun").first().name.prefix("_"))
    )
    features = inputs.features.join(first, on=["dataset", "feature"], how="left").with_columns(
        category="_category", number="_number", vector="_vector", reason=pl.lit(None, dtype=pl.String)
    )
    one_state = pl.lit([1.0, 2.0, 3.0, 4.0], dtype=pl.List(pl.Float32))
    changed = replace(
        inputs,
        features=features.select(inputs.features.columns),
        states=inputs.states.with_columns(vector=one_state),
        observations=inputs.observations.with_columns(response=pl.lit("the same"), status=pl.lit("ok")),
    )
    found = _scored(axis, changed).profiles.filter(pl.col("n") > 0)
    if found.filter(pl.col("across").abs() > TOLERANCE).height:
        raise _broken(axis, "finds a difference between responses that are all the same", "The distance of equal responses is 0")
    scale = found.filter(pl.col("instability").is_not_null() & ~pl.col("flags").list.contains("rerun=not_defined"))
    if scale.height:
        raise _broken(axis, "gives an instability where all responses are the same", "Report degenerate_null: there is no scale")
