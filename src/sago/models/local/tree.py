r"""Prompts as a tree: what several of them begin with stands once, and is computed once.

A prompt is a path from a root. Each token has its depth as position and sees the tokens on its own path alone, so the numbers behind a
token are those of its prompt read alone. ::

    <user> Which planet is the hottest ? A. Mars ...      prompt 1
                         \- hotter ...                    prompt 2
                  \- one of the planets ...               prompt 3
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PromptTree:
    """The distinct tokens of some prompts, each behind the one before it on its path.

    Attributes:
        tokens: Token id of each node; a node comes behind its parent.
        positions: Depth of each node, from 0: its place in every prompt that it is part of.
        parents: Node in front of each node; -1 at the beginning of a prompt.
        paths: Nodes of each prompt, first token first.
    """

    tokens: np.ndarray
    positions: np.ndarray
    parents: np.ndarray
    paths: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return len(self.tokens)


def distinct_tokens(prompts: Sequence[Sequence[int]]) -> int:
    """Returns how many tokens the tree of some prompts has; prompts that are sorted are compared with their neighbour alone.

    >>> distinct_tokens([(1, 2, 3), (1, 2, 4), (1, 2)])
    4
    """
    ordered = sorted(map(tuple, prompts))
    total = 0
    before: Sequence[int] = ()
    for prompt in ordered:
        total += len(prompt) - common_length(before, prompt)
        before = prompt
    return total


def tree_of(prompts: Sequence[Sequence[int]]) -> PromptTree:
    """Returns the tree of some prompts, none of them empty."""
    tokens: list[int] = []
    positions: list[int] = []
    parents: list[int] = []
    paths: list[np.ndarray] = [np.zeros(0, dtype=np.int64)] * len(prompts)
    before: Sequence[int] = ()
    path: list[int] = []
    # In sorted order a prompt shares with the tree exactly what it shares with the one before it.
    for place in sorted(range(len(prompts)), key=lambda place: tuple(prompts[place])):
        prompt = prompts[place]
        common = common_length(before, prompt)
        path = path[:common]
        for depth in range(common, len(prompt)):
            parents.append(path[-1] if path else -1)
            path.append(len(tokens))
            tokens.append(prompt[depth])
            positions.append(depth)
        paths[place] = np.array(path, dtype=np.int64)
        before = prompt
    return PromptTree(np.array(tokens), np.array(positions), np.array(parents), tuple(paths))


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Returns how many tokens two prompts have in common at their beginning."""
    for place, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return place
    return min(len(one), len(other))
