from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.features.hand_made import example, inputs, observation, tables, variant

from sago import schemas
from sago.features import ReaderInput
from sago.features.confidence import FLOOR, anchor_probability_reader, option_probabilities, option_probabilities_reader

SHARES = [log(0.2), log(0.5), log(0.1)]


def _vectors(*observations: dict[str, Any], **values: Any) -> list[tuple[list[float] | None, str | None]]:
    return option_probabilities_reader.read(inputs(*observations, **values)).select("vector", "reason").rows()


class TestOptionProbabilities:
    @pytest.mark.parametrize(
        ("permutation", "expected"),
        [([0, 1, 2], [0.25, 0.625, 0.125]), ([1, 2, 0], [0.125, 0.25, 0.625]), ([2, 1, 0], [0.125, 0.625, 0.25])],
    )
    def test_they_are_normalised_in_the_order_of_the_data(self, permutation: list[int], expected: list[float]) -> None:
        ((vector, reason),) = _vectors({"choice_logprobs": SHARES}, permutation=permutation)
        assert vector == pytest.approx(expected, abs=1e-15)
        assert reason is None

    @pytest.mark.parametrize("shift", [0.0, -1000.0, -1e5])
    def test_small_likelihoods_do_not_vanish(self, shift: float) -> None:
        ((vector, _),) = _vectors({"choice_logprobs": [value + shift for value in SHARES]})
        assert vector == pytest.approx([0.25, 0.625, 0.125], abs=1e-9)

    @pytest.mark.parametrize(
        ("values", "task", "reason"),
        [
            ({"choice_logprobs": None}, "choice", "not_observable"),
            ({"choice_logprobs": []}, "choice", "not_observable"),
            ({"choice_logprobs": [0.0, -1.0]}, "choice", "unmatched_choices"),
            ({"choice_logprobs": SHARES, "status": "error"}, "choice", "error"),
            ({"choice_logprobs": None}, "text", "no_choices"),
        ],
    )
    def test_why_there_are_none(self, values: dict[str, Any], task: str, reason: str) -> None:
        assert _vectors(values, task=task) == [(None, reason)]

    def test_a_refusal_still_has_them(self) -> None:
        ((vector, reason),) = _vectors({"choice_logprobs": SHARES, "status": "refusal"})
        assert (len(vector or ()), reason) == (3, None)

    @pytest.mark.parametrize(
        ("logprobs", "reason"),
        [([float("nan"), 0.0, 0.0], "non_finite"), ([float("inf"), 0.0, 0.0], "non_finite"), ([float("-inf")] * 3, "minus_inf")],
    )
    def test_numbers_that_are_none_have_their_reason(self, logprobs: list[float], reason: str) -> None:
        given_in = inputs({})
        odd = given_in.observations.with_columns(choice_logprobs=pl.Series([logprobs], dtype=pl.List(pl.Float64)))
        read = option_probabilities_reader.read(replace(given_in, observations=odd))
        assert read.select("vector", "reason").rows() == [(None, reason)]

    @pytest.mark.parametrize("zero", [float("-inf"), None])
    def test_a_zero_is_floored_and_the_rest_normalised(self, zero: float | None) -> None:
        given_in = inputs({})
        odd = given_in.observations.with_columns(choice_logprobs=pl.Series([[zero, log(0.5), log(0.5)]], dtype=pl.List(pl.Float64)))
        vector = option_probabilities_reader.read(replace(given_in, observations=odd))["vector"][0]
        assert vector[0] == pytest.approx(FLOOR, rel=1e-9)
        assert sum(vector) == pytest.approx(1.0, abs=1e-15)

    def test_rows_of_different_lengths_keep_their_order(self) -> None:
        three, two = example("1"), example("2", choices=["x", "y"], answers=["x"], answer_index=0)
        asked = [variant(three), variant(two, permutation=[1, 0])]
        rows = [
            observation(asked[1], "A", choice_logprobs=[log(0.9), log(0.1)]),
            observation(asked[0], "A"),
            observation(asked[0], "A", rerun=1, choice_logprobs=SHARES),
        ]
        read = option_probabilities_reader.read(ReaderInput(*tables([three, two], asked, rows)))
        first, second, third = schemas.check("features", read)["vector"].to_list()
        assert first == pytest.approx([0.1, 0.9])
        assert second is None
        assert third == pytest.approx([0.25, 0.625, 0.125])


@given(st.lists(st.lists(st.floats(-200, 0), min_size=3, max_size=3), min_size=1, max_size=5))
def test_probabilities_sum_to_one_and_keep_the_order(rows: list[list[float]]) -> None:
    values = np.array(rows)
    shares, reasons = option_probabilities(values)
    assert reasons == [None] * len(rows)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    assert (shares >= FLOOR * (1 - 1e-9)).all()
    assert (shares.argmax(axis=1) == np.array([row.tolist().index(row.max()) for row in shares])).all()
    largest = np.take_along_axis(values, shares.argmax(axis=1)[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(largest, values.max(axis=1), atol=1e-12)


class TestAnchorProbability:
    @pytest.mark.parametrize(
        ("logprob", "tokens", "status", "value", "reason"),
        [
            (-3.0, 3, "ok", exp(-1), None),
            (-3.0, 1, "truncated", exp(-3), None),
            (0.0, 2, "ok", 1.0, None),
            (1e-8, 2, "ok", 1.0, None),
            (0.3, 1, "ok", None, "positive_logprob"),
            (-1e6, 1, "ok", 0.0, None),
            (None, None, "ok", None, "not_observable"),
            (None, 0, "ok", None, "empty_anchor"),
            (0.0, 0, "ok", None, "empty_anchor"),
            (-3.0, 3, "error", None, "error"),
        ],
    )
    def test_it_is_the_probability_per_token(
        self, logprob: float | None, tokens: int | None, status: str, value: float | None, reason: str | None
    ) -> None:
        read = anchor_probability_reader.read(inputs({"anchor_logprob": logprob, "anchor_tokens": tokens, "status": status}))
        assert schemas.check("features", read).select("number", "reason").rows() == [(pytest.approx(value), reason)]
