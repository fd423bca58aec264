from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.differences import Span, difference, tokens_of


@pytest.mark.parametrize(
    ("canonical", "variant", "expected"),
    [
        ("a b", "a b", [Span("same", "a b", "a b")]),
        ("", "", []),
        ("", "new", [Span("inserted", "new", "")]),
        ("old", "", [Span("deleted", "old", "old")]),
        ("it's hot", "it's warm", [Span("same", "it's ", "it's "), Span("replaced", "warm", "hot")]),
        ("今年是", "今日是", [Span("same", "今", "今"), Span("replaced", "日", "年"), Span("same", "是", "是")]),
        (
            "This bird sings.",
            "This is a note.\n\nThis bird sings.",
            [Span("inserted", "This is a note.\n\n", ""), Span("same", "This bird sings.", "This bird sings.")],
        ),
        (
            "A\nWho is it? a\nWho was it? b",
            "A\nWho was it? b",
            [
                Span("same", "A\n", "A\n"),
                Span("deleted", "Who is it? a\n", "Who is it? a\n"),
                Span("same", "Who was it? b", "Who was it? b"),
            ],
        ),
        ("one two", "one big two", [Span("same", "one ", "one "), Span("inserted", "big ", ""), Span("same", "two", "two")]),
    ],
)
def test_difference(canonical: str, variant: str, expected: list[Span]) -> None:
    assert difference(canonical, variant) == expected


@settings(deadline=None)
@given(st.text(alphabet="ab '\n.é今"), st.text(alphabet="ab '\n.é今"))
def test_spans_make_up_both_texts(canonical: str, variant: str) -> None:
    spans = difference(canonical, variant)
    assert "".join(span.before for span in spans) == canonical
    assert "".join(span.text for span in spans if span.kind != "deleted") == variant
    assert all((span.before == span.text) == (span.kind in ("same", "deleted")) for span in spans)


@given(st.text(alphabet="ab_1'. \t\n\x1c\x1f\x7f-", max_size=30))
def test_a_text_has_the_same_words_whether_or_not_a_foreign_sign_follows(text: str) -> None:
    assert tokens_of(text) == tokens_of(text + " 今")[: len(tokens_of(text))] or text[-1:].isspace()
    assert "".join(tokens_of(text)) == text
