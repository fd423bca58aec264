"""Distinctive-wording uptake: how much of the wording that only one variant has turns up in its own reply (METRICS 6)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

import numpy as np

from sago.arrays.distances import Floats

Surface = AbstractSet[tuple[str, ...]]
"""The word n-grams of a text."""

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_NO_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese: scripts without spaces between words."""


class Uptake(NamedTuple):
    """Uptake of one example.

    Attributes:
        own: Share of a variant's distinctive words in its own reply.
        sibling: The same share in the replies to the other variants.
        gain: own - sibling, in [-1, 1]; an echo is 1, a constant reply 0, a swapped echo -1.
        weight: Number of distinctive words over the variants counted; 0 = nothing to measure, the three are NaN.
    """

    own: float
    sibling: float
    gain: float
    weight: int


@cache
def _word() -> re.Pattern[str]:
    """The pattern of a word in any script: combining marks belong to their letter, characters of scripts without spaces stand alone."""
    marks = "".join(re.escape(chr(code)) for code in range(0x300, 0x1E950) if unicodedata.category(chr(code)).startswith("M"))
    letter = rf"(?:(?![{_NO_SPACES}])[^\W_][{marks}]*)"
    return re.compile(rf"[{_NO_SPACES}][{marks}]*|{letter}+(?:['\u2019]{letter}+)*")


def words(text: str, n: int = 1) -> frozenset[tuple[str, ...]]:
    """Returns the set of word n-grams of a text: lower case, punctuation left out, characters for scripts without spaces.

    >>> sorted(words("Don't, don't say HELLO."))
    [("don't",), ('hello',), ('say',)]
    """
    if text.isascii():
        tokens = _ASCII_WORD.findall(text.lower())
    else:
        tokens = _word().findall(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower()).replace("\u2019", "'"))
    return frozenset(zip(*(tokens[place:] for place in range(n)), strict=False))


def distinctive(surfaces: Sequence[Surface]) -> list[Surface]:
    """Returns the n-grams that stand in one variant only, for each variant."""
    return [
        surface.difference(*(other for place, other in enumerate(surfaces) if place != mine))  # type: ignore[attr-defined]
        for mine, surface in enumerate(surfaces)
    ]


def uptake_matrix(surfaces: Sequence[Surface], replies: Sequence[Sequence[Surface]]) -> tuple[Floats, Floats]:
    """Returns how much of each variant's distinctive wording stands in the replies to each variant.

    Args:
        surfaces: N-grams of the prompt of each variant.
        replies: N-grams of the replies to each variant, one a rerun; an empty reply takes up nothing.

    Returns:
        (counts, sizes): counts[v, w] = mean over reruns of the number of distinctive n-grams of v in a reply to w; sizes[v] = number of
        distinctive n-grams of v.
    """
    marks = distinctive(surfaces)
    counts = np.zeros((len(marks), len(replies)))
    for place, mark in enumerate(marks):
        if mark:
            counts[place] = [sum(len(mark & reply) for reply in own) / len(own) for own in replies]
    return counts, np.array([len(mark) for mark in marks], dtype=np.float64)


def uptake(counts: Floats, sizes: Floats, among: Sequence[int] | None = None) -> Uptake:
    """Returns own, sibling and gain from an uptake matrix.

    NaN where there is a single variant, or none of the variants counted has distinctive wording.

    Args:
        counts: From ``uptake_matrix``.
        sizes: From ``uptake_matrix``.
        among: The variants whose wording is counted, for one family; null = all. Siblings are all the others.
    """
    chosen = np.arange(sizes.size) if among is None else np.asarray(among, dtype=np.int64)
    total, variants = float(sizes[chosen].sum()), sizes.size
    if variants < 2 or total == 0:
        return Uptake(float("nan"), float("nan"), float("nan"), int(total))
    taken = float(counts[chosen, chosen].sum())
    own = taken / total
    sibling = (float(counts[chosen].sum()) - taken) / ((variants - 1) * total)
    return Uptake(own, sibling, own - sibling, int(total))
