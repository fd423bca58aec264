"""The passes through the network: exact positions and masks, so that padding and neighbours never count.

A batch of prompts is padded on the left; what follows a prompt (a choice, an anchor, a generated token) is fed behind it from the kept keys
and values, so the tokens of every row stand side by side and a sliding window sees the same tokens as without padding.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from transformers import DynamicCache

from sago.errors import ModelError
from sago.models.local.attention import attending, plan_of_tree
from sago.models.local.blocks import blocks_of_tree
from sago.models.local.rows import Behind, GrowingRows, PaddedRows, Prefix, TreeKeys, Windows
from sago.models.local.states import blocks_of, last_of_rows, mean_of, pooling
from sago.models.local.tree import PromptTree, tree_of

_TOLERANCE = {torch.float32: 1e-3}
_HALF_TOLERANCE = 0.5
LOGIT_BYTES = 256 << 20
"""Memory that the logits of one pass may take."""
_WORTH = 0.9
"""A tree is read where it has at most this share of the places of padded rows: laying out its keys has a price of its own."""
_CACHED_LAYERS = frozenset({"DynamicLayer", "DynamicSlidingWindowLayer"})


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
        self._head: torch.nn.Module = model.get_output_embeddings()
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        # Older releases of transformers call it past_key_values.
        self._cache_name = "cache" if "cache" in accepted else "past_key_values"
        self._keep = "logits_to_keep" if "logits_to_keep" in accepted else None
        text = model.config.get_text_config()
        self.context: int = getattr(text, "max_position_embeddings", None) or getattr(text, "n_positions", None) or 2**31
        self.vocabulary: int = model.get_input_embeddings().weight.shape[0]
        self._windows = Windows(text, _windows_of(text))
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
        cache = DynamicCache()
        named: dict[str, Any] = {"position_ids": positions, self._cache_name: cache, str(self._keep): places}
        plans = self._windows.each(lambda window: plan_of_tree(blocks_of_tree(tree, window), self._model.dtype, self.device))
        head = (self._head, lambda hidden: hidden[0, :prompts])  # the head is given the places whose logits are wanted, prompts first
        with pooling(self.blocks, layers, lambda hidden: hidden[0, last], head) as pooled, attending(self._windows.config):
            logits = self._model(input_ids=ids, attention_mask=plans, use_cache=True, **named).logits[0].float()
        kept = TreeKeys([(layer.keys[0], layer.values[0]) for layer in cache.layers], paths, self._windows, self._model.dtype)
        return Prefix(kept, logits[:prompts], pooled, _read_off(logits, prompts, behind))

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
        with pooling(self.blocks, layers, last_of_rows, (self._head, last_of_rows)) as pooled:
            logits, cache = self._forward(ids, mask, positions, None, 1)
        lengths = mask.sum(-1)
        return Prefix(PaddedRows(cache, mask, lengths), logits[:, -1].float(), pooled)

    @torch.inference_mode()
    def extend(self, rows: GrowingRows, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Feeds tokens behind rows, which grow by them in place.

        Args:
            rows: The rows so far.
            ids: Token ids, padded on the right; (rows, places).
            mask: 1 at tokens, 0 at padding; (rows, places).

        Returns:
            Logits behind every place, in the model's own number type; (rows, places, vocabulary).
        """
        feed = rows.fed(ids, mask)
        with feed.attending:
            logits, _ = self._forward(feed.ids, feed.mask, feed.positions, feed.cache, 0)
        return logits if feed.back is None else logits[feed.back]

    @torch.inference_mode()
    def mean_states(self, rows: GrowingRows, tokens: Sequence[Sequence[int]], layers: Sequence[int]) -> dict[int, torch.Tensor]:
        """Feeds tokens behind rows and returns the mean of their states at some blocks.

        Args:
            rows: The rows so far; they grow.
            tokens: Token ids behind each row, at least one.
            layers: Blocks.

        Returns:
            Layer -> float32 states, in the order of the rows; (rows, dimensions).
        """
        width = max(map(len, tokens))
        ids = torch.tensor([[*each, *[0] * (width - len(each))] for each in tokens], device=self.device)
        mask = torch.tensor([[1] * len(each) + [0] * (width - len(each)) for each in tokens], device=self.device)
        feed = rows.fed(ids, mask)
        order = torch.arange(len(tokens)) if feed.back is None else feed.back.cpu()
        with feed.attending, pooling(self.blocks, layers, mean_of(mask if feed.back is None else mask[feed.back.argsort()])) as pooled:
            self._forward(feed.ids, feed.mask, feed.positions, feed.cache, 1)
        return {layer: states[order] for layer, states in pooled.items()}

    def free(self) -> None:
        """Gives memory that is kept for later passes back to the device."""
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    @torch.inference_mode()
    def plain(self, ids: Sequence[int]) -> torch.Tensor:
        """Returns the float32 logits behind every token of one text, by one pass without padding or kept keys."""
        tokens = torch.tensor([list(ids)], device=self.device)
        logits: torch.Tensor = self._model(input_ids=tokens, use_cache=False).logits
        return logits[0].float()

    def _forward(self, ids: torch.Tensor, mask: Any, positions: torch.Tensor, cache: Any, keep: int) -> tuple[torch.Tensor, Any]:
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
        kinds = {type(layer).__name__ for layer in getattr(getattr(alone.rows, "cache", None), "layers", ())}
        kind = type(self._model).__name__
        if not kinds or not kinds <= _CACHED_LAYERS:
            raise ModelError(f"{kind} keeps more than keys and values, which is not supported", fix="Give an attention-only model")
        rest = torch.tensor([longer[half:]], device=self.device)
        seen = self.extend(alone.select([0]), rest, torch.ones_like(rest))[0, -1].float()
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
        except (RuntimeError, TypeError, ValueError, LookupError, AttributeError, NotImplementedError):
            return False  # an architecture whose attention takes no such mask is read row by row
        now, then = ([self.plain([*each, *end])[-1] for each in texts] for end in ((), (text[0],)))
        pairs = [*zip(prefix.logits, now, strict=True), *zip(ahead, then, strict=True)]
        return all(_close(mine, theirs, tolerance) for mine, theirs in pairs)


def _read_off(logits: torch.Tensor, prompts: int, behind: Sequence[Behind]) -> dict[Behind, float]:
    """Returns what is scored: its first token off the prompt's last place, each other off the place of the one before it."""
    if not behind:
        return {}
    totals = logits.logsumexp(-1)
    found: dict[Behind, float] = {}
    place = prompts
    for row, tokens in behind:
        places = [row, *range(place, place + len(tokens) - 1)]
        place += len(tokens) - 1
        found[row, tokens] = float((logits[places, list(tokens)] - totals[places]).sum())
    return found


def _windows_of(text: Any) -> dict[str, int | None]:
    """Returns how far back each kind of layer sees; a configuration may give a window that none of its layers uses."""
    window = getattr(text, "sliding_window", None)
    kinds = sorted(set(getattr(text, "layer_types", None) or ()))
    if not kinds:
        return {"all": window}
    return {kind: None if kind == "full_attention" else window for kind in kinds}


def _close(one: torch.Tensor, other: torch.Tensor, tolerance: float) -> bool:
    """Compares ten log-probabilities, those of the likeliest tokens: in half precision the unlikely ones carry noise that nobody reads."""
    one, other = one.log_softmax(-1), other.log_softmax(-1)
    likely = other.topk(min(10, other.shape[-1])).indices
    return bool((one - other)[likely].abs().max() <= tolerance)
