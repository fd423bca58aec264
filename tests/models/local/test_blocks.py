from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sago.models.local import blocks as module
from sago.models.local.blocks import blocks_of_tree
from sago.models.local.rows import grouped
from sago.models.local.tree import PromptTree, tree_of

_PROMPTS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8), min_size=1, max_size=8)


def _seen(tree: PromptTree, window: int | None) -> set[tuple[int, int]]:
    """Pairs of nodes by definition: a node sees itself and those in front of it on its path."""
    pairs = set()
    for node in range(len(tree)):
        at = node
        while at >= 0:
            if window is None or tree.positions[node] - tree.positions[at] < window:
                pairs.add((node, at))
            at = int(tree.parents[at])
    return pairs


@pytest.mark.parametrize("price", [0, 6, 40, 10**9])
@pytest.mark.parametrize("window", [None, 1, 3])
@settings(deadline=None, max_examples=60, derandomize=True)
@given(prompts=_PROMPTS)
def test_blocks_hold_every_pair_once_wherever_they_are_cut(price: int, window: int | None, prompts: list[list[int]]) -> None:
    tree = tree_of(prompts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK_PAIRS", price)
        blocks = blocks_of_tree(tree, window)
    assert [node for block in blocks for node in range(block.start, block.stop)] == list(range(len(tree)))
    pairs = [(block.start + row, int(block.keys[key])) for block in blocks for row, key in np.argwhere(block.seen)]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == _seen(tree, window)


def test_a_long_beginning_is_cut_from_what_is_behind_it() -> None:
    head = list(range(200))
    blocks = blocks_of_tree(tree_of([[*head, 300 + one, *range(40)] for one in range(5)]))
    assert [(block.start, block.stop) for block in blocks] == [(0, 200), (200, 241), (241, 282), (282, 323), (323, 364), (364, 405)]
    assert sum(block.seen.size for block in blocks) < 0.6 * 405**2


def test_small_trees_side_by_side_share_a_block() -> None:
    assert len(blocks_of_tree(tree_of([[one, one] for one in range(10)]))) == 1


@settings(deadline=None, max_examples=100, derandomize=True)
@given(prompts=_PROMPTS)
def test_groups_hold_every_row_once_and_share_what_they_say(prompts: list[list[int]]) -> None:
    tree = tree_of(prompts)
    paths = sorted(tree.paths, key=lambda path: int(path[-1]))
    groups = grouped(paths)
    assert [row for first, last, _ in groups for row in range(first, last)] == list(range(len(paths)))
    for first, last, common in groups:
        assert all(path[:common].tolist() == paths[first][:common].tolist() for path in paths[first:last])
        assert all(len(path) >= common for path in paths[first:last])
