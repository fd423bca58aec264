"""Mirroring by any similarity of a prompt and a reply: to its own reply against those to its siblings (METRICS 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeVar

import numpy as np

from sago.arrays.grouping import Floats

Read = TypeVar("Read")


class Gain(NamedTuple):
    """How much nearer replies are to their own wording than to its siblings.

    Attributes:
        own: Mean similarity of a wording and its own reply.
        sibling: Mean similarity of a wording and the replies to the others.
        gain: What is left of it; NaN, like the others, where it is not defined.
    """

    own: float = float("nan")
    sibling: float = float("nan")
    gain: float = float("nan")


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Returns the shared part of two sets.

    Formula: |A & B| / |A or B|. Range: [0, 1]. Direction: 0 = nothing shared, 1 = equal. Unit: share of elements.
    Edge cases: 1 for two empty sets. Source: Jaccard (1912).

    >>> jaccard({"a", "b"}, {"b", "c"})
    0.3333333333333333
    """
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if one or other else 1.0


def containment(prompt: AbstractSet[str], reply: AbstractSet[str]) -> float:
    """Returns the part of a prompt that its reply holds; long replies do not dilute it.

    Formula: |A & B| / |A|. Range: [0, 1]. Direction: 0 = nothing held, 1 = all. Unit: share of elements of the first set.
    Edge cases: 1 for an empty first set. Source: Broder (1997).

    >>> containment({"a", "b"}, {"b", "c", "d"})
    0.5
    """
    return len(prompt & reply) / len(prompt) if prompt else 1.0


def overlap_f(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Returns the F measure of two sets, the harmonic mean of the parts that each shares with the other.

    Formula: 2 |A & B| / (|A| + |B|). Range: [0, 1]. Direction: 0 = nothing shared, 1 = equal. Unit: share of elements.
    Edge cases: 1 for two empty sets. Source: Dice (1945).

    >>> overlap_f({"a", "b"}, {"b", "c"})
    0.5
    """
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def characters(text: str, n: int = 3) -> frozenset[str]:
    """Returns the set of character n-grams of a text: lower case, runs of white space as one space; a shorter text is one n-gram.

    >>> sorted(characters("A  bcd"))
    [' bc', 'a b', 'bcd']
    """
    plain = " ".join(text.lower().split())
    if len(plain) <= n:
        return frozenset([plain] if plain else [])
    return frozenset(plain[place : place + n] for place in range(len(plain) - n + 1))


def similarities(
    wordings: Sequence[Read], replies: Sequence[Sequence[Read]], similarity: Callable[[Read, Read], float]
) -> tuple[Floats, Floats]:
    """Returns the similarities of an example: wording v to the replies to w (mean over reruns), and wording v to wording w."""
    of_reply = [[sum(similarity(wording, reply) for reply in own) / len(own) for own in replies] for wording in wordings]
    return np.array(of_reply, dtype=np.float64), np.array([[similarity(one, other) for other in wordings] for one in wordings])


def mirror_gain(of_replies: Floats, of_wordings: Floats | None = None) -> Gain:
    """Returns how much nearer a reply is to its own wording than to the sibling wordings.

    Formula: own = mean_v s(x_v, y_v), sibling = mean_{v != w} s(x_w, y_v), gain = (own - sibling) / (1 - mean_{v != w} s(x_w, x_v));
    without ``of_wordings`` plainly own - sibling. Range: nominally [-1, 1]. Direction: 0 = a reply is as near to the siblings (any
    constant reply, exactly), 1 = an echo. Its mean over all relabelings of the replies is exactly 0. Unit: that of the similarity.
    Edge cases: NaN for a single wording, and where all wordings are alike (similarity 1).
    Source: own (METRICS 6); sibling wordings have the role of surrogate pairs in Duran, Paxton and Fusaroli (2019).

    Args:
        of_replies: ``of_replies[w, v]`` = similarity of wording w and the reply to v, with s(x, x) = 1.
        of_wordings: Similarity of wordings w and v.
    """
    count = len(of_replies)
    if count < 2:
        return Gain()
    own, sibling = float(of_replies.trace()) / count, _beside(of_replies)
    room = 1.0 if of_wordings is None else 1 - _beside(of_wordings)
    return Gain(own, sibling, (own - sibling) / room) if room > 1e-12 else Gain()


def _beside(values: Floats) -> float:
    """Mean of a square matrix without its diagonal."""
    count = len(values)
    return float(values.sum() - values.trace()) / (count * (count - 1))
