"""The same variants on every machine, whatever the size of its words, its version of numpy or the hash of its process.

Why it holds: a seed is 63 bits of a sha256 of content (Python integers, of any size); the stream is PCG64, whose state is unsigned integers
of 64 bits and whose doubles are their upper 53 bits over 2 ** 53; what decides a variant is drawn as such doubles alone, by ``random()``.
No integer is drawn whose type would be that of the machine. The known answers below fail on a machine, or a version, where this is not so.
"""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sago.seeds
import sago.variations
from sago.datasets import load
from sago.seeds import generator, seed_of, stream
from sago.variations import vary
from sago.variations.drawing import pick, random_order

_KEY = ("d", "1", "typo", {"rate": 0.1})
_CALLS = {"integers", "randint", "permutation", "permuted", "shuffle", "default_rng", "hash"}
_TYPES = {"int_", "uint", "intp", "uintp", "intc", "long", "ulong", "maxsize"}
_PLACES = [Path(sago.seeds.__file__), *sorted(Path(sago.variations.__file__).parent.glob("*.py"))]


def test_seeds_and_streams_are_known() -> None:
    assert seed_of(*_KEY) == 5439501027398955825, "needs 63 bits"
    rng = generator(*_KEY)
    assert [value.hex() for value in rng.random(3).tolist()] == ["0x1.3aa8d2d7c15bap-1", "0x1.1df4625a97156p-2", "0x1.94465a4b1ad40p-3"]
    assert random_order(rng, 8) == [6, 0, 3, 7, 5, 4, 1, 2]
    assert [pick(rng, 10) for _ in range(6)] == [5, 7, 0, 4, 5, 0]


def test_the_stream_is_that_of_a_generator_by_name() -> None:
    state = stream(2**63 - 1).bit_generator.state
    assert state["bit_generator"] == "PCG64"
    assert stream(5).random(4).tolist() == np.random.Generator(np.random.PCG64(5)).random(4).tolist()


def test_equal_draws_keep_their_order() -> None:
    class Constant:
        def random(self, size: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            return np.full(size, 0.5)

    assert random_order(Constant(), 40) == list(range(40))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("example", "variant", "start", "fingerprint"),
    [
        ("choice-01", "typo-1", "Wgich of thse animmals meiws?\n", "0a42354fc95f27a5"),
        ("choice-01", "choice-order-1", "Which of these animals meows?\n\nA. duck\nB. frog\n", "ad5c47c818490f22"),
        ("choice-01", "surface-double-spaces", "Which of these  animals meows?\n", "dee5747f37832555"),
        ("choice-04", "surface-look-alikes", "W\u04bbich t\u043eol do \u0443ou use to dr\u0456v\u0435 a nail", "fbe9ad69fce0ba4a"),
        ("choice-04", "few-shot-1", "Which tool do you use", "f06a375161384337"),
        ("text-03", "typo-1", "Whzt doees a carerpillsr bexome wheen it is fuly grosn?\n", "47d502740d1f9d5f"),
        ("text-03", "surface-double-spaces", "What  does a caterpillar become when  it  is fully grown?\n", "20f8de83f890f422"),
    ],
)
def test_variants_are_known(variants: pl.DataFrame, example: str, variant: str, start: str, fingerprint: str) -> None:
    row = variants.row(by_predicate=(pl.col("example") == example) & (pl.col("variant") == variant), named=True)
    assert row["messages"][-1]["content"].startswith(start)
    assert row["fingerprint"].startswith(fingerprint)


@pytest.fixture(scope="module")
def variants() -> pl.DataFrame:
    examples = load(["builtin-choice", "builtin-text"]).examples
    return vary(examples, ["typo:rate=0.2", "choice-order", "surface", "few-shot"], seed=7).variants


@pytest.mark.parametrize("path", _PLACES, ids=lambda path: path.stem)
def test_nothing_draws_integers_of_the_machine(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Attribute) and node.attr in _TYPES), f"line {node.lineno}: {node.attr}"
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in _CALLS, f"line {node.lineno}: {called}()"
