from __future__ import annotations

from tests.variations.tables import prompt_of, row, table

from sago.variations import vary

_TWIN = {"twin_question": "Which is cold?", "twin_answers": ["ice"], "twin_answer_index": 1}
_EXAMPLES = table(row("1", "Which is hot?", choices=["fire", "ice"], answer_index=0, **_TWIN), row("2", "Who?"))


def test_identity_is_the_same_prompt_under_its_own_name() -> None:
    varied = vary(_EXAMPLES, ["identity"])
    canonical, identity = varied.variants.filter(example="1").iter_rows(named=True)
    assert identity["variant"] == identity["family"] == "identity"
    assert identity["control"]
    assert identity["messages"] == canonical["messages"]
    assert identity["fingerprint"] == canonical["fingerprint"]
    assert (identity["dose"], identity["edits"], identity["merged"]) == (0.0, [], [])
    assert varied.counts.select("asked", "made", "dropped_same", "dropped_duplicate").rows() == [(2, 2, 0, 0)]


def test_the_twin_has_its_own_answer() -> None:
    varied = vary(_EXAMPLES, ["meaning-changed"])
    twin = varied.variants.row(1, named=True)
    assert twin["variant"] == "meaning-changed"
    assert twin["control"]
    assert (twin["answers"], twin["answer_index"], twin["checks"]) == (["ice"], 1, [])
    assert prompt_of(twin).startswith("Which is cold?\n\nA. fire\nB. ice")
    assert twin["edits"] == [{"start": 9, "end": 12, "before": "hot", "after": "cold"}]
    assert varied.counts.select("asked", "made", "not_applicable").rows() == [(1, 1, 1)]


def test_a_twin_that_asks_the_same_is_no_control() -> None:
    same = {**_TWIN, "twin_question": " Which is hot?"}
    varied = vary(table(row("1", "Which is hot?", choices=["fire", "ice"], **same)), ["meaning-changed"])
    assert varied.counts.select("asked", "made", "dropped_same").rows() == [(1, 0, 1)]
