"""Case 6 for what stands around the question: data is never a template, and what comes from files is data too."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.variations.tables import case_rows, prompt_of, row, table

from sago import schemas
from sago.variations import vary

_CASES = case_rows("06-braces.jsonl")
_HOSTILE = "{question} {{ 7*7 }} {# %s {answer} ${HOME} {% raw %} \\n"


def _examples(*, with_context: bool) -> pl.DataFrame:
    rows = []
    for given in _CASES:
        translations = json.dumps({"translations": {"de": _HOSTILE + given["question"]}})
        one = row(given["id"], given["question"], choices=given["choices"], answer_index=given["answer"], metadata=translations)
        rows.append({**one, "paraphrases": [_HOSTILE], "context": f"About {given['id']}: {_HOSTILE}." if with_context else None})
    return table(*rows)


@pytest.mark.parametrize("with_context", [False, True])
def test_case_06_every_text_appears_byte_for_byte(tmp_path: Path, with_context: bool) -> None:
    (tmp_path / "own.txt").write_text(_HOSTILE)
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "b4", "paraphrase": _HOSTILE + "?"}))
    specs = [
        *("answer-format:n=6", "persona:n=5,place=user", "distractor:n=5,sentences=1", "language"),
        *("few-shot:n=2,place=text", f"instruction:file={tmp_path / 'own.txt'}", f"paraphrase:file={tmp_path / 'p.jsonl'}"),
    ]
    variants = vary(_examples(with_context=with_context), specs).variants
    others = vary(_examples(with_context=with_context), ["persona", "few-shot:choice=shared", "distractor:source=data"]).variants
    assert set(variants["family"]) == {"canonical", *(spec.partition(":")[0] for spec in specs)}
    for one in [*variants.iter_rows(named=True), *others.iter_rows(named=True)]:
        case = next(given for given in _CASES if given["id"] == one["example"])
        prompt = prompt_of(one)
        is_other_wording = one["family"] in ("language", "paraphrase")
        assert one["question"] in prompt
        assert is_other_wording or one["question"] == case["question"]
        assert all(choice in prompt for choice in case["choices"])
        assert not with_context or f"About {one['example']}: {_HOSTILE}." in prompt
        assert one["family"] != "instruction" or prompt.endswith("\n\n" + _HOSTILE.strip())
    assert variants.filter(family="language", example="b4")["question"].to_list() == [_HOSTILE + _CASES[3]["question"]]
    assert variants.filter(variant="paraphrase-1", example="b4")["question"].to_list() == [_HOSTILE + "?"]


@pytest.mark.parametrize("place", ["turns", "text"])
def test_case_06_shots_are_whole_and_never_the_example_itself(place: str) -> None:
    variants = vary(_examples(with_context=False), [f"few-shot:shots=5,place={place}"]).variants.filter(family="few-shot")
    assert variants.height == len(_CASES)
    for one in variants.iter_rows(named=True):
        said = [message["content"] for message in one["messages"]]
        whole = "\n\n".join(said)
        for case in _CASES:
            assert whole.count(case["question"]) == 1
            if case["id"] == one["example"] or place == "text":
                continue
            (turn,) = [number for number, text in enumerate(said) if text.startswith(case["question"])]
            assert said[turn + 1] == "AB"[case["answer"]]
        assert said[-1].rpartition("\n\nAnswer with")[0].endswith("\n".join(f"{a}. {b}" for a, b in zip("AB", _shown(one), strict=True)))


def _shown(one: dict[str, list[str]]) -> list[str]:
    return one["shown_choices"]


def test_case_06_equal_after_save_and_reload(tmp_path: Path) -> None:
    variants = vary(_examples(with_context=True), ["few-shot", "instruction", "language", "distractor:source=data"]).variants
    variants.write_ndjson(tmp_path / "v.jsonl")
    assert pl.read_ndjson(tmp_path / "v.jsonl", schema=schemas.dtypes("variants")).equals(variants)
