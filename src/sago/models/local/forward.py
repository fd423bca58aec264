"""The passes through the network: exact positions and masks, so that padding and neighbours never count.

A batch of prompts is padded on the left; what follows a prompt (a choice, an anchor, a generated token) is fed behind it from the kept keys
and values, so the tokens of every row stand side by side and a sliding window sees the same tokens as without padding.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from sago.errors import ModelError
from sago.models.local.states import blocks_of, pooling

_TOLERANCE = {torch.float32: 1e-3}
_HALF_TOLERANCE = 0.5
_CACHED_LAYERS = frozenset({"DynamicLayer", "DynamicSlidingWindowLayer"})


@dataclass
class Prefix:
    """Rows of prompts that have been read.

    Attributes:
        cache: Keys and values.
        mask: 0 at padding, 1 at tokens; (rows, places).
        lengths: Tokens of each row.
        logits: Float32 logits behind each row's last token; (rows, vocabulary).
        pooled: Layer -> float32 states of each row's last token.
    """

    cache: Any
    mask: torch.Tensor
    lengths: torch.Tensor
    logits: torch.Tensor
    pooled: dict[int, torch.Tensor] = field(default_factory=dict)

    def select(self, rows: Sequence[int]) -> Prefix:
        """Returns a prefix with these rows, repeated as often as named; this one stays as it is."""
        index = torch.tensor(rows, device=self.mask.device)
        cache = copy.copy(self.cache)
        cache.layers = [copy.copy(layer) for layer in self.cache.layers]
        for layer in cache.layers:
            # A layer's update makes new tensors, so rows that are the same need no copy of their own.
            if layer.keys is not None:
                layer.keys, layer.values = layer.keys[index], layer.values[index]
        return Prefix(cache, self.mask[index], self.lengths[index], self.logits[index])


class Network:
    """A causal language model, seen as passes over token ids.

    Args:
        model: A causal language model of transformers.

    Attributes:
        one_by_one: True where padding would change the numbers of this architecture: prompts must then go through alone.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.device: torch.device = model.device
        self.blocks = blocks_of(model)
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        # Older releases of transformers call it past_key_values.
        self._cache_name = "cache" if "cache" in accepted else "past_key_values"
        self._keep = "logits_to_keep" if "logits_to_keep" in accepted else None
        text = model.config.get_text_config()
        self.context: int = getattr(text, "max_position_embeddings", None) or getattr(text, "n_positions", None) or 2**31
        self.vocabulary: int = model.get_input_embeddings().weight.shape[0]
        self.one_by_one = not self._padding_is_harmless()

    @torch.inference_mode()
    def read(self, prompts: Sequence[Sequence[int]], layers: Sequence[int] = ()) -> Prefix:
        """Reads a batch of prompts.

        Args:
            prompts: Token ids, none of them empty.
            layers: Layers at which the last token's state is pooled.
        """
        width = max(map(len, prompts))
        # Which id stands at a padded place makes no difference: the mask is made from lengths, never from ids.
        ids = torch.tensor([[0] * (width - len(prompt)) + list(prompt) for prompt in prompts], device=self.device)
        mask = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts], device=self.device)
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        with pooling(self.blocks, layers) as pooled:
            logits, cache = self._forward(ids, mask, positions, None, 1)
        lengths = mask.sum(-1)
        return Prefix(cache, mask, lengths, logits[:, -1].float(), pooled)

    @torch.inference_mode()
    def extend(self, prefix: Prefix, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Feeds tokens behind a prefix, which grows by them in place.

        Args:
            prefix: The rows so far.
            ids: Token ids, padded on the right; (rows, places).
            mask: 1 at tokens, 0 at padding; (rows, places).

        Returns:
            Logits behind every place, in the model's own number type; (rows, places, vocabulary).
        """
        positions = prefix.lengths[:, None] + torch.arange(ids.shape[1], device=self.device)
        prefix.mask = torch.cat([prefix.mask, mask], dim=-1)
        logits, prefix.cache = self._forward(ids, prefix.mask, positions, prefix.cache, 0)
        prefix.lengths = prefix.lengths + mask.sum(-1)
        return logits

    @torch.inference_mode()
    def plain(self, ids: Sequence[int]) -> torch.Tensor:
        """Returns the float32 logits behind every token of one text, by one pass without padding or kept keys."""
        tokens = torch.tensor([list(ids)], device=self.device)
        logits: torch.Tensor = self._model(input_ids=tokens, use_cache=False).logits
        return logits[0].float()

    def _forward(self, ids: torch.Tensor, mask: torch.Tensor, positions: torch.Tensor, cache: Any, keep: int) -> tuple[torch.Tensor, Any]:
        named: dict[str, Any] = {"position_ids": positions} if self._takes_positions else {}
        if self._keep and keep:
            named[self._keep] = keep
        named[self._cache_name] = cache
        result = self._model(input_ids=ids, attention_mask=mask, use_cache=True, **named)
        return result.logits, result[self._cache_name]

    def _padding_is_harmless(self) -> bool:
        """Compares short random texts in one padded batch with the same texts alone; refuses what cannot be right even alone.

        Raises:
            ModelError: If the model keeps something other than keys and values, or what it keeps does not give its plain numbers.
        """
        longer = [token % self.vocabulary for token in (11, 7, 13, 5, 17, 3, 19)][: self.context - 1]
        shorter, half = longer[:3], len(longer) // 2
        tolerance = _TOLERANCE.get(self._model.dtype, _HALF_TOLERANCE)
        alone = self.read([longer[:half]])
        kinds = {type(layer).__name__ for layer in getattr(alone.cache, "layers", ())}
        kind = type(self._model).__name__
        if not kinds or not kinds <= _CACHED_LAYERS:
            raise ModelError(f"{kind} keeps more than keys and values, which is not supported", fix="Give an attention-only model")
        rest = torch.tensor([longer[half:]], device=self.device)
        seen = self.extend(alone, rest, torch.ones_like(rest))[0, -1].float()
        if not _close(seen, self.plain(longer)[-1], tolerance):
            raise ModelError(f"{kind} gives other numbers from its kept keys than from a plain pass", fix="Give another model")
        together = self.read([shorter, longer]).logits
        return all(_close(row, self.plain(text)[-1], tolerance) for row, text in zip(together, (shorter, longer), strict=True))


def _close(one: torch.Tensor, other: torch.Tensor, tolerance: float) -> bool:
    difference = one.log_softmax(-1) - other.log_softmax(-1)
    return bool(difference.abs().max() <= tolerance)
