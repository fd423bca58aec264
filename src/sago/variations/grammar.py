"""The grammar of prompt formats: what stands around and between the fields of a prompt, as data.

The space is that of the prompt-format literature (Sclar et al. 2023): names of the fields, their case, what stands between a name and its
value, between two fields, around the label of an option, between two options, and the style of the labels. Every point of it has a name
that says in which fields it differs from the canonical layout, from which the point can be told again.

The order of the points is one fixed shuffle, by hash of their names: no seed and no example has a part in it, so that all examples of
all studies get the same formats (wordings are crossed with examples, METRICS 2.7), and the first five of six are the first five.

Left out on purpose: a bare space behind a name ("Question Mark Twain was born ..."), a single dash or an equals sign behind it (a minus or
a formula in front of numbers), ``<A>`` as a label (readers of answers take it for a tag), and fields that nothing parts but a space.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType

from sago.seeds import content_hash
from sago.variations.parts import LABELS, PLAIN, LabelStyle, Layout, Parts

FIELD_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "none": (),
        "words": ("Context", "Question", "Options", "Instruction", "Answer"),
        "short": ("Text", "Q", "Choices", "Task", "A"),
        "problem": ("Passage", "Problem", "Alternatives", "Directions", "Solution"),
        "input": ("Background", "Input", "Candidates", "Request", "Output"),
    }
)
"""Names of context, question, options and instruction, and the cue for the answer."""
CASES: Mapping[str, Callable[[str], str]] = MappingProxyType({"title": str, "lower": str.lower, "upper": str.upper})
"""Casing of the field names."""
SEPARATORS: Mapping[str, str] = MappingProxyType(
    {"colon": ": ", "colon-line": ":\n", "line": "\n", "dashes": " -- ", "colons": " :: ", "bar": " | ", "tab": "\t"}
)
"""What stands between a field's name and its value."""
GAPS: Mapping[str, str] = MappingProxyType({"blank": "\n\n", "line": "\n", "lines": "\n\n\n", "rule": "\n---\n", "bars": " || "})
"""What stands between two fields."""
MARKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"dot": ("", ". "), "paren": ("", ") "), "parens": ("(", ") "), "brackets": ("[", "] "), "colon": ("", ": "), "bold": ("**", "** ")}
)
"""What stands around the label of an option."""
JOINS: Mapping[str, str] = MappingProxyType({"line": "\n", "blank": "\n\n", "semicolon": "; ", "comma": ", ", "bar": " | "})
"""What stands between two options."""


@dataclass(frozen=True, slots=True)
class Point:
    """One format: for each field of the grammar the name of its value; the defaults are the canonical layout."""

    names: str = "none"
    case: str = "title"
    separator: str = "colon"
    gap: str = "blank"
    mark: str = "dot"
    options: str = "line"
    labels: LabelStyle = "letters"


SPACE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "names": tuple(FIELD_NAMES),
        "case": tuple(CASES),
        "separator": tuple(SEPARATORS),
        "gap": tuple(GAPS),
        "mark": tuple(MARKS),
        "options": tuple(JOINS),
        "labels": tuple(style for style in LABELS if style != "none"),
    }
)
"""Field of the grammar -> its values, the canonical one first."""

_FIELDS = tuple(field.name for field in fields(Point))
_CANONICAL = Point()
_OPTIONS = 2  # place of the options among the fields of a prompt
_OF_OPTIONS = frozenset({"mark", "options", "labels"})


def name_of(point: Point) -> str:
    """Returns the name of a point: the fields in which it differs from the canonical layout, with their values.

    >>> name_of(Point(names="short", gap="rule")), name_of(Point())
    ('names-short.gap-rule', 'plain')
    """
    return ".".join(f"{field}-{getattr(point, field)}" for field in differing(point)) or PLAIN


@lru_cache(maxsize=4096)
def point_named(name: str) -> Point | None:
    """Returns the point of that name, or null where there is none; of each point there is one name alone.

    >>> point_named("names-short.gap-rule") == Point(names="short", gap="rule"), point_named("gap-rule.names-short")
    (True, None)
    """
    values = dict(part.partition("-")[::2] for part in name.split("."))
    if name != PLAIN and any(value not in SPACE.get(field, ()) for field, value in values.items()):
        return None
    point = _CANONICAL if name == PLAIN else Point(**values)  # type: ignore[arg-type]
    return point if _is_sound(point) and name_of(point) == name else None


@lru_cache(maxsize=4096)
def layout_named(name: str) -> Layout | None:
    """Returns the layout of the point of that name, or null where there is none."""
    point = point_named(name)
    return None if point is None else Layout(name, point.labels, lambda parts: _placed(point, parts))


def differing(point: Point) -> tuple[str, ...]:
    """Returns the fields in which a point differs from the canonical layout; their number is its intensity."""
    return tuple(field for field in _FIELDS if getattr(point, field) != getattr(_CANONICAL, field))


def shows_in_open_questions(point: Point) -> bool:
    """Returns whether a point changes anything of a prompt without options."""
    return not _OF_OPTIONS.issuperset(differing(point))


@lru_cache(maxsize=32)
def points(count: int = 0, *, any_labels: bool = False) -> tuple[str, ...]:
    """Returns the names of the points other than the canonical one, in their fixed order.

    Args:
        count: How many fields differ from the canonical layout; 0 = any number.
        any_labels: Whether labels may be others than letters.
    """
    values = [SPACE[field] if any_labels or field != "labels" else ("letters",) for field in _FIELDS]
    sound = (point for made in itertools.product(*values) if _is_sound(point := Point(*made)))  # type: ignore[arg-type]
    wanted = (point for point in sound if point != _CANONICAL and count in (0, len(differing(point))))
    return tuple(sorted(map(name_of, wanted), key=lambda name: content_hash("prompt format", name)))


def _is_sound(point: Point) -> bool:
    """Returns whether every field has its effect: without names there is nothing to put in capitals or to part from a value.

    And whether the cue for the answer is no label: behind options ``A: red`` and ``B: blue`` a last line ``A:`` would name the first.
    """
    if point.names == "none":
        return (point.case, point.separator) == (_CANONICAL.case, _CANONICAL.separator)
    letters = "small_letters" if point.case == "lower" else "letters"
    is_label = point.names == "short" and point.mark == "colon" and point.separator in ("colon", "colon-line") and point.labels == letters
    return not is_label


def _placed(point: Point, parts: Parts) -> str:
    join = JOINS[point.options]
    options = join.join(parts.options(*MARKS[point.mark])) if parts.choices else None
    values = (parts.context, parts.question, options, parts.instruction)
    return GAPS[point.gap].join(_with_names(point, values, join) if FIELD_NAMES[point.names] else _given(values))


def _given(values: Sequence[str | None]) -> list[str]:
    return [value for value in values if value is not None]


def _with_names(point: Point, values: Sequence[str | None], join: str) -> list[str]:
    """Returns each field behind its name, and the cue for the answer; a list of several lines starts on a line of its own."""
    separator = SEPARATORS[point.separator]
    *names, cue = map(CASES[point.case], FIELD_NAMES[point.names])
    placed = []
    for place, (name, value) in enumerate(zip(names, values, strict=True)):
        if value is not None:
            starts_a_line = place == _OPTIONS and "\n" in join
            placed.append(name + (separator.rstrip() + "\n" if starts_a_line else separator) + value)
    return [*placed, cue + separator.rstrip()]
