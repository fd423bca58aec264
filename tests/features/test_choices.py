from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.features.choices import read_choice

ABCD = ("A", "B", "C", "D")
NUMBERS = ("1", "2", "3", "4")
PLANETS = ("Mars", "Earth", "Venus", "Neptune")


def _text(response: str, labels: tuple[str, ...] | None, texts: tuple[str, ...], *, cut_off: bool = False) -> str | None:
    position = read_choice(response, labels, texts, cut_off=cut_off)
    return None if position is None else texts[position]


@pytest.mark.parametrize(
    "response",
    [
        *(
            "C",
            "c",
            "C.",
            "(C)",
            "[C]",
            "**C**",
            "`C`",
            "$C$",
            r"\boxed{\text{C}}",
            "C) Venus",
            "c) venus",
            "C. Venus",
            "C Venus",
            "C - Venus",
        ),
        *("Ｃ", "C\n\nIt is very hot there.", "C, because Mars is cold.", "C is the correct answer", "Option C: Venus"),
        *(
            "Venus",
            "venus.",
            "**Venus**",
            "Venus, of course",
            "The hottest planet is Venus.",
            "I would say Venus",
            "It is not Mars but Venus.",
        ),
        *(
            "Answer: C",
            "Answer:\nC",
            "The answer is (C) Venus.",
            "Final answer: C) Venus",
            "The answer is: the letter C",
            '{"answer": "C"}',
        ),
        *(
            "<answer>C</answer>",
            "The answer to the question is C",
            "The correct option is (C).",
            "Answer: Venus",
            "Answer: the planet Venus? No.\nAnswer: C",
        ),
        *("I think option C is right.", "Mars is cold, so (C) it is.", "Let me see.\n\nC", "答案是C"),
        "A. Mars\nB. Earth\nC. Venus\nD. Neptune\nAnswer: C",
    ],
)
def test_the_third_planet_is_read(response: str) -> None:
    assert _text(response, ABCD, PLANETS) == "Venus"


@pytest.mark.parametrize(
    "response",
    [
        *("", "I do not know", "A or B", "A, B", "A/C", "Mars or Venus", "Answer: Mars and Venus", "Answer: Pluto", "E", "Answer: E"),
        *("The answer is not Mars.", "The answer is a planet", "A planet is hard to choose", "I'd say it's hard", "C-3PO", "C's"),
        *(
            "A. Mars\nB. Earth\nC. Venus\nD. Neptune",
            "(A) Mars; (B) Earth; (C) Venus",
            "Mars and Venus are hot",
            "Mars is colder than Venus",
            "Answer: A. Answer: none of these",
        ),
    ],
)
def test_no_option_is_read_where_none_is_stated(response: str) -> None:
    assert _text(response, ABCD, PLANETS) is None


@pytest.mark.parametrize(
    ("response", "labels", "texts", "expected"),
    [
        ("3", NUMBERS, PLANETS, "Venus"),
        ("Answer: 3", NUMBERS, ("1", "3", "2", "4"), "2"),
        ("Answer: 10", NUMBERS, ("1,000", "100", "10", "1"), "10"),
        ("1,000", NUMBERS, ("1,000", "100", "10", "1"), "1,000"),
        ("It has 1,000 parts", None, ("1", "1,000", "000"), "1,000"),
        ("3 apples", NUMBERS, ("2 apples", "3 apples", "4 apples", "5 apples"), "3 apples"),
        ("2.5", NUMBERS, ("1.5", "2.5", "3.5", "4.5"), "2.5"),
        ("New York City", ABCD, ("New York", "New York City"), "New York City"),
        ("It is New York City.", ABCD, ("New York", "New York City"), "New York City"),
        ("Answer: The Beatles", ABCD, ("The Beatles", "Queen"), "The Beatles"),
        ("Nile", None, ("The Nile", "The Danube"), "The Nile"),
        ("The Nile", None, ("Nile", "Danube"), "Nile"),
        ("A bus", ABCD, ("bike", "bus"), "bus"),
        ("Yes, because it is.", ABCD, ("Yes", "No"), "Yes"),
        ("There is no doubt. Yes.", ABCD, ("Yes", "No"), "Yes"),
        ("答案是金星", None, ("火星", "金星"), "金星"),
        ("我认为是金星。", None, ("火星", "金星"), "金星"),
        ("B", ABCD, ("B", "C", "D", "A"), "C"),
        ("Strasse", None, ("Straße", "Weg"), "Straße"),
        ("All of the above", ABCD, ("x", "y", "All of the above"), "All of the above"),
        ("cat", None, ("category", "dog"), None),
        ("A bus moves faster than a bike.", ABCD, ("bus", "bike"), None),
    ],
)
def test_labels_and_texts_of_other_kinds(
    response: str, labels: tuple[str, ...] | None, texts: tuple[str, ...], expected: str | None
) -> None:
    assert _text(response, labels, texts) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("C", "Venus"),
        ("C. Venus is", "Venus"),
        ("The answer is C", "Venus"),
        ("The hottest planet is Venus, with a", "Venus"),
        ("The hottest planet is Venus", None),
        ("Let us look at Mars. It", None),
        ("The answer is", None),
        ("The answer is a", None),
        ("A. Mars\nB. Earth", None),
        ("Venus has", None),
    ],
)
def test_of_a_cut_response_only_what_was_clearly_stated_is_read(response: str, expected: str | None) -> None:
    assert _text(response, ABCD, PLANETS, cut_off=True) == expected


