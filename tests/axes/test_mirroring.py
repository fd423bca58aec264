"""Mirroring: own, sibling and gain through the tables."""

from __future__ import annotations

from typing import Any

import pytest
from tests.axes.tables import call, only, run_of, whole

from sago.axes.mirroring import axis

X1, X2 = "please give the capital of france", "kindly name the capital of france"
Y1, Y2 = "please note the capital is paris", "the capital is paris"


def e29(example: str = "1", **values: Any) -> list[dict[str, Any]]:
    return [call(example, "canonical", prompt=X1, response=Y1, **values), call(example, "paraphrase-1", prompt=X2, response=Y2, **values)]


def test_golden_e29_through_the_tables() -> None:
    scored = axis.score(run_of(e29("1") + e29("2"), task="text"))
    row = whole(scored.profiles)
    assert (row["across"], row["rerun"], row["unrelated"], row["instability"]) == (0.25, None, 0, 0.25)
    assert (row["n"], row["n_variants"], row["n_reruns"], row["reason"]) == (2, 2, 1, None)
    assert "rerun=not_defined" in row["flags"]
    assert scored.scores["instability"].to_list() == [0.25, 0.25]
    assert scored.controls.is_empty()


def test_the_system_message_is_no_wording() -> None:
    calls = [one | {"response": "be brief"} for one in e29() + e29("2")]
    assert whole(axis.score(run_of(calls, task="text")).profiles)["across"] == 0


def test_families_count_their_own_words_against_all_other_wordings() -> None:
    calls = [
        *e29(),
        call("1", "typo-1", prompt="please give the captial of france", response="the captial is paris"),
        *e29("2"),
    ]
    profiles = axis.score(run_of(calls, task="text")).profiles
    typo = only(profiles, family="typo")
    assert (typo["across"], typo["unrelated"], typo["n"], typo["n_left_out"]) == (1, 0, 1, 1)
    # 'please give' is no longer the canonical wording's alone: 'kindly name' and 'captial' are left.
    assert only(profiles, family="paraphrase")["across"] == 0


def test_reruns_are_averaged() -> None:
    calls = e29("1", decoding="sampled") + e29("2", decoding="sampled")
    calls += [one | {"rerun": 1, "response": ""} for one in calls]
    row = whole(axis.score(run_of(calls, task="text")).profiles)
    assert (row["across"], row["n_reruns"]) == (0.125, 2)


def test_controls_and_lost_replies_take_no_part() -> None:
    calls = (
        e29()
        + e29("2")
        + [call("1", "identity", prompt=X1, response=Y1), call("3", prompt=X1, status="error"), call("3", "typo-1", status="error")]
    )
    scored = axis.score(run_of(calls, task="text"))
    assert scored.scores.select("n_variants", "reason").rows() == [(2, None), (2, None), (0, "error")]


def test_a_reply_that_was_not_recorded_is_no_empty_reply() -> None:
    known, lost, half = e29("1"), [one | {"response": None} for one in e29("2")], e29("3")
    half[1]["response"] = None
    silent = [one | {"response": None, "status": "refusal"} for one in e29("4")]
    scored = axis.score(run_of(known + lost + half + silent, task="text"))
    assert scored.scores.select("across", "n_variants", "reason").rows() == [
        (0.25, 2, None),
        (None, 0, "not_recorded"),
        (None, 1, "too_few_variants"),
        (0, 2, None),
    ]
    nothing = axis.score(run_of(lost, task="text"))
    assert (whole(nothing.profiles)["reason"], whole(nothing.profiles)["n_left_out"]) == ("not_recorded", 1)


def test_recorded_answers_are_a_cell_of_their_own() -> None:
    scored = axis.score(run_of(e29(decoding="recorded") + e29("2", decoding="recorded"), task="text"))
    assert whole(scored.profiles, decoding="recorded")["instability"] == 0.25


@pytest.mark.parametrize(
    ("prompts", "reason"),
    [(("Name it", "NAME IT!"), "no_distinctive_surface"), (("Name it", None), "too_few_variants"), (("", "  "), "not_observable")],
)
def test_nothing_distinctive_says_why(prompts: tuple[str, str | None], reason: str) -> None:
    calls = [
        call(name, variant, prompt=prompt, response="name it")
        for name in "12"
        for variant, prompt in zip(("canonical", "case-1"), prompts, strict=True)
        if prompt is not None
    ]
    scored = axis.score(run_of(calls, task="text"))
    assert (whole(scored.profiles)["reason"], whole(scored.profiles)["n"]) == (reason, 0)
    assert set(scored.scores["reason"]) == {reason}


def test_a_constant_reply_is_0_with_a_bound_and_no_point() -> None:
    calls = [call(str(n), v, prompt=p, response="so") for n in range(25) for v, p in (("canonical", X1), ("typo-1", X2))]
    row = whole(axis.score(run_of(calls, task="text")).profiles)
    assert (row["instability"], row["se"]) == (0, 0)
    assert (row["lower"], row["upper"]) == pytest.approx((-0.1332, 0.1332), abs=5e-5)


def test_an_echo_is_1_and_a_swapped_echo_minus_1() -> None:
    echo = [one | {"response": one["prompt"]} for one in e29()]
    swapped = [one | {"response": X2 if one["prompt"] == X1 else X1} for one in e29("2")]
    assert axis.score(run_of(echo + swapped, task="text")).scores["instability"].to_list() == [1, -1]
