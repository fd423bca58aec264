from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.features.hand_made import inputs

from sago import schemas
from sago.features.verbalised import stated_confidence, verbalised_confidence_reader


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("B\nConfidence: 85%", 0.85),
        ("**Confidence:** 85 %", 0.85),
        ("Confidence level: 85 percent", 0.85),
        ("Confidence (0-100): 85", 0.85),
        ("My confidence is about 70%.", 0.7),
        ("Confidence: 0.85", 0.85),
        ("confidence = .85 or so, confidence = 0.9", 0.9),
        ("Konfidenz unbekannt. Confidence: 0,85", 0.85),
        ("Confidence: 85, because it rhymes.", 0.85),
        ("Confidence: 8/10", 0.8),
        ("Confidence: 8 out of 10", 0.8),
        ("Confidence: 85/100.", 0.85),
        ("Confidence: 5 (out of 5)", 1.0),
        ("Confidence: 4 (/5)", 0.8),
        ("Confidence: 4 (on a scale of 1 to 5)", 0.8),
        ("Confidence (0-10): 8", 0.8),
        ("Confidence (scale 1 to 5): 4", 0.8),
        ("Confidence (0-10): 80%", 0.8),
        ("Confidence (0-100): 0.85", 0.85),
        ("Confidence (0-1): 0.85", 0.85),
        ("confidence = .8", 0.8),
        ("I am .8 confident.", 0.8),
        ("Confidence: 80-90%", 0.85),
        ("Confidence: 80% to 90%", 0.85),
        ("Confidence: 1", 1.0),
        ("Confidence: 1%", 0.01),
        ("Confidence: 100", 1.0),
        ("Confidence: 0", 0.0),
        ("Confidence: ~95%", 0.95),
        ("Confidence in my answer: 60%", 0.6),
        ('{"answer": "B", "confidence": 0.75}', 0.75),
        ("Guess: Paris\nProbability: 0.3", 0.3),
        ("The answer is B, and I am 90% sure of it.", 0.9),
        ("I'm about 90 % certain.", 0.9),
        ("I say B with 80% confidence.", 0.8),
        ("I was 50% sure at first. Now I am 95% confident.", 0.95),
        ("Confidence: 60%. On reflection, confidence: 40%.", 0.4),
        ("Ich bin mir zu 80 % sicher.", 0.8),
        ("I am not 100% sure.", None),
        ("I can't be 100% certain, but B.", None),
        ("I am not 100% sure. Confidence: 70%", 0.7),
        ("Confidence: high", None),
        ("Confidence: High (90%)", 0.9),
        ("Confidence: very low, 5%", 0.05),
        ("Confidence: 80% (A), 20% (B)", None),
        ("Confidence: 7/10 or 8/10", None),
        ("Confidence: 150%", None),
        ("Confidence: -5%", None),
        ("Confidence: 12/10", None),
        ("Confidence: 5/0", None),
        ("It rains on 30% of days, for sure.", None),
        ("Sure! The answer is 42.", None),
        ("The 95% confidence interval is wide", None),
        ("The probability is 3/8.", None),
        ("The test has a confidence level that we know.", None),
        ("85%", None),
        ("", None),
    ],
)
def test_stated(text: str, value: float | None) -> None:
    assert stated_confidence(text) == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("Confidence: 0.8\n\nI'm 100% sure that A is wrong.", 0.8), ("Confidence: 9 of 10", 0.9), ('{"confidence_score": 0.9}', 0.9)),
        *(
            ("Confidence: 8", None),
            ("Confidence: 10", None),
            ("Confidence: 8%", 0.08),
            ("Confidence (1-10): 8", 0.8),
            ("Confidence: 11", 0.11),
        ),
        *(("Confianza: 90%", 0.9), ("置信度：0.9", 0.9)),
    ],
)
def test_what_is_called_the_confidence_on_a_scale_that_is_known(text: str, value: float | None) -> None:
    assert stated_confidence(text) == (None if value is None else pytest.approx(value))


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.text(alphabet="confidence sure 0123456789%.,/-: not", max_size=80))
def test_whatever_the_text_it_is_null_or_a_probability(text: str) -> None:
    found = stated_confidence(text)
    assert found is None or 0 <= found <= 1


@pytest.mark.parametrize(
    ("response", "status", "value", "reason"),
    [
        ("B. I am 90% sure.", "ok", 0.9, None),
        ("B. I am 90% sure, beca", "truncated", 0.9, None),
        ("B", "ok", None, "not_stated"),
        ("It is surely B", "ok", None, "not_stated"),
        ("", "empty", None, "empty"),
        ("No.", "refusal", None, "refusal"),
        (None, "filtered", None, "filtered"),
        (None, "ok", None, "not_recorded"),
        ("I am 90% sure.", "error", None, "error"),
    ],
)
def test_rows(response: Any, status: str, value: float | None, reason: str | None) -> None:
    read = verbalised_confidence_reader.read(inputs({"response": response, "status": status}))
    assert schemas.check("features", read).select("number", "reason").rows() == [(value, reason)]


@pytest.mark.parametrize(
    "more", ["\n\nQuestion: Which gas?\nAnswer: C\nConfidence: 20%", "<|im_end|>\n<|im_start|>user\nConfidence: 20%", "</s>I am 20% sure."]
)
def test_a_confidence_behind_the_models_own_turn_is_not_its_own(more: str) -> None:
    rows = verbalised_confidence_reader.read(inputs(*({"response": said + more} for said in ("B. Confidence: 85%", "B."))))
    assert rows.select("number", "reason").rows() == [(0.85, None), (None, "not_stated")]
