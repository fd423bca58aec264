"""Responses in which something stands that looks like an answer and is none: a name no option has, a sum that breaks off, an echo.

Each is written as models write it, and judged by hand before a reader saw it.
"""

from __future__ import annotations

import pytest

from sago.features.answers import Asked, read_answer

PLANETS = ("Mars", "Venus", "Earth", "Mercury")
PLANET = Asked("choice", ("A", "B", "C", "D"), PLANETS, PLANETS)
PLANETAS = ("Marte", "Venus", "Tierra", "Mercurio")
PLANETA = Asked("choice", ("A", "B", "C", "D"), PLANETAS, PLANETAS)
TOOLS = ("a hammer", "a saw", "a screwdriver", "a rope")
TOOL = Asked("choice", ("A", "B", "C", "D"), TOOLS, TOOLS)
LEGS = ("4", "6", "8", "10")
LEG = Asked("choice", ("A", "B", "C", "D"), LEGS, LEGS)
MOODS = ("positive", "negative", "neutral")
MOOD = Asked("choice", None, MOODS, MOODS)
YES_NO = Asked("choice", None, ("yes", "no"), ("yes", "no"))
NUMBER = Asked("numeric", None, None, None)
TEXT = Asked("text", None, None, None)

Case = tuple[Asked, str, str | None]

