"""Which variants are one wording, for each model on its own."""

from __future__ import annotations

import polars as pl
import pytest
from tests.axes.tables import call, run_of

from sago.axes import AxisInput
from sago.wordings import same_words, with_wordings


def wordings(inputs: AxisInput) -> dict[tuple[str, str], str]:
    """Returns (model, variant) -> wording."""
    found = with_wordings(inputs.observations.select("model", "dataset", "example", "variant"), inputs.variants)
    return {(model, variant): wording for model, variant, wording in found.select("model", "variant", "wording").iter_rows()}


def asked(prompts: dict[str, str], model: str = "m", **values: object) -> list[dict[str, object]]:
    return [call("1", variant, prompt=prompt, model=model, **values) for variant, prompt in prompts.items()]


@pytest.mark.parametrize(
    ("prompts", "found"),
    [
        ({"canonical": "Why?", "a": "why", "b": "how"}, ["canonical", "a", "b"]),
        ({"canonical": "Why?", "a": " Why? ", "b": "how"}, ["canonical", "canonical", "b"]),
        ({"canonical": "caf\u00e9", "a": "cafe\u0301"}, ["canonical", "canonical"]),
        ({"canonical": "x", "b": "Why?", "a": "Why?"}, ["canonical", "a", "a"]),
        ({"a": "", "b": ""}, ["a", "b"]),
        ({"canonical": "Why?", "identity": "Why?"}, ["canonical", "identity"]),
    ],
    ids=["others", "white space", "NFC", "first by position and name", "no prompt", "control"],
)
def test_variants_with_one_prompt_are_one_wording(prompts: dict[str, str], found: list[str]) -> None:
    assert list(wordings(run_of(asked(prompts))).values()) == found


def test_the_original_wording_keeps_its_name_wherever_it_stands() -> None:
    inputs = run_of(asked({"a": "Why?", "canonical": "Why?"}))
    late = inputs.variants.with_columns(position=pl.when(pl.col("variant") == "canonical").then(5).otherwise(1).cast(pl.Int64))
    keys = inputs.observations.select("model", "dataset", "example", "variant")
    assert with_wordings(keys, late)["wording"].to_list() == ["canonical", "canonical"]


def test_what_other_models_were_asked_changes_no_name() -> None:
    prompts = {"canonical": "x", "b": "Why?", "c": "Why?"}
    alone = wordings(run_of(asked(prompts)))
    beside = wordings(run_of([*asked(prompts), *asked({"canonical": "x", "a": "Why?"}, model="other")]))
    assert alone == {key: name for key, name in beside.items() if key[0] == "m"}
    assert beside["m", "c"] == "b"
    assert beside["other", "a"] == "a"


def test_rows_keep_their_order() -> None:
    inputs = run_of(asked({"b": "x", "canonical": "Why?", "a": "Why?"}))
    assert with_wordings(inputs.observations, inputs.variants)["variant"].to_list() == ["b", "canonical", "a"]


def test_prompts_in_python_are_compared_as_in_tables() -> None:
    assert same_words([" cafe\u0301\n"]) == same_words(["caf\u00e9"]) != same_words(["cafe"])
