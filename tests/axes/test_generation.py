"""Generation consistency: flips and embeddings, unread answers, silent replies, noise floors, families."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.axes.tables import call, only, run_of, whole

from sago.axes.generation import axis


def answers(table: dict[str, dict[str, str]], **values: Any) -> list[dict[str, Any]]:
    """Example -> variant -> answers, one character a rerun; ``?`` is an answer that could not be read."""
    return [
        call(example, variant, rerun=rerun, **_read(letter), **values)
        for example, variants in table.items()
        for variant, letters in variants.items()
        for rerun, letter in enumerate(letters)
    ]


def _read(letter: str) -> dict[str, Any]:
    return {"answer_reason": "unparsed"} if letter == "?" else {"answer": letter}


E12B = {"1": {"canonical": "AA", "paraphrase-1": "BB"}, "2": {"canonical": "CC", "paraphrase-1": "CC"}}


def test_golden_e12b_through_the_tables() -> None:
    scored = axis.score(run_of(answers(E12B, decoding="sampled")))
    row = whole(scored.profiles)
    assert (row["across"], row["rerun"], row["unrelated"], row["instability"]) == (0.5, 0, 1, 0.5)
    assert (row["n"], row["n_left_out"], row["n_variants"], row["n_reruns"]) == (2, 0, 2, 2)
    assert scored.scores["instability"].to_list() == [1, 0]
    assert scored.scores["n_observations"].to_list() == [4, 4]
    assert set(row["flags"]) == {"small_n", "few_variants"}
    assert row["rerun_p"] == pytest.approx(1 / 3)
    assert scored.scores["rerun_p"].to_list() == [pytest.approx(1 / 3), 1]


@pytest.mark.parametrize(
    ("rule", "across", "reads"),
    [("category", [0, 1], [2, 2]), ("unknown", [1, 1], [2, 2]), ("missing", [None, None], [0, 0])],
)
def test_refusals_are_one_category_unless_asked_otherwise(rule: str, across: list[Any], reads: list[int]) -> None:
    calls = [call(name, variant, status="refusal", answer="<refusal>") for name in "1" for variant in ("canonical", "typo-1")]
    calls += [call("2", "canonical", answer_reason="unparsed"), call("2", "typo-1", answer_reason="unparsed")]
    scored = axis.score(run_of(calls, non_answers=rule))
    assert scored.scores["across"].to_list() == across
    assert scored.scores["n_observations"].to_list() == reads
    assert scored.scores.filter(pl.col("across").is_null())["reason"].null_count() == 0


def test_unread_answers_never_agree_and_missing_data_is_left_out() -> None:
    calls = answers({"1": {"canonical": "?", "typo-1": "?", "case-1": "?"}, "2": {"canonical": "A", "typo-1": "A", "case-1": "A"}})
    calls += [call("3", variant, status="error", answer_reason="error") for variant in ("canonical", "typo-1")]
    calls += [call("4", "canonical", answer="B"), call("4", "typo-1", status="too_long", answer_reason="too_long")]
    scored = axis.score(run_of(calls))
    assert scored.scores["across"].to_list() == [1, 0, None, None]
    assert scored.scores["reason"].to_list()[2:] == ["error", "too_few_variants"]
    assert scored.scores["n_variants"].to_list() == [3, 3, 0, 1]
    assert (whole(scored.profiles)["n"], whole(scored.profiles)["n_left_out"]) == (2, 2)


def test_the_same_prompt_under_two_names_is_a_rerun() -> None:
    calls = answers({"1": {"canonical": "A", "typo-1": "A", "case-1": "B"}, "2": {"canonical": "C", "typo-1": "C", "case-1": "C"}})
    for one in calls:
        if one["variant"] in ("typo-1", "case-1"):
            one["prompt"] = f" {one['example']} cafe\u0301 " if one["variant"] == "typo-1" else f"{one['example']} caf\u00e9"
    scored = axis.score(run_of(calls))
    assert scored.scores["n_variants"].to_list() == [2, 2]
    assert scored.scores["across"].to_list() == [0.5, 0]
    assert scored.scores["rerun"].to_list() == [1, 0]
    assert whole(scored.profiles)["rerun_p"] is None


def test_recorded_answers_without_prompts_are_not_the_same_prompt() -> None:
    calls = [one | {"prompt": ""} for one in answers({"1": {"canonical": "A", "typo-1": "B"}, "2": {"canonical": "C", "typo-1": "C"}})]
    assert axis.score(run_of(calls)).scores["n_variants"].to_list() == [2, 2]


def test_greedy_takes_its_floor_from_the_audit() -> None:
    calls = answers({name: {"canonical": "A", "typo-1": "B"} if name == "1" else {"canonical": name, "typo-1": name} for name in "123"})
    calls += [call("1", decoding="audit", rerun=rerun, answer=answer) for rerun, answer in enumerate("AB")]
    calls += [call("2", decoding="audit", rerun=rerun, answer="2") for rerun in range(2)]
    scored = axis.score(run_of(calls))
    row = whole(scored.profiles)
    assert row["rerun"] == pytest.approx((2 / 3 + 0) / 2)
    assert {"noise_floor=audit", "small_audit"} <= set(row["flags"])
    assert scored.scores["rerun"].to_list() == [pytest.approx(2 / 3), 0, None]
    assert row["rerun_p"] is None
    assert scored.scores["rerun_p"].null_count() == scored.scores.height
    assert scored.profiles["decoding"].unique().to_list() == ["greedy"]


def test_without_reruns_the_floor_is_assumed() -> None:
    row = whole(axis.score(run_of(answers({str(name): {"canonical": str(name), "typo-1": str(name)} for name in range(9)}))).profiles)
    assert row["rerun"] is None
    assert row["reason"] is None
    assert {"noise_floor=assumed_zero", "no_spread"} <= set(row["flags"])
    assert (row["instability"], row["lower"]) == (0, 0)
    assert row["upper"] == pytest.approx(0.2992, abs=1e-4)


def test_families_are_pairs_with_the_canonical_and_inside() -> None:
    table = {
        "1": {"canonical": "A", "typo-1": "A", "typo-2": "B", "case-1": "C"},
        "2": {"canonical": "D", "typo-1": "D", "typo-2": "D", "case-1": "D"},
        "3": {"canonical": "E", "typo-1": "E", "typo-2": "E"},
    }
    profiles = axis.score(run_of(answers(table))).profiles
    typo, case = only(profiles, family="typo"), only(profiles, family="case")
    assert typo["across"] == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert (case["across"], case["n"], case["n_left_out"], case["n_variants"]) == (0.5, 2, 1, 2)
    assert typo["unrelated"] == case["unrelated"] == whole(profiles)["unrelated"] == pytest.approx(1)
    assert profiles.filter("default").height == 1


@pytest.mark.parametrize(
    ("task", "asked", "default"),
    [
        ("choice", "auto", "answer_flip"),
        ("numeric", "auto", "answer_flip"),
        ("text", "auto", "embedding"),
        ("choice", "embedding", "embedding"),
        ("text", "answer_flip", "answer_flip"),
    ],
)
def test_default_measure(task: str, asked: str, default: str) -> None:
    calls = [call(name, variant, answer=name, embedding=[1.0, float(name)]) for name in "12" for variant in ("canonical", "typo-1")]
    profiles = axis.score(run_of(calls, task=task, generation_measure=asked)).profiles
    assert set(profiles["measure"]) == {"answer_flip", "embedding"}
    assert whole(profiles)["measure"] == default


def test_free_text_without_an_encoder_says_so_and_is_never_another_measure() -> None:
    calls = [call(n, v, answer=n, embedding_reason="needs_encoder") for n in "12" for v in ("canonical", "typo-1")]
    scored = axis.score(run_of(calls, task="text"))
    row = whole(scored.profiles)
    assert (row["measure"], row["reason"], row["n"], row["n_left_out"], row["instability"]) == ("embedding", "needs_encoder", 0, 2, None)
    assert only(scored.profiles, measure="answer_flip", family=None)["default"] is False
    assert set(scored.controls["reason"]) == {"needs_encoder"}


def test_nothing_read_at_all_is_not_observable_and_a_lesser_measure_has_no_row() -> None:
    calls = [call(name, variant) for name in "12" for variant in ("canonical", "typo-1")]
    profiles = axis.score(run_of(calls)).profiles
    assert profiles.select("measure", "reason", "n").rows() == [("answer_flip", "not_observable", 0)]


def test_silent_replies_beside_texts() -> None:
    texts = {"1": [1.0, 0.0], "2": [0.0, 1.0], "3": [-1.0, 0.0], "4": [0.0, -1.0]}
    calls = [call(name, variant, embedding=vector) for name, vector in texts.items() for variant in ("canonical", "typo-1")]
    # Unrelated texts: cosine 0 to two of the others, -1 to one, so N of the texts is 4 / 3.
    empty = {"embedding_reason": "empty", "silent": "<empty>", "status": "empty"}
    calls += [call("5", "canonical", **empty), call("5", "typo-1", **empty)]
    calls += [call("6", "canonical", **empty), call("6", "typo-1", embedding=[1.0, 0.0])]
    calls += [call("7", variant, embedding_reason="truncated", status="truncated") for variant in ("canonical", "typo-1")]
    scored = axis.score(run_of(calls, task="text"))
    across = dict(scored.scores.select("example", "across").iter_rows())
    assert [across[name] for name in "1234"] == pytest.approx([0, 0, 0, 0], abs=1e-12)
    assert across["5"] == pytest.approx(0, abs=1e-12)
    far = across["6"]
    assert across["7"] == pytest.approx(far)
    assert far > 1
    assert "empty_responses" in whole(scored.profiles)["flags"]


def test_replies_that_are_all_alike_have_no_scale() -> None:
    table = {str(name): {"canonical": "A", "typo-1": "A"} for name in range(40)}
    scored = axis.score(run_of(answers(table)))
    row = whole(scored.profiles)
    assert (row["across"], row["instability"], row["se"], row["reason"]) == (0, None, None, "degenerate_null")
    assert set(scored.scores["reason"]) == {"degenerate_null"}
    assert set(scored.scores["across"]) == {0}


def test_sampled_and_greedy_are_cells_of_their_own() -> None:
    calls = answers(E12B, decoding="sampled") + answers({"1": {"canonical": "A", "typo-1": "A"}, "2": {"canonical": "B", "typo-1": "B"}})
    profiles = axis.score(run_of(calls)).profiles.filter(pl.col("family").is_null())
    assert profiles.select("decoding", "across").sort("decoding").rows() == [("greedy", 0), ("sampled", 0.5)]


@pytest.mark.parametrize(
    ("words", "flagged"), [(("correct", "incorrect"), True), (("correct", "not_attempted"), True), (("correct", "Paris"), False)]
)
def test_answers_that_are_verdicts_are_told_from_answers(words: tuple[str, str], flagged: bool) -> None:
    calls = [
        call(name, variant, answer=words[place % 2])
        for name in ("1", "2", "3")
        for place, variant in enumerate(("canonical", "typo-1", "case-1"))
    ]
    assert ("answers=verdicts" in whole(axis.score(run_of(calls)).profiles)["flags"]) == flagged
