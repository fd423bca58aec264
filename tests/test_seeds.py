"""Seeds depend on content alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.seeds import ExampleSeeds, content_hash, generator, hash_of_messages, seed_of


def test_same_content_gives_the_same_stream() -> None:
    first = generator("d", "1", "typo", {"rate": 0.1, "n": 2}).integers(0, 1 << 30, 5).tolist()
    assert first == generator("d", "1", "typo", {"n": 2, "rate": 0.1}).integers(0, 1 << 30, 5).tolist()


@pytest.mark.parametrize("other", [("d", "2"), ("d1", ""), ("1", "d"), ("d", "1", None), ("d", 1)])
def test_other_content_gives_another_seed(other: tuple[object, ...]) -> None:
    assert seed_of("d", "1") != seed_of(*other)


def test_seed_fits_a_signed_integer_column() -> None:
    assert all(0 <= seed_of(number) < 2**63 for number in range(200))


def test_known_value_so_that_no_version_changes_it_unseen() -> None:
    assert content_hash("a", 1, None, ["ß"]) == "29ea781bf2ff6031e83f8d8222c016d6f6659e631f36a00fba19261878b38fb3"


def test_process_hash_does_not_matter() -> None:
    command = [sys.executable, "-c", "from sago.seeds import seed_of; print(seed_of('d', 'x', {'b': 1, 'a': 2}))"]
    outputs = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{seed_of('d', 'x', {'a': 2, 'b': 1})}\n"}


@given(st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text()), max_size=3))
def test_messages_have_one_hash_however_it_is_made(messages: list[tuple[str, str]]) -> None:
    assert hash_of_messages(messages) == content_hash([{"role": role, "content": content} for role, content in messages])


_VALUES = st.one_of(st.integers(), st.floats(allow_nan=False), st.text(max_size=3))


@given(st.text(), st.text(), st.dictionaries(st.text(max_size=3), _VALUES))
def test_the_seeds_of_examples_are_those_of_all_their_parts(dataset: str, example: str, parameters: dict[str, object]) -> None:
    assert ExampleSeeds(3, "typo", parameters).seed(dataset, example) == seed_of(3, dataset, example, "typo", parameters)
    assert ExampleSeeds(3).seed(dataset, example) == seed_of(3, dataset, example)
