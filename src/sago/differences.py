"""What changed between two wordings, as spans that a terminal or a page can colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz.distance import Levenshtein

Kind = Literal["same", "inserted", "deleted", "replaced"]

# Words with their inner apostrophes; scripts without spaces (Han, kana, Hangul, Thai) go character by character.
_TOKEN = re.compile(
    r"[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)*|\s+|.",
    re.DOTALL,
)
# The same for texts of ASCII signs alone, in half the time; four control characters are blanks, which re.ASCII forgets.
_ASCII_TOKEN = re.compile(r"\w+(?:'[A-Za-z]+)*|[\s\x1c-\x1f]+|.", re.ASCII | re.DOTALL)


@lru_cache(maxsize=32)
def tokens_of(text: str) -> tuple[str, ...]:
    """Returns the words, gaps and signs that two wordings are compared by; joined they are the text."""
    return tuple((_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text))


@dataclass(frozen=True, slots=True)
class Span:
    """One stretch of the difference between two texts.

    Attributes:
        kind: What happened to it.
        text: The text to show: of the variant, and of the canonical text where it was deleted.
        before: The canonical text that ``text`` stands for; empty where it was inserted.
    """

    kind: Kind
    text: str
    before: str


def difference(canonical: str, variant: str) -> list[Span]:
    """Returns the spans, word by word, that lead from one text to the other.

    The ``before`` of all spans make up the canonical text; the ``text`` of all but the deleted make up the variant.

    >>> [(span.kind, span.before, span.text) for span in difference("Is it hot?", "Is it warm?")]
    [('same', 'Is it ', 'Is it '), ('replaced', 'hot', 'warm'), ('same', '?', '?')]
    """
    if canonical == variant:
        return [Span("same", canonical, canonical)] if canonical else []
    old, new = tokens_of(canonical), tokens_of(variant)
    spans: list[Span] = []
    before = after = ""
    for code in Levenshtein.opcodes(old, new):
        removed, added = "".join(old[code.src_start : code.src_end]), "".join(new[code.dest_start : code.dest_end])
        if code.tag == "equal":
            if before or after:
                spans.append(_changed(before, after))
            spans.append(Span("same", added, removed))
            before = after = ""
        else:
            before, after = before + removed, after + added
    if before or after:
        spans.append(_changed(before, after))
    return _at_lines(spans)


def in_phrases(spans: Sequence[Span]) -> list[Span]:
    """Joins changes that only blanks part: five replaced words in a row read as one phrase for another.

    >>> [(span.before, span.text) for span in in_phrases(difference("What do they do?", "How are you?"))]
    [('What do they do', 'How are you'), ('?', '?')]
    """
    joined: list[Span] = []
    for place, span in enumerate(spans):
        between = 0 < place < len(spans) - 1 and span.kind == "same" and span.text.strip(" ") == ""
        if joined and joined[-1].kind != "same" and (between or span.kind != "same"):
            last = joined.pop()
            went = last.before + span.before
            came = ("" if last.kind == "deleted" else last.text) + ("" if span.kind == "deleted" else span.text)
            joined.append(Span("deleted", went, went) if not came else Span("replaced" if went else "inserted", came, went))
        else:
            joined.append(span)
    return joined


def _at_lines(spans: list[Span]) -> list[Span]:
    """Moves what came or went to where it is whole lines, of all the places that say the same.

    Of "This is old.", a line break and "This bird" as well "is old." and "This" came as the whole first line; only the line reads well.
    """
    placed: list[Span] = []
    for number, span in enumerate(spans):
        is_between = bool(placed) and placed[-1].kind == "same" and span.kind in ("inserted", "deleted")
        moved = _moved_up(placed[-1].text, span.text) if is_between else ""
        if not moved:
            placed.append(span)
            continue
        head = placed.pop().text.removesuffix(moved)
        placed += [Span("same", head, head)] if head else []
        text = moved + span.text.removesuffix(moved)
        placed.append(Span(span.kind, text, text if span.kind == "deleted" else ""))
        rest = spans[number + 1] if number + 1 < len(spans) else None
        if rest is None:
            placed.append(Span("same", moved, moved))
        else:
            spans[number + 1] = Span("same", moved + rest.text, moved + rest.before)
    return placed


def _moved_up(front: str, changed: str) -> str:
    """Returns the end of both texts that has to move behind a change to make it whole lines; empty where it is, or nothing does."""
    if changed.endswith("\n"):
        return ""
    ahead, own = tokens_of(front), tokens_of(changed)
    moved = ""
    for count in range(1, min(len(ahead), len(own)) + 1):
        if ahead[-count] != own[-count]:
            return ""
        moved = own[-count] + moved
        is_start = count == len(ahead) or ahead[-count - 1].endswith("\n")
        if is_start and count < len(own) and own[-count - 1].endswith("\n"):
            return moved
    return ""


def _changed(before: str, after: str) -> Span:
    if not before:
        return Span("inserted", after, "")
    if not after:
        return Span("deleted", before, before)
    return Span("replaced", after, before)
