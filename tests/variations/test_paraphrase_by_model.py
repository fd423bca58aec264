from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.variations.tables import row, table

from sago.errors import StudyError
from sago.testing import check_variation
from sago.variations import Request, vary
from sago.variations.paraphrase_by_model import PROMPT, paraphrase_by_model

_EXAMPLES = table(row("1", "Is it hot?"), row("2", "Is it cold?"), row("3", "12 + 30 = ?"))


class _Writing:
    """Writes by a rule, and remembers what it was asked."""

    def __init__(self, *replies: str) -> None:
        self.asked: list[Request] = []
        self.models: set[str] = set()
        self._replies = replies

    def __call__(self, model: str, requests: Sequence[Request]) -> list[str | None]:
        self.models.add(model)
        start = len(self.asked)
        self.asked += requests
        return [self._replies[number % len(self._replies)] for number in range(start, len(self.asked))]


def test_it_is_a_variation() -> None:
    check_variation(paraphrase_by_model)


def test_each_wording_is_asked_for_by_itself_and_names_its_model() -> None:
    write = _Writing("1. Would you call it hot?", '"Is it warm?"', "Would you call it cold?", "Is it cool?")
    varied = vary(_EXAMPLES, ["paraphrase-by-model:model=hf:/data/models/gemma"], write=write)
    rows = varied.variants.filter(family="paraphrase-by-model")
    assert rows.select("example", "variant", "question").rows() == [
        ("1", "paraphrase-by-model-1", "Would you call it hot?"),
        ("1", "paraphrase-by-model-2", "Is it warm?"),
        ("2", "paraphrase-by-model-1", "Would you call it cold?"),
        ("2", "paraphrase-by-model-2", "Is it cool?"),
    ]
    assert write.models == {"hf:/data/models/gemma"}
    assert [request.prompt for request in write.asked[:2]] == [PROMPT.replace("{question}", "Is it hot?")] * 2
    assert len({request.seed for request in write.asked}) == 4
    parameters = set(rows["parameters"])
    assert parameters == {'{"model": "hf:gemma", "n": 2, "prompt": "", "prompt_version": 1, "temperature": 0.7}'}
    assert varied.counts.select("asked", "made", "not_applicable").row(0) == (4, 4, 1)
    assert set(rows["checks"].to_list()[0]) == {
        "same_numbers",
        "same_negations",
        "kept_names",
        "kept_genders",
        "kept_scope",
        "kept_units",
        "kept_spans",
        "nothing_given_away",
    }


def test_what_cannot_be_used_is_counted_by_its_reason() -> None:
    write = _Writing("Is it hot at 30 degrees?", "is it hot", "Is it cool?", "Is it cool?")
    counts = vary(_EXAMPLES, ["paraphrase-by-model"], write=write).counts
    assert counts.select("asked", "made", "dropped_same", "dropped_duplicate", "dropped_unsafe").row(0) == (4, 1, 1, 1, 1)


def test_what_was_not_written_is_missing() -> None:
    counts = vary(_EXAMPLES, ["paraphrase-by-model"], write=lambda _, requests: [None] * len(requests)).counts
    assert counts.select("asked", "made", "dropped_same").row(0) == (4, 0, 4)


def test_the_likeliest_text_is_asked_for_once() -> None:
    write = _Writing("Would you call it so?")
    vary(_EXAMPLES, ["paraphrase-by-model:n=5,temperature=0"], write=write)
    assert [(request.temperature, request.seed) for request in write.asked] == [(0.0, 0)] * 2


def test_neither_the_order_of_rows_nor_the_name_of_the_data_counts() -> None:
    write = _Writing("Is it so?")
    vary(_EXAMPLES, ["paraphrase-by-model"], write=write)
    again = _Writing("Is it so?")
    vary(table(row("9", "Is it cold?", dataset="other"), row("8", "Is it hot?", dataset="other")), ["paraphrase-by-model"], write=again)
    assert {(request.prompt, request.seed) for request in write.asked} == {(request.prompt, request.seed) for request in again.asked}


def test_a_question_is_never_read_as_a_prompt() -> None:
    write = _Writing("So?")
    vary(table(row("1", "What is {question} or {{ 7*7 }}?")), ["paraphrase-by-model:n=1"], write=write)
    assert "Question: What is {question} or {{ 7*7 }}?\n" in write.asked[0].prompt


def test_a_prompt_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("Say otherwise: {question}", encoding="utf-8")
    write = _Writing("Would you call it hot?")
    rows = vary(_EXAMPLES, [f"paraphrase-by-model:n=1,prompt={file}"], write=write).variants.filter(family="paraphrase-by-model")
    assert write.asked[0].prompt == "Say otherwise: Is it hot?"
    assert str(tmp_path) not in rows["parameters"][0]
    assert '"prompt_version": null' in rows["parameters"][0]
    file.write_text("Say otherwise.", encoding="utf-8")
    with pytest.raises(StudyError, match="once"):
        vary(_EXAMPLES, [f"paraphrase-by-model:prompt={file}"], write=write)
