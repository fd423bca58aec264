"""Replies that give a share of every option: the highest is the answer, and the first one named is not."""

from __future__ import annotations

import pytest

from sago.features.answers import Asked, read_answer

_PLANETS = ("Mars", "Venus", "Jupiter", "Saturn")
_SHARES = ("10", "20", "30", "40")
PLANET = Asked("choice", ("A", "B", "C", "D"), _PLANETS, _PLANETS)
SHARE = Asked("choice", ("A", "B", "C", "D"), _SHARES, _SHARES)


@pytest.mark.parametrize(
    "response",
    [
        '{"A": 0.05, "B": 0.05, "C": 0.85, "D": 0.05}',
        "{'A': 0.05, 'B': 0.05, 'C': 0.85, 'D': 0.05}",
        '```json\n{\n  "Mars": 5,\n  "Venus": 5,\n  "Jupiter": 85,\n  "Saturn": 5\n}\n```',
        '{"probabilities": {"A": 0.05, "B": 0.05, "C": 0.85, "D": 0.05}}',
        '{"A": false, "B": false, "C": true, "D": false}',
        "A: 0.05, B: 0.05, C: 0.85, D: 0.05",
        "- **A**: 10%\n- **C**: 90%",
        '{"A": 0.6, "C": 0.4}\n\nAnswer: C',
    ],
)
def test_the_highest_share_is_the_answer(response: str) -> None:
    assert read_answer("ok", response, PLANET).category == "Jupiter"


@pytest.mark.parametrize(
    ("asked", "response"),
    [
        (PLANET, '{"A": 0.5, "C": 0.5}'),
        (PLANET, '{"A": 1, "B": 2, "C": 3, "D": 4}'),
        (PLANET, '{"A": true, "C": true}'),
        (PLANET, "A: 0.1, A: 0.9"),
        (SHARE, "A: 10, B: 20, C: 30, D: 40"),
    ],
)
def test_ties_ranks_and_the_options_themselves_state_none(asked: Asked, response: str) -> None:
    assert read_answer("ok", response, asked).reason == "unparsed"


def test_shares_that_were_cut_off_state_none() -> None:
    assert read_answer("truncated", "A: 0.05, C: 0.9", PLANET).category is None


def test_one_option_with_its_confidence_is_read_as_before() -> None:
    assert read_answer("ok", '{"C": 0.85}', PLANET).category == "Jupiter"
