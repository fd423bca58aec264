from __future__ import annotations

import pytest
from tests.variations.tables import row, table

from sago.errors import StudyError
from sago.variations import vary
from sago.variations.persona import PERSONAS

_EXAMPLES = table(row("1", "Who?"), row("2", "Who lends books?", choices=["a Librarian", "librarian", "a"], answer_index=1))


@pytest.mark.parametrize(
    ("place", "messages"),
    [
        ("system", [("system", "Be brief.\n\nYou are a helpful assistant."), ("user", "Who?\n\nAnswer in a few words.")]),
        ("user", [("system", "Be brief."), ("user", "You are a helpful assistant.\n\nWho?\n\nAnswer in a few words.")]),
    ],
)
def test_a_persona_stands_behind_the_studys_system_message_or_in_front_of_the_question(place: str, messages: list[tuple[str, str]]) -> None:
    rows = vary(_EXAMPLES, [f"persona:n=1,place={place}"], system="Be brief.").variants
    made = rows.filter(example="1", variant="persona-assistant")["messages"].to_list()[0]
    assert [(one["role"], one["content"]) for one in made] == messages


def test_a_persona_that_is_an_answer_is_refused_and_counted() -> None:
    varied = vary(_EXAMPLES, [f"persona:n={len(PERSONAS)}"])
    assert varied.counts.select("asked", "made", "dropped_unsafe").row(0) == (10, 9, 1)
    assert "persona-librarian" not in varied.variants.filter(example="2")["variant"].to_list()
    assert "persona-librarian" in varied.variants.filter(example="1")["variant"].to_list()


def test_another_place_is_refused() -> None:
    with pytest.raises(StudyError, match="Give system or user"):
        vary(_EXAMPLES, ["persona:place=nowhere"])
