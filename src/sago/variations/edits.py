"""How far a variant is from the canonical wording: which spans were edited, and by how much (the dose)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

from sago.differences import difference
from sago.records import Edit

_TOKEN = re.compile(r"\w+|[^\w\s]")


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
    before, after = _TOKEN.findall(canonical_prompt), _TOKEN.findall(prompt)
    distance = int(Levenshtein.distance(canonical_prompt, prompt))
    return {
        "edit_distance": distance,
        "dose": distance / max(len(canonical_prompt), len(prompt)),
        "changed_share": float(Levenshtein.normalized_distance(before, after)),
        "token_change": len(after) - len(before),
    }
