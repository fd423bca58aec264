from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import pytest
from tests.variations.tables import row, table

from sago import registry
from sago.errors import StudyError
from sago.records import Draft, Example, Message
from sago.testing import check_variation
from sago.variations import Outside, Parameter, Request, Variation, vary


class _Told:
    """Says what a model wrote, with another example in front and the content of a file behind."""

    name: str = "told"
    description: str = "a variation of this test"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = "nothing"
    parameters: Mapping[str, Parameter] = MappingProxyType({"file": Parameter("", "a file", is_file=True)})

    def __init__(self, shots: Sequence[Example] = (), texts: Mapping[str, str | None] | None = None) -> None:
        self._shots, self._texts = shots, texts or {}

    def applies(self, example: Example) -> bool:
        return True

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        written = outside.write("writer", [Request(example.question, 0) for example in examples])
        texts = {example.example: text for example, text in zip(examples, written, strict=True)}
        return _Told(outside.pool(examples[0].dataset), texts)

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        shot = next((one for one in self._shots if one.example != example.example), None)
        text = self._texts.get(example.example)
        if shot is None or text is None:
            return ()
        number = f" {rng.random()}" if parameters["file"] else ""
        return (Draft("1", question=text + number, turns=(Message("user", shot.question), Message("assistant", "yes")), system="Be kind."),)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    known, told = registry.get, _Told()
    monkeypatch.setattr(registry, "get", lambda group, name: told if name == "told" else known(group, name))


_EXAMPLES = table(row("1", "Is it hot?"), row("2", "Is it cold?"))


def _upside_down(model: str, requests: Sequence[Request]) -> list[str | None]:
    assert model == "writer"
    return [" ".join(reversed(request.prompt.split())) for request in requests]


def test_a_variation_is_given_other_examples_and_a_model_that_writes() -> None:
    rows = vary(_EXAMPLES, ["told"], write=_upside_down, system="Be brief.").variants
    messages = rows.filter(example="1", variant="told-1")["messages"].to_list()[0]
    assert [(one["role"], one["content"].split("\n\nAnswer")[0]) for one in messages] == [
        ("system", "Be brief.\n\nBe kind."),
        ("user", "Is it cold?"),
        ("assistant", "yes"),
        ("user", "hot? it Is"),
    ]


def test_what_was_not_written_is_counted() -> None:
    varied = vary(_EXAMPLES, ["told"], write=lambda _, requests: [None, "Is it chilly?"])
    assert varied.counts.select("asked", "made").row(0) == (1, 1)
    assert varied.variants["variant"].to_list() == ["canonical", "canonical", "told-1"]


def test_a_model_that_cannot_be_asked_is_named() -> None:
    with pytest.raises(StudyError, match="'writer'"):
        vary(_EXAMPLES, ["told"])


def test_a_file_counts_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    def made(name: str, content: str) -> list[tuple[Any, ...]]:
        (tmp_path / name).write_text(content)
        variants = vary(_EXAMPLES, [f"told:file={tmp_path / name}"], write=_upside_down).variants
        return variants.filter(family="told").select("question", "parameters", "fingerprint").rows()

    first = made("a.txt", "one")
    assert first == made("b.txt", "one")
    assert first != made("a.txt", "two")
    assert str(tmp_path) not in str(first)


def test_a_file_that_is_not_there_is_named_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"nowhere\.txt"):
        vary(_EXAMPLES, [f"told:file={tmp_path / 'nowhere.txt'}"], write=_upside_down)


def test_such_a_variation_can_be_held_to_its_protocol() -> None:
    check_variation(_Told())
