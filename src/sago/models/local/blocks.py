"""A tree of prompts cut into blocks, so that attention is not paid for between tokens that never see each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sago.models.local.tree import PromptTree

BLOCK_PAIRS = 2000
"""Pairs of tokens that cost about as much as one more call of the attention kernel with its copy of the keys."""


@dataclass(frozen=True)
class Block:
    """Nodes that stand side by side and look for what they see in the same place.

    Attributes:
        start: First node.
        stop: One past the last node.
        keys: Nodes that at least one of them sees, in the order of their places.
        seen: Which of ``keys`` each of them sees; bool (nodes, keys).
    """

    start: int
    stop: int
    keys: np.ndarray
    seen: np.ndarray


_Cut = tuple[int, int, np.ndarray]
"""First node of a block, one past its last, and the nodes above it that all of them see."""


def _cut(ends: np.ndarray, start: int, stop: int, above: np.ndarray) -> Iterator[_Cut]:
    """Cuts trees that stand side by side below the same nodes: small ones together, large ones each for itself.

    In one block, nodes pay for every pair of them, most of which do not see each other. A further block costs as much as ``BLOCK_PAIRS``
    pairs, so a cut is made where it saves more.
    """
    first = start
    while first < stop:
        last = int(ends[first])
        while last < stop and 2 * (last - first) * (ends[last] - last) < BLOCK_PAIRS:
            last = int(ends[last])
        if last > ends[first]:
            yield first, last, above
        else:
            yield from _cut_one(ends, first, last, above)
        first = last


def _cut_one(ends: np.ndarray, start: int, stop: int, above: np.ndarray) -> Iterator[_Cut]:
    """Cuts one tree behind the run of nodes that it begins with."""
    fork = start + 1
    while fork < stop and ends[fork] == stop:
        fork += 1
    children = []
    child = fork
    while child < stop:
        children.append(int(ends[child]) - child)
        child = int(ends[child])
    behind = stop - fork
    if (fork - start) * behind + behind**2 - sum(size**2 for size in children) < BLOCK_PAIRS:
        yield start, stop, above
    else:
        yield start, fork, above
        yield from _cut(ends, fork, stop, np.concatenate([above, np.arange(start, fork)]))


def _ends(tree: PromptTree) -> np.ndarray:
    """Returns one past the last node that stands below each node."""
    ends = np.arange(1, len(tree) + 1)
    for node in range(len(tree) - 1, 0, -1):
        parent = tree.parents[node]
        if parent >= 0:
            ends[parent] = max(ends[parent], ends[node])
    return ends


def blocks_of_tree(tree: PromptTree, window: int | None = None) -> list[Block]:
    """Returns blocks that together hold every node once, each with all that its nodes see.

    Args:
        tree: The prompts.
        window: Null: a node sees its whole path; else that many nodes of it, itself among them.
    """
    blocks = []
    for start, stop, above in _cut(_ends(tree), 0, len(tree), np.zeros(0, dtype=np.int64)):
        keys = np.concatenate([above, np.arange(start, stop)])
        seen = np.zeros((stop - start, len(keys)), dtype=bool)
        seen[:, : len(above)] = True
        for node in range(start, stop):
            parent = int(tree.parents[node])
            if parent >= start:
                seen[node - start, len(above) :] = seen[parent - start, len(above) :]
            seen[node - start, len(above) + node - start] = True
        if window is not None:
            seen &= tree.positions[start:stop, None] - tree.positions[None, keys] < window
            used = seen.any(axis=0)
            keys, seen = keys[used], seen[:, used]
        blocks.append(Block(start, stop, keys, seen))
    return blocks
