from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from sago.errors import DataError
from sago.runs.importers import cells


@pytest.mark.parametrize(
    ("value", "share"),
    [
        *((given, 1.0) for given in (1, 1.0, True, "1", "true", "Correct", " yes ", "1.0")),
        *((given, 0.0) for given in (0, 0.0, False, "0", "FALSE", "wrong", "incorrect")),
        *((given, None) for given in (None, "", " ", math.nan)),
        (0.25, 0.25),
        ("0.5", 0.5),
    ],
)
def test_verdicts(value: Any, share: float | None) -> None:
    assert cells.verdict(value) == share


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (cells.verdict, (2,), "correct is 2"),
        (cells.verdict, (-0.1,), "correct is -0.1"),
        (cells.verdict, ("maybe",), '"maybe"'),
        (cells.verdict, ([1],), r"\[1\]"),
        (cells.status, ("lost",), "is not known"),
        (cells.decoding, ("audit", None), "audit"),
        (cells.temperature, (-1,), "temperature is -1"),
        (cells.temperature, ("hot",), "temperature"),
        (cells.whole_number, (-1, "rerun"), "no whole number"),
        (cells.whole_number, (1.5, "rerun"), "no whole number"),
        (cells.whole_number, (True, "rerun"), "no whole number"),
        (cells.whole_number, ("²", "rerun"), "no whole number"),
        (cells.key_text, (None, "model"), "no model"),
        (cells.key_text, (["a"], "model"), "its model is no text"),
        (cells.prompt, ([1, 2],), "prompt is neither"),
        (cells.vector, ("abc", "embedding"), "no list of numbers"),
        (cells.vector, ([], "embedding"), "no list of numbers"),
        (cells.logprobs, ([0.3],), "above 0"),
        (cells.logprobs, ([math.inf],), "above 0"),
        (cells.logprobs, (["x"],), "not a number"),
        (cells.logs_of_probabilities, ([1.2],), r"not in \[0, 1\]"),
        (cells.logs_of_probabilities, ([-0.1],), r"not in \[0, 1\]"),
        (cells.mapping, ("{", "reply"), "no JSON object"),
        (cells.plain_text, (["1", {"type": "text", "text": "1"}], "response"), "a list that mixes texts and objects"),
        (cells.plain_text, ([{"text": "1"}, 2], "response"), "a list that mixes texts and objects"),
    ],
)
def test_what_cannot_be_is_refused(function: Callable[..., Any], arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        function(*arguments)


@pytest.mark.parametrize(
    ("value", "status"),
    [("ok", "ok"), ("Content_Filter", "filtered"), ("success", "ok"), ("too long", "too_long"), (None, None), ("failed", "error")],
)
def test_statuses(value: Any, status: str | None) -> None:
    assert cells.status(value) == status


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("Why?", (("user", "Why?"),)),
        (
            [{"role": "system", "content": "Be short."}, {"role": "user", "content": [{"type": "text", "text": "Why?"}]}],
            (("system", "Be short."), ("user", "Why?")),
        ),
        ('[{"role": "user", "content": "Why?"}]', (("user", "Why?"),)),
        ("[sic] Why?", (("user", "[sic] Why?"),)),
        ('["a", "b"]', (("user", '["a", "b"]'),)),
        (None, ()),
        (" ", ()),
    ],
)
def test_prompts(value: Any, messages: tuple[tuple[str, str], ...]) -> None:
    assert cells.prompt(value) == messages


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([-0.5, 0.0, -0.25], [-0.5, 0.0, -0.25]),
        ([None, -0.4], [None, -0.4]),
        (["-Infinity", -0.1], [-math.inf, -0.1]),
        ("[-inf, -0.1, nan, None]", [-math.inf, -0.1, None, None]),
        ('[["x, -inf, ", -0.5]]', [-0.5]),
        ([{"token": "a", "logprob": -1}, {"token": "b"}], [-1.0, None]),
        ([["The", -0.5], [" cat", None]], [-0.5, None]),
        ('{"content": [{"logprob": -2.0}]}', [-2.0]),
        ({"token_logprobs": [-1.0]}, [-1.0]),
        ([-0.1, -9999.0, 0.0], [-0.1, -9999.0, 0.0]),
        ([-1e5, math.nan], [-9999.0, None]),
        ({"content": None}, []),
        ([1e-9], [0.0]),
    ],
)
def test_token_log_probabilities(value: Any, found: list[float | None]) -> None:
    assert cells.token_logprobs(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"0": [1, 2], "8": [3, 4]}, {0: [1.0, 2.0], 8: [3.0, 4.0]}),
        ('{"8": [3, 4], "9": null}', {8: [3.0, 4.0]}),
        ([[1, 2], [3, None]], {0: [1.0, 2.0], 1: None}),
        ([1, 2], {1: [1.0, 2.0]}),
        ("[1, 2]", {1: [1.0, 2.0]}),
    ],
)
def test_hidden_states_by_layer(value: Any, found: dict[int, list[float] | None]) -> None:
    assert cells.layers(value) == found


@pytest.mark.parametrize(
    ("values", "found"),
    [([1.0, 0, "0.5"], [0.0, None, math.log(0.5)]), ([1.0, None], None), ([math.nan, 0.5], None), (["", 1], None), (["nan", 1], None)],
)
def test_a_probability_of_0_has_no_logarithm_and_one_that_is_not_known_leaves_none(values: list[Any], found: list[float] | None) -> None:
    assert cells.logs_of_probabilities(values) == found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([-0.5, "-Infinity", -math.inf], [-0.5, None, None]),
        ([-0.5, -9998.0], [-0.5, -9998.0]),
        *(([-0.5, unknown], None) for unknown in (-9999, -9999.0, "-99999", None, math.nan, "")),
    ],
)
def test_the_log_probability_of_an_option_is_0_in_probability_only_at_minus_infinity(values: list[Any], found: list[float] | None) -> None:
    assert cells.option_logprobs(values) == found
