"""Companions on meanings and on wording, through the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.axes.tables import call, run_of

from sago.arrays import DISTANCES
from sago.arrays.distances import any_distance
from sago.arrays.overlap import chrf_distance, rouge_l, rouge_l_distance
from sago.axes import AxisInput, Scored
from sago.axes.companions import COMPANIONS, surface
from sago.axes.companions.companion import Companion
from sago.axes.companions.meaning import entailments_of
from sago.errors import PluginError

CLUSTERED = ("semantic_entropy", "semantic_entropy_normalised", "semantic_gini")
ON_TEXTS = ("degmat", "eigv", "lexical_distance")
NEAR, FAR = [1.0, 0.1], [0.1, 1.0]


def made(name: str | Companion, inputs: AxisInput) -> Scored:
    one = COMPANIONS[name] if isinstance(name, str) else name
    return one.compute(one, inputs)


def replies(table: Mapping[str, Sequence[Any]], **values: Any) -> list[dict[str, Any]]:
    """Example -> replies, one a wording: a text, (text, vector), or None for a reply that was cut off before any text."""
    return [
        call(example, "canonical" if place == 0 else f"typo-{place}", **reply(given), **values)
        for example, texts in table.items()
        for place, given in enumerate(texts)
    ]


def reply(given: Any) -> dict[str, Any]:
    if given is None:
        return {"status": "truncated", "response": "", "embedding_reason": "truncated"}
    if given in ("<empty>", "<refusal>"):
        return {"status": given.strip("<>"), "embedding_reason": given.strip("<>"), "silent": given}
    text, vector = given if isinstance(given, tuple) else (given, NEAR)
    return {"response": text, "embedding": vector}


def row_of(scored: Scored) -> dict[str, Any]:
    assert scored.profiles.height == 1
    return scored.profiles.row(0, named=True)


def across(scored: Scored) -> list[float | None]:
    return [None if value is None else round(value, 6) for value in scored.scores["across"].to_list()]


def entails(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The longer text entails the shorter one that it contains, and a capital city its country."""
    return [0.9 if second.split()[-1] in first or first.split()[-1] in second else 0.2 for first, second in pairs]


# -- clusters ----------------------------------------------------------------------------------------------------------------


def test_golden_e03_through_the_tables() -> None:
    inputs = run_of(replies({"1": [("a", NEAR)] * 4 + [("b", FAR)] * 2}))
    assert across(made("semantic_entropy", inputs)) == [0.636514]
    assert across(made("semantic_entropy_normalised", inputs)) == [round(1 - 0.644754678724, 6)]
    assert across(made("semantic_gini", inputs)) == [round(8 / 15, 6)]


@pytest.mark.parametrize("name", CLUSTERED)
def test_one_meaning_is_zero_and_every_reply_its_own_is_the_most(name: str) -> None:
    inputs = run_of(replies({"1": [("a", NEAR), ("b", NEAR)], "2": [("a", NEAR), ("b", FAR)]}))
    scored = made(name, inputs)
    assert across(scored) == [0, round(np.log(2), 6) if name == "semantic_entropy" else 1]
    assert "clusters=cosine" in row_of(scored)["flags"]


@pytest.mark.parametrize("name", CLUSTERED)
@pytest.mark.parametrize(("rule", "expected"), [("category", [1, 0, 1, 1]), ("unknown", [1, 1, 1, 1]), ("missing", [None] * 4)])
def test_replies_without_text(name: str, rule: str, expected: list[Any]) -> None:
    table: dict[str, list[Any]] = {
        "1": [None, None],
        "2": ["<empty>", "<empty>"],
        "3": ["<empty>", "<refusal>"],
        "4": ["<refusal>", ("a", NEAR)],
    }
    most = np.log(2) if name == "semantic_entropy" else 1
    found = across(made(name, run_of(replies(table), non_answers=rule)))
    assert found == [None if value is None else round(value * most, 6) for value in expected]


def test_other_numbers_are_another_meaning_however_near_they_are() -> None:
    table: dict[str, list[Any]] = {"1": ["It is 12.", "It is 13."], "2": ["It is 12.", "12 it is"], "3": ["It is 12.", "a dozen"]}
    assert across(made("semantic_gini", run_of(replies(table)))) == [1, 0, 0]
    assert across(made("semantic_gini", run_of(replies(table), entails=lambda pairs: [1.0] * len(pairs)))) == [1, 0, 0]


