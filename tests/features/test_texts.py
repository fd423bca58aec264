from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sago.features import normal_text, stated_text


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Eiffel Tower", "eiffel tower."),
        ("  Robert   Guiscard ", "robert guiscard"),
        ("caf\u00e9", "cafe\u0301"),
        ("Straße", "STRASSE"),
        ("«Paris»", "Paris"),
        ("a 12th-century castle", "12thcentury castle"),
        ("北京。", "北京"),
    ],
)
def test_equal_answers(left: str, right: str) -> None:
    assert normal_text(left) == normal_text(right)


@pytest.mark.parametrize(
    ("left", "right"), [("A", "B"), ("The", "A"), ("?", "!"), ("Paris", "Pari"), ("5 °C", "5"), ("theory", "ory"), ("हिन्दी", "हिन्द")]
)
def test_different_answers(left: str, right: str) -> None:
    assert normal_text(left) != normal_text(right)


_ANY = st.text() | st.text("aAbB1 .,-'\"()[]{}*_:;!?%/\\&#^+=$`\u2014\u0301\u00e9·", max_size=16)


@settings(deadline=None, max_examples=200, derandomize=True)
@given(_ANY)
@example("1:A-")
@example("[0, 1)")
@example("e-\u0301")
def test_normalising_twice_changes_nothing_and_form_does_not_matter(text: str) -> None:
    once = normal_text(text)
    assert normal_text(once) == once
    assert normal_text(unicodedata.normalize("NFD", text)) == once
    assert bool(once) == bool(text.split())


@pytest.mark.parametrize(
    ("response", "whole", "cut"),
    [
        ("Paris", "Paris", None),
        ("Paris.", "Paris.", "Paris."),
        ("\n Paris \nIt lies on the Seine", "Paris", "Paris"),
        ("Answer: **Paris**", "Paris", None),
        ("I think hard.\nThe answer is: Paris\nBecause", "Paris", "Paris"),
        ("Answer: Rome\nNo.\nAnswer: Paris", "Paris", "Rome"),
        ("答案是巴黎", "巴黎", None),
        ("", None, None),
        ("  ** \n", None, None),
        ("**2*3**", "2*3", None),
        ("Answer: A*", "A*", None),
        ("2**3", "2**3", None),
        ("2 * 3", "2 * 3", None),
        ("* Paris\n", "Paris", "Paris"),
        ("*A*\n", "A", "A"),
    ],
)
def test_the_short_answer(response: str, whole: str | None, cut: str | None) -> None:
    assert stated_text(response) == whole
    assert stated_text(response, cut_off=True) == cut


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-5 degrees", "5 degrees"),
        ("3.5 million", "35 million"),
        ("1/2 cup", "12 cup"),
        ("C#", "C"),
        ("10:30", "1030"),
        (".5", "5"),
        ("2,5", "25"),
        ("(a+b)^2", "a+b^2"),
        ("[0,1)", "(0,1)"),
        ("(0, 1)", "(0, 1]"),
        ("[0, 1)", "(0, 1)"),
        ("(1, 2)", "1 2"),
        ("(1,234)", "1234"),
        ("{1,2}", "(1,2)"),
        ("2**3", "2*3"),
        ("2 * 3", "2 3"),
        ("f(x)", "fx"),
        ("f'(x)", "f(x)"),
        ("x/y", "xy"),
        ("x_1", "x1"),
        ("a·b", "ab"),
        ("a·b", "a b"),
        ("ab != c", "ab = c"),
        ("50%", "50"),
        ("5!", "5"),
        ("(n)!", "n"),
        ("5'", "5"),
        ("5\u201d", "5"),
        ("A*", "A"),
        ("Na-", "Na"),
        ("AB-", "AB"),
        ("B\u2212", "B"),
        ("AT&T", "ATT"),
        ("A, B", "B"),
        ("A / B", "B"),
        ("t-1", "t1"),
        ("10-2", "102"),
        ("-x", "x"),
        (r"-\frac{1}{2}", r"\frac{1}{2}"),
        (r"\frac{1}{12}", r"\frac{11}{2}"),
        ("⌊5.5⌋", "5.5"),
        ("x²", "x2"),
        ("__init__", "init"),
        ("Hepatitis A virus", "Hepatitis virus"),
        ("1:A-", "1:A"),
        (r"f\(x\)", "f(x)"),
        (r"\leftarrow x", "arrow x"),
        ("(A) dog", "dog"),
    ],
)
def test_another_number_or_name_is_another_answer(one: str, other: str) -> None:
    assert normal_text(one) != normal_text(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("well-known", "well known".replace(" ", "")),
        ("Paris.", "paris"),
        ("5.", "5"),
        ("(5)", "5"),
        ("it's", "its"),
        ("U.S.", "us"),
        ("\u22125", "-5"),
        ("- 5", "-5"),
        ("Eiffel-Tower", "eiffeltower"),
        ("well\u2013known", "wellknown"),
        ("The Seine.", "seine"),
        ("(B).", "B"),
        ("“5”", "5"),
        ("„A“", "a"),
        ("[0,1)", "[0, 1)"),
        ("$5$", r"\(5\)"),
        ("50 %", "50%"),
        ("**A**", "A"),
        ("_Paris_", "Paris"),
        ("- Paris", "Paris"),
        ("Paris \u2014 France", "Paris, France"),
        ("Paris (France)", "Paris France"),
        ("Paris!", "Paris"),
        ("\uff15", "5"),
        ("\uff08\uff21\uff09", "A"),
        ("\uff11\uff0c000", "1000"),
        ("北京，上海", "北京、上海"),
        ("ジョン・スミス", "ジョンスミス"),
        ("rock 'n' roll", "rock n roll"),
        ("(B) 15/64.", "B) 15/64"),
        ("(A) n = 1", "A. n = 1"),
        ("- (B) 5 days", "B) 5 days"),
        (r"(B) \( n = 1 \).", "B) n = 1"),
        (r"\left(\frac{2}{3}, 1\right)", r"(\frac{2}{3},1)"),
    ],
)
def test_decoration_is_no_other_answer(one: str, other: str) -> None:
    assert normal_text(one) == normal_text(other)


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        *(("<answer>Paris</answer>", "paris"), ("<think>Lyon?</think>\n<answer> Paris </answer>", "paris"), (r"\boxed{Paris}", "paris")),
        *((r"So it is $\boxed{\text{Paris}}$.", "paris"), (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"), ("- Paris\n- London", "paris london")),
        *(("The answer is:\n\n- Paris\n- London\n\nBoth are capitals.", "paris london"), ("- Paris\n\nIt is a capital.", "paris")),
    ],
)
def test_a_tag_a_box_or_a_list_is_the_whole_answer(response: str, answer: str) -> None:
    said = stated_text(response)
    assert said is not None
    assert normal_text(said) == answer


