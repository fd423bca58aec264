"""Answered examples in front of the question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal
from unicodedata import normalize

import numpy as np

from sago.records import Draft, Example, Message
from sago.variations.drawing import random_order
from sago.variations.mentions import names_any
from sago.variations.protocol import Outside, Parameter, Variation
from sago.variations.rendering import render

_MOST = 16
_LETTER = re.compile(r"[^\W\d_]")
_PIECE = re.compile(r"[\w+*/^=<>%$-]+")


@dataclass(frozen=True, slots=True)
class _Shot:
    """An answered example.

    Attributes:
        example: The example.
        text: Its canonical prompt.
        reply: Its gold answer in the form that the prompt asks for.
    """

    example: Example
    text: str
    reply: str


class FewShot:
    """Other examples of the data set with their gold answers, each in the canonical wording.

    What is shown depends on the data set: shots come from at most a hundred of its examples, picked by content, of the same task and with
    a gold answer. Never shown are the example itself, one with its question, its context or one of its paraphrases, and for free text one
    that names its gold answer. Where the data set has fewer than ``shots``, all of them are shown, and their number is recorded.
    """

    name: str = "few-shot"
    description: str = "answered examples of the data set in front of the question"
    intensity: str = "shots"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte; the gold answer of the example itself is never shown"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(1, "how many sets of shots", minimum=1, maximum=20),
            "shots": Parameter(3, "how many answered examples", minimum=1, maximum=_MOST),
            "choice": Parameter(
                "drawn", "others in each set, the same in another order, or the same for all examples", options=("drawn", "kept", "shared")
            ),
            "order": Parameter("drawn", "order of the shots", options=("drawn", "short-first", "long-first")),
            "place": Parameter("turns", "as turns of a conversation, or inside the prompt", options=("turns", "text")),
        }
    )

    def __init__(self, shots: tuple[_Shot, ...] | None = None, originals: Iterable[Example] = ()) -> None:
        self._shots = shots
        self._originals = {(one.dataset, one.example): one for one in originals}
        self._last: tuple[Example, list[_Shot]] | None = None

    def applies(self, example: Example) -> bool:
        """Returns whether the data set has an answered example to show with this one."""
        return self._shots is None or bool(self._suited(example))

    def prepared(self, examples: Sequence[Example], parameters: Mapping[str, Any], outside: Outside) -> Variation:
        """Returns the family with the answered examples of the data set, and with the examples before anything was changed."""
        shots = (_shot(one) for one in outside.pool(examples[0].dataset))
        return FewShot(tuple(shot for shot in shots if shot is not None), examples)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of sets: ``n``, or as many as differ."""
        count = len(self._suited(example))
        size = min(int(parameters["shots"]), count)
        orders = math.factorial(size) if parameters["order"] == "drawn" else 1
        most = {"drawn": math.comb(count, size) * orders, "kept": orders, "shared": count // size if size else 0}
        return min(int(parameters["n"]), most[parameters["choice"]])

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns up to ``n`` drafts; nothing is drawn for shots that all examples share."""
        suited = self._suited(example)
        wanted = self.asked(example, parameters)
        if parameters["choice"] == "shared":
            sets = [self._shared(example, place, parameters["shots"]) for place in range(wanted)]
            return tuple(_draft(f"set-{place}", _ordered(shots, parameters), parameters) for place, shots in enumerate(sets, start=1))
        drafts: dict[tuple[str, ...], Draft] = {}
        kept: list[_Shot] | None = None
        while len(drafts) < wanted:
            shots = [suited[index] for index in random_order(rng, len(suited))[: parameters["shots"]]] if kept is None else kept
            if parameters["choice"] == "kept":
                kept = shots
                shots = [shots[index] for index in random_order(rng, len(shots))]
            shots = _ordered(shots, parameters)
            shown = tuple(shot.example.example for shot in shots)
            if shown not in drafts:
                drafts[shown] = _draft(str(len(drafts) + 1), shots, parameters)
        return tuple(drafts.values())

    def _suited(self, example: Example) -> list[_Shot]:
        if self._last is None or self._last[0] is not example:  # asked for several times in a row
            original = self._originals.get((example.dataset, example.example), example)
            found = [shot for shot in self._shots or () if _may_show(shot, original) and _may_show(shot, example)]
            self._last = example, found
        return self._last[1]

    def _shared(self, example: Example, place: int, size: int) -> list[_Shot]:
        """Returns one of the sets that all examples share; what must not be shown here gives way to the first that is in no set before."""
        suited = self._suited(example)
        same_task = [shot for shot in self._shots or () if shot.example.task == example.task]
        mine = [shot for shot in same_task[place * size : (place + 1) * size] if shot in suited]
        spare = [shot for shot in [*same_task[(place + 1) * size :], *same_task[: place * size]] if shot in suited]
        return [*mine, *spare[: size - len(mine)]]


def _shot(example: Example) -> _Shot | None:
    """Returns an example with its answer; null where it has no gold answer."""
    prompt = render(example)
    if example.choices:
        if example.answer_index is None:
            return None
        return _Shot(example, prompt.text, (prompt.labels or example.choices)[example.answer_index])
    return _Shot(example, prompt.text, example.answers[0]) if example.answers and example.answers[0].strip() else None


def _may_show(shot: _Shot, example: Example) -> bool:
    one = shot.example
    if one.example == example.example or one.task != example.task or bool(one.choices) != bool(example.choices):
        return False
    forbidden = {_plain(text) for text in (example.question, *example.paraphrases, *((example.twin.question,) if example.twin else ()))}
    is_asked = _plain(one.question) in forbidden or _plain(example.question) in map(_plain, one.paraphrases)
    if is_asked or (one.context is not None and one.context == example.context):
        return False
    return example.task != "text" or not names_any(shot.text + "\n" + shot.reply, example.answers)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Returns the words of a text in small letters; of a text without words its signs, so that "1 + 2" is not "1 - 2"."""
    folded = normalize("NFC", " ".join(text.split())).casefold()
    return " ".join(_PIECE.findall(folded)) if _LETTER.search(folded) else folded


def _ordered(shots: Sequence[_Shot], parameters: Mapping[str, Any]) -> list[_Shot]:
    if parameters["order"] == "drawn":
        return list(shots)
    return sorted(shots, key=lambda shot: (len(shot.text), shot.text, shot.example.example), reverse=parameters["order"] == "long-first")


def _draft(name: str, shots: Sequence[_Shot], parameters: Mapping[str, Any]) -> Draft:
    said = {"shots": len(shots), "shown": [shot.example.example for shot in shots]}
    if parameters["place"] == "text":
        return Draft(name, lead="\n\n".join(shot.text + "\n" + shot.reply for shot in shots), parameters=said)
    turns = [turn for shot in shots for turn in (Message("user", shot.text), Message("assistant", shot.reply))]
    return Draft(name, turns=tuple(turns), parameters=said)


few_shot = FewShot()
