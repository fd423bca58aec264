"""Companions on answers, through the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.axes.tables import call, run_of

from sago.axes import AxisInput, Scored, score
from sago.axes.companions import COMPANIONS
from sago.axes.companions.agreement import COMPANIONS as OWN

EXAMPLES = [one.name for one in OWN if one.level == "example" and one.name not in ("pss", "excess_information")]


def made(name: str, inputs: AxisInput) -> Scored:
    return COMPANIONS[name].compute(COMPANIONS[name], inputs)


def answers(table: dict[str, str], **values: Any) -> list[dict[str, Any]]:
    """Example -> answers, one character a wording, the first the original; ``?`` = could not be read, ``!`` = refused."""
    return [
        call(example, "canonical" if place == 0 else f"typo-{place}", **read(letter), **values)
        for example, letters in table.items()
        for place, letter in enumerate(letters)
    ]


def read(letter: str) -> dict[str, Any]:
    given = {"?": {"answer_reason": "unparsed"}, "!": {"answer": "<refusal>", "status": "refusal"}}
    return given.get(letter, {"answer": letter})


def with_options(inputs: AxisInput, **columns: Any) -> AxisInput:
    return replace(inputs, examples=inputs.examples.with_columns(**columns))


def row_of(scored: Scored) -> dict[str, Any]:
    assert scored.profiles.height == 1
    return scored.profiles.row(0, named=True)


def across(scored: Scored) -> list[float | None]:
    return [None if value is None else round(value, 6) for value in scored.scores["across"].to_list()]


def test_golden_e01_through_the_tables() -> None:
    inputs = with_options(run_of(answers({"1": "AABA"})), choices=pl.lit(["A", "B"]))
    expected = {"flip_from_canonical": 1 / 3, "total_disagreement": 1, "majority_disagreement": 0.25, "sensitivity": 0.811278}
    for name, value in expected.items():
        scored = made(name, inputs)
        row = row_of(scored)
        assert row["across"] == pytest.approx(value, abs=5e-7), name
        assert (row["n"], row["n_variants"], row["n_reruns"], row["default"], row["reason"]) == (1, 4, 1, False, "no_null")
        assert scored.scores["across"].to_list() == pytest.approx([value], abs=5e-7)
    assert "entropy_biased_low" in row_of(made("sensitivity", inputs))["flags"]


def test_the_mean_over_examples_and_its_interval() -> None:
    row = row_of(made("majority_disagreement", run_of(answers({"1": "AABB", "2": "AAAA", "3": "ABCD", "4": "AAAB"}))))
    values = np.array([0.5, 0, 0.75, 0.25])
    assert row["across"] == pytest.approx(values.mean())
    assert row["across_se"] == pytest.approx(values.std(ddof=1) / 2)
    assert row["across_lower"] == pytest.approx(values.mean() - 3.182446 * values.std(ddof=1) / 2, abs=1e-5)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("rule", "refused", "unread"), [("category", "low", "high"), ("unknown", "high", "high"), ("missing", None, None)])
def test_the_rule_for_non_answers(name: str, rule: str, refused: str | None, unread: str | None) -> None:
    inputs = with_options(run_of(answers({"1": "!!!", "2": "???", "3": "AAA"}), non_answers=rule), choices=pl.lit(["A", "B"]))
    found = across(made(name, inputs))
    level = {"low": 0.0, "high": round(2 / 3 if name == "majority_disagreement" else 1.0, 6), None: None}
    assert found == [level[refused], level[unread], 0.0]


def test_why_there_is_no_value() -> None:
    calls = answers({"1": "A", "2": "AB"})
    calls += [call("3", variant, status="error", answer_reason="error") for variant in ("canonical", "typo-1")]
    calls += [call("4", variant, answer_reason="not_recorded") for variant in ("canonical", "typo-1")]
    calls += [call("5", variant, answer="A") for variant in ("typo-1", "typo-2")]
    scored = made("flip_from_canonical", run_of(calls))
    assert scored.scores["reason"].to_list() == ["too_few_variants", "no_null", "error", "not_recorded", "no_canonical"]
    row = row_of(scored)
    assert (row["n"], row["n_left_out"], row["across"]) == (1, 4, 1)


def test_controls_take_no_part_and_equal_prompts_are_reruns() -> None:
    calls = [*answers({"1": "AA"}), call("1", "identity", answer="B"), call("1", "meaning-changed", answer="C")]
    calls += [
        call("2", "canonical", answer="A", prompt="same"),
        call("2", "typo-1", answer="B", prompt="same"),
        call("2", "typo-2", answer="A"),
    ]
    scored = made("total_disagreement", run_of(calls))
    assert scored.scores.select("across", "n_variants", "n_observations").rows() == [(0, 2, 2), (1, 2, 3)]


def test_the_original_wording_is_known_under_whichever_of_its_variants_was_answered() -> None:
    """By hand: e1: canonical and typo-1 are one wording with A, B; typo-2 says A: one of two pairs flips. e2: the original was not read."""
    calls = [
        call("1", name, answer=said, prompt=text)
        for name, said, text in (("canonical", "A", "p"), ("typo-1", "B", "p"), ("typo-2", "A", "q"))
    ]
    calls += [call("2", "canonical", answer_reason="not_recorded", prompt="p"), call("2", "typo-1", answer="B", prompt="p")]
    calls += [call("2", "typo-2", answer="A", prompt="q")]
    scored = made("flip_from_canonical", run_of(calls))
    assert scored.scores.select("across", "reason").rows() == [(0.5, "no_null"), (1, "no_null")]


def test_free_answers_are_measured_against_the_different_answers_of_the_cell() -> None:
    inputs = run_of(answers({"1": "AB", "2": "CD"}), task="text")
    assert across(made("sensitivity", inputs)) == [0.5, 0.5]
    constant = made("sensitivity", run_of(answers({"1": "AA", "2": "AA"}), task="text"))
    assert constant.scores["reason"].to_list() == ["one_class", "one_class"]


def test_nothing_moved_is_a_bound_and_so_is_everything_moved() -> None:
    none, every = (row_of(made("total_disagreement", run_of(answers(dict.fromkeys("1234", letters))))) for letters in ("AA", "AB"))
    assert (none["across_lower"], none["across_upper"]) == (0, pytest.approx(0.489891, abs=1e-6))
    assert (every["across_lower"], every["across_upper"]) == (pytest.approx(0.510109, abs=1e-6), 1)
    assert {"no_spread", "small_n", "few_variants"} <= set(none["flags"])


def test_golden_e05_pooled_flips() -> None:
    row = row_of(made("pooled_flips", run_of(answers({"1": "AAB", "2": "AA", "3": "A"}))))
    assert (row["across"], row["n"], row["n_left_out"], row["reason"]) == (0.5, 2, 1, "no_null")
    assert made("pooled_flips", run_of(answers({"1": "AAB", "2": "AA"}))).scores.is_empty()
    same = row_of(made("pooled_flips", run_of(answers({"1": "AAA", "2": "AA"}))))
    assert (same["across"], same["across_lower"]) == (0, 0)
    assert same["across_upper"] > 0.5
    assert row_of(made("pooled_flips", run_of(answers({"1": "A"}))))["reason"] == "too_few_variants"


def test_golden_e06_through_the_tables() -> None:
    inputs = run_of(answers({"1": "AABA", "2": "BBBB"}))
    correct = inputs.features.with_columns(
        feature=pl.lit("correct"), number=(pl.col("category") == "A").cast(pl.Float64), category=pl.lit(None, pl.String)
    )
    inputs = replace(inputs, features=pl.concat([inputs.features, correct]))
    scored = made("pss", inputs)
    assert across(scored) == [0.5, 0]
    assert row_of(scored)["across"] == 0.25
    lost = correct.with_columns(number=pl.lit(None, pl.Float64), reason=pl.lit("no_gold"))
    assert row_of(made("pss", replace(inputs, features=lost)))["reason"] == "no_gold"


def test_golden_e56_through_the_tables() -> None:
    calls = [
        call(example, variant, rerun=rerun, answer=letter, decoding="sampled")
        for example, by_wording in {"1": ("AA", "BB"), "2": ("AA", "AB")}.items()
        for variant, letters in zip(("canonical", "typo-1"), by_wording, strict=True)
        for rerun, letter in enumerate(letters)
    ]
    assert across(made("excess_information", run_of(calls))) == [pytest.approx(0.462098, abs=1e-6), 0]
    once = made("excess_information", run_of(answers({"1": "AB"})))
    assert once.scores["reason"].to_list() == ["no_reruns"]


def test_questions_with_one_gold_answer() -> None:
    """Shares of yes: .5, 1, 1 with gold yes, so TVD .5, .5, 0; 0 with gold no stands alone; one has no gold."""
    inputs = run_of(answers({"1": "YN", "2": "YY", "3": "YY", "4": "NN", "5": "YN"}))
    gold = pl.Series([["Y"], ["Y"], ["Y"], ["N"], []], dtype=pl.List(pl.String))
    row = row_of(made("label_inconsistency", with_options(inputs, answers=gold)))
    assert (row["across"], row["n"], row["n_left_out"]) == (pytest.approx(1 / 3), 3, 2)
    assert row["across_se"] == pytest.approx(np.sqrt(2 / 3 * (2 * (1 / 6) ** 2 + (1 / 3) ** 2)))
    by_index = with_options(inputs, choices=pl.lit(["Y", "N"]), answer_index=pl.Series([0, 0, 0, 1, None], dtype=pl.Int64))
    assert row_of(made("label_inconsistency", by_index))["across"] == row["across"]


@pytest.mark.parametrize(("gold", "reason"), [([["Y"], ["N"]], "no_shared_gold"), ([[], []], "no_gold")], ids=["each its own", "none"])
def test_without_a_shared_gold_answer_there_is_no_label(gold: list[list[str]], reason: str) -> None:
    inputs = with_options(run_of(answers({"1": "YN", "2": "YY"})), answers=pl.Series(gold, dtype=pl.List(pl.String)))
    row = row_of(made("label_inconsistency", inputs))
    assert (row["across"], row["reason"], row["n"]) == (None, reason, 0)


def test_two_unread_answers_of_one_class_are_as_far_apart_as_can_be() -> None:
    inputs = with_options(run_of(answers({"1": "??", "2": "??"})), answers=pl.lit(["Y"]))
    assert row_of(made("label_inconsistency", inputs))["across"] == 1


def test_asked_for_by_name_and_whatever_the_order_of_rows() -> None:
    inputs = run_of(answers({"1": "AABA", "2": "?A!A", "3": "ABCD"}))
    names = [one.name for one in OWN]

    def scored(features: pl.DataFrame) -> Scored:
        tables = (inputs.states, inputs.observations.sample(fraction=1, shuffle=True, seed=1), inputs.variants, inputs.examples)
        return score(features, *tables, axes=["generation"], measures=names)

    once, again = scored(inputs.features), scored(inputs.features.sample(fraction=1, shuffle=True, seed=2))
    assert set(names) <= set(once.profiles["measure"])
    assert once.profiles.equals(again.profiles)
    assert once.scores.equals(again.scores)
    assert not once.profiles.select(pl.col(pl.Float64).is_nan().any()).row(0).count(True)


def test_a_thousand_examples_of_eight_wordings_have_every_measure_or_its_reason() -> None:
    rng = np.random.default_rng(0)
    table = {f"{number:04d}": "".join(rng.choice(list("ABCD?"), 8)) for number in range(1000)}
    inputs = with_options(run_of(answers(table)), choices=pl.lit(list("ABCD")), answers=pl.lit(["A"]))
    for one in OWN:
        row = made(one.name, inputs).profiles.row(0, named=True)
        assert (row["across"] is None) == (row["reason"] not in (None, "no_null")), one.name
