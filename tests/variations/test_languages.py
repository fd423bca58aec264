from __future__ import annotations

import pytest

from sago.variations.languages import is_english


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("What is El Niño?", True),
        ("Name planets.", True),
        ("Who did Berengaria of Navarre marry in Los Angeles?", True),
        ("Was ist das?", False),
        ("Quelle est la capitale de la France ?", False),
        ("¿Cuál es la capital de Francia?", False),
        ("Qual é a capital do Brasil?", False),
        ("Wat is de hoofdstad van Nederland?", False),
        ("今年是哪一年？", False),
        ("12 + 30 = ?", False),
        ("", False),
    ],
)
def test_is_english(text: str, english: bool) -> None:
    assert is_english(text) is english
