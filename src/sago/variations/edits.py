"""How far a variant is from the canonical wording: which spans were edited, and by how much (the dose)."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

from sago.differences import difference
from sago.records import Edit


def edits_between(canonical: str, variant: str) -> tuple[Edit, ...]:
    """Returns the replaced spans, word by word; empty where nothing changed.

    >>> edits_between("Is it hot?", "Is it warm?")
    (Edit(start=6, end=9, before='hot', after='warm'),)
    """
    if canonical == variant:
        return ()
    edits = []
    start = 0
    for span in difference(canonical, variant):
        end = start + len(span.before)
        if span.kind != "same":
            edits.append(Edit(start, end, span.before, "" if span.kind == "deleted" else span.text))
        start = end
    return tuple(edits)


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


def dose(canonical_prompt: str, prompt: str) -> float:
    """Returns the edit distance between two prompts over the length of the longer one, in [0, 1]; 0 = the same text.

    >>> dose("abcd", "abxd")
    0.25
    """
    return float(Levenshtein.normalized_distance(canonical_prompt, prompt))
