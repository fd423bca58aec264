from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.records import Draft, Example
from sago.variations import protect
from sago.variations.protect import exact_spans, keeps, named_by_user, outside, phrases_of, protected_in, protected_spans, spans_of


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
        ("what is the capital of france in may or spain", ["france", "spain"]),
        ("did kai sleep when Taylor saw Kai and taylor", ["kai", "Taylor", "Kai", "taylor"]),
        ("is Gone with the Wind longer than Call of Duty", ["Gone", "with", "the", "Wind", "Call", "of", "Duty"]),
        ("What Is The Largest Animal Found There", ["Is", "The", "Largest", "Animal", "Found", "There"]),
        ("did Jean-claude and O'brien meet", ["Jean-claude", "O'brien"]),
        ("how many miles or minutes per hour", ["miles", "minutes", "hour"]),
        (
            "is an uncommon, impossible, nonverbal, painless thing the tallest",
            ["uncommon", "impossible", "nonverbal", "painless", "tallest"],
        ),
        ("so\n```\nfor x in y\n```\nthen\n    return alpha\nends", ["```\nfor x in y\n```", "    return alpha"]),
        ("read SELECT name FROM table now", ["SELECT name FROM table now"]),
        ("take \\begin{align}\na\n\\end{align} and \\frac{alpha}{beta}", ["\\begin{align}\na\n\\end{align}", "\\frac{alpha}{beta}"]),
        ('see {"a": {"inner": [beta]}} and {{ multi\nline }} here', ['{"a": {"inner": [beta]}}', "{{ multi\nline }}"]),
        ("wrote 「hello there」 and ‹oui oui›", ["「hello there」", "‹oui oui›"]),
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


def test_names_of_the_context_are_names_in_the_question() -> None:
    example = Example("d", "1", "what did luther write there", context="Then Luther wrote. The end.")
    assert [example.question[start:end] for start, end in spans_of(example)] == ["luther"]


def test_what_the_user_names_is_kept_inside_words_and_with_its_case() -> None:
    example = Example("d", "1", "understanding Things", metadata={"protect": ["stand", "Thing"]})
    assert ("Thing" in phrases_of(example), exact_spans(example.question, ("Thing",))) == (True, ((14, 19),))
    assert protected_in(example, Draft("x", question="xunderstandinx Things"))
    assert not protected_in(example, Draft("x", question="understanding things"))


@pytest.mark.parametrize(
    ("question", "context", "kept"),
    [
        ("does Paris not lie at 5 km", None, True),
        ("does PARIS not lie at 5 km", None, True),
        ("doesn't Paris lie at 5 km", None, False),
        ("does Pariss not lie at 5 KM", None, False),
        ("does Rome not lie at 5 km", None, False),
        (None, "More. A text of `code` at 7 m.", True),
        (None, "A text of `cod` at 7 m.", False),
        (None, "", False),
        (None, None, True),
    ],
)
def test_drafts_keep_the_spans_of_question_and_context(question: str | None, context: str | None, kept: bool) -> None:
    example = Example("d", "1", "does Paris not lie at 5 km", context="A text of `code` at 7 m.")
    assert protected_in(example, Draft("x", question=question, context=context)) is kept


@pytest.mark.parametrize(("variant", "kept"), [("x 1 y 2", True), ("2 then 1", False), ("1", False), ("1 2", True)])
def test_spans_have_to_stand_in_order(variant: str, kept: bool) -> None:
    assert keeps("a 1 b 2", variant, ((2, 3), (6, 7))) is kept


def test_long_text_without_spaces_is_read_quickly() -> None:
    assert protected_spans("字" * 100_000) == ()