def test_a_control_links_nothing() -> None:
    calls = replies({"1": [("a", [1.0, 0.0]), ("b", [0.6, 0.8])]})
    calls.append(call("1", "identity", response="c", embedding=[0.87, 0.5]))
    assert across(made("semantic_gini", run_of(calls))) == [1]


@pytest.mark.parametrize("name", CLUSTERED)
def test_without_an_encoder_there_are_no_clusters(name: str) -> None:
    calls = [call("1", variant, response="a", embedding_reason="needs_encoder") for variant in ("canonical", "typo-1")]
    calls += [call("2", variant, status="empty", embedding_reason="empty", silent="<empty>") for variant in ("canonical", "typo-1")]
    scored = made(name, run_of(calls))
    assert scored.scores["across"].to_list() == [None, None]
    assert row_of(scored)["reason"] in ("needs_encoder", "empty")


# -- entailment --------------------------------------------------------------------------------------------------------------


def test_clusters_of_mutual_entailment() -> None:
    table: dict[str, list[Any]] = {"1": ["Paris", "it is Paris", "Lyon"], "2": ["Paris", "Paris", "Paris"]}
    scored = made("semantic_gini", run_of(replies(table), entails=entails))
    assert across(scored) == [round(2 / 3, 6), 0]
    assert "clusters=entailment" in row_of(scored)["flags"]
    one_way = run_of(replies(table), entails=lambda pairs: [float(first > second) for first, second in pairs])
    assert across(made("semantic_gini", one_way)) == [1, 0]


def test_every_pair_is_asked_once_behind_its_question() -> None:
    asked: list[tuple[str, str]] = []

    def listening(pairs: Sequence[tuple[str, str]]) -> list[float]:
        asked.extend(pairs)
        return [0.6] * len(pairs)

    inputs = run_of(replies({"1": ["a", "b", "a"], "2": ["a", "b", "<empty>"]}), entails=listening)
    for name in (*CLUSTERED, "degmat_entailment", "eigv_entailment"):
        made(name, inputs)
    assert sorted(asked) == [("Q? a", "Q? b"), ("Q? b", "Q? a")]


def test_graphs_of_entailment() -> None:
    inputs = run_of(replies({"1": ["x", "y", "z"]}), entails=lambda pairs: [0.25 if "x" in first else 0.75 for first, _ in pairs])
    similarity = np.array([[1, 0.5, 0.5], [0.5, 1, 0.75], [0.5, 0.75, 1]])
    assert across(made("degmat_entailment", inputs)) == [round(1 - similarity.mean(), 6)]
    root = np.diag(similarity.sum(axis=1) ** -0.5)
    eigv = np.maximum(np.linalg.eigvalsh(root @ similarity @ root), 0).sum()
    assert across(made("eigv_entailment", inputs)) == [round((eigv - 1) / 2, 6)]
    alike = run_of(replies({"1": ["x", "x", None], "2": ["<empty>", "<empty>", "<refusal>"]}), entails=entails)
    assert across(made("degmat_entailment", alike)) == [round(4 / 9, 6)] * 2


@pytest.mark.parametrize("name", ["degmat_entailment", "eigv_entailment"])
def test_a_model_of_entailment_has_to_be_named(name: str) -> None:
    scored = made(name, run_of([*replies({"1": ["a", "b"]}), call("2", "canonical", status="error")]))
    assert scored.scores["reason"].to_list() == ["needs_nli", "error"]
    assert row_of(scored)["reason"] in ("needs_nli", "error")


@pytest.mark.parametrize("values", [[0.5], [1.5, 0.5], [float("nan"), 0.5]], ids=["too few", "above 1", "no number"])
def test_a_model_that_returns_no_probabilities_is_refused(values: list[float]) -> None:
    with pytest.raises(PluginError, match="One number in"):
        entailments_of(run_of(replies({"1": ["a", "b"]}), entails=lambda pairs: values))


# -- words -------------------------------------------------------------------------------------------------------------------


def test_golden_e08_through_the_tables() -> None:
    inputs = run_of(replies({"1": ["paris", "it is paris", "london"], "2": ["a b c d", "a b c e", "x y"]}))
    assert across(made("degmat", inputs)) == [0.592593, 0.533333]
    assert across(made("eigv", inputs)) == [0.75, 0.625]


