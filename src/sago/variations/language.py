"""The question in another language, where a translation is given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import polars as pl

from sago.errors import DataError, StudyError
from sago.records import Draft, Example
from sago.variations.given_rows import Given, Matches, Row, given_by, keys_of, read_rows, text_in, unmatched_note
from sago.variations.protocol import Outside, Parameter, Variation

FIELD = "translations"
"""Field of the data that gives translations; it stands in the metadata of an example."""

_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

TRANSLATION = "language"
"""Name of the family whose wordings are in another language than the question."""


@dataclass(frozen=True, slots=True)
class Translation:
    """One translation as given; null = that part stays in the language of the data.

    Attributes:
        language: Code of the language, for instance ``de``.
        question: The question.
        choices: The choices, in the order of the data.
        context: The context.
        instruction: What the prompt asks for.
    """

    language: str
    question: str
    choices: tuple[str, ...] | None = None
    context: str | None = None
    instruction: str | None = None


class Language:
    """Translations that the data or a file gives; none is made here.

    In the data: ``"translations": {"de": "..."}``, or objects with ``question``, ``choices``, ``context``, ``instruction`` in place of the
    text, or a list of objects that name their ``language``. In a file: rows ``{"id": ..., "language": "de", "question": ...}``, or
    ``{"question": ..., "language": "de", "text": ...}``; a file goes before the data. Choices are mapped back to those of the data, so an
    answer by label, by choice or by number is the same answer in any language. Short free text is not: there an answer in another language
    counts as another answer.
    """

    name: str = TRANSLATION
    description: str = "translations of the question that the data gives, or a file"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = "what the translation leaves out: choices, context, instruction"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(3, "most languages to take, in the order of their codes", minimum=1, maximum=100),
            "languages": Parameter("", "codes of the languages, joined by +; then n is not used"),
            "file": Parameter("", "file of translations by id or question: JSON lines or CSV", is_file=True),
        }
    )

    def __init__(self, given: Mapping[tuple[str, str], tuple[Translation, ...]] | None = None, originals: Iterable[Example] = ()) -> None:
        self._given = given
        self._originals = {(one.dataset, one.example): one for one in originals}

    def applies(self, example: Example) -> bool:
        """Returns whether there is a translation; without the file at hand there may be."""
        return self._given is None or bool(self._translations(example))

    def check(self, parameters: Mapping[str, Any], examples: pl.DataFrame) -> Sequence[str]:
        """Reads the file and tells which of its rows belong to no example."""
        _codes(parameters)
        return unmatched_note("language", _matches(parameters["file"]), examples) if parameters["file"] else ()

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the family with the translations of these examples."""
        matches = _matches(parameters["file"]) if parameters["file"] else None
        given: dict[tuple[str, str], tuple[Translation, ...]] = {}
        for one in examples:
            translations = (*(matches.of(one) if matches else ()), *_of_data(one))
            by_code: dict[str, Translation] = {}
            for translation in translations:
                _check_choices(translation, one)
                by_code.setdefault(translation.language, translation)
            wanted = _codes(parameters)
            given[one.dataset, one.example] = tuple(by_code[code] for code in (wanted or sorted(by_code)) if code in by_code)
        return Language(given, examples)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns how many translations are taken."""
        found = self._translations(example)
        return len(found) if parameters["languages"] else min(len(found), int(parameters["n"]))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each language, named by its code; nothing is drawn."""
        drafts = []
        for given in self._translations(example)[: self.asked(example, parameters)]:
            choices = self._shown(example, given)
            if (given.choices is None or choices is not None) and (given.question.strip() != example.question.strip() or choices):
                drafts.append(
                    Draft(given.language, question=given.question, choices=choices, context=given.context, instruction=given.instruction)
                )
        return tuple(drafts)

    def _translations(self, example: Example) -> tuple[Translation, ...]:
        return (self._given or {}).get((example.dataset, example.example), ())

    def _shown(self, example: Example, given: Translation) -> tuple[str, ...] | None:
        """Returns the translated choices in the order in which the example shows its own; null where there are none, or it is not sure."""
        original = self._originals[example.dataset, example.example].choices
        if given.choices is None or not original or not example.choices:
            return None
        if example.choices == original:
            return given.choices
        if len(set(original)) < len(original) or not set(example.choices) <= set(original):
            return None
        return tuple(given.choices[original.index(shown)] for shown in example.choices)


