from __future__ import annotations

import json
from typing import Any

import pytest
from tests.variations.tables import prompt_of, row, table

from sago.errors import StudyError
from sago.variations import vary
from sago.variations.grammar import points
from sago.variations.layouts import LAYOUTS

_EXAMPLES = table(row("1", "Which?", choices=["x", "y"]), row("2", "Who?"), row("3", "How many?", task="numeric", context="Text."))


def _layouts(*specs: str) -> dict[str, list[str]]:
    variants = vary(_EXAMPLES, list(specs)).variants
    return {str(name): group["layout"].to_list() for (name,), group in variants.group_by("example", maintain_order=True)}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("format", ["plain", "labelled", "markdown"]),
        ("format:n=1", ["plain", "labelled"]),
        ("format:layouts=xml+bullets", ["plain", "xml", "bullets"]),
        (f"format:n={len(LAYOUTS) - 1}", list(LAYOUTS)),
        ("format:n=100", list(LAYOUTS)),
    ],
)
def test_all_examples_get_the_same_layouts(spec: str, expected: list[str]) -> None:
    assert _layouts(spec) == {"1": expected, "2": expected, "3": expected}


def test_a_variant_is_named_after_its_layout() -> None:
    variants = vary(_EXAMPLES, ["format:layouts=xml"]).variants
    assert set(variants["variant"]) == {"canonical", "format-xml"}
    assert [json.loads(given)["layout"] for given in variants.filter(family="format")["parameters"]] == ["xml"] * 3


@pytest.mark.parametrize(
    ("choices", "made", "shown"),
    [
        (["x", "y"], ["numbered", "bullets", "xml"], {}),
        (["x", "y", "Both A and B"], ["numbered", "xml"], {"numbered": "3. Both 1 and 2", "xml": '<option id="C">Both A and B</option>'}),
        (["x", "y", "A and B but not C"], ["xml"], {}),
        (["x", "All of the above"], ["numbered", "bullets", "xml"], {"bullets": "- All of the above"}),
    ],
)
def test_choices_that_name_letters_keep_naming_the_right_ones(choices: list[str], made: list[str], shown: dict[str, Any]) -> None:
    varied = vary(table(row("1", "Which?", choices=choices)), ["format:layouts=numbered+bullets+xml"])
    variants = {variant["layout"]: variant for variant in varied.variants.iter_rows(named=True) if variant["family"] == "format"}
    assert list(variants) == made
    assert varied.counts["asked"].to_list() == [len(made)]
    assert all(text in prompt_of(variants[layout]) for layout, text in shown.items())


def test_a_question_that_names_letters_keeps_its_letters() -> None:
    varied = vary(table(row("1", "Is option B right?", choices=["x", "y"])), ["format:layouts=numbered+bullets+xml"])
    assert varied.variants["layout"].to_list() == ["plain", "xml"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("format:layouts=json", "format': layouts: unknown name 'json'. Known, joined by \\+: labelled"),
        ("format:layouts=plain", "unknown name 'plain'"),
        ("format:n=101", "whole number from 1 to 100"),
    ],
)
def test_unknown_layouts_are_refused(spec: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        vary(_EXAMPLES, [spec])


def test_the_grammar_gives_every_example_the_same_formats_in_their_fixed_order() -> None:
    expected = ["plain", *points()[:5]]
    assert _layouts("format:space=grammar,n=5") == {"1": expected, "2": expected, "3": expected}
    assert _layouts("format:space=grammar,n=2,skip=3")["1"] == ["plain", *points()[3:5]]
    assert _layouts("format@2:n=3")["1"] == ["plain", *points(2)[:3]]


def test_the_formats_do_not_depend_on_the_seed() -> None:
    first, second = (vary(_EXAMPLES, ["format:space=grammar,n=5"], seed=seed).variants["layout"].to_list() for seed in (0, 1))
    assert first == second


def test_formats_that_only_change_options_leave_open_questions_alone_and_are_counted() -> None:
    varied = vary(_EXAMPLES, ["format:layouts=mark-parens+gap-rule"])
    assert varied.variants.filter(family="format").select("example", "layout").rows() == [
        ("1", "mark-parens"),
        ("1", "gap-rule"),
        ("2", "gap-rule"),
        ("3", "gap-rule"),
    ]
    assert varied.counts.select("asked", "made", "dropped_same").rows() == [(6, 4, 2)]


def test_formats_that_look_alike_are_kept_once() -> None:
    varied = vary(table(row("2", "Who?")), ["format:layouts=gap-rule+gap-rule.mark-parens"])
    assert varied.counts.select("asked", "made", "dropped_duplicate").rows() == [(2, 1, 1)]
    assert varied.variants["merged"].to_list() == [[], ["format-gap-rule.mark-parens"]]


def test_labels_of_the_grammar_suit_the_choices() -> None:
    examples = table(row("1", "How many?", choices=["1", "2"]), row("2", "Which?", choices=["x", "y", "Both A and B"]))
    made = vary(examples, ["format:layouts=labels-numbers+labels-romans"]).variants.filter(family="format")
    assert made.select("example", "layout").rows() == [("1", "labels-romans"), ("2", "labels-numbers"), ("2", "labels-romans")]
    assert made["shown_choices"].to_list()[1:] == [["x", "y", "Both 1 and 2"], ["x", "y", "Both I and II"]]


def test_the_intensity_of_a_format_is_recorded() -> None:
    made = vary(_EXAMPLES, ["format@4:n=3"]).variants.filter(family="format@4")
    assert {json.loads(given)["differing"] for given in made["parameters"]} == {4}
