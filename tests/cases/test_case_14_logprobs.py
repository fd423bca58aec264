"""Case 14: log-probs that are missing, sentinel, null or exactly zero (openai/openai-python#2257, comet-ml/opik#1635 and others)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from sago.arrays.logprobs import sequence_logprob, top_k_options

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "14-logprobs.json").read_text(encoding="utf-8"))


def of(name: str) -> Any:
    tokens = CASES[name]["tokens"]
    return sequence_logprob(None if tokens is None else [value for _, value in tokens])


def test_plain_keeps_the_zero() -> None:
    found = of("plain")
    assert (found.total, found.mean, found.n, found.n_known, found.reason) == (-0.75, -0.25, 3, 3, None)
    assert found.values == (-0.5, 0.0, -0.25)


def test_a_sentinel_is_an_unknown_token_and_the_sequence_null() -> None:
    found = of("sentinel")
    assert found.values == (-0.1, None, -0.2)
    assert (found.total, found.mean, found.probability, found.per_token) == (None, None, None, None)
    assert (found.reason, found.n, found.n_known) == ("unknown_logprob", 3, 2)


def test_a_null_first_token_leaves_the_mean_over_the_known() -> None:
    found = of("first_null")
    assert found.mean == pytest.approx(-0.5)
    assert (found.n, found.n_known, found.total, found.reason, found.flags) == (3, 2, None, None, ("first_unknown",))


def test_minus_infinity_is_probability_0_and_no_number_in_json() -> None:
    found = of("minus_inf")
    assert (found.probability, found.per_token, found.total, found.mean, found.reason) == (0.0, 0.0, None, None, "minus_inf")
    assert json.loads(json.dumps(found._asdict(), allow_nan=False))["values"] == [None, -0.1]


@pytest.mark.parametrize("name", ["absent", "empty"])
def test_nothing_given(name: str) -> None:
    found = of(name)
    assert (found.n, found.n_known, found.mean, found.probability, found.reason) == (0, 0, None, None, "no_logprobs")


def test_a_positive_one_is_no_confidence_of_135_percent() -> None:
    found = of("positive")
    assert (found.mean, found.per_token, found.reason) == (None, None, "positive_logprob")


def test_options_from_the_top_k() -> None:
    found = top_k_options([tuple(one) for one in CASES["option_topk"]["top"]], CASES["option_topk"]["options"])
    assert found.probabilities[:2] == pytest.approx((0.85, 0.10), abs=1e-9)
    assert found.probabilities[2:] == (None, None)
    assert found.shares[0] == pytest.approx(0.894737, abs=5e-7)
    assert found.shares[2:] == (None, None)
    assert (found.k, found.flags, found.reason) == (4, ("truncated",), None)
    assert found.rest == pytest.approx(1 - 0.95 - math.exp(-3.5))
