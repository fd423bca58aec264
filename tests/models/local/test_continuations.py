from __future__ import annotations

import math

import pytest
from tests.models.local.tiny import open_tiny, request

from sago.models.local.continuations import split_whole

# The toy of case 8: greedy longest match, one log-prob a token.
SHARES = {" A": 0.1, " B": 0.4, " C": 0.2, " D": 0.05, "A": 0.02, "B": 0.02, "C": 0.02, "D": 0.02, " ": 0.03, "Answer": 0.05, ":": 0.05}
NAMES = [*SHARES, "\n"]


def encode(text: str) -> list[int]:
    ids = []
    while text:
        name = max((one for one in NAMES if text.startswith(one)), key=len)
        ids.append(NAMES.index(name))
        text = text[len(name) :]
    return ids


@pytest.mark.parametrize("prompt", ["Answer:", "Answer: "])
@pytest.mark.parametrize(("choice", "expected"), [("A", -2.302585), ("B", -0.916291), ("C", -1.609438), ("D", -2.995732)])
def test_the_space_belongs_to_the_choice_case_8(prompt: str, choice: str, expected: float) -> None:
    joined = choice if prompt.endswith(" ") else f" {choice}"
    item = split_whole(encode(prompt + joined), encode(prompt.rstrip(" ")))
    assert item is not None
    assert sum(math.log(SHARES[NAMES[token]]) for token in item.tokens) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("whole", "prompt", "context", "tokens"),
    [
        ([1, 2, 3, 4], [1, 2], (1, 2), (3, 4)),
        ([1, 9], [1, 2], (1,), (9,)),
        ([1, 9], [1, 2, 3], (1,), (9,)),
    ],
    ids=["behind", "last-token-grew", "two-tokens-grew-together"],
)
def test_the_seam(whole: list[int], prompt: list[int], context: tuple[int, ...], tokens: tuple[int, ...]) -> None:
    item = split_whole(whole, prompt)
    assert item is not None
    assert (item.context, item.tokens) == (context, tokens)


@pytest.mark.parametrize(("whole", "prompt"), [([1, 2], [1, 2]), ([1], [1, 2]), ([5, 6], [7])], ids=["nothing", "less", "no-context"])
def test_nothing_to_score(whole: list[int], prompt: list[int]) -> None:
    assert split_whole(whole, prompt) is None


@pytest.mark.parametrize("kind", ["llama", "gemma3"])
def test_a_trailing_space_changes_no_value_of_a_real_pass(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    choices = ("A", "B", "C and", "xyz")
    model = open_tiny(kind)
    without, with_space = model.observe([request("Answer:", choices=choices), request("Answer: ", example="2", choices=choices)])
    assert without.choice_token_ids == with_space.choice_token_ids
    assert without.choice_logprobs == pytest.approx(with_space.choice_logprobs, abs=1e-4)
    assert without.prompt_hash != with_space.prompt_hash
    assert "ends in a space" in caplog.text


def test_two_spaces_are_kept_and_scored() -> None:
    once, twice = open_tiny().observe([request("Answer: ", choices=("A",)), request("Answer:  ", example="2", choices=("A",))])
    assert once.choice_token_ids is not None
    assert twice.choice_token_ids is not None
    assert len(twice.choice_token_ids[0]) == len(once.choice_token_ids[0]) + 1


def test_choices_that_begin_alike_and_many_choices() -> None:
    choices = ("A", "AB", "ABC", *(f"A{number}" for number in range(30)))
    (found,) = open_tiny().observe([request("Q:", choices=choices)])
    (alone,) = open_tiny().observe([request("Q:", choices=("ABC",))])
    assert found.choice_logprobs is not None
    assert len(found.choice_logprobs) == len(choices)
    assert found.choice_logprobs[2] == pytest.approx((alone.choice_logprobs or [0])[0], abs=1e-5)
    first, second, third = (value for value in found.choice_logprobs[:3] if value is not None)
    assert first > second > third
