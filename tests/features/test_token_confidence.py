from __future__ import annotations

from math import exp
from typing import Any

import pytest
from tests.features.hand_made import inputs

from sago import schemas
from sago.features.token_confidence import response_probability_reader


@pytest.mark.parametrize(
    ("tokens", "status", "value", "reason"),
    [
        ([-0.1, -0.2, -0.3], "ok", 0.818731, None),
        ([-0.5, 0.0, -0.25], "ok", exp(-0.25), None),
        ([0.0, 1e-9], "truncated", 1.0, None),
        ([None, -0.4, -0.6], "ok", exp(-0.5), None),
        ([-0.1, None, -0.2], "ok", None, "unknown_logprob"),
        ([-0.1, -9999.0, -0.2], "ok", None, "unknown_logprob"),
        ([0.3], "ok", None, "positive_logprob"),
        ([None], "ok", None, "no_logprobs"),
        ([], "ok", None, "no_logprobs"),
        ([], "empty", None, "empty"),
        (None, "empty", None, "empty"),
        (None, "ok", None, "not_observable"),
        ([-0.1], "error", None, "error"),
    ],
)
def test_it_is_the_probability_per_token(tokens: Any, status: str, value: float | None, reason: str | None) -> None:
    read = response_probability_reader.read(inputs({"token_logprobs": tokens, "status": status}))
    assert schemas.check("features", read).select("number", "reason").rows() == [(pytest.approx(value, abs=1e-6), reason)]


def test_rows_keep_their_order() -> None:
    given = [[-1.0], None, [-9999.0], [-2.0], [0.5], [None, -3.0], [-4.0]]
    read = response_probability_reader.read(inputs(*({"token_logprobs": tokens} for tokens in given)))
    expected = [exp(-1), None, None, exp(-2), None, exp(-3), exp(-4)]
    assert read["rerun"].to_list() == list(range(7))
    assert read["number"].to_list() == [pytest.approx(value) for value in expected]
