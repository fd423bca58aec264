from __future__ import annotations

import json
from typing import Any

import pytest
from tests.variations.tables import row, table

from sago.errors import StudyError
from sago.records import Draft, Example
from sago.variations import vary
from sago.variations.specs import parse_family
from sago.variations.stacked import _as_shown, _joined


def _rows(specs: list[str], **fields: Any) -> list[dict[str, Any]]:
    example = row("1", fields.pop("question", "Which animal sleeps longest in winter?"), **fields)
    return list(vary(table(example), specs).variants.iter_rows(named=True))


def test_a_stack_says_in_the_second_way_what_the_first_made() -> None:
    _, typo = _rows(["typo"])
    _, both = _rows(["typo+format:format.n=1"])
    assert (both["family"], both["variant"]) == ("typo+format", "typo+format-1+labelled")
    assert both["layout"] == "labelled"
    assert both["question"] != "Which animal sleeps longest in winter?"
    assert both["messages"][-1]["content"].startswith("Question: " + both["question"])
    assert typo["question"] != typo["messages"][-1]["content"]
    assert both["checks"] == ["by_construction", "same_numbers", "same_negations", "protected_spans"]


def test_every_draft_is_crossed_with_every_draft() -> None:
    names = [found["variant"] for found in _rows(["case+format:format.n=2,case.styles=lower+upper"])]
    assert names[1:] == [f"case+format-{style}+{layout}" for style in ("lower", "upper") for layout in ("labelled", "markdown")]


_NAMING = row("1", "Which metals conduct well?", choices=["Copper", "Silver", "Tin", "Both A and B"], answer_index=3)


def test_gold_and_references_follow_through_an_order_and_other_labels() -> None:
    for seed in range(20):
        _, found = vary(table(_NAMING), ["choice-order+format:format.layouts=numbered"], seed=seed).variants.iter_rows(named=True)
        shown, order = found["shown_choices"], found["permutation"]
        assert [_NAMING["choices"][index] for index in order][:3] == shown[:3]
        assert found["shown_labels"] == ["1", "2", "3", "4"]
        places = sorted(shown.index(metal) + 1 for metal in ("Copper", "Silver"))
        assert shown[3] == f"Both {places[0]} and {places[1]}"
        assert (order[3], found["answer_index"]) == (3, 3)


def test_two_orders_come_to_one_in_terms_of_the_data() -> None:
    below, above = Draft("a", permutation=(2, 0, 1)), Draft("b", permutation=(1, 2, 0))
    example = Example("d", "1", "Which?", choices=("x", "y", "z"), answer_index=2)
    assert _as_shown(example, below).choices == ("z", "x", "y")
    assert _as_shown(example, below).answer_index == 0
    assert _joined(below, above, example).permutation == (0, 1, 2)


def test_an_order_on_top_of_other_labels_is_refused_where_choices_name_each_other() -> None:
    with pytest.raises(StudyError, match=r"choice-order\+format"):
        vary(table(_NAMING), ["format+choice-order:format.layouts=numbered"])
    plain = row("1", "Which metal conducts well?", choices=["Copper", "Silver", "Tin"])
    _, found = vary(table(plain), ["format+choice-order:format.layouts=numbered"]).variants.iter_rows(named=True)
    assert found["shown_choices"] == [plain["choices"][index] for index in found["permutation"]]


def test_the_intensity_behind_an_at_sign_is_the_parameter_and_part_of_the_family() -> None:
    found = _rows(["typo@0.02", "typo@0.2:n=2"], question="Which large northern animal usually sleeps through every long cold winter?")
    assert [one["variant"] for one in found] == ["canonical", "typo@0.02-1", "typo@0.2-1", "typo@0.2-2"]
    assert [json.loads(one["parameters"])["rate"] for one in found[1:]] == [0.02, 0.2, 0.2]
    assert found[1]["dose"] < min(found[2]["dose"], found[3]["dose"])


def test_the_same_intensity_gives_the_same_draws_in_either_spelling() -> None:
    assert [one["question"] for one in _rows(["typo@0.1"])] == [one["question"] for one in _rows(["typo:rate=0.1"])]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("typo+typo", "stacked on itself"),
        ("typo+identity", "control"),
        ("case@2", "no intensity"),
        ("typo@9", "out of its limits"),
        ("typo+format:rate=0.1", "unknown parameter 'rate'.*typo.rate"),
    ],
)
def test_a_stack_that_cannot_be_is_refused(spec: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        parse_family(spec)


def test_one_family_twice_names_the_way_out() -> None:
    with pytest.raises(StudyError, match="typo@VALUE"):
        _rows(["typo", "typo:n=2"])
