"""Hidden states, pooled in hooks while the layers run, so that never more than one vector a prompt is kept (METRICS 4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch

from sago.errors import ModelError
from sago.records import StateVector

POOLING = "last_prompt_token"


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


@contextmanager
def pooling(blocks: torch.nn.ModuleList, layers: Sequence[int], places: torch.Tensor | None = None) -> Iterator[dict[int, torch.Tensor]]:
    """Collects the last token's state at some layers during the passes inside.

    Args:
        blocks: The blocks of the model.
        layers: 0 = embeddings, k = output of block k.
        places: Place of each prompt's last token where all prompts stand in one row; null = prompts are rows padded on the left, so that
            the last place is the last token of every row.

    Yields:
        Layer -> float32 tensor (prompts, dimensions), filled by the pass.
    """
    pooled: dict[int, torch.Tensor] = {}

    def keep(layer: int, hidden: torch.Tensor) -> None:
        last = hidden[:, -1, :] if places is None else hidden[0, places, :]
        pooled[layer] = last.detach().to(torch.float32, copy=True).cpu()

    def before(module: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        keep(0, arguments[0] if arguments else named["hidden_states"])

    def after(layer: int) -> Any:
        return lambda module, arguments, output: keep(layer, output[0] if isinstance(output, tuple) else output)

    handles = []
    for layer in layers:
        if layer == 0:
            handles.append(blocks[0].register_forward_pre_hook(before, with_kwargs=True))
        else:
            handles.append(blocks[layer - 1].register_forward_hook(after(layer)))
    try:
        yield pooled
    finally:
        for handle in handles:
            handle.remove()


def state_vectors(pooled: dict[int, torch.Tensor], row: int, n_blocks: int) -> tuple[tuple[StateVector, ...], list[str]]:
    """Returns one row's states, and the names of the tap points whose vector was not finite and is left out."""
    vectors, broken = [], []
    for layer in sorted(pooled):
        tap = f"{POOLING}/{'embeddings' if layer == 0 else f'block_{layer}'}"
        vector = pooled[layer][row]
        if bool(torch.isfinite(vector).all()):
            vectors.append(StateVector(tap, layer, layer / n_blocks, tuple(vector.tolist())))
        else:
            broken.append(tap)
    return tuple(vectors), broken
