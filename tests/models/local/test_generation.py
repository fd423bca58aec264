from __future__ import annotations

import string
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.models.local.tiny import CHAT, open_tiny, request

from sago.models.local.generation import _draw
from sago.records import Observation, Request


def talkative() -> tuple[Request, Observation]:
    """A prompt to which the random model replies at length, with something printable behind the first character."""
    for text in "abcdefghijklmnopqrstuvwxyz":
        asked = request(text, max_new_tokens=12)
        (found,) = open_tiny(template=CHAT).observe([asked])
        if len(found.response_token_ids or ()) == 12 and any(one in string.ascii_letters for one in (found.response or "")[3:]):
            return asked, found
    pytest.fail("the random model says nothing")


def test_draws_follow_the_softmax() -> None:
    logits = torch.tensor([0.0, 1.0, 2.0, -50.0])
    random = np.random.default_rng(0)
    drawn = np.bincount([_draw(logits, 0.5, random) for _ in range(4000)], minlength=4) / 4000
    assert drawn == pytest.approx((logits / 0.5).softmax(-1).numpy(), abs=0.03)


def test_a_low_temperature_is_greedy() -> None:
    random = np.random.default_rng(0)
    assert {_draw(torch.tensor([0.0, 1.0, 0.9]), 1e-6, random) for _ in range(50)} == {1}


def test_the_seed_alone_decides_a_sample() -> None:
    def sample(seed: int, beside: int) -> str | None:
        others = [request(f"b{number}:", example=f"x{number}", temperature=1.0, decoding="sampled", seed=9) for number in range(beside)]
        mine = request("a b:", temperature=1.0, decoding="sampled", seed=seed)
        return next(one.response for one in open_tiny(template=CHAT, batch_size=8).observe([*others, mine]) if one.key == mine.key)

    assert sample(1, 0) == sample(1, 5)
    assert sample(1, 0) != sample(2, 0)


def test_stop_texts_end_a_response() -> None:
    asked, free = talkative()
    text = free.response or ""
    stop = next(character for character in text[3:] if character in string.ascii_letters)
    (stopped,) = open_tiny(template=CHAT, stop=(stop,)).observe([asked])
    assert stopped.response == text[: text.index(stop)]
    assert stopped.finish_reason == "stop"
    assert len(stopped.response_token_ids or ()) == len(stopped.token_logprobs or ()) < len(free.response_token_ids or ())


def test_the_limit_is_a_finish_reason() -> None:
    asked, free = talkative()
    (found,) = open_tiny(template=CHAT).observe([replace(asked, max_new_tokens=3)])
    assert (found.finish_reason, found.status) == ("length", "truncated")
    assert found.response_token_ids == (free.response_token_ids or ())[:3]


def test_an_end_token_stops_and_is_not_part_of_the_response() -> None:
    asked, free = talkative()
    tokens = free.response_token_ids or ()
    model = open_tiny(template=CHAT)
    model._generator._ends = frozenset({tokens[4]})
    (ended,) = model.observe([asked])
    assert ended.response_token_ids == tokens[: tokens.index(tokens[4])]
    assert ended.finish_reason == "stop"
