"""Distinctive-wording uptake: how much of the wording that only one variant has turns up in its own reply (METRICS 6)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sago.arrays.distances import Floats

_WORD = re.compile(r"\w+(?:['\u2019]\w+)*", re.UNICODE)
_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


class Uptake(NamedTuple):
    """Uptake of one example.

    Attributes:
        own: Share of a variant's distinctive words in its own reply.
        sibling: The same share in the replies to the other variants.
        gain: own - sibling, in [-1, 1]; an echo is 1, a constant reply 0, a swapped echo -1.
        weight: Number of distinctive words over all variants; 0 = nothing to measure, the three are NaN.
    """

    own: float
    sibling: float
    gain: float
    weight: int


def words(text: str, n: int = 1) -> frozenset[tuple[str, ...]]:
    """Returns the set of word n-grams of a text: lower case, punctuation split off, characters for scripts without spaces.

    Words are Unicode words (combining marks belong to them), so every script counts alike.
    """
    tokens: list[str] = []
    for token in _tokens(unicodedata.normalize("NFC", text).lower()):
        tokens += list(token) if _NO_SPACES.search(token) else [token]
    return frozenset(tuple(tokens[place : place + n]) for place in range(len(tokens) - n + 1))


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _WORD.findall(text)
    # Combining marks belong to their word (Hindi, Arabic, Thai), which the pattern for words does not know; format characters to none.
    spaced = "".join(char if _in_word(char) else " " for char in text if unicodedata.category(char) != "Cf")
    return [token.strip("'\u2019") for token in spaced.split() if token.strip("'\u2019")]


def _in_word(char: str) -> bool:
    return char.isalnum() or char in "_'\u2019" or unicodedata.category(char).startswith("M")


def uptake_matrix(prompts: Sequence[str], replies: Sequence[Sequence[str]], n: int = 1) -> tuple[Floats, Floats]:
    """Returns how much of each variant's distinctive wording stands in the replies to each variant.

    Args:
        prompts: One prompt text a variant.
        replies: The replies to each variant, one a rerun; an empty reply takes up nothing.
        n: Length of the n-grams.

    Returns:
        (counts, sizes): counts[v, w] = mean over reruns of the number of distinctive n-grams of v in a reply to w; sizes[v] = number of
        distinctive n-grams of v.
    """
    surfaces = [words(prompt, n) for prompt in prompts]
    distinctive = [
        surface.difference(*(other for place, other in enumerate(surfaces) if place != mine)) for mine, surface in enumerate(surfaces)
    ]
    said = [[words(reply, n) for reply in own] for own in replies]
    counts = np.array([[np.mean([len(mark & reply) for reply in own]) for own in said] for mark in distinctive], dtype=np.float64)
    return counts, np.array([len(mark) for mark in distinctive], dtype=np.float64)


def uptake(counts: Floats, sizes: Floats) -> Uptake:
    """Returns own, sibling and gain from an uptake matrix; NaN where no variant has distinctive wording or there is one variant only."""
    total, variants = float(sizes.sum()), sizes.size
    if variants < 2 or total == 0:
        return Uptake(float("nan"), float("nan"), float("nan"), int(total))
    own = float(np.trace(counts)) / total
    sibling = float(counts.sum() - np.trace(counts)) / ((variants - 1) * total)
    return Uptake(own, sibling, own - sibling, int(total))
