from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.variations.tables import case_rows, row, table

from sago.records import Example
from sago.variations import vary
from sago.variations.rephrase import _RULES, rephrase

_ALL = {"n": len(_RULES), "rules": "+".join(_RULES)}


def _reworded(question: str, **fields: Any) -> dict[str, str | None]:
    example = Example("d", "1", question, **fields)
    if not rephrase.applies(example):
        return {}
    return {draft.name: draft.question for draft in rephrase.vary(example, _ALL, np.random.default_rng(0))}


@pytest.mark.parametrize(
    ("question", "rule", "expected"),
    [
        ("How many legs does a spider have?", "what-number", "What number of legs does a spider have?"),
        ("He buys 5. How much money did he pay?", "what-amount", "He buys 5. What amount of money did he pay?"),
        ("How much did the two pens cost?", "cost", "What did the two pens cost?"),
        ("How long does it take to fly?", "how-long", "How much time does it take to fly?"),
        ("Why did Robin do this?", "for-what-reason", "For what reason did Robin do this?"),
        ("What kind of fish is it?", "kind", "What type of fish is it?"),
        ("What types of fish are there?", "", ""),
        ("What year did the war begin?", "in-what-year", "In what year did the war begin?"),
        ("What is the capital of France?", "tell-what", "Tell me the capital of France."),
        ("What is the largest volcano on Earth?", "tell-what", "Tell me the largest volcano on Earth."),
        ("Which of the following metals is magnetic?", "of-these", "Of the following metals, which is magnetic?"),
        ("Who wrote Emma?", "tell-who", "Tell me who wrote Emma."),
        ("On which continent do lions live?", "preposition-last", "Which continent do lions live on?"),
        ("Kai fell. How would Kai feel afterwards?", "adverb-first", "Kai fell. Afterwards, how would Kai feel?"),
        ("What will Others want to do next?", "going-to", "What are Others going to want to do next?"),
        ("How would you describe Kai?", "describe", "In what words would you describe Kai?"),
    ],
)
def test_each_rule(question: str, rule: str, expected: str) -> None:
    assert _reworded(question).get(rule, "") == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Do whales sing?", "Is it true that whales sing?"),
        ("Would it be hard to eat 5 kg?", "Is it true that it would be hard to eat 5 kg?"),
        ("Are there any whales here?", None),
        ("Can you not swim to Miami?", None),
        ("Can the cat swim?", None),
    ],
)
def test_yes_no_questions(question: str, expected: str | None) -> None:
    assert _reworded(question, choices=("Yes", "No")).get("is-it-true") == expected
    assert "is-it-true" not in _reworded(question, choices=("red", "blue")), "a request is no yes-no question"


@pytest.mark.parametrize(
    "question",
    [
        "How much farther does the winner run than the loser?",
        "How many more cookies does he have?",
        "How many centimeters shorter will the candle be?",
        "How many miles away is it?",
        "How many of the boys are tall?",
        "What is the boy in the garden doing?",
        "What is the top of the mountain called?",
        "What is the king of England known as?",
        "What is the population of France made of?",
        "Who did Berengaria of Navarre marry?",
        "Who was the king?",
        "Which organ do humans use?",
        "In what year did the war in the north begin?",
        "What is rain",
        "今年是哪一年？",
        "Wer schrieb Emma?",
        "",
    ],
)
def test_where_no_rule_fits_surely_there_is_nothing(question: str) -> None:
    assert _reworded(question) == {}


@pytest.mark.parametrize("case", [*case_rows("09-typo-protect.jsonl")], ids=lambda case: case["id"])
def test_case_09_spans_stay(case: dict[str, Any]) -> None:
    for question in _reworded(case["text"]).values():
        assert all(span in (question or "") for span in case["protect"])


def test_braces_are_data() -> None:
    assert _reworded("How many {x} and {{ 7*7 }} does it have?") == {}
    assert _reworded("Why does {{ 7*7 }} print 49?") == {"for-what-reason": "For what reason does {{ 7*7 }} print 49?"}


def test_a_choice_inside_the_question_and_what_the_user_names_stay() -> None:
    assert _reworded("What kind of fish is it?", choices=("kind of", "x")) == {}
    assert _reworded("What kind of fish is it?", metadata={"protect": ["kind"]}) == {}


def test_asked_is_what_the_rules_give() -> None:
    varied = vary(table(row("1", "How many legs do whales have in total?"), row("2", "What is rain?")), ["rephrase:n=1"])
    assert varied.counts.select("asked", "made", "dropped_same", "not_applicable").rows() == [(1, 1, 0, 1)]
    assert varied.variants["checks"].to_list()[1] == ["same_numbers", "same_negations", "protected_spans"]