@given(st.permutations(range(4)), st.sampled_from(["{}", "({})", "**{}**", "Answer: {}", "The answer is {}.", "{})", "{}\n"]))
def test_a_label_names_its_position_whatever_the_order(order: list[int], form: str) -> None:
    texts = tuple(PLANETS[index] for index in order)
    assert [_text(form.format(label), ABCD, texts) for label in ABCD] == list(texts)


VALUES = ("1/64", "15/64", "1/4", "3/8")
CLAIMS = ("f is a homeomorphism", "f is continuous and one-to-one", "f is continuous", "None of the above.")
"""Options of questions whose answers are numbers, and whose answers are sentences."""


@pytest.mark.parametrize(
    ("response", "texts", "position"),
    [
        (r"so P = 1 - \frac{49}{64}." "\n\n" r"Therefore, the answer is \(\boxed{\frac{15}{64}}\).", VALUES, 1),
        (r"The 1/4 is wrong. Thus, it is \[ \boxed{\frac{3}{8}}. \]", VALUES, 3),
        (r"It is \boxed{7/8}, which corresponds to option (C).", VALUES, 2),
        ("There are \\(\\boxed{5}\\) such integers.", ("None", "One", "Four", "Five"), 3),
        ("(A) is too strong.\n(B) too.\n\nTherefore, the weakest condition is (C) \\( f \\) is continuous.", CLAIMS, 2),
        ("(A) no. (B) no.\n\nTherefore, the weakest one is:\n\n(C) f is continuous.", CLAIMS, 2),
        ("A. no\nB. no\n\nTherefore, it is:\n\n**D**", CLAIMS, 3),
        ("(A) no\n(B) no\n\nSince it is weaker, the one that suffices is (C).", CLAIMS, 2),
        ("(A) no\n(B) no\nTherefore, (C) is the weakest condition.", CLAIMS, 2),
        ("(A) no\n(B) no\nBy comparison, the third one (option C) has the least to ask for.", CLAIMS, 2),
        ("The one that suffices is (C).\n\nThe others:\n- (A) is stronger.\n- (B) is stronger.", CLAIMS, 2),
        ("D) Every solution is a multiple.", ("a", "b", "c", "Every solution is a multiple"), 3),
        ("9. **Final answer:**\n   - (B) 15/64.\n\nThis choice is based on a rule.", VALUES, 1),
    ],
)
def test_the_end_of_a_long_response_is_read_as_a_person_reads_it(response: str, texts: tuple[str, ...], position: int) -> None:
    assert read_choice(response, ABCD, texts) == position


@pytest.mark.parametrize(
    ("response", "texts"),
    [
        ("(A) yes\n(B) yes\n\nIn conclusion, the correct statements are (A) and (B).", CLAIMS),
        ("(A) no\n(B) no\n\nIn conclusion, the correct ones are:\n- (A) f is a homeomorphism.\n- (C) f is continuous.", CLAIMS),
        ("(A) x\n(B) y\nTherefore, option (D) is not necessarily true.", CLAIMS),
        ("(A) x\n(B) y\nTherefore, none of the given statements is true.", CLAIMS),
        (r"Thus, the minimum is \( c - c \log c \).", ("f(c)", "f(e^c)", "f(1/c)", "f(log c)")),
        ("We find 32i.\n\nThus, (1+i)^{10} is 2, which is not listed.", ("1", "i", "32", "32i")),
        ("The area is 1/4 of it.\n\nThat is no option, so there must be a mistake.", VALUES),
        ("The correct probability is:\n\n\\[\n\\frac{1}{4}", VALUES),
        ("The closest option is (A), which is incorrect by this calculation.", VALUES),
        (r"The trace \text{tr}(A) is what we look for.", ABCD),
    ],
)
def test_what_states_no_option_stays_unread(response: str, texts: tuple[str, ...]) -> None:
    assert read_choice(response, ABCD, texts) is None


@pytest.mark.parametrize(
    ("response", "position"),
    [
        ("A", 0),
        ("(B)", 1),
        ("Answer: C", 2),
        ("The answer is D because.", 3),
        ("A bus moves and so on.", None),
        ("b", 1),
        ("E", None),
        ("I, a bus", None),
    ],
)
def test_letters_whose_texts_are_not_known(response: str, position: int | None) -> None:
    assert read_choice(response, ABCD, ABCD) == position


