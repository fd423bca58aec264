"""Replies of few words that mean an option, lists that judge every option, and other words for yes and no, in several languages.

Each is written as models write it, and judged by hand before a reader saw it.
"""

from __future__ import annotations

import pytest

from sago.features.answers import Asked, read_answer
from sago.features.turns import own_turn

_PLANETS = ("Mars", "Venus", "Earth", "Mercury")
_MOODS = ("positive", "negative", "neutral")
_YES_NO = ("yes", "no")
PLANET = Asked("choice", ("A", "B", "C", "D"), _PLANETS, _PLANETS)
NUMBERED = Asked("choice", ("1", "2", "3", "4"), _PLANETS, _PLANETS)
MOOD = Asked("choice", None, _MOODS, _MOODS)
YES_NO = Asked("choice", None, _YES_NO, _YES_NO)
SHOWN = Asked("choice", _YES_NO, _YES_NO, _YES_NO)

_CASES: list[tuple[Asked, str, str | None]] = [
    (PLANET, "$\\boxed{B. Venus}$", "Venus"),
    (PLANET, "\\boxed{\\text{B) Venus}}", "Venus"),
    (PLANET, "\\boxed{B. Mars}", None),
    (PLANET, "Definitely B!", "Venus"),
    (PLANET, "1. B", "Venus"),
    (PLANET, "It's B.", "Venus"),
    (PLANET, "It is definitely B", "Venus"),
    (PLANET, "选B", "Venus"),
    (PLANET, "本题应选 B 选项。", "Venus"),
    (PLANET, "最热的行星是金星（B）。", "Venus"),
    (PLANET, "因为水星离太阳最近，所以很多人认为是D，但实际上金星的温室效应最强，因此答案选B。", "Venus"),
    (PLANET, "【答案】B\n【解析】金星大气层浓厚，温室效应强。", "Venus"),
    (PLANET, "选项B", "Venus"),
    (PLANET, "选项 B 正确", "Venus"),
    (PLANET, "选项B是错误的", None),
    (PLANET, "不选B", None),
    (PLANET, "答案不是D，而是B", "Venus"),
    (PLANET, "Richtig ist B.", "Venus"),
    (PLANET, "Daher ist B richtig.", "Venus"),
    (PLANET, "Obwohl Merkur der Sonne am nächsten ist, ist die Venus der heißeste Planet. Daher ist B richtig.", "Venus"),
    (PLANET, "Daher ist B falsch.", None),
    (PLANET, "La opción correcta es la B.", "Venus"),
    (PLANET, "La opción correcta es B) Venus", "Venus"),
    (PLANET, "Es la B", "Venus"),
    (PLANET, "सही उत्तर है: B", "Venus"),
    (PLANET, "उत्तर: B", "Venus"),
    (PLANET, "सही उत्तर B है।", "Venus"),
    (PLANET, "正解はBです。", "Venus"),
    (PLANET, "정답은 B입니다.", "Venus"),
    (PLANET, "Правильный ответ — B.", "Venus"),
    (PLANET, "Odpowiedź: B", "Venus"),
    (PLANET, "Poprawna odpowiedź to B.", "Venus"),
    (PLANET, "Cevap: B", "Venus"),
    (PLANET, "Jawaban: B", "Venus"),
    (PLANET, "Jawaban yang benar adalah B.", "Venus"),
    (PLANET, "Đáp án: B", "Venus"),
    (PLANET, "Đáp án đúng là B.", "Venus"),
    (PLANET, "Het juiste antwoord is B.", "Venus"),
    (PLANET, "উত্তর: B", "Venus"),
    (PLANET, "Jibu: B", "Venus"),
    (PLANET, "Jibu sahihi ni B.", "Venus"),
    (PLANET, "คำตอบคือ B", "Venus"),
    (PLANET, "A resposta correta é a letra B.", "Venus"),
    (PLANET, "La lettre B", "Venus"),
    (PLANET, "Letter: B", "Venus"),
    (PLANET, "The letter is B", "Venus"),
    (PLANET, "The correct letter is B.", "Venus"),
    (PLANET, "Assistant: B", "Venus"),
    (PLANET, "[/INST] B", "Venus"),
    (PLANET, "The answer is not D (Mercury), as many believe, but B (Venus).", "Venus"),
    (PLANET, "Venus is the hottest planet in our solar system, with surface temperatures of around 465°C.", "Venus"),
    (
        PLANET,
        "While many people assume Mercury is the hottest because it is closest to the Sun, the hottest planet is actually Venus.",
        "Venus",
    ),
    (
        PLANET,
        "**Analysis:**\n\n- **A. Mars** – cold, thin atmosphere; "
        "average −60 °C.\n- **B. Venus** – runaway greenhouse; about 465 °C.\n- **C. Earth** – 15 °C.\n"
        "- **D. Mercury** – hot by day, very cold at night.\n\n**Conclusion:** Venus is the hottest planet.",
        "Venus",
    ),
    (
        PLANET,
        "Let me go through the options:\nA) Mars is cold - incorrect\nB) Venus has the greenhouse effect - correct\n"
        "C) Earth is mild - incorrect\nD) Mercury has no atmosphere - incorrect",
        "Venus",
    ),
    (PLANET, "A) Mars is cold - correct\nB) Venus has the greenhouse effect - correct\nC) Earth is mild - incorrect", None),
    (PLANET, "So Venus is the one. B.", "Venus"),
    (NUMBERED, "Number 2", "Venus"),
    (NUMBERED, "#2", "Venus"),
    (NUMBERED, "选项2", "Venus"),
    (NUMBERED, "Option 2 makes the most sense.", "Venus"),
    (NUMBERED, "Ending 2", "Venus"),
    (PLANET, "Not B", None),
    (PLANET, "Definitely not B", None),
    (PLANET, "B or C", None),
    (PLANET, "It's not B.", None),
    (PLANET, "It's B or C.", None),
    (PLANET, "Letter: A or B", None),
    (YES_NO, "Correct.", "yes"),
    (YES_NO, "True", "yes"),
    (YES_NO, "False.", "no"),
    (YES_NO, "Nope", "no"),
    (YES_NO, "Yeah, he did.", "yes"),
    (YES_NO, "Ja", "yes"),
    (YES_NO, "是", "yes"),
    (YES_NO, "是的。", "yes"),
    (YES_NO, "不是", "no"),
    (YES_NO, "Not really, no.", "no"),
    (YES_NO, "Nein, das stimmt nicht.", "no"),
    (YES_NO, "I think so", None),
    (YES_NO, "Oui.", "yes"),
    (YES_NO, "Sí, es correcto.", "yes"),
    (YES_NO, "Right, so let me think.", None),
    (YES_NO, "True or false?", None),
    (YES_NO, "It depends.", None),
    (YES_NO, "Incorrect", "no"),
    (YES_NO, "That is incorrect.", "no"),
    (YES_NO, "That is correct.", "yes"),
    (MOOD, "It is somewhat negative and somewhat positive.", None),
    (PLANET, "C C C C C", "Earth"),
    (PLANET, "It's C, Earth. Venus is too hot.", "Earth"),
    (PLANET, "It's C. Or D.", None),
    (PLANET, "सही उत्तर B है। शुक्र सबसे गर्म है।", "Venus"),
    (PLANET, "A. Incorrect\nB. Incorrect\nC. Correct\nD. Incorrect", "Earth"),
    (PLANET, "A ✗\nB ✗\nC ✓\nD ✗", "Earth"),
    (PLANET, "A. Incorrect\nB. Incorrect", None),
    (SHOWN, "True", "yes"),
    (SHOWN, "Answer: True", "yes"),
    (SHOWN, "The final answer is: Nope.", "no"),
    (SHOWN, "Answer: True\nAnswer: False", None),
    (SHOWN, "Nope", "no"),
    (SHOWN, "Ja, aber nicht immer.", None),
    (PLANET, "<|assistant|>C", "Earth"),
    (PLANET, "如果天热，选B；如果天冷，选C", None),
]


@pytest.mark.parametrize(("asked", "response", "expected"), _CASES)
def test_what_a_careful_person_reads(asked: Asked, response: str, expected: str | None) -> None:
    assert read_answer("ok", own_turn(response).text, asked).category == expected
