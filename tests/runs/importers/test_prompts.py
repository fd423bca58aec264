"""Prompts of recorded answers: what was one, prompts that differ between models, prompts that are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import answers_of, default_of, features_of, scored_of

from sago.errors import DataError
from sago.stats import accuracy


def test_a_prompt_that_never_changes_is_the_question(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, [{"id": 1, "variant": name, "prompt": "Why?", "response": "x"} for name in ("base", "a", "b")])
    assert answers.variants["messages"].list.len().to_list() == [0, 0, 0]
    assert answers.examples["question"].to_list() == ["Why?"]
    assert any("same prompt text" in note for note in answers.notes)


def test_questions_that_change_are_prompts(tmp_path: Path) -> None:
    rows = [{"id": 1, "variant": name, "question": f"Why {name}?", "response": "x"} for name in ("base", "a")]
    answers = answers_of(tmp_path, rows)
    assert [messages[0]["content"] for messages in answers.variants["messages"]] == ["Why base?", "Why a?"]
    doses = answers.variants["dose"].to_list()
    assert doses[0] == 0
    assert 0 < doses[1] < 1


def test_two_prompts_of_one_variant_are_no_reruns(tmp_path: Path) -> None:
    rows = [{"id": 1, "variant": "base", "prompt": text, "response": "x"} for text in ("Why?", "How?")]
    with pytest.raises(DataError, match=r"line 2: model was given two prompts as variant"):
        answers_of(tmp_path, rows)


def chat(system: str, user: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def of_models(prompts: dict[str, dict[str, str]], answers: str = "abcabc") -> list[dict[str, Any]]:
    """Returns rows from model -> variant -> prompt, for four examples."""
    return [
        {"model": model, "id": number, "variant": variant, "prompt": chat(model, text), "answer": answers[(number + place) % 6]}
        for model, variants in prompts.items()
        for number in range(4)
        for place, (variant, text) in enumerate(variants.items())
    ]


def test_prompts_that_differ_between_models_are_not_kept(tmp_path: Path) -> None:
    rows = of_models({model: {"base": f"How many {model} words here?", "x": f"many {model} letters?"} for model in ("m", "n")})
    for order in (rows, rows[::-1]):
        answers = answers_of(tmp_path, order)
        assert answers.variants["messages"].list.len().to_list() == [0] * 8
        assert answers.variants["dose"].null_count() == 8
        assert answers.observations["prompt_hash"].n_unique() == 4
        (note,) = (note for note in answers.notes if "different prompts" in note)
        assert "8 variants of 4 examples" in note
        assert "(the first: 'canonical' of '0')" in note
        scored = scored_of(answers, axes=["generation", "mirroring"])
        for model in ("m", "n"):
            row = default_of(scored, "mirroring", model)
            assert (row["n"], row["reason"]) == (0, "not_observable")
            assert default_of(scored, "generation", model)["n"] == 4


def test_a_model_is_not_merged_by_the_prompts_of_another(tmp_path: Path) -> None:
    """For n the two variants are one prompt, for m two. m's answers differ: across is 1, whoever stands first in the file."""
    rows = of_models({"n": {"base": "same", "x": "same", "y": "other"}, "m": {"base": "one", "x": "two", "y": "three"}})
    for order in (rows, rows[::-1]):
        answers = answers_of(tmp_path, order)
        row = default_of(scored_of(answers, axes=["generation"]), "generation", "m")
        assert (row["across"], row["n_variants"]) == (1, 3)
        assert any("8 of these prompts are those of another variant too" in note for note in answers.notes)


