"""How far a variant is from the canonical wording: which spans were edited, and by how much (the dose)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, cast

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from sago.differences import tokens_of
from sago.records import Edit

_TOKEN = re.compile(r"\w+|[^\w\s]")
_ASCII_TOKEN = re.compile(r"\w+|[^\w\s\x1c-\x1f]", re.ASCII)  # four control characters are blanks, which re.ASCII forgets


def edits_between(canonical: str, variant: str) -> tuple[Edit, ...]:
    """Returns the replaced spans, word by word; empty where nothing changed.

    >>> edits_between("Is it hot?", "Is it warm?")
    (Edit(start=6, end=9, before='hot', after='warm'),)
    """
    return tuple(Edit(*edit) for edit in replaced_spans(canonical, variant))


def replaced_spans(canonical: str, variant: str) -> list[tuple[int, int, str, str]]:
    """Returns start, end, text before and text after of what :func:`edits_between` returns; neighbouring changes are one.

    >>> replaced_spans("Is it hot?", "Is it warm?")
    [(6, 9, 'hot', 'warm')]
    """
    if canonical == variant:
        return []
    old, new = tokens_of(canonical), tokens_of(variant)
    ends = list(accumulate(map(len, old), initial=0))
    spans = []
    from_old = from_new = 0
    codes = cast("list[tuple[str, int, int, int, int]]", Levenshtein.opcodes(old, new).as_list())  # as tuples, at a fifth of the price
    for tag, till_old, same_old, till_new, same_new in codes:
        if tag == "equal":
            if from_old < till_old or from_new < till_new:
                spans.append((ends[from_old], ends[till_old], canonical[ends[from_old] : ends[till_old]], "".join(new[from_new:till_new])))
            from_old, from_new = same_old, same_new
    if from_old < len(old) or from_new < len(new):
        spans.append((ends[from_old], ends[-1], canonical[ends[from_old] :], "".join(new[from_new:])))
    return spans


def apply_edits(canonical: str, edits: Iterable[Edit]) -> str:
    """Returns the text that the edits make of the canonical one.

    >>> apply_edits("Is it hot?", [Edit(6, 9, "hot", "warm")])
    'Is it warm?'
    """
    parts, position = [], 0
    for edit in edits:
        parts += [canonical[position : edit.start], edit.after]
        position = edit.end
    return "".join([*parts, canonical[position:]])


def changed_by(canonical_prompt: str, prompt: str) -> dict[str, int | float]:
    """Returns how much a prompt differs from the canonical one, as columns of table ``variants``.

    ``edit_distance`` counts characters inserted, deleted or replaced; ``dose`` is that over the length of the longer prompt;
    ``changed_share`` is the edit distance of the two as lists of words and signs over the longer list, in [0, 1]; ``token_change`` is the
    number of words and signs of the prompt less that of the canonical one.

    >>> changed_by("Is it hot?", "Is it hot or not?")
    {'edit_distance': 7, 'dose': 0.4117647058823529, 'changed_share': 0.3333333333333333, 'token_change': 2}
    """
    if canonical_prompt == prompt:
        return {"edit_distance": 0, "dose": 0.0, "changed_share": 0.0, "token_change": 0}
    start, end = _shared_ends(canonical_prompt, prompt)
    before, after = canonical_prompt[start : len(canonical_prompt) - end], prompt[start : len(prompt) - end]
    known = _words_of(canonical_prompt)
    old, new = known.between(start, len(canonical_prompt) - end), _pattern(after).findall(after)
    distance = int(Levenshtein.distance(before, after))
    size = len(known.words)
    longer = max(size, size - len(old) + len(new))
    return {
        "edit_distance": distance,
        "dose": distance / max(len(canonical_prompt), len(prompt)),
        "changed_share": int(Levenshtein.distance(old, new)) / longer if longer else 0.0,
        "token_change": len(new) - len(old),
    }


class _Words(NamedTuple):
    words: list[str]
    """Words and signs of a text."""
    starts: list[int]
    """Where each of them starts, in characters."""

    def between(self, start: int, end: int) -> list[str]:
        """Returns those of a stretch; its ends part no word."""
        return self.words[bisect_left(self.starts, start) : bisect_left(self.starts, end)]


@lru_cache(maxsize=32)
def _words_of(canonical: str) -> _Words:
    """Returns the words of a canonical prompt: all its variants are compared with the same ones."""
    matches = list(_pattern(canonical).finditer(canonical))
    return _Words([match[0] for match in matches], [match.start() for match in matches])


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_TOKEN if text.isascii() else _TOKEN


def _shared_ends(one: str, other: str) -> tuple[int, int]:
    """Returns how many characters two texts have in common at their start and at their end, down to white space.

    What is in common adds nothing to a distance, and white space parts two words of both texts.
    """
    start = int(Prefix.similarity(one, other))
    start = max(one.rfind(" ", 0, start), one.rfind("\n", 0, start)) + 1
    end = len(one) - min(int(Postfix.similarity(one, other)), min(len(one), len(other)) - start)
    places = [place for place in (one.find(" ", end), one.find("\n", end)) if place >= 0]
    return start, len(one) - min(places, default=len(one))
