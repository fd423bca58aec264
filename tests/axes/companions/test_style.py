"""Mirroring of style, through the tables."""

from __future__ import annotations

import numpy as np
import pytest
from tests.axes.companions.test_uptake import made, of_texts
from tests.axes.tables import only, run_of

from sago.arrays.style import FEATURES, SHORT
from sago.axes import COMPANIONS

FOLLOWING = {"a b c": "one two", "A B C": "One Two", "a B c": "one Two"}


def test_a_number_a_feature() -> None:
    names = {name for name in COMPANIONS if name.startswith("style_")}
    assert names == {f"style_{kind}_{feature}" for kind in ("slope", "correlation") for feature in FEATURES}


def test_upper_case_is_followed() -> None:
    inputs = run_of(of_texts(*[FOLLOWING] * 2, {"a b": "x", "A b": "X"}, {"a": "y"}))
    # Shares of upper case: prompts 0, 1, 1/3 and replies 0, 1/3, 1/6; then 0, 1/2 and 0, 1. 'a' has no sibling.
    x, y = np.array([0, 1, 1 / 3]), np.array([0, 1 / 3, 1 / 6])
    xy = 2 * ((x - x.mean()) @ (y - y.mean())) + 0.25
    xx, yy = 2 * ((x - x.mean()) @ (x - x.mean())) + 0.125, 2 * ((y - y.mean()) @ (y - y.mean())) + 0.5
    slope = only(made("style_slope_uppercase_rate", inputs).profiles, family=None)
    assert slope["across"] == pytest.approx(xy / xx)
    assert (slope["n"], slope["n_left_out"], slope["instability"], slope["reason"]) == (3, 1, None, "no_null")
    assert slope["flags"] == ["small_n"]
    assert slope["across_lower"] < slope["across"] < slope["across_upper"]
    assert only(made("style_correlation_uppercase_rate", inputs).profiles, family=None)["across"] == pytest.approx(xy / np.sqrt(xx * yy))


def test_reruns_are_averaged() -> None:
    calls = of_texts({"a": "x", "A": "X"}, decoding="sampled")
    calls += [one | {"rerun": 1, "response": "x"} for one in calls]
    row = only(made("style_slope_uppercase_rate", run_of(calls)).profiles, family=None)
    assert row["across"] == pytest.approx(0.5)
    assert (row["across_se"], row["flags"]) == (None, ["small_n", "interval=not_defined"])


@pytest.mark.parametrize(
    ("name", "texts", "reason"),
    [
        ("style_slope_digit_rate", FOLLOWING, "same_style"),
        ("style_correlation_uppercase_rate", dict.fromkeys(FOLLOWING, "so"), "constant_replies"),
        ("style_slope_articles", {"где это": "там", "где оно": "тут"}, "other_script"),
        ("style_slope_uppercase_rate", {"a": "b"}, "too_few_variants"),
        ("lsm_gain", {"где это": "там", "где оно": "тут"}, "other_script"),
        ("lsm_gain", {"the city": "там", "a city": "тут"}, "other_script"),
        ("lsm_gain", {"red city": "the town", "blue city": "a town"}, "no_function_words"),
    ],
)
def test_nothing_to_follow_says_why(name: str, texts: dict[str, str], reason: str) -> None:
    row = only(made(name, run_of(of_texts(*[texts] * 2))).profiles, family=None)
    assert (row["reason"], row["n"], row["across"]) == (reason, 0, None)


def test_constant_replies_have_slope_0_without_an_interval_of_width_0() -> None:
    row = only(made("style_slope_uppercase_rate", run_of(of_texts(*[dict.fromkeys(FOLLOWING, "so")] * 3))).profiles, family=None)
    assert (row["across"], row["across_se"], row["across_lower"]) == (0, None, None)
    assert "no_spread" in row["flags"]


def test_function_words_that_are_followed_gain() -> None:
    echo = {"where is the city": "where is the city", "name a town of all": "name a town of all"}
    row = only(made("lsm_gain", run_of(of_texts(*[echo] * 2))).profiles, family=None)
    assert row["across"] == pytest.approx(1)
    assert row["instability"] == pytest.approx(1 - row["unrelated"])
    assert 0 < row["instability"] < 1
    assert "short_texts" in row["flags"]


def test_long_texts_carry_no_remark() -> None:
    texts = {"the city " * SHORT: "a town " * SHORT, "all of it " * SHORT: "we have " * SHORT}
    assert "short_texts" not in only(made("lsm_gain", run_of(of_texts(*[texts] * 2))).profiles, family=None)["flags"]


def test_an_empty_reply_takes_up_no_style() -> None:
    texts = {"where is the city": "", "name a town of all": ""}
    row = only(made("lsm_gain", run_of(of_texts(*[texts] * 2, status="empty"))).profiles, family=None)
    assert row["across"] == pytest.approx(0, abs=0.01)
    assert row["instability"] == pytest.approx(0, abs=1e-12)