def _codes(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the codes that are asked for; none = all.

    Raises:
        StudyError: If one is no code, or is given twice.
    """
    codes = tuple(code.strip() for code in parameters["languages"].split("+")) if parameters["languages"] else ()
    wrong = next((code for code in codes if not _CODE.fullmatch(code)), None)
    if wrong is not None or len(set(codes)) < len(codes):
        what = f"'{wrong}' is no code of a language" if wrong is not None else f"a language is given twice in '{'+'.join(codes)}'"
        raise StudyError(what, where="variation 'language': languages", fix="Give codes such as de, fr or pt-BR, joined by +")
    return codes


def _matches(path: str) -> Matches:
    return Matches(given_by(read_rows(path), path, _read))


def _read(row: Row) -> list[Given]:
    """Returns a row: where it has a ``text``, that is the translation and ``question`` says whose it is."""
    has_text = text_in(row, "text") is not None
    example, question, dataset = keys_of(row) if has_text else (*keys_of(Row(row.line, {**row.fields, "question": None})),)
    fields = {**row.fields, "question": row.fields["text"]} if has_text else row.fields
    return [Given(row.line, example, question, dataset, _translation(fields.get("language"), fields))]


def _of_data(example: Example) -> tuple[Translation, ...]:
    given = example.metadata.get(FIELD)
    where = f"dataset '{example.dataset}', example '{example.example}'"
    try:
        if isinstance(given, str) and given.strip():
            given = json.loads(given)
        if given is None or given == "":
            return ()
        if isinstance(given, Mapping):
            pairs = [(code, value if isinstance(value, Mapping) else {"question": value}) for code, value in given.items() if value]
        elif isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(value, Mapping) for value in given):
            pairs = [(value.get("language"), value) for value in given]
        else:
            raise DataError("is neither an object nor a list of objects")
        return tuple(_translation(code, value) for code, value in pairs)
    except (ValueError, RecursionError) as error:
        raise DataError(f"its '{FIELD}' is no JSON", where=where) from error
    except DataError as error:
        raise DataError(f"its '{FIELD}': {error.what}", where=where) from error


def _translation(code: Any, fields: Mapping[str, Any]) -> Translation:
    row = Row(0, fields)
    if not isinstance(code, str) or not _CODE.fullmatch(code.strip()):
        raise DataError("names no language in 'language'" if code is None else f"{code!r} is no code of a language such as de or pt-BR")
    question = text_in(row, "question", "text")
    if question is None:
        raise DataError("no translated question")
    choices = fields.get("choices")
    if isinstance(choices, str) and choices.strip():
        try:
            choices = json.loads(choices)
        except (ValueError, RecursionError) as error:
            raise DataError("its 'choices' is no JSON list") from error
    if choices in (None, ""):
        choices = None
    elif not isinstance(choices, list) or not all(isinstance(choice, str) and choice.strip() for choice in choices):
        raise DataError("its 'choices' is no list of texts")
    texts = None if choices is None else tuple(choices)
    return Translation(code.strip(), question, texts, text_in(row, "context"), text_in(row, "instruction"))


def _check_choices(given: Translation, example: Example) -> None:
    if given.choices is not None and len(given.choices) != len(example.choices or ()):
        raise DataError(
            f"its translation '{given.language}' has another number of choices than the example: {len(given.choices)}, not "
            f"{len(example.choices or ())}",
            where=f"dataset '{example.dataset}', example '{example.example}'",
            fix="Give one translation of each choice, in the order of the data",
        )


language = Language()
