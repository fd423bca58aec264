from __future__ import annotations

import pytest
from tests.models.local.tiny import tokenizer

from sago.models.local.replies import ReplyReader, cut_at_stop, read_reply


@pytest.mark.parametrize(
    ("text", "finish", "response", "reasoning", "status"),
    [
        ("B", "stop", "B", None, "ok"),
        ("B. Because", "length", "B. Because", None, "truncated"),
        ("", "stop", "", None, "empty"),
        (" \n ", "stop", " \n ", None, "empty"),
        ("<think>maybe A, maybe B", "length", "", "maybe A, maybe B", "truncated"),
        ("<think></think>", "stop", "", None, "truncated"),
        ("<think>\nA or B\n</think>\n\nB", "stop", "\n\nB", "A or B", "ok"),
        ("A or B</think>B", "length", "B", "A or B", "truncated"),
        ("I write <think> in the middle", "stop", "I write <think> in the middle", None, "ok"),
    ],
)
def test_reading(text: str, finish: str, response: str, reasoning: str | None, status: str) -> None:
    reply = read_reply(text, finish)
    assert (reply.response, reply.reasoning, reply.status) == (response, reasoning, status)


def test_thinking_opened_by_the_prompt() -> None:
    assert read_reply("hm", "length", opens_thinking=True).status == "truncated"
    assert read_reply("hm</think>B", "stop", opens_thinking=True).response == "B"


@pytest.mark.parametrize(
    ("text", "stops", "line", "expected"),
    [
        ("abc", (), False, None),
        ("abc", ("c", "b"), False, "a"),
        ("abc", ("",), False, None),
        ("\n Paris\nQ:", (), True, "\n Paris"),
        ("\n\n", (), True, None),
        ("Paris", (), True, None),
        ("Paris\n", (), False, None),
    ],
)
def test_cutting(text: str, stops: tuple[str, ...], line: bool, expected: str | None) -> None:
    assert cut_at_stop(text, stops, at_line_break=line) == expected


def test_thinking_marks_among_the_control_tokens_are_kept() -> None:
    made = tokenizer()
    made.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"]})
    ids = made("<think>a</think>b</s>", add_special_tokens=False)["input_ids"]
    assert ReplyReader(made).decode(ids) == "<think>a</think>b"
