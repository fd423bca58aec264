from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.features.hand_made import example, observation, tables, variant

from sago import registry, schemas
from sago.errors import PluginError, SchemaError
from sago.features import FeatureReader, ReaderInput, extract, feature_rows

BUILT_IN = {
    "answer",
    "correct",
    "option_probabilities",
    "anchor_probability",
    "embedding",
    "response_probability",
    "verbalised_confidence",
}


def _encoder(texts: Sequence[str]) -> np.ndarray:
    return np.full((len(texts), 2), np.sqrt(0.5), dtype=np.float32)


def _three() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Returns a choice, a number and a text, each answered twice."""
    examples = [example("1"), example("2", "numeric"), example("3", "text")]
    variants = [variant(of) for of in examples]
    rows = [observation(of, response, rerun=rerun) for of, response in zip(variants, "B88", strict=True) for rerun in (0, 1)]
    return tables(examples, variants, rows)


class Length:
    """A reader that counts what it was given."""

    name = "length"
    version = "1"
    kind = "number"

    def __init__(self, *, uses_encoder: bool = True) -> None:
        self.seen = 0
        self.uses_encoder = uses_encoder  # only such readings are costly enough to be taken over

    def read(self, inputs: ReaderInput) -> pl.DataFrame:
        self.seen += inputs.observations.height
        keys = inputs.observations.select(*schemas.KEYS, number=pl.col("response").str.len_chars().cast(pl.Float64))
        return feature_rows(self, inputs, keys)


@pytest.fixture
def length() -> Iterator[Length]:
    reader = Length()
    registry.register("features", "length", reader)
    yield reader
    registry.unregister("features", "length")


@pytest.mark.parametrize("name", registry.names("features"))
def test_registered_readers_keep_the_protocol(name: str) -> None:
    reader = registry.get("features", name)
    assert isinstance(reader, FeatureReader)
    assert reader.name == name
    assert reader.kind in {"category", "number", "vector"}
    observations, variants, examples = _three()
    read = schemas.check("features", reader.read(ReaderInput(observations, variants, examples)))
    assert read.select(schemas.KEYS).rows() == observations.select(schemas.KEYS).rows()


def test_every_reader_reads_every_observation() -> None:
    features = extract(*_three(), encoder=_encoder, encoder_name="e", embed="all")
    assert dict(features["feature"].value_counts().iter_rows()) == dict.fromkeys(BUILT_IN, 6)


def test_by_default_only_free_text_is_embedded() -> None:
    features = extract(*_three(), encoder=_encoder, encoder_name="e")
    assert features.filter(pl.col("feature") == "embedding")["example"].unique().to_list() == ["3"]


def test_no_observation_is_no_feature() -> None:
    observations, variants, examples = _three()
    assert extract(observations.clear(), variants, examples).height == 0


class TestKnown:
    def test_what_was_read_is_not_read_again(self, length: Length) -> None:
        observations, variants, examples = _three()
        first = extract(observations.head(4), variants, examples, embed="all")
        assert length.seen == 4
        both = extract(observations, variants, examples, known=first, embed="all")
        assert length.seen == 6
        order = ["feature", *schemas.KEYS]
        assert both.sort(order).equals(extract(observations, variants, examples, embed="all").sort(order))

    def test_another_version_is_read_again_and_the_old_rows_go(self, length: Length) -> None:
        observations, variants, examples = _three()
        known = extract(observations, variants, examples, embed="all")
        length.version = "2"
        features = extract(observations, variants, examples, known=known, embed="all")
        assert length.seen == 12
        assert features.filter(pl.col("feature") == "length")["version"].to_list() == ["2"] * 6

    def test_what_costs_little_is_read_again_for_gold_may_have_changed(self) -> None:
        observations, variants, examples = _three()
        known = extract(observations, variants, examples)
        corrupt = known.with_columns(number=pl.when(pl.col("feature") == "correct").then(0.5).otherwise("number"))
        assert extract(observations, variants, examples, known=corrupt).equals(known)

    @pytest.mark.parametrize(("before", "versions"), [(None, ["1+e"]), ("other", ["1+e"])])
    def test_another_encoder_is_asked_again(self, before: str | None, versions: list[str]) -> None:
        known = extract(*_three(), encoder=_encoder if before else None, encoder_name=before)
        features = extract(*_three(), encoder=_encoder, encoder_name="e", known=known)
        assert features.filter(pl.col("feature") == "embedding")["version"].unique().to_list() == versions

    def test_rows_of_other_observations_are_left_out(self) -> None:
        observations, variants, examples = _three()
        known = extract(observations, variants, examples)
        assert set(extract(observations.head(1), variants, examples, known=known)["example"]) == {"1"}


@pytest.mark.parametrize(
    "broken",
    [
        lambda rows: rows.head(1),
        lambda rows: rows.drop("reason"),
        lambda rows: rows.with_columns(number=pl.lit("many")),
    ],
)
def test_a_broken_reader_is_named(broken: Any, length: Length, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = length.read
    monkeypatch.setattr(length, "read", lambda inputs: broken(whole(inputs)))
    with pytest.raises(PluginError, match="'length'"):
        extract(*_three())


def test_the_order_of_observations_does_not_matter() -> None:
    observations, variants, examples = _three()
    order = ["feature", *schemas.KEYS]
    turned = extract(observations.sort("example", "rerun", descending=True), variants, examples).sort(order)
    assert turned.equals(extract(observations, variants, examples).sort(order))


def test_tables_are_checked_on_the_way_in() -> None:
    observations, variants, examples = _three()
    with pytest.raises(SchemaError, match="table variants"):
        extract(observations, variants.drop("permutation"), examples)
