from __future__ import annotations

import pytest

from sago.records import Example
from sago.variations.protect import exact_spans, keeps, outside, phrases_of, protected_spans, spans_of


def _covered(text: str, *also: str) -> str:
    """Returns the text with every unprotected letter as a dot."""
    shown = list(text)
    for start, end in outside(text, protected_spans(text, also)):
        shown[start:end] = ["." if letter.isalpha() else letter for letter in text[start:end]]
    return "".join(shown)


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        ("server at 192.168.10.7 runs v2.14.0 since 2021-03-09", ["192.168.10.7", "v2.14.0", "2021-03-09"]),
        (
            "see https://docs.example.org/a_b?x=1&y=2 or help.desk@example.org now",
            ["https://docs.example.org/a_b?x=1&y=2", "help.desk@example.org"],
        ),
        ("it costs $80,000 and gains 5 % in 3 hours", ["$80,000", "5 %", "3 hours"]),
        ("what does `for i in range(3): print(i*2)` print", ["`for i in range(3): print(i*2)`"]),
        ("solve $x^2 - 5x + 6 = 0$ quickly", ["$x^2 - 5x + 6 = 0$"]),
        ("fill {content} and {{ 7*7 }} and {% raw %} and %(name)s", ["{content}", "{{ 7*7 }}", "{% raw %}", "%(name)s"]),
        ("call snake_case and camelCase and f(x) with a.b", ["snake_case", "camelCase", "f(x)", "a.b"]),
        ("she can't swim and isn't able to, nor does he", ["can't", "isn't", "nor"]),
        ("is it not, never, without or except this", ["not", "never", "without", "except"]),
        ("all but three of every dozen, more than half", ["all", "three", "every", "dozen", "more", "half"]),
        ('the word "necessary" and the title “War and Peace”', ['"necessary"', "“War and Peace”"]),
        ("did Marie Curie visit NATO in Oslo", ["Marie", "Curie", "NATO", "Oslo"]),
        ("classify as positive, neutral or negative", ["positive, neutral or negative"]),
        ("Text: a film\nAnswer:", ["Text: ", "\nAnswer:"]),
        ("(a) one\nb) two\n- three", ["(a) ", "\nb) ", "\n- "]),
        ("<|im_end|> then [INST] then </s>", ["<|im_end|>", "[INST]", "</s>"]),
        ("nicht ohne zwei, ni jamais, не без", ["nicht", "ohne", "ni", "jamais", "не", "без"]),
    ],
)
def test_protected(text: str, protected: list[str]) -> None:
    covered = _covered(text)
    assert [piece for piece in protected if piece not in covered] == []


@pytest.mark.parametrize("text", ["which animal sleeps standing", "it costs money, takes time, they say", "a well known place; near water"])
def test_ordinary_words_are_free(text: str) -> None:
    assert set(_covered(text)) <= set(". ,;")


@pytest.mark.parametrize("word", ["What", "Which", "The", "Please"])
def test_a_sentence_start_is_no_name(word: str) -> None:
    assert _covered(f"{word} animal") == "." * len(word) + " ......"


def test_choices_and_answers_inside_the_question_are_protected() -> None:
    example = Example("d", "1", "is the whale bigger there or needs a big dog", choices=("Whale", "a big dog", "a"), answers=("bigger",))
    assert keeps(example.question, "is the whale bigger there or needs a big dog", spans_of(example))
    assert [example.question[start:end] for start, end in spans_of(example)] == ["whale", "bigger", "there or needs", "a big dog"]


def test_a_choice_protects_whole_words_only() -> None:
    assert _covered("a banana", "a") == "a ......"


@pytest.mark.parametrize(("given", "expected"), [("moonlight", ("moonlight",)), (["a b", "c"], ("a b", "c")), (7, ()), (None, ())])
def test_users_name_spans_in_the_metadata(given: object, expected: tuple[str, ...]) -> None:
    assert phrases_of(Example("d", "1", "q", metadata={"protect": given})) == expected


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("does DNA not weigh 5 km at {x}", ["5 km", "{x}"]),
        ("A. Oslo\nB. Bergen\nIs A or B the capital?", ["A. ", "\nB. ", "A", "B"]),
        ("open https://a.org/B?c=D", ["https://a.org/B?c=D"]),
    ],
)
def test_case_matters_in_exact_spans_only(text: str, exact: list[str]) -> None:
    assert [text[start:end] for start, end in exact_spans(text)] == exact


@pytest.mark.parametrize(("variant", "kept"), [("x 1 y 2", True), ("2 then 1", False), ("1", False), ("1 2", True)])
def test_spans_have_to_stand_in_order(variant: str, kept: bool) -> None:
    assert keeps("a 1 b 2", variant, ((2, 3), (6, 7))) is kept


def test_long_text_without_spaces_is_read_quickly() -> None:
    assert protected_spans("字" * 100_000) == ()
