"""Differences that can be seen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.reports.marks import LONGEST, marked, shown
from sago.reports.visible import visible_html


def test_a_changed_word_is_marked() -> None:
    assert str(marked("Is it hot?", "Is it warm?")) == "Is it <del>hot</del><ins>warm</ins>?"


def test_equal_texts_have_no_mark() -> None:
    assert str(marked("a b", "a b")) == "a b"


def test_words_in_a_row_are_one_mark() -> None:
    text = str(marked("Which colour do they make?", "What hue will we get?"))
    assert text == "<del>Which colour do they make</del><ins>What hue will we get</ins>?"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [("a b", "a  b", "␣␣"), ("a b", "a\nb", "↵"), ("ab\n\n", "ab", "<del>↵\n↵\n</del>"), ("a", "a ", "<ins>␣</ins>")],
)
def test_changed_white_space_is_seen(before: str, after: str, expected: str) -> None:
    assert expected in str(marked(before, after))


def test_a_long_unchanged_stretch_is_folded_and_counted() -> None:
    context = "word " * 100
    text = str(marked(context + "Why so?", context + "How so?"))
    fold = re.search(r'<span class="fold">⋯ (\d+) unchanged characters ⋯</span>', text)
    assert fold is not None
    rest = text.replace(fold[0], "")
    assert int(fold[1]) + len(rest.split("<del>", maxsplit=1)[0]) == len(context)


def test_what_is_cut_off_is_said() -> None:
    assert str(shown("x" * (LONGEST + 7))).endswith("⋯ 7 more characters")


@pytest.mark.parametrize("text", ["<script>x</script>", '" onmouseover="x', "\x00\u202e"])
def test_marks_escape(text: str) -> None:
    for made in (marked("plain", text), marked(text, "plain"), marked(text, text), shown(text)):
        left = re.sub(r'</?(?:ins|del)>|<span class="unseen">|</span>', "", str(made))
        assert not set(left) & set('<>"')


@given(st.text(alphabet="ab \n", max_size=40), st.text(alphabet="ab \n", max_size=40))
def test_what_came_and_what_stayed_make_up_the_variant(before: str, after: str) -> None:
    text = str(marked(before, after))

    def without(mark: str) -> str:
        return re.sub(r"</?(?:ins|del)>", "", re.sub(rf"<{mark}>.*?</{mark}>", "", text, flags=re.DOTALL))

    def plain(made: str) -> str:
        return made.replace("↵", "").replace("␣", " ")

    assert plain(without("del")) == str(visible_html(after))
    assert plain(without("ins")) == str(visible_html(before))
