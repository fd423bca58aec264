"""How numbers are written."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.reports.numbers import DASH, Estimate, decimal, interval, percent, probability, spelled


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.425, ".42"), (-0.031, "-.03"), (1.0, "1.00"), (-1.2, "-1.20"), (0.0042, ".004"), (-0.0042, "-.004"), (0.0, "0"), (10.04, "10.04")],
)
def test_decimal(value: float, text: str) -> None:
    assert decimal(value) == text


def test_null_is_a_dash_and_never_zero() -> None:
    assert decimal(None) == DASH
    assert spelled(Estimate(None, 0.1, 0.2)) == DASH


@given(st.floats(min_value=-100, max_value=100))
def test_at_most_three_decimals_sign_kept_value_kept(value: float) -> None:
    text = decimal(value)
    assert re.fullmatch(r"-?\d*(\.\d{2,3})?", text)
    assert text.startswith("-") == (value < 0)
    assert abs(float(text) - value) <= 0.005 + 1e-9


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.07, 0.03, 0.12), ".07 [.03, .12]"),
        (Estimate(-0.01, -0.06, 0.04), "-.01 [-.06, .04]"),
        (Estimate(0.2), ".20"),
        (Estimate(0.2, 0.1, None), ".20"),
    ],
)
def test_intervals_stand_in_brackets(estimate: Estimate, text: str) -> None:
    assert spelled(estimate) == text


def test_interval_is_empty_without_ends() -> None:
    assert interval(Estimate(0.5)) == ""


@pytest.mark.parametrize(
    ("estimate", "point"), [(Estimate(0.0, 0.0, 0.0), True), (Estimate(0.0, -0.1, 0.0), False), (Estimate(0.0), False)]
)
def test_an_interval_of_width_zero_is_a_point(estimate: Estimate, point: bool) -> None:
    assert estimate.is_point is point


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(1, 8, "12 %"), (1, 40, "2.5 %"), (0, 9, "0 %"), (9, 9, "100 %"), (1, 10**6, "<0.1 %"), (0, 0, DASH)]
)
def test_percent(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


@pytest.mark.parametrize(("value", "text"), [(0.0, "<.001"), (0.05, ".050"), (1.0, "1.000"), (None, DASH)])
def test_probability(value: float | None, text: str) -> None:
    assert probability(value) == text
