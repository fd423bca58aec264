from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from sago.models import open_model
from sago.records import Decoding, Key, Message, Observation, Request
from sago.testing.model_check import check_model
from sago.testing.planted import PLANTED


def ask(text: str, variant: str = "canonical", choices: tuple[str, ...] | None = None, decoding: Decoding = "greedy") -> Request:
    return Request(
        key=Key("planted", "d", "1", variant, decoding, 0),
        messages=(Message("system", "Be brief."), Message("user", text)),
        is_canonical=variant == "canonical",
        max_new_tokens=8,
        choices=choices,
        wants_anchor=True,
        wants_states=True,
    )


def observe(name: str, requests: Iterable[Request]) -> list[Observation]:
    return list(open_model(f"planted:{name}").observe(list(requests)))


@pytest.mark.parametrize("name", PLANTED)
def test_conforms(name: str) -> None:
    check_model(open_model(f"planted:{name}"))


def test_constant_never_changes() -> None:
    found = observe("constant", [ask("What?", choices=("A", "B")), ask("Why?", "typo-1", choices=("A", "B"))])
    assert {one.response for one in found} == {"A"}
    assert found[0].states == found[1].states
    assert found[0].choice_logprobs == pytest.approx((math.log(0.5), math.log(0.5)))
    assert found[0].anchor_logprob == found[1].anchor_logprob


def test_echo_repeats_the_user_and_is_less_sure_of_other_words() -> None:
    same, other = observe("echo", [ask("What is it?"), ask("Tell me now!", "paraphrase-1")])
    assert (same.response, other.response) == ("What is it?", "Tell me now!")
    assert same.anchor_logprob is not None
    assert other.anchor_logprob is not None
    assert same.anchor_logprob > other.anchor_logprob
    assert same.states != other.states
    assert same.choice_logprobs is None


@pytest.mark.parametrize(
    ("text", "choices", "decoding", "reply"),
    [
        ("Q\nA. Venus\nB. Mars", ("A", "B"), "greedy", "A"),
        ("Q\nVenus / Mars", ("Venus", "Mars"), "greedy", "Venus"),
        ("Q\n(1) Venus\n(2) Mars", None, "sampled", "1"),
        ("Q", None, "sampled", "A"),
    ],
)
def test_first_option(text: str, choices: tuple[str, ...] | None, decoding: Decoding, reply: str) -> None:
    (found,) = observe("always-first-option", [ask(text, choices=choices, decoding=decoding)])
    assert found.response == reply


def test_first_option_is_sure_of_the_first() -> None:
    (found,) = observe("always-first-option", [ask("Q", choices=("x", "y", "z"))])
    assert [math.exp(value) for value in found.choice_logprobs or ()] == pytest.approx([0.9, 0.05, 0.05])


def test_a_sample_takes_the_choices_of_its_greedy_request() -> None:
    found = observe("always-first-option", [ask("Venus / Mars", choices=("Venus", "Mars")), ask("Venus / Mars", decoding="sampled")])
    assert found[1].response == "Venus"
