"""The built-in questions keep their promises, and load as any other data set does."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from itertools import permutations
from typing import Any

import polars as pl
import pytest

from sago import registry, schemas
from sago.datasets import LoadOptions, builtin, load
from sago.datasets.builtin import load_builtin
from sago.errors import DataError
from sago.variations.equivalence import RULES, checks_passed

SIZES = {"choice": 30, "numeric": 12, "text": 12}


def raw(kind: str) -> str:
    return files(builtin).joinpath(f"{kind}.jsonl").read_bytes().decode("utf-8")


def rows_of(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in raw(kind).splitlines()]


ALL = [pytest.param(row, id=row["id"]) for kind in SIZES for row in rows_of(kind)]
CHOICE = [pytest.param(row, id=row["id"]) for row in rows_of("choice")]
TEXT = [pytest.param(row, id=row["id"]) for row in rows_of("text")]


def wordings(row: dict[str, Any]) -> list[str]:
    return [row["question"], *row["paraphrases"]]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(("kind", "size"), SIZES.items())
def test_each_set_has_its_size_and_stable_ids(kind: str, size: int) -> None:
    assert [row["id"] for row in rows_of(kind)] == [f"{kind}-{number:02}" for number in range(1, size + 1)]


@pytest.mark.parametrize("kind", SIZES)
def test_files_are_plain_ascii_lines(kind: str) -> None:
    text = raw(kind)
    assert text.isascii()
    assert "\r" not in text
    assert "\\u" not in text
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("row", ALL)
def test_texts_have_no_stray_spaces(row: dict[str, Any]) -> None:
    for text in strings(row):
        assert text == " ".join(text.split())
        assert text


@pytest.mark.parametrize("row", ALL)
def test_fields_are_those_of_the_format(row: dict[str, Any]) -> None:
    fields = ["id", "question", "choices", "answer", "paraphrases", "meaning_changed"]
    assert list(row) == [name for name in fields if name != "choices" or row["id"].startswith("choice")]
    assert list(row["meaning_changed"]) == ["question", "answer"]
    assert all(text.endswith(("?", ".")) for text in [*wordings(row), row["meaning_changed"]["question"]])


def test_no_wording_stands_twice_in_any_set() -> None:
    found = Counter(
        " ".join(words(text)) for kind in SIZES for row in rows_of(kind) for text in [*wordings(row), row["meaning_changed"]["question"]]
    )
    assert found.most_common(1)[0][1] == 1
    assert found.total() == 5 * sum(SIZES.values())


@pytest.mark.parametrize("row", ALL)
def test_three_paraphrases_keep_numbers_and_negations(row: dict[str, Any]) -> None:
    assert len(row["paraphrases"]) == 3
    for wording in row["paraphrases"]:
        assert checks_passed(row["question"], wording) == RULES


@pytest.mark.parametrize("row", ALL)
def test_any_two_wordings_differ_by_more_than_a_word(row: dict[str, Any]) -> None:
    for one, other in permutations(wordings(row), 2):
        assert len(set(words(one)) ^ set(words(other))) >= 4
        assert words(one)[:3] != words(other)[:3]


@pytest.mark.parametrize("row", ALL)
def test_the_twin_has_another_answer_and_similar_words(row: dict[str, Any]) -> None:
    twin = row["meaning_changed"]
    accepted, twin_accepted = (
        {str(one).casefold() for one in (answer if isinstance(answer, list) else [answer])} for answer in (row["answer"], twin["answer"])
    )
    assert not accepted & twin_accepted
    question, changed = set(words(row["question"])), set(words(twin["question"]))
    assert len(question & changed) / len(question | changed) >= 0.25


@pytest.mark.parametrize("row", CHOICE)
def test_options_are_distinct_and_hold_both_answers(row: dict[str, Any]) -> None:
    options = [option.casefold() for option in row["choices"]]
    assert 3 <= len(options) <= 5
    assert not [pair for pair in permutations(options, 2) if pair[0] in pair[1]]
    assert row["answer"] in row["choices"]
    assert row["meaning_changed"]["answer"] in row["choices"]
    assert not any(character.isdigit() for option in options for character in option)


NAMES_IN_QUESTION = "choice-16"
"""Asks about people by name: its options have to stand in the question."""


@pytest.mark.parametrize("row", [param for param in CHOICE if param.id != NAMES_IN_QUESTION])
def test_no_option_stands_in_the_question(row: dict[str, Any]) -> None:
    texts = [*wordings(row), row["meaning_changed"]["question"]]
    assert not [option for option in row["choices"] for text in texts if re.search(rf"\b{re.escape(option)}\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("row", TEXT)
def test_short_answers_do_not_stand_in_the_question(row: dict[str, Any]) -> None:
    twin = row["meaning_changed"]
    for answers, texts in ((row["answer"], wordings(row)), (twin["answer"], [twin["question"]])):
        assert isinstance(answers, list)
        assert len({answer.casefold() for answer in answers}) == len(answers) >= 1
        for answer in answers:
            assert not any(re.search(rf"\b{re.escape(answer)}\b", text, re.IGNORECASE) for text in texts)
    assert all(len(answer.split()) <= 4 for answer in [*row["answer"], *twin["answer"]])


def test_gold_positions_are_balanced() -> None:
    rows = rows_of("choice")
    counts = Counter(len(row["choices"]) for row in rows)
    assert set(counts) == {3, 4, 5}
    assert min(counts.values()) >= 6
    places = Counter("ABCDE"[row["choices"].index(row["answer"])] for row in rows)
    assert set(places) == set("ABCDE")
    assert max(places.values()) - min(places.values()) <= 2
    chance = sum(1 / len(row["choices"]) for row in rows)  # right answers that a guess expects
    assert all(count <= chance for count in places.values())
    twins = Counter("ABCDE"[row["choices"].index(row["meaning_changed"]["answer"])] for row in rows)
    assert all(count <= chance for count in twins.values())


def test_numeric_answers_are_plain_numbers_and_all_different() -> None:
    rows = rows_of("numeric")
    assert all(type(row["answer"]) is int and type(row["meaning_changed"]["answer"]) is int for row in rows)
    assert len({row["answer"] for row in rows}) == len(rows)


@pytest.mark.parametrize(("name", "task"), [("builtin-choice", "choice"), ("builtin-numeric", "numeric"), ("builtin-text", "text")])
def test_loads_through_its_registered_name(name: str, task: str) -> None:
    loaded = load([name])
    table = loaded.examples
    source = rows_of(task)
    assert loaded.notes == ()
    assert table["dataset"].unique().to_list() == [name]
    assert table["task"].unique().to_list() == [task]
    assert table["example"].to_list() == [row["id"] for row in source]
    assert table["question"].to_list() == [row["question"] for row in source]
    assert table["paraphrases"].to_list() == [row["paraphrases"] for row in source]
    assert table["twin_question"].to_list() == [row["meaning_changed"]["question"] for row in source]
    assert table["metadata"].unique().to_list() == ["{}"]
    for row, example in zip(source, table.iter_rows(named=True), strict=True):
        for given, column in ((row["answer"], "answers"), (row["meaning_changed"]["answer"], "twin_answers")):
            assert example[column] == (given if isinstance(given, list) else [str(given)])


def test_gold_and_twin_index_name_the_options() -> None:
    table = load(["builtin-choice"]).examples
    for example in table.iter_rows(named=True):
        assert example["choices"][example["answer_index"]] == example["answers"][0]
        assert example["choices"][example["twin_answer_index"]] == example["twin_answers"][0]
        assert example["answer_index"] != example["twin_answer_index"]


def test_all_three_load_together_and_the_names_agree() -> None:
    assert set(builtin.NAMES) == {name for name in registry.names("datasets") if name.startswith("builtin-")}
    assert load(list(builtin.NAMES)).examples.height == sum(SIZES.values())


def test_loader_takes_a_name_and_ignores_a_column_mapping() -> None:
    plain = load_builtin("builtin-text", LoadOptions())
    named = load_builtin("builtin-text", LoadOptions(columns={"question": "prompt"}, name="mine"))
    assert named.equals(plain.with_columns(dataset=pl.lit("mine")))
    assert schemas.check("examples", named).height == SIZES["text"]


def test_unknown_name_is_one_clear_line() -> None:
    with pytest.raises(DataError, match=r"^builtin-chess: no built-in data set of that name\. Built in: builtin-choice, "):
        load_builtin("builtin-chess", LoadOptions())
