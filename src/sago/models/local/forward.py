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

import numpy as np
import torch
from transformers import DynamicCache

from sago.errors import ModelError
from sago.models.local.states import blocks_of, pooling
from sago.models.local.tree import PromptTree, tree_of

_TOLERANCE = {torch.float32: 1e-3}
_HALF_TOLERANCE = 0.5
LOGIT_BYTES = 256 << 20
"""Memory that the logits of one pass may take."""
_WORTH = 0.9
"""A tree is read where it has at most this share of the places of padded rows: laying out its keys has a price of its own."""
_CACHED_LAYERS = frozenset({"DynamicLayer", "DynamicSlidingWindowLayer"})


Behind = tuple[int, tuple[int, ...]]
"""A row, and token ids that may stand behind its prompt."""


@dataclass
class Prefix:
    """Rows of prompts that have been read.

    Attributes:
        cache: Keys and values.
        mask: 0 at padding, 1 at tokens; (rows, places).
        lengths: Tokens of each row.
        logits: Float32 logits behind each row's last token; (rows, vocabulary).
        pooled: Layer -> float32 states of each row's last token.
        scored: Row and tokens behind it -> their summed log-probability (nats), for what was scored in the pass that read the prompts.
    """

    cache: Any
    mask: torch.Tensor
    lengths: torch.Tensor
    logits: torch.Tensor
    pooled: dict[int, torch.Tensor] = field(default_factory=dict)
    scored: dict[Behind, float] = field(default_factory=dict)

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
        shares_tokens: True where prompts can be read as a tree: what they begin with is then computed once.
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
        kinds = set(getattr(text, "layer_types", None) or ())
        # A configuration may give a window that none of its layers uses.
        self._window: int | None = None if kinds == {"full_attention"} else getattr(text, "sliding_window", None)
        self._has_layer_types = len(kinds) > 1
        self.shares_tokens = False
        self.one_by_one = not self._padding_is_harmless()
        self.shares_tokens = self._sharing_is_exact()

    def read(self, prompts: Sequence[Sequence[int]], layers: Sequence[int] = (), behind: Sequence[Behind] = ()) -> Prefix:
        """Reads a batch of prompts; what several of them begin with is computed once where the architecture allows it.

        Args:
            prompts: Token ids, none of them empty.
            layers: Layers at which the last token's state is pooled.
            behind: What is to be scored behind a prompt; done in the same pass where prompts are read as a tree, else left open.
        """
        if self.shares_tokens:
            behind = list(dict.fromkeys(behind))
            if len(prompts) + sum(len(tokens) - 1 for _, tokens in behind) > LOGIT_BYTES // (4 * self.vocabulary):
                behind = ()
            tree = tree_of([*prompts, *((*prompts[row], *tokens[:-1]) for row, tokens in behind)])
            if len(tree) <= _WORTH * len(prompts) * max(map(len, prompts)):
                return self.read_tree(tree, len(prompts), layers, behind)
        return self.read_rows(prompts, layers)

    @torch.inference_mode()
    def read_tree(self, tree: PromptTree, prompts: int, layers: Sequence[int] = (), behind: Sequence[Behind] = ()) -> Prefix:
        """Reads the distinct tokens of some prompts in one row, each seeing its own path alone, and lays their keys out row by row.

        Args:
            tree: The prompts, and behind them what is to be scored without its last token.
            prompts: How many of its paths are prompts.
            layers: Layers at which the last token's state is pooled.
            behind: What is to be scored, for each path that is no prompt.
        """
        paths = tree.paths[:prompts]
        last = torch.tensor([int(path[-1]) for path in paths], device=self.device)
        # Where something is to be read off: behind each prompt, and behind each token that stands in front of a scored one.
        ahead = [path[len(paths[row]) :] for path, (row, _) in zip(tree.paths[prompts:], behind, strict=True)]
        places = torch.from_numpy(np.concatenate([last.cpu().numpy(), *ahead])).to(self.device)
        ids, positions = (torch.from_numpy(part)[None].to(self.device) for part in (tree.tokens, tree.positions))
        named: dict[str, Any] = {"position_ids": positions, self._cache_name: DynamicCache()}
        named[str(self._keep)] = places
        with pooling(self.blocks, layers, last) as pooled:
            result = self._model(input_ids=ids, attention_mask=self._tree_mask(tree), use_cache=True, **named)
        lengths = torch.tensor([len(path) for path in paths], device=self.device)
        cache, mask = self._laid_out(result[self._cache_name], paths)
        logits = result.logits[0].float()
        return Prefix(cache, mask, lengths, logits[:prompts], pooled, _read_off(logits, prompts, behind))

    def _tree_mask(self, tree: PromptTree) -> torch.Tensor | dict[str, torch.Tensor]:
        """Returns what each token sees as numbers that are added to its scores, for each kind of attention of the model."""
        seen = tree.visible()
        full = self._added(seen)
        if self._window is None:
            return full
        near = tree.positions[:, None] - tree.positions[None, :] < self._window
        sliding = self._added(seen & near)
        return {"full_attention": full, "sliding_attention": sliding} if self._has_layer_types else sliding

    def _added(self, seen: np.ndarray) -> torch.Tensor:
        dtype = self._model.dtype
        hidden = torch.full(seen.shape, torch.finfo(dtype).min, dtype=dtype)
        return hidden.masked_fill_(torch.from_numpy(seen), 0.0)[None, None].to(self.device)

    def _laid_out(self, cache: Any, paths: Sequence[np.ndarray]) -> tuple[Any, torch.Tensor]:
        """Returns the keys and values of a tree as rows padded on the left, as if each prompt had been read in a row of its own."""
        width = max(map(len, paths))
        places = np.zeros((len(paths), width), dtype=np.int64)
        mask = np.zeros((len(paths), width), dtype=np.int64)
        for row, path in enumerate(paths):
            places[row, width - len(path) :] = path
            mask[row, width - len(path) :] = 1
        index = torch.from_numpy(places).to(self.device)
        rows = DynamicCache(config=self._model.config)
        for number, layer in enumerate(cache.layers):
            rows.update(*(part[0][:, index].transpose(0, 1) for part in (layer.keys, layer.values)), number)
        return rows, torch.from_numpy(mask).to(self.device)

    @torch.inference_mode()
    def read_rows(self, prompts: Sequence[Sequence[int]], layers: Sequence[int] = ()) -> Prefix:
        """Reads a batch of prompts as rows padded on the left.

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

    def _sharing_is_exact(self) -> bool:
        """Compares short texts that begin alike, read as a tree and gone on with, with the same texts alone in plain passes."""
        if self.one_by_one or not (self._takes_positions and self._keep):
            return False
        text = [token % self.vocabulary for token in (11, 7, 13, 5, 17, 3, 19, 2, 23)][: self.context - 1]
        texts = [text, text[:4], [*text[:2], *text[5:]], text[3:]]
        tolerance = _TOLERANCE.get(self._model.dtype, _HALF_TOLERANCE)
        more = torch.full((len(texts), 1), text[0], device=self.device)
        try:
            prefix = self.read_tree(tree_of(texts), len(texts))
            ahead = self.extend(prefix.select(range(len(texts))), more, torch.ones_like(more))[:, -1].float()
        except (RuntimeError, TypeError, ValueError, KeyError, IndexError, AttributeError):
            return False  # an architecture whose attention takes no such mask is read row by row
        now, then = ([self.plain([*each, *end])[-1] for each in texts] for end in ((), (text[0],)))
        pairs = [*zip(prefix.logits, now, strict=True), *zip(ahead, then, strict=True)]
        return all(_close(mine, theirs, tolerance) for mine, theirs in pairs)


def _read_off(logits: torch.Tensor, prompts: int, behind: Sequence[Behind]) -> dict[Behind, float]:
    """Returns what is scored: its first token off the prompt's last place, each other off the place of the one before it."""
    if not behind:
        return {}
    shares = logits - logits.logsumexp(-1, keepdim=True)
    found: dict[Behind, float] = {}
    place = prompts
    for row, tokens in behind:
        places = [row, *range(place, place + len(tokens) - 1)]
        place += len(tokens) - 1
        found[row, tokens] = float(shares[places, list(tokens)].sum())
    return found


def _close(one: torch.Tensor, other: torch.Tensor, tolerance: float) -> bool:
    difference = one.log_softmax(-1) - other.log_softmax(-1)
    return bool(difference.abs().max() <= tolerance)
