from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from sago.errors import StudyError
from sago.models import check_model_spec, open_model
from sago.records import Decoding, Draft, Example, Key, Message, Observation, Request
from sago.testing.model_check import check_model
from sago.testing.planted import PLANTED, CoinFlipModel, FailuresModel, IccModel
from sago.testing.planted.prompts import Option, shown_options
from sago.variations.layouts import LAYOUTS
from sago.variations.rendering import render


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
    assert [math.exp(value) for value in found.choice_logprobs or () if value is not None] == pytest.approx([0.9, 0.05, 0.05])


def test_a_sample_takes_the_choices_of_its_greedy_request() -> None:
    found = observe("always-first-option", [ask("Venus / Mars", choices=("Venus", "Mars")), ask("Venus / Mars", decoding="sampled")])
    assert found[1].response == "Venus"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("coin-flip:rate=1.5", "rate=1.5 is out of its limits. Give a number from 0 to 1"),
        ("coin-flip:rate=often", "rate=often is out of its limits"),
        ("coin-flip:rate=nan", "rate=nan is out of its limits"),
        ("coin-flip:answers=2.5", "answers=2.5 is out of its limits. Give a whole number from 2 to 16"),
        ("coin-flip:rat=0.2", "unknown parameter 'rat'. Parameters: rate (number from 0 to 1), answers"),
        ("coin-flip:0.2", "'0.2' is no parameter. Write name=value."),
        ("coin-flip:rate=0.2,rate=0.3", "the parameter 'rate' is given twice"),
        ("echo:loud=1", "unknown parameter 'loud'. The model has no parameters"),
        ("icc:example=0.9", "sum to 1.3, not 1"),
        ("failures:shared=-1", "shared=-1.0 is out of its limits"),
    ],
)
@pytest.mark.parametrize("opens", [True, False])
def test_wrong_parameters_are_told(spec: str, message: str, opens: bool) -> None:
    with pytest.raises(StudyError) as caught:
        open_model(f"planted:{spec}") if opens else check_model_spec(f"planted:{spec}")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"model 'planted:{spec.partition(':')[0]}")


def test_what_was_given_is_part_of_the_name() -> None:
    one, two, plain = (open_model(f"planted:coin-flip{given}") for given in (":seed=1, rate=0.30", ":rate=0.4", ""))
    assert [model.id for model in (one, two, plain)] == [
        "planted-coin-flip:rate=0.3,seed=1",
        "planted-coin-flip:rate=0.4",
        "planted-coin-flip",
    ]
    assert one.describe().source == "planted:coin-flip:rate=0.3,seed=1"
    assert one.describe().notes[1] == "rate=0.3,answers=4,seed=1"
    assert len({model.describe().weights_hash for model in (one, two, plain)}) == 3


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [2, 5])
def test_options_are_read_from_every_layout(layout: str, count: int) -> None:
    """In any order the content behind each label is the one that is shown there; nothing in question and context is taken for one."""
    texts = ("St. Paul: a city", "3.5; or 4", "(B) not", "A", "Mars")[:count]
    example = Example("d", "1", "Which? A: that is the question.", context="Note.\nB. A line.", choices=texts, task="choice")
    order = tuple(reversed(range(count)))
    prompt = render(example, Draft("x", layout=layout, permutation=order))
    assert prompt.scored is not None
    assert shown_options(prompt.text) == [Option(texts[index], said) for index, said in zip(order, prompt.scored, strict=True)]


@pytest.mark.parametrize("task", ["numeric", "text"])
def test_an_open_question_shows_no_options(task: str) -> None:
    example = Example("d", "1", "A. is this an option?\nB. or this?", task=task)  # type: ignore[arg-type]
    assert shown_options(render(example).text) == []


def test_a_slip_is_as_frequent_as_its_rate_and_never_the_own_answer() -> None:
    """Of 4000 draws at rate .3 the share has standard error .0072; each of the three others is given in a third of them."""
    model = CoinFlipModel(rate=0.3)
    drawn = [model.slipped(1, 4, "d", str(number), "canonical") for number in range(4000)]
    shares = [drawn.count(place) / 4000 for place in range(4)]
    assert shares == pytest.approx([0.1, 0.7, 0.1, 0.1], abs=0.024)
    assert {CoinFlipModel(rate=1.0).slipped(1, 2, number) for number in range(50)} == {0}
    assert {CoinFlipModel(rate=0.0).slipped(1, 2, number) for number in range(50)} == {1}


def test_a_sample_without_choices_is_read_from_the_prompt() -> None:
    """A run that goes on may ask for samples alone; the answer is the same content."""
    text = "Which?\n\nA. Mars\nB. Venus\n\nAnswer with the letter only."
    for name in ("coin-flip", "example-driven", "template-driven", "icc"):
        (alone,) = observe(name, [ask(text, decoding="sampled")])
        (greedy,) = observe(name, [ask(text, choices=("A", "B"))])
        assert alone.response == greedy.response


def test_the_effects_have_their_shares_of_variance() -> None:
    """129 values of each of 200 examples; the standard error of a variance share v is v x sqrt(2 / 25800), under 1 %."""
    model = IccModel(example=0.4, variant=0.1, interaction=0.2, rerun=0.3)
    for component, share in (("example", 0.4), ("variant", 0.1), ("interaction", 0.2), ("rerun", 0.3)):
        drawn = [model.effect(component, "d", str(number)) for number in range(200)]
        assert sum(float((values**2).mean()) for values in drawn) / 200 == pytest.approx(share, rel=0.035)


@pytest.mark.parametrize(("shared", "phi"), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)])
def test_failures_of_two_axes_correlate_by_what_they_share(shared: float, phi: float) -> None:
    """r = .3, 4000 examples: P(both) = d r + (1 - d) r^2, so phi = d, with standard error .016."""
    model = FailuresModel(rate=0.3, shared=shared)
    one, two = ([model.fails(axis, "d", str(number)) for number in range(4000)] for axis in ("generation", "mirroring"))
    both = sum(a and b for a, b in zip(one, two, strict=True)) / 4000
    first, second = sum(one) / 4000, sum(two) / 4000
    assert first == pytest.approx(0.3, abs=0.024)
    deviation = math.sqrt(first * (1 - first) * second * (1 - second))
    assert (both - first * second) / deviation == pytest.approx(phi, abs=1e-9 if shared == 1 else 0.053)
