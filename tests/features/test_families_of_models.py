"""Replies in the manner of chat, reasoning and base models that were read wrong once, each beside one that must stay read."""

from __future__ import annotations

import pytest

from sago.features.answers import Asked, read_answer
from sago.features.correctness import accepted

_ORGANS = ("The nucleus", "The mitochondrion", "The ribosome", "The Golgi apparatus")
_PHYLA = ("Arthropoda", "Mollusca", "Chordata", "Annelida")
_SUMS = ("12", "14", "16", "18")
_LABELS = ("A", "B", "C", "D")
CELL = Asked("choice", _LABELS, _ORGANS, _ORGANS)
PHYLUM = Asked("choice", _LABELS, _PHYLA, _PHYLA)
SUM = Asked("choice", _LABELS, _SUMS, _SUMS)
YES_NO = Asked("choice", None, ("yes", "no"), ("yes", "no"))
NUMBER = Asked("numeric", None, None, None)
TEXT = Asked("text", None, None, None)

Case = tuple[Asked, str, str | None]

_ASKS_ITSELF: list[Case] = [
    (CELL, " D\n\n2. Which of these makes protein?\nA. The nucleus\nB. The mitochondrion\nAnswer: C", _ORGANS[3]),
    (CELL, "C.\n\nThe following is a multiple choice question about biology.\n\nWhat is DNA?\nA. A fat\nB. An acid\nAnswer: B", _ORGANS[2]),
    (NUMBER, "18\n\nHow many bolts does a robe take in total?\nAnswer: 3", "18"),
    (YES_NO, " yes\n\nDo fish sleep?\nA: no", "yes"),
    # Its own question said again is no next one, and neither is a doubt.
    (CELL, "Which of these makes protein?\nA. The nucleus\nB. The mitochondrion\nC. The ribosome\nAnswer: C", _ORGANS[2]),
    (NUMBER, "Answer: 5\n\nWait, did I count Sunday?\nAnswer: 6", "6"),
]
_SAYS_THE_OPTIONS_AGAIN: list[Case] = [
    (SUM, "1. 12\n2. 14\n3. 16\n4. 18\n", None),
    (SUM, "12, 14, 16, 18", None),
    (PHYLUM, " A\nB\nC\nD\n", None),
    (PHYLUM, " (A) Arthropoda. (B) Mollusca. (C) Chordata.", None),
    (PHYLUM, '{"A": "Arthropoda", "B": "Mollusca", "C": "Chordata", "D": "Annelida"}', None),
    (PHYLUM, "A. Arthropoda\nB. Mollusca\nC. Chordata\nD. Annelida\n\nB", "Mollusca"),
    (PHYLUM, "B\nMollusca", "Mollusca"),
    (PHYLUM, "(B) Mollusca.", "Mollusca"),
    (SUM, "1. 14", "14"),
    (PHYLUM, "A. Chordata\n\nThe answer is A.", None),
    (PHYLUM, "A. Arthropoda\n\nThe answer is A.", "Arthropoda"),
    (PHYLUM, "A. Chordata\n\nThe answer is A. Arthropoda", "Arthropoda"),
]
_CONTRADICTS_ITSELF: list[Case] = [
    (YES_NO, " The answer is no\nThe answer is yes\nThe answer is no\nThe answer is", None),
    (PHYLUM, "Answer: A\nAnswer: B", None),
    (NUMBER, "The answer is 12.\nThe answer is 13.", None),
    (TEXT, "Answer: Paris\nAnswer: London", None),
    (PHYLUM, "Answer: B\nAnswer: B. Mollusca", "Mollusca"),
    (NUMBER, "The answer is 12.\nThe answer is $12.00.", "12"),
    (NUMBER, "Answer: 12\nFinal answer: 13", "13"),
    (NUMBER, "Answer: 12\n\nNo, Sunday counts twice.\n\nAnswer: 13", "13"),
    (TEXT, "Answer: Paris\nAnswer: Paris, France", "paris france"),
]
_NUMBERS: list[Case] = [
    (NUMBER, "The two solutions are $x = 2$ and $x = 3$.", None),
    (NUMBER, "The answer is $x=2$ or $x=-5$", None),
    (NUMBER, "x_1 = 2 and x_2 = 3", None),
    (NUMBER, "x₁ = 2, x₂ = 3", None),
    (NUMBER, "So $x=2$ and $y=3$, hence $x+y=5$.", "5"),
    (NUMBER, "The answer is $x = 2$.", "2"),
    # Where two numbers are joined either may be meant; a fraction or a root is what was worked out, a bracket holds another unit.
    (NUMBER, "The answer is 12.5 ≈ 13", None),
    (NUMBER, r"\boxed{12.5 \approx 13}", None),
    (NUMBER, "The answer is 1,234 ≈ 1,200", None),
    (NUMBER, "The answer is 22/7 ≈ 3.14", "22/7"),
    (NUMBER, r"The answer is $5\pi \approx 15.7$", "15.7"),
    (NUMBER, "The answer is 12.5 (rounded to 13)", None),
    (NUMBER, "The answer is 12.5, which rounds up to 13", None),
    (NUMBER, "The answer is 12.0 ≈ 12", "12"),
    (NUMBER, "The answer is ≈ 13", "13"),
    (NUMBER, "The answer is 1/3 ≈ 0.333", "1/3"),
    (NUMBER, "The answer is 12.5 miles (≈ 20.1 km)", "12.5"),
    (NUMBER, "It is not clear, but 12 seems right", "12"),
    (NUMBER, "It takes **160 minutes** in total:\n\n- 200 * 0.4 / 2 = 40 min\n- restart 20 min\n- 200 / 2 = 100 min", None),
    (NUMBER, "The ducks lay 16 eggs:\n- 16 - 7 = 9\n- 9 * 2 = 18", "18"),
    (NUMBER, "It takes **60 minutes** in total:\n\n- 20 + 20 = 40\n- 40 + 20 = 60", "60"),
]
_SCALES: list[Case] = [
    (NUMBER, "₹1.5 lakh", "150000"),
    (NUMBER, "Rs. 2 crore", "20000000"),
    (NUMBER, "3万", "30000"),
    (NUMBER, "答案是3万元", "30000"),
    (NUMBER, "1億2000万", "120000000"),
    (NUMBER, "3만 원", "30000"),
    (NUMBER, "5 Millionen", "5000000"),
    (NUMBER, "2 mil millones", "2000000000"),
    (NUMBER, "3万5", None),
    # Units whose name begins with a sign of scale.
    (NUMBER, "5千米", "5"),
    (NUMBER, "1千克", "1"),
    # Two and a half thousand in the language of the mark, or two and a half.
    (NUMBER, "La respuesta es 2.500 euros.", "2500"),
    (NUMBER, "Die Antwort ist 2.500.", None),
    (NUMBER, "Die Antwort ist 2.5.", "2.5"),
    (NUMBER, "The answer is 2.500.", "2.5"),
]
_RULES_OUT: list[Case] = [
    (CELL, "A is in every cell, B makes energy, D packs proteins. That leaves C.", _ORGANS[2]),
    (CELL, "A: The part that makes protein is the ribosome.", None),
    (CELL, "C: The part that makes protein is the ribosome.", _ORGANS[2]),
    (CELL, "I would eliminate the nucleus.", None),
    (CELL, "We can rule out the nucleus and the mitochondrion. The answer is the ribosome.", _ORGANS[2]),
    (CELL, "We can eliminate A and B, so it is C.", _ORGANS[2]),
    (CELL, "I would rule out A and B. C is right.", _ORGANS[2]),
]
_TEXTS: list[Case] = [
    (TEXT, "The answer to your question is Neil Armstrong.", "neil armstrong"),
    (TEXT, "The answer for this one is Paris", "paris"),
    (TEXT, "The correct answer is Dr. Seuss. He also wrote The Lorax.", "dr seuss"),
    (TEXT, "Paris. It is the capital of France.", "paris"),
    (TEXT, "Washington, D.C. It is the capital.", "washington dc"),
    (TEXT, "Apple Inc. The company was founded in 1976.", "apple inc"),
    (TEXT, "St. Louis. The arch is there.", "st louis"),
    (TEXT, "At 10:30 a.m. The meeting was moved.", "at 10:30 am"),
    (TEXT, "The U.S. It beat Canada 3-2.", "us"),
    (TEXT, "Wien. Die Stadt liegt an der Donau.", "wien"),
    (TEXT, "Madrid. Es la capital de España.", "madrid"),
    (TEXT, "Paris. C’est la capitale.", "paris"),
    (TEXT, "北京。北京是中国的政治中心。", "北京"),
    (TEXT, "नई दिल्ली। यह भारत की राजधानी है।", "नई दिल्ली"),
    (TEXT, "القاهرة. وهي عاصمة مصر.", "القاهرة"),
    (TEXT, "उत्तर: नई दिल्ली", "नई दिल्ली"),
    (TEXT, "الإجابة: القاهرة", "القاهرة"),
    (TEXT, "Die Antwort lautet: Wien", "wien"),
    # Titles, initials and whole texts stay whole.
    (TEXT, "Der Herr der Ringe. Die zwei Türme", "der herr der ringe die zwei türme"),
    (TEXT, "Mr. The Rock", "mr the rock"),
    (TEXT, "Franklin D. Roosevelt", "franklin d roosevelt"),
    (TEXT, "他出生于一九四五年的一个小村庄里。后来他是医生。", "他出生于一九四五年的一个小村庄里 后来他是医生"),
    (TEXT, "E.T. The Extra-Terrestrial", "et the extraterrestrial"),
    (TEXT, "Mamma Mia! Here We Go Again", "mamma mia here we go again"),
    (TEXT, '```json\n{\n  "city": "Paris",\n  "country": "France"\n}\n```', "{ city paris,country france }"),
    (TEXT, '{\n  "country": "Chile",\n  "city": "Lima"\n}', "{ city lima,country chile }"),
    (TEXT, '{"capital": "Paris"}', "paris"),
    (TEXT, "```python\nprint(1)\n```", "print(1)"),
    (TEXT, "---\n\nParis", "paris"),
    (TEXT, "===", "==="),
]
_BOOLEANS: list[Case] = [
    (YES_NO, '{"answer": true}', "yes"),
    (YES_NO, '{"answer": false}', "no"),
    (PHYLUM, '{"answer": true}', None),
]


@pytest.mark.parametrize(
    ("asked", "response", "expected"),
    [*_ASKS_ITSELF, *_SAYS_THE_OPTIONS_AGAIN, *_CONTRADICTS_ITSELF, *_NUMBERS, *_SCALES, *_RULES_OUT, *_TEXTS, *_BOOLEANS],
)
def test_what_a_careful_person_reads(asked: Asked, response: str, expected: str | None) -> None:
    assert read_answer("ok", response, asked).category == expected


def test_objects_over_several_lines_are_not_all_the_same() -> None:
    one, other = (f'{{\n  "city": "{city}",\n  "size": 3\n}}' for city in ("Paris", "Lima"))
    assert read_answer("ok", one, TEXT) != read_answer("ok", other, TEXT)


def test_a_right_answer_that_is_an_object_matches_its_spelling_in_a_response() -> None:
    said = read_answer("ok", '```json\n{\n  "size": 3,\n  "city": "Paris"\n}\n```', TEXT).category
    assert accepted("text", ['{"city": "Paris", "size": 3}']) == [said]
