from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variations.tables import prompt_of, row, table

from sago.variations import vary
from sago.variations.distractor import sentences_in
from sago.variations.equivalence import negations_in, numbers_in
from sago.variations.irrelevant import OWN

_NORMANS = "The Normans took Sicily. They held it. It was in 1060."
_APOLLO = "Dr. Schmitt flew in Apollo 17 (max. 3 men). He was a geologist. He came back."


@pytest.mark.parametrize("name", OWN)
def test_own_texts_say_nothing_that_could_be_an_answer(name: str) -> None:
    text = " ".join(OWN[name])
    assert (len(OWN[name]), len(sentences_in(text))) == (10, 10)
    assert (numbers_in(text), negations_in(text)) == ((), 0)
    inner = re.sub(r"(?:^|(?<=\. ))\w", "", text)
    assert inner == inner.lower()


@pytest.mark.parametrize("sentences", [1, 3, 10])
def test_it_stands_in_front_of_the_context(sentences: int) -> None:
    varied = vary(table(row("1", "Who?", context=_NORMANS), row("2", "Who?")), [f"distractor@{sentences}"])
    text = " ".join(OWN["shelf"][:sentences])
    with_context, without = varied.variants.filter(variant=f"distractor@{sentences}-shelf").to_dicts()
    assert prompt_of(with_context) == f"{text}\n\n{_NORMANS}\n\nWho?\n\nAnswer in a few words."
    assert prompt_of(without) == f"{text}\n\nWho?\n\nAnswer in a few words."
    assert f'"sentences": {sentences}' in with_context["parameters"]


def test_it_may_stand_in_front_of_everything() -> None:
    made = vary(table(row("1", "Who?", context=_NORMANS)), ["distractor+format:distractor.place=lead,format.layouts=labelled"]).variants
    assert prompt_of(made.row(1, named=True)).startswith(" ".join(OWN["shelf"][:3]) + "\n\nContext: The Normans")


def test_a_text_that_names_an_answer_gives_way_to_the_next_or_is_refused() -> None:
    shelf = row("1", "Where is it?", choices=["Shelf", "Roof"], answer_index=0)
    article = row("2", "Which article?", choices=["the", "an"], answer_index=0)
    varied = vary(table(shelf, article), ["distractor"])
    assert varied.variants["variant"].to_list() == ["canonical", "distractor-walk", "canonical"]
    assert varied.counts.select("asked", "made", "dropped_unsafe").row(0) == (2, 1, 1)


def test_a_paragraph_of_another_example_is_apart_from_this_one() -> None:
    examples = table(
        row("1", "Who ruled Sicily?", context=_NORMANS, answers=["the Normans"]),
        row("2", "Who was a geologist?", context=_APOLLO, answers=["Schmitt"]),
        row("3", "What did sicily grow?", context="There was wheat.", answers=["wheat"]),
        row("4", "Who ruled Sicily?", context="Somebody else.", answers=["the Normans"]),
    )
    varied = vary(examples, ["distractor:source=data,n=5,place=lead"])
    made = {name: [prompt_of(r).partition("\n\n")[0] for r in varied.variants.filter(example=name).to_dicts()[1:]] for name in "1234"}
    assert {name: sorted(texts) for name, texts in made.items()} == {
        "1": sorted([_APOLLO, "There was wheat."]),
        "2": sorted([_NORMANS, "There was wheat.", "Somebody else."]),
        "3": sorted([_APOLLO, "Somebody else."]),
        "4": sorted([_APOLLO, "There was wheat."]),
    }
    assert '"taken_from": "2"' in "".join(varied.variants.filter(example="1")["parameters"])


def test_a_question_of_another_example_is_not_asked_on_the_way() -> None:
    examples = table(
        row("1", "Anna has 3 cats. She buys one more. How many cats has she?", task="numeric", answers=["4"]),
        row("2", "Ben has a dog. If it ran 5 km, how far is it? Calculate it.", task="numeric", answers=["5"]),
        row("3", "How many cats has Anna?", task="numeric", answers=["7"]),
    )
    varied = vary(examples, ["distractor:source=data,place=lead"])
    first, second = (prompt_of(varied.variants.filter(example=name).row(1, named=True)) for name in "12")
    assert first.startswith("Ben has a dog.\n\n")
    assert second.startswith("Anna has 3 cats. She buys one more.\n\n")
    assert varied.counts.select("made", "not_applicable").row(0) == (3, 0)


def test_a_data_set_with_nothing_to_say_is_not_applicable() -> None:
    assert vary(table(row("1", "Who?"), row("2", "Where?")), ["distractor:source=data"]).counts["not_applicable"].to_list() == [2]


def test_what_a_variation_below_changed_still_counts() -> None:
    """A misspelt question hides that the paragraph is the example's own context, or names its answer."""
    examples = table(row("1", "Who ruled beautiful Sicily?", context=_NORMANS), row("2", "Who ruled beautiful Sicily?", context="It was."))
    assert vary(examples, ["typo+distractor:distractor.source=data"]).counts["made"].to_list() == [0]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("On the terraces (max. 115 m). Then", ["On the terraces (max. 115 m). ", "Then"]),  # was cut behind "max."
        ("See No. 5 etc. and go. J. Smith came.", ["See No. 5 etc. and go. ", "J. Smith came."]),
        ("Figures.[1] They fell", ["Figures.[1] They fell"]),
        ('He said "no." She left.', ['He said "no." ', "She left."]),
        ("走吧。好！", ["走吧。", "好！"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert sentences_in(text) == sentences


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.text(alphabet=st.sampled_from("aB .!?。)\"'\n1"), max_size=40))
def test_sentences_joined_are_the_text(text: str) -> None:
    assert "".join(sentences_in(text)) == text
