"""The stage ``score``: whole tables, every axis, foreign axes, order, speed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from sago import registry, schemas
from sago.axes import AxisInput, FeatureAxis, Measure, Scored, score
from sago.errors import SchemaError, StudyError, UnknownNameError
from sago.testing.axis_sample import sample_inputs


@pytest.fixture(scope="module")
def inputs() -> AxisInput:
    return sample_inputs()


@pytest.fixture(scope="module")
def scored(inputs: AxisInput) -> Scored:
    return run(inputs)


def run(inputs: AxisInput, **options: Any) -> Scored:
    return score(inputs.features, inputs.states, inputs.observations, inputs.variants, inputs.examples, **options)


def test_every_cell_has_one_default(scored: Scored) -> None:
    defaults = scored.profiles.filter("default").group_by("model", "dataset", "axis", "decoding").len()
    assert defaults["len"].to_list() == [1] * defaults.height
    assert defaults.height == 2 * 2 * 6


@pytest.mark.parametrize("axis", ["generation", "activations", "confidence", "mirroring"])
def test_the_mean_of_the_scores_is_the_number_of_the_cell(scored: Scored, axis: str) -> None:
    cell = ["model", "dataset", "axis", "measure", "decoding"]
    means = scored.scores.drop_nulls("instability").group_by(cell).agg(pl.col("instability").mean().alias("mean"), pl.len().alias("len"))
    rows = scored.profiles.filter(pl.col("family").is_null(), pl.col("layer").is_null(), pl.col("instability").is_not_null()).join(
        means, on=cell
    )
    rows = rows.filter(pl.col("axis") == axis)
    assert rows.height > 0
    assert rows["len"].to_list() == rows["n"].to_list()
    np.testing.assert_allclose(rows["mean"], rows["instability"], atol=1e-9)


def test_every_example_that_was_asked_has_a_score_row(inputs: AxisInput, scored: Scored) -> None:
    counts = scored.scores.group_by("model", "dataset", "axis", "measure", "decoding").len()["len"].unique().to_list()
    assert counts == [inputs.examples.height // 2]


def test_twice_is_the_same_whatever_the_order_of_rows(inputs: AxisInput, scored: Scored) -> None:
    turned = replace(inputs, features=inputs.features.reverse(), observations=inputs.observations.sample(fraction=1, shuffle=True, seed=1))
    again = run(turned)
    for name in Scored._fields:
        assert getattr(again, name).equals(getattr(scored, name))


def test_the_seed_moves_draws_alone(inputs: AxisInput, scored: Scored) -> None:
    other = run(inputs, seed=5)
    assert other.profiles.drop("rerun_p").equals(scored.profiles.drop("rerun_p"))
    assert other.scores.equals(scored.scores)


def test_only_the_axes_asked_for(inputs: AxisInput) -> None:
    assert run(inputs, axes=["mirroring"]).profiles["axis"].unique().to_list() == ["mirroring"]


def test_a_foreign_axis_stands_beside_the_others(inputs: AxisInput) -> None:
    foreign = FeatureAxis("agreement", "does the answer stay", Measure("flip", "answer", "nominal"))
    registry.register("axes", "agreement", foreign)
    try:
        found = run(inputs, axes=["generation", "agreement"])
    finally:
        registry.unregister("axes", "agreement")
    columns = ["model", "dataset", "decoding", "across", "instability", "se"]
    is_whole = pl.col("family").is_null() & (pl.col("dataset") == "options")
    own = found.profiles.filter(is_whole & (pl.col("axis") == "agreement")).select(columns)
    theirs = found.profiles.filter(is_whole & (pl.col("measure") == "answer_flip")).select(columns)
    assert own.height == 4
    assert own.equals(theirs)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"axes": ["generatoin"]}, UnknownNameError, "generation"),
        ({"non_answers": "drop"}, StudyError, "category, unknown, missing"),
        ({"generation_measure": "rouge"}, StudyError, "answer_flip"),
    ],
)
def test_wrong_options_are_named(inputs: AxisInput, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        run(inputs, **options)


def test_tables_are_checked_on_the_way_in(inputs: AxisInput) -> None:
    with pytest.raises(SchemaError, match="table features"):
        run(replace(inputs, features=inputs.features.drop("reason")))


def test_empty_tables_give_empty_tables(inputs: AxisInput) -> None:
    nothing = AxisInput(*(getattr(inputs, name).clear() for name in ("features", "states", "observations", "variants", "examples")))
    found = run(nothing)
    assert [getattr(found, name).height for name in Scored._fields] == [0, 0, 0, 0]


def large(examples: int, variants: int, reruns: int) -> AxisInput:
    """Sampled answers of which 70 % follow the example, whatever the wording."""
    rng = np.random.default_rng(0)
    example, variant, rerun = (grid.reshape(-1) for grid in np.indices((examples, variants, reruns)))
    answers = np.where(rng.random(example.size) < 0.7, example % 4, rng.integers(0, 4, example.size)).astype(str)
    names = np.array(["canonical", *(f"typo-{place}" for place in range(1, variants))])
    known: dict[str, Any] = {
        "example": [f"e{place:05d}" for place in example],
        "variant": names[variant],
        "rerun": rerun,
        "category": answers,
        "response": answers,
    }
    texts = {"model": "m", "dataset": "d", "decoding": "sampled", "feature": "answer", "reader": "answer", "version": "1"}
    rows = pl.DataFrame(known).with_columns(
        pl.lit(value).alias(name) for name, value in {**texts, "status": "ok", "request_key": "k"}.items()
    )
    sample = sample_inputs()
    question = pl.format("{} {}", "example", "variant")
    one = sample.variants.head(1).drop("dataset", "example", "variant")
    asked = rows.select("dataset", "example", "variant").unique().join(one, how="cross")
    asked = asked.with_columns(
        messages=pl.concat_list(pl.struct(role=pl.lit("user"), content=question)), family=pl.col("variant").str.split("-").list.first()
    )
    questions = asked.select("dataset", "example").unique().join(sample.examples.head(1).drop("dataset", "example"), how="cross")
    return AxisInput(
        filled("features", rows),
        schemas.empty("states"),
        filled("observations", rows),
        filled("variants", asked),
        filled("examples", questions),
    )


def filled(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Returns the rows with the columns of a table; those that are lacking are null."""
    types = schemas.dtypes(table)
    return rows.select((pl.col(name) if name in rows.columns else pl.lit(None)).cast(kind).alias(name) for name, kind in types.items())


@pytest.mark.slow
def test_a_hundred_thousand_answers() -> None:
    given = large(4_000, 8, 3)
    found = run(given)
    row = found.profiles.filter(pl.col("default") & (pl.col("axis") == "generation")).row(0, named=True)
    assert (row["n"], row["n_reruns"]) == (4_000, 3)
    assert row["instability"] == pytest.approx(0, abs=0.02)
    assert row["rerun_p"] > 0.001
