"""The largest block of examples that have the same wordings."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sago.stats.crossing import largest_crossing, shared_names, with_codes


def pairs(table: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Returns example and name codes of a table: a row an example, a letter a name."""
    found = [(row, ord(letter) - ord("a")) for row, letters in enumerate(table) for letter in letters]
    example, name = np.array(found).T
    return example, name


@pytest.mark.parametrize(
    ("table", "examples", "names"),
    [
        (["abc", "abc", "abc"], [0, 1, 2], [0, 1, 2]),
        (["abc", "abc", "ab", "ab"], [0, 1, 2, 3], [0, 1]),
        (["abcd", "abcd", "abcd", "ab"], [0, 1, 2], [0, 1, 2, 3]),
        (["abc", "abc", "ab"], [0, 1], [0, 1, 2]),
        (["ab", "cd", "ef"], [], []),
        (["abx", "aby", "abz"], [0, 1, 2], [0, 1]),
        (["a", "a", "a"], [], []),
        (["abc"], [], []),
        (["abc", "bcd", "bc", "cb"], [0, 1, 2, 3], [1, 2]),
    ],
    ids=["whole", "two of three", "fewer examples", "a tie has more wordings", "nested", "some of their own", "one", "alone", "any place"],
)
def test_blocks_by_hand(table: list[str], examples: list[int], names: list[int]) -> None:
    found = largest_crossing(*pairs(table))
    assert found.examples.tolist() == examples
    assert sorted(found.names.tolist()) == names


def test_a_block_of_a_few_examples_is_none() -> None:
    """Two names shared by half of the examples each, but both by one in ten: what it says would be about those."""
    table = ["ab"] + ["ax"] * 5 + ["by"] * 5
    assert not largest_crossing(*pairs(table)).examples.size


def test_the_block_has_no_gap_and_none_is_larger() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        there = rng.random((12, 5)) < 0.85
        there[:, 0] = True
        example, name = np.nonzero(there)
        found = largest_crossing(example, name)
        assert there[np.ix_(found.examples, found.names)].all()
        order = np.argsort(-there.sum(axis=0), kind="stable")
        sizes = [k * there[:, order[:k]].all(axis=1).sum() for k in range(2, 6)]
        assert found.examples.size * found.names.size == max(sizes)


def test_shared_names_are_those_of_half_of_the_examples() -> None:
    example, name = pairs(["abx", "aby", "az", "a"])
    assert shared_names(example, name).tolist() == [0, 1]


def test_codes_follow_the_alphabet_and_keep_null() -> None:
    rows = pl.DataFrame({"name": ["b", "a", None, "b"], "other": [1, 2, 3, 4]})
    assert with_codes(rows, ["name"])["name"].to_list() == [1, 0, None, 1]
