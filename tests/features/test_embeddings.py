from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.features.hand_made import inputs

from sago import schemas
from sago.errors import PluginError
from sago.features.embeddings import embedding_reader


class Counter:
    """An encoder that counts: one axis for every length, and a list of what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.given += texts
        return np.eye(8, dtype=np.float32)[[len(text) % 8 for text in texts]]


def test_each_distinct_text_is_encoded_once() -> None:
    encoder = Counter()
    given_in = inputs({"response": "ab"}, {"response": "abc"}, {"response": "ab"}, {"response": " ab"}, task="text")
    read = embedding_reader.read(replace(given_in, encoder=encoder, encoder_name="counter-1"))
    assert encoder.given == ["ab", "abc", " ab"]
    assert [vector.index(1.0) for vector in read["vector"].to_list()] == [2, 3, 2, 3]
    assert read["version"].unique().to_list() == ["1+counter-1"]
    schemas.check("features", read)


@pytest.mark.parametrize(
    ("response", "status", "category", "reason"),
    [
        ("", "empty", "<empty>", "empty"),
        (" \n", "ok", "<empty>", "empty"),
        (None, "ok", None, "not_recorded"),
        (None, "empty", "<empty>", "empty"),
        (None, "filtered", "<filtered>", "filtered"),
        (None, "refusal", "<refusal>", "refusal"),
        (None, "truncated", None, "truncated"),
        (None, "error", None, "error"),
        ("half", "too_long", None, "too_long"),
    ],
)
def test_what_has_no_text_has_no_vector(response: str | None, status: str, category: str | None, reason: str) -> None:
    given_in = inputs({"response": response, "status": status}, task="text")
    read = embedding_reader.read(replace(given_in, encoder=Counter(), encoder_name="c"))
    assert read.select("category", "vector", "reason").rows() == [(category, None, reason)]


@pytest.mark.parametrize("status", ["ok", "refusal", "truncated"])
def test_every_text_is_behaviour(status: str) -> None:
    read = embedding_reader.read(replace(inputs({"response": "abc", "status": status}, task="text"), encoder=Counter()))
    assert read["vector"][0].to_list().index(1.0) == 3
    assert read["reason"].to_list() == [None]


def test_without_an_encoder_the_reason_says_what_is_needed() -> None:
    read = embedding_reader.read(
        inputs({"response": "x"}, {"response": "", "status": "empty"}, {"response": None, "status": "error"}, task="text")
    )
    assert read["reason"].to_list() == ["needs_encoder", "empty", "error"]
    assert read["version"].unique().to_list() == ["1"]


def test_a_vector_that_is_no_number_is_null() -> None:
    given_in = inputs({"response": "x"}, {"response": "yy"}, task="text")
    read = embedding_reader.read(replace(given_in, encoder=lambda texts: np.array([[1.0, 0.0], [np.nan, 0.0]])))
    assert read.select("vector", "reason").rows() == [([1.0, 0.0], None), (None, "non_finite")]


def test_an_encoder_that_loses_rows_is_refused() -> None:
    given_in = inputs({"response": "x"}, {"response": "yy"}, task="text")
    with pytest.raises(PluginError, match=r"shape \(1, 2\) for 2 texts"):
        embedding_reader.read(replace(given_in, encoder=lambda texts: np.ones((1, 2))))
