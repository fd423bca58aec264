"""Companions of the mirroring axis that are signed as its default is: through the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.arrays.test_similarity import GOLDEN
from tests.axes.tables import call, only, run_of
from tests.axes.test_mirroring import X1, X2, e29

from sago.axes import COMPANIONS, AxisInput, Scored

SIGNED = [name for name, one in COMPANIONS.items() if one.axis == "mirroring" and not name.startswith("style_")]


def made(name: str, inputs: AxisInput) -> Scored:
    return COMPANIONS[name].compute(COMPANIONS[name], inputs)


def of_texts(*examples: dict[str, str], **values: Any) -> list[dict[str, Any]]:
    """Returns calls: each example is a prompt -> its reply."""
    return [
        call(f"e{place:02d}", "canonical" if not number else f"paraphrase-{number}", prompt=prompt, response=reply, **values)
        for place, texts in enumerate(examples)
        for number, (prompt, reply) in enumerate(texts.items())
    ]


def test_golden_e30_through_the_tables() -> None:
    row = only(made("similarity_gain_jaccard", run_of(e29("1") + e29("2"))).profiles, family=None)
    case = GOLDEN["E30"]
    assert (row["across"], row["unrelated"], row["instability"]) == pytest.approx((case["own"], case["sibling"], case["gain"]))
    assert (row["default"], row["family"], row["reason"], row["n"]) == (False, None, None, 2)


@pytest.mark.parametrize(("n", "own", "sibling"), [(2, 1 / 2, 1 / 4), (3, 1 / 2, 0)])
def test_longer_pieces(n: int, own: float, sibling: float) -> None:
    # Pairs of the two prompts: a b, b c and x b, b y: all distinctive. Runs of three: one each.
    calls = of_texts(*[{"a b c": "a b c", "x b y": "b c"}] * 2)
    row = only(made(f"distinctive_uptake_{n}", run_of(calls)).profiles, family=None)
    assert (row["across"], row["unrelated"], row["instability"]) == pytest.approx((own, sibling, own - sibling))


def test_pooled_sums_weigh_by_distinctive_words() -> None:
    calls = of_texts({"a b c": "a b c", "x": "x"}, {"a": "", "b": ""})
    scored = made("pooled_uptake", run_of(calls))
    # 4 of 4 distinctive words in the first example, 0 of 2 in the second: 4 / 6 and not 1 / 2.
    assert only(scored.profiles, family=None)["instability"] == pytest.approx(4 / 6)
    assert scored.scores.is_empty()


EDIT = {"start": 16, "end": 23, "before": "capital", "after": "captial"}


def with_edits(inputs: AxisInput, edits: list[dict[str, Any]]) -> AxisInput:
    changed = pl.when(pl.col("family") == "typo").then(pl.lit(edits, dtype=inputs.variants.schema["edits"]))
    return replace(inputs, variants=inputs.variants.with_columns(edits=changed.otherwise("edits")))


def test_misspelt_words_alone_count_for_typos() -> None:
    calls = [*e29("1"), call("1", "typo-1", prompt=X1.replace("capital", "captial"), response="the captial is paris"), *e29("3")]
    calls += [*e29("2"), call("2", "typo-1", prompt=X2.replace("capital", "captial"), response="the capital is paris")]
    scored = made("typo_uptake", with_edits(run_of(calls), [EDIT]))
    assert scored.scores.select("across", "instability", "reason").rows() == [(1, 1, None), (0, 0, None), (None, None, "no_variants")]
    row = only(scored.profiles, family=None)
    assert (row["across"], row["unrelated"], row["instability"], row["n"], row["n_left_out"]) == (0.5, 0, 0.5, 2, 1)


def test_a_misspelling_of_which_the_edits_are_not_known_says_so() -> None:
    calls = [*e29("1"), call("1", "typo-1", prompt="please give the captial", response="captial")]
    assert only(made("typo_uptake", run_of(calls)).profiles, family=None)["reason"] == "no_edits"


def test_a_misspelling_that_every_sibling_takes_up_is_no_mirroring() -> None:
    calls = [one | {"response": "captial"} for one in e29("1")]
    calls.append(call("1", "typo-1", prompt=X1.replace("capital", "captial"), response="captial"))
    row = only(made("typo_uptake", with_edits(run_of(calls), [EDIT])).profiles, family=None)
    assert (row["across"], row["unrelated"], row["instability"]) == (1, 1, 0)


LONG = "I would say that it is not the one that we have in all of the "


@pytest.mark.parametrize("name", [name for name in SIGNED if name not in ("typo_uptake", "tracking", "tracking_answers")])
def test_a_constant_reply_gives_0_whatever_the_measure(name: str) -> None:
    texts = {LONG + "city": LONG, "the big town and all of it": LONG, "any village that we see": LONG}
    row = only(made(name, run_of(of_texts(*[texts] * 3))).profiles, family=None)
    assert row["instability"] == pytest.approx(0, abs=1e-12)
    assert row["n"] == 3
    assert "rerun=not_defined" in row["flags"]


@pytest.mark.parametrize("name", SIGNED)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"response": None}, "not_recorded"),
        ({"status": "error", "response": None}, "error"),
        ({"prompt": ""}, "not_observable"),
    ],
    ids=["not recorded", "error", "no prompt"],
)
def test_every_measure_says_why_there_is_nothing(name: str, change: dict[str, Any], reason: str) -> None:
    calls = [one | change for one in of_texts(*[{X1: "a", X2: "b", "which capital": "c"}] * 2)]
    inputs = run_of([one | {"answer_reason": "unparsed"} if name == "tracking_answers" else one for one in calls])
    row = only(made(name, inputs).profiles, family=None)
    if name == "tracking_answers" and reason == "not_recorded":
        reason = "equal_distances"  # unread answers are known to be unread, and all equally far apart
    assert (row["reason"], row["n"], row["across"], row["instability"]) == (reason, 0, None, None)


@pytest.mark.parametrize("name", SIGNED)
def test_one_wording_has_no_siblings(name: str) -> None:
    inputs = run_of([call("1", prompt=X1, response="a", answer="a"), call("2", prompt=X1, response="b", answer="b")])
    assert only(made(name, inputs).profiles, family=None)["reason"] == "too_few_variants"


def test_one_reading_of_the_tables_serves_all() -> None:
    inputs = run_of(e29("1") + e29("2"))
    made("similarity_gain_jaccard", inputs)
    parts = inputs.shared["prompts and replies"]
    made("distinctive_uptake_2", inputs)
    assert inputs.shared["prompts and replies"] is parts
    assert replace(inputs, seed=1).shared == {}
