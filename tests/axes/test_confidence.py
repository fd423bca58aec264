"""Confidence stability: the chosen option by content, the anchor, and what has none."""

from __future__ import annotations

from typing import Any

import pytest
from tests.axes.tables import call, run_of, whole

from sago.axes.confidence import axis

TABLE = {
    "1": {"canonical": [0.7, 0.2, 0.1], "choice-order-1": [0.3, 0.6, 0.1], "typo-1": [0.5, 0.25, 0.25]},
    "2": {"canonical": [0.1, 0.1, 0.8], "choice-order-1": [0.1, 0.1, 0.8], "typo-1": [0.2, 0.2, 0.6]},
}


def options(table: dict[str, dict[str, list[float]]]) -> list[dict[str, Any]]:
    return [call(name, variant, option_probabilities=vector) for name, row in table.items() for variant, vector in row.items()]


def test_probability_of_the_option_chosen_on_the_canonical_wording() -> None:
    scored = axis.score(run_of(options(TABLE)))
    assert scored.scores["across"].to_list() == pytest.approx([(0.4 + 0.2 + 0.2) / 3, (0 + 0.2 + 0.2) / 3])
    row = whole(scored.profiles)
    assert (row["measure"], row["decoding"]) == ("option_probability", "greedy")
    # Only pairs under different names are unrelated: (.7,.8) (.7,.6) (.3,.8) (.3,.6) (.5,.8) (.5,.8).
    assert row["unrelated"] == pytest.approx((0.1 + 0.1 + 0.5 + 0.3 + 0.3 + 0.3) / 6)


def test_of_equal_options_the_first_is_followed() -> None:
    table = {"1": {"canonical": [0.5, 0.5], "typo-1": [0.9, 0.1]}, "2": {"canonical": [0.2, 0.8], "typo-1": [0.2, 0.8]}}
    assert axis.score(run_of(options(table))).scores["across"].to_list() == pytest.approx([0.4, 0])


def test_the_option_is_chosen_by_all_responses_to_the_canonical_prompt() -> None:
    """Of .5/.4/.1 and .2/.5/.3, both to the canonical prompt, the second option is likeliest, though not of the first alone."""
    probabilities = {"canonical": [0.5, 0.4, 0.1], "same": [0.2, 0.5, 0.3], "other": [0.3, 0.3, 0.4]}
    prompts = {"canonical": "Why?", "same": "Why? ", "other": "Say why."}
    doubtful = [call("1", name, prompt=prompts[name], option_probabilities=vector) for name, vector in probabilities.items()]
    certain = [call("2", name, prompt=prompts[name], option_probabilities=[0.9, 0.05, 0.05]) for name in prompts]
    row = whole(axis.score(run_of(doubtful + certain)).profiles)
    assert (row["across"], row["rerun"], row["unrelated"]) == pytest.approx((0.15 / 2, 0.1 / 2, (0.45 + 0.6) / 2))


def test_audit_rows_follow_the_option_of_their_greedy_cell() -> None:
    audits = [call("1", decoding="audit", rerun=rerun, option_probabilities=[0.2, 0.7, 0.1]) for rerun in range(2)]
    row = whole(axis.score(run_of(options(TABLE) + audits)).profiles)
    assert row["rerun"] == pytest.approx((0.5 + 0.5 + 0) / 3)


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (options({n: {"canonical": [1.0], "typo-1": [1.0]} for n in "12"}), "one_choice"),
        (options({n: {"typo-1": [0.5, 0.5], "case-1": [0.5, 0.5]} for n in "12"}), "no_canonical"),
        ([call(n, v, option_probabilities_reason="not_observable") for n in "12" for v in ("canonical", "typo-1")], "not_observable"),
        ([call(n, v, option_probabilities_reason="minus_inf") for n in "12" for v in ("canonical", "typo-1")], "minus_inf"),
    ],
)
def test_nothing_to_follow_says_why(calls: list[dict[str, Any]], reason: str) -> None:
    scored = axis.score(run_of(calls))
    assert (whole(scored.profiles)["reason"], whole(scored.profiles)["n"]) == (reason, 0)
    assert set(scored.scores["reason"]) == {reason}


@pytest.mark.parametrize(
    ("task", "default"), [("choice", "option_probability"), ("text", "anchor_probability"), ("numeric", "anchor_probability")]
)
def test_default_measure(task: str, default: str) -> None:
    calls = [one | {"anchor_probability": 0.1 * place} for place, one in enumerate(options(TABLE))]
    profiles = axis.score(run_of(calls, task=task)).profiles
    assert whole(profiles)["measure"] == default
    assert set(profiles["measure"]) == {"option_probability", "anchor_probability"}


def test_the_anchor_is_a_scalar() -> None:
    values = {"1": [0.9, 0.7, 0.8], "2": [0.1, 0.1, 0.1]}
    calls = [
        call(n, f"typo-{k}" if k else "canonical", anchor_probability=value) for n, row in values.items() for k, value in enumerate(row)
    ]
    scored = axis.score(run_of(calls, task="text"))
    assert scored.scores["across"].to_list() == pytest.approx([0.133333, 0], abs=1e-6)


def test_equal_confidence_everywhere_has_no_scale() -> None:
    calls = [call(str(n), v, anchor_probability=0.4) for n in range(30) for v in ("canonical", "typo-1")]
    row = whole(axis.score(run_of(calls, task="text")).profiles)
    assert (row["across"], row["reason"]) == (0, "degenerate_null")