def test_a_list_or_a_box_that_was_cut_off_is_no_answer() -> None:
    assert stated_text("- Paris\n- London", cut_off=True) is None
    assert stated_text(r"\boxed{Par", cut_off=True) is None


@pytest.mark.parametrize(
    ("response", "whole"),
    [
        *(("The answer is as follows:\n\nParis", "Paris"), ("The answer is the following: Paris", "Paris")),
        *(("The answer is below.\n\nParis", "Paris"), ("The answer is below average", "below average")),
        *(
            ("| Capital |\n|---|\n| Paris |", "Paris"),
            ("|Paris|", "Paris"),
            ("| Answer |\n|:---:|\n| Paris |\n\nIt lies on the Seine.", "Paris"),
        ),
        ("| Question | Answer |\n|---|---|\n| Capital of France | Paris |", "Paris"),
        *(("| Question | Capital |\n| Answer | Paris |", "Paris"), ("| Country | Capital |\n|---|---|\n| France | Paris |", None)),
        *(("| City |\n|---|\n| Paris |\n| Lyon |", None), ("P(A|B)", "P(A|B)"), ("a | b", "a | b"), ("|x| = 5", "|x| = 5")),
        *(("<think>\nLyon? No, Paris.\n</think>\n\nParis", "Paris"), ("<think>Lyon</think><answer>Paris</answer>", "Paris")),
        *(("<think>\nthe answer is Lyon", None), ("Lyon?\n</think>\nParis", "Paris"), ("<thinking>Lyon</thinking>\nParis", "Paris")),
        ("<|channel|>analysis<|message|>Lyon?<|end|><|start|>assistant<|channel|>final<|message|>Paris", "Paris"),
        *(("Answer: Lyon. Actually, Paris.", "Paris"), ("The answer is not Lyon but Paris.", "Paris.")),
        *(
            ("Answer: Love, Actually", "Love, Actually"),
            ("Answer: No. Actually, it lies on the Seine.", "No. Actually, it lies on the Seine."),
        ),
        *(("Answer: Not only Lyon but also Paris", "Not only Lyon but also Paris"), ("Not Lyon but Paris", "Paris")),
        *(("Lyon. Wait, Paris.", "Paris"), ("Answer: No! Sorry, Baby", "No! Sorry, Baby")),
        *(("A: Paris", "Paris"), ("A: Paris\nB: Lyon", "A: Paris")),
    ],
)
def test_the_short_answer_in_other_layouts(response: str, whole: str | None) -> None:
    assert stated_text(response) == whole


@pytest.mark.parametrize(
    ("one", "other"), [(".NET", "net"), ("@user", "user"), ("#include", "include"), ("/etc", "etc"), ("ASP .NET", "asp net")]
)
def test_the_mark_that_begins_a_name_belongs_to_it(one: str, other: str) -> None:
    assert normal_text(one) != normal_text(other)
    assert normal_text(f"{one}.") == normal_text(one)
    assert normal_text(f"**{one}**") == normal_text(one)


@pytest.mark.parametrize(
    ("one", "other"), [("...Paris", "Paris"), (". Paris", "Paris"), ("@ Paris", "Paris"), ("#1", "1"), ("Paris/", "Paris")]
)
def test_a_mark_that_begins_no_name_is_decoration(one: str, other: str) -> None:
    assert normal_text(one) == normal_text(other)
