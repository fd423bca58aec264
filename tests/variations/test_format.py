from __future__ import annotations

from typing import Any

import pytest
from tests.variations.tables import prompt_of, row, table

from sago.errors import StudyError
from sago.variations import vary
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
    ],
)
def test_all_examples_get_the_same_layouts(spec: str, expected: list[str]) -> None:
    assert _layouts(spec) == {"1": expected, "2": expected, "3": expected}


def test_a_variant_is_named_after_its_layout() -> None:
    variants = vary(_EXAMPLES, ["format:layouts=xml"]).variants
    assert set(variants["variant"]) == {"canonical", "format-xml"}
    assert set(variants.filter(family="format")["parameters"]) == {'{"layout": "xml", "layouts": "xml", "n": 2}'}


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
        ("format:n=99", f"whole number from 1 to {len(LAYOUTS) - 1}"),
    ],
)
def test_unknown_layouts_are_refused(spec: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        vary(_EXAMPLES, [spec])
