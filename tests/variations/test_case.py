from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.variations.tables import case_rows, row, table

from sago.errors import StudyError
from sago.records import Example
from sago.variations import vary
from sago.variations.case import case


def _styled(question: str, styles: str = "lower+upper+title") -> dict[str, str | None]:
    drafts = case.vary(Example("d", "1", question), {"styles": styles}, np.random.default_rng(0))
    return {draft.name: draft.question for draft in drafts}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What can't DNA do?", {"lower": "what can't dna do?", "upper": "WHAT CAN'T DNA DO?", "title": "What Can't DNA Do?"}),
        ("WHAT IS DNA?", {"lower": "what is dna?", "title": "What Is Dna?"}),
        ("what is rain?", {"upper": "WHAT IS RAIN?", "title": "What Is Rain?"}),
        ("12 + 30 = ?", {}),
        ("今年是哪一年？", {}),
        ("Did O'Brien see TV?", {"lower": "did o'brien see tv?", "upper": "DID O'BRIEN SEE TV?", "title": "Did O'Brien See TV?"}),
        ("WHY DON'T WE GO? IT'S LATE", {"lower": "why don't we go? it's late", "title": "Why Don't We Go? It's Late"}),
        # A unit that is written out is shouted with the rest; the sign of one is not, since mW is not MW.
        ("In 7 hours, 5 mW", {"lower": "in 7 hours, 5 mW", "upper": "IN 7 HOURS, 5 mW", "title": "In 7 Hours, 5 mW"}),
        # Turkish has a capital of its own for each of its two letters i.
        ("Şehir ılık mı?", {"lower": "şehir ılık mı?", "upper": "ŞEHİR ILIK MI?", "title": "Şehir Ilık Mı?"}),
        ("IŞIK NEDİR", {"lower": "ışık nedir", "title": "Işık Nedir"}),
        ("Élan vital", {"lower": "élan vital", "upper": "ÉLAN VITAL", "title": "Élan Vital"}),
    ],
)
def test_styles(question: str, expected: dict[str, str]) -> None:
    assert _styled(question) == expected


@pytest.mark.parametrize(
    "kept",
    [
        "https://a.org/B?c=D",
        "Help.Desk@a.org",
        "`Print(X)`",
        "$Ax^2$",
        "{Name}",
        "{{ Seven }}",
        "camelCase",
        "v2.14.0-Beta",
        "5 mW",
        "B.Sc",
        "<Tag>",
    ],
)
@pytest.mark.parametrize("style", ["lower", "upper", "title"])
def test_what_depends_on_case_keeps_it(kept: str, style: str) -> None:
    (question,) = _styled(f"Do We know {kept} now", style).values()
    assert question is not None
    assert kept in question


def test_labels_keep_their_case() -> None:
    assert _styled("A. Oslo\nB. Bergen\nIs A or B the capital?", "lower") == {"lower": "A. oslo\nB. bergen\nis A or B the capital?"}


def test_choices_and_context_are_left_alone() -> None:
    variants = vary(table(row("1", "Which?", choices=["Red", "Blue"], context="A Text.")), ["case:styles=upper"]).variants
    assert variants["shown_choices"].to_list() == [["Red", "Blue"]] * 2
    assert variants["messages"].to_list()[1][0]["content"].startswith("A Text.\n\nWHICH?\n\nA. Red")


@pytest.mark.parametrize(("styles", "message"), [("bold", "unknown name 'bold'"), ("lower+lower", "given twice"), ("", "unknown name ''")])
def test_unknown_styles_are_refused(styles: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        vary(table(row("1", "Which?")), [f"case:styles={styles}"])


@pytest.mark.parametrize("case_row", case_rows("09-typo-protect.jsonl"), ids=lambda case_row: case_row["id"])
def test_case_09_in_any_case_and_what_the_user_names_to_the_letter(case_row: dict[str, Any]) -> None:
    text, spans = case_row["text"], case_row["protect"]
    assert all(span.casefold() in (said or "").casefold() for said in _styled(text).values() for span in spans)
    named = case.vary(Example("d", "1", text, metadata={"protect": spans}), {"styles": "lower+upper+title"}, np.random.default_rng(0))
    assert all(span in (draft.question or "") for draft in named for span in spans)


@pytest.mark.parametrize("question", ["Why didn't Kai go", "Doesn’t it", "It can't and won't", "İstanbul'da ılık mı"])
def test_a_negation_in_capitals_is_the_same_negation(question: str) -> None:
    assert vary(table(row("1", question)), ["case"]).counts.select("asked", "dropped_unsafe").row(0) == (3, 0)
