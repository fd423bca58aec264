from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.records import Edit
from sago.variations.edits import apply_edits, dose, edits_between

_TEXT = st.text(alphabet="abc D.\n'今é", max_size=40)


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
    ("canonical", "variant", "expected"),
    [("abcd", "abcd", 0.0), ("abcd", "abxd", 0.25), ("ab", "abcd", 0.5), ("", "ab", 1.0), ("", "", 0.0)],
)
def test_dose_is_the_normalised_edit_distance(canonical: str, variant: str, expected: float) -> None:
    assert dose(canonical, variant) == expected
