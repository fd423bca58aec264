from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from sago.differences import difference
from sago.records import Edit
from sago.variations.edits import apply_edits, changed_by, edits_between, replaced_spans

_TEXT = st.text(alphabet="abc D.\n'今é", max_size=40) | st.text(alphabet="abc D.\n'\x1c_", max_size=40)


@pytest.mark.parametrize(
    ("canonical", "variant", "expected"),
    [
        ("same", "same", ()),
        ("a hot day", "a day", (Edit(2, 6, "hot ", ""),)),
        ("a day", "a hot day", (Edit(2, 2, "", "hot "),)),
        ("lake and lake", "laek and alke", (Edit(0, 4, "lake", "laek"), Edit(9, 13, "lake", "alke"))),
    ],
)
def test_edits(canonical: str, variant: str, expected: tuple[Edit, ...]) -> None:
    assert edits_between(canonical, variant) == expected


@settings(deadline=None)
@given(_TEXT, _TEXT)
def test_edits_rebuild_the_variant(canonical: str, variant: str) -> None:
    edits = edits_between(canonical, variant)
    assert apply_edits(canonical, edits) == variant
    assert all(canonical[edit.start : edit.end] == edit.before for edit in edits)


@pytest.mark.parametrize(
    ("canonical", "variant", "distance", "dose", "share", "tokens"),
    [
        ("abcd", "abcd", 0, 0.0, 0.0, 0),
        ("abcd", "abxd", 1, 0.25, 1.0, 0),
        ("ab", "abcd", 2, 0.5, 1.0, 0),
        ("", "ab", 2, 1.0, 1.0, 1),
        ("", "", 0, 0.0, 0.0, 0),
        ("a  b", "a b", 1, 0.25, 0.0, 0),
        ("Is it so?", "Is it so? Yes.", 5, 5 / 14, 1 / 3, 2),
    ],
)
def test_how_much_changed(canonical: str, variant: str, distance: int, dose: float, share: float, tokens: int) -> None:
    expected = {"edit_distance": distance, "dose": dose, "changed_share": pytest.approx(share), "token_change": tokens}
    assert changed_by(canonical, variant) == expected


@settings(deadline=None, max_examples=300)
@given(_TEXT, _TEXT, _TEXT, _TEXT)
def test_what_is_in_common_at_the_ends_changes_no_measure(start: str, one: str, other: str, end: str) -> None:
    canonical, prompt = start + one + end, start + other + end
    before, after = (re.findall(r"\w+|[^\w\s]", text) for text in (canonical, prompt))
    distance = Levenshtein.distance(canonical, prompt)
    assert changed_by(canonical, prompt) == {
        "edit_distance": distance,
        "dose": distance / max(len(canonical), len(prompt), 1),
        "changed_share": Levenshtein.normalized_distance(before, after),
        "token_change": len(after) - len(before),
    }


@settings(deadline=None, max_examples=200)
@given(_TEXT, _TEXT)
def test_replaced_spans_are_those_of_the_difference(canonical: str, variant: str) -> None:
    expected, place = [], 0
    for span in difference(canonical, variant):
        if span.kind != "same":
            expected.append((place, place + len(span.before), span.before, "" if span.kind == "deleted" else span.text))
        place += len(span.before)
    assert replaced_spans(canonical, variant) == expected
