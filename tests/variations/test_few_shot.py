from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest
from tests.variations.tables import prompt_of, row, table

from sago.variations import vary

_CHOICES = ["red", "green"]
_ROWS = [row(str(place), f"Question number {place}{'!' * place}", choices=_CHOICES, answer_index=place % 2) for place in range(8)]
_EXAMPLES = table(*_ROWS)


def _shown(variants: pl.DataFrame) -> dict[tuple[str, str], list[str]]:
    made = variants.filter(pl.col("family") != "canonical")
    return {(r["example"], r["variant"]): json.loads(r["parameters"])["shown"] for r in made.iter_rows(named=True)}


def test_shots_are_canonical_prompts_with_their_gold_answers_as_turns() -> None:
    rows = [row("1", "Is it?", choices=["yes", "no"], answer_index=1), row("2", "Was it?", choices=["yes", "no"], answer_index=0)]
    made = vary(table(*rows), ["few-shot@1"], system="Be brief.").variants.filter(example="1", variant="few-shot@1-1").row(0, named=True)
    assert [(one["role"], one["content"]) for one in made["messages"]] == [
        ("system", "Be brief."),
        ("user", "Was it?\n\nA. yes\nB. no\n\nAnswer with the letter only."),
        ("assistant", "A"),
        ("user", "Is it?\n\nA. yes\nB. no\n\nAnswer with the letter only."),
    ]


@pytest.mark.parametrize(("task", "answer"), [("numeric", "1,000"), ("text", "the red one")])
def test_shots_inside_the_prompt(task: str, answer: str) -> None:
    asked = {"numeric": "Answer with a number only.", "text": "Answer in a few words."}[task]
    rows = [row("1", "Q1?", task=task, answers=["5"]), row("2", "Q2?", task=task, answers=[answer, "other"], context="About it.")]
    made = vary(table(*rows), ["few-shot:place=text"]).variants.filter(example="1", family="few-shot").row(0, named=True)
    assert prompt_of(made) == f"About it.\n\nQ2?\n\n{asked}\n{answer}\n\nQ1?\n\n{asked}"
    assert len(made["messages"]) == 1
    assert json.loads(made["parameters"])["shots"] == 1, "the number that is shown, and not the three that were asked for"


@pytest.mark.parametrize("choice", ["drawn", "kept", "shared"])
def test_the_example_itself_is_never_shown_whatever_is_asked(choice: str) -> None:
    shown = _shown(vary(_EXAMPLES, [f"few-shot:n=3,shots=7,choice={choice}"]).variants)
    assert shown
    assert all(example not in shots and len(set(shots)) == 7 for (example, _), shots in shown.items())


_SAME = [
    row(
        "1",
        "Who was the singer?",
        answers=["Ann Lee"],
        context="Once.",
        paraphrases=["Who is meant?"],
        twin_question="Who was not the singer?",
        twin_answers=["Bo"],
    ),
    row("2", " Who  WAS the singer?", answers=["Ann Lee"]),  # the same question
    row("3", "Who is meant?", answers=["somebody"]),  # a wording of it
    row("4", "When was it?", answers=["now"], context="Once."),  # the same context
    row("5", "Who sang?", answers=["ann lee"]),  # the gold answer
    row("6", "What sang?", answers=["a bird"], context="A bird sang to Ann Lee."),  # names it
    row("7", "Who was not the singer?", answers=["Bo"]),  # its twin
    row("8", "Which bird?"),  # no gold answer
    row("9", "1 + 1?", task="numeric", answers=["2"]),  # another task
    row("10", "What flew?", answers=["a leaf"]),
    row("11", "Who was the singer", answers=["Ann Lee"]),  # the same question without its mark
    row("12", "Which one sang?", answers=["a duck"], paraphrases=["Who was the singer?"]),  # the question is a wording of it
]


@pytest.mark.parametrize("below", ["", "typo+", "case+"])
def test_what_would_give_the_answer_away_is_never_shown(below: str) -> None:
    """Under a stack the question has changed already: what must not be shown goes by the example as it was given."""
    shown = _shown(vary(table(*_SAME), [f"{below}few-shot"]).variants)
    of_first = [shots for (example, _), shots in shown.items() if example == "1"]
    assert of_first
    assert all(shots == ["10"] for shots in of_first)


def test_an_example_without_another_is_not_applicable() -> None:
    counts = vary(table(_SAME[0], _SAME[1], _SAME[8]), ["few-shot"]).counts
    assert counts.select("made", "not_applicable").row(0) == (0, 3)


def test_drawn_sets_differ_kept_ones_in_their_order_only() -> None:
    drawn = vary(_EXAMPLES, ["few-shot:n=4,shots=2"]).variants
    kept = _shown(vary(_EXAMPLES, ["few-shot:n=9,choice=kept"]).variants)
    assert len({tuple(shots) for (example, _), shots in _shown(drawn).items() if example == "0"}) == 4
    assert {len(orders) for orders in _by_example(kept).values()} == {6}, "three shots have six orders"
    assert all(len({frozenset(order) for order in orders}) == 1 for orders in _by_example(kept).values())


def _by_example(shown: dict[tuple[str, str], list[str]]) -> dict[str, set[tuple[str, ...]]]:
    found: dict[str, set[tuple[str, ...]]] = {}
    for (example, _), shots in shown.items():
        found.setdefault(example, set()).add(tuple(shots))
    return found


def test_shared_sets_are_the_same_for_all_but_those_in_them() -> None:
    shown = _shown(vary(_EXAMPLES, ["few-shot:n=2,shots=2,choice=shared"]).variants)
    by_name = {name: [shots for (_, variant), shots in shown.items() if variant == f"few-shot-{name}"] for name in ("set-1", "set-2")}
    for sets in by_name.values():
        assert len(sets) == 8
        assert sorted(sets.count(one) for one in {tuple(shots): shots for shots in sets}.values()) == [1, 1, 6]
    assert shown["7", "few-shot-set-1"] != shown["7", "few-shot-set-2"]


@pytest.mark.parametrize(("order", "direction"), [("short-first", 1), ("long-first", -1)])
def test_the_order_may_be_fixed(order: str, direction: int) -> None:
    shown = _shown(vary(_EXAMPLES, [f"few-shot:n=3,order={order}"]).variants)
    assert shown
    assert all(shots == sorted(shots, key=int)[::direction] for shots in shown.values())


def test_neither_the_order_of_rows_nor_other_examples_at_hand_change_a_byte() -> None:
    turned = table(*reversed(_ROWS))
    specs = ["few-shot:n=2", "distractor:source=data"]

    def made(examples: pl.DataFrame) -> list[Any]:
        return vary(examples, specs).variants.sort("example", "variant").select("example", "variant", "messages", "parameters").rows()

    assert made(_EXAMPLES) == made(turned)


def test_formulas_that_differ_in_a_sign_are_not_the_same_question() -> None:
    rows = [row(str(place), text, task="numeric", answers=["7"]) for place, text in enumerate(["1 + 2 = ?", "1 - 2 = ?"])]
    assert _shown(vary(table(*rows), ["few-shot"]).variants) == {("0", "few-shot-1"): ["1"], ("1", "few-shot-1"): ["0"]}
