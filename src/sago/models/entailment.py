"""A model of entailment that the user names, for measures that ask whether two replies say the same (METRICS 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from sago.errors import MissingExtraError, ModelError

_INSTALL = "pip install 'sago-eval[hf]'"


class EntailmentModel:
    """Pairs of texts to probabilities of entailment; loads its weights at the first call.

    A cross-encoder of natural language inference, opened by sentence-transformers. Which of its outputs is entailment comes from the labels
    in its configuration. A pair longer than the model's window is cut off by its tokenizer: ``cut`` counts them.

    Args:
        name: Name on the hub, or path of a folder.

    Attributes:
        name: The name.
        cut: Pairs that were longer than the model's window.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cut = 0

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Returns the probability that the first text of each pair entails the second, in [0, 1].

        Raises:
            MissingExtraError: If sentence-transformers is not installed.
            ModelError: If the model cannot be loaded, or has no label of entailment.
        """
        return [value for value, _ in self.judged(pairs)]

    def judged(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, bool]]:
        """Returns of each pair the probability that the first text entails the second, and whether contradiction is the likeliest label.

        A model without a label of contradiction finds none.

        Raises:
            MissingExtraError: If sentence-transformers is not installed.
            ModelError: If the model cannot be loaded, or has no label of entailment.
        """
        if not pairs:
            return []
        clean = [(_without_surrogates(premise), _without_surrogates(hypothesis)) for premise, hypothesis in pairs]
        self.cut += self._longer_than_the_window(clean)
        found = self._network.predict(clean, batch_size=32, show_progress_bar=False, apply_softmax=True, convert_to_numpy=True)
        shares = np.asarray(found, dtype=np.float64)
        entailed: list[float] = np.clip(shares[:, self._label], 0.0, 1.0).tolist()
        contradicts: list[bool] = np.isin(np.argmax(shares, axis=1), self._contradictions).tolist()
        return list(zip(entailed, contradicts, strict=True))

    @cached_property
    def _network(self) -> Any:
        return _load(self.name)

    @cached_property
    def _label(self) -> int:
        labels = {int(number): str(label) for number, label in self._network.config.id2label.items()}
        found = [number for number, label in labels.items() if label.strip().lower().startswith("entail")]
        if len(found) != 1 or len(labels) < 2:
            known = ", ".join(labels[number] for number in sorted(labels))
            raise ModelError(
                "no label says entailment",
                where=f"model of entailment {self.name} (labels: {known})",
                fix="Name a model of natural language inference, or set id2label in its config.json",
            )
        return found[0]

    @cached_property
    def _contradictions(self) -> list[int]:
        labels = self._network.config.id2label
        return [int(number) for number, label in labels.items() if str(label).strip().lower().startswith("contradict")]

    def _longer_than_the_window(self, pairs: Sequence[tuple[str, str]]) -> int:
        _ = self._label  # a model that cannot be used is refused before anything is computed
        network = self._network
        # Renamed in sentence-transformers 6.
        window = network.max_seq_length if hasattr(network, "max_seq_length") else network.max_length
        if window is None:
            return 0
        tokenizer = network.tokenizer
        # Tokenized for its length only; the remark about long texts would be about something that is counted here.
        found = tokenizer([one for one, _ in pairs], [other for _, other in pairs], truncation=False, padding=False, verbose=False)
        return sum(len(pieces) > window for pieces in found["input_ids"])


@cache
def lazy_entailment(name: str) -> EntailmentModel:
    """Returns a model of entailment without loading it, the same one for a name; only a call needs its packages."""
    return EntailmentModel(name)


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _load(name: str) -> Any:
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise MissingExtraError("a model of entailment needs sentence-transformers", install=_INSTALL) from error
    from sago.models.quiet import quiet_transformers

    with quiet_transformers():
        try:
            return CrossEncoder(name)
        except (OSError, ValueError) as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            fix = "Give the path of a folder with a model of natural language inference, or its name on the hub"
            raise ModelError(f"cannot be loaded ({first})", where=f"model of entailment {name}", fix=fix) from error
