"""Responses that go through the options and choose none: the options said again one after the other, with or without their labels."""

from __future__ import annotations

import re

from sago.features.choice_texts import text_pattern

_BETWEEN = re.compile(r"[\s.,;:|/{}\[\]()\"'•–-]*")
_NUMBER = re.compile(r"\(?\d{1,2}[.):](?=\s)\s*")
_BEHIND_LABEL = re.compile(r"[\"')\].:,\s–-]*")
_ENDS = re.compile(r"[)\].:,;]*(?:\s|\Z)")
_SUBJECT = re.compile(r"(?:\A|(?<=[.!?;]\s)|(?<=\n))\s*(?P<name>[^\W\d_]+(?:[ ][^\W\d_]+){0,2}):(?=\s)")
_LABELLED = re.compile(r"(?:\A|(?<=[.!?;]\s)|(?<=\n))\s*\(?(?P<label>\w{1,2})[.):](?=\s+\S)")


def enumerates(text: str, labels: tuple[str, ...], texts: tuple[str, ...]) -> bool:
    r"""Returns whether a response is nothing but two or more options, none of them twice: ``(A) Mars. (B) Venus.``, or one below the other.

    Args:
        text: The response without decoration.
        labels: Labels as shown, without brackets; empty where none were.
        texts: Choice texts as they are compared; empty ones are not known.

    >>> enumerates("(A) Mars. (B) Venus.", ("A", "B"), ("mars", "venus")), enumerates("B) Venus", ("A", "B"), ("mars", "venus"))
    (True, False)
    >>> enumerates("A. Mars\nB. Venus\n\nB", ("A", "B", "C"), ("mars", "venus", "earth"))
    False
    """
    place = _end_of(_BETWEEN, text, 0)
    said: list[int] = []
    while place < len(text):
        item = _item(text, place, labels, texts)
        if item is None or item[0] in said:
            return False
        said.append(item[0])
        place = _end_of(_BETWEEN, text, item[1])
    return len(said) > 1


def walks_through(text: str, labels: tuple[str, ...], texts: tuple[str, ...]) -> bool:
    """Returns whether sentences are about one option after the other: all labels (``A: cold. B: hot.``) or texts (``Positive: ...``).

    >>> walks_through("A: It is cold. B: It is hot.", ("A", "B"), ("mars", "venus")), walks_through("B. It is hot.", ("A", "B"), ("", ""))
    (True, False)
    """
    said = {match["name"] for match in _SUBJECT.finditer(text)}
    named = [known for known in texts if known and any(known == name.casefold() for name in said)]
    opened = _SUBJECT.match(text)
    called = {match["label"] for match in _LABELLED.finditer(text)}
    begins = _LABELLED.match(text)
    by_label = len(labels) > 1 and begins is not None and set(labels) <= called
    return by_label or (opened is not None and opened["name"].casefold() in named and len(named) > 1)


def _item(text: str, place: int, labels: tuple[str, ...], texts: tuple[str, ...]) -> tuple[int, int] | None:
    """Returns the option that stands at a place, by its label, its text or both, and where it ends."""
    for index, label in enumerate(labels):
        if text.startswith(label, place):
            end = place + len(label)
            named = text_pattern(texts[index]).match(text, _end_of(_BEHIND_LABEL, text, end)) if texts[index] else None
            if named is not None:
                return index, named.end()
    number = _NUMBER.match(text, place)
    for start in (place, number.end()) if number else (place,):
        found = _named(text, start, texts)
        if found is not None:
            return found
    bare = [index for index, label in enumerate(labels) if text.startswith(label, place) and _ENDS.match(text, place + len(label))]
    return (bare[0], place + len(labels[bare[0]])) if bare else None


def _named(text: str, place: int, texts: tuple[str, ...]) -> tuple[int, int] | None:
    for index in sorted(range(len(texts)), key=lambda at: -len(texts[at])):
        match = text_pattern(texts[index]).match(text, place) if texts[index] else None
        if match is not None:
            return index, match.end()
    return None


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