def test_options_are_read_from_each_prompt(tmp_path: Path) -> None:
    alike, apart = "A. Mars\nB. Venus", "A. Venus\nB. Mars"

    def rows(lists: dict[str, str]) -> list[dict[str, Any]]:
        return [
            {
                "model": model,
                "id": 1,
                "variant": name,
                "prompt": chat(model, f"{model} {name}?\n{listed}"),
                "response": "A",
                "gold": "B" if listed == apart else "A",
            }
            for model, listed in lists.items()
            for name in ("base", "x")
        ]

    assert answers_of(tmp_path, rows({"m": alike, "n": alike})).examples["choices"].to_list() == [["Mars", "Venus"]]
    assert answers_of(tmp_path, rows({"m": alike, "n": apart})).examples["choices"].to_list() == [["Mars", "Venus"]]


def test_a_system_message_for_each_model_makes_no_variants(tmp_path: Path) -> None:
    answers = answers_of(tmp_path, of_models({model: {"base": "Why?", "x": "Why?"} for model in ("m", "n")}))
    assert any("same prompt text" in note for note in answers.notes)
    assert answers.examples["question"].to_list() == ["Why?"] * 4


def test_questions_that_differ_between_models_alone_are_no_prompts(tmp_path: Path) -> None:
    rows = [
        {"model": model, "id": 1, "variant": name, "question": f"{model}?", "response": "x"} for model in "mn" for name in ("base", "x")
    ]
    assert answers_of(tmp_path, rows).variants["messages"].list.len().to_list() == [0, 0]


def test_variants_with_one_prompt_are_merged_for_every_number_and_it_is_said(tmp_path: Path) -> None:
    """By hand: a and canonical are one prompt. Answers of an example: canonical b, a a, c a (right: a).

    Wordings canonical {b, a} and c {a}: across 1/2, rerun 1. Right: (1/2 + 1) / 2 = .75, canonical 1/2.
    """
    said = (("a", "p", "a"), ("base", "p", "b"), ("c", "q", "a"))
    rows = [
        {"id": number, "variant": name, "prompt": f"{number} {text}", "answer": answer, "gold": "a"}
        for number in range(4)
        for name, text, answer in said
    ]
    answers = answers_of(tmp_path, rows)
    (note,) = (note for note in answers.notes if "merged" in note)
    assert "4 variants of 4 examples have the prompt of another variant (the first: 'a' of '0', that of 'canonical')" in note
    scored = scored_of(answers, axes=["generation"], measures=["flip_from_canonical"])
    row = default_of(scored, "generation")
    assert (row["across"], row["rerun"], row["n_variants"]) == (0.5, 1, 2)
    flips = scored.profiles.filter(pl.col("measure") == "flip_from_canonical").row(0, named=True)
    assert (flips["across"], flips["n"]) == (0.5, 4)
    right = accuracy(features_of(answers), answers.variants).row(0, named=True)
    assert (right["canonical"], right["mean"], right["worst"], right["best"]) == (0.5, 0.75, 0, 1)


@pytest.mark.parametrize("beside", [True, False])
def test_other_models_change_no_number_of_a_model(tmp_path: Path, *, beside: bool) -> None:
    """By hand, for m: example 1 has the wordings b = c {x, y} and d {z}, example 2 has a {x} and e {w}; no name in common.

    Of the weights 1/4, 1/4, 1/2 and 1/2, 1/2 the pair x-x has 1/8: unrelated 7/8. The other model was also asked a, the same prompt as b:
    were b called a, the pair of the two a would be left out, and unrelated 1.
    """
    asked = [("m", 1, "b", "p", "x"), ("m", 1, "c", "p", "y"), ("m", 1, "d", "q", "z"), ("m", 2, "a", "r", "x"), ("m", 2, "e", "s", "w")]
    asked += [("n", 1, "a", "p", "x"), ("n", 1, "d", "q", "x")] if beside else []
    columns = ("model", "id", "variant", "prompt", "answer")
    answers = answers_of(tmp_path, [dict(zip(columns, row, strict=True)) for row in asked])
    row = default_of(scored_of(answers, axes=["generation"]), "generation", "m")
    assert (row["unrelated"], row["n_variants"]) == (0.875, 2)
