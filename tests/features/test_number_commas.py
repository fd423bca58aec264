"""Numbers with a decimal comma, grouped by points or by Indian commas, and right behind a word in scripts without spaces.

Each is written as models write it, and judged by hand before a reader saw it.
"""

from __future__ import annotations

import pytest

from sago.features.numbers import given_number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("一共有72个。", "72"),
        ("珍妮特每天赚18美元。", "18"),
        ("总共卖了72个夹子。", "72"),
        ("48 + 24 = 72个", "72"),
        ("所以，她一共卖了72个夹子。", "72"),
        ("答えは24です。", "24"),
        ("全部で24本の足があります。", "24"),
        ("정답은 24입니다.", "24"),
        ("총 24개입니다.", "24"),
        ("12,50 Euro", "12.5"),
        ("Das kostet 12,50 Euro.", "12.5"),
        ("1.250,75 €", "1250.75"),
        ("€1.234,50", "1234.5"),
        ("1 234,50", "1234.5"),
        ("12,50", "12.5"),
        ("0,25", "0.25"),
        ("1,25", "1.25"),
        ("Antwort: 3,5", "3.5"),
        ("Réponse : 3,5", "3.5"),
        ("Die Antwort ist 3,5 Stunden.", "3.5"),
        ("3,5 Stunden", "3.5"),
        ("3,5", None),
        ("(3,5)", None),
        ("Die Lösungen sind (3,5) und (2,1).", None),
        ("The answer is 3,5", None),
        ("Thus the answer is 1,5 Euro", "1.5"),
        ("Respuesta: 1.234,5", "1234.5"),
        ("La respuesta es 2.500 euros.", "2500"),
        ("Berlin hat rund 3.664.000 Einwohner.", "3664000"),
        ("Etwa 3,66 Millionen Menschen leben in Berlin.", "3660000"),
        ("Rs. 1,50,000", "150000"),
        ("The answer is 15,00,000", "1500000"),
        ("共1500元", "1500"),
        ("1,00", "1"),
        ("1,0", None),
        ("第3题", None),
        ("12 345,67", "12345.67"),
        ("Es sind 1.500", None),
        ("10,20,300", None),
    ],
)
def test_the_number_that_a_careful_person_reads(said: str, number: str | None) -> None:
    assert given_number(said) == number
