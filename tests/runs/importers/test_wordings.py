"""Names and families of variants: the original wording, wordings without a name, families."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import answers_of, default_of, scored_of

from sago.errors import DataError, StudyError


@pytest.mark.parametrize(("names", "canonical"), [(("base", "0"), "base"), (("Original", "x"), "Original"), (("0", "10", "2"), "0")])
def test_the_original_wording_is_found_by_its_name(tmp_path: Path, names: tuple[str, ...], canonical: str) -> None:
    answers = answers_of(tmp_path, [{"id": 1, "variant": name, "response": name} for name in names])
    named = answers.observations.filter(pl.col("variant") == "canonical")["response"].to_list()
    assert named == [canonical]
    assert answers.variants.row(0, named=True)["family"] == "canonical"
    assert answers.variants["position"].to_list() == list(range(len(names)))


def test_other_names_are_given_or_there_is_none(tmp_path: Path) -> None:
    rows = [{"id": 1, "variant": name, "response": name} for name in ("p10", "p2")]
    without = answers_of(tmp_path, rows)
    assert without.variants.select("variant", "position").rows() == [("p2", 1), ("p10", 2)]
    assert any("--canonical NAME (p2, p10)" in note for note in without.notes)
    assert answers_of(tmp_path, rows, canonical="p10").variants["variant"].to_list() == ["canonical", "p2"]
    with pytest.raises(StudyError, match="no variant is called 'p3'"):
        answers_of(tmp_path, rows, canonical="p3")
    with pytest.raises(DataError, match="would take the name"):
        answers_of(tmp_path, [*rows, {"id": 1, "variant": "canonical", "response": "x"}], canonical="p2")


def test_families_and_controls(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "variant": name, "family": family, "response": "x"} for name, family in (("0", None), ("1", "typo"), ("2", "identity"))
    ]
    answers = answers_of(tmp_path, rows)
    assert answers.variants.select("family", "control").rows() == [("canonical", False), ("typo", False), ("identity", True)]
    assert answers.variation_counts.select("family", "examples", "made").rows() == [("typo", 1, 1), ("identity", 1, 1)]


TEMPLATES = ("{} Answer now.", "Q: {}", "{}\nThink first.")


def unnamed(*, question: bool, models: str = "m") -> list[dict[str, Any]]:
    """Twelve examples in three wordings and no column for the variant; the answers depend on example and wording."""
    return [
        {
            "model": model,
            "id": f"e{number}",
            **({"question": f"How many is {number}?"} if question else {}),
            "prompt": template.format(f"How many is {number}?"),
            "answer": "abc"[(number * (place + 1)) % 3],
            "gold": "a",
        }
        for model in models
        for number in range(12)
        for place, template in enumerate(TEMPLATES)
    ]


@pytest.mark.parametrize("question", [True, False])
def test_without_a_variant_column_the_order_of_rows_says_nothing(tmp_path: Path, *, question: bool) -> None:
    rows = unnamed(question=question)
    first = answers_of(tmp_path, rows)
    random.Random(1).shuffle(rows)
    again = answers_of(tmp_path, rows)
    keys = ["example", "variant"]
    texts = [found.variants.sort(keys).select(*keys, "messages") for found in (first, again)]
    assert texts[0].equals(texts[1])
    one, other = (default_of(scored_of(found, axes=["generation"]), "generation", "m") for found in (first, again))
    assert one == other


def test_wordings_without_a_name_are_templates_where_the_prompts_hold_the_question(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, unnamed(question=True))
    by_name = answers.variants.group_by("variant").agg(
        pl.col("example").n_unique(), pl.col("messages").list.first().struct.field("content")
    )
    assert by_name["example"].to_list() == [12, 12, 12]
    assert {text[:3] for text in by_name.filter(pl.col("variant") == by_name["variant"][0])["content"][0]} in ({"Q: "}, {"How"})
    assert any("told apart by their prompts (3 wordings)" in note for note in answers.notes)
    assert default_of(scored_of(answers, axes=["generation"]), "generation", "m")["se_wordings"] is not None


def test_wordings_without_a_name_have_nothing_in_common_elsewhere(tmp_path: Path) -> None:
    """By hand: answers of 2 examples in 2 wordings, all names apart, so that all 4 pairs of unlike examples count: 3 of 4 differ."""
    said = {("1", "p"): "a", ("1", "q"): "b", ("2", "r"): "a", ("2", "s"): "c"}
    answers = answers_of(tmp_path, [{"id": name, "prompt": text, "answer": answer} for (name, text), answer in said.items()])
    assert answers.variants["variant"].n_unique() == 4
    assert any("have nothing in common" in note for note in answers.notes)
    row = default_of(scored_of(answers, axes=["generation"]), "generation")
    assert (row["across"], row["unrelated"], row["se_wordings"]) == (1, 0.75, None)
    with pytest.raises(StudyError, match="no variant is called 'wording-1'"):
        answers_of(tmp_path, [{"id": name, "prompt": text, "answer": "a"} for name, text in said], canonical="wording-1")


def test_one_prompt_an_example_and_model_is_one_wording(tmp_path: Path) -> None:
    rows = [{"model": model, "id": name, "prompt": f"{model} {name}", "answer": "x"} for model in "mn" for name in "ab"]
    answers = answers_of(tmp_path, rows)
    assert answers.variants["variant"].unique().to_list() == ["canonical"]
    assert any("one wording" in note for note in answers.notes)
    assert answers_of(tmp_path, [{"id": name, "response": "x"} for name in "ab"]).variants["variant"].unique().to_list() == ["canonical"]


def test_a_row_that_nothing_tells_the_wording_of_is_refused(tmp_path: Path) -> None:
    rows = [{"id": 1, "prompt": text, "answer": "x"} for text in ("p", "q", None)]
    with pytest.raises(DataError, match="line 3: no column for the variant, and no prompt"):
        answers_of(tmp_path, rows)


def test_prompts_that_differ_in_white_space_alone_are_one_wording(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, [{"id": 1, "prompt": text, "answer": "x"} for text in ("p", " p\n", "q")])
    assert answers.observations.group_by("variant").len()["len"].sort().to_list() == [1, 2]


@pytest.mark.parametrize("by_model", [True, False])
def test_two_families_of_one_variant_are_refused(tmp_path: Path, *, by_model: bool) -> None:
    rows = [
        {"model": "n" if by_model and place else "m", "id": 1, "variant": "x", "family": family, "answer": "a"}
        for place, family in enumerate(("typo", "identity"))
    ]
    with pytest.raises(DataError, match="line 2: variant 'x' of example '1' has family 'identity' here and 'typo' in line 1"):
        answers_of(tmp_path, rows)


@pytest.mark.parametrize("turned", [False, True])
def test_a_family_that_one_row_names_is_that_of_all(tmp_path: Path, *, turned: bool) -> None:
    rows = [
        {"model": model, "id": 1, "variant": "x", "family": family, "answer": "a"} for model, family in (("m", None), ("n", "identity"))
    ]
    answers = answers_of(tmp_path, rows[::-1] if turned else rows)
    assert answers.variants.select("family", "control").rows() == [("identity", True)]


def test_the_family_names_the_original_wording_where_no_variant_does(tmp_path: Path) -> None:
    kinds = (("1", "p1", "canonical"), ("1", "p2", "typo"), ("2", "p3", "canonical"), ("2", "p4", "typo"))
    answers = answers_of(tmp_path, [{"id": name, "variant": variant, "family": kind, "answer": "a"} for name, variant, kind in kinds])
    assert answers.variants.select("example", "variant", "family").rows() == [
        ("1", "canonical", "canonical"),
        ("1", "p2", "typo"),
        ("2", "canonical", "canonical"),
        ("2", "p4", "typo"),
    ]
    assert any("is variant 'p1' or 'p3'" in note for note in answers.notes)


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (("p1", "p2"), {}, r"line 2: variant 'p2' of example '1' of answers has family canonical, and so has 'p1' \(.*line 1\)"),
        (("base", "p2"), {}, "line 2: variant 'p2' .* and variant 'base' is the original wording"),
        (("p1", "p2"), {"canonical": "p2"}, "line 1: variant 'p1' .* and variant 'p2' is the original wording"),
    ],
)
def test_two_original_wordings_are_refused(tmp_path: Path, names: tuple[str, str], options: dict[str, str], message: str) -> None:
    rows = [{"id": 1, "variant": name, "family": "canonical", "answer": "a"} for name in names]
    with pytest.raises(DataError, match=message):
        answers_of(tmp_path, rows, **options)
