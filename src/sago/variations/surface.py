"""What a reader hardly sees: marks at the end, spaces, letters that look alike, contractions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.contractions import drawn_together, written_out
from sago.variations.drawing import pick, random_order
from sago.variations.languages import is_english
from sago.variations.protect import Bounds, covered, exact_spans, named_by_user, outside, protected_in, spans_of
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_MARK = re.compile(r"(?<=[^\W_])([?!.;؟？！。।])\Z")
_GAP = re.compile(r" (?<=[^\W_\d½¼¾⅓⅔⅛] )(?=[^\W_\d½¼¾⅓⅔⅛])")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’](?=[^\W\d_])")
_LATIN_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{3,}(?![^\W_])")
_LIKE = {
    **dict(zip("aceijopsxyh", "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443\u04bb", strict=True)),
    **dict(
        zip("ABCEHIJKMOPSTXY", "\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u04ae", strict=True)
    ),
}
"""Latin letter -> Cyrillic letter of the same shape."""
_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}
_LIGATED = re.compile("|".join(_LIGATURES))
_SPACES = ("\u00a0", "\u2009", "\u202f")


class Surface:
    """One wording of each kind. Whatever is drawn stands outside protected spans.

    A decomposed spelling (NFD) is no kind: prompts that are equal after NFC count as one.
    """

    name: str = "surface"
    description: str = "final mark dropped or doubled, spaces doubled or of other kinds, look-alike letters, ligatures, contractions"
    intensity: str = "share"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = (
        "context and choices; numbers, units, quantifiers, names, quotations, code, links, formulas, fields, labels, choices and gold "
        "answers inside the question, texts in the metadata field 'protect'; the number of negations"
    )
    parameters: Mapping[str, Parameter]

    def __init__(self) -> None:
        self.parameters = MappingProxyType(
            {
                "kinds": Parameter("+".join(_DEFAULTS), f"which of {', '.join(_KINDS)}, joined by +"),
                "share": Parameter(0.3, "share of the places changed, where a kind has several; at least one", minimum=0.01, maximum=1.0),
            }
        )

    def applies(self, example: Example) -> bool:
        """Returns whether the question has a word or a sign to change."""
        return any(character.isalpha() for character in example.question)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of kinds; one that finds nothing to do is counted as dropped."""
        return len(_kinds(parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each kind that has something to do in the question."""
        drafts = []
        for kind in _kinds(parameters):
            question = _KINDS[kind](example, parameters["share"], rng)
            draft = Draft(kind, question=question, parameters={"kind": kind}, checks=("protected_spans",))
            if question != example.question and protected_in(example, draft):
                drafts.append(draft)
        return tuple(drafts)


Kind = Callable[[Example, float, np.random.Generator], str]


def _kinds(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return names_in(parameters["kinds"], tuple(_KINDS), "variation 'surface': kinds")


def _no_mark(example: Example, share: float, rng: np.random.Generator) -> str:
    return _at_end(example, "")


def _two_marks(example: Example, share: float, rng: np.random.Generator) -> str:
    return _at_end(example, r"\1\1")


def _at_end(example: Example, replacement: str) -> str:
    """Returns the question with another last mark; a mark that belongs to a protected span stays."""
    question = example.question
    mark = _MARK.search(question)
    if mark is None or any(start <= mark.start() < end for start, end in _untouchable(example)):
        return question
    return question[: mark.start()] + mark.expand(replacement) if replacement else question[: mark.start()]


def _double_spaces(example: Example, share: float, rng: np.random.Generator) -> str:
    return _replaced(example.question, _gaps(example), "  ", share, rng)


def _other_spaces(example: Example, share: float, rng: np.random.Generator) -> str:
    return _replaced(example.question, _gaps(example), _SPACES[pick(rng, len(_SPACES))], share, rng)


def _gaps(example: Example) -> list[Bounds]:
    """Returns the spaces that may change: none inside what is protected, between two parts of it (Henry VIII), or beside a number."""
    taken = [*_untouchable(example), *spans_of(example)]
    starts, ends = {start for start, _ in taken}, {end for _, end in taken}
    inside = covered(example.question, taken)
    gaps = (match.span() for match in _GAP.finditer(example.question))
    return [(start, end) for start, end in gaps if not inside[start] and not (start in ends and end in starts)]


def _look_alikes(example: Example, share: float, rng: np.random.Generator) -> str:
    question = example.question
    letters = [(at, at + 1) for start, end in _free_words(example, _LATIN_WORD) for at in range(start, end) if question[at] in _LIKE]
    return _replaced(question, letters, _LIKE, share, rng)


def _ligatures(example: Example, share: float, rng: np.random.Generator) -> str:
    question = example.question
    words = _free_words(example, _LATIN_WORD)
    pairs = [match.span() for start, end in words for match in _LIGATED.finditer(question, start, end)]
    return _replaced(question, pairs, _LIGATURES, share, rng)


def _full_width(example: Example, share: float, rng: np.random.Generator) -> str:
    question = example.question
    words = _free_words(example, _LATIN_WORD)
    wide = {question[start:end]: "".join(chr(ord(letter) + 0xFEE0) for letter in question[start:end]) for start, end in words}
    return _replaced(question, words, wide, share, rng)


def _apostrophes(example: Example, share: float, rng: np.random.Generator) -> str:
    """Returns the question with straight apostrophes curly, or the other way round where the first one is curly."""
    spans = [*exact_spans(example.question, named_by_user(example))]
    marks = [match.span() for match in _APOSTROPHE.finditer(example.question) if not _within(match.span(), spans)]
    if not marks:
        return example.question
    other = "’" if example.question[marks[0][0]] == "'" else "'"
    return _replaced(example.question, marks, other, 1.0, rng)


def _contracted(example: Example, share: float, rng: np.random.Generator) -> str:
    return _by_rule(example, drawn_together)


def _expanded(example: Example, share: float, rng: np.random.Generator) -> str:
    return _by_rule(example, written_out)


def _by_rule(example: Example, rule: Callable[[str], str]) -> str:
    question = example.question
    if not is_english(question):
        return question
    parts, position = [], 0
    for start, end in outside(question, _untouchable(example)):
        parts += [question[position:start], rule(question[start:end])]
        position = end
    return "".join([*parts, question[position:]])


def _untouchable(example: Example) -> tuple[Bounds, ...]:
    """Returns the spans into which no sign may come: what is exact, and quotations, where spaces and marks are the text's own."""
    exact = exact_spans(example.question, named_by_user(example))
    return tuple(sorted([*exact, *(match.span() for match in _QUOTED.finditer(example.question))]))


_QUOTED = re.compile(r"\"[^\"\n]+\"|“[^”\n]+”|«[^»\n]+»|„[^“”\n]+[“”]|「[^」\n]+」|(?<!\w)'[^'\n]+'(?!\w)|‘[^’\n]+’(?!\w)")


def _free_words(example: Example, pattern: re.Pattern[str]) -> list[Bounds]:
    spans = spans_of(example)
    words = (match.span() for match in pattern.finditer(example.question))
    return [word for word in words if not _within(word, spans) and not _has_marks(example.question, word[1])]


def _within(place: Bounds, spans: Sequence[Bounds]) -> bool:
    return any(start < place[1] and place[0] < end for start, end in spans)


def _has_marks(text: str, end: int) -> bool:
    return end < len(text) and unicodedata.combining(text[end]) > 0


def _replaced(text: str, places: Sequence[Bounds], new: str | Mapping[str, str], share: float, rng: np.random.Generator) -> str:
    """Returns the text with a share of the places, drawn at random, replaced; at least one where there is any."""
    wanted = max(1, round(share * len(places)))
    parts, position = [], 0
    for index in sorted(random_order(rng, len(places))[:wanted]):
        start, end = places[index]
        parts += [text[position:start], new if isinstance(new, str) else new[text[start:end]]]
        position = end
    return "".join([*parts, text[position:]])


_KINDS: dict[str, Kind] = {
    "no-mark": _no_mark,
    "two-marks": _two_marks,
    "double-spaces": _double_spaces,
    "other-spaces": _other_spaces,
    "look-alikes": _look_alikes,
    "ligatures": _ligatures,
    "full-width": _full_width,
    "apostrophes": _apostrophes,
    "contracted": _contracted,
    "expanded": _expanded,
}
_DEFAULTS = ("no-mark", "two-marks", "double-spaces", "look-alikes", "contracted", "expanded")

surface = Surface()