def test_what_is_remembered_of_an_example_is_never_told_of_another() -> None:
    one = Example("d", "1", "Is Ann at sea?", choices=("sea", "land"), metadata={"protect": "at"})
    other = Example("d", "1", "Is Bob at sea?", choices=("sky", "land"))
    for example in (one, other, one, other, Example("d", "1", "Is Ann at sea?", choices=("sea", "land"), metadata={"protect": "at"})):
        assert named_by_user(example) == (("at",) if example.metadata else ())
        assert phrases_of(example) == (*(example.choices or ()), *named_by_user(example))
        assert spans_of(example) == protected_spans(example.question, phrases_of(example), named_by_user(example))
        assert protected_in(example, Draft("a", question=example.question.upper().replace("AT", "at")))
        assert not protected_in(example, Draft("a", question="Is Eve at sea?"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("set --long-flag and -v there", "--long-flag"),
        ("take ½ there", "½"),
        ("it costs ¥ there", "¥"),
        ("it takes at most some water", "at most"),
        ("it holds no fewer than some", "no fewer than"),
        ("walk up to there", "up to"),
    ],
)
def test_flags_fractions_and_bounds_are_protected(text: str, kept: str) -> None:
    start = text.index(kept)
    assert any(left <= start and start + len(kept) <= right for left, right in protected_spans(text))


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("in 7 hours", "IN 7 HOURS", True),
        ("in 7 hours", "in 7 hoors", False),
        ("in 7 hours", "in 8 hours", False),
        ("at 5 mW", "AT 5 MW", False),
        ("IT DOESN'T", "it does not", True),
        ("it doesn't", "IT DOES NOT", True),
        ("it doesn't", "IT DOES", False),
        ("in İstanbul", "in istanbul", True),
        ("in İstanbul", "in Ankara", False),
    ],
)
def test_capitals_change_no_written_unit_and_no_negation(before: str, after: str, kept: bool) -> None:
    assert protected_in(Example("d", "1", before), Draft("x", question=after)) is kept


_RULES = (*protect._EXACT, *protect._WORDS, protect._UNIT, protect._CASED_UNIT)
_PIECES = """
don't DOESN'T unhappy useless USELESS greatest most LEAST than up to red or A B and I 5 12 km KM hours x.y aB f(x) a_b import return
SELECT UPDATE DELETE FROM INSERT INTO #include def class: ~~~ `b` ``a'' $x$ \\frac{a} {x} <b> [INST] %s http://a.b WWW.x.org a@b.co
Note: 1. 2) - * "q" 'q r' eſt K 今年 é
"""
_TEXTS = st.lists(
    st.one_of(st.sampled_from(_PIECES.split()), st.sampled_from([" ", " ", " ", "\n", "\t", "    ", "\x1c", "\r", ""])), max_size=12
).map("".join)


@settings(deadline=None, max_examples=400)
@given(_TEXTS)
def test_no_sign_that_a_rule_is_looked_for_by_hides_what_it_finds(text: str) -> None:
    for rule in _RULES:
        assert protect._found(text, (rule,)) == [match.span() for match in rule.pattern.finditer(text)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("find    it", "code"),
        ("return 5", "code"),
        ("red\nor\tblue", "alternatives"),
        ("red\x1cor blue", "alternatives"),
        ("AT MOST", "bound"),
        ("the GREATEST", "superlative"),
        ("USELESSNESS", "without"),
        ("WWW.a.org", "link"),
        ("5 KM", "unit"),
        ("IT DOESN'T", "contraction"),
    ],
)
def test_the_signs_of_a_rule_stand_in_small_letters(text: str, rule: str) -> None:
    assert any(sign in text.lower() for sign in protect._SIGNS[rule])


@settings(deadline=None, max_examples=300)
@given(_TEXTS)
def test_what_is_glued_reaches_from_blank_to_blank(text: str) -> None:
    expected = [match.span() for match in re.finditer(r"\S+", text) if protect._GLUED.search(match[0])]
    assert protect._glued(text) == expected


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Is B or A right?", ["B", "A"]),
        ("Is A, B or C right?", ["A", "B", "C"]),
        ("A cat and I", []),
        ("the B's and B'll", ["B"]),
        ("O'B and AB and B_", ["O"]),
        ("grade A and A", ["A", "A"]),
        ("A / B", ["A", "B"]),
    ],
)
def test_lone_letters(text: str, letters: list[str]) -> None:
    pattern = re.compile(protect._EXACT_RULES["letter"])
    assert [match[0] for match in pattern.finditer(text)] == letters
