from __future__ import annotations

import pytest

from sago.runs.importers.prompt_choices import listed_choices


@pytest.mark.parametrize(
    ("prompt", "choices"),
    [
        ("Which?\n(A) 0. (B) 1. (C) e^x = 2", ("0", "1", "e^x = 2")),
        ("Which?\n(A) Mars\n(B) Venus\n\nAnswer with one letter.", ("Mars", "Venus")),
        ("Which?\nA. Mars\nB. Venus\nC. Earth", ("Mars", "Venus", "Earth")),
        ("Which?\nA) Mars\nB) Venus", ("Mars", "Venus")),
        ("Example:\nA: x\nB: y\nAnswer: A\n\nWhich?\nA: Mars\nB: Venus\n", ("Mars", "Venus")),
        ("I. P is true.\nII. Q is true.\n(A) I only. (B) II only. ", ("I only", "II only")),
    ],
)
def test_a_list_of_options_is_read(prompt: str, choices: tuple[str, ...]) -> None:
    assert listed_choices(prompt) == choices


@pytest.mark.parametrize(
    "prompt",
    [
        "What is the capital of France?",
        "Is (A) better?",
        "Answer A, B, C or D.",
        "(A) Mars (C) Venus",
        "(A) Only (II). (B) Only (IV). (C) (I) and (IV).",
        "(A) same (B) same",
        "(A) one (B) two, but see (A) and (D)",
        "f(A) = 1 and f(B) = 2",
    ],
)
def test_what_could_be_misread_is_no_list(prompt: str) -> None:
    assert listed_choices(prompt) is None
