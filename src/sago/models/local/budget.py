"""How many tokens go through the network at once: as many as memory has room for, fewer after it ran out."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any

import torch

SHARE = 0.25
"""Share of the free memory that the tokens of one pass may take; the rest is for logits, for what is generated, and for others."""
MOST_ON_CPU = 8192
MOST_ON_ACCELERATOR = 32768
"""Beyond these a larger pass is no faster."""
LEAST = 64
"""A budget is never cut below this many tokens: what then does not fit is an error of its own."""

_log = logging.getLogger(__name__)


class Budget:
    """The most tokens of one pass.

    Args:
        tokens: Where to begin.

    Attributes:
        tokens: Now.
    """

    def __init__(self, tokens: int) -> None:
        self.tokens = max(LEAST, tokens)

    def halve(self, model_id: str) -> bool:
        """Halves the budget and says so; false where it is at its least already."""
        if self.tokens <= LEAST:
            return False
        self.tokens = max(LEAST, self.tokens // 2)
        _log.warning("%s: out of memory; from here on at most %s tokens a pass", model_id, f"{self.tokens:,}")
        return True


def tokens_that_fit(model: Any, device: torch.device) -> int:
    """Returns how many tokens of one pass fit into ``SHARE`` of the memory that is free now."""
    most = MOST_ON_CPU if device.type == "cpu" else MOST_ON_ACCELERATOR
    free = free_memory(device)
    return most if free is None else max(LEAST, min(most, int(SHARE * free / bytes_of_token(model))))


def bytes_of_token(model: Any) -> int:
    """Returns about how many bytes one token of a pass takes: its kept keys and values, and what the widest block holds at once."""
    config = model.config.get_text_config()
    hidden = int(config.hidden_size)
    heads = int(config.num_attention_heads)
    size = int(getattr(config, "head_dim", None) or hidden // heads)
    key_heads = int(getattr(config, "num_key_value_heads", None) or heads)
    inner = getattr(config, "intermediate_size", None) or getattr(config, "n_inner", None) or 4 * hidden
    kept = 2 * key_heads * size * int(config.num_hidden_layers)
    at_once = 6 * hidden + 3 * heads * size + 3 * int(inner)
    return (kept + at_once) * int(torch.finfo(model.dtype).bits) // 8


def free_memory(device: torch.device) -> int | None:
    """Returns the free memory of a device in bytes; null where it does not tell."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def is_out_of_memory(error: BaseException) -> bool:
    """Returns whether an error says that memory ran out; torch has a kind of its own for accelerators, and a plain one for the CPU."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text or "not enough memory" in text)


def cut(ids: Sequence[int], size: int, where: str) -> list[int]:
    """Returns a prompt with tokens left out so that it has ``size`` of them.

    Args:
        ids: Token ids.
        size: Most tokens to keep.
        where: ``left``: the last ones stay; ``middle``: as many from the beginning as from the end, which gets the odd one.

    >>> cut([1, 2, 3, 4, 5, 6], 3, "middle")
    [1, 5, 6]
    """
    if len(ids) <= size:
        return list(ids)
    head = size // 2 if where == "middle" else 0
    return [*ids[:head], *ids[len(ids) - (size - head) :]]
