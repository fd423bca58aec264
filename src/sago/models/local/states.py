"""Hidden states, pooled in hooks while the layers run, so that never more than one vector a prompt is kept (METRICS 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch

from sago.errors import ModelError
from sago.records import StateVector

LAST, RESPONSE = "last_prompt_token", "response_mean"
"""Names of the ways of pooling: the last token of the prompt, the mean over the tokens of the response."""
FINAL = -1
"""Layer behind the final norm."""


def blocks_of(model: Any) -> torch.nn.ModuleList:
    """Returns the model's blocks, in order.

    Raises:
        ModelError: If none of its lists of modules has as many members as the configuration says.
    """
    count = model.config.get_text_config().num_hidden_layers
    lists = [(name, module) for name, module in model.named_modules() if isinstance(module, torch.nn.ModuleList)]
    found = [(name.count("."), module) for name, module in lists if len(module) == count]
    if not found:
        raise ModelError(f"the blocks of {type(model).__name__} are not found", fix="Give another model")
    return min(found, key=lambda pair: pair[0])[1]


def layers_at(depths: Sequence[float] | Literal["all"], n_blocks: int) -> tuple[int, ...]:
    """Returns the layers at some relative depths, halves rounded up, each once: 0 = embeddings, k = output of block k; all = every block.

    >>> layers_at((0.25, 0.5, 0.75, 1.0), 30)
    (8, 15, 23, 30)
    """
    if depths == "all":
        return tuple(range(1, n_blocks + 1))
    return tuple(dict.fromkeys(math.floor(depth * n_blocks + 0.5) for depth in depths))


Take = Callable[[torch.Tensor], torch.Tensor]
"""Hidden states (rows, tokens, dimensions) to one vector a prompt."""


def last_of_rows(hidden: torch.Tensor) -> torch.Tensor:
    """Returns the last token's state of rows that are padded on the left."""
    return hidden[:, -1, :]


def mean_of(mask: torch.Tensor) -> Take:
    """Returns the mean over the tokens of a mask, in float32; (rows, tokens), 1 at tokens, at least one in each row."""
    weights = (mask / mask.sum(-1, keepdim=True))[..., None].float()
    return lambda hidden: (hidden.float() * weights.to(hidden.device)).sum(1)


@contextmanager
def pooling(
    blocks: torch.nn.ModuleList, layers: Sequence[int], take: Take, head: tuple[torch.nn.Module, Take] | None = None
) -> Iterator[dict[int, torch.Tensor]]:
    """Collects one state a prompt at some layers during the passes inside.

    Args:
        blocks: The blocks of the model.
        layers: 0 = embeddings, k = output of block k, ``FINAL`` = behind the final norm.
        take: Takes the state of each prompt from those of all tokens.
        head: For ``FINAL``: the module that makes logits, and what takes the states from its input.

    Yields:
        Layer -> float32 tensor (prompts, dimensions), filled by the pass.
    """
    pooled: dict[int, torch.Tensor] = {}

    def keep(layer: int, hidden: torch.Tensor, take: Take) -> None:
        pooled[layer] = take(hidden).detach().to(torch.float32, copy=True).cpu()

    def before(layer: int, take: Take) -> Any:
        return lambda module, given, named: keep(layer, given[0] if given else named["hidden_states"], take)

    def after(layer: int) -> Any:
        return lambda module, given, output: keep(layer, output[0] if isinstance(output, tuple) else output, take)

    handles = []
    for layer in layers:
        if layer == FINAL and head is not None:
            handles.append(head[0].register_forward_pre_hook(before(layer, head[1]), with_kwargs=True))
        elif layer == 0:
            handles.append(blocks[0].register_forward_pre_hook(before(layer, take), with_kwargs=True))
        elif layer > 0:
            handles.append(blocks[layer - 1].register_forward_hook(after(layer)))
    try:
        yield pooled
    finally:
        for handle in handles:
            handle.remove()


def state_vectors(pooled: dict[int, torch.Tensor], row: int, n_blocks: int, how: str = LAST) -> tuple[tuple[StateVector, ...], list[str]]:
    """Returns one row's states, and the names of the tap points whose vector was not finite and is left out.

    Args:
        pooled: Layer -> states of all rows.
        row: Row.
        n_blocks: Blocks of the model.
        how: Name of the pooling.
    """
    vectors, broken = [], []
    for layer in sorted(pooled, key=lambda layer: n_blocks + 1 if layer == FINAL else layer):
        place = {0: "embeddings", FINAL: "final"}.get(layer, f"block_{layer}")
        tap, number = f"{how}/{place}", n_blocks if layer == FINAL else layer
        vector = pooled[layer][row]
        if bool(torch.isfinite(vector).all()):
            vectors.append(StateVector(tap, number, number / n_blocks, tuple(vector.tolist())))
        else:
            broken.append(tap)
    return tuple(vectors), broken