_DENIED: list[Case] = [
    # "no" in front of a name denies it; with a stop or a correction behind it takes back what was said.
    (PLANETA, "El planeta más caliente es Venus, no Mercurio.", "Venus"),
    (PLANETA, "Es Mercurio, no Venus.", "Mercurio"),
    (PLANET, "D. No, B.", "Venus"),
    (PLANET, "D - no wait, B", "Venus"),
    (PLANET, "I would go with A... no, with B.", "Venus"),
    (PLANET, "A, no it is B", "Venus"),
    (YES_NO, "I can't say yes.", None),
    (MOOD, "The tone is far from positive.", None),
    (MOOD, "It lacks positive remarks.", None),
    (MOOD, "It is hard to call it positive.", None),
    (MOOD, "anything but positive", None),
    (MOOD, "I would not call this positive.", None),
    (MOOD, "The sentiment is without doubt positive.", "positive"),
    (PLANET, "El planeta no es Mercury.", None),
    (PLANET, "La planète n'est pas Mercury.", None),
    (PLANET, "Não é Mercury, é Venus.", "Venus"),
    (PLANET, "Non è Mercury.", None),
    (PLANET, "不是Mercury", None),
    (PLANET, "Nicht der Mercury, sondern die Venus ist es.", "Venus"),
    (PLANET, "Mercury ist es nicht.", None),
    (PLANET, "Mercury is wrong.", None),
    (PLANET, "Mercury isn't it.", None),
    (PLANET, "Mercury? Not quite.", None),
    (PLANET, "I doubt it's Mercury.", None),
    (PLANET, "I'm not sure if it's Mercury.", None),
    (PLANET, "It's unlikely to be Mercury.", None),
    (PLANET, "I'm not sure, maybe Mercury.", "Mercury"),
    (PLANET, "Venus is not the closest planet to the Sun, but it is the hottest.", "Venus"),
    (NUMBER, "La respuesta no es 5.", None),
    (NUMBER, "La réponse n'est pas 5.", None),
    (NUMBER, "No es 5.", None),
    (NUMBER, "I doubt that it is 5.", None),
    (NUMBER, "La respuesta es 5.", "5"),
]
_GOES_THROUGH_ALL: list[Case] = [
    (PLANET, "A: Mars is cold. B: Venus is hot. C: Earth is mild. D: Mercury is hot.", None),
    (PLANET, "A: Mars is cold. B: Venus is hot. C: Earth is mild. D: Mercury is hot.\n\nAnswer: B", "Venus"),
    (PLANET, "B. Venus is hot. C. Earth is not.", "Venus"),
    (MOOD, "Positive: the acting. Negative: the length.", None),
    (MOOD, "Positive: the acting is praised.", "positive"),
    (PLANET, '{"A": "Mars", "answer": "B"}', "Venus"),
]
_NAMES_NO_OPTION: list[Case] = [
    (TOOL, "The correct answer is D. nail.", None),
    (TOOL, "D. nail", None),
    (TOOL, "The answer is D) Nail", None),
    (TOOL, "D. rope", "a rope"),
    (TOOL, "D. ropes", "a rope"),
    (TOOL, "The answer is C. screw driver", "a screwdriver"),
    (TOOL, "D. Correct!", "a rope"),
    (TOOL, "The answer is D. Thanks!", "a rope"),
    (TOOL, "D. It is flexible.", "a rope"),
    (TOOL, "D. cord or rope", "a rope"),
    (TOOL, "D", "a rope"),
    (Asked("choice", ("A", "B"), ("金星", "火星"), ("金星", "火星")), "A. Venus", "金星"),
    (LEG, "B) eight", None),
    (LEG, "B) six", "6"),
    (LEG, "six", "6"),
    (LEG, "One of them is a spider.", None),
]
_OPENED_BY_A_HEADING: list[Case] = [
    (PLANET, "Assistant: B", "Venus"),
    (TEXT, "### Response:\nParis", "paris"),
    (TEXT, "Output: Paris", "paris"),
    (NUMBER, "### Response:\n14", "14"),
    (TEXT, "उत्तर: पेरिस", "पेरिस"),
    (TEXT, "الإجابة: باريس", "باريس"),
    (TEXT, "The capital of France is:\n\nParis", "paris"),
    (TEXT, "What is the capital of France?\nParis", "paris"),
    (TEXT, "What is the capital of France? Paris", "paris"),
    (TEXT, "Who Framed Roger Rabbit?\nIt is a film of 1988.", "who framed roger rabbit"),
    (TEXT, "What Is Love?", "what is love"),
    (TEXT, "What is the capital of France?", "what is the capital of france"),
]
_NUMBERS: list[Case] = [
    # The question said again, and a sentence or a sum that breaks off, though nobody recorded that it was cut.
    (NUMBER, "Natalia sold clips to 48 of her friends in April, and then", None),
    (NUMBER, "She sold 48 clips in April and half as many in", None),
    (NUMBER, "The answer is 48 +", None),
    (NUMBER, "The total is 48 and", None),
    (NUMBER, "The answer is 2. Two separate triangles have one side of 4 and", "2"),
    (NUMBER, "How many clips did she sell altogether in April and May if she sold 48?", None),
    (NUMBER, "A robe takes 2 bolts of blue fiber and half that much white fiber.  How many bolts in total does it take?", None),
    (NUMBER, "She has 72 clips. Would you like me to explain?", "72"),
    (NUMBER, "The answer is 72. How many more do you need?", "72"),
    (NUMBER, "It costs 12 euros and", "12"),
    (NUMBER, "She sold 72 clips. That is because", "72"),
    (NUMBER, "14 in", "14"),
    # Digits grouped by points, and scales of other languages.
    (NUMBER, "1.000 Euro", "1000"),
    (NUMBER, "€1.234", "1234"),
    (NUMBER, "Die Antwort ist 1.500 Euro.", "1500"),
    (NUMBER, "Die Antwort ist 1.500.", None),
    (NUMBER, "La respuesta es 1.500.", None),
    (NUMBER, "Das sind 12.500 Einwohner.", None),
    (NUMBER, "Die Antwort ist 72.", "72"),
    (NUMBER, "Die Antwort ist 3.5.", "3.5"),
    (NUMBER, "The answer is 1.234", "1.234"),
    (NUMBER, "It costs $1.234", "1.234"),
    (NUMBER, "1万", "10000"),
    (NUMBER, "答案是2.5億元", "250000000"),
    (NUMBER, "3万5千", "35000"),
    (NUMBER, "3万五千", None),
    (NUMBER, "1.5 lakh", "150000"),
    (NUMBER, "The answer is 2 crores", "20000000"),
]
_TEXTS: list[Case] = [
    (TEXT, "Washington, D.C. It is the capital.", "washington dc"),
    (TEXT, "The answer is Washington, D.C. It became the capital in 1800.", "washington dc"),
    (TEXT, "5:30 p.m. That is when it starts.", "5:30 pm"),
    (TEXT, "答案是巴黎。它位于塞纳河畔。", "巴黎"),
    (TEXT, "E.T. The Extra-Terrestrial", "et the extraterrestrial"),
    (TEXT, "Lyon... no, Paris.", "paris"),
    (TEXT, "Lyon, no wait, Paris", "paris"),
    (TEXT, "Yes, no.", "yes no"),
]


@pytest.mark.parametrize(
    ("asked", "response", "expected"),
    [*_DENIED, *_GOES_THROUGH_ALL, *_NAMES_NO_OPTION, *_OPENED_BY_A_HEADING, *_NUMBERS, *_TEXTS],
)
def test_what_a_careful_person_reads(asked: Asked, response: str, expected: str | None) -> None:
    assert read_answer("ok", response, asked).category == expected
