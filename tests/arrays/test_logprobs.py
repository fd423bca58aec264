"""Log-probabilities as they come: what is known, and what is said of the rest."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.arrays.logprobs import sequence_logprob, top_k_options
from sago.errors import DataError


@pytest.mark.parametrize(
    ("raw", "reason", "n_known"),
    [
        ([-0.1, None, -0.2], "unknown_logprob", 2),
        ([None, -9999.0, -0.2], "unknown_logprob", 1),
        ([-3.4e38], "unknown_logprob", 0),
        ([-9999.0, "-inf"], "minus_inf", 0),
        ([-math.inf, 0.1], "positive_logprob", 0),
        ([math.inf], "positive_logprob", 0),
        ([0.1, "NaN"], "non_finite", 0),
        ([True], "non_finite", 0),
        ([None, None], "no_logprobs", 0),
    ],
)
def test_reasons(raw: list[Any], reason: str, n_known: int) -> None:
    found = sequence_logprob(raw)
    assert (found.reason, found.n_known, found.mean) == (reason, n_known, None)


@pytest.mark.parametrize("raw", [1e-7, 0, -0.0, "0"])
def test_rounding_above_0_is_0(raw: Any) -> None:
    found = sequence_logprob([raw])
    assert (found.values, found.probability) == ((0.0,), 1.0)


def test_a_text_that_is_no_number_is_a_clear_error() -> None:
    with pytest.raises(DataError, match="'n/a' is no number"):
        sequence_logprob([-0.1, "n/a"])


def test_e25() -> None:
    found = sequence_logprob([-0.1, -0.2, -0.3])
    assert (found.per_token, found.probability) == pytest.approx((0.818731, 0.548812), abs=5e-7)


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.lists(st.floats(-50, 0), min_size=1, max_size=20))
def test_known_tokens_lie_between(values: list[float]) -> None:
    found = sequence_logprob(values)
    assert found.total == pytest.approx(sum(values))
    assert found.mean is not None
    assert min(values) - 1e-9 <= found.mean <= max(values) + 1e-9
    assert found.values == tuple(values)


@pytest.mark.parametrize(
    ("top", "probabilities", "shares", "reason", "flags"),
    [
        (None, (None, None), (None, None), "no_logprobs", ()),
        ([], (None, None), (None, None), "no_logprobs", ()),
        ([("x", -0.1)], (None, None), (None, None), "below_top_k", ("truncated",)),
        ([("A", -9999.0), ("B", math.log(0.5))], (None, 0.5), (None, 1.0), None, ("truncated",)),
        ([("A", "-Infinity"), ("B", math.log(0.5))], (0.0, 0.5), (0.0, 1.0), None, ()),
        ([("A", "-Infinity"), ("B", "-Infinity")], (0.0, 0.0), (None, None), "minus_inf", ()),
        ([("A", 0.3), ("B", -1.0)], (None, None), (None, None), "positive_logprob", ()),
        ([("A", math.nan), ("B", -1.0)], (None, None), (None, None), "non_finite", ()),
        ([("A", -0.1), ("B", -0.2)], (None, None), (None, None), "above_one", ()),
        ([("\u0120A", math.log(0.5)), ("\u2581B", math.log(0.25)), ("a", -3.0)], (0.5, 0.25), (2 / 3, 1 / 3), None, ()),
    ],
)
def test_top_k(top: Any, probabilities: Any, shares: Any, reason: str | None, flags: tuple[str, ...]) -> None:
    found = top_k_options(top, "AB")
    assert found.probabilities == pytest.approx(probabilities)
    assert found.shares == pytest.approx(shares)
    assert (found.reason, found.flags) == (reason, flags)


def test_options_that_cannot_be_told_apart() -> None:
    with pytest.raises(DataError, match="same spelling"):
        top_k_options([("A", -0.1)], ["A", " A"])