def test_golden_e07_through_the_tables() -> None:
    assert across(made("lexical_distance", run_of(replies({"1": ["a b c d", "a b c e", "x y"]})))) == [0.75]


@pytest.mark.parametrize("name", ON_TEXTS)
def test_texts_without_text(name: str) -> None:
    table: dict[str, list[Any]] = {
        "1": [None, None],
        "2": ["<empty>", "<empty>"],
        "3": ["<empty>", "<refusal>"],
        "4": ["<refusal>", "refusal"],
        "5": ["😀", "😀"],
    }
    most = {"degmat": 0.5}.get(name, 1)
    assert across(made(name, run_of(replies(table)))) == [most, 0, most, most, 0]
    assert across(made(name, run_of(replies(table), non_answers="unknown")))[:4] == [most] * 4
    assert across(made(name, run_of(replies(table), non_answers="missing")))[:3] == [None] * 3


def test_a_reply_that_was_not_recorded_is_no_empty_reply() -> None:
    scored = made("degmat", run_of([call("1", variant, answer="A") for variant in ("canonical", "typo-1")]))
    assert scored.scores["reason"].to_list() == ["not_recorded"]


def test_reruns_share_the_weight_of_their_wording() -> None:
    calls = [call("1", "canonical", rerun=rerun, response=text) for rerun, text in enumerate(["a b", "a b", "c d"])]
    calls += [call("1", "typo-1", response="a b"), call("1", "typo-2", response="x y")]
    assert across(made("lexical_distance", run_of(calls))) == [round((1 / 3 + 1 + 1) / 3, 6)]
    pooled = run_of([{**one, "decoding": "sampled"} for one in calls])
    assert across(made("degmat", pooled)) == [round(1 - (9 + 1 + 1) / 25, 6)]


# -- the distances of wording through the core index ---------------------------------------------------------------------------


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, distance in (("rouge_l", rouge_l_distance), ("chrf", chrf_distance)):
        if name not in DISTANCES:
            monkeypatch.setitem(DISTANCES, name, any_distance(name, distance.between, prepare=distance.prepare))


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("companion", [surface.ROUGE_L, surface.CHRF], ids=["rouge_l", "chrf"])
def test_wording_has_a_floor_and_a_null(companion: Companion) -> None:
    table: dict[str, list[Any]] = {"1": ["a b c d", "a b c e"], "2": ["x y", "x y"], "3": ["<empty>", "<empty>"], "4": [None, "k l"]}
    scored = made(companion, run_of(replies(table)))
    own = 1 - rouge_l("a b c d", "a b c e")
    row = row_of(scored)
    if companion is surface.ROUGE_L:
        assert across(scored) == [pytest.approx(own), 0, 0, 1]
        assert row["across"] == pytest.approx((own + 1) / 4)
        assert row["unrelated"] == pytest.approx(1)
        assert row["instability"] == pytest.approx((own + 1) / 4)
    assert across(scored)[1:] == [0, 0, 1]
    assert "empty_responses" in row["flags"]
    assert 0.9 < row["unrelated"] <= 1


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(("rule", "expected"), [("category", 0.0), ("unknown", 1.0), ("missing", None)])
def test_wording_follows_the_rule_for_non_answers(rule: str, expected: float | None) -> None:
    inputs = run_of(replies({"1": ["<refusal>", "<refusal>"], "2": ["a b", "a b"], "3": ["c", "d"]}), non_answers=rule)
    assert across(made(surface.ROUGE_L, inputs)) == [expected, 0, 1]


def test_order_of_rows_does_not_matter() -> None:
    inputs = run_of(replies({"1": ["a b c", "a b", ("c 1", FAR), None], "2": ["<empty>", "x", "y 2", ("y 3", FAR)]}), entails=entails)
    turned = replace(
        inputs,
        features=inputs.features.reverse(),
        observations=inputs.observations.sample(fraction=1, shuffle=True, seed=1),
        variants=inputs.variants.reverse(),
    )
    for name in (*CLUSTERED, *ON_TEXTS, "degmat_entailment", "eigv_entailment"):
        one, other = made(name, inputs), made(name, turned)
        assert one.scores.equals(other.scores), name
        assert not one.scores["across"].drop_nulls().is_nan().any()
        assert one.profiles.select(pl.col("across").is_not_null()).item()
