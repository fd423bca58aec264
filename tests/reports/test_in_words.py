"""Reason codes in sentences become words, and names of models stay what they are."""

from __future__ import annotations

import pytest

from sago.reports.in_words import in_words
from sago.reports.words import REASONS, meaning


@pytest.mark.parametrize("code", sorted(code for code in REASONS if "=" not in code))
@pytest.mark.parametrize("end", [").", "; n = 3 and 4).", ": generation alone)."])
def test_every_reason_is_said(code: str, end: str) -> None:
    said = in_words(f"m on d: not tested ({code}{end}")
    expected = f"({meaning(code)}{end}" if code != "degenerate_null" or not end.startswith(":") else "(generation alone)."
    assert said == f"m on d: not tested {expected}"


@pytest.mark.parametrize("sentence", ["m on d, generation (answer_flip, greedy): UNSTABLE.", "m (p = .040; n = 3)", "m (raw: .1)"])
def test_what_is_no_reason_stays(sentence: str) -> None:
    assert in_words(sentence) == sentence


def test_a_model_that_is_called_like_a_code_keeps_its_name() -> None:
    assert in_words("gpt (no_gold) on d: not tested (no_halves).", ["gpt (no_gold)"]).startswith(
        "gpt (no_gold) on d: not tested (fewer than"
    )


def test_counted_reasons_of_controls() -> None:
    said = in_words("None pass: 9 were not informative (not_observable 6, no_control 2 and no_twin 1).")
    assert (
        said == f"None pass: 9 were not informative (6: {meaning('not_observable')}; 2: {meaning('no_control')}; 1: {meaning('no_twin')})."
    )
