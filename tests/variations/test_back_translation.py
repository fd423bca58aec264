from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.variations.tables import row, table

from sago.errors import StudyError
from sago.testing import check_variation
from sago.variations import Request, vary
from sago.variations.back_translation import back_translation, looks_english

_EXAMPLES = table(row("1", "Is it hot?"), row("2", "¿Dónde está la biblioteca?"), row("3", "12 + 30 = ?"))


def _there_and_back(model: str, requests: Sequence[Request]) -> list[str | None]:
    texts = {("en", "pt"): "É quente?", ("pt", "en"): "Is that hot?", ("en", "de"): "Ist es heiß?", ("de", "en"): "Is it hot?"}
    return [texts[one.passage.source, one.passage.target] for one in requests if one.passage is not None]


def test_it_is_a_variation() -> None:
    check_variation(back_translation)


def test_it_goes_there_and_back_by_each_way() -> None:
    varied = vary(_EXAMPLES, ["back-translation:through=pt+de"], write=_there_and_back)
    rows = varied.variants.filter(family="back-translation")
    assert rows.select("example", "variant", "question").rows() == [("1", "back-translation-pt", "Is that hot?")]
    assert '"through": "pt"' in rows["parameters"][0]
    assert varied.counts.select("asked", "made", "dropped_same", "not_applicable").row(0) == (2, 1, 1, 2)


def test_a_chat_model_is_told_the_languages_and_the_text_as_it_is() -> None:
    asked: list[Request] = []

    def write(model: str, requests: Sequence[Request]) -> list[str | None]:
        asked.extend(requests)
        return ["Translation: “O que é {source}?”" for _ in requests]

    vary(table(row("1", "What is {source} or {text}?")), ["back-translation:model=embedded"], write=write)
    assert "from English to Portuguese" in asked[0].prompt
    assert "Text: What is {source} or {text}?\n" in asked[0].prompt
    assert (asked[1].passage.text if asked[1].passage else "") == "O que é {source}?"
    assert [request.followed_by for request in asked] == [1, 0]


def test_nobody_is_asked_to_bring_back_what_did_not_arrive() -> None:
    asked: list[int] = []

    def write(model: str, requests: Sequence[Request]) -> list[str | None]:
        asked.append(len(requests))
        return [None] * len(requests)

    vary(_EXAMPLES, ["back-translation"], write=write)
    assert asked == [1, 0]


@pytest.mark.parametrize("through", ["pt+pt", "en", "Portuguese", ""])
def test_a_way_that_is_none(through: str) -> None:
    with pytest.raises(StudyError, match=r"back-translation|out of its limits"):
        vary(_EXAMPLES, [f"back-translation:through={through}"], write=_there_and_back)


def test_questions_of_another_language_are_the_users_word() -> None:
    varied = vary(
        _EXAMPLES, ["back-translation:source=es,through=en"], write=lambda _, requests: ["¿Dónde queda la biblioteca?"] * len(requests)
    )
    assert varied.counts["not_applicable"].to_list() == [1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name three rivers of Peru.", True),
        ("Was ist die Hauptstadt von Peru?", False),
        ("Quelle est la capitale du Pérou ?", False),
        ("Qual é a maior cidade do Peru?", False),
        ("Столица Перу?", False),
        ("12?", False),
    ],
)
def test_what_may_be_english(text: str, expected: bool) -> None:
    assert looks_english(text) is expected
