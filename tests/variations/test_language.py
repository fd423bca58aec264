from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.features.hand_made import observation, tables
from tests.variations.tables import prompt_of, row, table

from sago.errors import DataError, StudyError
from sago.features import extract
from sago.variations import vary

_CHOICES = ["red", "blue", "green"]


def _row(example: str, question: str, translations: Any = None, **fields: Any) -> dict[str, Any]:
    metadata = {} if translations is None else {"translations": translations}
    return row(example, question, metadata=json.dumps(metadata), **fields)


def _file(folder: Path, *rows: dict[str, Any]) -> str:
    path = folder / "t.jsonl"
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in rows), encoding="utf-8")
    return str(path)


_FULL = {"question": "Welche Farbe?", "choices": ["rot", "blau", "grün"], "context": "Farben.", "instruction": "Nur der Buchstabe."}


@pytest.mark.parametrize(
    "given",
    [
        {"de": "Wer?", "fr": "Qui ?"},
        {"fr": {"question": "Qui ?"}, "de": {"question": "Wer?"}},
        [{"language": "fr", "text": "Qui ?"}, {"language": "de", "question": "Wer?"}],
        '{"de": "Wer?", "fr": "Qui ?"}',
    ],
)
def test_translations_of_the_data_in_each_form(given: Any) -> None:
    varied = vary(table(_row("1", "Who?", given), _row("2", "Where?")), ["language"])
    made = varied.variants.filter(family="language")
    assert made.select("variant", "question").rows() == [("language-de", "Wer?"), ("language-fr", "Qui ?")]
    assert varied.counts.select("asked", "made", "not_applicable").row(0) == (2, 2, 1)


def test_every_part_may_be_translated_and_the_answer_is_read_back() -> None:
    given = _row("1", "Which colour?", {"de": _FULL}, choices=_CHOICES, answer_index=1, context="Colours.")
    varied = vary(table(given), ["language"])
    (made,) = varied.variants.filter(family="language").to_dicts()
    assert prompt_of(made) == "Farben.\n\nWelche Farbe?\n\nA. rot\nB. blau\nC. grün\n\nNur der Buchstabe."
    replies = ["B", "blau", "B. blau"]
    seen = [observation(made, reply, rerun=place) for place, reply in enumerate(replies)]
    read = extract(*tables([{**given, "position": 0}], [made], seen))
    assert read.filter(feature="answer")["category"].to_list() == ["blue"] * 3
    assert read.filter(feature="correct")["number"].to_list() == [1.0] * 3


def test_choices_follow_an_order_below() -> None:
    given = _row("1", "Which colour?", {"de": _FULL}, choices=_CHOICES, answer_index=1)
    rows = vary(table(given), ["choice-order+language:choice-order.n=5"]).variants.filter(family="choice-order+language").to_dicts()
    assert len(rows) == 5
    for one in rows:
        assert one["shown_choices"] == [["rot", "blau", "grün"][index] for index in one["permutation"]]


def test_a_file_by_id_or_by_question_goes_before_the_data(tmp_path: Path) -> None:
    examples = table(_row("1", "Who?", {"de": "Wer?", "fr": "Qui ?"}), _row("2", "Where?"))
    path = _file(
        tmp_path,
        {"id": 1, "language": "de", "question": "Wer denn?"},
        {"question": "Where? ", "language": "pt-BR", "text": "Onde?"},
        {"id": "9", "language": "de", "question": "Niemand?"},
    )
    notes: list[str] = []
    made = vary(examples, [f"language:file={path}"], note=notes.append).variants.filter(family="language")
    assert made.select("example", "variant", "question").rows() == [
        ("1", "language-de", "Wer denn?"),
        ("1", "language-fr", "Qui ?"),
        ("2", "language-pt-BR", "Onde?"),
    ]
    assert notes == ["language: 1 row of the file matches no example (line 3)"]
    assert str(tmp_path) not in made.write_json()


@pytest.mark.parametrize(("parameters", "names"), [("n=1", ["de"]), ("languages=fr+de", ["fr", "de"]), ("languages=sv", [])])
def test_languages_are_chosen(parameters: str, names: list[str]) -> None:
    made = vary(table(_row("1", "Who?", {"de": "Wer?", "fr": "Qui ?"})), [f"language:{parameters}"]).variants
    assert made["variant"].to_list()[1:] == [f"language-{name}" for name in names]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Wer?", "dataset 'd', example '1': its 'translations' is no JSON"),
        (["Wer?"], "is neither an object nor a list of objects"),
        ([{"question": "Wer?"}], "names no language in 'language'"),
        ({"German": "Wer?"}, "'German' is no code of a language"),
        ({"de": {"text": " "}}, "no translated question"),
        ({"de": {"question": 7}}, "its 'question' is no text"),
        ({"de": {"question": "Wer?", "choices": ["a"]}}, "translation 'de' has another number of choices than the example: 1, not 0"),
        ({"de": {"question": "Wer?", "choices": "a, b"}}, "its 'choices' is no JSON list"),
        ({"de": {"question": "Wer?", "choices": [1]}}, "its 'choices' is no list of texts"),
    ],
)
def test_bad_translations_of_the_data_are_named(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        vary(table(_row("1", "Who?", given)), ["language"])


def test_all_bad_rows_of_a_file_are_told_with_their_lines(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        {"id": "1", "question": "Wer?"},
        {"language": "de", "question": "Wer?"},
        {"id": True, "language": "de", "question": "Wer?"},
        {"id": "1", "language": "de"},
        {"question": "Who?", "language": "de", "text": 5},
    )
    with pytest.raises(DataError) as raised:
        vary(table(_row("1", "Who?")), [f"language:file={path}"])
    assert raised.value.problems == (
        "line 1: names no language in 'language'",
        "line 2: names no example: it has neither 'id' nor 'question'",
        "line 3: its 'id' is no text",
        "line 4: no translated question",
        "line 5: its 'text' is no text",
    )


@pytest.mark.parametrize("codes", ["german!", "de+de"])
def test_bad_codes_are_refused(codes: str) -> None:
    with pytest.raises(StudyError, match="variation 'language': languages"):
        vary(table(_row("1", "Who?")), [f"language:languages={codes}"])
