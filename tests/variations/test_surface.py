from __future__ import annotations

import re
import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variations.tables import case_rows, row, table

from sago.errors import StudyError
from sago.records import Example
from sago.variations import vary
from sago.variations.protect import exact_spans, keeps, protected_in
from sago.variations.surface import surface

_KINDS = "no-mark+two-marks+double-spaces+other-spaces+look-alikes+ligatures+full-width+apostrophes+contracted+expanded"
_WORD = re.compile(r"[^\W\d_]+")


def _surfaced(question: str, share: float = 1.0, seed: int = 0, **fields: Any) -> dict[str, str | None]:
    example = Example("d", "1", question, **fields)
    drafts = surface.vary(example, {"kinds": _KINDS, "share": share}, np.random.default_rng(seed))
    return {draft.name: draft.question for draft in drafts}


def test_each_kind() -> None:
    assert _surfaced("What is Janet's first flower that doesn't need office light?") == {
        "no-mark": "What is Janet's first flower that doesn't need office light",
        "two-marks": "What is Janet's first flower that doesn't need office light??",
        "double-spaces": "What  is  Janet's  first  flower  that  doesn't  need  office  light?",
        "other-spaces": "What\u202fis\u202fJanet's\u202ffirst\u202fflower\u202fthat\u202fdoesn't\u202fneed\u202foffice\u202flight?",
        "look-alikes": "W\u04bb\u0430t is Janet's first fl\u043ew\u0435r t\u04bb\u0430t doesn't n\u0435\u0435d "
        "\u043eff\u0456\u0441\u0435 l\u0456g\u04bbt?",
        "ligatures": "What is Janet's first \ufb02ower that doesn't need o\ufb03ce light?",
        "full-width": "\uff37\uff48\uff41\uff54 is Janet's first \uff46\uff4c\uff4f\uff57\uff45\uff52 \uff54\uff48\uff41\uff54 doesn't "
        "\uff4e\uff45\uff45\uff44 \uff4f\uff46\uff46\uff49\uff43\uff45 \uff4c\uff49\uff47\uff48\uff54?",
        "apostrophes": "What is Janet’s first flower that doesn’t need office light?",
        "expanded": "What is Janet's first flower that does not need office light?",
    }


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Is it v2.14.", "v2.14."),
        ("Which is wrong: `a?`", "`a?`"),
        ('Who said "what is the matter?"', '"what is the matter?"'),
        ("How much is 5 km?", "5 km"),
        ("Text: {content}\nAnswer:", "Text: {content}\nAnswer:"),
        ("Open www.a.org now...", "www.a.org"),
    ],
)
def test_what_is_exact_or_quoted_stays_to_the_byte(question: str, kept: str) -> None:
    assert all(kept in (said or "") for said in _surfaced(question).values())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which king was Henry VIII really", "which  king  was  Henry VIII  really"),
        ("it weighs at most 3 times 10 µg/ml", "it  weighs  at most 3 times 10 µg/ml"),
        ("she paid EUR 50 for ½ cup there", "she  paid  EUR 50 for ½ cup  there"),
    ],
)
def test_spaces_inside_names_and_beside_numbers_stay(question: str, expected: str) -> None:
    assert _surfaced(question)["double-spaces"] == expected


def test_the_share_says_how_many_places_change() -> None:
    question = "which animals sometimes sleep beside other animals there"
    changed = {share: _surfaced(question, share)["double-spaces"] for share in (0.01, 0.5, 1.0)}
    assert [len(said or "") - len(question) for said in changed.values()] == [1, 4, 7]


@pytest.mark.parametrize(("question", "same_after"), [("Which office is in the first flat?", "NFKC"), ("Which office is there?", "NFKC")])
def test_ligatures_full_width_and_spaces_are_the_same_text_after_nfkc(question: str, same_after: Any) -> None:
    said = _surfaced(question)
    for kind in ("ligatures", "full-width", "other-spaces"):
        assert unicodedata.normalize(same_after, said[kind] or "") == question
        assert unicodedata.normalize("NFC", said[kind] or "") != question


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("今年是哪一年？", {"no-mark", "two-marks"}),
        ("Was ist das, und wer ist es?", {"no-mark", "two-marks", "double-spaces", "other-spaces", "look-alikes", "full-width"}),
        ("كم عدد الأيام؟", {"no-mark", "two-marks", "double-spaces", "other-spaces"}),
    ],
)
def test_other_languages_have_what_works_in_them(question: str, kinds: set[str]) -> None:
    assert set(_surfaced(question)) == kinds


@pytest.mark.parametrize("row", case_rows("09-typo-protect.jsonl"), ids=lambda row: row["id"])
def test_case_09_at_full_share_over_200_seeds(row: dict[str, Any]) -> None:
    text = row["text"]
    for seed in range(200):
        for kind, question in _surfaced(text, seed=seed).items():
            assert question is not None
            position = 0
            # A curly apostrophe in "can’t" is the variation itself.
            question = question.replace("’", "'") if kind == "apostrophes" else question
            for protected in sorted(row["protect"], key=text.find):
                found = question.find(protected, position)
                assert found >= 0, (kind, protected, question)
                position = found + len(protected)


def test_spans_named_by_the_user_stay_inside_words_too() -> None:
    said = _surfaced("which flower is afloat there?", metadata={"protect": ["float", "is a"]})
    assert said["ligatures"] == "which \ufb02ower is afloat there?"
    assert said["double-spaces"] == "which  flower  is afloat  there?"


def test_counts_say_how_many_kinds_had_nothing_to_do() -> None:
    varied = vary(table(row("1", "Which animal sleeps"), row("2", "12 + 30 = ?")), ["surface:kinds=no-mark+double-spaces"])
    assert varied.counts.select("asked", "made", "dropped_same", "not_applicable").rows() == [(2, 1, 1, 1)]


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(StudyError, match="unknown name 'bold'"):
        vary(table(row("1", "Which?")), ["surface:kinds=bold"])


_PIECE = st.sampled_from(["it is not", "What's the", "they are in", "{name}", "`code  here`", "$x^2$", "3.14", "Paris", "isn't", "“a b”"])


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.lists(st.tuples(_PIECE | st.text(max_size=12), st.sampled_from([" ", ", ", "\n", "? "])), max_size=8), st.integers(0, 2**32))
def test_protected_spans_never_change(pieces: list[tuple[str, str]], seed: int) -> None:
    question = "".join(piece + joint for piece, joint in pieces)
    example = Example("d", "1", question)
    for draft in surface.vary(example, {"kinds": _KINDS, "share": 1.0}, np.random.default_rng(seed)):
        assert draft.question not in (None, question)
        assert protected_in(example, draft)
        assert keeps(question, draft.question or "", exact_spans(question))
