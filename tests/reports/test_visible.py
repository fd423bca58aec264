"""Text of unknown origin: nothing acts, nothing hides."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.reports.visible import visible_html, visible_line, visible_text

ACTING = ["\x00", "\x1b", "\r", "\x7f", "\x9b", "\u202e", "\u202c", "\u2066", "\u2069", "\u200b", "\u200f", "\u061c", "\ufeff", "\u2028"]


@pytest.mark.parametrize("character", ACTING)
def test_acting_characters_are_named(character: str) -> None:
    sign = f"[U+{ord(character):04X}]"
    assert visible_text(f"a{character}b") == f"a{sign}b"
    assert str(visible_html(f"a{character}b")) == f'a<span class="unseen">{sign}</span>b'


@pytest.mark.parametrize("text", ["line\nnext\ttab", "نمی\u200cخواهم", "👩\u200d🔬", "Größe ß Ö", "以上皆是"])
def test_ordinary_text_stays(text: str) -> None:
    assert visible_text(text) == text
    assert str(visible_html(text)) == text


@pytest.mark.parametrize("text", ["<b>", '" onload="x', "' onload='x", "a & b &amp; c", "<!-- ", "</script>"])
def test_markup_becomes_text(text: str) -> None:
    escaped = str(visible_html(text))
    assert not set(escaped) & set("<>\"'")
    assert html.unescape(escaped) == text


@given(st.text())
def test_no_text_opens_an_element_of_its_own(text: str) -> None:
    left = re.sub(r'<span class="unseen">\[U\+[0-9A-F]{4,6}\]</span>', "", str(visible_html(text)))
    assert not set(left) & set("<>\"'")


def test_a_line_is_one_line() -> None:
    assert visible_line("a\n b\r\nc") == "a b[U+000D] c"


def test_null_is_nothing() -> None:
    assert str(visible_html(None)) == ""
