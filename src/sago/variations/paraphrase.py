"""Other wordings that the data gives, or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import polars as pl

from sago.errors import DataError
from sago.records import Draft, Example
from sago.variations.given_rows import Given, Matches, Row, given_by, key_of, keys_of, read_rows, text_in, unmatched_note
from sago.variations.protocol import Outside, Parameter, Variation

_WORDING = ("paraphrase", "wording", "text")
_WORDINGS = "paraphrases"


class Paraphrase:
    """The wordings of a file, then those that the data gives, in their order.

    A row of the file is ``{"id": ..., "paraphrase": ...}`` or ``{"question": ..., "paraphrase": ...}``, or has a list ``paraphrases``;
    ``dataset`` may be named too. Whether a wording keeps the meaning is the word of whoever gave it, checked by rule only.
    """

    name: str = "paraphrase"
    description: str = "other wordings of the question that the data gives, or a file"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = "context and choices"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(3, "most wordings to take, those of the file first, each in its order", minimum=1, maximum=1000),
            "file": Parameter("", "file of wordings by id or question: JSON lines or CSV", is_file=True),
        }
    )

    def __init__(self, given: Mapping[tuple[str, str], tuple[str, ...]] | None = None) -> None:
        self._given = given

    def applies(self, example: Example) -> bool:
        """Returns whether there are other wordings; without the file at hand there may be."""
        return self._given is None or bool(self._wordings(example))

    def check(self, parameters: Mapping[str, Any], examples: pl.DataFrame) -> Sequence[str]:
        """Reads the file and tells which of its rows belong to no example."""
        return unmatched_note("paraphrase", _matches(parameters["file"]), examples) if parameters["file"] else ()

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the family with the wordings of the file for these examples."""
        if not parameters["file"]:
            return Paraphrase({})
        matches = _matches(parameters["file"])
        return Paraphrase({(one.dataset, one.example): matches.of(one) for one in examples})

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns how many wordings are taken: ``n``, or all that there are."""
        return min(int(parameters["n"]), len(self._wordings(example)))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns the first ``n`` wordings, named by their place."""
        return tuple(
            Draft(str(place), question=wording)
            for place, wording in enumerate(self._wordings(example)[: parameters["n"]], start=1)
            if wording.strip() and wording.strip() != example.question.strip()
        )

    def _wordings(self, example: Example) -> tuple[str, ...]:
        given = (self._given or {}).get((example.dataset, example.example), ())
        return tuple(dict.fromkeys((*given, *example.paraphrases))) if given else example.paraphrases


def _matches(path: str) -> Matches:
    return _matched(read_rows(path), path)


def _matched(rows: tuple[Row, ...], path: str) -> Matches:
    return Matches(given_by(rows, path, _read))


def _read(row: Row) -> list[Given]:
    example, question, dataset = keys_of(row)
    wordings = row.fields.get(_WORDINGS)
    if wordings is None:
        wordings = [text_in(row, *_WORDING)]
    if not isinstance(wordings, list) or not wordings or not all(isinstance(one, str) and one.strip() for one in wordings):
        raise DataError(f"no wording in '{_WORDING[0]}', and no list of wordings in '{_WORDINGS}'")
    same = [one for one in wordings if question is not None and key_of(one) == question]
    if same:
        raise DataError("its wording is the question itself")
    return [Given(row.line, example, question, dataset, one) for one in wordings]


paraphrase = Paraphrase()
