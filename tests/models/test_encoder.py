from __future__ import annotations

import importlib.machinery
from typing import Any

import numpy as np
import pytest

from sago.errors import MissingExtraError
from sago.models import encoder as module
from sago.models import lazy_encoder, open_encoder
from sago.models.encoder import SentenceEncoder


class Letters:
    """A stand-in for the network: one word piece a letter, one dimension a letter, a window of six pieces."""

    max_seq_length = 8

    class tokenizer:  # noqa: N801
        @staticmethod
        def num_special_tokens_to_add() -> int:
            return 2

        def __new__(cls, text: str, **_: Any) -> Any:
            return {"offset_mapping": [(at, at + 1) for at, letter in enumerate(text) if not letter.isspace()]}

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: list[str], **_: Any) -> np.ndarray:
        self.seen += texts
        counts = np.array([[text.count("a"), text.count("b"), 1e-6] for text in texts], dtype=np.float32)
        unit: np.ndarray = counts / np.linalg.norm(counts, axis=1, keepdims=True)
        return unit

    def get_embedding_dimension(self) -> int:
        return 3


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Letters:
    made = Letters()
    monkeypatch.setattr(module, "_load", lambda: made)
    return made


def test_short_texts_go_in_whole(letters: Letters) -> None:
    vectors = SentenceEncoder()(["aab", ""])
    assert letters.seen == ["aab", ""]
    assert vectors.dtype == np.float32
    assert vectors[0] == pytest.approx([0.894427, 0.447214, 0], abs=1e-5)


def test_long_texts_are_cut_into_windows_and_averaged(letters: Letters) -> None:
    (vector,) = SentenceEncoder()(["a a a a a a b b b"])
    assert letters.seen == ["a a a a a a", "b b b"]
    assert vector == pytest.approx(np.array([2, 1, 0]) / np.sqrt(5), abs=1e-4)


@pytest.mark.usefixtures("letters")
def test_no_texts_no_rows() -> None:
    assert SentenceEncoder()([]).shape == (0, 3)


def test_lazy_loads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_load", lambda: pytest.fail("loaded"))
    assert lazy_encoder().name == "all-MiniLM-L6-v2"


def test_what_to_install_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match="pip install 'sago-eval"):
        open_encoder()


def test_availability_is_known_without_an_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert not SentenceEncoder().available
    found = importlib.machinery.ModuleSpec("x", None, origin="/nowhere/__init__.py")
    monkeypatch.setattr(module, "find_spec", lambda name: found)
    assert not SentenceEncoder().available


@pytest.mark.model
def test_the_real_encoder() -> None:
    encoder = open_encoder()
    texts = ["Paris", "The capital of France is Paris.", "Granite is a hard stone.", "", "Paris is a city. " * 200, "lone \ud800"]
    vectors = encoder(texts)
    assert vectors.shape == (6, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert encoder(texts[:1])[0] == pytest.approx(vectors[0], abs=1e-5)
    longer = encoder(["Paris is a city. " * 200 + "Granite is a hard stone. " * 200])[0]
    assert longer @ vectors[2] > vectors[4] @ vectors[2] + 0.2