@pytest.mark.parametrize(
    ("said", "option"),
    [
        *(("Answer: A. Wait, actually B.", 1), ("A is correct? No. B.", 1), ("Answer: A. Correction: B.", 1), ("Answer: A. No, B.", 1)),
        *(("Answer: A. Sorry, I mean C.", 2), ("Answer: A. Wait, maybe B? No. Answer: C", 2)),
        *(("Answer: A. No other option fits.", 0), ("The answer is A. Actually, B is wrong because", 0)),
        *(("Answer: A. Wait, let me check. Yes.", 0), ("Answer: B. No, this is not a trick.", 1), ("A. no\nB. no", None)),
    ],
)
def test_an_answer_that_is_taken_back_gives_way_to_the_next(said: str, option: int | None) -> None:
    assert read_choice(said, ("A", "B", "C", "D"), ("Mars", "Venus", "Earth", "Jupiter")) == option


@pytest.mark.parametrize(
    ("said", "option"),
    [
        *(("B is incorrect.", None), ("A is wrong, B is correct.", 1), ("B? Incorrect. It's D.", 3), ("A. Mars is wrong.", None)),
        *(("A: wrong. B: right. C: no.", 1), ("B isn't right", None), ("B cannot be the answer", None), ("Answer: A is wrong", None)),
        *(("B would be the best", 1), ("B is not only the hottest but bright", 1), ("(C) Earth does not have two moons.", 2)),
        *(("Answer: A; B", None), ("Answer: A, or possibly B", None), ("Answer: A, B and C are all right", None)),
        *(("Answer: B, A is wrong", 1), ("Answer: B, since A, C and D are wrong", 1)),
    ],
)
def test_an_option_that_is_ruled_out_or_one_of_several_is_not_chosen(said: str, option: int | None) -> None:
    assert read_choice(said, ("A", "B", "C", "D"), ("Mars", "Venus", "Earth", "Jupiter")) == option


def test_a_verb_behind_a_mark_may_begin_an_option() -> None:
    assert read_choice("Answer: Was lying down", ("A", "B"), ("Stood up", "Was lying down")) == 1
    assert read_choice("Answer: B\n\nThe answers to them fit best.", ("A", "B"), ("Mars", "Venus")) == 1


def test_words_that_may_be_the_text_of_an_option_are_unjudged_on_it() -> None:
    assert read_choice("B. False", ("A", "B"), ("A", "B")) == 1
    assert read_choice("B. No", ("A", "B"), ("Yes", "No")) == 1
    assert read_choice("A: incorrect. B: correct. C: incorrect.", ("A", "B", "C"), ("A", "B", "C")) == 1
    assert read_choice("A: correct. B: correct. C: incorrect.", ("A", "B", "C"), ("A", "B", "C")) is None


@pytest.mark.parametrize(
    "said",
    [
        *(
            "La respuesta correcta es la B.",
            "La respuesta es la opción B",
            "Die Antwort lautet B",
            "A resposta correta é B.",
            "答えはBです",
        ),
        *("La risposta corretta è la B", "정답은 B입니다", "الإجابة هي B", "答案为B", "Ans: B", "Answer - B", "Answer → B", "Answers: B"),
        *("I would choose B", "I'd go with B.", "Choose B", "Therefore, B", "Mars is cold. So B."),
    ],
)
def test_marks_of_other_languages_and_short_conclusions(said: str) -> None:
    for texts in (("Mars", "Venus", "Earth", "Jupiter"), ("A", "B", "C", "D")):
        assert read_choice(said, ("A", "B", "C", "D"), texts) == 1


@pytest.mark.parametrize("texts", [("Mars", "Venus", "Earth", "Pluto"), ("A", "B", "C", "D")], ids=["texts", "letters"])
@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("Choice C is right. Choice A would be right if it were larger.", 2),
        ("Option C is correct. Option A would have been right in 1990.", 2),
        ("Option C is correct. Option A could be right if Pluto was a planet.", 2),
        ("If it were hot, option A would be correct. Option C is correct.", 2),
        ("C. A would be correct if it were hot.", 2),
        ("A would be right if it rotated, but it does not.", None),
        ("Option B would be the best answer.", 1),
        ("B would be correct.", 1),
        ("The answer would be B.", 1),
    ],
)
def test_an_option_that_is_right_under_a_condition_alone_is_not_chosen(said: str, option: int | None, texts: tuple[str, ...]) -> None:
    assert read_choice(said, ("A", "B", "C", "D"), texts) == option


@pytest.mark.parametrize("said", ["Yes and no.", "yes\nno", "Yes, no", "no or yes", "Yes/No"])
def test_two_choice_texts_side_by_side_or_one_below_the_other_are_no_answer(said: str) -> None:
    assert _text(said, None, ("yes", "no")) is None


@pytest.mark.parametrize(
    ("said", "option"), [("Yes\nNo further explanation is needed.", "yes"), ("No. Yes-men are wrong.", "no"), ("Yes.\nYes.", "yes")]
)
def test_a_choice_text_inside_a_later_sentence_is_no_second_answer(said: str, option: str) -> None:
    assert _text(said, None, ("yes", "no")) == option
