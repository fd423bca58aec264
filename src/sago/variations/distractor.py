"""A paragraph that has nothing to do with the question, in front of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.drawing import random_order
from sago.variations.irrelevant import OWN
from sago.variations.mentions import answers_of, names_any
from sago.variations.protocol import Outside, Parameter, Variation
from sago.variations.words import STARTERS

_MOST = 10
_END = re.compile(r"[.!?。！？।][\"'”’»)\]]*(?=\s|\Z)|[。！？][”」』）]*")
_GOES_ON = frozenset("0123456789,;:)")
_ABBREVIATED = re.compile(r"(?:^|[\s(\"“])(?:[^\W\d_]|[A-Z][a-z]{0,2}|[^\W\d_](?:\.[^\W\d_])+|etc|vol|approx|ca|cf|vs|ed|eds)\.$")
_STATEMENT = re.compile(r"[.!。！।][\"'”’»)\]」』）]*\s*\Z")
_ASKING = re.compile(r"\W*(?:how|what|which|who|when|where|why|if|find|calculate)\b", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


class Distractor:
    """Sentences about something else: own neutral ones (in English), or those of another example of the same data set.

    A text that names a choice or a gold answer is not used; one of the data also not where it shares a name with the example or asks
    something itself. Where every text would have to go, the draft is refused and counted. What another example says depends on the data set
    (at most a hundred of its examples, picked by content).
    """

    name: str = "distractor"
    description: str = "a paragraph about something else in front of the question"
    intensity: str = "sentences"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte; no choice and no gold answer is named"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(1, "how many paragraphs, each in a wording of its own", minimum=1, maximum=len(OWN)),
            "sentences": Parameter(3, "length of the paragraph; of the data it may be shorter", minimum=1, maximum=_MOST),
            "source": Parameter("own", "neutral texts of this program, or another example of the data set", options=("own", "data")),
            "place": Parameter("context", "in front of the context, as part of it, or in front of everything", options=("context", "lead")),
        }
    )

    def __init__(self, paragraphs: tuple[tuple[Example, str], ...] | None = None, originals: Iterable[Example] = ()) -> None:
        self._paragraphs = paragraphs
        self._originals = {(one.dataset, one.example): one for one in originals}

    def applies(self, example: Example) -> bool:
        """Returns whether there is a text; the own ones there are always."""
        return self._paragraphs is None or any(_is_apart(one, text, self._all_of(example)) for one, text in self._paragraphs)

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the family with the paragraphs of the data set, and with the examples as they were before anything was changed."""
        if parameters["source"] == "own":
            return Distractor(None, examples)
        found = ((one, _statements(one, parameters["sentences"])) for one in outside.pool(examples[0].dataset))
        return Distractor(tuple((one, text) for one, text in found if text), examples)

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns up to ``n`` drafts: own texts by their names, in their fixed order; those of the data drawn, and numbered."""
        shown = self._all_of(example)
        answers = [answer for one in shown for answer in answers_of(one)]
        if self._paragraphs is None:
            texts = {name: " ".join(sentences[: parameters["sentences"]]) for name, sentences in OWN.items()}
            clean = [name for name, text in texts.items() if not names_any(text, answers)]
            rest = [name for name in texts if name not in clean]
            return tuple(
                _draft(name, texts[name], example, parameters, refused="names an answer" if name in rest else None)
                for name in [*clean, *rest][: parameters["n"]]
            )
        drafts: list[Draft] = []
        for index in random_order(rng, len(self._paragraphs)):
            source, text = self._paragraphs[index]
            if len(drafts) < parameters["n"] and _is_apart(source, text, shown):
                drafts.append(_draft(str(len(drafts) + 1), text, example, parameters, taken_from=source.example))
        return tuple(drafts)

    def _all_of(self, example: Example) -> tuple[Example, ...]:
        """Returns an example as it is shown, and as it was before the variation below this one changed it."""
        original = self._originals.get((example.dataset, example.example), example)
        return (example,) if original == example else (example, original)


def sentences_in(text: str) -> list[str]:
    """Returns the sentences of a text, each with the white space behind it, so that joined they are the text again.

    >>> sentences_in('He met Mr. Li at 3.5 km. "Hello!" Then? 走吧。好。')
    ['He met Mr. Li at 3.5 km. ', '"Hello!" ', 'Then? ', '走吧。', '好。']
    """
    parts, start = [], 0
    for end in _END.finditer(text):
        rest = text[end.end() :].lstrip()
        # What goes on small or with a digit goes on with the sentence: "(max. 115.7 m)", "No. 5", "etc. and".
        if _ABBREVIATED.search(text[start : end.end()]) or (rest and rest[0] in _GOES_ON) or rest[:1].islower():
            continue
        stop = len(text) - len(rest)
        parts.append(text[start:stop])
        start = stop
    return [*parts, text[start:]] if start < len(text) else parts


def _statements(example: Example, most: int) -> str:
    """Returns the first statements of an example: of its context, or else of its question up to where it asks something."""
    sentences = sentences_in(example.question if example.context is None else example.context)
    taken: list[str] = []
    for sentence in sentences[:most]:
        if not _STATEMENT.search(sentence) or _ASKING.match(sentence):
            break
        taken.append(sentence)
    return "".join(taken).strip()


def _is_apart(source: Example, text: str, shown: Sequence[Example]) -> bool:
    """Returns whether a text of one example has nothing to do with another one, as far as words tell."""
    for example in shown:
        is_same = source.example == example.example or source.question.strip() == example.question.strip()
        if is_same or (example.context is not None and text in example.context):
            return False
        if names_any(text, answers_of(example)) or _share_a_name(text, example.question):
            return False
    return True


def _share_a_name(one: str, other: str) -> bool:
    """Returns whether a word that may be a name in one text stands in the other, in any case: some data writes names small."""
    return not (_names(one).isdisjoint(_words(other)) and _names(other).isdisjoint(_words(one)))


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    """Returns the words with a capital that no usual start of a sentence explains, small and without their genitive."""
    found = (match[0] for match in _NAME.finditer(text) if match[0] != match[0].lower())
    return frozenset(_bare(word) for word in found) - STARTERS


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(_bare(match[0]) for match in _NAME.finditer(text))


def _bare(word: str) -> str:
    return word.casefold().removesuffix("'s").removesuffix("’s")


def _draft(
    name: str, text: str, example: Example, parameters: Mapping[str, Any], *, taken_from: str | None = None, refused: str | None = None
) -> Draft:
    said: dict[str, Any] = {"sentences": len(sentences_in(text))}
    if taken_from is not None:
        said["taken_from"] = taken_from
    if parameters["place"] == "lead":
        return Draft(name, lead=text, parameters=said, refused=refused)
    context = text if not example.context else text + "\n\n" + example.context
    return Draft(name, context=context, parameters=said, refused=refused)


distractor = Distractor()
