"""Wordings that a language model writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.errors import StudyError
from sago.records import Draft, Example
from sago.seeds import seed_of
from sago.variations.protocol import Outside, Parameter, Request, Variation
from sago.variations.specs import short_name
from sago.variations.written import WRITTEN_CHECKS, cleaned, is_new, refusal

PROMPT_VERSION = 1
"""Goes up with every change of the shipped prompt: another prompt makes another family of wordings."""

PROMPT = (
    "Rewrite the question below in other words. Keep its meaning and its language. Keep every number, unit, name, quotation, formula and "
    "negation as it is. Leave nothing out, add nothing, do not answer it and do not explain anything. Reply with the rewritten question "
    "alone, on one line.\n\nQuestion: {question}\n\nRewritten question:"
)
_PLACE = "{question}"


class ParaphraseByModel:
    """One text a wording, each asked for by itself with a seed of its own; what breaks a rule is refused.

    Args:
        texts: Of each question that a model was asked about, what it wrote, in the order asked; null = it was not asked yet.
    """

    name: str = "paraphrase-by-model"
    description: str = "other wordings of the question that a model writes; kept, so that it is asked once"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = (
        "context and choices; numbers, negations, names, code, formulas, fields, links, and texts in the metadata field 'protect'"
    )
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(2, "how many wordings", minimum=1, maximum=20),
            "model": Parameter("embedded", "the model that writes, as --model names it", is_model=True),
            "temperature": Parameter(0.7, "of the draw; 0 = the likeliest text, and one wording", minimum=0.0, maximum=2.0),
            "prompt": Parameter("", "file with a prompt of your own; {question} in it stands for the question", is_file=True),
        }
    )

    def __init__(self, texts: Mapping[str, Sequence[str | None]] | None = None) -> None:
        self._texts = texts or {}

    def applies(self, example: Example) -> bool:
        """Returns whether the question has words."""
        return has_words(example.question)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns ``n``, or one where the likeliest text is asked for, of which there is one."""
        return int(parameters["n"]) if parameters["temperature"] else 1

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the variation with the texts that the model wrote of these examples."""
        prompt = _prompt(parameters["prompt"])
        questions = list(dict.fromkeys(example.question for example in examples))
        requests = [
            request_for(prompt.replace(_PLACE, question, 1), question, parameters["temperature"], (self.name, number))
            for question in questions
            for number in range(self.asked(examples[0], parameters))
        ]
        written = iter(outside.write(parameters["model"], requests))
        each = len(requests) // len(questions) if questions else 0
        return ParaphraseByModel({question: [next(written) for _ in range(each)] for question in questions})

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns what the model wrote, by its number; a text that breaks a rule as a refused draft, one that says the same as none."""
        given = {"model": short_name(parameters["model"]), "prompt_version": None if parameters["prompt"] else PROMPT_VERSION}
        drafts = (
            drafted(example, str(number), cleaned(text or "", example.question), given)
            for number, text in enumerate(self._texts.get(example.question, ()), start=1)
        )
        return tuple(draft for draft in drafts if draft is not None)


def request_for(prompt: str, text: str, temperature: float, drawn_by: tuple[Any, ...], **more: Any) -> Request:
    """Returns the request for a text that says what another text says: so long, and with a seed of its content alone."""
    room = 32 + len(text.encode("utf-8", "replace")) // 2
    return Request(prompt, seed_of(*drawn_by, prompt) if temperature else 0, temperature, max_new_tokens=min(room, 2048), **more)


def drafted(example: Example, name: str, wording: str, parameters: Mapping[str, Any]) -> Draft | None:
    """Returns the draft of one text, refused where it breaks a rule; null where it says nothing new."""
    if not is_new(wording, example.question):
        return None
    reason = refusal(example, wording)
    return Draft(name, question=wording, parameters=parameters, checks=() if reason else WRITTEN_CHECKS, refused=reason)


def has_words(question: str) -> bool:
    """Returns whether a question has words that could be others, and is no bare formula or number.

    >>> has_words("12 + 30 = ?"), has_words("今年是哪一年？")
    (False, True)
    """
    return any(letter.isalpha() for letter in question)


def _prompt(file: str) -> str:
    """Returns the prompt of a file, or the shipped one; what is put in for the question is never read as a prompt again."""
    if not file:
        return PROMPT
    try:
        prompt = Path(file).read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"cannot be read as a prompt: {error}", where=file, fix="Give the path of a text file") from error
    if prompt.count(_PLACE) != 1:
        raise StudyError(
            f"holds {_PLACE} {prompt.count(_PLACE)} times", where=file, fix=f"Write {_PLACE} where the question is to stand, once"
        )
    return prompt


paraphrase_by_model = ParaphraseByModel()
