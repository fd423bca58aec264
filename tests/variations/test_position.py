from __future__ import annotations

from typing import Any

import pytest
from tests.variations.tables import case_rows, prompt_of, row, table

from sago.errors import StudyError
from sago.variations import vary

_CONTEXT = "Cats sleep.\n\nDogs bark."
_ASK = "Answer with the letter only."
_BOTH = row("1", "Who barks?", context=_CONTEXT, choices=["cats", "dogs"])


def _made(given: dict[str, Any], spec: str = "position") -> dict[str, str]:
    rows = vary(table(given), [spec]).variants.iter_rows(named=True)
    return {found["layout"]: prompt_of(found) for found in rows if found["family"] == "position"}


def test_every_order() -> None:
    options = "A. cats\nB. dogs"
    assert _made(_BOTH) == {
        "question-before-context": f"Who barks?\n\n{_CONTEXT}\n\n{options}\n\n{_ASK}",
        "question-around-context": f"Who barks?\n\n{_CONTEXT}\n\nWho barks?\n\n{options}\n\n{_ASK}",
        "instruction-first": f"{_ASK}\n\n{_CONTEXT}\n\nWho barks?\n\n{options}",
        "choices-before-question": f"{_CONTEXT}\n\n{options}\n\nWho barks?\n\n{_ASK}",
    }


@pytest.mark.parametrize(
    ("given", "layouts"),
    [
        (row("1", "Who?"), ["instruction-first"]),
        (row("1", "Who?", choices=["x", "y"]), ["instruction-first", "choices-before-question"]),
        (row("1", "Who?", context="Text."), ["question-before-context", "question-around-context", "instruction-first"]),
        (row("1", "Who is meant in the text above?", context="Text."), ["instruction-first"]),
        (row("1", "Which of the following barks?", choices=["x", "y"]), ["instruction-first"]),
        (row("1", "Welche der folgenden bellt?", choices=["x", "y"]), ["instruction-first"]),
        (row("1", "以下哪些是颜色？", choices=["红", "木"]), ["instruction-first"]),
    ],
)
def test_parts_that_are_not_there_or_pointed_at_do_not_move(given: dict[str, Any], layouts: list[str]) -> None:
    assert list(_made(given)) == layouts


def test_an_order_of_the_context_is_not_applicable_without_one() -> None:
    counts = vary(table(row("1", "Who?"), {**_BOTH, "example": "2"}), ["position:places=question-before-context"]).counts
    assert counts.select("examples", "asked", "made", "not_applicable").rows() == [(2, 1, 1, 1)]


def test_the_same_prompt_of_another_family_is_kept_once() -> None:
    varied = vary(table(_BOTH), ["format:layouts=instruction-first", "position"]).variants
    assert [found["merged"] for found in varied.to_dicts()][1] == ["position-instruction-first"]


@pytest.mark.parametrize("given", case_rows("06-braces.jsonl"), ids=lambda given: given["id"])
def test_data_is_never_a_template(given: dict[str, Any]) -> None:
    text = given["question"]
    made = _made(row("1", text, context=text + "{context}", choices=given["choices"]))
    assert len(made) == 4
    for layout, prompt in made.items():
        assert prompt.count(text) == (3 if layout == "question-around-context" else 2)
        assert all(choice in prompt for choice in given["choices"])


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(StudyError, match="position': places: unknown name 'middle'"):
        _made(_BOTH, "position:places=middle")
